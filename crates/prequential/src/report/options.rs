//! What a document holds besides what it always holds.

use crate::base::message::{Message, PlainWording, Wording};
use crate::run::TruthReport;

/// What a document holds besides what it always holds, and how it words options.
///
/// ```
/// use prequential::{DocumentOptions, Settings, learn};
/// use prequential_simulate::Experiment;
/// let table = Experiment::Asia.simulate(500, 1)?.table;
/// let learned = learn(&table, &Settings::default())?;
/// let document = learned.document(&DocumentOptions { families: true, ..DocumentOptions::default() });
/// assert!(document.to_json().contains("\"families\": ["));
/// # Ok::<(), prequential::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct DocumentOptions<'a> {
    /// Of a run of `learn`: the code length of every scored family, the curves of those in the ranking, and rows beside the shapes.
    pub families: bool,
    /// A comparison with a known graph.
    pub truth: Option<&'a TruthReport>,
    /// The command that would continue a run that was stopped.
    pub continue_with: Option<&'a str>,
    /// The command of the run, as it was typed.
    pub command: Option<&'a str>,
    /// How options are spelt in notes and warnings.
    pub wording: &'a dyn Wording,
}

impl Default for DocumentOptions<'_> {
    fn default() -> Self {
        DocumentOptions {
            families: false,
            truth: None,
            continue_with: None,
            command: None,
            wording: &PlainWording,
        }
    }
}

impl DocumentOptions<'_> {
    /// A sentence in the reader's words.
    pub(super) fn worded(&self, message: Message) -> String {
        message.worded(self.wording)
    }
}
