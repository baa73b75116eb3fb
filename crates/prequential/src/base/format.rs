//! Numbers and names as people read them.

use std::borrow::Cow;

use crate::base::nats::Nats;

/// `12,345`.
pub fn count(number: usize) -> String {
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

/// `1,024`, or `1.0e15` for huge numbers.
pub(crate) fn roughly(number: f64) -> String {
    if number < 1e12 { count(number as usize) } else { format!("{number:.1e}") }
}

/// `1 row`, `12,345 rows`.
pub fn plural(number: usize, thing: &str) -> String {
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

/// Longer names and cells are cut in messages.
const MAX_QUOTED: usize = 40;

/// A name or a cell in backticks, cut if it is long, its control characters made visible.
pub(crate) fn quoted(text: &str) -> String {
    let cut: String = text.chars().take(MAX_QUOTED).collect();
    let more = if cut.len() < text.len() { "..." } else { "" };
    format!("`{}{more}`", visible(&cut))
}

/// The text with line breaks, terminal escapes and bidirectional marks escaped: `a b`.
///
/// Names come from files of others; printed unescaped, they could rewrite what the terminal shows.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_invisible) {
        return text.into();
    }
    let spelt = |c: char| if is_invisible(c) { c.escape_default().collect() } else { String::from(c) };
    text.chars().map(spelt).collect::<String>().into()
}

/// The names as a terminal may show them.
pub(crate) fn visible_names(names: &[String]) -> Vec<String> {
    names.iter().map(|name| visible(name).into_owned()).collect()
}

fn is_invisible(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Longer messages are cut.
const MAX_MESSAGE: usize = 600;

/// A message on one line, cut if it is long: names in it can be as long as a file.
pub(crate) fn one_line(message: &str) -> String {
    let cut: String = message.chars().take(MAX_MESSAGE).collect();
    let more = if cut.len() < message.len() { "..." } else { "" };
    format!("{}{more}", visible(&cut))
}

/// The first names of a list, and how many more there are: `a, b, c`.
pub(crate) fn listed(names: &[String]) -> String {
    const MAX_LISTED: usize = 20;
    let shown: Vec<String> = names.iter().take(MAX_LISTED).map(|name| one_line(name)).collect();
    match names.len().saturating_sub(MAX_LISTED) {
        0 => shown.join(", "),
        more => format!("{} and {} more", shown.join(", "), count(more)),
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
    fn names_stay_on_one_short_line_and_do_not_move_the_cursor() {
        assert_eq!(quoted("a\nb"), "`a\\nb`");
        assert_eq!(quoted("\u{1b}[31mred\u{202e}"), "`\\u{1b}[31mred\\u{202e}`");
        assert_eq!(quoted(&"x".repeat(41)), format!("`{}...`", "x".repeat(40)));
        assert_eq!(quoted(&"é".repeat(40)), format!("`{}`", "é".repeat(40)));
        assert_eq!(visible("größer \"\\🦀"), "größer \"\\🦀");
    }

    #[test]
    fn long_lists_of_names_are_cut() {
        let names: Vec<String> = (1..=10_000).map(|number| format!("c{number}")).collect();
        assert!(listed(&names).ends_with(", c19, c20 and 9,980 more"));
        assert_eq!(listed(&names[..2]), "c1, c2");
    }

    #[test]
    fn numbers_are_grouped_in_thousands() {
        assert_eq!([0, 999, 1000, 1234567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(nats(Nats(-12345.678)), "-12,345.68");
    }
}
