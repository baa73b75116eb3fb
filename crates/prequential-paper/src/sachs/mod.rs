//! The paper's protein network: 7,466 cells, 11 proteins, nine conditions, six of them interventions on one protein.

mod convention;
mod reference;
mod run;
mod summary;

use prequential::internals::count;
use prequential::{
    Error, Estimator, GraphPicture, Knowledge, Message, OptionName, Result, Search, Settings, Table,
    graph_svg,
};

use crate::experiment::{Reproducible, Reproduction, Request};
use crate::options::ReproduceOptions;

use reference::NAMES;
use run::Run;

pub(crate) const EXPERIMENT: Reproducible = Reproducible {
    name: "sachs",
    about: "The protein network of section 3.2: 7,466 cells",
    needs_data: true,
    run: reproduce,
};

const N_ROWS: usize = 7_466;

/// As in the paper.
const MAX_PARENTS: usize = 4;

/// Bins of a column for counts: low, middle, high, as in the discrete versions of the table.
const COARSE_BINS: usize = 3;

/// Learns the table in `options.data` with one estimator or, unless one is named, with four.
fn reproduce(request: &Request) -> Result<Reproduction> {
    let options = request.options;
    let table = check(options.data.as_ref())?;
    let estimators = match options.settings.estimator {
        Estimator::Auto => vec![Estimator::Mix, Estimator::Fourier, Estimator::Linear, Estimator::Counts],
        only => vec![only],
    };
    let mut runs = Vec::new();
    for (i, &estimator) in estimators.iter().enumerate() {
        let run = Run::new(table, &settings(options, estimator))?;
        request.tell(i + 1, estimators.len(), &run.in_words());
        runs.push(run);
    }
    let picture = graph_svg(&GraphPicture::of(&runs[0].learned, &NAMES.map(String::from)));
    let plots = vec![("graph.svg".to_string(), picture)];
    Ok(Reproduction::new(&summary::json(options, &runs), summary::markdown(options, &runs), plots))
}

/// The table must be the one that the experiment is about.
fn check(table: Option<&Table>) -> Result<&Table> {
    let table = table.ok_or_else(|| Error::Setting {
        what: "the protein data do not come with the program".into(),
        hint: Message::from("name the table with ")
            + OptionName::Data.set("FILE")
            + ": the columns raf to jnk, 7,466 rows, and a column `intervention`",
    })?;
    if table.names() == NAMES && table.n_rows() == N_ROWS {
        return Ok(table);
    }
    Err(Error::Setting {
        what: format!(
            "the table has {} rows and the columns {}, but the protein data have {} rows and the columns {}",
            count(table.n_rows()),
            table.names().join(", "),
            count(N_ROWS),
            NAMES.join(", ")
        )
        .into(),
        hint: Message::from("leave ") + OptionName::Data + " out to fetch them",
    })
}

fn settings(options: &ReproduceOptions, estimator: Estimator) -> Settings {
    let given = &options.settings;
    Settings {
        estimator,
        n_bins: if estimator == Estimator::Counts { Some(COARSE_BINS) } else { given.n_bins },
        seed: options.seed,
        repeats: options.repeats.or(given.repeats).filter(|_| estimator.has_networks()),
        search: Search::Exact,
        knowledge: Knowledge::default(),
        max_parents: Some(MAX_PARENTS),
        max_configurations: None,
        ..given.clone()
    }
}

#[cfg(test)]
mod tests {
    use prequential::Experiment;

    use super::*;

    #[test]
    fn another_table_is_refused() {
        let error = check(None).unwrap_err();
        assert!(error.hint().to_string().contains("`data: FILE`"));
        let other = Experiment::Chain3.simulate(200, 1).map(|simulated| simulated.table);
        let error = check(other.ok().as_ref()).unwrap_err().to_string();
        assert!(error.contains("200 rows and the columns A, B, C"), "{error}");
    }
}
