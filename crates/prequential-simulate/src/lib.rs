//! Tables from known causal graphs: the experiments of Bornschein, Chiappa, Malek and Ke (2021), networks of the literature and random systems.
//!
//! ```
//! use prequential::{Settings, learn};
//! use prequential_simulate::Experiment;
//! let simulated = Experiment::Asia.simulate(5_000, 1)?;
//! let learned = learn(&simulated.table, &Settings::default())?;
//! assert!(learned.against(&simulated.truth).comparison.shd_cpdag <= 1);
//! # Ok::<(), prequential::Error>(())
//! ```

mod case_studies;
mod equations;
mod mechanisms;
mod network;
mod networks;
mod primes;
mod random_functions;
mod random_graph;
mod random_processes;
mod shifts;
mod yu;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use prequential::wording::{Message, OptionName};
use prequential::{Dag, Error, NamedDag, Result, Table};

use case_studies::{chain3, chain5, star5};
use equations::Equations;
use mechanisms::{N_MECHANISMS, mechanisms, random_mechanisms};
use network::BayesianNetwork;
use networks::{alarm, asia, cancer, random_network, tabular_chain};
use primes::primes;
use random_functions::random_functions;
use random_processes::{gaussian_processes, networks as random_networks};
use shifts::ShiftedSystem;
use yu::yu;

pub use yu::YuKind;

/// Data sets of each kind in the paper's Table 1.
const N_YU: usize = 5;

/// A table and its true graph.
#[derive(Debug, Clone)]
pub struct Simulated {
    /// The table.
    pub table: Table,
    /// The graph of its variables; contexts, which are the last columns, are no part of it.
    pub truth: Dag,
    /// Which columns are contexts.
    pub context: Vec<String>,
}

impl Simulated {
    /// The graph with the table's names.
    pub fn named_truth(&self) -> NamedDag {
        let n_vars = self.table.n_vars() - self.context.len();
        NamedDag { names: self.table.names()[..n_vars].to_vec(), dag: self.truth.clone() }
    }
}

/// All systems that can be simulated.
///
/// ```
/// use prequential_simulate::Experiment;
/// let simulated = Experiment::Mechanisms { set: 7 }.simulate(500, 1)?;
/// assert_eq!((simulated.table.n_rows(), simulated.truth.n_edges()), (500, 8));
/// # Ok::<(), prequential::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Experiment {
    /// The paper's Figure 1: A -> B -> C, five values each, probabilities from Dirichlet(1).
    TabularChain,
    /// The paper's appendix on interventions: the network `cancer`, rows 5,000 to 5,999 interventional.
    Cancer,
    /// The network `asia` of Lauritzen and Spiegelhalter, 8 binary variables.
    Asia,
    /// The network ALARM of Beinlich et al., 37 variables with 2 to 4 levels.
    Alarm,
    /// A random network of categorical variables with 2 to 4 levels and at most 3 parents each.
    RandomCategorical {
        /// How many.
        n_vars: usize,
    },
    /// A random system of numeric variables, standardised, each a random function of up to 3 others, plus
    /// noise.
    RandomFunctions {
        /// How many.
        n_vars: usize,
        /// Whether parents add up: no products, no functions of sums.
        is_additive: bool,
    },
    /// A random system of numeric variables, as drawn in other publications.
    RandomMechanisms {
        /// How many.
        n_vars: usize,
        /// Which publication.
        kind: MechanismKind,
    },
    /// A random additive system of numeric variables, or a random categorical network, in five environments,
    /// each of which shifts about a third of the mechanisms. One of the shifts is known: its cells count as
    /// set by intervention. The last column, a context, is the environment.
    Shifts {
        /// How many.
        n_vars: usize,
        /// Whether the variables are categorical.
        is_categorical: bool,
    },
    /// The paper's Figure 2: A -> B -> C, sines with noise inside.
    Chain3,
    /// The paper's Figure 3: A -> C <- B, C -> D, C -> E, sines of products and multiples.
    Star5,
    /// The first chain of the paper's appendix: A to E, each the sine of the one before, plus noise; almost linear.
    Chain5,
    /// The second chain: each the sine of four times the one before, plus noise; periodic.
    Chain5Periodic,
    /// The paper's appendix B: a prime number, one that is no smaller, and their product.
    Primes {
        /// The largest number that may be drawn; at least 2.
        largest: usize,
    },
    /// The paper's Table 1: a random graph of five variables with an equation of Yu et al. (2019).
    Yu {
        /// Which equation.
        kind: YuKind,
        /// Which random graph of the seed, 1 to 5.
        set: usize,
    },
    /// The paper's Table 2: one of 20 systems of polynomials, sines and reciprocals over five variables.
    Mechanisms {
        /// Which row of the appendix's table, 1 to 20.
        set: usize,
    },
}

