//! Runs a decoder of binary files and turns its failures into errors.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::foreign::format_error;
use crate::base::error::Result;
use crate::table::columns::InputTable;

/// A table or its problems, unless the file is damaged.
pub(super) type Decoded<E> = std::result::Result<Result<InputTable>, E>;

/// Runs `read`; if it fails, the file is damaged.
///
/// The decoders check most of what they read, and the readers what else is easy to check, but some damage
/// still makes a decoder panic (of 6000 files with a few random bytes 22 in Arrow files, 0 in Arrow streams
/// and Parquet). A damaged file is a user error, not a bug of ours. Partial results are dropped, so no
/// inconsistent state is left. The panic hook still runs, and by default prints the panic; replacing it would
/// be a side effect on the whole program.
pub(super) fn decode<E: std::fmt::Display>(
    path: &str,
    format: &str,
    read: impl FnOnce() -> Decoded<E>,
) -> Result<InputTable> {
    let reason = match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(table)) => return table,
        Ok(Err(error)) => error.to_string(),
        Err(_) => "the decoder failed".to_string(),
    };
    let reason = reason.trim_end_matches('.');
    let problem = format!("not {} file, or a damaged one ({reason})", with_article(format));
    Err(format_error(path, problem, "write it again, or convert it to CSV"))
}

fn with_article(format: &str) -> String {
    if format.starts_with('A') { format!("an {format}") } else { format!("a {format}") }
}
