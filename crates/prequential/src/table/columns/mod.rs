//! Typed columns: every format is read into these, before any rule decides what the cells mean.

pub(super) mod dates;
mod input_table;
mod interner;
pub(super) mod numbers;
mod texts;

use std::borrow::Cow;

pub(super) use input_table::{Found, Header, InputColumn, InputTable, Keep};
pub(super) use texts::Texts;

pub(crate) use dates::text as date_text;
pub(crate) use numbers::number_text;

/// A column in memory: a name, and cells of one type. [`Table::from_columns`](crate::Table::from_columns) makes a table of them.
///
/// The type tells how the cells are stored, not what they mean: as in a file, few different numbers become
/// labels, and [`ReadOptions`](crate::ReadOptions) say otherwise. One table gives the same result from memory
/// and from any file.
///
/// ```
/// use prequential::{Column, ReadOptions, Table};
/// let rows = 0..200;
/// let table = Table::from_columns(
///     vec![
///         Column::numbers("dose", rows.clone().map(|row| f64::from(row).sin()).collect()),
///         Column::integers("visits", rows.clone().map(|row| Some(i128::from(row % 3)))),
///         Column::booleans("cured", rows.clone().map(|row| Some(row % 2 == 0)).collect()),
///         Column::texts("sex", rows.map(|row| Some(if row % 5 < 2 { "f" } else { "m" }))),
///     ],
///     &ReadOptions::default(),
/// )?;
/// assert_eq!((table.n_rows(), table.n_vars()), (200, 4));
/// # Ok::<(), prequential::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub(super) name: String,
    pub(super) contents: Contents,
}

/// The cells of a column, kept by type. Each cell has one text, that of a text file which holds the same table.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Contents {
    /// NaN where missing; their texts are the shortest that read back as the same number.
    Numbers(Vec<f64>),
    /// Their texts have all digits, also those that a float does not hold.
    Integers(Vec<Option<i64>>),
    /// `false` and `true`.
    Booleans(Vec<Option<bool>>),
    /// Days since 1970-01-01, NaN where missing; their texts are `2021-03-04` or `2021-03-04T12:34:56`.
    Dates(Vec<f64>),
    /// Texts as written.
    Texts(Texts),
}

impl Column {
    /// A column of numbers; NaN stands for a missing cell.
    pub fn numbers(name: impl Into<String>, numbers: Vec<f64>) -> Column {
        Column::of(name, Contents::Numbers(numbers))
    }

    /// A column of numbers with 32 bits: each becomes the number that its shortest decimal stands for, as in a text file.
    pub fn single_numbers(name: impl Into<String>, numbers: &[f32]) -> Column {
        let numbers = numbers.iter().map(|&number| numbers::from_single(number));
        Column::of(name, Contents::Numbers(numbers.collect()))
    }

    /// A column of whole numbers; as labels they keep all their digits.
    pub fn integers(name: impl Into<String>, integers: impl IntoIterator<Item = Option<i128>>) -> Column {
        Column::of(name, Contents::integers(integers))
    }

    /// A column of truth values: the labels `false` and `true`.
    pub fn booleans(name: impl Into<String>, booleans: Vec<Option<bool>>) -> Column {
        Column::of(name, Contents::Booleans(booleans))
    }

    /// A column of dates or points in time, as days since 1970-01-01 (in Greenwich) with the time of day as a fraction;
    /// NaN stands for a missing cell.
    pub fn dates(name: impl Into<String>, days: Vec<f64>) -> Column {
        Column::of(name, Contents::Dates(days))
    }

    /// A column of points in time, counted in units since 1970-01-01 (in Greenwich) of which a day has `units_per_day`.
    pub fn times(
        name: impl Into<String>,
        counts: impl IntoIterator<Item = Option<i64>>,
        units_per_day: i64,
    ) -> Column {
        let day =
            |count: Option<i64>| count.map_or(f64::NAN, |count| dates::from_units(count, units_per_day));
        Column::dates(name, counts.into_iter().map(day).collect())
    }

    /// A column of texts, read like the cells of a text file: blanks around them do not count, and digits are numbers.
    pub fn texts(
        name: impl Into<String>,
        texts: impl IntoIterator<Item = Option<impl AsRef<str>>>,
    ) -> Column {
        Column::of(name, Contents::Texts(texts.into_iter().collect()))
    }

