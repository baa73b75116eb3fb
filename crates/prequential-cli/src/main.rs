//! The command `prequential`: reads options, calls the library, shows what it says.

mod args;
mod choices;
mod commands;
mod estimator_args;
mod knowledge_args;
mod names;
mod network_args;
mod output;
mod progress;
mod reproduce_args;
mod search_args;
mod stopping;
mod store_args;
mod wording;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Command};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        Command::Learn(args) => commands::learn::run(&args),
        Command::Score(args) => commands::score::run(&args),
        Command::Search(args) => commands::search::run(&args),
        Command::Store(args) => commands::store::run(&args),
        Command::Compress(args) => commands::compress::run(&args),
        Command::Decompress(args) => commands::decompress::run(&args),
        Command::Compare(args) => commands::compare::run(&args),
        Command::Report(args) => commands::report::run(&args),
        Command::Simulate(args) => commands::simulate::run(&args),
        Command::Reproduce(args) => commands::reproduce::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&error);
            ExitCode::from(1)
        }
    }
}
