//! Bayesian networks over categorical variables, and sampling from them.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use prequential::{Dag, Result, Table, Values, Variable};

/// A Bayesian network over categorical variables.
#[derive(Debug, Clone)]
pub(crate) struct BayesianNetwork {
    names: Vec<String>,
    levels: Vec<Vec<String>>,
    dag: Dag,
    /// `[node][configuration][level]`; the configuration counts the parents' levels, in node order, the last one fastest.
    tables: Vec<Vec<Vec<f64>>>,
}

/// One cell set by an experimenter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Intervention {
    /// The row.
    pub(crate) row: usize,
    /// The variable that is set.
    pub(crate) node: usize,
    /// The level it is set to.
    pub(crate) level: u32,
}

impl BayesianNetwork {
    /// A network; `tables[node]` has one distribution per configuration of the parents' levels, the last parent fastest.
    ///
    /// # Panics
    /// If the tables do not fit the graph, or a distribution does not sum to 1.
    pub(crate) fn new(
        names: Vec<String>,
        levels: Vec<Vec<String>>,
        dag: Dag,
        tables: Vec<Vec<Vec<f64>>>,
    ) -> BayesianNetwork {
        for node in 0..names.len() {
            let n_configurations: usize =
                dag.parents(node).iter().map(|parent| levels[parent].len()).product();
            assert_eq!(tables[node].len(), n_configurations, "distributions of {}", names[node]);
            for distribution in &tables[node] {
                assert_eq!(distribution.len(), levels[node].len(), "levels of {}", names[node]);
                assert!(
                    (distribution.iter().sum::<f64>() - 1.0).abs() < 1e-9,
                    "a distribution of {}",
                    names[node]
                );
            }
        }
        BayesianNetwork { names, levels, dag, tables }
    }

    /// Reads a bundled network: `NAME: levels | parents`, then lines of distributions, the last parent
    /// fastest.
    ///
    /// # Panics
    /// If the text does not follow that form.
    pub(crate) fn parse(text: &str) -> BayesianNetwork {
        let (mut names, mut levels, mut parents, mut tables) =
            (vec![], vec![], vec![], Vec::<Vec<Vec<f64>>>::new());
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if let Some((name, rest)) = line.split_once(':') {
                let (own, of_parents) = rest.split_once('|').unwrap_or((rest, ""));
                names.push(name.to_string());
                levels.push(own.split_whitespace().map(String::from).collect());
                parents.push(of_parents.split_whitespace().collect::<Vec<&str>>());
                tables.push(Vec::new());
            } else if let Some(table) = tables.last_mut() {
                let number = |word: &str| word.parse().unwrap_or_else(|_| panic!("a number in `{line}`"));
                table.push(line.split_whitespace().map(number).collect());
            }
        }
        let number_of = |name: &str| {
            names.iter().position(|known| known == name).unwrap_or_else(|| panic!("no variable `{name}`"))
        };
        let sets =
            parents.iter().map(|parents| parents.iter().map(|name| number_of(name)).collect()).collect();
        let dag = Dag::from_parents(sets).unwrap_or_else(|cycle| panic!("{cycle}"));
        BayesianNetwork::new(names, levels, dag, tables)
    }

    /// The network with one more variable at the end, all its levels equally likely, that causes those for
    /// which `given` returns the distribution they have for each of its levels, from the one that they had.
    pub(crate) fn with_cause(
        self,
        name: &str,
        levels: Vec<String>,
        mut given: impl FnMut(usize, &[f64]) -> Option<Vec<Vec<f64>>>,
    ) -> BayesianNetwork {
        let cause = self.names.len();
        let mut edges = self.dag.edges();
        let mut tables = Vec::new();
        for (node, table) in self.tables.into_iter().enumerate() {
            // The new parent has the highest number, so that its levels follow one another.
            let changed: Option<Vec<Vec<Vec<f64>>>> = table.iter().map(|one| given(node, one)).collect();
            edges.extend(changed.iter().map(|_| (cause, node)));
            tables.push(changed.map_or(table, |changed| changed.into_iter().flatten().collect()));
        }
        tables.push(vec![vec![1.0 / levels.len() as f64; levels.len()]]);
        let dag = Dag::from_edges(cause + 1, edges);
        let dag = dag.unwrap_or_else(|cycle| panic!("a new root closes no cycle: {cycle}"));
        let names = self.names.into_iter().chain([name.to_string()]).collect();
        BayesianNetwork::new(names, self.levels.into_iter().chain([levels]).collect(), dag, tables)
    }

    /// The graph.
    pub(crate) fn dag(&self) -> &Dag {
        &self.dag
    }

    /// In each of `rows` one random variable, set to a random level.
    pub(crate) fn random_interventions(
        &self,
        rows: std::ops::Range<usize>,
        rng: &mut ChaCha8Rng,
    ) -> Vec<Intervention> {
        let one = |row| {
            let node = rng.random_range(0..self.names.len());
            Intervention { row, node, level: rng.random_range(0..self.levels[node].len() as u32) }
        };
        rows.map(one).collect()
    }

    /// Draws rows; a variable set by intervention takes its level whatever its parents are, and its children see it.
    pub(crate) fn sample(
        &self,
        n_rows: usize,
        interventions: &[Intervention],
        rng: &mut ChaCha8Rng,
    ) -> Result<Table> {
        let mut set_to: Vec<Vec<Option<u32>>> = vec![Vec::new(); self.names.len()];
        for intervention in interventions {
            set_to[intervention.node].resize(n_rows, None);
            set_to[intervention.node][intervention.row] = Some(intervention.level);
        }
        let order = self.dag.topological_order();
        let mut codes = vec![vec![0u32; n_rows]; self.names.len()];
        for row in 0..n_rows {
            for &node in &order {
                let drawn = draw(&self.tables[node][self.configuration(&codes, row, node)], rng);
                codes[node][row] = set_to[node].get(row).copied().flatten().unwrap_or(drawn);
            }
        }
        let variable = |(node, codes): (usize, Vec<u32>)| Variable {
            name: self.names[node].clone(),
            values: Values::Labels { levels: self.levels[node].clone(), codes },
            intervened: (!set_to[node].is_empty())
                .then(|| set_to[node].iter().map(Option::is_some).collect()),
        };
        Table::new(codes.into_iter().enumerate().map(variable).collect())
    }

    fn configuration(&self, codes: &[Vec<u32>], row: usize, node: usize) -> usize {
        let parents = self.dag.parents(node).iter();
        parents.fold(0, |so_far, parent| so_far * self.levels[parent].len() + codes[parent][row] as usize)
    }
}

/// A level drawn from `distribution`.
fn draw(distribution: &[f64], rng: &mut ChaCha8Rng) -> u32 {
    let mut left: f64 = rng.random();
    let last = distribution.len() - 1;
    let reached = distribution.iter().position(|probability| {
        left -= probability;
        left < 0.0
    });
    reached.unwrap_or(last) as u32
}
