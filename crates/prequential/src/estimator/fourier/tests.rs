//! Tests of the whole predictor.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Deserialize;

use super::*;
use crate::base::normal;
use crate::estimator::prequential::growing_chunks;
use crate::graph::NodeSet;
use crate::table::{MISSING, Quantised, Table, Values, Variable};

fn table(columns: Vec<Values>) -> Quantised {
    let variable =
        |(i, values): (usize, Values)| Variable { name: format!("x{i}"), values, intervened: None };
    Quantised::new(&Table::new(columns.into_iter().enumerate().map(variable).collect()).unwrap(), 128)
}

fn labels(codes: impl IntoIterator<Item = u32>, n_levels: usize) -> Values {
    let levels = (0..n_levels).map(|level| format!("l{level}")).collect();
    Values::Labels { levels, codes: codes.into_iter().collect() }
}

fn normals(n_rows: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
    (0..n_rows).map(|_| normal::quantile(rng.random_range(1e-12..1.0))).collect()
}

fn target(data: &Quantised, child: usize) -> Target {
    let column = data.column(child);
    Target::new(column, || {
        let mut counts = vec![0.5; column.n_levels];
        let mut cost = |&code: &u32| {
            let loss = (counts.iter().sum::<f64>() / counts[code as usize]).ln();
            counts[code as usize] += 1.0;
            loss
        };
        column.coded(&column.codes).iter().map(&mut cost).collect()
    })
}

/// The losses of each child in each row.
fn losses(mut predictor: FourierPredictor) -> Vec<Vec<f64>> {
    let mut all = vec![Vec::new(); predictor.n_children()];
    for rows in growing_chunks(predictor.inputs.n_rows(), predictor.settings.growth) {
        let mut losses = vec![0.0; all.len() * rows.len()];
        let prediction = predictor.log_loss(rows.clone(), &mut losses);
        all.iter_mut()
            .zip(losses.chunks_exact(rows.len()))
            .for_each(|(all, losses)| all.extend_from_slice(losses));
        predictor.observe(rows, prediction);
    }
    all
}

/// The losses of one child coded in its rows.
fn family_losses(data: &Quantised, settings: &FourierSettings, parents: u64, child: usize) -> Vec<f64> {
    let inputs =
        ParentInputs::new(data, &NodeSet::from_bits(parents), data.column(child).rows_used.as_deref());
    let targets = [target(data, child)];
    losses(FourierPredictor::new(settings, 1, &inputs, &targets)).remove(0)
}

fn code_length(data: &Quantised, parents: u64, child: usize) -> f64 {
    family_losses(data, &FourierSettings::default(), parents, child).iter().sum()
}

fn marginal_length(data: &Quantised, child: usize) -> f64 {
    target(data, child).marginal_losses.iter().sum()
}

#[derive(Deserialize)]
struct Oracle {
    columns: Vec<Vec<f64>>,
    sets: Vec<OracleSet>,
}

#[derive(Deserialize)]
struct OracleSet {
    parents: Vec<usize>,
    frequencies: Vec<Vec<Vec<f64>>>,
    children: Vec<usize>,
    nats: Vec<f64>,
    last_losses: Vec<Vec<f64>>,
}

/// How the file was made: beside it.
#[test]
fn code_lengths_agree_with_another_implementation() {
    let text = include_str!("../../../tests/data/fourier/oracle.json");
    let oracle: Oracle = serde_json::from_str(text).unwrap();
    let data = table(oracle.columns.into_iter().map(Values::Numbers).collect());
    for set in oracle.sets {
        let parents = NodeSet::from_bits(set.parents.iter().map(|parent| 1 << parent).sum());
        let inputs = ParentInputs::new(&data, &parents, None);
        let targets: Vec<Target> = set.children.iter().map(|&child| target(&data, child)).collect();
        let settings = FourierSettings::default();
        let predictor = FourierPredictor::with_frequencies(&settings, &set.frequencies, &inputs, &targets);
        for (i, losses) in losses(predictor).iter().enumerate() {
            let nats: f64 = losses.iter().sum();
            assert!((nats - set.nats[i]).abs() < 1e-4, "{nats} instead of {}", set.nats[i]);
            for (a, b) in losses[losses.len() - 3..].iter().zip(&set.last_losses[i]) {
                assert!((a - b).abs() < 1e-6);
            }
        }
    }
}

/// A number, a wave of it, a label made from it, a label with many levels, a number with missing cells.
fn mixed_table(n_rows: usize) -> Quantised {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let (x, noise) = (normals(n_rows, &mut rng), normals(n_rows, &mut rng));
    let wave = x.iter().zip(&noise).map(|(x, e)| (3.0 * x).sin() + 0.2 * e).collect();
    let label = x.iter().map(|x| u32::from(*x > 0.3) + u32::from((5.0 * x).sin() > 0.0)).collect::<Vec<_>>();
    let many = (0..n_rows).map(|_| rng.random_range(0..90)).collect::<Vec<_>>();
    let gaps = x.iter().enumerate().map(|(i, x)| if i % 7 == 3 { f64::NAN } else { x * x }).collect();
    table(vec![
        Values::Numbers(x),
        Values::Numbers(wave),
        labels(label, 3),
        labels(many, 90),
        Values::Numbers(gaps),
    ])
}