/// Random systems of other publications.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MechanismKind {
    /// The paper's: every two variables are linked with probability 0.25, functions are those of its Table 2, noise has standard deviation 0.1.
    Paper,
    /// Draws from Gaussian processes over all parents, plus noise, as many edges as variables: GraN-DAG.
    GaussianProcess,
    /// Sums of draws from Gaussian processes over one parent each, plus noise.
    AdditiveGaussianProcess,
    /// Networks with one hidden layer, plus noise: NOTEARS-MLP.
    Network,
}

/// The system from which rows are drawn.
enum Model {
    Categorical(BayesianNetwork),
    Continuous(Equations),
    Shifted(ShiftedSystem),
}

impl Experiment {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Experiment::TabularChain => "tabular-chain",
            Experiment::Cancer => "cancer",
            Experiment::Asia => "asia",
            Experiment::Alarm => "alarm",
            Experiment::RandomCategorical { .. } => "random-categorical",
            Experiment::RandomFunctions { is_additive: true, .. } => "random-additive",
            Experiment::RandomFunctions { is_additive: false, .. } => "random-functions",
            Experiment::RandomMechanisms { kind, .. } => kind.name(),
            Experiment::Shifts { is_categorical: false, .. } => "shifts",
            Experiment::Shifts { is_categorical: true, .. } => "shifts-categorical",
            Experiment::Chain3 => "chain3",
            Experiment::Star5 => "star5",
            Experiment::Chain5 => "chain5",
            Experiment::Chain5Periodic => "chain5-periodic",
            Experiment::Primes { .. } => "primes",
            Experiment::Yu { kind: YuKind::A, .. } => "yu-a",
            Experiment::Yu { kind: YuKind::B, .. } => "yu-b",
            Experiment::Mechanisms { .. } => "mechanisms",
        }
    }

    /// Everything that can be simulated: random graphs of the usual size, of several data sets the first.
    pub fn all() -> Vec<Experiment> {
        let mechanisms = |kind| Experiment::RandomMechanisms { n_vars: 10, kind };
        vec![
            Experiment::TabularChain,
            Experiment::Cancer,
            Experiment::Asia,
            Experiment::Alarm,
            Experiment::RandomCategorical { n_vars: 37 },
            Experiment::RandomFunctions { n_vars: 10, is_additive: true },
            Experiment::RandomFunctions { n_vars: 10, is_additive: false },
            mechanisms(MechanismKind::Paper),
            mechanisms(MechanismKind::GaussianProcess),
            mechanisms(MechanismKind::AdditiveGaussianProcess),
            mechanisms(MechanismKind::Network),
            Experiment::Shifts { n_vars: 8, is_categorical: false },
            Experiment::Shifts { n_vars: 8, is_categorical: true },
            Experiment::Chain3,
            Experiment::Star5,
            Experiment::Chain5,
            Experiment::Chain5Periodic,
            Experiment::Primes { largest: 1_000 },
            Experiment::Yu { kind: YuKind::A, set: 1 },
            Experiment::Yu { kind: YuKind::B, set: 1 },
            Experiment::Mechanisms { set: 1 },
        ]
    }

    /// The experiment of this name, with so many variables if it is a random graph, and this data set if it has several.
    ///
    /// ```
    /// use prequential_simulate::Experiment;
    /// assert_eq!(Experiment::named("shifts", Some(5), None)?, Experiment::Shifts { n_vars: 5, is_categorical: false });
    /// assert!(Experiment::named("asia", Some(5), None).is_err());
    /// # Ok::<(), prequential::Error>(())
    /// ```
    pub fn named(name: &str, variables: Option<usize>, set: Option<usize>) -> Result<Experiment> {
        let all = Experiment::all();
        let Some(mut experiment) = all.iter().copied().find(|experiment| experiment.name() == name) else {
            let known: Vec<&str> = all.iter().map(|experiment| experiment.name()).collect();
            return Err(Error::Setting {
                what: format!("unknown simulation `{name}`").into(),
                hint: format!("the simulations are: {}", known.join(", ")).into(),
            });
        };
        if let Some(variables) = variables {
            match &mut experiment {
                Experiment::RandomCategorical { n_vars }
                | Experiment::RandomFunctions { n_vars, .. }
                | Experiment::RandomMechanisms { n_vars, .. }
                | Experiment::Shifts { n_vars, .. } => *n_vars = variables,
                _ => {
                    return Err(Error::Setting {
                        what: Message::from(OptionName::Variables)
                            + format!(
                                " is for random graphs, but `{name}` has a number of variables of its own"
                            ),
                        hint: Message::from("drop ")
                            + OptionName::Variables
                            + ", or simulate `shifts` or one of those called `random-...`",
                    });
                }
            }
        }
        if let Some(given) = set {
            match &mut experiment {
                Experiment::Yu { set, .. } | Experiment::Mechanisms { set } => *set = given,
                _ => {
                    return Err(Error::Setting {
                        what: Message::from(OptionName::Set)
                            + format!(" is {given}, but `{name}` has only one data set"),
                        hint: Message::from("drop ")
                            + OptionName::Set
                            + "; it chooses among those of `yu-a`, `yu-b` and `mechanisms`",
                    });
                }
            }
        }
        Ok(experiment)
    }

    /// What it is, in a line.
    pub fn summary(self) -> &'static str {
        match self {
            Experiment::TabularChain => "A -> B -> C, five values each (paper, section 3.1)",
            Experiment::Cancer => "The network `cancer` with interventional rows (paper, appendix)",
            Experiment::Asia => "The network `asia`, 8 binary variables",
            Experiment::Alarm => "The network ALARM, 37 variables with 2 to 4 levels",
            Experiment::RandomCategorical { .. } => {
                "A random network with 2 to 4 levels and at most 3 parents per variable"
            }
            Experiment::RandomFunctions { is_additive: true, .. } => {
                "Random functions: each variable is a sum of functions of at most 3 others, plus noise"
            }
            Experiment::RandomFunctions { is_additive: false, .. } => {
                "Random functions, with products and functions of sums among them"
            }
            Experiment::RandomMechanisms { kind, .. } => kind.summary(),
            Experiment::Shifts { is_categorical: false, .. } => {
                "Random functions in five environments, each of which shifts some mechanisms; the last column is the environment"
            }
            Experiment::Shifts { is_categorical: true, .. } => {
                "A random categorical network in five environments, each of which shifts some mechanisms"
            }
            Experiment::Chain3 => "A -> B -> C, sines (paper, Figure 2)",
            Experiment::Star5 => "A -> C <- B, C -> D, C -> E, sines (paper, Figure 3)",
            Experiment::Chain5 => "A -> B -> C -> D -> E, almost linear (paper, appendix)",
            Experiment::Chain5Periodic => "A -> B -> C -> D -> E, periodic (paper, appendix)",
            Experiment::Primes { .. } => {
                "A prime number up to 1,000, one that is no smaller, and their product (paper, appendix)"
            }
            Experiment::Yu { kind: YuKind::A, .. } => {
                "A random graph with the first equation of Yu et al. (paper, Table 1)"
            }
            Experiment::Yu { kind: YuKind::B, .. } => {
                "A random graph with the second equation of Yu et al. (paper, Table 1)"
            }
            Experiment::Mechanisms { .. } => {
                "One of 20 systems of polynomials, sines and reciprocals (paper, Table 2 and appendix)"
            }
        }
    }

    /// The data sets of the paper's Table 1: five of each kind.
    pub fn all_yu() -> impl Iterator<Item = Experiment> {
        let of_kind = |kind| (1..=N_YU).map(move |set| Experiment::Yu { kind, set });
        [YuKind::A, YuKind::B].into_iter().flat_map(of_kind)
    }

    /// The 20 systems of the paper's Table 2.
    pub fn all_mechanisms() -> impl Iterator<Item = Experiment> {
        (1..=N_MECHANISMS).map(|set| Experiment::Mechanisms { set })
    }

    /// How many rows it has unless the user says otherwise.
    pub fn default_rows(self) -> usize {
        match self {
            Experiment::Cancer | Experiment::Alarm | Experiment::RandomCategorical { .. } => 10_000,
            _ => 5_000,
        }
    }

    /// Draws `n_rows` rows; the same for the same seed.
    pub fn simulate(self, n_rows: usize, seed: u64) -> Result<Simulated> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // Different sets of one seed are independent.
        rng.set_stream(self.stream());
        match self.model(&mut rng)? {
            Model::Categorical(network) => {
                let interventions = match self {
                    Experiment::Cancer => network.random_interventions(interventional_rows(n_rows), &mut rng),
                    _ => Vec::new(),
                };
                let table = network.sample(n_rows, &interventions, &mut rng)?;
                Ok(Simulated { table, truth: network.dag().clone(), context: Vec::new() })
            }
            Model::Continuous(equations) => {
                let table = equations.sample(n_rows, &mut rng)?;
                Ok(Simulated { table, truth: equations.dag().clone(), context: Vec::new() })
            }
            Model::Shifted(system) => system.sample(n_rows, &mut rng),
        }
    }

    fn model(self, rng: &mut ChaCha8Rng) -> Result<Model> {
        self.check()?;
        Ok(match self {
            Experiment::TabularChain => Model::Categorical(tabular_chain(rng)),
            Experiment::Cancer => Model::Categorical(cancer()),
            Experiment::Asia => Model::Categorical(asia()),
            Experiment::Alarm => Model::Categorical(alarm()),
            Experiment::RandomCategorical { n_vars } => Model::Categorical(random_network(n_vars, rng)),
            Experiment::RandomFunctions { n_vars, is_additive } => {
                Model::Continuous(random_functions(n_vars, is_additive, rng))
            }
            Experiment::RandomMechanisms { n_vars, kind } => Model::Continuous(kind.system(n_vars, rng)),
            Experiment::Shifts { n_vars, is_categorical: false } => {
                Model::Shifted(ShiftedSystem::of_numbers(n_vars, rng))
            }
            Experiment::Shifts { n_vars, is_categorical: true } => {
                Model::Shifted(ShiftedSystem::of_labels(n_vars, rng))
            }
            Experiment::Chain3 => Model::Continuous(chain3()),
            Experiment::Star5 => Model::Continuous(star5()),
            Experiment::Chain5 => Model::Continuous(chain5(1.0)),
            Experiment::Chain5Periodic => Model::Continuous(chain5(4.0)),
            Experiment::Primes { largest } => Model::Continuous(primes(largest)),
            Experiment::Yu { kind, .. } => Model::Continuous(yu(kind, rng)),
            Experiment::Mechanisms { set } => Model::Continuous(mechanisms(set)),
        })
    }

    fn check(self) -> Result<()> {
        let (set, n_sets) = match self {
            Experiment::RandomCategorical { n_vars: 0 | 1 }
            | Experiment::RandomFunctions { n_vars: 0 | 1, .. }
            | Experiment::RandomMechanisms { n_vars: 0 | 1, .. }
            | Experiment::Shifts { n_vars: 0 | 1, .. } => {
                return Err(Error::Setting {
                    what: "a random network needs at least 2 variables".into(),
                    hint: Message::from("use ") + OptionName::Variables.set(5) + " or more",
                });
            }
            Experiment::Primes { largest: 0 | 1 } => {
                return Err(Error::Setting {
                    what: "there is no prime number below 2".into(),
                    hint: "let the largest be 2 or more".into(),
                });
            }
            Experiment::Yu { set, .. } => (set, N_YU),
            Experiment::Mechanisms { set } => (set, N_MECHANISMS),
            _ => return Ok(()),
        };
        if (1..=n_sets).contains(&set) {
            return Ok(());
        }
        Err(Error::Setting {
            what: Message::from(OptionName::Set)
                + format!(" is {set}, but `{}` has the sets 1 to {n_sets}", self.name()),
            hint: Message::from("use ") + OptionName::Set.set(1) + " up to " + OptionName::Set.set(n_sets),
        })
    }

    /// The random stream of a seed that the set uses.
    fn stream(self) -> u64 {
        match self {
            Experiment::Yu { kind: YuKind::A, set } => 100 + set as u64,
            Experiment::Yu { kind: YuKind::B, set } => 200 + set as u64,
            Experiment::Mechanisms { set } => set as u64,
            Experiment::RandomFunctions { is_additive, .. } => 300 + u64::from(is_additive),
            Experiment::RandomMechanisms { kind, .. } => 500 + kind as u64,
            Experiment::Shifts { is_categorical, .. } => 400 + u64::from(is_categorical),
            _ => 0,
        }
    }
}

