//! How long training steps take: `cargo test --release --lib timing -- --ignored --nocapture`. Prints CPU time, one JSON
//! object per line.

use cpu_time::ProcessTime;

use super::*;
use crate::base::stop::Halt;
use crate::estimator::{ParentInputs, Predictor, Target};
use crate::graph::NodeSet;
use crate::table::{Quantised, Table, Values, Variable};

fn family(n_rows: usize, n_parents: usize) -> (ParentInputs, Target) {
    let numbers = |i: usize| (0..n_rows).map(|row| ((row * 37 + i * 11) as f64 * 0.618).sin()).collect();
    let variable =
        |i: usize| Variable { name: format!("x{i}"), values: Values::Numbers(numbers(i)), intervened: None };
    let data = Quantised::new(&Table::new((0..=n_parents).map(variable).collect()).unwrap(), 128);
    let parents = NodeSet::from_bits((1 << n_parents) - 1);
    let inputs = ParentInputs::new(&data, &parents, None);
    (inputs, Target::new(data.column(n_parents), || unreachable!()))
}

#[test]
#[ignore = "a measurement"]
#[allow(clippy::print_stdout)]
fn of_the_paper() {
    let (inputs, target) = family(4_000, 4);
    let settings = BlockwiseSettings {
        n_splits: 1,
        first_split: 3_999,
        learning_rates: vec![1e-4],
        max_steps: 100,
        evaluation_interval: 1_000_000,
        calibrate: false,
        validation_share: 0.0,
        min_validation: 1,
        ..BlockwiseSettings::default()
    };
    for _ in 0..5 {
        let start = ProcessTime::now();
        let code = code_blockwise(&settings, &inputs, &target, 1, 0, Halt::default());
        let ms_per_step = start.elapsed().as_secs_f64() * 1e3 / code.n_steps as f64;
        println!("{}", serde_json::json!({ "ms_per_step": ms_per_step, "loss": code.losses[3_999] }));
    }
}

#[test]
#[ignore = "a measurement"]
#[allow(clippy::print_stdout)]
fn of_replay() {
    let (inputs, target) = family(5_000, 4);
    let settings = ReplaySettings::default();
    let waves = WaveInputs::new(&inputs, &settings.waves, 1, 0);
    for _ in 0..5 {
        let start = ProcessTime::now();
        let (n_families, n_steps) = (20, 600);
        let mut sum = 0.0;
        for _ in 0..n_families {
            let mut net = ReplayNet::new(&settings, &waves, &target, 1, 0);
            for _ in 0..n_steps / settings.n_steps {
                net.observe(2_000..4_000, net.log_loss(16..17, &mut [0.0]));
            }
            let mut losses = vec![0.0; 1_000];
            net.log_loss(4_000..5_000, &mut losses);
            sum += losses.iter().sum::<f64>();
        }
        let ms_per_step = start.elapsed().as_secs_f64() * 1e3 / (n_families * n_steps) as f64;
        println!(
            "{}",
            serde_json::json!({ "ms_per_step": ms_per_step, "n_inputs": waves.width(), "loss": sum })
        );
    }
}
