//! Normalises line ends, so that lines can be counted.

use std::io::{BufRead, BufReader, Read};

/// Reads text with `\r\n` and `\r` turned into `\n`, and a `\n` after the last line.
///
/// The CSV reader counts the lines it has consumed, but of `\r\n` it leaves the `\n` to the next record: the lines in our
/// messages would be one too small.
pub(super) struct LineEnds<R> {
    inner: BufReader<R>,
    last: u8,
    ended: bool,
}

impl<R: Read> LineEnds<R> {
    pub(super) fn new(reader: R) -> LineEnds<R> {
        LineEnds { inner: BufReader::with_capacity(1 << 16, reader), last: b'\n', ended: false }
    }

    /// The last line end, once the text is over.
    fn end(&mut self, buffer: &mut [u8]) -> usize {
        if self.ended || matches!(self.last, b'\n' | b'\r') {
            return 0;
        }
        self.ended = true;
        buffer[0] = b'\n';
        1
    }
}

impl<R: Read> Read for LineEnds<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            let bytes = self.inner.fill_buf()?;
            if bytes.is_empty() {
                return Ok(self.end(buffer));
            }
            let n_read = bytes.len().min(buffer.len());
            let n_written = translate(&bytes[..n_read], &mut self.last, buffer);
            self.inner.consume(n_read);
            // A lone `\n` after `\r` leaves nothing to return, and returning nothing would mean the end.
            if n_written > 0 {
                return Ok(n_written);
            }
        }
    }
}

/// Copies `bytes` to `buffer` with the line ends translated; returns how many were written.
fn translate(bytes: &[u8], last: &mut u8, buffer: &mut [u8]) -> usize {
    if *last != b'\r' && !bytes.contains(&b'\r') {
        buffer[..bytes.len()].copy_from_slice(bytes);
        *last = bytes[bytes.len() - 1];
        return bytes.len();
    }
    let mut n_written = 0;
    for &byte in bytes {
        if !(byte == b'\n' && *last == b'\r') {
            buffer[n_written] = if byte == b'\r' { b'\n' } else { byte };
            n_written += 1;
        }
        *last = byte;
    }
    n_written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_line_ends_become_one_kind() {
        let cases = [
            ("a\r\nb", "a\nb\n"),
            ("a\rb\r", "a\nb\n"),
            ("a\n\r\n\nb\n", "a\n\n\nb\n"),
            ("", ""),
            ("x", "x\n"),
        ];
        for (text, expected) in cases {
            let mut read = String::new();
            LineEnds::new(text.as_bytes()).read_to_string(&mut read).unwrap();
            assert_eq!(read, expected);
            let mut bytewise = Vec::new();
            let mut reader =
                LineEnds { inner: BufReader::with_capacity(1, text.as_bytes()), last: b'\n', ended: false };
            reader.read_to_end(&mut bytewise).unwrap();
            assert_eq!(bytewise, expected.as_bytes());
        }
    }
}
