//! The paper's protein network: 7,466 cells, 11 proteins, nine conditions, six of them interventions on one protein.

mod convention;
mod reference;
mod run;
mod summary;

use prequential::internals::count;
use prequential::wording::{Message, OptionName};
use prequential::{Error, Estimator, Exact, Fourier, Knowledge, Linear, Resolution, Result, Settings, Table};

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
    let estimators: Vec<Estimator> = match &options.settings.estimator {
        Estimator::Auto(auto) => vec![
            auto.mix.clone().into(),
            Fourier::default().into(),
            Linear::default().into(),
            auto.counts.clone().into(),
        ],
        only => vec![only.clone()],
    };
    let mut runs = Vec::new();
    for (i, estimator) in estimators.iter().enumerate() {
        let run = Run::new(table, &settings(options, estimator.clone()))?;
        request.tell(i + 1, estimators.len(), &run.in_words());
        runs.push(run);
    }
    let picture = runs[0].learned.to_svg();
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
    let n_bins =
        if matches!(estimator, Estimator::Counts(_)) { Some(COARSE_BINS) } else { given.resolution.n_bins };
    Settings {
        estimator,
        resolution: Resolution { n_bins, ..given.resolution },
        seed: options.seed,
        row_orders: 1,
        search: Exact.into(),
        knowledge: Knowledge::default(),
        max_parents: Some(MAX_PARENTS),
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
