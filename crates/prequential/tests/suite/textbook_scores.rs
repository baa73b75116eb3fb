//! Textbook scores of categorical and numeric variables against naive second versions.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeMap;

use prequential::textbook::{Bge, Bic, GaussianBic};
use prequential::{
    Dag, Estimator, Family, FamilySelection, Plan, RowOrder, Settings, Table, Values, Variable, compare,
    learn,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Labels of two and three levels, each like the one before in some rows.
fn labels(n_rows: usize, n_vars: usize, seed: u64) -> Table {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut before = vec![0; n_rows];
    let variables = (0..n_vars).map(|node| {
        let n_levels = 2 + node as u32 % 2;
        let draw = |&code: &u32| match rng.random_bool(0.6) {
            true => code % n_levels,
            false => rng.random_range(0..n_levels),
        };
        let codes: Vec<u32> = before.iter().map(draw).collect();
        before.clone_from(&codes);
        let levels = (0..n_levels).map(|level| format!("level {level}")).collect();
        // The first variable is set by an experimenter in some rows.
        let intervened = (node == 0).then(|| (0..n_rows).map(|row| row % 7 == 3).collect());
        Variable { name: format!("v{node}"), values: Values::Labels { levels, codes }, intervened }
    });
    Table::new(variables.collect()).unwrap()
}

/// A chain of numbers with normal noise; the last is set by an experimenter in some rows.
fn numbers(n_rows: usize, n_vars: usize, seed: u64) -> Table {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut normal = || (0..12).map(|_| rng.random_range(-0.5..0.5)).sum::<f64>();
    let mut before = vec![0.0; n_rows];
    let variables = (0..n_vars).map(|node| {
        before = before.iter().map(|x| 3.0 + 0.8 * x + normal()).collect();
        let intervened = (node + 1 == n_vars).then(|| (0..n_rows).map(|row| row % 5 == 1).collect());
        Variable { name: format!("x{node}"), values: Values::Numbers(before.clone()), intervened }
    });
    Table::new(variables.collect()).unwrap()
}

fn scored(table: &Table, estimator: &str) -> Vec<(Family, f64)> {
    let estimator = Estimator::named(estimator).unwrap();
    let settings = Settings { estimator, row_order: RowOrder::Given, ..Settings::default() };
    let scores = Plan::new(table, &settings).unwrap().score(FamilySelection::All, &()).unwrap().scores;
    let lengths = scores.moments.iter().map(|moments| moments.mean);
    scores.families.iter().cloned().zip(lengths).collect()
}

fn is_coded(variable: &Variable, row: usize) -> bool {
    !variable.intervened.as_ref().is_some_and(|intervened| intervened[row])
}

fn codes(variable: &Variable) -> (&[u32], usize) {
    match &variable.values {
        Values::Labels { levels, codes } => (codes, levels.len()),
        Values::Numbers(_) => panic!("these are labels"),
    }
}

/// ln of the sum over all counts h of n rows in k levels of n! x product of (h / n)^h / h!, level after level.
fn log_regret(n_rows: usize, n_levels: usize) -> f64 {
    let n = n_rows as f64;
    let one = |count: usize| {
        let h = count as f64;
        let power = if count > 0 { h * (h / n).ln() } else { 0.0 };
        (power - libm::lgamma(h + 1.0)).exp()
    };
    let mut sums: Vec<f64> = (0..=n_rows).map(one).collect();
    for _ in 1..n_levels {
        sums = (0..=n_rows).map(|rows| (0..=rows).map(|h| one(h) * sums[rows - h]).sum()).collect();
    }
    sums[n_rows].ln() + libm::lgamma(n + 1.0)
}

/// BIC, AIC, fNML and qNML of a family, by their definitions.
fn label_scores(table: &Table, family: &Family) -> [f64; 4] {
    let child = &table.variables()[family.child];
    let (values, n_levels) = codes(child);
    let parents: Vec<(&[u32], usize)> =
        family.parents.iter().map(|parent| codes(&table.variables()[parent])).collect();
    let mut counts: BTreeMap<Vec<u32>, Vec<f64>> = BTreeMap::new();
    for row in (0..table.n_rows()).filter(|&row| is_coded(child, row)) {
        let configuration = parents.iter().map(|(codes, _)| codes[row]).collect();
        counts.entry(configuration).or_insert_with(|| vec![0.0; n_levels])[values[row] as usize] += 1.0;
    }
    let of_configuration = |counts: &Vec<f64>| -> f64 {
        let total: f64 = counts.iter().sum();
        -counts.iter().filter(|&&n| n > 0.0).map(|n| n * (n / total).ln()).sum::<f64>()
    };
    let surprise: f64 = counts.values().map(of_configuration).sum();
    let n_rows: f64 = counts.values().flatten().sum();
    let n_configurations: usize = parents.iter().map(|(_, n_levels)| n_levels).product();
    let n_parameters = (n_configurations * (n_levels - 1)) as f64;
    let factorised: f64 =
        counts.values().map(|counts| log_regret(counts.iter().sum::<f64>() as usize, n_levels)).sum();
    let n_rows_whole = n_rows as usize;
    let quotient =
        log_regret(n_rows_whole, n_configurations * n_levels) - log_regret(n_rows_whole, n_configurations);
    [0.5 * n_parameters * n_rows.ln(), n_parameters, factorised, quotient].map(|penalty| surprise + penalty)
}

#[test]
fn scores_of_labels_follow_their_definitions() {
    for (n_rows, n_vars, seed) in [(14, 3, 1), (20, 3, 2), (40, 3, 3)] {
        let table = labels(n_rows, n_vars, seed);
        for (i, name) in ["bic", "aic", "fnml", "qnml"].into_iter().enumerate() {
            for (family, found) in scored(&table, name) {
                let expected = label_scores(&table, &family)[i];
                assert!(
                    (found - expected).abs() < 1e-9,
                    "{name} of {family:?}: {found} instead of {expected}"
                );
            }
        }
    }
}

#[test]
fn scores_that_are_alike_for_a_class_are() {
    let lengths =
        |table: &Table, name: &str| -> BTreeMap<Family, f64> { scored(table, name).into_iter().collect() };
    let untouched = |table: Table| {
        let variables = table.variables().iter().cloned();
        Table::new(variables.map(|variable| Variable { intervened: None, ..variable }).collect()).unwrap()
    };
    let tables = [("bic", labels(300, 3, 5)), ("qnml", labels(300, 3, 6)), ("bge", numbers(300, 3, 7))];
    for (name, table) in tables {
        let lengths = lengths(&untouched(table), name);
        let total = |edges: &[(usize, usize)]| -> f64 {
            let dag = Dag::from_edges(3, edges.iter().copied()).unwrap();
            dag.families().map(|family| lengths[&family]).sum()
        };
        let chains = [total(&[(0, 1), (1, 2)]), total(&[(1, 0), (1, 2)]), total(&[(2, 1), (1, 0)])];
        let complete = [total(&[(0, 1), (0, 2), (1, 2)]), total(&[(2, 1), (2, 0), (1, 0)])];
        assert!(
            (chains[0] - chains[1]).abs() < 1e-9 && (chains[0] - chains[2]).abs() < 1e-9,
            "{name}: {chains:?}"
        );
        // BIC and qNML too: the number of free shares of a complete graph is the same.
        assert!((complete[0] - complete[1]).abs() < 1e-9, "{name}: {complete:?}");
    }
}

/// The columns as they are coded, child first, in the rows in which the child is coded.
fn coded(table: &Table, family: &Family) -> (Vec<Vec<f64>>, f64) {
    let data = prequential::internals::Quantised::new(table, 8);
    let child = &table.variables()[family.child];
    let column = |node: usize| {
        let numbers = data.column(node).numbers.as_ref().unwrap();
        let rows = (0..table.n_rows()).filter(|&row| is_coded(child, row));
        rows.map(|row| numbers.values[row]).collect()
    };
    let columns = std::iter::once(family.child).chain(family.parents.iter()).map(column).collect();
    (columns, data.column(family.child).numbers.as_ref().unwrap().width)
}

/// Solves a x = b by elimination; also the determinant of a.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> (Vec<f64>, f64) {
    let n = b.len();
    let mut determinant = 1.0;
    for k in 0..n {
        determinant *= a[k][k];
        for i in 0..n {
            if i != k {
                let factor = a[i][k] / a[k][k];
                (0..n).for_each(|j| a[i][j] -= factor * a[k][j]);
                b[i] -= factor * b[k];
            }
        }
    }
    ((0..n).map(|i| b[i] / a[i][i]).collect(), determinant)
}

