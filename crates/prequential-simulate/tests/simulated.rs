//! Simulated tables satisfy their equations.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use prequential::Values;
use prequential_simulate::{Experiment, MechanismKind, Simulated, YuKind};

const ROWS: usize = 4_000;

fn columns(experiment: Experiment, seed: u64) -> Vec<Vec<f64>> {
    let table = experiment.simulate(ROWS, seed).unwrap().table;
    let numbers = |values: &Values| match values {
        Values::Numbers(numbers) => numbers.clone(),
        Values::Labels { .. } => panic!("labels"),
    };
    table.variables().iter().map(|variable| numbers(&variable.values)).collect()
}

/// The spread around zero of what an equation leaves unexplained.
fn sd(residuals: impl Iterator<Item = f64>) -> f64 {
    let residuals: Vec<f64> = residuals.collect();
    (residuals.iter().map(|residual| residual * residual).sum::<f64>() / residuals.len() as f64).sqrt()
}

/// Asserts noise of 0.1; its estimate from so many rows has a standard error of 0.0012.
fn assert_noise(what: &str, residuals: impl Iterator<Item = f64>) {
    let sd = sd(residuals);
    assert!((sd - 0.1).abs() < 0.006, "{what}: {sd}");
}

fn peak(x: f64) -> f64 {
    1.0 / (x.abs() + 0.1)
}

#[test]
fn chains_and_star_leave_only_their_noise() {
    let x = columns(Experiment::Chain3, 1);
    assert!((sd(x[0].iter().copied()) - 1.0).abs() < 0.05);
    // The sine can be undone where it rises.
    let rising = |&row: &usize| x[0][row].abs() < 1.0;
    assert_noise("chain3 B", (0..ROWS).filter(rising).map(|row| x[1][row].asin() - x[0][row]));
    for (experiment, frequency) in [(Experiment::Chain5, 1.0), (Experiment::Chain5Periodic, 4.0)] {
        let x = columns(experiment, 2);
        for node in 1..5 {
            let residual = |row: usize| x[node][row] - (frequency * x[node - 1][row]).sin();
            assert_noise(&format!("{experiment:?} {node}"), (0..ROWS).map(residual));
        }
    }
    let x = columns(Experiment::Star5, 3);
    assert_noise("star5 D", (0..ROWS).map(|row| x[3][row] - x[2][row].sin()));
    let inside = |row: usize| 2.0 * x[0][row] * x[1][row];
    let rising = |&row: &usize| inside(row).abs() < 1.0;
    assert_noise("star5 C", (0..ROWS).filter(rising).map(|row| x[2][row].asin() - inside(row)));
}

#[test]
fn mechanisms_leave_only_their_noise() {
    let first = columns(Experiment::Mechanisms { set: 1 }, 1);
    let [a, b, c, d, e] = &first[..] else { panic!("five columns") };
    assert_noise("B = sin 2A + noise", (0..ROWS).map(|row| b[row] - (2.0 * a[row]).sin()));
    assert_noise("D = (C + noise)^3", (0..ROWS).map(|row| d[row].cbrt() - c[row]));
    assert_noise("E", (0..ROWS).map(|row| e[row] - a[row].signum() * peak(a[row])));
    let third = columns(Experiment::Mechanisms { set: 3 }, 1);
    let polynomial = |row: usize| 2.0 * third[2][row].powi(3) - third[1][row].powi(2);
    assert_noise("D of 3", (0..ROWS).map(|row| third[3][row] - polynomial(row).sin()));
    let eighth = columns(Experiment::Mechanisms { set: 8 }, 1);
    let product = |row: usize| (2.0 * eighth[3][row]).sin() * peak(eighth[0][row]).sin();
    assert_noise("E of 8", (0..ROWS).map(|row| eighth[4][row] - product(row)));
}

#[test]
fn the_truth_is_the_graph_of_the_equations() {
    let edges = |experiment: Experiment| experiment.simulate(20, 1).unwrap().truth.edges();
    assert_eq!(edges(Experiment::Chain3), [(0, 1), (1, 2)]);
    assert_eq!(edges(Experiment::Star5), [(0, 2), (1, 2), (2, 3), (2, 4)]);
    assert_eq!(edges(Experiment::Chain5Periodic), [(0, 1), (1, 2), (2, 3), (3, 4)]);
    assert_eq!(edges(Experiment::Mechanisms { set: 1 }), [(0, 1), (0, 4), (1, 2), (2, 3)]);
    assert_eq!(edges(Experiment::Mechanisms { set: 9 }), [(0, 2), (0, 4), (1, 2), (2, 4), (3, 4)]);
    // What a table's graph leaves out explains nothing: the roots of Yu's systems are standard normal.
    for experiment in Experiment::all_yu() {
        let Simulated { truth, .. } = experiment.simulate(20, 1).unwrap();
        let x = columns(experiment, 1);
        for root in (0..5).filter(|&node| truth.parents(node).is_empty()) {
            assert!((sd(x[root].iter().copied()) - 1.0).abs() < 0.06, "{experiment:?} {root}");
        }
    }
}

