//! Numbers or labels: what the cells of a column mean.

use super::disguise::Disguise;
use super::options::ReadOptions;
use super::raw::RawColumn;
use super::wording::{Places, option, problem, quoted};
use super::{MISSING, Values};
use crate::base::error::TableProblem;
use crate::base::format::plural;

/// Columns with at most this many different numbers are read as labels.
pub(super) const MAX_NUMBER_LABELS: usize = 20;

/// Keys are hardly longer; beyond, whole numbers are rather measured, and their floats tell them apart.
const MAX_WHOLE_LENGTH: usize = 40;

/// A column in which at least this share of the cells are numbers was meant to hold numbers.
const MIN_NUMBER_SHARE: f64 = 0.9;

/// So many texts of a column are proposed for `--missing`; more are rather labels.
const MAX_PROPOSED: usize = 3;

/// The meaning of one distinct text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Reading {
    Missing,
    Number(f64),
    Text,
}

impl Reading {
    /// What `text` means.
    pub(super) fn of(text: &str, options: &ReadOptions) -> Reading {
        if options.is_missing(text) {
            return Reading::Missing;
        }
        match text.parse::<f64>() {
            // Adding zero turns -0 into 0, which is the same number but not the same bits.
            Ok(number) if !number.is_nan() => Reading::Number(number + 0.0),
            _ => Reading::Text,
        }
    }
}

/// What the user said about the column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Declared {
    No,
    Labels,
    Numbers,
}

impl Declared {
    /// How `options` declare the column.
    pub(super) fn of(name: &str, options: &ReadOptions) -> Declared {
        let names = |list: &[String]| list.iter().any(|listed| listed == name);
        match (names(&options.labels), names(&options.numbers)) {
            (true, _) => Declared::Labels,
            (_, true) => Declared::Numbers,
            _ => Declared::No,
        }
    }
}

/// Reads the cells of `column` as numbers or labels.
pub(super) fn values(
    column: &RawColumn,
    places: &Places,
    options: &ReadOptions,
) -> Result<Values, TableProblem> {
    let readings: Vec<Reading> = column.texts.iter().map(|text| Reading::of(text, options)).collect();
    let has_text = readings.contains(&Reading::Text);
    let many_numbers = has_many_numbers(&readings);
    match Declared::of(&column.name, options) {
        Declared::Labels => Ok(labels(column, &readings, false)),
        Declared::No if !many_numbers => Ok(labels(column, &readings, true)),
        Declared::No if has_text && number_share(column, &readings) < MIN_NUMBER_SHARE => {
            Ok(labels(column, &readings, true))
        }
        _ if has_text => Err(not_a_number(column, &readings, places)),
        _ => numbers(column, &readings, places),
    }
}

fn has_many_numbers(readings: &[Reading]) -> bool {
    let mut different: Vec<f64> = Vec::with_capacity(MAX_NUMBER_LABELS + 1);
    for reading in readings {
        if let Reading::Number(number) = reading
            && !different.contains(number)
        {
            different.push(*number);
            if different.len() > MAX_NUMBER_LABELS {
                return true;
            }
        }
    }
    false
}

/// The share of the observed cells that are numbers.
fn number_share(column: &RawColumn, readings: &[Reading]) -> f64 {
    let (mut n_numbers, mut n_texts) = (0_usize, 0_usize);
    for &code in &column.codes {
        match readings[code as usize] {
            Reading::Number(_) => n_numbers += 1,
            Reading::Text => n_texts += 1,
            Reading::Missing => {}
        }
    }
    n_numbers as f64 / (n_numbers + n_texts).max(1) as f64
}

fn numbers(column: &RawColumn, readings: &[Reading], places: &Places) -> Result<Values, TableProblem> {
    let infinite =
        readings.iter().position(|reading| matches!(reading, Reading::Number(x) if x.is_infinite()));
    if let Some(code) = infinite {
        let code = code as u32;
        let text = column.texts.text(code);
        let place = places.cell(column.texts.first_row(code), &column.name);
        let hint = format!(
            "replace it, or declare it as missing with {}; code lengths need finite numbers",
            option("--missing", &[text])
        );
        return Err(problem(format!("{place}: expected a finite number, found {}", quoted(text)), hint));
    }
    let number = |&code: &u32| match readings[code as usize] {
        Reading::Number(number) => number,
        Reading::Missing | Reading::Text => f64::NAN,
    };
    Ok(Values::Numbers(column.codes.iter().map(number).collect()))
}

