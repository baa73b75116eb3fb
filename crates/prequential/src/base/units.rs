//! Parses sizes and times such as `8GiB` and `1h30m`.

use std::time::Duration;

/// Bytes from `8GiB`, `500MB`, `2g` or a plain number; else what was expected.
pub fn parse_bytes(text: &str) -> std::result::Result<u64, String> {
    let expected = || "expected a size such as 8GiB or 500MB".to_string();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == ' ');
    let unit = match text[digits.len()..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "k" | "kib" => 1024.0,
        "m" | "mib" => 1024.0 * 1024.0,
        "g" | "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err(expected()),
    };
    let number: f64 = digits.trim().parse().map_err(|_| expected())?;
    if number > 0.0 && number.is_finite() {
        Ok((number * unit) as u64)
    } else {
        Err("must be above zero".to_string())
    }
}

/// A time such as `90s`, `10m`, `1h30m` or `2d`; else what was expected.
pub fn parse_duration(text: &str) -> std::result::Result<Duration, String> {
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
    fn sizes_are_read_in_both_kinds_of_units() {
        assert_eq!(parse_bytes("8GiB"), Ok(8 << 30));
        assert_eq!(parse_bytes("1.5 MB"), Ok(1_500_000));
        assert_eq!(parse_bytes("1024"), Ok(1024));
        assert!(parse_bytes("lots").is_err() && parse_bytes("-1GiB").is_err());
    }

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
