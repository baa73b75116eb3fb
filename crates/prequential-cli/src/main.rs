//! The command `prequential`: reads options, calls the library, shows the results.

mod args;
mod commands;
mod flags;
mod names;
mod output;
mod progress;
mod reproduce_args;
mod stopping;
mod store_args;
mod wording;

use std::process::ExitCode;

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use prequential::Error;

use crate::args::{Cli, Command};

/// The exit code of an invalid command line, as in clap.
const BAD_USAGE: u8 = 2;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            if let Some(error) = former_option(&error) {
                output::complain(&error);
                return ExitCode::from(BAD_USAGE);
            }
            error.exit()
        }
    };
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

/// The message for options of earlier versions.
fn former_option(error: &clap::Error) -> Option<Error> {
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(typed))
            if error.kind() == ErrorKind::UnknownArgument && Error::was_option(typed) =>
        {
            Some(Error::unknown_option(typed, &[]))
        }
        _ => None,
    }
}
