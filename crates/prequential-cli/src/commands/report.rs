//! `prequential report`: the page that shows a result, from its file.

use std::path::Path;

use prequential::wording::{Call, Message};
use prequential::{Error, Result, report_html};

use crate::args::ReportArgs;
use crate::output::{OutputFile, show};

pub(crate) fn run(args: &ReportArgs) -> Result<()> {
    let path = args.out.clone().unwrap_or_else(|| args.result.with_file_name("report.html"));
    let file = OutputFile::prepare(&path, &[&args.result])?;
    let result = args.result.display().to_string();
    file.write(&report_html(&read(&args.result)?, &result)?)?;
    show(&format!("Written: {}\n", path.display()))
}

fn read(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path);
    let bytes = bytes.map_err(|source| Error::File { action: "read", path: path.to_path_buf(), source })?;
    String::from_utf8(bytes).map_err(|_| Error::Format {
        path: path.display().to_string(),
        line: None,
        problem: "this is not JSON: it is not UTF-8 text".into(),
        hint: Message::from("give the `result.json` of ") + Call::LearnToFiles,
    })
}