    /// A column of texts of which each distinct one is in `levels`; `codes` are positions there. Any other code is a missing cell.
    ///
    /// Levels that no row has do not count.
    pub fn categories(
        name: impl Into<String>,
        levels: &[impl AsRef<str>],
        codes: impl IntoIterator<Item = Option<usize>>,
    ) -> Column {
        let known = codes.into_iter().map(|code| code.filter(|&code| code < levels.len()));
        let texts = Texts::of_values(known, |code| levels[code].as_ref().to_string());
        Column::of(name, Contents::Texts(texts))
    }

    fn of(name: impl Into<String>, contents: Contents) -> Column {
        Column { name: name.into(), contents }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Contents {
    /// Whole numbers; as texts if one of them takes more than 64 bits.
    pub(super) fn integers(integers: impl IntoIterator<Item = Option<i128>>) -> Contents {
        let mut integers = integers.into_iter().peekable();
        let is_short = |integer: &Option<i128>| integer.is_none_or(|integer| i64::try_from(integer).is_ok());
        let next = || integers.next_if(is_short).map(|integer| integer.map(|integer| integer as i64));
        let short: Vec<Option<i64>> = std::iter::from_fn(next).collect();
        if integers.peek().is_none() {
            return Contents::Integers(short);
        }
        let all = short.into_iter().map(|integer| integer.map(i128::from)).chain(integers);
        Contents::Texts(Texts::of_values(all, |integer| integer.to_string()))
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        match self {
            Contents::Numbers(numbers) | Contents::Dates(numbers) => numbers.len(),
            Contents::Integers(integers) => integers.len(),
            Contents::Booleans(booleans) => booleans.len(),
            Contents::Texts(texts) => texts.len(),
        }
    }

    /// The texts of the cells.
    pub(super) fn texts(&self) -> Cow<'_, Texts> {
        let observed = |number: &f64| (!number.is_nan()).then_some(number.to_bits());
        Cow::Owned(match self {
            Contents::Texts(texts) => return Cow::Borrowed(texts),
            Contents::Numbers(numbers) => Texts::of_values(numbers.iter().map(observed), |bits| {
                numbers::number_text(f64::from_bits(bits))
            }),
            Contents::Dates(days) => {
                Texts::of_values(days.iter().map(observed), |bits| dates::text(f64::from_bits(bits)))
            }
            Contents::Integers(integers) => {
                Texts::of_values(integers.iter().copied(), |integer| integer.to_string())
            }
            Contents::Booleans(booleans) => {
                Texts::of_values(booleans.iter().copied(), |boolean| boolean.to_string())
            }
        })
    }

    /// The cells as numbers, NaN where missing; `None` for texts and truth values.
    pub(super) fn numbers(&self) -> Option<Cow<'_, [f64]>> {
        let number = |integer: &Option<i64>| integer.map_or(f64::NAN, |integer| integer as f64);
        match self {
            Contents::Numbers(numbers) | Contents::Dates(numbers) => Some(Cow::Borrowed(numbers)),
            Contents::Integers(integers) => Some(integers.iter().map(number).collect()),
            Contents::Booleans(_) | Contents::Texts(_) => None,
        }
    }

    /// Makes cells missing whose text is one of `tokens`; texts stay as they are.
    pub(super) fn drop_tokens(&mut self, tokens: &[String]) {
        let tokens = tokens.iter().map(|token| token.trim_ascii());
        match self {
            Contents::Numbers(numbers) => {
                let number = |token: &str| token.parse().ok().filter(|&n| numbers::number_text(n) == token);
                drop_numbers(numbers, tokens.filter_map(number).collect());
            }
            Contents::Dates(days) => {
                let day = |token: &str| dates::parse(token).filter(|&day| dates::text(day) == token);
                drop_numbers(days, tokens.filter_map(day).collect());
            }
            Contents::Integers(integers) => drop_cells(integers, tokens),
            Contents::Booleans(booleans) => drop_cells(booleans, tokens),
            Contents::Texts(_) => {}
        }
    }

    /// Appends the cells of another part of the column.
    #[cfg(feature = "arrow")]
    pub(super) fn append(&mut self, more: Contents) {
        match (&mut *self, more) {
            (Contents::Numbers(all), Contents::Numbers(more)) => all.extend(more),
            (Contents::Dates(all), Contents::Dates(more)) => all.extend(more),
            (Contents::Integers(all), Contents::Integers(more)) => all.extend(more),
            (Contents::Booleans(all), Contents::Booleans(more)) => all.extend(more),
            (Contents::Texts(all), Contents::Texts(more)) => {
                all.extend((0..more.len()).map(|row| Some(more.cell(row))));
            }
            // Whole numbers of which some are too long.
            (_, more) => {
                *self = Contents::Texts(self.texts().into_owned());
                self.append(Contents::Texts(more.texts().into_owned()));
            }
        }
    }

