//! The tests of the command, in one program.

mod commands;
mod hostile;
mod keywords;
mod messages;
mod paths;
mod place;
mod store;