#[test]
fn a_seed_fixes_the_table_and_seeds_and_sets_differ() {
    let experiments = [Experiment::Chain3, Experiment::Star5, Experiment::Chain5, Experiment::Chain5Periodic];
    let all = experiments.into_iter().chain(Experiment::all_yu()).chain(Experiment::all_mechanisms());
    let mut seen = Vec::new();
    for experiment in all {
        let x = columns(experiment, 1);
        assert_eq!(x, columns(experiment, 1), "{experiment:?}");
        assert_ne!(x[0], columns(experiment, 2)[0], "{experiment:?}");
        // A shorter table is the beginning of a longer one.
        let short = experiment.simulate(30, 1).unwrap().table;
        let Values::Numbers(first) = &short.variables()[4.min(x.len() - 1)].values else { panic!("labels") };
        assert_eq!(first[..], x[4.min(x.len() - 1)][..30], "{experiment:?}");
        // The four case studies share their first draws, sets of one kind do not.
        if !experiments.contains(&experiment) {
            assert!(!seen.contains(&x[0][0].to_bits()), "{experiment:?}");
            seen.push(x[0][0].to_bits());
        }
    }
    assert_eq!(seen.len(), 30);
}

#[test]
fn graphs_of_yu_differ_between_sets_and_seeds() {
    let graphs =
        |seed| -> Vec<_> { Experiment::all_yu().map(|set| set.simulate(20, seed).unwrap().truth).collect() };
    let (one, two) = (graphs(1), graphs(2));
    assert_ne!(one, two);
    let distinct: std::collections::HashSet<_> = one.iter().chain(&two).collect();
    assert!(distinct.len() >= 18, "{}", distinct.len());
    // Half of ten pairs are linked.
    let mean = one.iter().chain(&two).map(|dag| dag.n_edges()).sum::<usize>() as f64 / 20.0;
    assert!((mean - 5.0).abs() < 1.5, "{mean}");
}

#[test]
fn a_set_that_does_not_exist_is_refused_with_the_range() {
    let message = |experiment: Experiment| {
        let error = experiment.simulate(100, 1).unwrap_err();
        format!("{error}; {}", error.hint())
    };
    assert_eq!(
        message(Experiment::Mechanisms { set: 21 }),
        "`set` is 21, but `mechanisms` has the sets 1 to 20; use `set: 1` up to `set: 20`"
    );
    assert_eq!(
        message(Experiment::Yu { kind: YuKind::B, set: 0 }),
        "`set` is 0, but `yu-b` has the sets 1 to 5; use `set: 1` up to `set: 5`"
    );
}

#[test]
fn alarm_has_its_size_and_its_marginals() {
    let Simulated { table, truth, .. } = Experiment::Alarm.simulate(20_000, 1).unwrap();
    assert_eq!((table.n_vars(), truth.n_edges()), (37, 46));
    let share = |name: &str, level: &str| {
        let variable = table.variables().iter().find(|variable| variable.name == name).unwrap();
        let Values::Labels { levels, codes } = &variable.values else { panic!("labels") };
        let wanted = levels.iter().position(|known| known == level).unwrap() as u32;
        codes.iter().filter(|&&code| code == wanted).count() as f64 / codes.len() as f64
    };
    // Hypovolemia 0.2 and left ventricular failure 0.05 are roots; a history of the latter follows as 0.05 * 0.9 + 0.95 * 0.01. The standard
    // error of a share of 20,000 is at most 0.0035.
    assert!((share("HYPOVOLEMIA", "TRUE") - 0.2).abs() < 0.015);
    assert!((share("LVFAILURE", "TRUE") - 0.05).abs() < 0.01);
    assert!((share("HISTORY", "TRUE") - 0.0545).abs() < 0.01);
}

#[test]
fn random_mechanisms_are_the_same_for_the_same_seed_and_obey_their_graph() {
    for kind in MechanismKind::ALL {
        let experiment = Experiment::RandomMechanisms { n_vars: 12, kind };
        let (first, again) = (experiment.simulate(300, 5).unwrap(), experiment.simulate(300, 5).unwrap());
        assert_eq!((&first.table, &first.truth), (&again.table, &again.truth), "{}", experiment.name());
        assert_ne!(first.truth, experiment.simulate(300, 6).unwrap().truth);
        // A shorter table is the beginning of a longer one.
        let (long, short) = (columns(experiment, 5), experiment.simulate(100, 5).unwrap().table);
        for (variable, column) in short.variables().iter().zip(&long) {
            assert!(matches!(&variable.values, Values::Numbers(numbers) if numbers[..] == column[..100]));
        }
        // Roots are what they are said to be: normal, or within [-1, 1].
        let roots = (0..12).filter(|&node| first.truth.parents(node).is_empty());
        for root in roots {
            let spread = sd(long[root].iter().copied());
            assert!((0.65..1.5).contains(&spread), "{}: {spread}", experiment.name());
        }
        let wide = Experiment::RandomMechanisms { n_vars: 100, kind }.simulate(50, 1).unwrap();
        assert_eq!((wide.table.n_vars(), wide.truth.n_nodes()), (100, 100));
    }
}

#[test]
fn parents_of_random_networks_leave_standard_normal_noise() {
    // One edge between two variables: the child's values in bins of its parent spread by 1 around a smooth curve.
    let experiment = Experiment::RandomMechanisms { n_vars: 2, kind: MechanismKind::Network };
    let truth = experiment.simulate(20, 1).unwrap().truth;
    let [(from, to)] = truth.edges()[..] else { panic!("two variables are linked for sure") };
    let x = columns(experiment, 1);
    let mut rows: Vec<usize> = (0..ROWS).collect();
    rows.sort_by(|&a, &b| x[from][a].total_cmp(&x[from][b]));
    // Neighbours differ by the noise of two rows.
    let differences = rows.windows(2).map(|pair| (x[to][pair[1]] - x[to][pair[0]]) / 2f64.sqrt());
    let noise = sd(differences);
    assert!((noise - 1.0).abs() < 0.08, "{noise}");
}
