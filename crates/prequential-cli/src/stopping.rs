//! When a run is to stop before its end: Ctrl-C, or a time limit.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use prequential::{Error, Result, StopReason};

/// How often Ctrl-C was pressed.
static INTERRUPTS: AtomicUsize = AtomicUsize::new(0);

/// The exit code of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// When to stop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopping {
    deadline: Option<Instant>,
}

impl Stopping {
    /// From now on Ctrl-C stops the scoring, and a second one the program; so does the end of `limit`, counted from now.
    pub(crate) fn new(limit: Option<Duration>) -> Result<Stopping> {
        let handler = || {
            if INTERRUPTS.fetch_add(1, Ordering::Relaxed) > 0 {
                std::process::exit(INTERRUPTED);
            }
        };
        ctrlc::set_handler(handler).map_err(|error| Error::Setting {
            what: format!("cannot listen for Ctrl-C: {error}").into(),
            hint: "start one run at a time in this process".into(),
        })?;
        Ok(Stopping { deadline: limit.and_then(|limit| Instant::now().checked_add(limit)) })
    }

    /// Whether to stop now, and why.
    pub(crate) fn reason(self) -> Option<StopReason> {
        if INTERRUPTS.load(Ordering::Relaxed) > 0 {
            return Some(StopReason::Interrupted);
        }
        self.deadline.filter(|&deadline| Instant::now() >= deadline).map(|_| StopReason::TimeLimit)
    }
}

/// A time such as `90s`, `10m`, `1h30m` or `2d`.
pub(crate) fn parse_duration(text: &str) -> std::result::Result<Duration, String> {
    let expected = || "expected a time such as 90s, 10m, 1h30m or 2d".to_string();
    let (mut seconds, mut rest) = (0.0, text.trim());
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(expected)?;
        let (number, after) = rest.split_at(digits);
        let letters = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
        let unit = match after[..letters].trim() {
            "s" | "sec" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3_600.0,
            "d" => 86_400.0,
            _ => return Err(expected()),
        };
        seconds += unit * number.parse::<f64>().map_err(|_| expected())?;
        rest = after[letters..].trim_start();
    }
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err(expected()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_units_and_nothing_else() {
        let seconds = |text: &str| parse_duration(text).map(|time| time.as_secs_f64()).ok();
        assert_eq!(seconds("90s"), Some(90.0));
        assert_eq!(seconds("1h30m"), Some(5_400.0));
        assert_eq!(seconds("0.5 s"), Some(0.5));
        for wrong in ["", "5", "m", "0s", "-1s", "1x", "1h30", "1e9d", "..s"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }
}
