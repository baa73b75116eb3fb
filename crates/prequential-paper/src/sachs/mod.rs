//! The paper's protein network: 7,466 cells, 11 proteins, nine conditions, six of them interventions on one protein.

mod arms;
mod reference;
mod run;
mod summary;

use prequential::internals::count;
use prequential::wording::{Message, OptionName};
use prequential::{Error, Estimator, Exact, Fourier, Linear, Resolution, Result, Settings, Table};

use crate::experiment::{Reproducible, Reproduction, Request};
use crate::options::ReproduceOptions;

use arms::{ArmCells, SachsArm, is_in_order};
use reference::NAMES;
use run::SachsRun;

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

/// Learns the table in `options.data` with one estimator or, unless one is named, with the default and, of all cells, three others: without the
/// condition, with the condition as context, and centred by condition.
fn reproduce(request: &Request) -> Result<Reproduction> {
    let options = request.options;
    let table = check(options.data.as_ref())?;
    let tasks = tasks(&options.settings.estimator);
    let mut runs = Vec::new();
    for (i, (estimator, arm, cells)) in tasks.iter().enumerate() {
        let run = SachsRun::new(table, *arm, *cells, &settings(options, estimator.clone()))?;
        request.tell(i + 1, tasks.len(), &run.in_words());
        runs.push(run);
    }
    let pictured = runs.iter().find(|run| run.arm == SachsArm::Context).unwrap_or(&runs[0]);
    let picture = pictured.learned.to_svg();
    let plots = vec![("graph.svg".to_string(), picture)];
    Ok(Reproduction::new(&summary::json(options, &runs), summary::markdown(options, &runs), plots))
}

/// The pairs of arm and estimator.
fn tasks(estimator: &Estimator) -> Vec<(Estimator, SachsArm, ArmCells)> {
    let (first, others): (Estimator, Vec<Estimator>) = match estimator {
        Estimator::Auto(auto) => {
            let others =
                vec![Fourier::default().into(), Linear::default().into(), auto.counts.clone().into()];
            (auto.mix.clone().into(), others)
        }
        only => (only.clone(), Vec::new()),
    };
    let with =
        |estimator: Estimator, cells: ArmCells| SachsArm::ALL.map(|arm| (estimator.clone(), arm, cells));
    let of_first = ArmCells::BOTH.into_iter().flat_map(|cells| with(first.clone(), cells));
    of_first.chain(others.into_iter().flat_map(|estimator| with(estimator, ArmCells::All))).collect()
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
        return if is_in_order(table) { Ok(table) } else { Err(out_of_order()) };
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

fn out_of_order() -> Error {
    Error::Setting {
        what: "the cells of a condition differ in which protein was set, so the rows are not in the order of the conditions".into(),
        hint: Message::from("keep the rows in the order of the nine files, or leave ") + OptionName::Data + " out to fetch them",
    }
}

fn settings(options: &ReproduceOptions, estimator: Estimator) -> Settings {
    let given = &options.settings;
    let n_bins =
        if matches!(estimator, Estimator::Counts(_)) { Some(COARSE_BINS) } else { given.resolution.n_bins };
    Settings {
        estimator,
        resolution: Resolution { n_bins, ..given.resolution },
        seed: options.seed,
        permutations: 1,
        search: Exact.into(),
        max_parents: Some(MAX_PARENTS),
        ..given.clone()
    }
}

#[cfg(test)]
mod tests {
    use prequential_simulate::Experiment;

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
