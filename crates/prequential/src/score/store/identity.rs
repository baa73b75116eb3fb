//! Which code lengths may stand for which: hashes of the table and of everything that a code length depends on.

use serde_json::{Value, json};

use crate::estimator::Schedule;
use crate::run::settings::Settings;
use crate::table::{ContentHash, Quantised, QuantisedColumn, Table};

/// Raised whenever an estimator changes so that the same settings give other code lengths: those of earlier versions then stay in
/// their stores, but are no longer taken for ours.
pub(crate) const SCORES_EPOCH: u32 = 1;

/// What a store remembers of its table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableIdentity {
    /// Of kinds, values, labels and interventions; renamed columns leave it as it is.
    pub(crate) sha256: String,
    pub(crate) n_rows: usize,
    pub(crate) names: Vec<String>,
    /// The file that the table was read from, if it was.
    pub(crate) file: Option<String>,
}

impl TableIdentity {
    pub(crate) fn of(table: &Table) -> TableIdentity {
        TableIdentity {
            sha256: table.fingerprint(),
            n_rows: table.n_rows(),
            names: table.names(),
            file: table.source().map(|source| source.path.clone()),
        }
    }
}

/// Everything that a code length depends on besides family and row order, as JSON: the same text for the same code lengths.
///
/// Which graphs are searched, how, and how fast has no place in it; nor have row orders, which are kept one by one.
pub(crate) fn context(data: &Quantised, settings: &Settings) -> Value {
    let model = settings.model();
    let networks = model.estimator.has_networks();
    json!({
        "epoch": SCORES_EPOCH,
        "data": data_sha256(data),
        "estimator": model.estimator,
        "prior": model.prior,
        "fourier": model.estimator.has_regressions().then_some(&model.fourier),
        "schedule": networks.then_some(model.schedule),
        "network": networks.then(|| match model.schedule {
            Schedule::Replay => json!(model.replay),
            Schedule::Blockwise => json!(model.blockwise),
        }),
        "networks": networks.then_some(model.n_nets),
        "bins": settings.n_bins,
        "binning": settings.binning,
        "inputs": settings.inputs,
        "row_order": settings.row_order,
        "seed": settings.seed,
    })
}

fn data_sha256(data: &Quantised) -> String {
    let mut hash = ContentHash::default();
    hash.number(data.n_rows());
    (0..data.n_vars()).for_each(|node| add_column(&mut hash, data.column(node)));
    hash.hexadecimal()
}

/// SHA-256 of a text, in hexadecimal.
pub(super) fn text_sha256(text: &str) -> String {
    let mut hash = ContentHash::default();
    hash.text(text);
    hash.hexadecimal()
}

fn add_column(hash: &mut ContentHash, column: &QuantisedColumn) {
    hash.codes(&column.codes);
    hash.number(column.n_levels);
    hash.number(usize::from(column.rows_used.is_some()));
    hash.codes(column.rows_used.as_deref().unwrap_or_default());
    hash.number(usize::from(column.scale.is_some()));
    if let Some(scale) = &column.scale {
        hash.floats(&scale.inputs);
        hash.floats(&scale.marginal);
        hash.floats(&scale.compressed_edges);
    }
    hash.floats(column.raw.as_deref().unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimator::Estimator;
    use crate::run::plan::Plan;
    use crate::run::settings::Search;
    use crate::simulate::Experiment;

    #[test]
    fn a_context_has_what_code_lengths_depend_on_and_nothing_else() {
        let table = Experiment::Chain3.simulate(50, 1).unwrap().table;
        let of = |settings: Settings| {
            let plan = Plan::new(&table, &settings).unwrap();
            context(&plan.data, &plan.settings).to_string()
        };
        let base = Settings { estimator: Estimator::Fourier, ..Settings::default() };
        let same = of(base.clone());
        let others = [
            Settings {
                search: Search::Order,
                max_parents: Some(1),
                top: 3,
                threads: Some(1),
                ..base.clone()
            },
            Settings { repeats: Some(5), ..base.clone() },
        ];
        others.into_iter().for_each(|settings| assert_eq!(of(settings), same));
        let others = [
            Settings { seed: 1, ..base.clone() },
            Settings { n_bins: Some(16), ..base.clone() },
            Settings { estimator: Estimator::Linear, ..base.clone() },
            Settings { estimator: Estimator::Mix, repeats: Some(1), ..base.clone() },
            Settings { estimator: Estimator::Mix, repeats: Some(2), ..base.clone() },
        ];
        let all: std::collections::BTreeSet<String> = others.into_iter().map(of).chain([same]).collect();
        assert_eq!(all.len(), 6);
    }
}
