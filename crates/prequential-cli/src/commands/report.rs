//! `prequential report`: the page that shows a result, from its file.

use prequential::{Result, ResultDocument};

use crate::args::ReportArgs;
use crate::output::{OutputFile, show};

pub(crate) fn run(args: &ReportArgs) -> Result<()> {
    let path = args.out.clone().unwrap_or_else(|| args.result.with_file_name("report.html"));
    let file = OutputFile::prepare(&path, &[&args.result])?;
    file.write(&ResultDocument::read(&args.result)?.to_html())?;
    show(&format!("Written: {}\n", path.display()))
}