fn not_a_number(column: &RawColumn, readings: &[Reading], places: &Places) -> TableProblem {
    let codes = (0_u32..).zip(readings).filter(|(_, reading)| **reading == Reading::Text);
    let texts: Vec<&str> = codes.clone().map(|(code, _)| column.texts.text(code)).collect();
    let first_row = codes.map(|(code, _)| column.texts.first_row(code)).next().unwrap_or_default();
    let more = match texts.len() {
        0 | 1 => String::new(),
        n => format!(" (and {} in other rows)", plural(n - 1, "other text")),
    };
    let place = places.cell(first_row, &column.name);
    let what = format!("{place}: expected a number, found {}{more}", quoted(texts.first().unwrap_or(&"")));
    let tokens = &texts[..texts.len().min(MAX_PROPOSED)];
    let hint = format!(
        "declare missing cells with {}, or read the column as labels with {}",
        option("--missing", tokens),
        option("--labels", &[&column.name])
    );
    let disguise = Disguise::of(texts.iter().copied());
    problem(
        what,
        disguise.zip(texts.first()).map_or(hint, |(disguise, text)| disguise.hint(&column.name, text)),
    )
}

/// Labels in order: of their numbers if all are numbers, else of their texts.
///
/// `merge` makes one label of texts that are the same number, such as `1`, `1.0` and `1e0`, called alike whatever file they come from.
fn labels(column: &RawColumn, readings: &[Reading], merge: bool) -> Values {
    let numeric = !readings.contains(&Reading::Text);
    let number = |code: u32| match readings[code as usize] {
        Reading::Number(number) if numeric => number,
        _ => 0.0,
    };
    let mut order: Vec<u32> = (0..column.texts.len() as u32).collect();
    order.retain(|&code| readings[code as usize] != Reading::Missing);
    order.sort_by(|&a, &b| {
        let (text_a, text_b) = (column.texts.text(a), column.texts.text(b));
        let by_length = if numeric { text_a.len().cmp(&text_b.len()) } else { std::cmp::Ordering::Equal };
        number(a).total_cmp(&number(b)).then(by_length).then(text_a.cmp(text_b))
    });
    let mut levels: Vec<String> = Vec::new();
    let mut level_of = vec![MISSING; column.texts.len()];
    for (position, &code) in order.iter().enumerate() {
        let text = column.texts.text(code);
        let same = merge && numeric && position > 0 && {
            let before = order[position - 1];
            number(before) == number(code) && same_digits(column.texts.text(before), text)
        };
        if !same {
            levels.push(if merge && numeric { number_text(text, number(code)) } else { text.to_string() });
        }
        level_of[code as usize] = levels.len() as u32 - 1;
    }
    Values::Labels { levels, codes: column.codes.iter().map(|&code| level_of[code as usize]).collect() }
}

/// Whether two texts of the same float are the same number: long whole numbers can differ in digits that a float does not hold.
fn same_digits(a: &str, b: &str) -> bool {
    let digits = |text: &str| text.trim_start_matches(['-', '0']).to_string();
    !(is_whole(a) && is_whole(b)) || digits(a) == digits(b)
}

fn is_whole(text: &str) -> bool {
    text.len() <= MAX_WHOLE_LENGTH && text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit())
}

