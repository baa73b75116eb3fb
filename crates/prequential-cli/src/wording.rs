//! How the command line spells options and commands in messages.

use std::borrow::Cow;

use prequential::DocumentOptions;
use prequential::wording::{Call, OptionName, Wording};

/// Options as flags, values as a shell reads them.
pub(crate) struct CommandLine;

impl Wording for CommandLine {
    fn option(&self, option: OptionName, values: &[String]) -> String {
        let flag = flag(option);
        match values {
            [] => format!("`{flag}`"),
            values => {
                let cells: Vec<Cow<str>> = values.iter().map(|value| csv_cell(value)).collect();
                format!("`{flag} {}`", shell_word(&cells.join(",")))
            }
        }
    }

    fn call(&self, call: Call) -> String {
        match call {
            Call::Learn => "`prequential learn`",
            Call::LearnToFiles => "`prequential learn DATA --out DIR`",
            Call::MergeStores => "`prequential store merge`",
            _ => "`prequential`",
        }
        .to_string()
    }
}

/// Views that word options as flags.
pub(crate) fn as_flags() -> DocumentOptions<'static> {
    DocumentOptions { wording: &CommandLine, ..DocumentOptions::default() }
}

/// `--max-parents`.
pub(crate) fn flag(option: OptionName) -> String {
    format!("--{}", option.name().replace('_', "-"))
}

/// A list is read as one CSV record, so a value with a comma is in double quotes inside those of the shell.
fn csv_cell(value: &str) -> Cow<'_, str> {
    if value.is_empty() || value.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", value.replace('"', "\"\"")).into()
    } else {
        value.into()
    }
}

/// The word as a shell reads it.
pub(crate) fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-+./,:=%@".contains(c);
    if text.chars().any(char::is_control) {
        // A raw line break would tear the message apart.
        let escaped = text.replace('\\', "\\\\").replace('\'', "\\'");
        format!("$'{}'", escaped.chars().flat_map(shell_escape).collect::<String>())
    } else if !text.is_empty() && text.chars().all(plain) {
        text.to_string()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

fn shell_escape(character: char) -> Vec<char> {
    match character {
        '\n' => vec!['\\', 'n'],
        '\t' => vec!['\\', 't'],
        '\r' => vec!['\\', 'r'],
        control if control.is_control() => format!("\\u{:04x}", u32::from(control)).chars().collect(),
        other => vec![other],
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn worded(option: OptionName, values: &[&str]) -> String {
        CommandLine.option(option, &values.iter().map(|value| value.to_string()).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_quoted_as_a_shell_needs_them() {
        assert_eq!(worded(OptionName::Missing, &["n/a", "none"]), "`--missing n/a,none`");
        assert_eq!(worded(OptionName::Ignore, &["patient id"]), "`--ignore 'patient id'`");
        assert_eq!(worded(OptionName::Ignore, &["o'clock"]), "`--ignore 'o'\\''clock'`");
        assert_eq!(worded(OptionName::Ignore, &["$HOME `x`"]), "`--ignore '$HOME `x`'`");
        assert_eq!(worded(OptionName::Ignore, &["it's\n\u{1b}"]), r#"`--ignore $'"it\'s\n\u001b"'`"#);
    }

    #[test]
    fn values_with_commas_or_quotes_are_cells_of_a_csv_record() {
        assert_eq!(worded(OptionName::Ignore, &["a, b"]), r#"`--ignore '"a, b"'`"#);
        assert_eq!(worded(OptionName::Missing, &["x", "a,b"]), r#"`--missing 'x,"a,b"'`"#);
        assert_eq!(worded(OptionName::Ignore, &["5\" pipe"]), r#"`--ignore '"5"" pipe"'`"#);
        assert_eq!(worded(OptionName::Ignore, &["o'clock, sharp"]), r#"`--ignore '"o'\''clock, sharp"'`"#);
    }

    #[test]
    fn every_option_that_a_message_may_name_exists() {
        fn flags(command: &clap::Command) -> Vec<String> {
            let own = command.get_arguments().filter_map(|argument| argument.get_long());
            let own = own.map(|name| format!("--{name}"));
            own.chain(command.get_subcommands().flat_map(flags)).collect()
        }
        let known = flags(&crate::args::Cli::command());
        let missing: Vec<String> =
            OptionName::ALL.iter().map(|&option| flag(option)).filter(|flag| !known.contains(flag)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
