//! What one estimator makes of the protein data.

use prequential::internals::{ClimbSettings, by_visited, count, dag_length, hill_climb, settings_value, shd};
use prequential::results::EdgeProbabilities;
use prequential::{Constraints, Dag, Learned, Nats, Result, Settings, Table, learn};
use serde_json::{Value, json};

use super::convention::Convention;
use super::reference::{NAMES, consensus_20, discrete_17};
use super::{COARSE_BINS, MAX_PARENTS};

/// What one estimator makes of the table.
pub(super) struct Run {
    pub(super) learned: Learned,
    pub(super) exact: Answer,
    climbed: Answer,
    /// How much longer the climbed graph's code is than the proven optimum.
    climbed_excess: f64,
    n_visited: usize,
    conventions: Vec<Convention>,
}

/// A graph, and the posterior that came with it.
pub(super) struct Answer {
    pub(super) dag: Dag,
    posterior: EdgeProbabilities,
}

impl Run {
    pub(super) fn new(table: &Table, settings: &Settings) -> Result<Run> {
        let learned = learn(table, settings)?;
        let lengths = learned.scores.lengths(NAMES.len());
        let constraints = Constraints::none(NAMES.len()).with_max_parents(MAX_PARENTS);
        let climb = ClimbSettings { seed: settings.seed, ..ClimbSettings::default() };
        let visited = hill_climb(&lengths, &constraints, &climb)?;
        let (dag, length) = visited.best(1).swap_remove(0);
        let posterior = learned.answer.posterior.clone();
        let posterior = posterior.unwrap_or_else(|| panic!("11 variables have exact probabilities"));
        let convention = |protein| Convention::new(protein, table, settings, &lengths, &constraints);
        Ok(Run {
            exact: Answer { dag: learned.answer.dag.clone(), posterior },
            climbed: Answer { dag, posterior: by_visited(&visited.all()) },
            climbed_excess: learned.answer.excess(length).0,
            n_visited: visited.n_visited(),
            conventions: ["pip3", "akt"].into_iter().map(convention).collect::<Result<_>>()?,
            learned,
        })
    }

    /// One line for who waits.
    pub(super) fn in_words(&self) -> String {
        format!(
            "{}: {} links, SHD {} to the 20 links, {} to the 17; {:.0} s",
            self.name(),
            self.exact.dag.n_edges(),
            shd(&self.exact.dag, &consensus_20()),
            shd(&self.exact.dag, &discrete_17()),
            self.learned.cost.wall_seconds
        )
    }

    /// The estimator, in words.
    pub(super) fn name(&self) -> String {
        match self.learned.plan.estimator() {
            "counts" => format!("counts, {COARSE_BINS} bins"),
            estimator => estimator.to_string(),
        }
    }

    /// Its two lines of the table.
    pub(super) fn rows(&self) -> String {
        let agreement = self.learned.agreement();
        let exact = format!("{}, proven optimum", self.name());
        let climbed = format!(
            "{}, hill climbing ({} graphs visited), {:+.1} nats",
            self.name(),
            count(self.n_visited),
            self.climbed_excess
        );
        let agree = match self.learned.by_repeat.len() {
            0 => "".to_string(),
            n_nets => format!("{} of {n_nets}", agreement.same_graph),
        };
        let seconds = format!("{:.0}", self.learned.cost.wall_seconds);
        self.exact.row(&exact, &agree, &seconds) + &self.climbed.row(&climbed, "", "")
    }

    /// All of its numbers.
    pub(super) fn json(&self) -> Value {
        let cost = &self.learned.cost;
        json!({
            "settings": settings_value(&self.learned.plan),
            "families": cost.n_families, "cpu_seconds": cost.cpu_seconds, "wall_seconds": cost.wall_seconds,
            "exact": self.exact.json(), "hill_climb": self.climbed.json(),
            "hill_climb_excess_nats": self.climbed_excess, "visited": self.n_visited,
            "evidence": self.learned.answer.evidence.iter().map(|edge| json!({
                "from": NAMES[edge.from], "to": NAMES[edge.to],
                "probability": self.exact.posterior.edge_probability(edge.from, edge.to),
                "removal_nats": edge.removal, "reversal_nats": edge.reversal,
                "removal_spread_nats": edge.removal_spread, "reversal_spread_nats": edge.reversal_spread,
            })).collect::<Vec<_>>(),
            "same_graph_by_network": self.learned.agreement().same_graph,
            "code_length_nats": self.learned.answer.code_length,
            "excess_of_20_nats": self.excess(&consensus_20()), "excess_of_17_nats": self.excess(&discrete_17()),
            "conventions": self.conventions.iter().map(|other| json!({
                "protein": other.protein, "edges": edges_json(&other.dag),
                "shd_20": shd(&other.dag, &consensus_20()), "shd_17": shd(&other.dag, &discrete_17()),
            })).collect::<Vec<_>>(),
        })
    }

    /// Nats by which the code of `dag` is longer than the shortest; `None` if a variable has more than 4 parents there.
    fn excess(&self, dag: &Dag) -> Option<Nats> {
        let length = dag_length(&self.learned.scores.lengths(NAMES.len()), dag)?;
        Some(self.learned.answer.excess(length))
    }

    /// What other readings of the cells treated with LY294002 change.
    pub(super) fn conventions_in_words(&self) -> String {
        let names = NAMES.map(String::from);
        let one = |other: &Convention| {
            let change = self.exact.dag.changes_in_words(&other.dag, &names);
            let change = if change.is_empty() { "nothing changes".to_string() } else { change };
            format!("- {}, `{}`: {change}\n", self.name(), other.protein)
        };
        self.conventions.iter().map(one).collect()
    }
}

impl Answer {
    /// A line of the table.
    fn row(&self, name: &str, agree: &str, seconds: &str) -> String {
        format!(
            "| {name} | {} | {} | {} | {:.1} | {:.1} | {:.1} | {agree} | {seconds} |\n",
            self.dag.n_edges(),
            shd(&self.dag, &consensus_20()),
            shd(&self.dag, &discrete_17()),
            self.posterior.expected_links(),
            self.posterior.expected_shd(&consensus_20()),
            self.posterior.expected_shd(&discrete_17()),
        )
    }

    fn json(&self) -> Value {
        json!({
            "edges": edges_json(&self.dag), "links": self.dag.n_edges(),
            "shd_20": shd(&self.dag, &consensus_20()), "shd_17": shd(&self.dag, &discrete_17()),
            "expected_links": self.posterior.expected_links(),
            "expected_shd_20": self.posterior.expected_shd(&consensus_20()),
            "expected_shd_17": self.posterior.expected_shd(&discrete_17()),
        })
    }
}

fn edges_json(dag: &Dag) -> Value {
    dag.edges().iter().map(|&(from, to)| json!([NAMES[from], NAMES[to]])).collect()
}
