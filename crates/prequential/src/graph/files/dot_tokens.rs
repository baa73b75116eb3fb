//! The tokens of a DOT file, with their lines.

use super::draft::format_error;
use crate::base::error::{Error, Result};
use crate::base::format::quoted;

/// One token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A name or number without quotes, or a keyword.
    Word(String),
    /// A quoted name, which is never a keyword.
    Quoted(String),
    /// `<...>`, the markup of a label.
    Html,
    /// `->`
    Arrow,
    /// `--`
    Line,
    /// One of `{ } [ ] ; , = :`.
    Sign(char),
    /// The end of the file.
    End,
}

impl Token {
    /// The token as an error shows it.
    pub(super) fn display(&self) -> String {
        match self {
            Token::Word(word) => quoted(word),
            Token::Quoted(name) => quoted(&format!("\"{name}\"")),
            Token::Html => "`<...>`".to_string(),
            Token::Arrow => "`->`".to_string(),
            Token::Line => "`--`".to_string(),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the file".to_string(),
        }
    }

    /// Whether this is the keyword `keyword`, in any case of letters.
    pub(super) fn is_keyword(&self, keyword: &str) -> bool {
        matches!(self, Token::Word(word) if word.eq_ignore_ascii_case(keyword))
    }
}

/// Cuts a text into tokens.
pub(super) struct Tokens<'a> {
    source: &'a str,
    rest: &'a str,
    line: u64,
    token_line: u64,
    at_line_start: bool,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str, source: &'a str) -> Tokens<'a> {
        Tokens { source, rest: text, line: 1, token_line: 1, at_line_start: true }
    }

    /// The line on which the last token starts.
    pub(super) fn token_line(&self) -> u64 {
        self.token_line
    }

    /// The next token; after the last one, always `End`.
    pub(super) fn next(&mut self) -> Result<Token> {
        self.skip_blanks()?;
        self.at_line_start = false;
        self.token_line = self.line;
        let Some(first) = self.rest.chars().next() else { return Ok(Token::End) };
        match first {
            '{' | '}' | '[' | ']' | ';' | ',' | '=' | ':' => {
                self.take(1);
                Ok(Token::Sign(first))
            }
            '"' => self.quoted(),
            '<' => self.html(),
            _ if self.skip("->") => Ok(Token::Arrow),
            _ if self.skip("--") => Ok(Token::Line),
            _ => self.word(first),
        }
    }

    fn word(&mut self, first: char) -> Result<Token> {
        let sign = usize::from(first == '-');
        let length = self.rest[sign..].find(|c| !belongs_to_word(c)).unwrap_or(self.rest.len() - sign);
        if length == 0 {
            return Err(self
                .error(format!("unexpected `{first}`"), "put names with such characters in double quotes"));
        }
        Ok(Token::Word(self.take(sign + length).to_string()))
    }

    /// A name in quotes, with the pieces that `+` joins to it.
    fn quoted(&mut self) -> Result<Token> {
        let mut name = String::new();
        self.quoted_piece(&mut name)?;
        loop {
            self.skip_blanks()?;
            if !self.skip("+") {
                return Ok(Token::Quoted(name));
            }
            self.skip_blanks()?;
            if !self.rest.starts_with('"') {
                return Err(
                    self.error("`+` joins only quoted names", "put the name after `+` in double quotes")
                );
            }
            self.quoted_piece(&mut name)?;
        }
    }

    /// Reads `\"` and `\\` as one character, a backslash before a line end as nothing, and others verbatim.
    fn quoted_piece(&mut self, name: &mut String) -> Result<()> {
        let opening = self.line;
        self.take(1);
        while let Some(stop) = self.rest.find(['"', '\\']) {
            name.push_str(self.take(stop));
            if self.skip("\"") {
                return Ok(());
            }
            self.take(1);
            if !(self.skip("\r\n") || self.skip("\n")) {
                let escaped = self.rest.starts_with(['"', '\\']);
                name.push_str(if escaped { self.take(1) } else { "\\" });
            }
        }
        self.line = opening;
        Err(self.error("this quote is never closed", "close the name with `\"`"))
    }

    fn html(&mut self) -> Result<Token> {
        let opening = self.line;
        let mut depth = 0_usize;
        while let Some(stop) = self.rest.find(['<', '>']) {
            self.take(stop);
            depth = if self.take(1) == "<" { depth + 1 } else { depth - 1 };
            if depth == 0 {
                return Ok(Token::Html);
            }
        }
        self.line = opening;
        Err(self.error("this `<` is never closed", "close it with `>`, or put the text in double quotes"))
    }

    /// Skips white space and comments: `//`, `/* */`, and `#` at the start of a line.
    fn skip_blanks(&mut self) -> Result<()> {
        loop {
            let blanks = self.rest.len() - self.rest.trim_ascii_start().len();
            self.at_line_start |= self.take(blanks).contains('\n');
            if self.rest.starts_with("//") || self.at_line_start && self.rest.starts_with('#') {
                self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                let end = self.rest[2..].find("*/");
                let end =
                    end.ok_or_else(|| self.error("this comment is never closed", "close it with `*/`"))?;
                self.take(end + 4);
            } else {
                return Ok(());
            }
        }
    }

    /// Skips `sign` if it comes next.
    fn skip(&mut self, sign: &str) -> bool {
        let comes_next = self.rest.starts_with(sign);
        if comes_next {
            self.take(sign.len());
        }
        comes_next
    }

    fn take(&mut self, n_bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(n_bytes);
        self.line += taken.bytes().filter(|&byte| byte == b'\n').count() as u64;
        self.rest = rest;
        taken
    }

    fn error(&self, problem: impl Into<String>, hint: &str) -> Error {
        format_error(self.source, Some(self.line), problem, hint)
    }
}

