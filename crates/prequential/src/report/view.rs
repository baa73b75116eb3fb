//! What a reader may ask of a view.

use crate::base::message::{Message, PlainWording, Wording};
use crate::run::{Plan, TruthReport};
use crate::table::Table;

/// What a view shows besides what it always shows, and how it words options.
///
/// ```
/// use prequential::{Settings, ViewOptions, learn};
/// use prequential_simulate::Experiment;
/// let table = Experiment::Asia.simulate(500, 1)?.table;
/// let learned = learn(&table, &Settings::default())?;
/// let json = learned.to_json(&table, &ViewOptions { families: true, ..ViewOptions::default() });
/// assert!(json.contains("\"kind\": \"learned\"") && json.contains("\"families\": ["));
/// # Ok::<(), prequential::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ViewOptions<'a> {
    /// JSON of a run of `learn`: the code length of every scored family, and the curves of those in the ranking.
    pub families: bool,
    /// A comparison with a known graph.
    pub truth: Option<&'a TruthReport>,
    /// JSON: the command that would continue a run that was stopped.
    pub command: Option<&'a str>,
    /// JSON: the command of the run, as it was typed.
    pub run: Option<&'a str>,
    /// Text of a run of `score`: how many parent sets of each variable are listed.
    pub top: usize,
    /// How options are spelt in warnings and hints.
    pub wording: &'a dyn Wording,
}

impl Default for ViewOptions<'_> {
    fn default() -> Self {
        ViewOptions {
            families: false,
            truth: None,
            command: None,
            run: None,
            top: 10,
            wording: &PlainWording,
        }
    }
}

impl ViewOptions<'_> {
    /// A sentence in the reader's words.
    pub(super) fn worded(&self, message: impl Into<Message>) -> String {
        message.into().worded(self.wording)
    }

    /// How the table was read, in the reader's words.
    pub(super) fn notes(&self, table: &Table) -> Vec<String> {
        table.notes().iter().map(|note| self.worded(note.clone())).collect()
    }

    /// What is doubtful about the table and about how it is coded, in the reader's words.
    pub(super) fn warnings(&self, table: &Table, plan: &Plan) -> Vec<String> {
        table.warnings().iter().cloned().chain(plan.warnings()).map(|warning| self.worded(warning)).collect()
    }
}
