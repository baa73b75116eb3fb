//! Numeric columns with decimal commas, as spreadsheets write them in many countries.

use super::disguise::Disguise;
use super::readings::{Reading, is_mostly_numbers};
use crate::table::columns::Texts;

/// The numbers of the texts with decimal commas; `None` if the column is not written like that.
///
/// It is if nearly all cells are then numbers, if one of them shows that commas do not group digits in
/// threes, and if no number has a point.
pub(super) fn readings(texts: &Texts, plain: &[Reading]) -> Option<Vec<Reading>> {
    let read = |(text, reading): (&str, &Reading)| match reading {
        Reading::Text => Disguise::DecimalComma.number(text).map_or(Reading::Text, Reading::Number),
        other => *other,
    };
    let readings: Vec<Reading> = texts.distinct().zip(plain).map(read).collect();
    let is_turned = |at: usize| plain[at] == Reading::Text && readings[at] != Reading::Text;
    let tells = |(at, text): (usize, &str)| is_turned(at) && Disguise::Thousands.number(text).is_none();
    let has_point = |(text, reading): (&str, &Reading)| reading.number().is_some() && text.contains('.');
    let is_so = texts.distinct().enumerate().any(tells)
        && !texts.distinct().zip(plain).any(has_point)
        && is_mostly_numbers(texts, &readings);
    is_so.then_some(readings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::ReadOptions;

    fn numbers(cells: &[&str]) -> Option<Vec<Option<f64>>> {
        let texts: Texts = cells.iter().map(|cell| Some(*cell)).collect();
        let plain: Vec<Reading> =
            texts.distinct().map(|text| Reading::of(text, &ReadOptions::default())).collect();
        readings(&texts, &plain).map(|readings| readings.iter().map(Reading::number).collect())
    }

    #[test]
    fn commas_part_decimals_unless_they_group_digits_or_points_do_it() {
        assert_eq!(
            numbers(&["0,5", "-12,25", "3", "NA"]).unwrap(),
            [Some(0.5), Some(-12.25), Some(3.0), None]
        );
        assert_eq!(numbers(&["1,234", "0,512"]).unwrap(), [Some(1.234), Some(0.512)]);
        for other in
            [&["1,234", "5,678"][..], &["0,5", "1.5"], &["1", "2"], &["a,b", "0,5"], &["1,2,3", "4,5"]]
        {
            assert_eq!(numbers(other), None, "{other:?}");
        }
    }
}
