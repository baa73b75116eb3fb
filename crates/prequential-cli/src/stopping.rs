//! Stops a run early: Ctrl-C, or a time limit.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use prequential::{Error, Result, StopReason, StopToken};

/// The exit code of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// A token that Ctrl-C sets, and the end of `limit`, counted from now. A second Ctrl-C ends the program.
pub(crate) fn stop_token(limit: Option<Duration>) -> Result<StopToken> {
    let token = limit.map_or_else(StopToken::new, StopToken::with_time_limit);
    let pressed = token.clone();
    let was_pressed = AtomicBool::new(false);
    let handler = move || {
        if was_pressed.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        pressed.stop(StopReason::Interrupted);
    };
    ctrlc::set_handler(handler).map_err(|error| Error::Setting {
        what: format!("cannot listen for Ctrl-C: {error}").into(),
        hint: "start one run at a time in this process".into(),
    })?;
    Ok(token)
}
