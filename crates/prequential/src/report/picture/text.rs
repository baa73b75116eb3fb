//! Text and numbers as an SVG file holds them.

/// A coordinate to a tenth, as short as can be.
pub(super) fn short(number: f64) -> String {
    let tenths = (number * 10.0).round();
    // Adding zero turns -0 into 0.
    format!("{}", tenths / 10.0 + 0.0)
}

/// Text as it may stand in an XML file, between tags or in a quoted attribute.
pub(in crate::report) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in printable(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// Replaces what XML cannot hold, even escaped; line breaks and tabs become spaces.
pub(super) fn printable(text: &str) -> String {
    let replace = |c| match c {
        '\t' | '\n' | '\r' => ' ',
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        _ => c,
    };
    text.chars().map(replace).collect()
}
