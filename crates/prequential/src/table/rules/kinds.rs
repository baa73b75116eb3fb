//! Infers whether a column is numeric or categorical.

use super::commas;
use super::disguise::Disguise;
use super::labels::labels;
use super::ordered::OrderedColumn;
use super::readings::{Declared, Reading, is_mostly_numbers};
use crate::base::error::TableProblem;
use crate::base::message::{Message, OptionName, message};
use crate::table::Values;
use crate::table::columns::numbers::number_text;
use crate::table::columns::{Contents, Texts, dates};
use crate::table::options::ReadOptions;
use crate::table::wording::{Places, and_more, as_labels, problem, quoted};

/// Columns with at most this many different numbers are categorical: codes of sexes, sites, answers. Others
/// are usually counts or measurements, which lose their order as labels: counts of 0 to 149 with 20 different
/// values were coded 190 nats longer, and had the wrong direction.
pub(crate) const MAX_NUMBER_LABELS: usize = 6;

/// At most this many texts of a column are proposed as missing; with more, it is probably categorical.
const MAX_PROPOSED: usize = 3;

/// A column whose cells are to be interpreted.
pub(crate) struct Unread<'a> {
    pub(crate) name: &'a str,
    pub(crate) places: &'a Places,
    pub(crate) options: &'a ReadOptions,
}

/// The cells of a column, and how they were read if there was another way.
#[derive(Debug, PartialEq)]
pub(crate) struct Understood {
    pub(crate) values: Values,
    pub(crate) note: Option<Message>,
}

impl From<Values> for Understood {
    fn from(values: Values) -> Understood {
        Understood { values, note: None }
    }
}

impl Unread<'_> {
    /// Its cells as numbers or labels.
    ///
    /// Numbers and dates are kept as they are; everything else is treated as in a text file with the same
    /// cells.
    pub(crate) fn values(&self, mut contents: Contents) -> Result<Understood, TableProblem> {
        let declared = Declared::of(self.name, self.options);
        contents.drop_tokens(&self.options.missing);
        if let Some(ordered) = self.options.order_of(self.name) {
            let texts = contents.texts();
            let column = OrderedColumn { declared: ordered, places: self.places };
            let (numbers, note) = column.numbers(&texts, &self.readings(&texts))?;
            return Ok(Understood { values: Values::Numbers(numbers), note: Some(note) });
        }
        if declared == Declared::Labels {
            let texts = contents.texts();
            return Ok(labels(&texts, &self.readings(&texts), false).into());
        }
        let contents = self.dated(contents);
        if let Some(numbers) = contents.numbers()
            && (declared == Declared::Numbers || has_many(numbers.iter().copied()))
        {
            let values = self.finite(numbers.into_owned(), |_, number| number_text(number))?;
            let is_dated = matches!(contents, Contents::Dates(_));
            return Ok(Understood { values, note: is_dated.then(|| self.dates_note()) });
        }
        self.of_texts(&contents.texts(), declared)
    }

    fn dates_note(&self) -> Message {
        format!("{}: dates are read as days since 1970-01-01", self.places.column(self.name)).into()
    }

    fn commas_note(&self, texts: &Texts) -> Message {
        let example = texts.distinct().find(|text| text.contains(',')).unwrap_or_default();
        let what = format!(
            "{}: commas are read as decimal points, as in {}",
            self.places.column(self.name),
            quoted(example)
        );
        message![what, "; read the cells as labels with ", as_labels(self.name)]
    }

    fn readings(&self, texts: &Texts) -> Vec<Reading> {
        texts.distinct().map(|text| Reading::of(text, self.options)).collect()
    }

    /// The dates, if all observed texts are dates.
    fn dated(&self, contents: Contents) -> Contents {
        let Contents::Texts(texts) = &contents else { return contents };
        let day =
            |text: &str| if self.options.is_missing(text) { Some(f64::NAN) } else { dates::parse(text) };
        match texts.distinct().map(day).collect::<Option<Vec<f64>>>() {
            Some(days) if days.iter().any(|day| !day.is_nan()) => {
                Contents::Dates(texts.codes().iter().map(|&code| days[code as usize]).collect())
            }
            _ => contents,
        }
    }

    fn of_texts(&self, texts: &Texts, declared: Declared) -> Result<Understood, TableProblem> {
        let plain = self.readings(texts);
        let is_wanted = |readings: &Vec<Reading>| {
            declared == Declared::Numbers || has_many(readings.iter().filter_map(Reading::number))
        };
        match commas::readings(texts, &plain).filter(is_wanted) {
            None => self.of_readings(texts, &plain, declared).map(Understood::from),
            Some(readings) => {
                let values = self.of_readings(texts, &readings, declared)?;
                Ok(Understood { values, note: Some(self.commas_note(texts)) })
            }
        }
    }

    fn of_readings(
        &self,
        texts: &Texts,
        readings: &[Reading],
        declared: Declared,
    ) -> Result<Values, TableProblem> {
        let has_text = readings.contains(&Reading::Text);
        let numbers = readings.iter().filter_map(Reading::number);
        match declared {
            Declared::Numbers if has_text => Err(self.not_a_number(texts, readings)),
            Declared::Numbers => {
                self.finite(numbers_of(texts, readings), |row, _| texts.cell(row).to_string())
            }
            _ if !has_many(numbers) => Ok(labels(texts, readings, true)),
            _ if !has_text => self.finite(numbers_of(texts, readings), |row, _| texts.cell(row).to_string()),
            _ if !is_mostly_numbers(texts, readings) => Ok(labels(texts, readings, true)),
            _ => Err(self.not_a_number(texts, readings)),
        }
    }

    /// The numbers, if all are finite; `text` is how one in a row is written.
    fn finite(
        &self,
        mut numbers: Vec<f64>,
        text: impl Fn(usize, f64) -> String,
    ) -> Result<Values, TableProblem> {
        if let Some(row) = numbers.iter().position(|number| number.is_infinite()) {
            return Err(self.infinite(row, text(row, numbers[row])));
        }
        // Adding zero turns -0 into 0, which is the same number but not the same bits.
        numbers.iter_mut().for_each(|number| *number += 0.0);
        Ok(Values::Numbers(numbers))
    }

    fn infinite(&self, row: usize, text: String) -> TableProblem {
        let place = self.places.cell(row, self.name);
        problem(
            format!("{place}: expected a finite number, found {}", quoted(&text)),
            message![
                "replace it, or declare it as missing with ",
                OptionName::Missing.list(&[text]),
                "; code lengths need finite numbers"
            ],
        )
    }

    fn not_a_number(&self, texts: &Texts, readings: &[Reading]) -> TableProblem {
        let codes = (0_u32..).zip(readings).filter(|(_, reading)| **reading == Reading::Text);
        let wrong: Vec<&str> = codes.clone().map(|(code, _)| texts.text(code)).collect();
        let first_row = codes.map(|(code, _)| texts.first_row(code)).next().unwrap_or_default();
        let more = match and_more(wrong.len(), "other text") {
            more if more.is_empty() => more,
            more => format!("{} in other rows)", more.trim_end_matches(')')),
        };
        let first = wrong.first().copied().unwrap_or_default();
        let place = self.places.cell(first_row, self.name);
        let what = format!("{place}: expected a number, found {}{more}", quoted(first));
        let hint = match Disguise::of(wrong.iter().copied()) {
            Some(disguise) => disguise.hint(self.name, first),
            None => message![
                "declare missing cells with ",
                OptionName::Missing.list(&wrong[..wrong.len().min(MAX_PROPOSED)]),
                ", or read the column as labels with ",
                as_labels(self.name)
            ],
        };
        problem(what, hint)
    }
}

