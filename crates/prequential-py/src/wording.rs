//! The Python spelling of options and calls in messages: keyword arguments with Python values.

use prequential::DocumentOptions;
use prequential::options::{OptionSpec, ValueKind};
use prequential::wording::{Call, OptionName, Wording};

/// Options as keyword arguments.
pub(crate) struct Keywords;

impl Wording for Keywords {
    fn option(&self, option: OptionName, values: &[String]) -> String {
        let name = option.name();
        match values {
            [] => format!("`{name}`"),
            [value] if !takes_list(option) => format!("`{name}={}`", literal(value)),
            values => {
                let items: Vec<String> = values.iter().map(|value| quoted(value)).collect();
                format!("`{name}=[{}]`", items.join(", "))
            }
        }
    }

    fn call(&self, call: Call) -> String {
        match call {
            Call::Learn => "`prequential.learn()`",
            Call::LearnToFiles => "`prequential.learn(...).save()`",
            Call::MergeStores => "`prequential store merge`",
            _ => "`prequential`",
        }
        .to_string()
    }
}

/// Views that word options as keywords.
pub(crate) fn as_keywords() -> DocumentOptions<'static> {
    DocumentOptions { wording: &Keywords, ..DocumentOptions::default() }
}

/// Whether the keyword takes a list of names.
fn takes_list(option: OptionName) -> bool {
    OptionSpec::of(option).is_some_and(|spec| spec.kind == ValueKind::Names)
}

/// A number or a truth value verbatim, any other text in quotes.
fn literal(value: &str) -> String {
    match value {
        "true" => "True".to_string(),
        "false" => "False".to_string(),
        number if number.parse::<f64>().is_ok_and(f64::is_finite) => number.to_string(),
        text => quoted(text),
    }
}

/// A text as Python writes it.
fn quoted(text: &str) -> String {
    let escaped: String = text.chars().flat_map(escape).collect();
    format!("\"{escaped}\"")
}

fn escape(character: char) -> Vec<char> {
    match character {
        '"' => vec!['\\', '"'],
        '\\' => vec!['\\', '\\'],
        '\n' => vec!['\\', 'n'],
        control if control.is_control() => format!("\\x{:02x}", u32::from(control)).chars().collect(),
        other => vec![other],
    }
}
