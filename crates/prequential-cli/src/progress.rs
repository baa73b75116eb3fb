//! Progress on standard error: a bar on a terminal, occasional lines elsewhere.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use prequential::progress::{Estimate, Stage};
use prequential::{Nats, Observer, StopReason, StopToken};

use crate::output::note;

/// Runs of at least this many seconds print an estimate.
const LONG: f64 = 10.0;

/// Seconds between two lines where there is no terminal.
const BETWEEN_LINES: f64 = 30.0;

/// Bytes of a file from which on reading it is worth a line where there is no terminal.
const LARGE: u64 = 64 << 20;

/// Seconds without a better graph that are reported.
const MIN_UNCHANGED: u64 = 2;

/// Nats by which a graph must be better to count as another one: less is rounding.
const MIN_GAIN: f64 = 1e-6;

/// Shows the stage of a run and the number of families scored, and stops the run.
pub(crate) struct Progress {
    /// `None` for silence.
    view: Option<View>,
    stop: StopToken,
}

struct View {
    bar: ProgressBar,
    is_terminal: bool,
    start: Instant,
    state: Mutex<State>,
}

/// The state of the run.
struct State {
    /// Families scored in all stages.
    n_scored: usize,
    stage: Stage,
    of_stage: OfStage,
    /// Families of the first stage, if that is known in advance.
    n_planned: Option<usize>,
    /// The shortest code of a graph, and since when.
    best: Option<(f64, Instant)>,
    last_line: Instant,
}

/// The current stage.
struct OfStage {
    start: Instant,
    n_asked: usize,
    n_scored: usize,
}

impl OfStage {
    fn begin() -> OfStage {
        OfStage { start: Instant::now(), n_asked: 0, n_scored: 0 }
    }
}

/// With the value `off`, nothing is shown: for scripts and tests whose output must not depend on the speed of
/// a machine.
const VARIABLE: &str = "PREQUENTIAL_PROGRESS";

impl Progress {
    pub(crate) fn new(quiet: bool, stop: StopToken) -> Progress {
        let is_off = std::env::var_os(VARIABLE).is_some_and(|value| value == "off");
        Progress { view: (!quiet && !is_off).then(View::new), stop }
    }

    /// Shows that the table is being read.
    pub(crate) fn reading<R>(&self, data: &Path, read: impl FnOnce() -> R) -> R {
        let Some(view) = &self.view else { return read() };
        let n_bytes = std::fs::metadata(data).map_or(0, |found| found.len());
        let message = format!("reading {}, {}", data.display(), HumanBytes(n_bytes));
        if !view.is_terminal && n_bytes >= LARGE {
            note(&message);
        }
        // Hidden where standard error is no terminal.
        let bar = ProgressBar::new_spinner().with_message(message);
        bar.enable_steady_tick(Duration::from_millis(100));
        let done = read();
        bar.finish_and_clear();
        done
    }
}

impl State {
    /// `opening: 1,234 of 4,246 families scored, 27 a second, 2 minutes left`.
    fn line(&self) -> String {
        let OfStage { start, n_asked, n_scored } = self.of_stage;
        let stage = self.stage.name();
        let unchanged = self.unchanged();
        if n_scored == 0 {
            return format!("{stage}{unchanged}");
        }
        let what = if self.stage == Stage::Networks { "families given networks" } else { "families scored" };
        let rate = n_scored as f64 / start.elapsed().as_secs_f64().max(1e-3);
        let rate = if rate < 10.0 { format!("{rate:.1}") } else { HumanCount(rate as u64).to_string() };
        let planned = self.n_planned.filter(|_| self.stage == Stage::InitialScoring);
        let Some(n_planned) = planned.map(|n_planned| n_planned.max(n_asked)) else {
            return format!("{stage}: {} {what}, {rate} a second{unchanged}", HumanCount(n_scored as u64));
        };
        let n_left = n_planned - n_scored.min(n_planned);
        let left = start.elapsed().mul_f64(n_left as f64 / n_scored as f64);
        format!(
            "{stage}: {} of {} {what}, {rate} a second, {} left",
            HumanCount(n_scored as u64),
            HumanCount(n_planned as u64),
            HumanDuration(left)
        )
    }

