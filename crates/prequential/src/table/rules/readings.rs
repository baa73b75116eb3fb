//! The meaning of each text of a column, and the kind that the user declared for it.

use crate::table::Variable;
use crate::table::columns::Texts;
use crate::table::options::ReadOptions;

/// A column in which at least this share of the cells are numbers was meant to hold numbers.
const MIN_NUMBER_SHARE: f64 = 0.9;

/// The meaning of one distinct text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Reading {
    Missing,
    Number(f64),
    Text,
}

impl Reading {
    /// The meaning of `text`.
    pub(crate) fn of(text: &str, options: &ReadOptions) -> Reading {
        if options.is_missing(text) {
            return Reading::Missing;
        }
        match text.parse::<f64>() {
            // Adding zero turns -0 into 0, which is the same number but not the same bits.
            Ok(number) if !number.is_nan() => Reading::Number(number + 0.0),
            _ => Reading::Text,
        }
    }

    /// The number, if it is one.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Reading::Number(number) => Some(*number),
            Reading::Missing | Reading::Text => None,
        }
    }
}

/// The kind that the user declared for the column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Declared {
    No,
    Labels,
    Numbers,
}

impl Declared {
    /// How `options` declare the column.
    pub(crate) fn of(name: &str, options: &ReadOptions) -> Declared {
        let names = |list: &[String]| list.iter().any(|listed| listed == name);
        match (names(&options.labels), names(&options.numbers) || options.order_of(name).is_some()) {
            (true, _) => Declared::Labels,
            (_, true) => Declared::Numbers,
            _ => Declared::No,
        }
    }
}

/// A variable with the kind that the user declared for it.
pub(super) struct Candidate {
    pub(super) variable: Variable,
    pub(super) declared: Declared,
}

/// Whether so many of the observed cells are numbers that the column was meant to hold numbers.
pub(super) fn is_mostly_numbers(texts: &Texts, readings: &[Reading]) -> bool {
    let (mut n_numbers, mut n_texts) = (0_usize, 0_usize);
    for &code in texts.codes() {
        match readings[code as usize] {
            Reading::Number(_) => n_numbers += 1,
            Reading::Text => n_texts += 1,
            Reading::Missing => {}
        }
    }
    n_numbers as f64 >= MIN_NUMBER_SHARE * (n_numbers + n_texts).max(1) as f64
}
