//! Random numeric or categorical systems in several environments, each of which shifts some of the
//! mechanisms; one shift is known.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::Simulated;
use crate::equations::{Equation, Equations, normal_cdf};
use crate::network::BayesianNetwork;
use crate::networks::{dirichlet, random_network};
use crate::random_functions::random_functions;
use prequential::{Dag, Result, Table, Values};

/// The last column of the table: the environment of a row.
const ENVIRONMENT: &str = "environment";

const N_ENVIRONMENTS: usize = 5;

/// The probability that an environment shifts the mechanism of a variable.
const SHARE_SHIFTED: f64 = 1.0 / 3.0;

/// How far a location is shifted, in standard deviations of the variable.
const LOCATION: std::ops::Range<f64> = 1.0..2.5;

/// The factor by which a variable is multiplied or divided.
const SCALE: std::ops::Range<f64> = 1.5..2.5;

/// How an environment changes the mechanism of a numeric variable.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Shift {
    None,
    /// Shifts its location.
    Location(f64),
    /// Changes its scale.
    Scale(f64),
    /// Reverses the sign of its causes.
    Mirror,
}

impl Shift {
    fn random(is_root: bool, rng: &mut ChaCha8Rng) -> Shift {
        let is_shifted = rng.random::<f64>() < SHARE_SHIFTED;
        let (kind, is_up) = (rng.random_range(0..4), rng.random::<bool>());
        let (by, times) = (rng.random_range(LOCATION), rng.random_range(SCALE));
        match kind {
            _ if !is_shifted => Shift::None,
            0 => Shift::Scale(if is_up { times } else { 1.0 / times }),
            1 if !is_root => Shift::Mirror,
            _ => Shift::Location(if is_up { by } else { -by }),
        }
    }
}

/// A system whose last variable is the environment.
pub(crate) struct ShiftedSystem {
    system: System,
    /// Per environment, a variable whose mechanism it is known to shift, if it shifts any: its cells count as set by intervention.
    targets: Vec<Option<usize>>,
}

enum System {
    Numbers(Equations),
    Labels(BayesianNetwork),
}

impl ShiftedSystem {
    /// Random additive equations; every environment shifts some of them.
    pub(crate) fn of_numbers(n_vars: usize, rng: &mut ChaCha8Rng) -> ShiftedSystem {
        let equations = random_functions(n_vars, true, rng).into_equations();
        let shifts = |equation: &Equation| -> Vec<Shift> {
            (0..N_ENVIRONMENTS).map(|_| Shift::random(equation.is_root(), rng)).collect()
        };
        let shifts: Vec<Vec<Shift>> = equations.iter().map(shifts).collect();
        let targets = targets(n_vars, |node, environment| shifts[node][environment] != Shift::None);
        let shifted = equations.into_iter().zip(shifts).map(|(equation, shifts)| {
            match shifts.iter().all(|&shift| shift == Shift::None) {
                true => equation,
                false => in_environments(equation, n_vars, shifts),
            }
        });
        let last = N_ENVIRONMENTS as f64 - 1.0;
        let number = move |noise: f64| (normal_cdf(noise) * N_ENVIRONMENTS as f64).floor().min(last);
        let environment = Equation::new(&[], 1.0, move |_, noise| number(noise));
        let equations = Equations::new(shifted.chain([environment]).collect());
        ShiftedSystem { system: System::Numbers(equations), targets }
    }

    /// A random network; every environment has other distributions of some variables.
    pub(crate) fn of_labels(n_vars: usize, rng: &mut ChaCha8Rng) -> ShiftedSystem {
        let network = random_network(n_vars, rng);
        let mut is_shifted = |_| rng.random::<f64>() < SHARE_SHIFTED;
        let is_shifted: Vec<Vec<bool>> =
            (0..n_vars).map(|_| (0..N_ENVIRONMENTS).map(&mut is_shifted).collect()).collect();
        let network = network.with_cause(ENVIRONMENT, environment_names(), |node, distribution| {
            let one = |&is_shifted: &bool| match is_shifted {
                true => dirichlet(distribution.len(), rng),
                false => distribution.to_vec(),
            };
            is_shifted[node].iter().any(|&any| any).then(|| is_shifted[node].iter().map(one).collect())
        });
        let targets = targets(n_vars, |node, environment| is_shifted[node][environment]);
        ShiftedSystem { system: System::Labels(network), targets }
    }

