//! How far the work is, on standard error: a bar on a terminal, a line now and then elsewhere.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use prequential::{Estimate, Observer, StopReason, StopToken};

use crate::output::note;

/// Seconds of work from which on an estimate is worth a line.
const LONG: f64 = 10.0;

/// Seconds between two lines where there is no terminal.
const BETWEEN_LINES: f64 = 30.0;

/// Shows how many families are scored, and says when to stop.
pub(crate) struct Progress {
    /// `None` for silence.
    view: Option<View>,
    stop: StopToken,
}

struct View {
    bar: ProgressBar,
    is_terminal: bool,
    start: Instant,
    n_asked: AtomicUsize,
    n_scored: AtomicUsize,
    /// Families of the whole run, where that is known beforehand.
    n_planned: AtomicUsize,
    last_line: Mutex<Instant>,
}

impl Progress {
    pub(crate) fn new(quiet: bool, stop: StopToken) -> Progress {
        Progress { view: (!quiet).then(View::new), stop }
    }
}

impl View {
    fn new() -> View {
        // Hidden by indicatif when standard error is not a terminal.
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        bar.set_style(
            ProgressStyle::with_template("{spinner} {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_spinner()),
        );
        View {
            bar,
            is_terminal: std::io::stderr().is_terminal(),
            start: Instant::now(),
            n_asked: AtomicUsize::new(0),
            n_scored: AtomicUsize::new(0),
            n_planned: AtomicUsize::new(0),
            last_line: Mutex::new(Instant::now()),
        }
    }

    /// `1,234 of 4,246 families scored, 27 a second, 2 minutes left`.
    fn line(&self) -> String {
        let n_scored = self.n_scored.load(Ordering::Relaxed);
        let n_planned = self.n_planned.load(Ordering::Relaxed).max(self.n_asked.load(Ordering::Relaxed));
        let rate = n_scored as f64 / self.start.elapsed().as_secs_f64().max(1e-3);
        let rate = if rate < 10.0 { format!("{rate:.1}") } else { HumanCount(rate as u64).to_string() };
        if self.n_planned.load(Ordering::Relaxed) == 0 {
            return format!("{} families scored so far, {rate} a second", HumanCount(n_scored as u64));
        }
        let left = self
            .start
            .elapsed()
            .mul_f64((n_planned - n_scored.min(n_planned)) as f64 / n_scored.max(1) as f64);
        format!(
            "{} of {} families scored, {rate} a second, {} left",
            HumanCount(n_scored as u64),
            HumanCount(n_planned as u64),
            HumanDuration(left)
        )
    }

    fn show(&self) {
        if self.is_terminal {
            self.bar.set_message(self.line());
            self.bar.tick();
            return;
        }
        let mut last_line = self.last_line.lock().unwrap_or_else(PoisonError::into_inner);
        if last_line.elapsed().as_secs_f64() > BETWEEN_LINES {
            *last_line = Instant::now();
            note(&self.line());
        }
    }
}

impl Observer for Progress {
    fn planned(&self, estimate: &Estimate) {
        let Some(view) = &self.view else { return };
        if !estimate.is_least {
            let so_far = view.n_scored.load(Ordering::Relaxed);
            view.n_planned.store(estimate.n_families.max(so_far), Ordering::Relaxed);
        }
        if estimate.seconds > LONG {
            view.bar.suspend(|| note(&estimate.to_text()));
        }
    }

    fn scoring(&self, n_families: usize) {
        if let Some(view) = &self.view {
            view.n_asked.fetch_add(n_families, Ordering::Relaxed);
        }
    }

    fn scored(&self, n_families: usize) {
        if let Some(view) = &self.view {
            view.n_scored.fetch_add(n_families, Ordering::Relaxed);
            view.show();
        }
    }

    fn searching(&self) {
        if let Some(view) = &self.view {
            view.bar.set_message("searching");
            view.bar.enable_steady_tick(Duration::from_millis(100));
        }
    }

    fn stop(&self) -> Option<StopReason> {
        self.stop.reason()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(view) = self.view.as_ref().filter(|view| view.is_terminal) {
            view.bar.finish_and_clear();
            let n_scored = HumanCount(view.n_scored.load(Ordering::Relaxed) as u64);
            note(&format!("{n_scored} families scored, done in {:.1?}", view.start.elapsed()));
        }
    }
}
