//! `prequential reproduce`: the paper's experiments.

use prequential::Result;
use prequential_paper::{DataSetDone, ReproduceOptions, Reproducible};

use super::sachs_data;
use crate::output::{OutputFile, note, prepare_directory, show};
use crate::reproduce_args::ReproduceArgs;

pub(crate) fn run(args: &ReproduceArgs) -> Result<()> {
    let options = args.options()?;
    args.experiments.iter().try_for_each(|&experiment| reproduce(experiment, options.clone(), args))
}

/// Runs one experiment, writes its files into a directory of its name and shows its summary.
fn reproduce(experiment: Reproducible, mut options: ReproduceOptions, args: &ReproduceArgs) -> Result<()> {
    let directory = args.out.join(experiment.name());
    prepare_directory(&directory)?;
    let summary = OutputFile::prepare(&directory.join("summary.md"), &[])?;
    let numbers = OutputFile::prepare(&directory.join("numbers.json"), &[])?;
    if experiment.needs_data() {
        options.data = Some(sachs_data::table(args.data.as_deref(), &directory)?);
    }
    let listener = |done: &DataSetDone| {
        if !args.quiet {
            note(&format!("{}/{} {}", done.number, done.n_sets, done.outcome));
        }
    };
    let result = experiment.reproduce_observed(&options, &listener)?;
    numbers.write(&result.json)?;
    for (file, svg) in &result.plots {
        OutputFile::prepare(&directory.join(file), &[])?.write(svg)?;
    }
    summary.write(&result.markdown)?;
    let plots = result.plots.iter().map(|(file, _)| file.as_str());
    let files: Vec<&str> = ["summary.md", "numbers.json"].into_iter().chain(plots).collect();
    let written = format!("Written to {}: {}", directory.display(), files.join(", "));
    show(&format!("{}\n{written}\n", result.markdown))
}
