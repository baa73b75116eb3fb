//! `prequential store`: describes, merges and exports files of code lengths.

use prequential::Result;
use prequential::scores::{LocalScores, StoreInfo, merge_stores};

use crate::args::OutputFormat;
use crate::output::{OutputFile, show};
use crate::store_args::{ExportArgs, ExportFormat, StoreArgs, StoreCommand};

pub(crate) fn run(args: &StoreArgs) -> Result<()> {
    match &args.command {
        StoreCommand::Info { store, format } => {
            let info = StoreInfo::read(store)?;
            match format {
                OutputFormat::Text => show(&info.to_text()),
                OutputFormat::Json => show(&info.to_json()),
            }
        }
        StoreCommand::Merge { out, inputs } => {
            let merged = merge_stores(out, inputs)?;
            show(&format!(
                "{}: {} code lengths added, {} were there already\n",
                out.display(),
                merged.n_added,
                merged.n_known
            ))
        }
        StoreCommand::Export(args) => export(args),
    }
}

fn export(args: &ExportArgs) -> Result<()> {
    let file = args.out.as_deref().map(|path| OutputFile::prepare(path, &[&args.store])).transpose()?;
    let scores = LocalScores::read_store(&args.store, args.settings)?;
    let text = match args.format {
        ExportFormat::Json => scores.to_json(),
        ExportFormat::Csv => scores.to_csv(),
        ExportFormat::Jkl => scores.to_jkl()?,
    };
    match file {
        Some(file) => file.write(&text),
        None => show(&text),
    }
}
