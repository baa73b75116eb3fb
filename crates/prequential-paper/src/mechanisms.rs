//! The paper's Table 2: 20 systems of equations.

use prequential::Result;
use prequential_simulate::Experiment;

use crate::benchmark::{Benchmark, Reported};
use crate::experiment::{Reproducible, Reproduction, Request};

pub(crate) const EXPERIMENT: Reproducible = Reproducible {
    name: "mechanisms",
    about: "Table 2: 20 data sets of polynomials, sines and reciprocals",
    needs_data: false,
    run: reproduce,
};

fn reproduce(request: &Request) -> Result<Reproduction> {
    let table = Benchmark {
        title: "mechanisms: Table 2 of the paper",
        data: "The 20 systems of the paper's appendix: polynomials, sines and reciprocals with noise of standard deviation 0.1.",
        experiments: Experiment::all_mechanisms().collect(),
        paper: &[Reported { method: "the paper", shd: Some(1.9), in_class: Some(12) }],
        remark: "The paper's number of rows is not stated. It reports no numbers for DAG-GNN and PC, whose results there were not \
                 reproducible (DAG-GNN) and seemed random (PC).",
    };
    table.reproduce(request)
}
