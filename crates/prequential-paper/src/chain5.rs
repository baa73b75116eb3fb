//! The paper's appendix on chains of five: the five best graphs with their excess, and the direction of the chain.

use prequential::{Dag, Result};
use prequential_simulate::Experiment;
use serde_json::{Value, json};

use crate::experiment::{Reproducible, Reproduction, Request};
use crate::outcome::{LETTERS, Outcome, n_where, table};
use crate::study::Study;
use crate::words::{one_line, signed};

pub(crate) const EXPERIMENT: Reproducible = Reproducible {
    name: "chain5",
    about: "The appendix on chains of five, almost linear and periodic",
    needs_data: false,
    run: reproduce,
};

/// A chain, and the five best graphs in the paper with their excess in nats.
struct Chain {
    title: &'static str,
    experiment: Experiment,
    paper: [(&'static [(usize, usize)], f64); 5],
}

const CHAIN: &[(usize, usize)] = &[(0, 1), (1, 2), (2, 3), (3, 4)];

const CHAINS: [Chain; 2] = [
    Chain {
        title: "almost linear: each variable is sin(the one before) + noise",
        experiment: Experiment::Chain5,
        paper: [
            (CHAIN, 0.0),
            (&[(0, 1), (1, 2), (2, 3), (4, 3)], 1_117.0),
            (&[(1, 0), (1, 2), (2, 3), (3, 4)], 1_178.0),
            (&[(1, 0), (2, 1), (2, 3), (3, 4)], 1_319.0),
            (&[(1, 0), (2, 1), (3, 2), (4, 3)], 1_348.0),
        ],
    },
    Chain {
        title: "periodic: each variable is sin(4 times the one before) + noise",
        experiment: Experiment::Chain5Periodic,
        paper: [
            (CHAIN, 0.0),
            (&[(0, 1), (1, 2), (2, 3), (3, 4), (2, 4)], 2_361.0),
            (&[(0, 1), (1, 2), (2, 3), (3, 4), (1, 3)], 2_455.0),
            (&[(0, 1), (1, 2), (2, 3), (3, 4), (1, 4)], 4_569.0),
            (&[(0, 1), (1, 2), (2, 3), (3, 4), (0, 2)], 4_678.0),
        ],
    },
];

fn reproduce(request: &Request) -> Result<Reproduction> {
    let study = Study::new(request)?;
    let outcomes = study.learn_all(&CHAINS.map(|chain| chain.experiment))?;
    let mut json = study.json(&outcomes, CHAINS.iter().map(Chain::paper_json).collect());
    json["chains"] = CHAINS.iter().map(|chain| chain.json(&outcomes)).collect();
    let chapters: String = CHAINS.iter().map(|chain| chain.chapter(&outcomes)).collect();
    let markdown = format!(
        "# chain5: two chains of five variables (appendix of the paper)\n\n\
         A -> B -> C -> D -> E, A normal, noise of standard deviation 0.1. {}\n{chapters}",
        study.setting_in_words(&outcomes)
    );
    Ok(Reproduction::new(&json, markdown, Vec::new()))
}

impl Chain {
    fn outcomes<'a>(&self, all: &'a [Outcome]) -> Vec<&'a Outcome> {
        all.iter().filter(|outcome| outcome.experiment == self.experiment).collect()
    }

    /// The five best graphs of the paper.
    fn graphs(&self) -> impl Iterator<Item = (Dag, f64)> {
        let dag = |edges: &[(usize, usize)]| {
            let dag = Dag::from_edges(LETTERS.len(), edges.iter().copied());
            dag.unwrap_or_else(|cycle| panic!("the paper's graphs are acyclic: {cycle}"))
        };
        self.paper.iter().map(move |&(edges, excess)| (dag(edges), excess))
    }

    fn paper_json(&self) -> Value {
        let graph =
            |(dag, excess): (Dag, f64)| json!({ "graph": one_line(&dag, &LETTERS), "excess_nats": excess });
        json!({ "set": self.experiment.name(), "ranking": self.graphs().map(graph).collect::<Vec<_>>() })
    }

    fn json(&self, all: &[Outcome]) -> Value {
        let outcomes = self.outcomes(all);
        let mine =
            |outcome: &&Outcome| -> Vec<f64> { self.graphs().map(|(dag, _)| outcome.excess(&dag)).collect() };
        json!({
            "set": self.experiment.name(),
            "data_sets": outcomes.len(),
            "found": n_where(&outcomes, Outcome::is_found),
            "equivalent": n_where(&outcomes, |outcome| outcome.comparison.equivalent),
            "excess_of_the_papers_graphs_nats": outcomes.iter().map(mine).collect::<Vec<_>>(),
        })
    }

    fn chapter(&self, all: &[Outcome]) -> String {
        let outcomes = self.outcomes(all);
        format!(
            "\n## {}\n\n{}\n{}\nThe true graph, all directions right, is first and alone in {} of {n} data sets; a member of its class is first in {}. \
             The paper: the true graph is first (one data set, its size not stated).\n",
            self.title,
            self.five_best(outcomes[0]),
            table(&outcomes),
            n_where(&outcomes, Outcome::is_found),
            n_where(&outcomes, |outcome| outcome.comparison.equivalent),
            n = outcomes.len(),
        )
    }

    /// The five best graphs of the paper and of ours, side by side.
    fn five_best(&self, outcome: &Outcome) -> String {
        let line = |(place, (theirs, excess)): (usize, (Dag, f64))| {
            let ours = &outcome.ranking[place].0;
            format!(
                "| {} | {} | {} | {} | {} | {} |\n",
                place + 1,
                one_line(&theirs, &LETTERS),
                signed(excess),
                signed(outcome.excess(&theirs)),
                one_line(ours, &LETTERS),
                signed(outcome.excess(ours)),
            )
        };
        let lines: String = self.graphs().enumerate().map(line).collect();
        format!(
            "| place | the paper's graph | its excess (nats) | its excess in ours, seed {seed} | our graph, seed {seed} | its excess (nats) |\n\
             |---|---|---|---|---|---|\n{lines}",
            seed = outcome.seed
        )
    }
}