#[test]
fn gaussian_bic_is_that_of_the_normal_equations() {
    let table = numbers(120, 4, 11);
    for (family, found) in scored(&table, "gaussian-bic") {
        let (columns, width) = coded(&table, &family);
        let n_rows = columns[0].len();
        let design = |row: usize| -> Vec<f64> {
            std::iter::once(1.0).chain(columns[1..].iter().map(|column| column[row])).collect()
        };
        let n = columns.len();
        let (mut products, mut responses) = (vec![vec![0.0; n]; n], vec![0.0; n]);
        for row in 0..n_rows {
            let x = design(row);
            for i in 0..n {
                responses[i] += x[i] * columns[0][row];
                (0..n).for_each(|j| products[i][j] += x[i] * x[j]);
            }
        }
        let (slopes, _) = solve(products, responses);
        let rest = |row: usize| {
            let predicted: f64 = design(row).iter().zip(&slopes).map(|(x, slope)| x * slope).sum();
            (columns[0][row] - predicted).powi(2)
        };
        let variance = (0..n_rows).map(rest).sum::<f64>() / n_rows as f64;
        let rows = n_rows as f64;
        let likelihood = 0.5 * rows * ((std::f64::consts::TAU * variance).ln() + 1.0);
        let expected = likelihood + 0.5 * (n + 1) as f64 * rows.ln() - rows * width.ln();
        assert!((found - expected).abs() < 1e-9, "{family:?}: {found} instead of {expected}");
    }
}

