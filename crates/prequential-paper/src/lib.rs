//! The paper's experiments: data, scores, plots and tables, with the paper's statements compared with ours.
//!
//! ```
//! use prequential_paper::{ReproduceOptions, Reproducible};
//! let figure_1 = Reproducible::named("tabular-chain").expect("it is one of `Reproducible::ALL`");
//! let options = ReproduceOptions { rows: Some(500), permutations: Some(3), ..ReproduceOptions::default() };
//! let result = figure_1.reproduce(&options)?;
//! assert!(result.markdown.starts_with("# tabular-chain: Figure 1 of the paper"));
//! # Ok::<(), prequential::Error>(())
//! ```

mod ablations;
mod benchmark;
mod cancer;
mod case_study;
mod chain3;
mod chain5;
mod charts;
mod counted;
mod experiment;
mod held_out;
mod mechanisms;
mod options;
mod outcome;
mod plot;
mod primes;
mod robustness;
mod sachs;
mod scores;
mod shifts;
mod star5;
mod study;
mod tabular;
mod tabular_chain;
mod theorem1;
mod words;
mod yu;

pub use experiment::{DataSetDone, Reproducible, Reproduction};
pub use options::ReproduceOptions;
