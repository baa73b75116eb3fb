//! The paper's Theorem 1: the regret of the code against the maximum likelihood.

use prequential::internals::{Quantised, count, plural};
use prequential::results::{Curves, MeanSd};
use prequential::{Dag, Family, Prior, Result, Table};
use prequential_simulate::Experiment;
use serde_json::{Value, json};

use crate::charts::{range_of, series_json};
use crate::counted::Counted;
use crate::experiment::{Reproducible, Reproduction, Request};
use crate::options::check;
use crate::plot::{COLORS, Chart, Series};

pub(crate) const EXPERIMENT: Reproducible = Reproducible {
    name: "theorem1",
    about: "Theorem 1: the code against the largest log-likelihood, by rows and parameters",
    needs_data: false,
    run: reproduce,
};

/// The default number of rows.
const N_ROWS: usize = 100_000;

/// Where curves begin, and how many points each factor of ten has.
const FIRST: usize = 100;
const PER_DECADE: usize = 8;

/// A graph over the variables of a categorical table.
struct TrueModel {
    name: &'static str,
    experiment: Experiment,
    /// `None` for the true graph.
    edges: Option<&'static [(usize, usize)]>,
}

/// The paper's chain without edges, with its edges, and with all edges; and a network with some probabilities
/// of 0 and 1.
const MODELS: [TrueModel; 4] = [
    TrueModel { name: "tabular-chain, no edges", experiment: Experiment::TabularChain, edges: Some(&[]) },
    TrueModel { name: "tabular-chain, its graph", experiment: Experiment::TabularChain, edges: None },
    TrueModel {
        name: "tabular-chain, all edges",
        experiment: Experiment::TabularChain,
        edges: Some(&[(0, 1), (0, 2), (1, 2)]),
    },
    TrueModel { name: "asia, its graph", experiment: Experiment::Asia, edges: None },
];

/// The regret of one model on several tables.
struct Regrets {
    name: &'static str,
    n_parameters: usize,
    rows: Vec<usize>,
    /// `[table][checkpoint]`.
    nats: Vec<Vec<f64>>,
}

fn reproduce(request: &Request) -> Result<Reproduction> {
    let options = request.options;
    let n_rows = options.rows.unwrap_or(N_ROWS);
    check(n_rows, options.n_seeds, 1)?;
    let mut regrets = Vec::new();
    for (number, model) in MODELS.iter().enumerate() {
        regrets.push(Regrets::new(model, n_rows, options.seeds())?);
        request.tell(number + 1, MODELS.len(), &regrets[number].in_words());
    }
    let chart = chart(&regrets, n_rows);
    let command = request.command(Some(n_rows));
    let json = json!({
        "experiment": request.name,
        "command": command,
        "models": regrets.iter().map(Regrets::json).collect::<Vec<_>>(),
        "regret": series_json(&chart.series),
    });
    let rows: String = regrets.iter().map(Regrets::row).collect();
    let markdown = format!(
        "# theorem1: the code against the largest log-likelihood\n\n\
         Regret: nats by which the plug-in code (counts, alpha 0.5, rows as drawn) is longer than the largest log-likelihood of the same graph in the same rows; \
         the theorem says k/2 ln n and a constant for k regular parameters. Means over {}. Parameters by slope: twice what the regret grows from {} to {} rows, in \
         units of the logarithm.\n\n`{command}`\n\n\
         | labels and graph | k | parameters by slope | regret at the end | k/2 ln n | the difference at {} rows | at the end |\n|---|---|---|---|---|---|---|\n{rows}\n\
         `regret.svg` draws all of them beside k/2 ln n and the constant of their last point. `asia` has probabilities of 0 and 1, which the theorem leaves out.\n",
        plural(options.n_seeds, "data seed"),
        count(regrets[0].rows[regrets[0].decade_before_end()]),
        count(n_rows),
        count(regrets[0].rows[regrets[0].decade_before_end()]),
    );
    Ok(Reproduction::new(&json, markdown, vec![("regret.svg".to_string(), chart.svg())]))
}

impl Regrets {
    fn new(model: &TrueModel, n_rows: usize, seeds: impl Iterator<Item = u64>) -> Result<Regrets> {
        let rows = numbers_of_rows(n_rows);
        let (mut nats, mut n_parameters) = (Vec::new(), 0);
        for seed in seeds {
            let simulated = model.experiment.simulate(n_rows, seed)?;
            let dag = match model.edges {
                None => simulated.truth.clone(),
                Some(edges) => Dag::from_edges(simulated.truth.n_nodes(), edges.iter().copied())
                    .unwrap_or_else(|cycle| panic!("the models have no cycle: {cycle}")),
            };
            let families: Vec<Family> = dag.families().collect();
            nats.push(regret(&simulated.table, &families, &rows)?);
            let counted = families.iter().map(|family| Counted::new(&simulated.table, family, 0..0));
            n_parameters = counted.map(|counted| counted.n_parameters()).sum();
        }
        Ok(Regrets { name: model.name, n_parameters, rows, nats })
    }

