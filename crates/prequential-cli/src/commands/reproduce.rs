//! `prequential reproduce`: the paper's experiments.

use clap::ValueEnum;
use prequential::{Observer, Reproducible, Result};

use super::sachs_data;
use crate::args::ReproduceArgs;
use crate::output::{OutputFile, note, prepare_directory, show};

/// Says on standard error which data sets are done.
struct DataSets {
    quiet: bool,
}

impl Observer for DataSets {
    fn data_set(&self, number: usize, n_sets: usize, outcome: &str) {
        if !self.quiet {
            note(&format!("{number}/{n_sets} {outcome}"));
        }
    }
}

pub(crate) fn run(args: &ReproduceArgs) -> Result<()> {
    let mut options = args.options()?;
    for experiment in &args.experiments {
        let name =
            experiment.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default();
        let directory = args.out.join(name);
        prepare_directory(&directory)?;
        let summary = OutputFile::prepare(&directory.join("summary.md"), &[])?;
        let numbers = OutputFile::prepare(&directory.join("numbers.json"), &[])?;
        let observer = DataSets { quiet: args.quiet };
        if experiment.experiment() == Reproducible::Sachs {
            options.data = Some(sachs_data::table(args.data.as_deref(), &directory)?);
        }
        let result = experiment.experiment().reproduce_observed(&options, &observer)?;
        numbers.write(&format!("{:#}\n", result.json))?;
        for (file, svg) in &result.plots {
            OutputFile::prepare(&directory.join(file), &[])?.write(svg)?;
        }
        summary.write(&result.markdown)?;
        let plots = result.plots.iter().map(|(file, _)| file.as_str());
        let files: Vec<&str> = ["summary.md", "numbers.json"].into_iter().chain(plots).collect();
        let written = format!("Written to {}: {}", directory.display(), files.join(", "));
        show(&format!("{}\n{written}\n", result.markdown))?;
    }
    Ok(())
}
