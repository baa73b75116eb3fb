//! The resolved settings of a plan by name, for its result.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::plan::Plan;
use crate::search::{Constraints, Statement};

/// The settings in force, by the names of variables: everything is resolved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ResolvedSettings {
    pub(crate) estimator: NamedChoice,
    pub(crate) search: NamedChoice,
    /// `None` if numbers are not binned.
    pub(crate) quantisation: Option<NamedQuantisation>,
    pub(crate) max_parents: usize,
    pub(crate) seed: u64,
    /// How many orders of the rows are coded.
    pub(crate) row_orders: usize,
    /// Whether rows are shuffled.
    pub(crate) row_order: String,
    pub(crate) require: Vec<NamedPair>,
    pub(crate) forbid: Vec<NamedPair>,
    pub(crate) tiers: Vec<Vec<String>>,
    pub(crate) roots: Vec<String>,
    pub(crate) leaves: Vec<String>,
    /// Columns that are not variables of the graph but may cause any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) context: Vec<String>,
    pub(crate) memory_limit_bytes: u64,
    /// How many graphs the ranking lists at most.
    pub(crate) top: usize,
}

/// `["A", "B"]`: an edge from A to B, or a pair without direction; never a variable with itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "[String; 2]")]
pub(crate) struct NamedPair(pub(crate) String, pub(crate) String);

impl TryFrom<Vec<String>> for NamedPair {
    type Error = &'static str;

    fn try_from(names: Vec<String>) -> Result<NamedPair, &'static str> {
        match <[String; 2]>::try_from(names) {
            Ok([from, to]) if from != to => Ok(NamedPair(from, to)),
            _ => Err("expected two different variables, found a list"),
        }
    }
}

impl From<NamedPair> for [String; 2] {
    fn from(NamedPair(from, to): NamedPair) -> [String; 2] {
        [from, to]
    }
}

/// A method by name, with its own settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct NamedChoice {
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) settings: Map<String, Value>,
}

/// How numbers become cells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct NamedQuantisation {
    pub(crate) bins: usize,
    pub(crate) binning: String,
    /// What children see of a number.
    pub(crate) inputs: String,
}

impl Plan {
    /// Whether numbers are coded by bins.
    pub(crate) fn bins_numbers(&self) -> bool {
        self.estimator.default_bins().is_some()
    }

    /// The settings in force for a run among families that `constraints` allow.
    pub(crate) fn resolved(&self, constraints: &Constraints) -> ResolvedSettings {
        let (estimator, search, knowledge) = (&self.estimator, &self.search, &self.knowledge);
        let edges = |said: &[Statement<(String, String)>]| {
            said.iter().map(|edge| NamedPair(edge.value.0.clone(), edge.value.1.clone())).collect()
        };
        let names = |said: &[Statement<String>]| said.iter().map(|name| name.value.clone()).collect();
        ResolvedSettings {
            estimator: NamedChoice { name: estimator.name().to_string(), settings: estimator.settings() },
            search: NamedChoice {
                name: search.description().name.to_string(),
                settings: search.settings(self.names()),
            },
            quantisation: self.bins_numbers().then(|| NamedQuantisation {
                bins: self.quantisation.n_bins,
                binning: word(self.quantisation.binning),
                inputs: word(self.quantisation.parent_values),
            }),
            max_parents: constraints.max_parents(),
            seed: self.seed,
            row_orders: self.permutations,
            row_order: word(self.row_order),
            require: edges(&knowledge.required),
            forbid: edges(&knowledge.forbidden),
            tiers: knowledge.tiers.iter().map(|tier| tier.value.clone()).collect(),
            roots: names(&knowledge.roots),
            leaves: names(&knowledge.leaves),
            context: self.context_names().to_vec(),
            memory_limit_bytes: self.limits.memory,
            top: self.top,
        }
    }
}

/// The settings in force, for programs that show them with other numbers.
pub fn settings_value(plan: &Plan) -> Value {
    json!(plan.resolved(&plan.constraints))
}

/// The name of a choice without settings.
pub(super) fn word(choice: impl Serialize) -> String {
    json!(choice).as_str().map(String::from).unwrap_or_default()
}