    fn at(&self, place: usize) -> MeanSd {
        MeanSd::of(self.nats.iter().map(|nats| nats[place]))
    }

    fn by_theorem(&self, place: usize) -> f64 {
        0.5 * self.n_parameters as f64 * (self.rows[place] as f64).ln()
    }

    fn last(&self) -> usize {
        self.rows.len() - 1
    }

    /// The checkpoint with a tenth of all rows, or the first.
    fn decade_before_end(&self) -> usize {
        self.last().saturating_sub(PER_DECADE)
    }

    /// The number of parameters implied by the growth of the regret in the last decade.
    fn parameters_by_slope(&self) -> f64 {
        let (from, to) = (self.decade_before_end(), self.last());
        let of_log = (self.rows[to] as f64 / self.rows[from] as f64).ln();
        2.0 * (self.at(to).mean - self.at(from).mean) / of_log
    }

    fn in_words(&self) -> String {
        format!("{}: k {}, by slope {:.1}", self.name, self.n_parameters, self.parameters_by_slope())
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "parameters": self.n_parameters,
            "parameters_by_slope": self.parameters_by_slope(),
            "rows": self.rows,
            "regret_nats": (0..self.rows.len()).map(|place| self.at(place).mean).collect::<Vec<_>>(),
        })
    }

    fn row(&self) -> String {
        let less = |place: usize| self.at(place).mean - self.by_theorem(place);
        format!(
            "| {} | {} | {:.1} | {:.1} | {:.1} | {:+.1} | {:+.1} |\n",
            self.name,
            self.n_parameters,
            self.parameters_by_slope(),
            self.at(self.last()).mean,
            self.by_theorem(self.last()),
            less(self.decade_before_end()),
            less(self.last()),
        )
    }

    /// What was measured, and the theorem's line through its last point.
    fn series(&self, color: usize) -> [Series; 2] {
        let constant = self.at(self.last()).mean - self.by_theorem(self.last());
        let theory = |place: usize| MeanSd { mean: self.by_theorem(place) + constant, sd: 0.0 };
        let points = |of: &dyn Fn(usize) -> MeanSd| {
            (0..self.rows.len()).map(|place| (self.rows[place] as f64, of(place))).collect()
        };
        let series = |name: String, points, dashed: bool| Series {
            legend: Some(name.clone()),
            name,
            points,
            band: !dashed,
            color: COLORS[color],
            width: 2,
            dashed,
        };
        let k = self.n_parameters;
        [
            series(self.name.to_string(), points(&|place| self.at(place)), false),
            series(format!("{k}/2 ln n and a constant"), points(&theory), true),
        ]
    }
}

/// Where curves are read: all rows, and fewer by a factor of ten in so many steps.
fn numbers_of_rows(n_rows: usize) -> Vec<usize> {
    let fewer = |steps: i32| n_rows as f64 * 10f64.powf(-f64::from(steps) / PER_DECADE as f64);
    let mut rows: Vec<usize> =
        (0..).map(|steps| fewer(steps).round() as usize).take_while(|&rows| rows >= FIRST).collect();
    rows.reverse();
    rows
}

/// The regret at every checkpoint: how many nats the code is longer than the maximum log-likelihood.
fn regret(table: &Table, families: &[Family], rows: &[usize]) -> Result<Vec<f64>> {
    let as_drawn = |_| (0..table.n_rows() as u32).collect();
    let curves = Curves::by_counts(&Quantised::new(table, 2), Prior::default(), families, rows, 1, as_drawn)?;
    let of_family = |number: usize| {
        let mut counted = Counted::new(table, &families[number], 0..0);
        let (coded, mut n_before) = (curves.cumulative(number), 0);
        let at = |(&n_rows, coded): (&usize, MeanSd)| {
            counted.add(n_before..n_rows);
            n_before = n_rows;
            coded.mean - counted.least_loss()
        };
        rows.iter().zip(coded).map(at).collect::<Vec<f64>>()
    };
    let each: Vec<Vec<f64>> = (0..families.len()).map(of_family).collect();
    Ok((0..rows.len()).map(|place| each.iter().map(|of_family| of_family[place]).sum()).collect())
}

fn chart(regrets: &[Regrets], n_rows: usize) -> Chart<'static> {
    let series: Vec<Series> =
        regrets.iter().enumerate().flat_map(|(color, regrets)| regrets.series(color)).collect();
    Chart {
        title: "Code length less the largest log-likelihood",
        x_label: "rows",
        y_label: "nats",
        x_range: FIRST as f64..n_rows as f64,
        y_range: range_of(&series, FIRST as f64),
        shaded: None,
        series,
    }
}
