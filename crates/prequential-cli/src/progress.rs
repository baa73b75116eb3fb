//! A bar on standard error while families are scored; silent when that is not a terminal.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use prequential::Observer;

/// Shows how many families are scored.
pub(crate) struct Progress {
    quiet: bool,
    bar: OnceLock<ProgressBar>,
    start: Instant,
}

impl Progress {
    pub(crate) fn new(quiet: bool) -> Progress {
        Progress { quiet, bar: OnceLock::new(), start: Instant::now() }
    }
}

impl Observer for Progress {
    fn scoring(&self, n_families: usize) {
        if self.quiet {
            return;
        }
        // Hidden by indicatif when standard error is not a terminal.
        let bar =
            ProgressBar::with_draw_target(Some(n_families as u64), ProgressDrawTarget::stderr_with_hz(10));
        let style =
            ProgressStyle::with_template("scoring {bar:30} {human_pos}/{human_len} families, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let _ = self.bar.set(bar);
    }

    fn scored(&self, n_families: usize) {
        if let Some(bar) = self.bar.get() {
            bar.inc(n_families as u64);
        }
    }

    fn searching(&self) {
        if let Some(bar) = self.bar.get() {
            bar.set_style(
                ProgressStyle::with_template("{spinner} searching")
                    .unwrap_or_else(|_| ProgressStyle::default_spinner()),
            );
            bar.enable_steady_tick(Duration::from_millis(100));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            let n_families = HumanCount(bar.length().unwrap_or(0));
            bar.println(format!("{n_families} families scored, done in {:.1?}", self.start.elapsed()));
            bar.finish_and_clear();
        }
    }
}
