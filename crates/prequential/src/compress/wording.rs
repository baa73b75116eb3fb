//! The text formats of a column's values, so that its texts are restored byte for byte.

use std::collections::{BTreeMap, HashMap};

use super::bytes::{ByteReader, ByteWriter, Damaged};
use crate::table::{date_text, number_text};

/// The most different numbers whose texts are listed one by one.
const MAX_LISTED: usize = 1_000;

/// A number format.
#[derive(Debug, Clone, PartialEq)]
enum TextForm {
    /// With this many decimal places.
    Fixed(usize),
    /// Shortest form, without an exponent.
    Plain,
    /// Shortest form, with an exponent far from 1.
    Short,
    /// As Python does: `1.0` and `1e-07`.
    Python,
    /// As R does: `1` and `1e-07`.
    R,
    /// As dates.
    Date,
    /// Listed one by one.
    Listed(BTreeMap<u64, Vec<u8>>),
}

impl TextForm {
    fn text(&self, number: f64) -> Vec<u8> {
        let text = match self {
            TextForm::Fixed(decimals) => format!("{number:.decimals$}"),
            TextForm::Plain => number.to_string(),
            TextForm::Short => number_text(number),
            TextForm::Python => with_exponent(number, true),
            TextForm::R => with_exponent(number, false),
            TextForm::Date => date_text(number),
            TextForm::Listed(texts) => return texts.get(&number.to_bits()).cloned().unwrap_or_default(),
        };
        text.into_bytes()
    }
}

/// Python and R write exponents with two digits at least, of numbers below 0.0001 or from 1e16 on.
fn with_exponent(number: f64, has_point: bool) -> String {
    let whole = if has_point { ".0" } else { "" };
    if number == 0.0 || (1e-4..1e16).contains(&number.abs()) {
        let text = number.to_string();
        return if text.contains('.') { text } else { text + whole };
    }
    let text = format!("{number:e}");
    let Some((digits, exponent)) = text.split_once('e') else { return text };
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |rest| ('-', rest));
    format!("{digits}e{sign}{exponent:0>2}")
}

/// The texts of a column's values.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TextWording {
    words: WordList,
    missing: Vec<u8>,
    /// Texts of other rows, in order.
    exceptions: BTreeMap<usize, Vec<u8>>,
}

#[derive(Debug, Clone, PartialEq)]
enum WordList {
    /// Of each label.
    Labels(Vec<Vec<u8>>),
    Numbers {
        form: TextForm,
        is_quoted: bool,
    },
}

impl TextWording {
    /// For labels, which are in `cells` row by row: numbers below `n_levels`, or none.
    pub(super) fn of_labels(codes: &[Option<u64>], n_levels: usize, cells: &[&[u8]]) -> TextWording {
        let mut by_level: Vec<Vec<&[u8]>> = vec![Vec::new(); n_levels];
        for (code, cell) in codes.iter().zip(cells) {
            if let Some(code) = code {
                by_level[*code as usize].push(cell);
            }
        }
        let labels = by_level.into_iter().map(|cells| commonest(cells.into_iter())).collect();
        let missing = missing_text(codes.iter().map(Option::is_none), cells);
        let mut wording =
            TextWording { words: WordList::Labels(labels), missing, exceptions: BTreeMap::new() };
        wording.exceptions =
            wording.mismatches(codes.len(), cells, |row| codes[row].map(|code| Value::Label(code as usize)));
        wording
    }