/// What some columns cost one row after another, each row by the multivariate Student distribution that the rows before and the
/// normal-Wishart prior of `n_vars` variables predict.
fn student_code(columns: &[Vec<f64>], n_vars: usize) -> f64 {
    let n = columns.len();
    let n_rows = columns.first().map_or(0, Vec::len);
    // The prior of some of the variables has as many degrees of freedom less as there are others.
    let (mut weight, mut dof) = (1.0, 2.0 + n as f64);
    let mut mean = vec![0.0; n];
    let height = 0.5;
    assert!(n_vars >= n);
    let mut matrix: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| if i == j { height } else { 0.0 }).collect()).collect();
    let mut cost = 0.0;
    for row in 0..n_rows {
        let away: Vec<f64> = (0..n).map(|i| columns[i][row] - mean[i]).collect();
        let free = dof - n as f64 + 1.0;
        let scale = (weight + 1.0) / (weight * free);
        let scaled: Vec<Vec<f64>> =
            matrix.iter().map(|row| row.iter().map(|x| x * scale).collect()).collect();
        let (solved, determinant) = solve(scaled, away.clone());
        let square: f64 = away.iter().zip(&solved).map(|(x, y)| x * y).sum();
        cost -= libm::lgamma(0.5 * (free + n as f64))
            - libm::lgamma(0.5 * free)
            - 0.5 * n as f64 * (free * std::f64::consts::PI).ln()
            - 0.5 * determinant.ln()
            - 0.5 * (free + n as f64) * (square / free).ln_1p();
        for i in 0..n {
            (0..n).for_each(|j| matrix[i][j] += weight / (weight + 1.0) * away[i] * away[j]);
        }
        (0..n).for_each(|i| mean[i] += away[i] / (weight + 1.0));
        weight += 1.0;
        dof += 1.0;
    }
    cost
}

#[test]
fn bge_is_the_code_of_student_predictions_of_one_row_after_another() {
    let table = numbers(60, 4, 12);
    for (family, found) in scored(&table, "bge") {
        let (columns, width) = coded(&table, &family);
        let code = student_code(&columns, 4) - student_code(&columns[1..], 4);
        let expected = code - columns[0].len() as f64 * width.ln();
        assert!((found - expected).abs() < 1e-9, "{family:?}: {found} instead of {expected}");
    }
}

#[test]
fn a_chain_is_learnt_by_every_score_and_what_does_not_fit_is_refused() {
    let chain = |n_vars: usize| Dag::from_edges(n_vars, (1..n_vars).map(|node| (node - 1, node))).unwrap();
    let of = |table: &Table, name: &str| {
        let estimator = Estimator::named(name).unwrap();
        learn(table, &Settings { estimator, ..Settings::default() }).unwrap().answer.dag
    };
    let (mixed, plain) = (labels(2_000, 4, 8), numbers(1_000, 4, 9));
    for name in ["bic", "fnml", "qnml"] {
        assert_eq!(compare(&of(&mixed, name), &chain(4)).shd_cpdag, 0, "{name}");
    }
    for name in ["gaussian-bic", "bge"] {
        assert_eq!(compare(&of(&plain, name), &chain(4)).shd_cpdag, 0, "{name}");
    }
    for estimator in [GaussianBic::default().into(), Estimator::from(Bge::default())] {
        let error = learn(&mixed, &Settings { estimator, ..Settings::default() }).unwrap_err().to_string();
        assert!(error.contains("column `v0` holds labels"), "{error}");
    }
    let plan =
        Plan::new(&mixed, &Settings { estimator: Bic::default().into(), ..Settings::default() }).unwrap();
    let family = Family::new(1, [0].into_iter().collect());
    let curves = plan.curves_at(std::slice::from_ref(&family), &[100, 2_000]).unwrap();
    let whole = scored(&mixed, "bic").into_iter().find(|(scored, _)| *scored == family).unwrap().1;
    let total = curves.cumulative(0).last().unwrap().mean;
    assert!((total - whole).abs() < 1e-9, "{total} {whole}");
}
