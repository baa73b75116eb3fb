//! Splits a text table into its cells and everything between them, byte for byte.

use super::bytes::{ByteReader, ByteWriter, Damaged};
use crate::table::delimiter;

const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// How lines end.
const LINE_ENDS: [&[u8]; 3] = [b"\n", b"\r\n", b"\r"];

/// All bytes of a text table except its cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextLayout {
    has_mark: bool,
    delimiter: u8,
    /// Which of [`LINE_ENDS`].
    line_end: usize,
    /// Whether the last line ends as the others do.
    is_ended: bool,
    /// The line of names.
    header: Vec<u8>,
}

impl TextLayout {
    /// Splits a table into its layout and its cells, row by row, verbatim with quotes and blanks.
    ///
    /// `None` if its rows differ in length.
    pub(super) fn split(bytes: &[u8]) -> Option<(TextLayout, Vec<Vec<&[u8]>>)> {
        let text = bytes.strip_prefix(UTF8_MARK).unwrap_or(bytes);
        let first = text.iter().position(|byte| b"\r\n".contains(byte)).unwrap_or(text.len());
        let ends_so = |line_end: &&[u8]| text[first..].starts_with(line_end);
        // Before the shorter ones: `\r\n` begins as `\r` does.
        let line_end = [1, 0, 2].into_iter().find(|&end| ends_so(&LINE_ENDS[end])).unwrap_or(0);
        let mut layout = TextLayout {
            has_mark: text.len() < bytes.len(),
            delimiter: delimiter(&text[..first]),
            line_end,
            is_ended: text.ends_with(LINE_ENDS[line_end]),
            header: Vec::new(),
        };
        let mut rest = text;
        let (names, length) = layout.row(rest);
        layout.header = rest[..length].to_vec();
        rest = layout.after(rest, length);
        let mut rows = Vec::new();
        while !rest.is_empty() {
            let (cells, length) = layout.row(rest);
            if cells.len() != names.len() {
                return None;
            }
            rows.push(cells);
            rest = layout.after(rest, length);
        }
        Some((layout, rows))
    }

    /// The cells of the first row of `text`, and how long it is.
    fn row<'a>(&self, text: &'a [u8]) -> (Vec<&'a [u8]>, usize) {
        let (mut cells, mut start, mut is_quoted) = (Vec::new(), 0, false);
        for (at, &byte) in text.iter().enumerate() {
            if byte == b'"' && (is_quoted || text[start] == b'"') {
                is_quoted = !is_quoted;
            } else if !is_quoted && byte == self.delimiter {
                cells.push(&text[start..at]);
                start = at + 1;
            } else if !is_quoted && text[at..].starts_with(LINE_ENDS[self.line_end]) {
                cells.push(&text[start..at]);
                return (cells, at);
            }
        }
        cells.push(&text[start..]);
        (cells, text.len())
    }

    fn after<'a>(&self, text: &'a [u8], length: usize) -> &'a [u8] {
        text.get(length + LINE_ENDS[self.line_end].len()..).unwrap_or_default()
    }

    /// The names of the columns, without quotes and blanks.
    pub(super) fn names(&self) -> Vec<String> {
        let name = |cell: &[u8]| {
            let text = String::from_utf8_lossy(cell).into_owned();
            let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            inner.map_or(text.clone(), |inner| inner.replace("\"\"", "\"")).trim_ascii().to_string()
        };
        self.row(&self.header).0.into_iter().map(name).collect()
    }

    /// Reassembles the table.
    pub(super) fn join(&self, rows: impl Iterator<Item = Vec<Vec<u8>>>) -> Vec<u8> {
        let line_end = LINE_ENDS[self.line_end];
        let mut bytes = if self.has_mark { UTF8_MARK.to_vec() } else { Vec::new() };
        bytes.extend_from_slice(&self.header);
        for row in rows {
            bytes.extend_from_slice(line_end);
            bytes.extend(row.join(&self.delimiter));
        }
        if self.is_ended {
            bytes.extend_from_slice(line_end);
        }
        bytes
    }

    pub(super) fn write(&self, bytes: &mut ByteWriter) {
        let flags = u64::from(self.has_mark) | u64::from(self.is_ended) << 1 | (self.line_end as u64) << 2;
        bytes.number(flags);
        bytes.number(u64::from(self.delimiter));
        bytes.text(&self.header);
    }

    pub(super) fn read(bytes: &mut ByteReader) -> Result<TextLayout, Damaged> {
        let flags = bytes.number()?;
        let line_end = (flags >> 2) as usize;
        if line_end >= LINE_ENDS.len() {
            return Err(Damaged);
        }
        Ok(TextLayout {
            has_mark: flags & 1 == 1,
            is_ended: flags & 2 == 2,
            line_end,
            delimiter: bytes.number()? as u8,
            header: bytes.text()?.to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_come_back_with_marks_quotes_blanks_and_line_ends() {
        for text in [
            "a,b\n1,2\n3,4\n",
            "a,b\n1,2\n3,4",
            "\u{feff}a;b\r\n\"x;\r\n y\"; 2 \r\n\"say \"\"x\"\"\";\"\"\r\n",
            "a\tb\r1\t2\r\t4\r",
            "a,b\n5\" pipe,x\n",
        ] {
            let (layout, rows) = TextLayout::split(text.as_bytes()).unwrap();
            let cells = rows.iter().map(|row| row.iter().map(|cell| cell.to_vec()).collect());
            assert_eq!(layout.join(cells), text.as_bytes(), "{text:?}");
            assert_eq!(layout.names(), ["a", "b"]);
            assert!(rows.iter().all(|row| row.len() == 2));
            let mut writer = ByteWriter::default();
            layout.write(&mut writer);
            assert_eq!(TextLayout::read(&mut ByteReader(&writer.0)), Ok(layout));
        }
        assert!(TextLayout::split(b"a,b\n1,2\n3\n").is_none());
    }
}