    /// For numbers, NaN where missing, which are in `cells` row by row: in the format with the fewest
    /// exceptions.
    pub(super) fn of_numbers(numbers: &[f64], cells: &[&[u8]]) -> TextWording {
        let known = || numbers.iter().zip(cells).filter(|(number, _)| !number.is_nan());
        let is_quoted = known().next().is_some_and(|(_, cell)| cell.starts_with(b"\""));
        let decimals = known().filter_map(|(_, cell)| {
            let digits = cell.iter().position(|&byte| byte == b'.').map(|point| &cell[point + 1..]);
            Some(digits?.iter().take_while(|byte| byte.is_ascii_digit()).count())
        });
        let mut forms = vec![TextForm::Short, TextForm::Plain, TextForm::Python, TextForm::R, TextForm::Date];
        forms.extend(decimals.max().map(TextForm::Fixed));
        let listed: BTreeMap<u64, Vec<u8>> =
            known().map(|(number, cell)| (number.to_bits(), unquoted(cell, is_quoted).to_vec())).collect();
        // A list costs as much as exceptions do.
        let n_listed = listed.len();
        forms.extend((n_listed <= MAX_LISTED).then_some(TextForm::Listed(listed)));
        let missing = missing_text(numbers.iter().map(|number| number.is_nan()), cells);
        let wording = |form: TextForm| {
            let n_extra = if matches!(form, TextForm::Listed(_)) { n_listed } else { 0 };
            let words = WordList::Numbers { form, is_quoted };
            let mut wording = TextWording { words, missing: missing.clone(), exceptions: BTreeMap::new() };
            wording.exceptions = wording.mismatches(numbers.len(), cells, |row| {
                (!numbers[row].is_nan()).then_some(Value::Number(numbers[row]))
            });
            (wording.exceptions.len() + n_extra, wording)
        };
        let mut best = wording(forms.remove(0));
        for form in forms {
            if best.0 == 0 {
                break;
            }
            let other = wording(form);
            if other.0 < best.0 {
                best = other;
            }
        }
        best.1
    }

    fn mismatches(
        &self,
        n_rows: usize,
        cells: &[&[u8]],
        value: impl Fn(usize) -> Option<Value>,
    ) -> BTreeMap<usize, Vec<u8>> {
        let differs = |&row: &usize| self.text(row, value(row)) != cells[row];
        (0..n_rows).filter(differs).map(|row| (row, cells[row].to_vec())).collect()
    }

    /// The text of a row with this value, or none.
    pub(super) fn text(&self, row: usize, value: Option<Value>) -> Vec<u8> {
        if let Some(text) = self.exceptions.get(&row) {
            return text.clone();
        }
        match (&self.words, value) {
            (WordList::Labels(labels), Some(Value::Label(level))) => {
                labels.get(level).cloned().unwrap_or_default()
            }
            (WordList::Numbers { form, is_quoted }, Some(Value::Number(number))) => match is_quoted {
                true => [b"\"", &form.text(number)[..], b"\""].concat(),
                false => form.text(number),
            },
            _ => self.missing.clone(),
        }
    }

    pub(super) fn write(&self, bytes: &mut ByteWriter) {
        match &self.words {
            WordList::Labels(labels) => {
                bytes.number(labels.len() as u64);
                labels.iter().for_each(|label| bytes.text(label));
            }
            WordList::Numbers { form, is_quoted } => {
                let (kind, digits) = match form {
                    TextForm::Fixed(decimals) => (0, *decimals),
                    TextForm::Plain => (1, 0),
                    TextForm::Short => (2, 0),
                    TextForm::Python => (3, 0),
                    TextForm::R => (4, 0),
                    TextForm::Date => (5, 0),
                    TextForm::Listed(texts) => (6, texts.len()),
                };
                bytes.number(kind << 1 | u64::from(*is_quoted));
                bytes.number(digits as u64);
                if let TextForm::Listed(texts) = form {
                    for (&number, text) in texts {
                        bytes.fixed(number);
                        bytes.text(text);
                    }
                }
            }
        }
        bytes.text(&self.missing);
        bytes.number(self.exceptions.len() as u64);
        let mut before = 0;
        for (&row, text) in &self.exceptions {
            bytes.number((row - before) as u64);
            bytes.text(text);
            before = row;
        }
    }

    /// Of labels, or of numbers.
    pub(super) fn read(bytes: &mut ByteReader, is_number: bool) -> Result<TextWording, Damaged> {
        let words = match is_number {
            false => {
                let n_levels = bytes.size()?;
                let label = |_| bytes.text().map(<[u8]>::to_vec);
                WordList::Labels((0..n_levels).map(label).collect::<Result<_, _>>()?)
            }
            true => {
                let (kind, digits) = (bytes.number()?, bytes.size()?);
                let form = match kind >> 1 {
                    0 if digits <= 400 => TextForm::Fixed(digits),
                    1 => TextForm::Plain,
                    2 => TextForm::Short,
                    3 => TextForm::Python,
                    4 => TextForm::R,
                    5 => TextForm::Date,
                    6 => {
                        let pair = |_| Ok((bytes.fixed()?, bytes.text()?.to_vec()));
                        TextForm::Listed((0..digits).map(pair).collect::<Result<_, _>>()?)
                    }
                    _ => return Err(Damaged),
                };
                WordList::Numbers { form, is_quoted: kind & 1 == 1 }
            }
        };
        let missing = bytes.text()?.to_vec();
        let (n_exceptions, mut row, mut exceptions) = (bytes.size()?, 0, BTreeMap::new());
        for _ in 0..n_exceptions {
            row += bytes.size()?;
            exceptions.insert(row, bytes.text()?.to_vec());
        }
        Ok(TextWording { words, missing, exceptions })
    }

