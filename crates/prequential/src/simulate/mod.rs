//! Tables from known graphs: the paper's experiments, and networks for examples, tests and benches.

mod network;
mod networks;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::error::{Error, Result};
use crate::graph::{Dag, NamedDag};
use crate::table::Table;

use networks::{asia, cancer, random_network, tabular_chain};

/// A table and the graph that made it.
#[derive(Debug, Clone)]
pub struct Simulated {
    /// The table.
    pub table: Table,
    /// The graph.
    pub truth: Dag,
}

impl Simulated {
    /// The graph with the table's names.
    pub fn named_truth(&self) -> NamedDag {
        NamedDag { names: self.table.names(), dag: self.truth.clone() }
    }
}

/// What can be simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Experiment {
    /// The paper's Figure 1: A -> B -> C, five values each, probabilities from Dirichlet(1).
    TabularChain,
    /// The paper's appendix on interventions: the network `cancer`, rows 5,000 to 5,999 interventional.
    Cancer,
    /// The network `asia` of Lauritzen and Spiegelhalter, 8 binary variables.
    Asia,
    /// A random network of so many categorical variables with 2 to 4 levels and at most 3 parents each.
    RandomCategorical {
        /// How many.
        n_vars: usize,
    },
}

impl Experiment {
    /// How many rows it has unless the user says otherwise.
    pub fn default_rows(self) -> usize {
        match self {
            Experiment::TabularChain | Experiment::Asia => 5_000,
            Experiment::Cancer | Experiment::RandomCategorical { .. } => 10_000,
        }
    }

    /// Draws `n_rows` rows; the same for the same seed.
    pub fn simulate(self, n_rows: usize, seed: u64) -> Result<Simulated> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let network = match self {
            Experiment::TabularChain => tabular_chain(&mut rng),
            Experiment::Cancer => cancer(),
            Experiment::Asia => asia(),
            Experiment::RandomCategorical { n_vars: 0 | 1 } => {
                return Err(Error::Setting {
                    what: "a random network needs at least 2 variables".to_string(),
                    hint: "use `--variables 5` or more".to_string(),
                });
            }
            Experiment::RandomCategorical { n_vars } => random_network(n_vars, &mut rng),
        };
        let interventions = match self {
            Experiment::Cancer => network.random_interventions(interventional_rows(n_rows), &mut rng),
            _ => Vec::new(),
        };
        Ok(Simulated {
            table: network.sample(n_rows, &interventions, &mut rng)?,
            truth: network.dag().clone(),
        })
    }
}

/// The interventional tenth of the paper's cancer experiment: of 10,000 rows those from 5,000 up to 6,000.
pub(crate) fn interventional_rows(n_rows: usize) -> std::ops::Range<usize> {
    n_rows / 2..n_rows / 2 + n_rows / 10
}