/// More permissive than Graphviz, which requires quotes around names such as `x.1`.
fn belongs_to_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.' || !c.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<Token> {
        let mut tokens = Tokens::new(text, "x");
        let next = || Some(tokens.next().unwrap()).filter(|token| *token != Token::End);
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn words_numbers_and_signs_are_told_apart() {
        let word = |word: &str| Token::Word(word.into());
        assert_eq!(
            all("a->b--é;"),
            [word("a"), Token::Arrow, word("b"), Token::Line, word("é"), Token::Sign(';')]
        );
        assert_eq!(all("-1.5 .5 x.1"), [word("-1.5"), word(".5"), word("x.1")]);
        assert_eq!(all("label=<<b>x</b>>"), [word("label"), Token::Sign('='), Token::Html]);
    }

    #[test]
    fn quotes_hold_anything_and_join_with_plus() {
        let quoted = |name: &str| vec![Token::Quoted(name.into())];
        assert_eq!(all(r#""a \"b\" \\ \n""#), quoted("a \"b\" \\ \\n"));
        assert_eq!(all("\"two\\\nparts\" + /* more */ \" and\nthree\""), quoted("twoparts and\nthree"));
    }

    #[test]
    fn comments_are_skipped_and_lines_counted() {
        let mut tokens = Tokens::new("# first\n// second\n/* third\n */ \"a\nb\"\n  # last", "x");
        assert_eq!((tokens.next().unwrap(), tokens.token_line()), (Token::Quoted("a\nb".into()), 4));
        assert_eq!(tokens.next().unwrap(), Token::End);
    }

    #[test]
    fn what_is_never_closed_is_reported_where_it_opens() {
        for text in ["\n\"a\n\n", "\n<a\n", "\n/* a\n"] {
            let error = Tokens::new(text, "x.dot").next().unwrap_err();
            assert!(error.to_string().starts_with("`x.dot` line 2: this "), "{error}");
        }
        assert!(Tokens::new("a - b", "x").next().is_ok());
        assert!(Tokens::new("- b", "x").next().is_err());
    }
}
