//! The labels of a column, in order.

use super::readings::Reading;
use crate::table::columns::Texts;
use crate::table::columns::numbers::number_text;
use crate::table::{MISSING, Values};

/// Keys are rarely longer; longer whole numbers are probably measurements, and their floats distinguish them.
const MAX_WHOLE_LENGTH: usize = 40;

/// Labels in order: of their numbers if all are numbers, else of their texts.
///
/// `merge` makes one label of texts that are the same number, such as `1`, `1.0` and `1e0`, so that every
/// format gives the same name.
pub(super) fn labels(texts: &Texts, readings: &[Reading], merge: bool) -> Values {
    let numeric = !readings.contains(&Reading::Text);
    let number = |code: u32| match readings[code as usize] {
        Reading::Number(number) if numeric => number,
        _ => 0.0,
    };
    let mut order: Vec<u32> = (0..texts.n_distinct() as u32).collect();
    order.retain(|&code| readings[code as usize] != Reading::Missing);
    order.sort_by(|&a, &b| {
        let (text_a, text_b) = (texts.text(a), texts.text(b));
        let by_length = if numeric { text_a.len().cmp(&text_b.len()) } else { std::cmp::Ordering::Equal };
        number(a).total_cmp(&number(b)).then(by_length).then(text_a.cmp(text_b))
    });
    let mut levels: Vec<String> = Vec::new();
    let mut level_of = vec![MISSING; texts.n_distinct()];
    for (position, &code) in order.iter().enumerate() {
        let text = texts.text(code);
        let same = merge && numeric && position > 0 && {
            let before = order[position - 1];
            number(before) == number(code) && same_digits(texts.text(before), text)
        };
        if !same {
            levels.push(if merge && numeric { label_text(text, number(code)) } else { text.to_string() });
        }
        level_of[code as usize] = levels.len() as u32 - 1;
    }
    Values::Labels { levels, codes: texts.codes().iter().map(|&code| level_of[code as usize]).collect() }
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
fn label_text(text: &str, number: f64) -> String {
    if is_whole(text) && number != 0.0 { text.to_string() } else { number_text(number) }
}
