//! `prequential compress`: writes a table as a file that is as long as its score says.

use std::io::Read;
use std::path::Path;

use prequential::compression::compress;
use prequential::{Error, Knowledge, Result, Table};

use super::graph_of;
use crate::args::{CompressArgs, OutputFormat};
use crate::output::{OutputFile, show, warn};
use crate::wording::CommandLine;

pub(crate) fn run(args: &CompressArgs) -> Result<()> {
    let file = OutputFile::prepare(&args.out, &[&args.data, &args.graph])?;
    let bytes = read_bytes(&args.data)?;
    let table = Table::from_bytes(&args.data.to_string_lossy(), &bytes, &args.options.read_options())?;
    let dag = graph_of(&args.graph, &table.names(), &Knowledge::default())?;
    if !args.quiet {
        table.warnings().iter().for_each(|warning| warn(&warning.worded(&CommandLine)));
    }
    let compressed = compress(&bytes, &table, &dag, &args.settings()?)?;
    file.write(&compressed.bytes)?;
    match args.format {
        OutputFormat::Text => show(&compressed.sizes.to_text()),
        OutputFormat::Json => show(&compressed.sizes.to_json()),
    }
}

/// All bytes of a file; `-` is standard input.
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    let read = match path == Path::new("-") {
        true => {
            let mut bytes = Vec::new();
            std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        }
        false => std::fs::read(path),
    };
    read.map_err(|source| Error::File { action: "read", path: path.to_path_buf(), source })
}
