//! When a run is to stop before its end: Ctrl-C, or a time limit.

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
