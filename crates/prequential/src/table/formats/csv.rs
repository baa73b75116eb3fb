//! Reads text tables with a header: cells separated by commas, tabs or semicolons.

use std::cell::Cell;
use std::io::{BufRead, BufReader, Cursor, ErrorKind, Read};
use std::rc::Rc;

use ::csv::{ByteRecord, Reader, ReaderBuilder};

use super::csv_faults::{Faults, check_header};
use super::foreign::format_error;
use super::input::Input;
use super::line_ends::LineEnds;
use crate::base::error::{Error, Result};
use crate::table::columns::{Contents, Found, Header, InputTable, Keep, Texts};
use crate::table::wording::Places;

/// Rows are stored when they take so much memory together.
const MAX_WAITING_BYTES: usize = 1 << 22;

/// No row may be longer: 10,000 cells of 6,000 letters fit.
const MAX_ROW_BYTES: usize = 1 << 26;

/// The delimiter is detected in this many bytes, if the header has quoted line breaks.
const MAX_HEADER_BYTES: usize = 1 << 16;

const EMPTY_HINT: &str = "expected a line with the names of the columns, and a line for each row";

const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads the table row by row, so that only the distinct texts are held in memory.
pub(super) fn read(input: &mut Input, keep: &Keep) -> Result<InputTable> {
    input.refuse_foreign()?;
    let path = input.path.clone();
    match read_text(&mut *input, &path, keep) {
        Err(Failure::Input(source)) => Err(input.failure(source)),
        Err(Failure::Table(error)) => Err(error),
        Ok(table) => Ok(table),
    }
}

/// Why the text could not be read: a failure to read the file, or its content is not a table.
enum Failure {
    Input(std::io::Error),
    Table(Error),
}

impl From<::csv::Error> for Failure {
    fn from(error: ::csv::Error) -> Failure {
        Failure::Input(match error.into_kind() {
            // As it was, so that damaged gzip is known by its kind.
            ::csv::ErrorKind::Io(source) => source,
            other => std::io::Error::other(format!("{other:?}")),
        })
    }
}

fn read_text(reader: impl Read, path: &str, keep: &Keep) -> std::result::Result<InputTable, Failure> {
    let patience = Patience::new();
    let mut rows =
        csv_reader(Limited { inner: reader, patience: patience.clone() }).map_err(Failure::Input)?;
    let mut record = ByteRecord::new();
    if !next_row(&mut rows, &mut record, path)? {
        return Err(Failure::Table(format_error(path, "the file is empty", EMPTY_HINT)));
    }
    let mut faults = Faults::default();
    let line = faults.first_line(&rows, &record);
    let mut problems = check_header(&record, line, path);
    let mut places = Places::of_file(path);
    let names = record.iter().map(String::from_utf8_lossy);
    let header = Header::new(names, keep, &places, &mut problems).map_err(Failure::Table)?;
    let mut columns = Columns::new(&header);
    while next_row(&mut rows, &mut record, path)? {
        patience.renew();
        let line = faults.first_line(&rows, &record);
        if faults.accept(&record, line, &header) {
            places.lines.push(line);
            columns.push(&mut record);
        }
    }
    let (found, n_rows) = columns.finish();
    let problems = faults.finish(problems, &header, n_rows, &places);
    InputTable::new(header, found, n_rows, places, problems).map_err(Failure::Table)
}

/// Reads the next row into `record`; returns whether there was one.
fn next_row<R: Read>(
    rows: &mut Reader<R>,
    record: &mut ByteRecord,
    path: &str,
) -> std::result::Result<bool, Failure> {
    let start = rows.position().line();
    rows.read_byte_record(record).map_err(|error| match Failure::from(error) {
        Failure::Input(source) if source.kind() == ErrorKind::FileTooLarge => Failure::Table(Error::Format {
            path: path.to_string(),
            line: Some(start),
            problem: format!("a row of more than {} MiB", MAX_ROW_BYTES >> 20).into(),
            hint: "check that this is a table, and that all double quotes are closed".into(),
        }),
        failure => failure,
    })
}

