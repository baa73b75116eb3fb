//! Parts that several documents have: the table, scored families, what a run cost, why it stopped.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::super::options::DocumentOptions;
use super::parent_names;
use crate::graph::Family;
use crate::run::{Partial, Plan, RunCost};
use crate::score::{MeanSd, Scores};
use crate::table::{Kind, Source};

/// The table of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct TableSection {
    /// The file, if the table was read from one.
    pub(in crate::report) path: Option<String>,
    pub(in crate::report) rows: usize,
    /// Of the bytes that were read.
    pub(in crate::report) sha256: Option<String>,
    pub(in crate::report) variables: Vec<VariableEntry>,
    /// How the file was read: the options by name.
    pub(in crate::report) options: Option<Map<String, Value>>,
    /// What was done with cells that could be read in more than one way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::report) notes: Vec<String>,
    pub(in crate::report) warnings: Vec<String>,
}

/// A column of the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct VariableEntry {
    pub(in crate::report) name: String,
    pub(in crate::report) kind: Kind,
    /// Bins of numbers, or levels of labels.
    pub(in crate::report) bins: Option<usize>,
    /// Rows that are coded.
    pub(in crate::report) rows_used: usize,
    pub(in crate::report) missing: usize,
    /// Rows in which it was set by an experimenter.
    pub(in crate::report) intervened: usize,
}

impl TableSection {
    /// The table of `plan` and its variables.
    pub(in crate::report) fn new(plan: &Plan, options: &DocumentOptions) -> TableSection {
        let (table, source) = (&plan.table, plan.table.source());
        let warnings = table.warnings().iter().cloned().chain(plan.warnings());
        TableSection {
            path: source.map(|source| source.path.clone()),
            rows: table.n_rows(),
            sha256: source.map(|source| source.sha256.clone()),
            variables: columns(plan).take(plan.names().len()).collect(),
            options: source.map(read_options),
            notes: table.notes().iter().map(|note| options.worded(note.clone())).collect(),
            warnings: warnings.map(|warning| options.worded(warning)).collect(),
        }
    }
}

/// Every column: variables, then contexts.
pub(super) fn columns(plan: &Plan) -> impl Iterator<Item = VariableEntry> {
    plan.columns().into_iter().enumerate().map(|(place, variable)| {
        let column = plan.data.column(place);
        let has_levels = plan.bins_numbers() || variable.kind() == Kind::Categorical;
        let set = variable.intervened.iter().flatten();
        VariableEntry {
            name: variable.name.clone(),
            kind: variable.kind(),
            bins: has_levels.then_some(column.n_levels),
            rows_used: column.n_rows_used(),
            missing: column.n_missing,
            intervened: set.filter(|&&set| set).count(),
        }
    })
}

/// How the file was read.
fn read_options(source: &Source) -> Map<String, Value> {
    let options = &source.options;
    let mask = options.intervention_mask.as_ref().and_then(|mask| mask.file());
    let mask = mask.map(|path| path.display().to_string());
    let ordered: Vec<Value> = options
        .ordered
        .iter()
        .map(|labels| json!({"column": labels.column, "levels": labels.levels}))
        .collect();
    let all = [
        ("columns", json!(options.columns)),
        ("ignore", json!(options.ignore)),
        ("labels", json!(options.labels)),
        ("numbers", json!(options.numbers)),
        ("ordered", json!(ordered)),
        ("missing", json!(options.missing)),
        ("interventions", json!(options.interventions)),
        ("intervention_mask", json!(mask)),
        ("intervention_mask_sha256", json!(source.mask_sha256)),
    ];
    all.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

/// A family and what it costs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct ScoredFamily {
    pub(in crate::report) child: String,
    pub(in crate::report) parents: Vec<String>,
    pub(in crate::report) code_length_nats: f64,
    /// Standard deviation over networks or row orders, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) spread_nats: Option<f64>,
}

impl ScoredFamily {
    /// All families of a run, in the order of the scores.
    pub(in crate::report) fn all(scores: &Scores, plan: &Plan) -> Vec<ScoredFamily> {
        let (names, (_, n_repeats)) = (plan.names(), repeats(plan));
        let scored = |(family, moments): (&Family, &MeanSd)| ScoredFamily {
            child: names[family.child].clone(),
            parents: parent_names(family, names),
            code_length_nats: moments.mean,
            spread_nats: (n_repeats > 1).then_some(moments.sd),
        };
        scores.families.iter().zip(&scores.moments).map(scored).collect()
    }
}

/// Why the work stopped early, and how to go on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct PartialSection {
    #[serde(flatten)]
    pub(in crate::report) partial: Partial,
    pub(in crate::report) command: Option<String>,
}

impl PartialSection {
    /// If it did.
    pub(in crate::report) fn new(
        partial: Option<Partial>,
        options: &DocumentOptions,
    ) -> Option<PartialSection> {
        partial.map(|partial| PartialSection { partial, command: options.continue_with.map(String::from) })
    }
}

/// How the run was called, and what it took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct CostSection {
    #[serde(flatten)]
    pub(in crate::report) cost: RunCost,
    /// The command as it was typed, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::report) command: Option<String>,
}

impl CostSection {
    pub(in crate::report) fn new(cost: &RunCost, options: &DocumentOptions) -> CostSection {
        CostSection { cost: cost.clone(), command: options.command.map(String::from) }
    }
}

/// What differs from repeat to repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::report) enum Over {
    #[serde(rename = "networks")]
    Networks,
    #[serde(rename = "row orders")]
    RowOrders,
    #[serde(rename = "networks and row orders")]
    Both,
}

impl Over {
    /// One of them: `network` or `row order`.
    pub(in crate::report) fn one(self) -> &'static str {
        match self {
            Over::Networks => "network",
            Over::RowOrders => "row order",
            Over::Both => "network in each row order",
        }
    }
}

/// What differs from repeat to repeat, and how many repeats there are.
pub(in crate::report) fn repeats(plan: &Plan) -> (Over, usize) {
    let n_networks = plan.n_networks();
    let over = match (n_networks, plan.permutations) {
        (0, _) => Over::RowOrders,
        (_, 1) => Over::Networks,
        _ => Over::Both,
    };
    (over, plan.permutations * n_networks.max(1))
}
