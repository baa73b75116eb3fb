//! Lists of names in one argument: `age,sex,"income, net"`.

use prequential::tables::OrderedLabels;

/// Names from one argument: separated by commas, blanks around them dropped, names with commas in double quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Names(pub(crate) Vec<String>);

impl Names {
    /// Reads a list; an empty item is a mistake.
    pub(crate) fn parse(text: &str) -> Result<Names, String> {
        let names = split(text, ',')?.iter().map(|item| unquote(item)).collect::<Vec<String>>();
        if names.iter().any(String::is_empty) {
            return Err("a name between two commas is empty".to_string());
        }
        Ok(Names(names))
    }

    /// Reads lists separated by semicolons; empty ones are left out.
    pub(crate) fn parse_tiers(text: &str) -> Result<Vec<Names>, String> {
        let tiers = split(text, ';')?;
        tiers.iter().filter(|tier| !tier.trim().is_empty()).map(|tier| Names::parse(tier)).collect()
    }
}

/// A column of ordered labels, from `pain`, or from `pain=none<some<much`.
pub(crate) fn ordered_labels(item: &str) -> OrderedLabels {
    let (column, levels) = item.split_once('=').unwrap_or((item, ""));
    let levels = levels.split('<').map(|level| level.trim().to_string()).filter(|level| !level.is_empty());
    OrderedLabels { column: column.trim().to_string(), levels: levels.collect() }
}

/// The parts of `text` between separators that are not inside double quotes.
fn split(text: &str, separator: char) -> Result<Vec<String>, String> {
    let (mut parts, mut quoted) = (vec![String::new()], false);
    for character in text.chars() {
        quoted ^= character == '"';
        if character == separator && !quoted {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(character);
        }
    }
    if quoted { Err("a double quote is not closed".to_string()) } else { Ok(parts) }
}

/// A trimmed item without the quotes around it; a doubled quote inside them stands for one.
fn unquote(item: &str) -> String {
    let item = item.trim();
    match item.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inside) => inside.replace("\"\"", "\""),
        None => item.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_order_of_labels_follows_the_name_of_their_column() {
        let labels = ordered_labels(" pain = none < very much<unbearable ");
        assert_eq!(
            (labels.column.as_str(), labels.levels),
            ("pain", vec!["none".into(), "very much".into(), "unbearable".into()])
        );
        assert_eq!(ordered_labels("pain"), OrderedLabels { column: "pain".into(), levels: Vec::new() });
    }

    proptest! {
        #[test]
        fn any_name_in_quotes_is_read_as_it_stands(list in prop::collection::vec("[a\",; \\PC]{1,6}", 1..4)) {
            let quoted: Vec<String> = list.iter().map(|name| format!("\"{}\"", name.replace('"', "\"\""))).collect();
            prop_assert_eq!(Names::parse(&quoted.join(",")), Ok(Names(list)));
        }

        #[test]
        fn no_text_makes_reading_panic(text in "([a\",; ]|\\PC){0,20}") {
            let _ = (Names::parse(&text), Names::parse_tiers(&text));
        }
    }

    fn names(list: &[&str]) -> Names {
        Names(list.iter().map(|name| name.to_string()).collect())
    }

    #[test]
    fn blanks_are_dropped_and_quotes_protect_commas() {
        assert_eq!(Names::parse("age, sex"), Ok(names(&["age", "sex"])));
        assert_eq!(Names::parse(r#"a,"b, c""#), Ok(names(&["a", "b, c"])));
        assert_eq!(Names::parse(r#""say ""hi""""#), Ok(names(&[r#"say "hi""#])));
        assert!(Names::parse("a,,b").is_err() && Names::parse("\"a").is_err());
    }

    #[test]
    fn tiers_are_lists_between_semicolons() {
        let expected = vec![names(&["a", "b;c"]), names(&["d"])];
        assert_eq!(Names::parse_tiers(r#"a,"b;c"; d;"#), Ok(expected));
    }
}
