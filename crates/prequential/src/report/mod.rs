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
pub use html::{report_html, report_svg};
pub use view::ViewOptions;
