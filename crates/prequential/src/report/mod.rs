//! Results for people and programs: one file per format.

mod comparison;
mod html;
mod json;
mod layout;
mod legend;
mod local_scores;
mod plan_json;
mod plan_text;
mod probabilities;
mod score_text;
mod searched;
#[cfg(feature = "store")]
mod store;
mod svg;
mod text;

pub use comparison::{comparison_json, comparison_text};
pub use html::{report_file, report_html};
pub use json::{JsonOptions, curves_json, result_json, score_json, settings_json};
pub use local_scores::{local_scores_csv, local_scores_json};
pub use plan_json::plan_json;
pub use plan_text::{estimate_text, plan_text, score_plan_text};
pub use probabilities::probabilities_in_words;
pub use score_text::score_text;
pub use searched::{searched_json, searched_text};
#[cfg(feature = "store")]
pub use store::{store_json, store_text};
pub use svg::{GraphPicture, PictureEdge, graph_svg};
pub use text::{difference, result_text};
