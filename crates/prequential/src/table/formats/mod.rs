//! Table formats: each is read into typed columns. A new format is a file here and a line in `FORMATS`.

#[cfg(feature = "arrow")]
mod arrow;
#[cfg(feature = "arrow")]
mod arrow_damage;
mod csv;
mod csv_faults;
#[cfg(feature = "arrow")]
mod decimals;
#[cfg(feature = "arrow")]
mod decode;
mod foreign;
mod input;
mod line_ends;
mod memory;
#[cfg(feature = "arrow")]
mod parquet;

#[cfg(feature = "arrow")]
pub(super) use arrow::from_batches;
pub(crate) use csv::delimiter;
pub(super) use input::Input;
pub(super) use memory::from_columns;

use super::columns::{InputTable, Keep};
use crate::base::error::Result;

/// How a file format is recognised and read.
struct Format {
    /// The first bytes of its files.
    starts: &'static [&'static [u8]],
    /// The extension of its files, in lower case.
    endings: &'static [&'static str],
    read: fn(&mut Input, &Keep) -> Result<InputTable>,
}

/// The formats recognised by their first bytes or by name; any other file is a text table.
#[cfg(feature = "arrow")]
const FORMATS: [Format; 2] = [
    Format { starts: &[b"PAR1"], endings: &["parquet", "pq"], read: parquet::read },
    Format {
        starts: &[b"ARROW1", &[0xff; 4]],
        endings: &["arrow", "arrows", "feather", "ipc"],
        read: arrow::read,
    },
];

/// The formats are recognised and refused.
#[cfg(not(feature = "arrow"))]
const FORMATS: [Format; 2] = [
    Format { starts: &[b"PAR1"], endings: &["parquet", "pq"], read: without_feature },
    Format {
        starts: &[b"ARROW1", &[0xff; 4]],
        endings: &["arrow", "arrows", "feather", "ipc"],
        read: without_feature,
    },
];

#[cfg(not(feature = "arrow"))]
fn without_feature(input: &mut Input, _: &Keep) -> Result<InputTable> {
    let problem = "this build of prequential cannot read Parquet and Arrow files";
    let hint = "build it with the feature `arrow`, or convert the file to CSV";
    Err(foreign::format_error(&input.path, problem, hint))
}

/// Reads the columns that `keep` asks for, in the format that the first bytes show, or else the one that the name ends in.
pub(super) fn read(input: &mut Input, keep: &Keep) -> Result<InputTable> {
    let starts_so = |format: &&Format| format.starts.iter().any(|start| input.starts_with(start));
    let ends_so =
        |format: &&Format| input.ending().is_some_and(|ending| format.endings.contains(&ending.as_str()));
    let format = FORMATS.iter().find(starts_so).or_else(|| FORMATS.iter().find(ends_so));
    format.map_or(csv::read as fn(&mut Input, &Keep) -> _, |format| format.read)(input, keep)
}
