//! Which code lengths may stand for which: hashes of the table and of everything that a code length depends on.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::estimator::Schedule;
use crate::run::settings::Settings;
use crate::table::{Quantised, QuantisedColumn, Table, Values, Variable};

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
        let mut hash = Hash::default();
        hash.number(table.n_rows());
        table.variables().iter().for_each(|variable| hash.variable(variable));
        TableIdentity {
            sha256: hash.hexadecimal(),
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
    let mut hash = Hash::default();
    hash.number(data.n_rows());
    (0..data.n_vars()).for_each(|node| hash.column(data.column(node)));
    hash.hexadecimal()
}

/// SHA-256 of a text, in hexadecimal.
pub(super) fn text_sha256(text: &str) -> String {
    let mut hash = Hash::default();
    hash.0.update(text);
    hash.hexadecimal()
}

/// Takes in values with their lengths, so that no two different lists of values look the same.
#[derive(Default)]
struct Hash(Sha256);

impl Hash {
    fn number(&mut self, number: usize) {
        self.0.update((number as u64).to_le_bytes());
    }

    fn codes(&mut self, codes: &[u32]) {
        self.number(codes.len());
        codes.iter().for_each(|code| self.0.update(code.to_le_bytes()));
    }

    /// There are many NaN, and all of them stand for a missing cell.
    fn floats(&mut self, floats: &[f64]) {
        self.number(floats.len());
        for &float in floats {
            let float = if float.is_nan() { f64::NAN } else { float };
            self.0.update(float.to_bits().to_le_bytes());
        }
    }

    fn variable(&mut self, variable: &Variable) {
        match &variable.values {
            Values::Numbers(numbers) => {
                self.0.update("numbers");
                self.floats(numbers);
            }
            Values::Labels { levels, codes } => {
                self.0.update("labels");
                self.number(levels.len());
                for level in levels {
                    self.number(level.len());
                    self.0.update(level);
                }
                self.codes(codes);
            }
        }
        let set = variable.intervened.iter().flatten().enumerate().filter(|&(_, &set)| set);
        self.codes(&set.map(|(row, _)| row as u32).collect::<Vec<_>>());
    }

    fn column(&mut self, column: &QuantisedColumn) {
        self.codes(&column.codes);
        self.number(column.n_levels);
        self.number(usize::from(column.rows_used.is_some()));
        self.codes(column.rows_used.as_deref().unwrap_or_default());
        self.number(usize::from(column.scale.is_some()));
        if let Some(scale) = &column.scale {
            self.floats(&scale.inputs);
            self.floats(&scale.marginal);
            self.floats(&scale.compressed_edges);
        }
        self.floats(column.raw.as_deref().unwrap_or_default());
    }

    fn hexadecimal(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimator::Estimator;
    use crate::run::plan::Plan;
    use crate::run::settings::Search;
    use crate::simulate::Experiment;

    #[test]
    fn names_do_not_matter_and_cells_do() {
        let table = Experiment::Chain3.simulate(50, 1).unwrap().table;
        let changed = |change: &dyn Fn(&mut Vec<Variable>)| {
            let mut variables = table.variables().to_vec();
            change(&mut variables);
            TableIdentity::of(&Table::new(variables).unwrap()).sha256
        };
        let same = TableIdentity::of(&table).sha256;
        assert_eq!(changed(&|variables| variables[0].name = "other".into()), same);
        let cell = |variables: &mut Vec<Variable>| match &mut variables[1].values {
            Values::Numbers(numbers) => numbers[7] += 1e-9,
            Values::Labels { .. } => panic!("chain3 has numbers"),
        };
        assert_ne!(changed(&cell), same);
        let set = |variables: &mut Vec<Variable>| {
            variables[2].intervened = Some((0..50).map(|row| row == 3).collect())
        };
        assert_ne!(changed(&set), same);
        assert_ne!(changed(&|variables| variables.swap(0, 1)), same);
    }

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
