//! The result as one HTML page: shows the graph and its evidence, and lets the reader argue with it.
//!
//! The page needs nothing but itself: style, script and data are inside, and it may fetch nothing. What it says it says without its
//! script too; the script lets the reader change the graph and see the nats change.

mod chart;
mod context;
mod curves;
mod details;
mod embedded;
mod facts;
mod markup;
mod opening;
mod page;
mod pairs;
mod sections;
mod shapes;
#[cfg(test)]
mod tests;

use super::picture::{GraphPicture, effect_in_words, graph_svg, shapes_svg};
use super::schema::Edge;
use crate::base::error::Result;
use facts::Facts;

/// The page that shows a result, from the text of its JSON; `name` is the file that complaints name.
///
/// With the code lengths of families in it (see [`crate::ViewOptions`]) the reader can change the graph and see what that costs.
/// [`crate::Error::Format`] names the key if the JSON is not a result, or makes no sense.
///
/// ```
/// use prequential::{Settings, ViewOptions, learn, report_html};
/// use prequential_simulate::Experiment;
/// let table = Experiment::Asia.simulate(500, 1)?.table;
/// let learned = learn(&table, &Settings::default())?;
/// let view = ViewOptions { families: true, ..ViewOptions::default() };
/// let page = report_html(&learned.to_json(&table, &view), "result.json")?;
/// assert!(page.starts_with("<!DOCTYPE html>"));
/// # Ok::<(), prequential::Error>(())
/// ```
pub fn report_html(json: &str, name: &str) -> Result<String> {
    Ok(page::page(&Facts::read(json, name)?))
}

/// The picture of the best graph of a result, from the text of its JSON, as [`crate::Learned::to_svg`] draws it; `name` is the file that
/// complaints name.
pub fn report_svg(json: &str, name: &str) -> Result<String> {
    let facts = Facts::read(json, name)?;
    Ok(graph_svg(&GraphPicture { names: &facts.names, edges: page::picture_edges(&facts) }))
}

/// The shapes of the edges of a result, from the text of its JSON, as [`crate::Learned::shapes_to_svg`] draws them, the strongest first;
/// `name` is the file that complaints name.
pub fn report_shapes_svg(json: &str, name: &str) -> Result<String> {
    let facts = Facts::read(json, name)?;
    let effect = |edge: &Edge| effect_in_words(edge.sign.as_deref(), edge.explains);
    let charts: Vec<_> =
        shapes::strongest_first(&facts).into_iter().map(|(shape, edge)| (shape, effect(edge))).collect();
    Ok(shapes_svg(&charts))
}
