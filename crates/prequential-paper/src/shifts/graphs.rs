//! Random graphs in environments that shift some mechanisms: the environment left out, centred away, or named as a context.

use prequential::internals::{shd, shd_cpdag};
use prequential::{
    Counts, Cpdag, Dag, Knowledge, Learned, Result, Settings, Statement, Table, Values, Variable, learn,
};
use prequential_simulate::{Experiment, Simulated};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::ENVIRONMENT;

/// Variables of each graph.
pub(super) const N_VARS: usize = 6;

/// Irrelevant contexts in one of the arms, and their levels.
const N_IDLE: usize = 2;
const N_IDLE_LEVELS: u32 = 4;

/// How the environment is treated; the known target of each counts as set by intervention in all arms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arm {
    LeftOut,
    Centred,
    Context,
    /// As a context, with two more irrelevant contexts.
    IdleContexts,
}

impl Arm {
    pub(super) const ALL: [Arm; 4] = [Arm::LeftOut, Arm::Centred, Arm::Context, Arm::IdleContexts];

    pub(super) fn in_words(self) -> &'static str {
        match self {
            Arm::LeftOut => "masks only",
            Arm::Centred => "each environment centred",
            Arm::Context => "environment as context",
            Arm::IdleContexts => "the same, and two contexts that say nothing",
        }
    }

    /// Categorical variables cannot be centred.
    pub(super) fn suits(self, is_categorical: bool) -> bool {
        !(is_categorical && self == Arm::Centred)
    }

    /// The table of this arm, and its contexts.
    fn table(self, simulated: &Simulated, seed: u64) -> Result<(Table, Vec<String>)> {
        let variables = simulated.table.variables();
        let (nodes, environment) = variables.split_at(variables.len() - 1);
        let (columns, contexts) = match self {
            Arm::LeftOut => (nodes.to_vec(), Vec::new()),
            Arm::Centred => (nodes.iter().map(|node| centred(node, &environment[0])).collect(), Vec::new()),
            Arm::Context => (variables.to_vec(), simulated.context.clone()),
            Arm::IdleContexts => {
                let idle = idle_columns(simulated.table.n_rows(), seed);
                let names = idle.iter().map(|column| column.name.clone());
                let contexts = simulated.context.iter().cloned().chain(names).collect();
                (variables.iter().cloned().chain(idle).collect(), contexts)
            }
        };
        Ok((Table::new(columns)?, contexts))
    }
}

/// The result of one arm on one data set.
pub(super) struct FoundGraph {
    pub(super) arm: Arm,
    pub(super) shd: usize,
    pub(super) shd_of_classes: usize,
    pub(super) links: usize,
    /// Links of variables that are not linked.
    pub(super) false_links: usize,
    pub(super) cpu_seconds: f64,
}

/// All arms on one data set.
pub(super) fn found(
    n_rows: usize,
    is_categorical: bool,
    seed: u64,
    settings: &Settings,
) -> Result<Vec<FoundGraph>> {
    let simulated = Experiment::Shifts { n_vars: N_VARS, is_categorical }.simulate(n_rows, seed)?;
    let estimator = if is_categorical { Counts::default().into() } else { settings.estimator.clone() };
    let one = |arm: Arm| {
        let (table, contexts) = arm.table(&simulated, seed)?;
        let said = |value: String| Statement { value, place: "the experiment".into() };
        let knowledge =
            Knowledge { context: contexts.into_iter().map(said).collect(), ..Knowledge::default() };
        let settings = Settings { estimator: estimator.clone(), knowledge, seed, ..settings.clone() };
        Ok(compared(arm, &learn(&table, &settings)?, &simulated.truth))
    };
    Arm::ALL.into_iter().filter(|arm| arm.suits(is_categorical)).map(one).collect()
}

fn compared(arm: Arm, learned: &Learned, truth: &Dag) -> FoundGraph {
    let dag = &learned.answer.dag;
    let is_false = |&&(from, to): &&(usize, usize)| !truth.has_edge(from, to) && !truth.has_edge(to, from);
    FoundGraph {
        arm,
        shd: shd(dag, truth),
        shd_of_classes: shd_cpdag(&Cpdag::of(dag), &Cpdag::of(truth)),
        links: dag.n_edges(),
        false_links: dag.edges().iter().filter(is_false).count(),
        cpu_seconds: learned.cost.cpu_seconds,
    }
}

/// The numbers less the mean of their environment; missing cells stay so.
pub(crate) fn centred(variable: &Variable, environment: &Variable) -> Variable {
    let (Values::Numbers(numbers), Values::Labels { levels, codes }) =
        (&variable.values, &environment.values)
    else {
        panic!("numbers are centred by labels")
    };
    let mut sums = vec![(0.0, 0.0); levels.len()];
    for (number, &code) in numbers.iter().zip(codes).filter(|(number, _)| !number.is_nan()) {
        let (sum, n_rows) = &mut sums[code as usize];
        (*sum, *n_rows) = (*sum + number, *n_rows + 1.0);
    }
    let mean = |code: u32| sums[code as usize].0 / sums[code as usize].1;
    let values = numbers.iter().zip(codes).map(|(number, &code)| number - mean(code)).collect();
    Variable { values: Values::Numbers(values), ..variable.clone() }
}

fn idle_columns(n_rows: usize, seed: u64) -> Vec<Variable> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let levels = (1..=N_IDLE_LEVELS).map(|level| level.to_string()).collect::<Vec<String>>();
    let mut column = |number: usize| {
        let codes = (0..n_rows).map(|_| rng.random_range(0..N_IDLE_LEVELS)).collect();
        let values = Values::Labels { levels: levels.clone(), codes };
        Variable { name: format!("{ENVIRONMENT} {number}"), values, intervened: None }
    };
    (1..=N_IDLE).map(&mut column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centring_leaves_every_environment_with_mean_0() {
        let simulated = Experiment::Shifts { n_vars: 4, is_categorical: false }.simulate(300, 1);
        let table = simulated.unwrap_or_else(|error| panic!("{error}")).table;
        let environment = &table.variables()[4];
        let Values::Labels { codes, .. } = &environment.values else { panic!("labels") };
        let Values::Numbers(numbers) = centred(&table.variables()[0], environment).values else {
            panic!("numbers")
        };
        for code in 0..5 {
            let own =
                numbers.iter().zip(codes).filter(|(_, other)| **other == code).map(|(number, _)| number);
            assert!(own.sum::<f64>().abs() < 1e-9);
        }
    }
}
