//! A column of texts, each distinct one stored once.

use std::collections::HashMap;
use std::hash::Hash;

use super::interner::Interner;

/// The distinct texts of a column, and for each row which of them; the empty text stands for no value.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Texts {
    distinct: Interner,
    codes: Vec<u32>,
}

impl Texts {
    /// The texts of `values`, each distinct value put into words once.
    pub(crate) fn of_values<V: Copy + Eq + Hash>(
        values: impl IntoIterator<Item = Option<V>>,
        text: impl Fn(V) -> String,
    ) -> Texts {
        let mut texts = Texts::default();
        let mut codes: HashMap<Option<V>, u32> = HashMap::new();
        for value in values {
            match codes.get(&value) {
                Some(&code) => texts.codes.push(code),
                None => {
                    texts.push(&value.map(&text).unwrap_or_default());
                    codes.extend(texts.codes.last().map(|&code| (value, code)));
                }
            }
        }
        texts
    }

    /// Appends a cell, without the white space around it.
    pub(crate) fn push(&mut self, text: &str) {
        let code = self.distinct.intern(text.trim_ascii(), self.codes.len());
        self.codes.push(code);
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.codes.len()
    }

    /// For each row, which of the distinct texts.
    pub(crate) fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// The text of a row.
    pub(crate) fn cell(&self, row: usize) -> &str {
        self.text(self.codes[row])
    }

    /// How many distinct texts there are.
    pub(crate) fn n_distinct(&self) -> usize {
        self.distinct.len()
    }

    /// The distinct texts, in the order of their codes.
    pub(crate) fn distinct(&self) -> impl Iterator<Item = &str> + Clone {
        self.distinct.iter()
    }

    /// The text with this code.
    pub(crate) fn text(&self, code: u32) -> &str {
        self.distinct.text(code)
    }

    /// The row, from 0, in which the text with this code first stands.
    pub(crate) fn first_row(&self, code: u32) -> usize {
        self.distinct.first_row(code)
    }
}

impl<S: AsRef<str>> Extend<Option<S>> for Texts {
    fn extend<I: IntoIterator<Item = Option<S>>>(&mut self, cells: I) {
        cells.into_iter().for_each(|cell| self.push(cell.as_ref().map_or("", AsRef::as_ref)));
    }
}

impl<S: AsRef<str>> FromIterator<Option<S>> for Texts {
    fn from_iter<I: IntoIterator<Item = Option<S>>>(cells: I) -> Texts {
        let mut texts = Texts::default();
        texts.extend(cells);
        texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_worded_once_and_blanks_taken_off() {
        let n_worded = std::cell::Cell::new(0);
        let word = |value: u32| {
            n_worded.set(n_worded.get() + 1);
            format!(" {value} ")
        };
        let texts = Texts::of_values([Some(7), None, Some(5), Some(7), None], word);
        assert_eq!((0..5).map(|row| texts.cell(row)).collect::<Vec<_>>(), ["7", "", "5", "7", ""]);
        assert_eq!((n_worded.get(), texts.first_row(2)), (2, 2));
        assert_eq!(texts, [Some("7"), None, Some("5 "), Some("7"), None].into_iter().collect());
    }
}
