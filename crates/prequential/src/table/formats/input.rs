//! Input: a file or standard input, compressed or not, with its fingerprint.

use std::fs::File;
use std::io::{BufReader, Cursor, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};

use super::foreign::{self, format_error};
use crate::base::error::{Error, Result};
use crate::table::fingerprint::hexadecimal;

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The decompressed bytes of a file.
pub(crate) struct Input<'a> {
    /// The path as the user gave it.
    pub(crate) path: String,
    /// The first bytes, already taken from `body`.
    head: Cursor<Vec<u8>>,
    body: Body<'a>,
}

enum Body<'a> {
    Plain(BufReader<Hashing<'a>>),
    Gzip(Box<MultiGzDecoder<BufReader<Hashing<'a>>>>),
}

/// Hashes everything that is read through it.
struct Hashing<'a> {
    inner: Box<dyn Read + 'a>,
    sha256: Sha256,
}

impl<'a> Input<'a> {
    /// Opens a file; `-` is standard input.
    pub(crate) fn open(path: &Path) -> Result<Input<'static>> {
        let name = path.display().to_string();
        if name == "-" {
            return Input::new(name, Box::new(std::io::stdin()));
        }
        let file = File::open(path).map_err(|source| Error::File {
            action: "read",
            path: path.to_path_buf(),
            source,
        })?;
        Input::new(name, Box::new(file))
    }

    /// Reads from `reader`, decompressing gzip.
    pub(crate) fn new(path: String, mut reader: Box<dyn Read + 'a>) -> Result<Input<'a>> {
        let magic = first_bytes(&mut reader).map_err(|source| file_error(&path, source))?;
        let packed = magic.starts_with(&GZIP_MAGIC);
        if path.to_lowercase().ends_with(".gz") && !packed && !magic.is_empty() {
            let hint = "compress it again with `gzip`, or remove `.gz` from its name if it is not compressed";
            return Err(format_error(&path, "the name ends in `.gz`, but the bytes are not gzip", hint));
        }
        let inner = Box::new(Cursor::new(magic).chain(reader));
        let hashing = BufReader::with_capacity(1 << 16, Hashing { inner, sha256: Sha256::new() });
        let body =
            if packed { Body::Gzip(Box::new(MultiGzDecoder::new(hashing))) } else { Body::Plain(hashing) };
        let mut input = Input { path, head: Cursor::default(), body };
        let head = first_bytes(&mut input).map_err(|source| input.failure(source))?;
        input.head = Cursor::new(head);
        Ok(input)
    }

    /// Whether the first bytes are these.
    pub(super) fn starts_with(&self, start: &[u8]) -> bool {
        self.head.get_ref().starts_with(start)
    }

    /// The extension in lower case, without `.gz`.
    pub(super) fn ending(&self) -> Option<String> {
        let name = self.path.to_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        Path::new(name).extension().and_then(|ending| ending.to_str()).map(String::from)
    }

    /// Fails if the first bytes show that this is no text, or no text of a table.
    pub(super) fn refuse_foreign(&self) -> Result<()> {
        foreign::refuse(&self.path, self.head.get_ref()).map_or(Ok(()), Err)
    }

    /// All remaining bytes.
    #[cfg(feature = "arrow")]
    pub(super) fn read_all(&mut self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        match self.read_to_end(&mut bytes) {
            Ok(_) => Ok(bytes),
            Err(source) => Err(self.failure(source)),
        }
    }

    /// SHA-256, in hexadecimal, of all bytes of the file as they are on disk.
    pub(crate) fn fingerprint(mut self) -> Result<String> {
        let copied = std::io::copy(&mut self, &mut std::io::sink());
        copied.map_err(|source| self.failure(source))?;
        let hashing = match self.body {
            Body::Plain(hashing) => hashing,
            Body::Gzip(unpacker) => unpacker.into_inner(),
        };
        Ok(hexadecimal(hashing.into_inner().sha256))
    }

    /// The error of a failed read: damaged gzip, or a problem with the file itself.
    pub(super) fn failure(&self, source: std::io::Error) -> Error {
        use std::io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
        let damaged = matches!(source.kind(), InvalidData | InvalidInput | UnexpectedEof);
        if damaged && matches!(self.body, Body::Gzip(_)) {
            let hint = "test it with `gzip --test`, and copy or compress it again";
            return format_error(&self.path, format!("the gzip data are damaged ({source})"), hint);
        }
        file_error(&self.path, source)
    }
}

impl Read for Input<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self.head.read(buffer)? {
            0 => match &mut self.body {
                Body::Plain(reader) => reader.read(buffer),
                Body::Gzip(reader) => reader.read(buffer),
            },
            n => Ok(n),
        }
    }
}

impl Read for Hashing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.sha256.update(&buffer[..n]);
        Ok(n)
    }
}

/// How many bytes are needed to recognise any format.
fn first_bytes(reader: &mut impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.by_ref().take(foreign::N_BYTES as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn file_error(path: &str, source: std::io::Error) -> Error {
    Error::File { action: "read", path: path.into(), source }
}
