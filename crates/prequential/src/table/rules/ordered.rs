//! Ordered labels: the order as declared, by the numbers in them, or by common words.

use super::readings::Reading;
use crate::base::error::TableProblem;
use crate::base::message::{Message, OptionName, Part, message};
use crate::table::columns::Texts;
use crate::table::options::OrderedLabels;
use crate::table::wording::{Places, and_more, problem, quoted};

/// Words of common scales, lowest first; synonyms are grouped.
const SCALES: &[&[&[&str]]] = &[
    &[
        &["none", "no"],
        &["very mild"],
        &["mild", "slight"],
        &["moderate"],
        &["severe"],
        &["very severe"],
        &["extreme"],
    ],
    &[
        &["very low"],
        &["low", "lo"],
        &["medium", "mid", "middle", "moderate", "normal", "average"],
        &["high", "hi"],
        &["very high"],
    ],
    &[&["very small"], &["small"], &["medium", "mid"], &["large", "big"], &["very large"]],
    &[&["xxs"], &["xs"], &["s"], &["m"], &["l"], &["xl"], &["xxl"]],
    &[
        &["never"],
        &["rarely", "seldom"],
        &["sometimes", "occasionally"],
        &["often", "frequently"],
        &["usually"],
        &["always"],
    ],
    &[
        &["strongly disagree"],
        &["disagree"],
        &["neutral", "neither agree nor disagree", "undecided"],
        &["agree"],
        &["strongly agree"],
    ],
    &[&["very dissatisfied"], &["dissatisfied"], &["neutral"], &["satisfied"], &["very satisfied"]],
    &[&["very poor", "very bad"], &["poor", "bad"], &["fair"], &["good"], &["very good"], &["excellent"]],
    &[&["very unlikely"], &["unlikely"], &["neutral"], &["likely"], &["very likely"]],
    &[
        &["not at all"],
        &["a little", "slightly"],
        &["somewhat", "moderately"],
        &["very", "quite a bit"],
        &["extremely"],
    ],
    &[&["primary"], &["secondary"], &["tertiary"]],
    &[&["i"], &["ii"], &["iii"], &["iv"], &["v"], &["vi"]],
];

/// A column that is declared to have ordered labels.
pub(super) struct OrderedColumn<'a> {
    pub(super) declared: &'a OrderedLabels,
    pub(super) places: &'a Places,
}

impl OrderedColumn<'_> {
    /// The place of each cell in the order, from 1, NaN where missing, and what was done in words.
    pub(super) fn numbers(
        &self,
        texts: &Texts,
        readings: &[Reading],
    ) -> Result<(Vec<f64>, Message), TableProblem> {
        let labels: Vec<&str> = observed(texts, readings).collect();
        let order = match self.declared.levels.as_slice() {
            [] => natural_order(&labels).ok_or_else(|| self.unknown_order(&labels))?,
            levels => levels.iter().map(|level| level.trim_ascii()).collect(),
        };
        let place = |text: &str| order.iter().position(|level| *level == text);
        if let Some(stray) = labels.iter().find(|label| place(label).is_none()) {
            return Err(self.without_place(stray));
        }
        let number = |text: &str| place(text).map_or(f64::NAN, |place| place as f64 + 1.0);
        let of_codes: Vec<f64> = texts.distinct().map(number).collect();
        let numbers = texts.codes().iter().map(|&code| of_codes[code as usize]).collect();
        Ok((numbers, self.note(&order)))
    }

    fn note(&self, order: &[&str]) -> Message {
        let pairs = order.iter().zip(1..).map(|(level, number)| format!("{} = {number}", quoted(level)));
        let pairs = pairs.collect::<Vec<_>>().join(", ");
        format!("{}: read as numbers, {pairs}", self.place()).into()
    }

    fn unknown_order(&self, labels: &[&str]) -> TableProblem {
        let shown = quoted(labels.first().unwrap_or(&""));
        let more = and_more(labels.len(), "other label");
        let what = format!("{}: the order of its labels is unknown, such as {shown}{more}", self.place());
        problem(what, message!["give it, lowest first, with ", self.option(labels)])
    }

    fn without_place(&self, label: &str) -> TableProblem {
        let what = format!("{}: label {} has no place in the order", self.place(), quoted(label));
        let levels = self.declared.levels.iter().map(String::as_str).chain([label]);
        let hint = message![
            "add it, as in ",
            self.option(&levels.collect::<Vec<_>>()),
            ", or declare it as missing with ",
            OptionName::Missing.list(&[label])
        ];
        problem(what, hint)
    }

    fn place(&self) -> String {
        self.places.column(&self.declared.column)
    }

    fn option(&self, levels: &[&str]) -> Part {
        OptionName::Ordered.list(&[format!("{}={}", self.declared.column, levels.join("<"))])
    }
}

