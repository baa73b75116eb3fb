//! The 20 systems of polynomials, sines and reciprocals in the paper's appendix, and new ones drawn from the
//! same distribution.

use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;

use crate::equations::{Equation, Equations};
use crate::random_graph::random_parents;

/// How many systems there are.
pub(crate) const N_MECHANISMS: usize = 20;

const NOISE_SD: f64 = 0.1;

/// The form of an equation; x, y, z are its arguments in order, e its noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// 10 e: a standard normal root.
    Normal,
    /// sin(30 e): a root in [-1, 1], most of it near the ends.
    Arcsine,
    /// sin(2 x) + e
    Sine,
    /// (x + e)³
    Cube,
    /// sin(x³ - x + e)
    SineOfCubic,
    /// sign(x) / (|x| + 0.1) + e
    Reciprocal,
    /// sin(1 / (|x| + 0.1) + e)
    SineOfReciprocal,
    /// sin(2 x³ - y²) + e
    SineOfPolynomial,
    /// sin(4 x y + e)
    SineOfProduct,
    /// sign(x) sin(4 x y + e)
    SignedFast,
    /// sign(x) sin(2 x y + e)
    SignedSlow,
    /// sin(2 x) sin(1 / (|y| + 0.1)) + e
    SineByReciprocal,
    /// sin(2 x) sin(4 x y + e)
    SineByProduct,
    /// sin(4 x y z + e)
    SineOfTriple,
}

use Form::*;

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;
const D: usize = 3;

/// Per system, the equations of A to E: form and arguments.
#[rustfmt::skip]
const SYSTEMS: [[(Form, &[usize]); 5]; N_MECHANISMS] = [
    [(Arcsine, &[]), (Sine, &[A]), (SineOfCubic, &[B]), (Cube, &[C]), (Reciprocal, &[A])],
    [(Normal, &[]), (Cube, &[A]), (Sine, &[A]), (SineOfReciprocal, &[C]), (Sine, &[A])],
    [(Normal, &[]), (Normal, &[]), (Reciprocal, &[B]), (SineOfPolynomial, &[C, B]), (SignedFast, &[D, A])],
    [(Normal, &[]), (Reciprocal, &[A]), (Normal, &[]), (SineOfPolynomial, &[C, A]), (SignedFast, &[D, A])],
    [(Arcsine, &[]), (Cube, &[A]), (Arcsine, &[]), (Cube, &[C]), (SineOfCubic, &[C])],
    [(Normal, &[]), (Arcsine, &[]), (SineOfPolynomial, &[B, A]), (SignedFast, &[C, A]), (SineOfReciprocal, &[D])],
    [(Arcsine, &[]), (SineOfCubic, &[A]), (SineByReciprocal, &[B, A]), (SineOfTriple, &[C, B, A]), (SineOfPolynomial, &[D, C])],
    [(Arcsine, &[]), (SineOfCubic, &[A]), (SineByReciprocal, &[B, A]), (Reciprocal, &[A]), (SineByReciprocal, &[D, A])],
    [(Normal, &[]), (Normal, &[]), (SineOfProduct, &[B, A]), (Arcsine, &[]), (SineOfTriple, &[D, C, A])],
    [(Arcsine, &[]), (SineOfCubic, &[A]), (SineOfPolynomial, &[B, A]), (Normal, &[]), (SineByProduct, &[B, A])],
    [(Arcsine, &[]), (Arcsine, &[]), (SignedSlow, &[B, A]), (Arcsine, &[]), (SineByProduct, &[D, A])],
    [(Arcsine, &[]), (Sine, &[A]), (SineOfProduct, &[B, A]), (SineByReciprocal, &[C, B]), (Reciprocal, &[C])],
    [(Normal, &[]), (Cube, &[A]), (SineOfProduct, &[B, A]), (SignedSlow, &[C, A]), (SineOfProduct, &[D, A])],
    [(Arcsine, &[]), (Cube, &[A]), (Normal, &[]), (SineOfProduct, &[C, A]), (Reciprocal, &[D])],
    [(Normal, &[]), (SineOfCubic, &[A]), (Cube, &[B]), (SineOfCubic, &[C]), (Sine, &[A])],
    [(Arcsine, &[]), (Reciprocal, &[A]), (Reciprocal, &[B]), (Sine, &[C]), (SignedFast, &[D, A])],
    [(Arcsine, &[]), (Reciprocal, &[A]), (SineOfPolynomial, &[B, A]), (Normal, &[]), (Reciprocal, &[D])],
    [(Normal, &[]), (Arcsine, &[]), (SignedSlow, &[B, A]), (SineByReciprocal, &[C, B]), (SineOfProduct, &[D, A])],
    [(Arcsine, &[]), (SineOfReciprocal, &[A]), (Cube, &[B]), (SineOfPolynomial, &[B, A]), (SineOfCubic, &[B])],
    [(Arcsine, &[]), (SineOfReciprocal, &[A]), (SineOfCubic, &[B]), (SineOfReciprocal, &[B]), (Arcsine, &[])],
];

