//! Worker threads of a run.

use crate::base::error::{Error, Result};
use crate::base::message::{OptionName, message};

/// Runs `work` on its own threads; nothing global is touched.
pub fn in_pool<R: Send>(threads: Option<usize>, work: impl FnOnce() -> Result<R> + Send) -> Result<R> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    let pool = pool.map_err(|error| Error::Setting {
        what: format!("cannot start worker threads: {error}").into(),
        hint: message!["use fewer with ", OptionName::Threads],
    })?;
    pool.install(work)
}
