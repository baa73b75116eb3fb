//! Files in other formats, recognised by their first bytes: each error names the format and how to convert
//! it.

use crate::base::error::Error;
use crate::table::wording::path_in_words;

/// How many of the first bytes it takes.
pub(super) const N_BYTES: usize = 16;

/// First bytes, the kind of file, and what to do.
const KNOWN: [(&[u8], &str, &str); 13] = [
    (b"PK\x03\x04", "a zip archive or a spreadsheet (.xlsx, .ods)", EXPORT),
    (b"\xd0\xcf\x11\xe0", "an old spreadsheet (.xls)", EXPORT),
    (
        b"BZh",
        "a file compressed with bzip2",
        "decompress it first, with `bunzip2`; the only compressed files that are read are .gz",
    ),
    (
        b"\xfd7zXZ\0",
        "a file compressed with xz",
        "decompress it first, with `unxz`; the only compressed files that are read are .gz",
    ),
    (
        b"\x28\xb5\x2f\xfd",
        "a file compressed with zstd",
        "decompress it first, with `unzstd`; the only compressed files that are read are .gz",
    ),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "extract it first, with `7z x`"),
    (b"%PDF-", "a PDF document", "get the table itself, as CSV"),
    (
        b"SQLite format 3\0",
        "an SQLite database",
        "export the table with `sqlite3 -header -csv FILE 'select * from ...'`",
    ),
    (b"\x89HDF", "an HDF5 file", CONVERT),
    (b"\x93NUMPY", "a NumPy array", CONVERT),
    (b"RDX", "an R workspace", "write the table with `write.csv(table, 'table.csv', row.names = FALSE)`"),
    (b"[{", "JSON", CONVERT),
    (b"{\"", "JSON", CONVERT),
];

const EXPORT: &str = "open it in a spreadsheet program and save the sheet as CSV (UTF-8)";
const CONVERT: &str = "convert the table to CSV, Parquet or Arrow";

/// Beginnings of web pages, in any case of letters: a download that went wrong.
const PAGES: [&[u8]; 2] = [b"<!doctype html", b"<html"];

/// The error that the file `path` is not a table, if its first bytes show it.
pub(super) fn refuse(path: &str, head: &[u8]) -> Option<Error> {
    if let Some(encoding) = wide_encoding(head) {
        let problem = format!("the text is {encoding}, not UTF-8");
        let hint = format!(
            "save the file in UTF-8, for example with `iconv --from-code {encoding} --to-code utf-8`"
        );
        return Some(format_error(path, problem, hint));
    }
    let is_page = PAGES
        .iter()
        .any(|start| head.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start)));
    let page = ("a web page", "download the table itself; this may be an error or login page");
    let known = KNOWN.iter().find(|(start, _, _)| head.starts_with(start));
    let (what, hint) = known.map(|&(_, what, hint)| (what, hint)).or(is_page.then_some(page))?;
    Some(format_error(path, format!("this is not a table but {what}"), hint))
}

/// The file as a whole does not follow its format.
pub(super) fn format_error(path: &str, problem: impl Into<String>, hint: impl Into<String>) -> Error {
    Error::Format {
        path: path_in_words(path).to_string(),
        line: None,
        problem: problem.into().into(),
        hint: hint.into().into(),
    }
}

/// UTF-16 or UTF-32, known by its mark, or by the zeros that fill up the letters of the first name.
fn wide_encoding(head: &[u8]) -> Option<&'static str> {
    let zeros: Vec<bool> = head.iter().map(|&byte| byte == 0).collect();
    match (head, zeros.as_slice()) {
        ([0xff, 0xfe, 0, 0, ..], _) | (_, [false, true, true, true, false, true, true, true, ..]) => {
            Some("UTF-32")
        }
        ([0, 0, 0xfe, 0xff, ..], _) | (_, [true, true, true, false, true, true, true, false, ..]) => {
            Some("UTF-32")
        }
        ([0xff, 0xfe, ..] | [0xfe, 0xff, ..], _) => Some("UTF-16"),
        (_, [false, true, false, true, ..]) => Some("UTF-16LE"),
        (_, [true, false, true, false, ..]) => Some("UTF-16BE"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_letters_are_known_with_and_without_a_mark() {
        let wide = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
        let little: Vec<u8> = wide("a,b\n").into_iter().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = wide("a,b\n").into_iter().flat_map(u16::to_be_bytes).collect();
        assert_eq!(wide_encoding(&little), Some("UTF-16LE"));
        assert_eq!(wide_encoding(&big), Some("UTF-16BE"));
        assert_eq!(wide_encoding(&[&[0xff, 0xfe], little.as_slice()].concat()), Some("UTF-16"));
        assert_eq!(wide_encoding(&[&[0xfe, 0xff], big.as_slice()].concat()), Some("UTF-16"));
        assert_eq!(wide_encoding(b"a\0\0\0,\0\0\0"), Some("UTF-32"));
        assert_eq!(wide_encoding(b"a,b\n1,2\n"), None);
        assert_eq!(wide_encoding(b"\xef\xbb\xbfa,b"), None);
        assert_eq!(wide_encoding(b"a\0"), None);
    }

    #[test]
    fn names_that_look_alike_are_names() {
        for head in [&b"PK,name"[..], b"BZ,h", b"{a},b", b"[x],y", b"<htm>,b", b"RD,X", b""] {
            assert!(refuse("t.csv", head).is_none(), "{head:?}");
        }
    }
}
