//! Numbers that probably mean a missing cell: -99 among ages.

use crate::base::format::plural;
use crate::base::message::{Message, OptionName, message};
use crate::table::columns::numbers::number_text;
use crate::table::wording::Places;
use crate::table::{MISSING, Values, Variable};

/// Numbers that other programs write for a missing cell.
const CODES: [f64; 18] = [
    -9.0, -77.0, -88.0, -99.0, -777.0, -888.0, -999.0, -9999.0, -99999.0, 77.0, 88.0, 99.0, 777.0, 888.0,
    999.0, 9999.0, 99999.0, 999999.0,
];

/// The warning about codes that lie far from the other numbers of the column.
pub(super) fn doubtful(variable: &Variable, places: &Places) -> Option<Message> {
    let numbers = numbers_of(variable)?;
    let is_code = |number: &f64| CODES.contains(number);
    let others = || numbers.iter().copied().filter(|number| !number.is_nan() && !is_code(number));
    let (least, most) = (others().reduce(f64::min)?, others().reduce(f64::max)?);
    let is_far = |code: &f64| {
        // As far beyond the others as half of their range; below zero where the others are not, any distance is far.
        let margin = (most - least) / 2.0;
        *code > most + margin || *code < least - margin || (*code < 0.0 && least >= 0.0)
    };
    let mut codes: Vec<f64> =
        CODES.into_iter().filter(|code| numbers.contains(code)).filter(is_far).collect();
    codes.sort_by(f64::total_cmp);
    let texts: Vec<String> = codes.iter().map(|&code| number_text(code)).collect();
    let n_rows = numbers.iter().filter(|number| codes.contains(number)).count();
    (!codes.is_empty() && least < most).then(|| {
        let (are, they_stand, them) = match texts.len() {
            1 => ("is", "it stands for a missing cell", "it"),
            _ => ("are", "they stand for missing cells", "them"),
        };
        let what = format!(
            "{}: {} ({}) {are} far from the other numbers, which go from {} to {}; if {they_stand}, declare {them} with ",
            places.column(&variable.name),
            texts.join(" and "),
            plural(n_rows, "row"),
            number_text(least),
            number_text(most)
        );
        message![what, OptionName::Missing.list(&texts)]
    })
}

/// The cells as numbers, NaN where missing, also where few different ones are labels.
fn numbers_of(variable: &Variable) -> Option<std::borrow::Cow<'_, [f64]>> {
    match &variable.values {
        Values::Numbers(numbers) => Some(numbers.into()),
        Values::Labels { levels, codes } => {
            let levels: Vec<f64> = levels.iter().map(|level| level.parse().ok()).collect::<Option<_>>()?;
            let number = |&code: &u32| if code == MISSING { f64::NAN } else { levels[code as usize] };
            Some(codes.iter().map(number).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warned(numbers: &[f64]) -> Option<String> {
        let values = Values::Numbers(numbers.to_vec());
        let variable = Variable { name: "x".into(), values, intervened: None };
        doubtful(&variable, &Places::default()).map(|message| message.to_string())
    }

    #[test]
    fn codes_far_from_the_other_numbers_are_doubted() {
        assert_eq!(
            warned(&[35.0, 999.0, 61.5, -99.0, 999.0]).unwrap(),
            "column `x`: -99 and 999 (3 rows) are far from the other numbers, which go from 35 to 61.5; \
             if they stand for missing cells, declare them with `missing: -99, 999`"
        );
        assert!(warned(&[0.0, 3.0, -9.0]).is_some());
        assert!(warned(&[1.0, 5.0, 99.0]).is_some());
    }

    #[test]
    fn numbers_that_fit_the_others_are_not() {
        assert_eq!(warned(&[0.0, 80.0, 99.0]), None);
        assert_eq!(warned(&[-30.0, 20.0, -9.0]), None);
        assert_eq!(warned(&[20.0, 95.0, 99.0, f64::NAN]), None);
        assert_eq!(warned(&[0.0, 1000.0, 98.0, 500.0]), None);
        assert_eq!(warned(&[999.0, 999.0]), None);
        assert_eq!(warned(&[1.0, 1.0, 99.0]), None);
    }
}