    /// Draws rows, each in a random environment; the environment is no part of the graph.
    pub(crate) fn sample(&self, n_rows: usize, rng: &mut ChaCha8Rng) -> Result<Simulated> {
        let (table, dag) = match &self.system {
            System::Numbers(equations) => (equations.sample(n_rows, rng)?, equations.dag()),
            System::Labels(network) => (network.sample(n_rows, &[], rng)?, network.dag()),
        };
        let n_vars = dag.n_nodes() - 1;
        let edges = dag.edges().into_iter().filter(|&(from, _)| from < n_vars);
        let truth = Dag::from_edges(n_vars, edges);
        let truth = truth.unwrap_or_else(|cycle| panic!("a part of a graph without cycles: {cycle}"));
        Ok(Simulated { table: self.labelled(table)?, truth, context: vec![ENVIRONMENT.to_string()] })
    }

    /// The table with the name of the environment in its last column, and the known targets as interventions.
    fn labelled(&self, table: Table) -> Result<Table> {
        let mut variables = table.variables().to_vec();
        let Some(environment) = variables.last_mut() else { panic!("the environment is a column") };
        let codes: Vec<u32> = match &environment.values {
            Values::Numbers(numbers) => numbers.iter().map(|&number| number as u32).collect(),
            Values::Labels { codes, .. } => codes.clone(),
        };
        environment.name = ENVIRONMENT.to_string();
        environment.values = Values::Labels { levels: environment_names(), codes: codes.clone() };
        for (node, variable) in variables.iter_mut().enumerate() {
            let is_target = |environment: &u32| self.targets[*environment as usize] == Some(node);
            let intervened: Vec<bool> = codes.iter().map(is_target).collect();
            variable.intervened = Some(intervened).filter(|set| set.contains(&true));
        }
        Table::new(variables)
    }
}

/// The first variable that each environment shifts.
fn targets(n_vars: usize, is_shifted: impl Fn(usize, usize) -> bool) -> Vec<Option<usize>> {
    let first = |environment: usize| (0..n_vars).find(|&node| is_shifted(node, environment));
    (0..N_ENVIRONMENTS).map(first).collect()
}

/// The equation with one shift for each number that the variable `environment` may have.
fn in_environments(equation: Equation, environment: usize, shifts: Vec<Shift>) -> Equation {
    equation.with_argument(environment, move |value, x, noise, environment| {
        match shifts[environment as usize] {
            Shift::None => value(x, noise),
            Shift::Location(by) => value(x, noise) + by,
            Shift::Scale(times) => value(x, noise) * times,
            Shift::Mirror => value(&x.iter().map(|x| -x).collect::<Vec<_>>(), noise),
        }
    })
}

fn environment_names() -> Vec<String> {
    (1..=N_ENVIRONMENTS).map(|number| format!("e{number}")).collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    fn simulated(is_categorical: bool) -> Simulated {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let system = match is_categorical {
            true => ShiftedSystem::of_labels(6, &mut rng),
            false => ShiftedSystem::of_numbers(6, &mut rng),
        };
        system.sample(1_000, &mut rng).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn environments_come_equally_often_and_their_known_targets_are_set() {
        for is_categorical in [false, true] {
            let Simulated { table, truth, context } = simulated(is_categorical);
            assert_eq!(
                (table.n_vars(), truth.n_nodes(), &context[..]),
                (7, 6, &["environment".to_string()][..])
            );
            let environment = &table.variables()[6];
            let Values::Labels { codes, levels } = &environment.values else { panic!("labels") };
            assert_eq!((levels.len(), environment.intervened.is_none()), (5, true));
            for code in 0..5 {
                let n_rows = codes.iter().filter(|&&one| one == code).count();
                assert!((150..250).contains(&n_rows), "{n_rows} of 200 expected");
            }
            // A target is set in all rows of its environment or in none, and each environment has at most
            // one.
            for code in 0..5 {
                let rows: Vec<usize> = (0..1_000).filter(|&row| codes[row] == code).collect();
                let is_set = |node: usize| {
                    table.variables()[node]
                        .intervened
                        .as_ref()
                        .map_or(0, |set| rows.iter().filter(|&&row| set[row]).count())
                };
                let counts: Vec<usize> = (0..6).map(is_set).filter(|&n_set| n_set > 0).collect();
                assert!(counts.is_empty() || counts == [rows.len()], "{counts:?}");
            }
        }
    }
}
