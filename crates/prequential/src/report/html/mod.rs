//! The result as one HTML page: shows the graph and its evidence, and lets the reader argue with it.
//!
//! The page needs nothing but itself: style, script and data are inside, and it may fetch nothing. What it says it says without its
//! script too; the script lets the reader change the graph and see the nats change.

mod chart;
mod context;
mod curves;
mod details;
mod embedded;
mod markup;
mod opening;
mod page;
mod sections;
mod shapes;
#[cfg(test)]
mod tests;
mod view;

use super::document::ResultDocument;
use view::Page;

impl ResultDocument {
    /// The result as one HTML page that needs nothing but itself.
    ///
    /// With the code lengths of families in it ([`DocumentOptions::families`](crate::DocumentOptions::families)) the reader can change
    /// the graph and see what that costs.
    pub fn to_html(&self) -> String {
        page::page(&Page { result: self, graph: self.graph() })
    }
}