    /// The cells in these rows, in this order; `None` gives a missing cell.
    #[cfg(feature = "arrow")]
    pub(super) fn take(&self, rows: impl Iterator<Item = Option<usize>>) -> Contents {
        let number = |numbers: &[f64], row: Option<usize>| row.map_or(f64::NAN, |row| numbers[row]);
        match self {
            Contents::Numbers(numbers) => Contents::Numbers(rows.map(|row| number(numbers, row)).collect()),
            Contents::Dates(days) => Contents::Dates(rows.map(|row| number(days, row)).collect()),
            Contents::Integers(cells) => Contents::Integers(rows.map(|row| cells[row?]).collect()),
            Contents::Booleans(cells) => Contents::Booleans(rows.map(|row| cells[row?]).collect()),
            Contents::Texts(texts) => {
                let codes = rows.map(|row| row.map(|row| texts.codes()[row]));
                Contents::Texts(Texts::of_values(codes, |code| texts.text(code).to_string()))
            }
        }
    }
}

fn drop_numbers(numbers: &mut [f64], dropped: Vec<f64>) {
    if dropped.is_empty() {
        return;
    }
    // By their bits, for 0 and -0 have different texts.
    let is_dropped = |number: &f64| dropped.iter().any(|other| other.to_bits() == number.to_bits());
    numbers.iter_mut().filter(|number| is_dropped(number)).for_each(|number| *number = f64::NAN);
}

fn drop_cells<'a, C>(cells: &mut [Option<C>], tokens: impl Iterator<Item = &'a str>)
where
    C: Copy + PartialEq + ToString + std::str::FromStr,
{
    let value = |token: &str| token.parse().ok().filter(|value: &C| value.to_string() == token);
    let dropped: Vec<Option<C>> = tokens.map(value).filter(Option::is_some).collect();
    cells.iter_mut().filter(|cell| dropped.contains(cell)).for_each(|cell| *cell = None);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_drop_the_cells_that_are_written_so() {
        let dropped = |mut contents: Contents, tokens: &[&str]| {
            contents.drop_tokens(&tokens.iter().map(|token| token.to_string()).collect::<Vec<_>>());
            let texts = contents.texts();
            (0..texts.len()).map(|row| texts.cell(row)).collect::<Vec<_>>().join(",")
        };
        let numbers = || Contents::Numbers(vec![-99.0, 0.0, -0.0, 1.5, f64::INFINITY]);
        assert_eq!(dropped(numbers(), &[" -99 ", "0", "inf"]), ",,-0,1.5,");
        assert_eq!(dropped(numbers(), &["-99.0", "1.50", "x"]), "-99,0,-0,1.5,inf");
        let integers = Contents::Integers(vec![Some(-99), None, Some(7)]);
        assert_eq!(dropped(integers, &["-99", "+7"]), ",,7");
        assert_eq!(dropped(Contents::Booleans(vec![Some(true), Some(false)]), &["true", "no"]), ",false");
        assert_eq!(dropped(Contents::Dates(vec![0.0, 18690.5]), &["1970-01-01"]), ",2021-03-04T12:00:00");
    }

    #[test]
    fn whole_numbers_keep_all_their_digits() {
        let longest = u64::MAX.into();
        let texts = Contents::integers([Some(1), Some(longest), None]);
        assert_eq!(
            texts,
            Contents::Texts([Some("1"), Some("18446744073709551615"), None].into_iter().collect())
        );
        assert_eq!(Contents::integers([Some(1), None]), Contents::Integers(vec![Some(1), None]));
    }

    #[test]
    fn categories_that_no_row_has_are_left_out() {
        let column = Column::categories("x", &["a", "b", "c"], [Some(2), Some(0), None, Some(9), Some(2)]);
        assert_eq!(column, Column::texts("x", [Some("c"), Some("a"), None, None, Some("c")]));
    }

    #[cfg(feature = "arrow")]
    #[test]
    fn parts_of_a_column_are_joined_by_their_texts_where_types_differ() {
        let mut contents = Contents::Integers(vec![Some(1), None]);
        contents.append(Contents::integers([Some(u64::MAX.into()), Some(1)]));
        let rows = [Some(3), None, Some(2), Some(1)].into_iter();
        let texts = [Some("1"), None, Some("18446744073709551615"), None].into_iter().collect();
        assert_eq!(contents.take(rows), Contents::Texts(texts));
    }
}
