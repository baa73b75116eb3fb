//! Numbers as people read them.

use crate::nats::Nats;

/// `12,345`.
pub(crate) fn count(number: usize) -> String {
    let digits = number.to_string();
    let with_comma = |(i, digit): (usize, char)| {
        let comma = i > 0 && (digits.len() - i).is_multiple_of(3);
        comma.then_some(',').into_iter().chain([digit])
    };
    digits.chars().enumerate().flat_map(with_comma).collect()
}

/// `12,345.67`.
pub(crate) fn nats(length: Nats) -> String {
    let text = format!("{:.2}", length.0.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, "00"));
    let sign = if length.0 < 0.0 { "-" } else { "" };
    format!("{sign}{}.{fraction}", count(whole.parse().unwrap_or(0)))
}

pub(crate) fn plural(number: usize, thing: &str) -> String {
    format!("{} {thing}{}", count(number), if number == 1 { "" } else { "s" })
}

/// Seconds in words: `40 s`, `3 min`, `2 h 10 min`.
pub(crate) fn duration(seconds: f64) -> String {
    let minutes = (seconds / 60.0).round();
    match seconds {
        _ if seconds < 1.0 => "less than 1 s".to_string(),
        _ if seconds < 99.5 => format!("{seconds:.0} s"),
        _ if minutes < 100.0 => format!("{minutes:.0} min"),
        _ if minutes < 48.0 * 60.0 => format!("{:.0} h {:.0} min", (minutes / 60.0).floor(), minutes % 60.0),
        _ => format!("{:.0} days", minutes / (24.0 * 60.0)),
    }
}

/// Bytes in words: `1.5 GiB`.
pub(crate) fn bytes(number: f64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut amount = number;
    let mut unit = 0;
    while amount >= 1024.0 && unit + 1 < units.len() {
        amount /= 1024.0;
        unit += 1;
    }
    let digits = usize::from(amount < 10.0 && amount.fract() > 0.05);
    format!("{amount:.digits$} {}", units[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_in_the_largest_unit_that_fits() {
        assert_eq!([512.0, 1536.0, 8.0 * 1024f64.powi(3)].map(bytes), ["512 B", "1.5 KiB", "8 GiB"]);
    }

    #[test]
    fn durations_are_in_the_units_that_people_use() {
        let all = [0.4, 40.2, 180.0, 7_800.0, 400_000.0].map(duration);
        assert_eq!(all, ["less than 1 s", "40 s", "3 min", "2 h 10 min", "5 days"]);
    }

    #[test]
    fn numbers_are_grouped_in_thousands() {
        assert_eq!([0, 999, 1000, 1234567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(nats(Nats(-12345.678)), "-12,345.68");
    }
}
