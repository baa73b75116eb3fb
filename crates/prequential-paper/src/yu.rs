//! The paper's Table 1: random graphs with the equations of Yu et al. (2019).

use prequential::Result;
use prequential_simulate::Experiment;

use crate::benchmark::{Benchmark, Reported};
use crate::experiment::{Reproducible, Reproduction, Request};

pub(crate) const EXPERIMENT: Reproducible = Reproducible {
    name: "yu",
    about: "Table 1: ten data sets after Yu et al.",
    needs_data: false,
    run: reproduce,
};

fn reproduce(request: &Request) -> Result<Reproduction> {
    let table = Benchmark {
        title: "yu: Table 1 of the paper",
        data: "Ten random weighted graphs of five variables for each data seed: five with X = W cos(X + 1) + Z (yu-a), five with \
               X = 2 sin(W (X + 0.5)) + W (X + 0.5) + Z (yu-b), Z standard normal.",
        experiments: Experiment::all_yu().collect(),
        paper: &[
            Reported { method: "the paper", shd: Some(0.7), in_class: Some(8) },
            Reported { method: "DAG-GNN, in the paper", shd: Some(1.3), in_class: Some(6) },
            Reported { method: "PC, in the paper", shd: None, in_class: Some(5) },
        ],
        remark: "The paper's graphs and numbers of rows are not stated, so the comparison is indicative; PC gives a class and no graph.",
    };
    table.reproduce(request)
}