    /// How many labels there are.
    pub(super) fn n_levels(&self) -> usize {
        match &self.words {
            WordList::Labels(labels) => labels.len(),
            WordList::Numbers { .. } => 0,
        }
    }
}

/// A value that is not missing.
#[derive(Debug, Clone, Copy)]
pub(super) enum Value {
    Label(usize),
    Number(f64),
}

fn unquoted(cell: &[u8], is_quoted: bool) -> &[u8] {
    let inner = cell.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
    inner.filter(|_| is_quoted).unwrap_or(cell)
}

fn missing_text(is_missing: impl Iterator<Item = bool>, cells: &[&[u8]]) -> Vec<u8> {
    commonest(is_missing.zip(cells).filter(|(is_missing, _)| *is_missing).map(|(_, cell)| *cell))
}

/// The most frequent text; of several the first in order.
fn commonest<'a>(texts: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut counts: HashMap<&[u8], usize> = HashMap::new();
    texts.for_each(|text| *counts.entry(text).or_default() += 1);
    let most = counts.into_iter().max_by(|(a, n), (b, m)| n.cmp(m).then_with(|| b.cmp(a)));
    most.map(|(text, _)| text.to_vec()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(numbers: &[f64], cells: &[&str]) -> usize {
        let cells: Vec<&[u8]> = cells.iter().map(|cell| cell.as_bytes()).collect();
        let wording = TextWording::of_numbers(numbers, &cells);
        let mut writer = ByteWriter::default();
        wording.write(&mut writer);
        let read = TextWording::read(&mut ByteReader(&writer.0), true).unwrap();
        assert_eq!(read, wording);
        for (row, cell) in cells.iter().enumerate() {
            let value = (!numbers[row].is_nan()).then_some(Value::Number(numbers[row]));
            assert_eq!(read.text(row, value), *cell);
        }
        wording.exceptions.len()
    }

    #[test]
    fn numbers_are_written_in_the_way_of_the_column() {
        assert_eq!(texts(&[1.5, 2.0, f64::NAN, -0.25], &["1.50", "2.00", "NA", "-0.25"]), 0);
        assert_eq!(texts(&[1.5, 2.0, 1e-7], &["1.5", "2.0", "1e-07"]), 0);
        assert_eq!(texts(&[1.5, 2.0, 1e-7], &["1.5", "2", "1e-07"]), 0);
        assert_eq!(texts(&[1.5, 2.0, 1e-7], &["1.5", "2", "0.0000001"]), 0);
        assert_eq!(texts(&[1.5, 2.0], &["\"1.5\"", "\"2\""]), 0);
        assert_eq!(texts(&[0.0, 1.0], &["1970-01-01", "1970-01-02"]), 0);
        let many: Vec<f64> = (0..3_000).map(|i| f64::from(i) / 7.0).collect();
        let mut cells: Vec<String> = many.iter().map(f64::to_string).collect();
        cells[5] = " 0.7142857142857143".into();
        cells[7] = "+1".into();
        assert_eq!(texts(&many, &cells.iter().map(String::as_str).collect::<Vec<_>>()), 2);
        let words = ["low", "high", "low", "middle", "high", "low", "high"];
        assert_eq!(texts(&[1.0, 3.0, 1.0, 2.0, 3.0, 1.0, 3.0], &words), 0);
    }

    #[test]
    fn labels_keep_their_quotes_and_blanks() {
        let cells: [&[u8]; 6] = [b"a", b"\"a\"", b"a", b"", b" b", b"NA"];
        let codes = [Some(0), Some(0), Some(0), None, Some(1), None];
        let wording = TextWording::of_labels(&codes, 2, &cells);
        let mut writer = ByteWriter::default();
        wording.write(&mut writer);
        let read = TextWording::read(&mut ByteReader(&writer.0), false).unwrap();
        for (row, cell) in cells.iter().enumerate() {
            assert_eq!(read.text(row, codes[row].map(|code| Value::Label(code as usize))), *cell);
        }
        assert_eq!((read.exceptions.len(), read.n_levels()), (2, 2));
    }
}