/// Whether there are too many different numbers for labels; NaN does not count.
fn has_many(numbers: impl Iterator<Item = f64>) -> bool {
    let mut different: Vec<f64> = Vec::with_capacity(MAX_NUMBER_LABELS + 1);
    for number in numbers {
        if !number.is_nan() && !different.contains(&number) {
            different.push(number);
            if different.len() > MAX_NUMBER_LABELS {
                return true;
            }
        }
    }
    false
}

/// The number in each row, NaN where there is none.
fn numbers_of(texts: &Texts, readings: &[Reading]) -> Vec<f64> {
    let numbers: Vec<f64> = readings.iter().map(|reading| reading.number().unwrap_or(f64::NAN)).collect();
    texts.codes().iter().map(|&code| numbers[code as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::MISSING;

    fn column(cells: impl IntoIterator<Item = impl AsRef<str>>) -> Contents {
        Contents::Texts(cells.into_iter().map(Some).collect())
    }

    fn read(contents: Contents, options: &ReadOptions) -> Result<Values, TableProblem> {
        let places = Places { path: "t.csv".into(), lines: (2..).take(contents.len()).collect() };
        Unread { name: "x", places: &places, options }.values(contents).map(|understood| understood.values)
    }

    fn levels(column: Contents, options: &ReadOptions) -> Vec<String> {
        match read(column, options).unwrap() {
            Values::Labels { levels, .. } => levels,
            numbers => panic!("expected labels, found {numbers:?}"),
        }
    }

    fn first_numbers(n: usize) -> Vec<String> {
        (0..n).map(|number| format!("{}", number as f64 / 2.0)).collect()
    }

    #[test]
    fn six_different_numbers_are_labels_and_one_more_makes_numbers() {
        let options = ReadOptions::default();
        assert!(matches!(read(column(first_numbers(6)), &options), Ok(Values::Labels { .. })));
        assert!(matches!(read(column(first_numbers(7)), &options), Ok(Values::Numbers(_))));
    }

    #[test]
    fn declarations_override_the_guess() {
        let labels = ReadOptions { labels: vec!["x".into()], ..ReadOptions::default() };
        assert_eq!(levels(column(first_numbers(30)), &labels).len(), 30);
        let numbers = ReadOptions { numbers: vec!["x".into()], ..ReadOptions::default() };
        assert_eq!(read(column(["1", "2e1", "-0"]), &numbers), Ok(Values::Numbers(vec![1.0, 20.0, 0.0])));
    }

    #[test]
    fn labels_are_in_order_of_number_or_text() {
        let options = ReadOptions::default();
        assert_eq!(levels(column(["10", "9", "NA", "-1"]), &options), ["-1", "9", "10"]);
        assert_eq!(levels(column(["10", "9", "b", "", "a"]), &options), ["10", "9", "a", "b"]);
    }

    #[test]
    fn one_number_written_in_two_ways_is_one_label_unless_declared() {
        let cells = column(["1.0", "1", "0", "01"]);
        assert_eq!(levels(cells.clone(), &ReadOptions::default()), ["0", "1"]);
        let declared = ReadOptions { labels: vec!["x".into()], ..ReadOptions::default() };
        assert_eq!(levels(cells.clone(), &declared), ["0", "1", "01", "1.0"]);
        let long = format!("{}", 1.5e200);
        for texts in [["1.50", "-0", "1.5e200"], ["1.5", "0.0", &long]] {
            assert_eq!(levels(column(texts), &ReadOptions::default()), ["0", "1.5", "1.5e200"]);
        }
    }

    #[test]
    fn whole_numbers_that_share_a_float_are_labels_of_their_own() {
        let keys = ["18446744073709551617", "18446744073709551616", "18446744073709551616"];
        assert_eq!(
            levels(column(keys), &ReadOptions::default()),
            ["18446744073709551616", "18446744073709551617"]
        );
        let longer = ["1".repeat(50), "1".repeat(49) + "2"];
        assert_eq!(levels(column(longer), &ReadOptions::default()).len(), 1);
    }

    #[test]
    fn missing_cells_have_a_code_of_their_own_and_are_nan_among_numbers() {
        let options = ReadOptions { missing: vec!["none".into()], ..ReadOptions::default() };
        let labels = Values::Labels { levels: vec!["a".into()], codes: vec![0, MISSING, MISSING] };
        assert_eq!(read(column(["a", "none", "?"]), &options), Ok(labels));
        let mut cells = first_numbers(30);
        cells[3] = "none".into();
        let Ok(Values::Numbers(numbers)) = read(column(cells), &options) else { panic!("expected numbers") };
        assert!(numbers[3].is_nan() && numbers[4] == 2.0);
    }

    #[test]
    fn dates_are_days_if_many_and_labels_if_few_or_among_other_texts() {
        let dates = |n: usize| (0..n).map(|day| format!("2021-03-{:02}", 1 + day)).collect::<Vec<_>>();
        let options = ReadOptions { missing: vec!["2021-03-01".into()], ..ReadOptions::default() };
        let Ok(Values::Numbers(days)) = read(column(dates(30)), &options) else { panic!("expected numbers") };
        assert!(days[0].is_nan() && days[1] == 18688.0 && days[29] == 18716.0);
        assert_eq!(
            levels(column(["2021-03-04T12:00", "2021-03-04 00:00"]), &options),
            ["2021-03-04", "2021-03-04T12:00:00"]
        );
        let mixed = dates(25).into_iter().chain(["unknown".to_string()]);
        assert_eq!(levels(column(mixed), &options).len(), 25);
        let declared = ReadOptions { labels: vec!["x".into()], ..ReadOptions::default() };
        assert_eq!(
            levels(column(["2021-03-04T12:00", "2021-03-04 00:00"]), &declared)[0],
            "2021-03-04 00:00"
        );
    }

    #[test]
    fn mostly_text_with_many_numbers_is_labels() {
        let texts = (0..10).map(|number| format!("code {number}"));
        let cells: Vec<String> = first_numbers(30).into_iter().chain(texts).collect();
        assert_eq!(levels(column(cells), &ReadOptions::default()).len(), 40);
    }

    #[test]
    fn several_texts_among_numbers_are_all_proposed_as_missing() {
        let mut cells = first_numbers(100);
        cells[7] = "n/a".into();
        cells[9] = "not known".into();
        let error = read(column(cells), &ReadOptions::default()).unwrap_err();
        insta::assert_snapshot!(error.what, @"`t.csv` line 9, column `x`: expected a number, found `n/a` (and 1 other text in other rows)");
        insta::assert_snapshot!(error.hint, @"declare missing cells with `missing: n/a, not known`, or read the column as labels with `labels: x`");
    }
}
