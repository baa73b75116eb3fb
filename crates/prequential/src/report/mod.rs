//! Results for people and programs: `schema` is the contract, then one file or folder per view.
//!
//! Views are methods of what they show: `learned.to_text(..)`, `learned.to_json(..)`, `learned.to_svg(..)`.

mod comparison;
mod csv;
mod html;
mod json;
mod picture;
mod schema;
mod settings;
mod text;
mod view;

pub use comparison::ComparedGraphs;
pub use html::{report_html, report_shapes_svg, report_svg};
pub use view::ViewOptions;

/// Pairs that the best graph does not link are listed if they are linked with at least this probability.
const MIN_NEAR_MISS: f64 = 0.05;

/// So many of them, the likeliest first.
const MAX_NEAR_MISSES: usize = 10;
