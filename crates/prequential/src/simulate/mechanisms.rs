//! The 20 systems of polynomials, sines and reciprocals in the paper's appendix.

use super::equations::{Equation, Equations};

/// How many systems there are.
pub(super) const N_MECHANISMS: usize = 20;

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
pub(super) fn mechanisms(set: usize) -> Equations {
    let one = |&(form, arguments): &(Form, &[usize])| {
        Equation::new(arguments, NOISE_SD, move |x, noise| form.value(x, noise))
    };
    Equations::new(SYSTEMS[set - 1].iter().map(one).collect())
}

impl Form {
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
