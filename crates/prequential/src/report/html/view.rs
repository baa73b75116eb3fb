//! What the page shows.

use super::super::document::{GraphView, ResultDocument};

/// What the page shows: a result, and its graphs by number.
pub(super) struct Page<'a> {
    pub(super) result: &'a ResultDocument,
    pub(super) graph: GraphView<'a>,
}

/// The file's own name, without its directories.
pub(super) fn file_name<'a>(page: &Page<'a>) -> &'a str {
    let path = page.result.data.path.as_deref().unwrap_or("a table");
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
