//! `prequential decompress`: restores a table, byte for byte.

use prequential::Result;
use prequential::compression::decompress;

use super::compress::read_bytes;
use crate::args::DecompressArgs;
use crate::output::OutputFile;

pub(crate) fn run(args: &DecompressArgs) -> Result<()> {
    let file = OutputFile::prepare(&args.out, &[&args.file])?;
    file.write(&decompress(&args.file.to_string_lossy(), &read_bytes(&args.file)?)?)
}
