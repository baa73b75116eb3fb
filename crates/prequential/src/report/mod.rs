//! Results for people and programs: one document is built from what came out, and every view takes the document and nothing else.
//!
//! `document` is the result of `learn` with its contract; `text`, `html`, `picture` and `csv` show it. What other commands give is a
//! file each, with its document and its views. A view is a method of its document; a new one is a file here and its line below.

mod comparison;
mod compressed;
mod csv;
mod document;
mod html;
mod local_scores;
mod options;
mod picture;
mod plan;
mod scored;
mod searched;
#[cfg(feature = "store")]
mod store;
mod text;
mod words;

pub use comparison::ComparisonDocument;
pub use document::{LearnedEdge, ResultDocument, VariablePair};
pub use options::DocumentOptions;
pub use plan::PlanDocument;
pub use scored::ScoreDocument;
pub use searched::SearchDocument;
