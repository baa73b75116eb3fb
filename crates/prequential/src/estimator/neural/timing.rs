//! How long training steps take: `cargo test --release --lib timing -- --ignored --nocapture`, on a quiet machine.

use std::sync::Arc;
use std::time::Instant;

use super::*;
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
        let start = Instant::now();
        let code = code_blockwise(&settings, &inputs, &target, 1, 0);
        println!("{:.3} ms per step", start.elapsed().as_secs_f64() * 1e3 / code.n_steps as f64);
    }
}

#[test]
#[ignore = "a measurement"]
#[allow(clippy::print_stdout)]
fn of_replay() {
    let (inputs, target) = family(5_000, 4);
    let settings = ReplaySettings::default();
    let waves = Arc::new(WaveInputs::new(&inputs, &settings.waves, 1, 0));
    for _ in 0..5 {
        let start = Instant::now();
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
        let per_step = start.elapsed().as_secs_f64() * 1e6 / (n_families * n_steps) as f64;
        println!("{per_step:.2} microseconds per step of {} inputs; {sum:.6}", waves.width());
    }
}

#[test]
#[ignore = "a measurement"]
#[allow(clippy::print_stdout)]
fn explore() {
    use crate::table::*;
    let n = 1500;
    let mut rng = crate::estimator::streams::stream(5, crate::estimator::streams::Purpose::Weights, 0, 0);
    let mut draw = || { let mut v = vec![0.0f32; n]; crate::estimator::streams::normal_draws(&mut rng, &mut v); v };
    let (a, e, f) = (draw(), draw(), draw());
    let a: Vec<f64> = a.iter().map(|&x| f64::from(x)).collect();
    let b: Vec<f64> = (0..n).map(|i| (2.0 * a[i]).sin() + 0.2 * f64::from(e[i])).collect();
    let c: Vec<f64> = (0..n).map(|i| b[i] * b[i] - 0.5 + 0.3 * f64::from(f[i])).collect();
    let var = |name: &str, v: Vec<f64>| Variable { name: name.into(), values: Values::Numbers(v), intervened: None };
    let table = Table::new(vec![var("a", a), var("b", b), var("c", c)]).unwrap();
    let data = Quantised::with(&table, &Quantisation { n_bins: 128, binning: Binning::Tanh, inputs: Inputs::Raw });
    let base = BlockwiseSettings { hidden: vec![128, 128], n_frequencies: 64, frequency_scale: 3.0, learning_rates: vec![3e-4, 1e-3], max_steps: 3000, batch: 64, ..BlockwiseSettings::default() };
    let variants = vec![
        ("base", base.clone()),
        ("no calibration", BlockwiseSettings { calibrate: false, ..base.clone() }),
        ("rate 0.003", BlockwiseSettings { calibration_rate: 0.003, ..base.clone() }),
        ("rate 0.03", BlockwiseSettings { calibration_rate: 0.03, ..base.clone() }),
        ("min validation 4", BlockwiseSettings { min_validation: 4, ..base.clone() }),
        ("share 0.2", BlockwiseSettings { validation_share: 0.2, ..base.clone() }),
        ("interval 25", BlockwiseSettings { evaluation_interval: 25, ..base.clone() }),
        ("interval 50 patience 10", BlockwiseSettings { evaluation_interval: 50, patience: 10, ..base.clone() }),
        ("patience 2", BlockwiseSettings { patience: 2, ..base.clone() }),
        ("patience 10", BlockwiseSettings { patience: 10, ..base.clone() }),
        ("first 32", BlockwiseSettings { first_split: 32, ..base.clone() }),
        ("first 64", BlockwiseSettings { first_split: 64, ..base.clone() }),
    ];
    for (name, settings) in variants {
        let mut line = format!("{name:24}");
        for (child, parents) in [(1, 0), (1, 1), (1, 5), (2, 3)] {
            let inputs = ParentInputs::new(&data, &NodeSet::from_bits(parents), None);
            let target = Target::new(data.column(child), || unreachable!());
            let code = code_blockwise(&settings, &inputs, &target, 1, 0);
            line += &format!(" | {:.0} in {:5}:", code.losses.iter().sum::<f64>(), code.n_steps);
            for block in settings.blocks(n) {
                line += &format!(" {:.2}", code.losses[block.clone()].iter().sum::<f64>() / block.len() as f64);
            }
        }
        println!("{line}");
    }
}