#[test]
fn no_loss_depends_on_later_rows() {
    let data = mixed_table(400);
    let inputs = ParentInputs::new(&data, &NodeSet::from_bits(1), None);
    let targets = [target(&data, 1), target(&data, 2), target(&data, 3)];
    let settings = FourierSettings::default();
    let before = losses(FourierPredictor::new(&settings, 1, &inputs, &targets));
    for changed_from in [17, 100, 250, 399] {
        let mut changed = targets.clone();
        for target in &mut changed {
            let n_levels = target.n_levels as u32;
            target.codes[changed_from..].iter_mut().for_each(|code| *code = (*code + 1) % n_levels);
        }
        let after = losses(FourierPredictor::new(&settings, 1, &inputs, &changed));
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(before[..changed_from], after[..changed_from]);
        }
        assert_ne!(before[0][changed_from], after[0][changed_from]);
    }
}

#[test]
fn children_together_cost_what_each_costs_alone() {
    let data = mixed_table(500);
    let inputs = ParentInputs::new(&data, &NodeSet::from_bits(1 | 1 << 4), None);
    let targets = [target(&data, 1), target(&data, 3), target(&data, 2)];
    let settings = FourierSettings::default();
    let together = losses(FourierPredictor::new(&settings, 1, &inputs, &targets));
    for (target, together) in targets.iter().zip(together) {
        assert_eq!(losses(FourierPredictor::new(&settings, 1, &inputs, [target])).remove(0), together);
    }
}

#[test]
fn frequencies_of_a_column_are_the_same_in_every_parent_set() {
    let data = mixed_table(50);
    let draw = |parents: u64| {
        frequencies::draw(&ParentInputs::new(&data, &NodeSet::from_bits(parents), None), (1, 1.5), 5, 3)
    };
    let (all, some) = (draw(0b10111), draw(0b10001));
    assert_eq!((all.len(), some.len()), (1 + 1 + 3 + 2, 1 + 2));
    assert_eq!([&all[0], &all[5], &all[6]], [&some[0], &some[1], &some[2]]);
    assert_ne!(all[2], all[3]);
}

#[test]
fn waves_are_found_where_lines_fail() {
    let data = mixed_table(1000);
    let fourier = code_length(&data, 1, 1);
    let linear: f64 = family_losses(&data, &FourierSettings::linear(), 1, 1).iter().sum();
    let marginal = marginal_length(&data, 1);
    assert!(fourier < marginal - 700.0, "{fourier} of {marginal}");
    assert!(linear > marginal - 100.0, "{linear} of {marginal}");
    // Labels too: from the number, and from another label through which they are known.
    let (from_number, alone) = (code_length(&data, 1, 2), marginal_length(&data, 2));
    assert!(from_number < alone - 500.0, "{from_number} of {alone}");
}

/// Three numbers, of which the second is a wave of the first, and two labels that tell nothing.
fn table_with_irrelevant_parents(seed: u64) -> Quantised {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let x = normals(600, &mut rng);
    let y = normals(600, &mut rng).iter().zip(&x).map(|(noise, x)| (2.0 * x).sin() + noise).collect();
    let irrelevant = normals(600, &mut rng);
    let mut draw = |p: f64| (0..600).map(|_| u32::from(rng.random_bool(p))).collect::<Vec<_>>();
    let drawn = vec![labels(draw(0.3), 2), labels(draw(0.5), 2)];
    table([[x, y, irrelevant].map(Values::Numbers).to_vec(), drawn].concat())
}

#[test]
fn parents_that_tell_nothing_lengthen_the_code() {
    for seed in 0..8 {
        let data = table_with_irrelevant_parents(seed);
        // Worst of 40 seeds: 14, 23 and 21 nats.
        assert!(code_length(&data, 0b00101, 1) - code_length(&data, 0b00001, 1) > 5.0);
        assert!(code_length(&data, 0b00100, 0) - marginal_length(&data, 0) > 10.0);
        assert!(code_length(&data, 0b10000, 1) - marginal_length(&data, 1) > 10.0);
        // Labels have fewer ways to be mispredicted; worst of 40 seeds: 0.7 and 0.26 nats.
        assert!(code_length(&data, 0b00100, 3) > marginal_length(&data, 3));
        assert!(code_length(&data, 0b10000, 3) > marginal_length(&data, 3));
    }
}

#[test]
fn odd_tables_have_finite_losses() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for n_rows in [10, 16, 17, 18, 40, 200] {
        let x = normals(n_rows, &mut rng);
        let data = table(vec![
            Values::Numbers(x.clone()),
            Values::Numbers(x.iter().map(|x| 2.0 * x).collect()), // the same again
            Values::Numbers(vec![1.0; n_rows]),                   // constant
            Values::Numbers(
                (0..n_rows).map(|row| if row < n_rows / 2 { f64::NAN } else { x[row] }).collect(),
            ),
            labels((0..n_rows as u32).map(|row| if row % 5 == 2 { MISSING } else { row % 3 }), 3),
            labels(vec![0; n_rows], 1),
            labels(0..n_rows as u32, n_rows), // every row its own
            Values::Numbers((0..n_rows).map(|row| f64::from(row > 2)).collect()), // two levels, one rare
        ]);
        for child in 0..8 {
            for parents in [1 << 0, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7, 0b11, 0b1001_1111, 255] {
                let parents = parents & !(1u64 << child);
                if parents == 0 {
                    continue;
                }
                let n_coded = data.column(child).n_rows_used();
                for settings in [FourierSettings::default(), FourierSettings::linear()] {
                    let losses = family_losses(&data, &settings, parents, child);
                    assert_eq!(losses.len(), n_coded);
                    assert!(losses.iter().all(|loss| loss.is_finite()), "{child} | {parents:b}: {losses:?}");
                }
            }
        }
    }
}

#[test]
fn any_number_of_waves_will_do() {
    let data = mixed_table(300);
    for n_waves in [0, 1, 7, 13] {
        let settings = FourierSettings { n_waves, ..FourierSettings::default() };
        assert!(family_losses(&data, &settings, 1, 1).iter().all(|loss| loss.is_finite()));
    }
}
