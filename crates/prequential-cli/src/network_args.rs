//! The options of neural networks.

use clap::Args;
use prequential::Settings;

/// How networks learn; each has a default that depends on the schedule.
#[derive(Debug, Args)]
#[command(next_help_heading = "Networks")]
pub(crate) struct NetworkArgs {
    /// Units of each hidden layer, such as 32,32
    #[arg(long, value_name = "N,N,..", value_delimiter = ',')]
    hidden: Option<Vec<usize>>,
    /// Learning rate of the optimiser; with the blockwise schedule, several to choose from
    #[arg(long, value_name = "X,..", value_delimiter = ',')]
    learning_rate: Option<Vec<f64>>,
    /// Gradient steps: after each chunk (replay), or at most for each split (blockwise)
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// Rows per gradient step
    #[arg(long, value_name = "N")]
    batch: Option<usize>,
}

impl NetworkArgs {
    /// Enters what was given.
    pub(crate) fn apply(&self, settings: &mut Settings) {
        let replay = &mut settings.replay;
        if let Some(hidden) = &self.hidden {
            replay.hidden = hidden.clone();
        }
        if let Some([rate, ..]) = self.learning_rate.as_deref() {
            replay.learning_rate = *rate;
        }
        replay.n_steps = self.steps.unwrap_or(replay.n_steps);
        replay.batch = self.batch.unwrap_or(replay.batch);
        if let Ok(d) = std::env::var("LAB_DECAY") {
            replay.decay = d.parse().unwrap();
        }
        if let Ok(d) = std::env::var("LAB_GROWTH") {
            replay.growth = d.parse().unwrap();
        }
        if let Ok(d) = std::env::var("LAB_JOINT") {
            replay.waves.n_joint = d.parse().unwrap();
        }
        if let Ok(d) = std::env::var("LAB_AXIS") {
            replay.waves.n_axis = d.parse().unwrap();
        }
        if let Ok(d) = std::env::var("LAB_AXSCALE") {
            replay.waves.axis_scale = d.parse().unwrap();
        }
        if let Ok(d) = std::env::var("LAB_LN") {
            replay.layer_norm = d == "1";
        }
    }
}