/// A number as a label: whole numbers as they are written, since a float may not hold all their digits.
fn number_text(text: &str, number: f64) -> String {
    match number.abs() {
        _ if is_whole(text) && number != 0.0 => text.to_string(),
        0.0 | 1e-5..1e16 => number.to_string(),
        _ => format!("{number:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(cells: impl IntoIterator<Item = impl AsRef<str>>) -> RawColumn {
        let mut column = RawColumn { name: "x".into(), kept: true, ..RawColumn::default() };
        cells.into_iter().for_each(|cell| column.push(cell.as_ref()));
        column
    }

    fn read(column: &RawColumn, options: &ReadOptions) -> Result<Values, TableProblem> {
        values(
            column,
            &Places { path: "t.csv".into(), lines: (2..).take(column.codes.len()).collect() },
            options,
        )
    }

    fn levels(column: &RawColumn, options: &ReadOptions) -> Vec<String> {
        match read(column, options).unwrap() {
            Values::Labels { levels, .. } => levels,
            numbers => panic!("expected labels, found {numbers:?}"),
        }
    }

    fn first_numbers(n: usize) -> Vec<String> {
        (0..n).map(|number| format!("{}", number as f64 / 2.0)).collect()
    }

    #[test]
    fn twenty_different_numbers_are_labels_and_one_more_makes_numbers() {
        let options = ReadOptions::default();
        assert!(matches!(read(&column(first_numbers(20)), &options), Ok(Values::Labels { .. })));
        assert!(matches!(read(&column(first_numbers(21)), &options), Ok(Values::Numbers(_))));
    }

    #[test]
    fn declarations_override_the_guess() {
        let labels = ReadOptions { labels: vec!["x".into()], ..ReadOptions::default() };
        assert_eq!(levels(&column(first_numbers(30)), &labels).len(), 30);
        let numbers = ReadOptions { numbers: vec!["x".into()], ..ReadOptions::default() };
        assert_eq!(read(&column(["1", "2e1", "-0"]), &numbers), Ok(Values::Numbers(vec![1.0, 20.0, 0.0])));
    }

    #[test]
    fn labels_are_in_order_of_number_or_text() {
        let options = ReadOptions::default();
        assert_eq!(levels(&column(["10", "9", "NA", "-1"]), &options), ["-1", "9", "10"]);
        assert_eq!(levels(&column(["10", "9", "b", "", "a"]), &options), ["10", "9", "a", "b"]);
    }

    #[test]
    fn one_number_written_in_two_ways_is_one_label_unless_declared() {
        let cells = column(["1.0", "1", "0", "01"]);
        assert_eq!(levels(&cells, &ReadOptions::default()), ["0", "1"]);
        let declared = ReadOptions { labels: vec!["x".into()], ..ReadOptions::default() };
        assert_eq!(levels(&cells, &declared), ["0", "1", "01", "1.0"]);
        let long = format!("{}", 1.5e200);
        for texts in [["1.50", "-0", "1.5e200"], ["1.5", "0.0", &long]] {
            assert_eq!(levels(&column(texts), &ReadOptions::default()), ["0", "1.5", "1.5e200"]);
        }
    }

    #[test]
    fn whole_numbers_that_share_a_float_are_labels_of_their_own() {
        let keys = ["18446744073709551617", "18446744073709551616", "18446744073709551616"];
        assert_eq!(
            levels(&column(keys), &ReadOptions::default()),
            ["18446744073709551616", "18446744073709551617"]
        );
        let longer = ["1".repeat(50), "1".repeat(49) + "2"];
        assert_eq!(levels(&column(longer), &ReadOptions::default()).len(), 1);
    }

    #[test]
    fn missing_cells_have_a_code_of_their_own_and_are_nan_among_numbers() {
        let options = ReadOptions { missing: vec!["none".into()], ..ReadOptions::default() };
        let labels = Values::Labels { levels: vec!["a".into()], codes: vec![0, MISSING, MISSING] };
        assert_eq!(read(&column(["a", "none", "?"]), &options), Ok(labels));
        let mut cells = first_numbers(30);
        cells[3] = "none".into();
        let Ok(Values::Numbers(numbers)) = read(&column(cells), &options) else { panic!("expected numbers") };
        assert!(numbers[3].is_nan() && numbers[4] == 2.0);
    }

    #[test]
    fn mostly_text_with_many_numbers_is_labels() {
        let texts = (0..10).map(|number| format!("code {number}"));
        let cells: Vec<String> = first_numbers(30).into_iter().chain(texts).collect();
        assert_eq!(levels(&column(cells), &ReadOptions::default()).len(), 40);
    }

    #[test]
    fn several_texts_among_numbers_are_all_proposed_as_missing() {
        let mut cells = first_numbers(100);
        cells[7] = "n/a".into();
        cells[9] = "not known".into();
        let error = read(&column(cells), &ReadOptions::default()).unwrap_err();
        insta::assert_snapshot!(error.what, @"`t.csv` line 9, column `x`: expected a number, found `n/a` (and 1 other text in other rows)");
        insta::assert_snapshot!(error.hint, @"declare missing cells with `--missing 'n/a,not known'`, or read the column as labels with `--labels x`");
    }
}
