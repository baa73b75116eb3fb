//! Runs the real command in a directory, and captures its output.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A directory with a good table `t.csv` in it, where the command runs.
pub(crate) struct Place(pub(crate) TempDir);

impl Place {
    pub(crate) fn new() -> Place {
        let place = Place(TempDir::new().unwrap());
        place.write("t.csv", csv("a,b", |row| format!("{},{}", row % 2, row % 3)));
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_prequential"));
        command.current_dir(&self.0).args(args).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// What the user reads when `args` fail, as it stands on standard error.
    pub(crate) fn complaint(&self, args: &[&str]) -> String {
        complaint(self.run(args))
    }

    /// Runs `learn` on a file with this content.
    pub(crate) fn complaint_about(&self, content: impl AsRef<[u8]>) -> String {
        self.write("x.csv", content);
        self.complaint(&["learn", "x.csv"])
    }

    /// The result of `learn` on a file with this content, by counting.
    pub(crate) fn learn(&self, content: impl AsRef<[u8]>) -> Value {
        self.write("x.csv", content);
        let output = self.run(&["learn", "x.csv", "--estimator", "counts", "--format", "json"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

pub(crate) fn complaint(output: Output) -> String {
    let shown = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert_eq!(text(&output.stdout), "");
    for pair in shown.lines().collect::<Vec<_>>().chunks(2) {
        assert!(pair[0].starts_with("error: ") && pair[1].starts_with("hint: "), "{shown}");
    }
    shown
}

/// Says why a test was left out; straight to standard error, for the output of tests that pass is kept back.
///
/// # Panics
/// In CI, where nothing is left out.
pub(crate) fn skipped(reason: &str) {
    use std::io::Write;
    assert!(std::env::var_os("CI").is_none(), "not to be left out in CI: {reason}");
    let _ = writeln!(std::io::stderr(), "a test was skipped: {reason}");
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A header and 200 rows.
pub(crate) fn csv(header: &str, row: impl Fn(usize) -> String) -> String {
    let rows: String = (0..200).map(|number| row(number) + "\n").collect();
    format!("{header}\n{rows}")
}
