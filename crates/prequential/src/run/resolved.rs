//! The resolved settings of a plan by name, for its result and for the identity of its code lengths.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::plan::Plan;
#[cfg(feature = "store")]
use crate::score::StoreContext;
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

/// Settings that change no code length: those of the search, of resources, and the number of row orders,
/// which are stored one by one.
#[cfg(feature = "store")]
const WITHOUT_EFFECT: [&str; 10] = [
    "search",
    "max_parents",
    "row_orders",
    "require",
    "forbid",
    "tiers",
    "roots",
    "leaves",
    "memory_limit_bytes",
    "top",
];

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

    /// The settings in the identity of code lengths: all except those that are known to change none, so that
    /// a new one is never forgotten.
    #[cfg(feature = "store")]
    pub(crate) fn store_context(&self) -> StoreContext {
        let mut resolved = self.resolved(&self.constraints);
        resolved
            .estimator
            .settings
            .retain(|name, _| !self.estimator.without_effect().contains(&name.as_str()));
        let Value::Object(mut settings) = json!(resolved) else { panic!("settings are a structure") };
        settings.retain(|name, _| !WITHOUT_EFFECT.contains(&name.as_str()));
        // By number: the names of columns do not change code lengths.
        settings.entry("context").and_modify(|context| *context = json!(self.contexts));
        StoreContext::new(&self.data, settings)
    }
}

/// The settings in force, for programs that show them with other numbers.
pub fn settings_value(plan: &Plan) -> Value {
    json!(plan.resolved(&plan.constraints))
}

/// The name of a choice without settings.
fn word(choice: impl Serialize) -> String {
    json!(choice).as_str().map(String::from).unwrap_or_default()
}

#[cfg(feature = "store")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimator::{Counts, Estimator, Fourier, Linear, Mix};
    use crate::run::{Resolution, Settings};
    use crate::search::Order;
    use crate::table::test_tables;

    fn plan(settings: Settings) -> Plan {
        Plan::new(&test_tables::numbers(50), &settings).unwrap()
    }

    fn context(settings: Settings) -> String {
        plan(settings).store_context().to_string()
    }

    #[test]
    fn every_setting_is_in_the_context_or_known_to_change_no_code_length() {
        // First the settings that code lengths depend on, below those that they do not, and those that change
        // no result at all. A new field does not compile here.
        #[rustfmt::skip]
        let Settings {
            estimator: _, resolution: _, seed: _, row_order: _,
            search: _, knowledge: _, max_parents: _, permutations: _, limits: _, top: _,
            threads: _, store: _,
        } = Settings::default();
        for estimator in Estimator::all() {
            let plan = plan(Settings { estimator, ..Settings::default() });
            let Value::Object(all) = json!(plan.resolved(&plan.constraints)) else { panic!() };
            let kept: Value = serde_json::from_str(&plan.store_context().to_string()).unwrap();
            for name in all.keys() {
                assert_ne!(kept.get(name).is_some(), WITHOUT_EFFECT.contains(&name.as_str()), "{name}");
            }
            for name in plan.estimator.settings().keys() {
                let is_idle = plan.estimator.without_effect().contains(&name.as_str());
                assert_ne!(kept["estimator"].get(name).is_some(), is_idle, "{name}");
            }
            let unknown = |name: &&&str| !all.contains_key(**name);
            assert_eq!(WITHOUT_EFFECT.iter().find(unknown), None, "a setting that is no more");
        }
    }

    #[test]
    fn a_context_has_what_code_lengths_depend_on_and_nothing_else() {
        let base = Settings { estimator: Fourier::default().into(), ..Settings::default() };
        let same = context(base.clone());
        let others = [
            Settings {
                search: Order::default().into(),
                max_parents: Some(1),
                top: 3,
                threads: Some(1),
                ..base.clone()
            },
            Settings { permutations: 5, ..base.clone() },
        ];
        others.into_iter().for_each(|settings| assert_eq!(context(settings), same));
        let bins = Resolution { n_bins: Some(16), ..Resolution::default() };
        let networks = |networks| Mix { networks, ..Mix::default() }.into();
        let others = [
            Settings { seed: 1, ..base.clone() },
            Settings { estimator: Counts::default().into(), ..base.clone() },
            Settings { estimator: Counts::default().into(), resolution: bins, ..base.clone() },
            Settings { estimator: Linear::default().into(), ..base.clone() },
            Settings { estimator: networks(1), ..base.clone() },
            Settings { estimator: networks(2), ..base.clone() },
        ];
        let all: std::collections::BTreeSet<String> = others.into_iter().map(context).chain([same]).collect();
        assert_eq!(all.len(), 7);
    }

    #[test]
    fn parent_sets_that_are_left_out_change_no_code_length() {
        let counts = |max_configurations| Counts { max_configurations, ..Counts::default() };
        let stored = |max| context(Settings { estimator: counts(max).into(), ..Settings::default() });
        assert_eq!(stored(None), stored(Some(3)));
    }
}