/// System number `set`, from 1.
pub(crate) fn mechanisms(set: usize) -> Equations {
    let one = |&(form, arguments): &(Form, &[usize])| {
        Equation::new(arguments, NOISE_SD, move |x, noise| form.value(x, noise))
    };
    Equations::new(SYSTEMS[set - 1].iter().map(one).collect())
}

/// The probability that two variables are linked.
const LINK_PROBABILITY: f64 = 0.25;

/// The most parents for which the table has a form.
const MAX_PARENTS: usize = 3;

/// A random system of `n_vars` equations, drawn like those of the paper: every pair of variables is linked
/// with probability 0.25, and every variable has one of the forms with as many arguments, each as likely as
/// the others. Of more than three parents a random three are kept. A cube is never cubed again: after a few
/// more times the numbers would overflow.
pub(crate) fn random_mechanisms(n_vars: usize, rng: &mut ChaCha8Rng) -> Equations {
    let (order, mut parents) = random_parents(n_vars, LINK_PROBABILITY, rng);
    let mut forms = vec![Normal; n_vars];
    for node in order {
        parents[node].shuffle(rng);
        parents[node].truncate(MAX_PARENTS);
        let of_cube = parents[node].iter().any(|&parent| forms[parent] == Cube);
        let candidates: Vec<Form> = (Form::with_arguments(parents[node].len()).iter().copied())
            .filter(|&form| !of_cube || form != Cube)
            .collect();
        forms[node] =
            *candidates.choose(rng).unwrap_or_else(|| panic!("there are forms of so many arguments"));
    }
    let one = |(parents, form): (&Vec<usize>, Form)| {
        Equation::new(parents, NOISE_SD, move |x, noise| form.value(x, noise))
    };
    Equations::new(parents.iter().zip(forms).map(one).collect())
}

impl Form {
    /// All forms with this many arguments, at most three.
    fn with_arguments(n_arguments: usize) -> &'static [Form] {
        match n_arguments {
            0 => &[Normal, Arcsine],
            1 => &[Sine, Cube, SineOfCubic, Reciprocal, SineOfReciprocal],
            2 => &[SineOfPolynomial, SineOfProduct, SignedFast, SignedSlow, SineByReciprocal, SineByProduct],
            _ => &[SineOfTriple],
        }
    }

    fn value(self, x: &[f64], e: f64) -> f64 {
        let peak = |x: f64| 1.0 / (x.abs() + 0.1);
        match self {
            Normal => 10.0 * e,
            Arcsine => (30.0 * e).sin(),
            Sine => (2.0 * x[0]).sin() + e,
            Cube => (x[0] + e).powi(3),
            SineOfCubic => (x[0].powi(3) - x[0] + e).sin(),
            Reciprocal => x[0].signum() * peak(x[0]) + e,
            SineOfReciprocal => (peak(x[0]) + e).sin(),
            SineOfPolynomial => (2.0 * x[0].powi(3) - x[1].powi(2)).sin() + e,
            SineOfProduct => (4.0 * x[0] * x[1] + e).sin(),
            SignedFast => x[0].signum() * (4.0 * x[0] * x[1] + e).sin(),
            SignedSlow => x[0].signum() * (2.0 * x[0] * x[1] + e).sin(),
            SineByReciprocal => (2.0 * x[0]).sin() * peak(x[1]).sin() + e,
            SineByProduct => (2.0 * x[0]).sin() * (4.0 * x[0] * x[1] + e).sin(),
            SineOfTriple => (4.0 * x[0] * x[1] * x[2] + e).sin(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::SeedableRng;

    use super::*;

    #[test]
    fn forms_of_the_table_are_those_that_are_drawn_from() {
        let by_name = |form: &Form| format!("{form:?}");
        let drawn: BTreeSet<String> = (0..=3).flat_map(Form::with_arguments).map(by_name).collect();
        let listed: BTreeSet<String> = SYSTEMS.iter().flatten().map(|(form, _)| by_name(form)).collect();
        assert_eq!(drawn, listed);
        for (form, arguments) in SYSTEMS.iter().flatten() {
            assert!(Form::with_arguments(arguments.len()).contains(form), "{form:?}");
        }
    }

    #[test]
    fn random_systems_link_a_quarter_of_all_pairs_and_stay_finite() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let n_edges: usize = (0..200).map(|_| random_mechanisms(5, &mut rng).dag().n_edges()).sum();
        // 10 pairs each: 500 expected, standard deviation 19.
        assert!((400..600).contains(&n_edges), "{n_edges}");
        let wide = random_mechanisms(60, &mut rng);
        assert!((0..60).all(|node| wide.dag().parents(node).len() <= MAX_PARENTS));
        assert!(wide.sample(500, &mut rng).is_ok());
    }
}
