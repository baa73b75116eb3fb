//! The paper's Figure 2: three variables in a chain.

use prequential_simulate::Experiment;

use crate::case_study::CaseStudy;
use crate::experiment::Reproducible;

pub(crate) const EXPERIMENT: Reproducible = Reproducible {
    name: "chain3",
    about: "Figure 2: three variables in a chain",
    needs_data: false,
    run: |request| FIGURE_2.reproduce(request),
};

const FIGURE_2: CaseStudy = CaseStudy {
    title: "chain3: Figure 2 of the paper",
    experiment: Experiment::Chain3,
    equations: "A -> B -> C: A normal, B = sin(A + noise), C = sin(B + noise), noise of standard deviation 0.1.",
    parent_sets: &[&[], &[0], &[1], &[0, 1]],
    n_shown: 25,
    finding: "the true graph is first, by almost 500 nats (one data set, its size not stated, 5 network seeds)",
    margin_in_paper: 500.0,
};