/// A reader of rows, the header among them, that knows the delimiter.
fn csv_reader<R: Read>(reader: R) -> std::io::Result<Reader<impl Read + use<R>>> {
    let mut reader = BufReader::new(LineEnds::new(reader));
    let mut first_line = Vec::new();
    // Blank lines before the header are skipped, but they count as lines.
    while reader.read_until(b'\n', &mut first_line)? == 1 {}
    // A name in quotes may go on in the next line; a quote that is never closed must not take the whole file.
    while in_quotes(&first_line) && first_line.len() < MAX_HEADER_BYTES {
        if reader.read_until(b'\n', &mut first_line)? == 0 {
            break;
        }
    }
    if first_line.starts_with(UTF8_MARK) {
        first_line.drain(..UTF8_MARK.len());
    }
    let mut builder = ReaderBuilder::new();
    builder.delimiter(delimiter(&first_line)).has_headers(false).flexible(true);
    Ok(builder.from_reader(Cursor::new(first_line).chain(reader)))
}

/// How many bytes may follow before a row must end; otherwise a compressed file of a megabyte could fill the
/// memory.
#[derive(Clone)]
struct Patience(Rc<Cell<usize>>);

impl Patience {
    fn new() -> Patience {
        Patience(Rc::new(Cell::new(MAX_ROW_BYTES)))
    }

    fn renew(&self) {
        self.0.set(MAX_ROW_BYTES);
    }
}

/// A reader that fails if a row is too long.
struct Limited<R> {
    inner: R,
    patience: Patience,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let n_read = self.inner.read(buffer)?;
        let left = self.patience.0.get().checked_sub(n_read).ok_or(ErrorKind::FileTooLarge)?;
        self.patience.0.set(left);
        Ok(n_read)
    }
}

/// The texts of the columns that are kept, and rows not yet stored there.
///
/// Storing them column by column takes a quarter less time for the whole file than storing each row at once (0.55 s, not
/// 0.72 s, for 10,000 rows of 200 numbers): the texts of one column fit into the processor's cache, those of all do not.
struct Columns {
    /// `None` for those left out.
    texts: Vec<Option<Texts>>,
    n_rows: usize,
    waiting: Vec<ByteRecord>,
    /// Emptied records, whose memory is used again.
    spare: Vec<ByteRecord>,
    /// Bytes of the rows not yet stored.
    n_bytes: usize,
}

impl Columns {
    fn new(header: &Header) -> Columns {
        let texts = header.kept.iter().map(|kept| kept.then(Texts::default)).collect();
        Columns { texts, n_rows: 0, waiting: Vec::new(), spare: Vec::new(), n_bytes: 0 }
    }

    /// Takes the record and leaves an empty one in its place.
    fn push(&mut self, record: &mut ByteRecord) {
        self.n_bytes += record.as_slice().len() + record.len();
        self.waiting.push(std::mem::replace(record, self.spare.pop().unwrap_or_default()));
        if self.n_bytes > MAX_WAITING_BYTES {
            self.store();
        }
    }

    fn store(&mut self) {
        self.n_rows += self.waiting.len();
        for (position, texts) in self.texts.iter_mut().enumerate() {
            let Some(texts) = texts else { continue };
            for row in &self.waiting {
                texts.push(std::str::from_utf8(&row[position]).expect("cells were checked to be UTF-8"));
            }
        }
        self.spare.append(&mut self.waiting);
        self.n_bytes = 0;
    }

    /// The cells of each column, and the number of rows.
    fn finish(mut self) -> (Vec<Found>, usize) {
        self.store();
        let found = |texts: Option<Texts>| {
            texts.map_or(Found::LeftOut, |texts| Found::Contents(Contents::Texts(texts)))
        };
        (self.texts.into_iter().map(found).collect(), self.n_rows)
    }
}