    /// How long the best graph has been the same during a search.
    fn unchanged(&self) -> String {
        let searches = matches!(self.stage, Stage::Search | Stage::Networks);
        let since = self.best.filter(|_| searches).map(|(_, since)| since.elapsed());
        match since.filter(|since| since.as_secs() >= MIN_UNCHANGED) {
            Some(since) => format!(", the same best graph for {}", HumanDuration(since)),
            None => String::new(),
        }
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
        let state = State {
            n_scored: 0,
            stage: Stage::InitialScoring,
            of_stage: OfStage::begin(),
            n_planned: None,
            best: None,
            last_line: Instant::now(),
        };
        let is_terminal = std::io::stderr().is_terminal();
        View { bar, is_terminal, start: Instant::now(), state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Updates the state and shows it; without a terminal, only if the last line was `seconds` ago.
    fn update(&self, seconds: f64, change: impl FnOnce(&mut State)) {
        let mut state = self.state();
        change(&mut state);
        if self.is_terminal {
            self.bar.set_message(state.line());
            self.bar.tick();
        } else if state.last_line.elapsed().as_secs_f64() > seconds {
            state.last_line = Instant::now();
            note(&state.line());
        }
    }
}

impl Observer for Progress {
    fn planned(&self, estimate: &Estimate) {
        let Some(view) = &self.view else { return };
        view.state().n_planned = estimate.n_opening();
        if estimate.seconds().most > LONG {
            view.bar.suspend(|| note(&estimate.to_text()));
        }
    }

    fn scoring(&self, n_families: usize) {
        if let Some(view) = &self.view {
            view.state().of_stage.n_asked += n_families;
        }
    }

    fn scored(&self, n_families: usize) {
        let Some(view) = &self.view else { return };
        view.update(BETWEEN_LINES, |state| {
            state.n_scored += n_families;
            state.of_stage.n_scored += n_families;
        });
    }

    fn entered(&self, stage: Stage) {
        let Some(view) = &self.view else { return };
        view.bar.enable_steady_tick(Duration::from_millis(100));
        view.update(LONG, |state| {
            if state.stage != stage {
                (state.stage, state.of_stage) = (stage, OfStage::begin());
            }
        });
    }

    fn found(&self, code_length: Nats) {
        let Some(view) = &self.view else { return };
        view.update(BETWEEN_LINES, |state| {
            if state.best.is_none_or(|(best, _)| code_length.0 < best - MIN_GAIN) {
                state.best = Some((code_length.0, Instant::now()));
            }
        });
    }

    fn stop(&self) -> Option<StopReason> {
        self.stop.reason()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        let Some(view) = self.view.as_ref().filter(|view| view.is_terminal) else { return };
        view.bar.finish_and_clear();
        let n_scored = view.state().n_scored;
        if n_scored > 0 {
            let n_scored = HumanCount(n_scored as u64);
            note(&format!("{n_scored} families scored, done in {:.1?}", view.start.elapsed()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress() -> Progress {
        let mut view = View::new();
        view.is_terminal = false;
        Progress { view: Some(view), stop: StopToken::new() }
    }

    fn line(progress: &Progress) -> String {
        progress.view.as_ref().unwrap().state().line()
    }

    #[test]
    fn a_line_says_the_stage_and_how_long_the_best_graph_is_the_same() {
        let progress = progress();
        progress.entered(Stage::InitialScoring);
        assert_eq!(line(&progress), "opening");
        progress.scoring(40);
        progress.scored(10);
        assert!(line(&progress).starts_with("opening: 10 families scored, "), "{}", line(&progress));
        progress.entered(Stage::Search);
        assert_eq!(line(&progress), "search");
        let long_ago = Instant::now().checked_sub(Duration::from_secs(75)).unwrap();
        progress.view.as_ref().unwrap().state().best = Some((100.0, long_ago));
        progress.found(Nats(100.0));
        assert_eq!(line(&progress), "search, the same best graph for 75 seconds");
        progress.found(Nats(99.0));
        assert_eq!(line(&progress), "search");
        progress.entered(Stage::Networks);
        progress.scored(3);
        assert!(line(&progress).starts_with("networks: 3 families given networks, "), "{}", line(&progress));
    }
}
