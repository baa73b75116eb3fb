//! Numbers and dates in formats that are not read as numbers.

use crate::base::message::{Message, message};
use crate::table::columns::dates;
use crate::table::wording::{ignore, quoted};

/// The kinds of disguised numbers and dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Disguise {
    /// `0,5`
    DecimalComma,
    /// `1,234`, `1 234`, `1'234`
    Thousands,
    /// `1.234,5`
    ThousandsAndComma,
    /// `$5`, `5 €`, `5%`
    Sign,
    /// `29.2.2024 12:00`, `1/3/24`
    Date,
}

/// White space and marks that group digits in threes.
const GROUPING: [char; 6] = [' ', '\'', '’', '_', '\u{a0}', '\u{202f}'];

/// Currency and percent signs.
const SIGNS: [char; 6] = ['$', '€', '£', '¥', '₹', '%'];

impl Disguise {
    /// The common format of all `texts`, plain numbers among them allowed; `None` if they are something else,
    /// or all plain.
    pub(crate) fn of<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Option<Disguise> {
        use Disguise::*;
        let disguised = |text: &&str| text.parse::<f64>().is_err();
        texts.clone().find(disguised)?;
        let fits = |disguise: &Disguise| {
            texts.clone().all(|text| text.parse::<f64>().is_ok() || disguise.number(text).is_some())
        };
        // If all groups have three digits, as in `1,234`, the comma is a thousands separator.
        let numbers = [Thousands, DecimalComma, ThousandsAndComma, Sign].into_iter().find(fits);
        let is_readable = || texts.clone().all(|text| dates::parse(text).is_some());
        numbers.or_else(|| (texts.clone().all(is_date) && !is_readable()).then_some(Date))
    }

    /// The number that the text stands for.
    pub(crate) fn number(self, text: &str) -> Option<f64> {
        match self {
            Disguise::DecimalComma => text.replacen(',', ".", 1).parse().ok(),
            Disguise::Thousands => ungrouped(text)?.parse().ok(),
            Disguise::ThousandsAndComma => ungrouped(&swapped(text))?.parse().ok(),
            Disguise::Sign => {
                let (sign, bare) = text.strip_prefix('-').map_or((1.0, text), |rest| (-1.0, rest));
                let bare = bare.trim_matches(|c| SIGNS.contains(&c)).trim();
                let number: Option<f64> = bare.parse().ok().or_else(|| ungrouped(bare)?.parse().ok());
                number.map(|number| sign * number)
            }
            Disguise::Date => None,
        }
        .filter(|number: &f64| number.is_finite())
    }

    /// How to write the column instead, shown by one of its `texts`.
    pub(crate) fn hint(self, column: &str, example: &str) -> Message {
        match self {
            Disguise::DecimalComma => "write decimals with a point: `0.5` instead of `0,5`".into(),
            Disguise::Date => message![
                "write dates like `2024-02-29`, which are read as days, or leave the column out with ",
                ignore(column)
            ],
            _ => match self.number(example) {
                Some(number) if Disguise::DecimalComma.number(example).is_some() => {
                    let or = example.replacen(',', ".", 1);
                    format!("write plain numbers: `{number}` or `{or}` instead of {}", quoted(example)).into()
                }
                Some(number) => {
                    format!("write plain numbers: `{number}` instead of {}", quoted(example)).into()
                }
                None => "write plain numbers, without signs and separators".into(),
            },
        }
    }
}

/// The text without thousands separators; `None` if a group has another length or there are none.
fn ungrouped(text: &str) -> Option<String> {
    let is_grouping = |c: char| c == ',' || GROUPING.contains(&c);
    let (whole, rest) = text.split_once('.').map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    let digits = whole.strip_prefix(['-', '+']).unwrap_or(whole);
    let mut groups = digits.split(is_grouping);
    let first = groups.next().filter(|group| (1..=3).contains(&group.len()) && *group != "0")?;
    let groups: Vec<&str> = groups.collect();
    let all_digits = |group: &&str| group.bytes().all(|byte| byte.is_ascii_digit());
    let fits = all_digits(&first) && groups.iter().all(|group| group.len() == 3 && all_digits(group));
    (fits && !groups.is_empty()).then(|| {
        let sign = if whole.starts_with('-') { "-" } else { "" };
        format!("{sign}{first}{}.{}", groups.concat(), rest.unwrap_or("0"))
    })
}

/// The text with points for commas and commas for points.
fn swapped(text: &str) -> String {
    let swap = |c: char| match c {
        '.' => ',',
        ',' => '.',
        other => other,
    };
    text.chars().map(swap).collect()
}

/// Whether the text starts with three whole numbers between the same signs, one of them a year or of two digits at most.
fn is_date(text: &str) -> bool {
    let day = text.split([' ', 'T']).next().unwrap_or_default();
    ['-', '/', '.'].into_iter().any(|sign| {
        let parts: Vec<&str> = day.split(sign).collect();
        let fits =
            |part: &&str| (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        parts.len() == 3 && parts.iter().all(fits) && parts[1].len() <= 2
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> Option<Disguise> {
        Disguise::of(texts.iter().copied())
    }

    #[test]
    fn every_disguise_is_seen_through() {
        assert_eq!(of(&["0,5", "-1,25", "3"]), Some(Disguise::DecimalComma));
        assert_eq!(of(&["0,512", "1,234"]), Some(Disguise::DecimalComma));
        assert_eq!(of(&["1,234", "12", "-1,234,567.5"]), Some(Disguise::Thousands));
        assert_eq!(of(&["1 234", "1'234", "12"]), Some(Disguise::Thousands));
        assert_eq!(of(&["1.234,5", "1.234.567"]), Some(Disguise::ThousandsAndComma));
        assert_eq!(of(&["$5", "$1,234.50", "-$3"]), Some(Disguise::Sign));
        assert_eq!(of(&["5 %", "2.5%"]), Some(Disguise::Sign));
        assert_eq!(of(&["2024-02-29", "2024-3-1"]), Some(Disguise::Date));
        assert_eq!(of(&["29.2.2024 12:00", "1/3/24"]), Some(Disguise::Date));
    }

    #[test]
    fn plain_numbers_dates_and_words_are_what_they_are() {
        for texts in [
            &["1", "2.5"][..],
            &["a", "1,5"],
            &["1,2,3"],
            &["1-2"],
            &["", "0,5"],
            &[],
            &["%"],
            &["1.2.3.4"],
            &["2024-02-29", "2024-03-01T12:00:00"],
        ] {
            assert_eq!(of(texts), None, "{texts:?}");
        }
    }

    #[test]
    fn hints_show_a_number_of_the_column() {
        let hint = |disguise: Disguise, text: &str| disguise.hint("pay", text).to_string();
        assert_eq!(hint(Disguise::Thousands, "1 234"), "write plain numbers: `1234` instead of `1 234`");
        assert_eq!(
            hint(Disguise::Thousands, "1,234"),
            "write plain numbers: `1234` or `1.234` instead of `1,234`"
        );
        assert_eq!(hint(Disguise::Sign, "-$2.50"), "write plain numbers: `-2.5` instead of `-$2.50`");
    }
}