/// The distinct labels that are not missing, sorted.
fn observed<'a>(texts: &'a Texts, readings: &[Reading]) -> impl Iterator<Item = &'a str> {
    let mut labels: Vec<&str> = texts
        .distinct()
        .zip(readings)
        .filter(|(_, reading)| **reading != Reading::Missing)
        .map(|(text, _)| text)
        .collect();
    labels.sort_unstable();
    labels.into_iter()
}

/// The labels in the order of their numbers or of a scale; `None` if neither tells two of them apart.
fn natural_order<'a>(labels: &[&'a str]) -> Option<Vec<&'a str>> {
    by_key(labels, leading_number)
        .or_else(|| SCALES.iter().find_map(|scale| by_key(labels, |label| place_in(scale, label))))
}

fn by_key<'a>(labels: &[&'a str], key: impl Fn(&str) -> Option<f64>) -> Option<Vec<&'a str>> {
    let mut keyed = labels.iter().map(|label| Some((key(label)?, *label))).collect::<Option<Vec<_>>>()?;
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let differ = keyed.windows(2).all(|pair| pair[0].0 < pair[1].0);
    differ.then(|| keyed.into_iter().map(|(_, label)| label).collect())
}

/// The number that a label begins with; `<18` comes just before `18-25`, and `>65` just after `65`.
fn leading_number(label: &str) -> Option<f64> {
    let bare = label.trim_start_matches(['<', '>', '=', '≤', '≥', '[', '(', ' ']);
    let end = bare.char_indices().skip(1).find(|(_, c)| !c.is_ascii_digit() && *c != '.');
    let number: f64 = bare[..end.map_or(bare.len(), |(at, _)| at)].trim_end_matches('.').parse().ok()?;
    let step = match label.chars().next() {
        Some('<' | '≤') => -1.0,
        Some('>' | '≥') => 1.0,
        _ => 0.0,
    };
    Some(number + step * 1e-9 * number.abs().max(1.0))
}

fn place_in(scale: &[&[&str]], label: &str) -> Option<f64> {
    let words = label.to_lowercase().replace(['_', '-'], " ");
    let place = scale.iter().position(|place| place.contains(&words.trim()))?;
    Some(place as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(labels: &[&str]) -> Option<String> {
        natural_order(labels).map(|order| order.join(" < "))
    }

    #[test]
    fn numbers_in_labels_tell_their_order() {
        assert_eq!(order(&["10+", "0-4", "5-9"]).unwrap(), "0-4 < 5-9 < 10+");
        assert_eq!(order(&["18-25", "<18", ">65", "26-65"]).unwrap(), "<18 < 18-25 < 26-65 < >65");
        assert_eq!(order(&["3 = much", "1 = little", "2"]).unwrap(), "1 = little < 2 < 3 = much");
        assert_eq!(order(&["-1", "10", "2.5"]).unwrap(), "-1 < 2.5 < 10");
        assert_eq!(order(&["1a", "1b"]), None);
    }

    #[test]
    fn words_of_one_scale_tell_their_order() {
        assert_eq!(order(&["High", "LOW", "medium"]).unwrap(), "LOW < medium < High");
        assert_eq!(order(&["Severe", "none", "mild"]).unwrap(), "none < mild < Severe");
        assert_eq!(
            order(&["strongly_agree", "neutral", "disagree"]).unwrap(),
            "disagree < neutral < strongly_agree"
        );
        assert_eq!(order(&["IV", "I", "III"]).unwrap(), "I < III < IV");
        assert_eq!(order(&["high", "always"]), None);
        assert_eq!(order(&["mid", "medium"]), None);
    }
}
