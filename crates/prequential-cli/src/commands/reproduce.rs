//! `prequential reproduce`: the paper's experiments.

use clap::ValueEnum;
use prequential::{ReproduceOptions, Result};

use crate::args::ReproduceArgs;
use crate::output::{OutputFile, prepare_directory, show};

pub(crate) fn run(args: &ReproduceArgs) -> Result<()> {
    let options = ReproduceOptions {
        rows: args.rows.map(|rows| rows as usize),
        seed: args.seed,
        n_seeds: args.seeds as usize,
        repeats: args.repeats.map(|repeats| repeats as usize),
        threads: args.threads.map(usize::from),
    };
    for experiment in &args.experiments {
        let name =
            experiment.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default();
        let directory = args.out.join(name);
        prepare_directory(&directory)?;
        let summary = OutputFile::prepare(&directory.join("summary.md"))?;
        let numbers = OutputFile::prepare(&directory.join("numbers.json"))?;
        let result = experiment.experiment().reproduce(&options)?;
        numbers.write(&format!("{:#}\n", result.json))?;
        for (file, svg) in &result.plots {
            OutputFile::prepare(&directory.join(file))?.write(svg)?;
        }
        summary.write(&result.markdown)?;
        let plots: Vec<&str> = result.plots.iter().map(|(file, _)| file.as_str()).collect();
        show(&format!(
            "{}\nWritten to {}: summary.md, numbers.json, {}\n",
            result.markdown,
            directory.display(),
            plots.join(", ")
        ))?;
    }
    Ok(())
}
