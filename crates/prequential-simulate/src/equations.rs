//! Structural equations: every variable is a function of its parents and of independent normal noise.

use std::f64::consts::TAU;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use prequential::{Dag, Result, Table, Values, Variable};

/// A value from those of the arguments and the noise.
type Formula = Box<dyn Fn(&[f64], f64) -> f64>;

/// The equation of one variable.
pub(crate) struct Equation {
    /// The variables it reads, in the order in which `value` takes them.
    arguments: Vec<usize>,
    /// The standard deviation of its noise.
    noise_sd: f64,
    value: Formula,
}

impl Equation {
    /// A variable without parents: noise of this standard deviation.
    pub(crate) fn root(noise_sd: f64) -> Equation {
        Equation::new(&[], noise_sd, |_, noise| noise)
    }

    /// A variable with parents.
    pub(crate) fn new(
        arguments: &[usize],
        noise_sd: f64,
        value: impl Fn(&[f64], f64) -> f64 + 'static,
    ) -> Equation {
        Equation { arguments: arguments.to_vec(), noise_sd, value: Box::new(value) }
    }

    /// Whether it reads no variable.
    pub(crate) fn is_root(&self) -> bool {
        self.arguments.is_empty()
    }

    /// The equation with one more argument; `changed` computes the value from the original formula, its
    /// arguments, the noise, and the new one.
    pub(crate) fn with_argument(
        self,
        argument: usize,
        changed: impl Fn(&dyn Fn(&[f64], f64) -> f64, &[f64], f64, f64) -> f64 + 'static,
    ) -> Equation {
        let arguments: Vec<usize> = self.arguments.iter().copied().chain([argument]).collect();
        let (n_before, value) = (self.arguments.len(), self.value);
        let value = move |x: &[f64], noise: f64| changed(&*value, &x[..n_before], noise, x[n_before]);
        Equation::new(&arguments, self.noise_sd, value)
    }
}

/// A system of equations over the variables A, B, C, ... or, where letters do not suffice, V1, V2, V3, ...
pub(crate) struct Equations {
    equations: Vec<Equation>,
    dag: Dag,
}

impl Equations {
    /// # Panics
    /// If a variable depends on itself.
    pub(crate) fn new(equations: Vec<Equation>) -> Equations {
        let edges = equations
            .iter()
            .enumerate()
            .flat_map(|(to, equation)| equation.arguments.iter().map(move |&from| (from, to)));
        let dag = Dag::from_edges(equations.len(), edges)
            .unwrap_or_else(|cycle| panic!("equations have a solution in closed form: {cycle}"));
        Equations { dag, equations }
    }

    /// The equations, in the order of the variables.
    pub(crate) fn into_equations(self) -> Vec<Equation> {
        self.equations
    }

    /// The graph of the equations.
    pub(crate) fn dag(&self) -> &Dag {
        &self.dag
    }

    /// Draws rows, one after another: a shorter table is the beginning of a longer one.
    pub(crate) fn sample(&self, n_rows: usize, rng: &mut ChaCha8Rng) -> Result<Table> {
        let order = self.dag.topological_order();
        let mut columns = vec![Vec::with_capacity(n_rows); self.equations.len()];
        let mut row = vec![0.0; self.equations.len()];
        let mut inputs = Vec::new();
        for _ in 0..n_rows {
            for &node in &order {
                let equation = &self.equations[node];
                inputs.clear();
                inputs.extend(equation.arguments.iter().map(|&argument| row[argument]));
                row[node] = (equation.value)(&inputs, equation.noise_sd * normal(rng));
            }
            columns.iter_mut().zip(&row).for_each(|(column, &value)| column.push(value));
        }
        let n_vars = columns.len();
        let name = |number: usize| match ('A'..='Z').nth(number).filter(|_| n_vars <= 26) {
            Some(letter) => letter.to_string(),
            None => format!("V{}", number + 1),
        };
        let variable = |(number, values): (usize, Vec<f64>)| Variable {
            name: name(number),
            values: Values::Numbers(values),
            intervened: None,
        };
        Table::new(columns.into_iter().enumerate().map(variable).collect())
    }
}

/// A draw from the standard normal distribution, after Box and Muller.
pub(crate) fn normal(rng: &mut ChaCha8Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt();
    radius * (TAU * rng.random::<f64>()).cos()
}

/// The share of the standard normal distribution that lies below `x`.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn normal_draws_have_the_moments_of_a_normal_distribution() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let draws: Vec<f64> = (0..100_000).map(|_| normal(&mut rng)).collect();
        let moment = |power| draws.iter().map(|draw| draw.powi(power)).sum::<f64>() / draws.len() as f64;
        // Standard errors: 0.003, 0.004, 0.012, 0.031.
        for (power, expected, tolerance) in [(1, 0.0, 0.012), (2, 1.0, 0.016), (3, 0.0, 0.05), (4, 3.0, 0.12)]
        {
            assert!((moment(power) - expected).abs() < tolerance, "moment {power}: {}", moment(power));
        }
    }
}