impl MechanismKind {
    /// All of them.
    pub const ALL: [MechanismKind; 4] = [
        MechanismKind::Paper,
        MechanismKind::GaussianProcess,
        MechanismKind::AdditiveGaussianProcess,
        MechanismKind::Network,
    ];

    fn name(self) -> &'static str {
        match self {
            MechanismKind::Paper => "random-mechanisms",
            MechanismKind::GaussianProcess => "random-gp",
            MechanismKind::AdditiveGaussianProcess => "random-gp-additive",
            MechanismKind::Network => "random-mlp",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            MechanismKind::Paper => {
                "New systems drawn like those of the paper's Table 2: random graphs, polynomials, sines and reciprocals"
            }
            MechanismKind::GaussianProcess => {
                "Each variable a draw from a Gaussian process over its parents, plus noise (GraN-DAG)"
            }
            MechanismKind::AdditiveGaussianProcess => {
                "Each variable a sum of draws from Gaussian processes over one parent each, plus noise"
            }
            MechanismKind::Network => {
                "Each variable a small neural network of its parents, plus noise (NOTEARS-MLP)"
            }
        }
    }

    fn system(self, n_vars: usize, rng: &mut ChaCha8Rng) -> Equations {
        match self {
            MechanismKind::Paper => random_mechanisms(n_vars, rng),
            MechanismKind::GaussianProcess => gaussian_processes(n_vars, false, rng),
            MechanismKind::AdditiveGaussianProcess => gaussian_processes(n_vars, true, rng),
            MechanismKind::Network => random_networks(n_vars, rng),
        }
    }
}

/// The interventional tenth of the paper's cancer experiment: of 10,000 rows those from 5,000 up to 6,000.
pub fn interventional_rows(n_rows: usize) -> std::ops::Range<usize> {
    n_rows / 2..n_rows / 2 + n_rows / 10
}