/// Whether the text ends inside double quotes.
fn in_quotes(text: &[u8]) -> bool {
    text.iter().filter(|&&byte| byte == b'"').count() % 2 == 1
}

/// The comma, unless the header has none outside quotes but has tabs or semicolons.
pub(crate) fn delimiter(header: &[u8]) -> u8 {
    let mut counts = [(b',', 0), (b'\t', 0), (b';', 0)];
    let mut in_quotes = false;
    for byte in header {
        in_quotes ^= *byte == b'"';
        for (candidate, n) in counts.iter_mut().filter(|_| !in_quotes) {
            *n += usize::from(candidate == byte);
        }
    }
    let [(_, n_commas), (_, n_tabs), (_, n_semicolons)] = counts;
    match (n_commas, n_tabs, n_semicolons) {
        (0, 0, 0) | (1.., _, _) => b',',
        (0, tabs, semicolons) if tabs >= semicolons => b'\t',
        _ => b';',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &[u8]) -> Result<InputTable> {
        let mut input = Input::new("t.csv".into(), Box::new(text))?;
        read(&mut input, &|header| Ok(vec![true; header.len()]))
    }

    fn cells(table: &InputTable, column: usize) -> Vec<String> {
        let texts = table.columns[column].contents().unwrap().texts();
        (0..texts.len()).map(|row| texts.cell(row).to_string()).collect()
    }

    #[test]
    fn quotes_marks_and_white_space_are_taken_off() {
        let table = parse(b"\xef\xbb\xbf name ,\"a, b\"\r\n x ,\"1 \"\"2\"\"\"\r\n\"y\nz\", 3\r\n").unwrap();
        assert_eq!(table.header(), ["name", "a, b"]);
        assert_eq!(cells(&table, 0), ["x", "y\nz"]);
        assert_eq!(cells(&table, 1), ["1 \"2\"", "3"]);
    }

    #[test]
    fn tabs_and_semicolons_separate_when_the_header_has_no_comma() {
        assert_eq!(parse(b"a\tb\n1,5\t2\n").unwrap().header(), ["a", "b"]);
        assert_eq!(parse(b"\"a,x\";b\n1;2\n").unwrap().header(), ["a,x", "b"]);
        assert_eq!(parse(b"a,b;c\n1,2\n").unwrap().header(), ["a", "b;c"]);
        assert_eq!(parse(b"a\n1\n").unwrap().header(), ["a"]);
        assert_eq!(parse(b"\n\na\tb\n1\t2\n").unwrap().places.lines, [4]);
        let broken = parse(b"\"a\nx\";b\n1;2\n").unwrap();
        assert_eq!((broken.header(), broken.places.lines), (vec!["a\nx".into(), "b".into()], vec![3]));
    }

    #[test]
    fn lines_are_right_after_blank_lines_line_breaks_in_quotes_and_any_line_end() {
        for text in [
            "a,b\n1,2\n\n\"x\ny\",4\n5,6",
            "a,b\r\n1,2\r\n\r\n\"x\r\ny\",4\r\n5,6\r\n",
            "a,b\r1,2\r\r\"x\ry\",4\r5,6\r",
            "a,b\n1,2\n\n\"x\ny\",\"4\"\n5,\"6\"",
        ] {
            assert_eq!(parse(text.as_bytes()).unwrap().places.lines, [2, 4, 6], "{text:?}");
        }
    }

    #[test]
    fn columns_that_are_not_kept_may_hold_any_bytes() {
        let mut input = Input::new("t.csv".into(), Box::new(&b"a,b\n\xff,2\n"[..])).unwrap();
        let table = read(&mut input, &|_| Ok(vec![false, true])).unwrap();
        assert!(table.columns[0].contents().is_none());
        assert_eq!(cells(&table, 1), ["2"]);
    }
}
