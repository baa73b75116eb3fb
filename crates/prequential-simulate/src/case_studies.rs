//! The paper's constructed systems: chains and a star of sines.

use crate::equations::{Equation, Equations};

/// The noise of every variable with parents.
const NOISE_SD: f64 = 0.1;

/// A -> B -> C, the noise inside the sines. The paper's Figure 2.
pub(crate) fn chain3() -> Equations {
    let next = |before| Equation::new(&[before], NOISE_SD, |x, noise| (x[0] + noise).sin());
    Equations::new(vec![Equation::root(1.0), next(0), next(1)])
}

/// A and B cause C, which causes D and E. The paper's Figure 3.
pub(crate) fn star5() -> Equations {
    Equations::new(vec![
        Equation::root(1.0),
        Equation::root(1.0),
        Equation::new(&[0, 1], NOISE_SD, |x, noise| (2.0 * x[0] * x[1] + noise).sin()),
        Equation::new(&[2], NOISE_SD, |x, noise| x[0].sin() + noise),
        Equation::new(&[2], NOISE_SD, |x, noise| (3.0 * x[0] + noise).sin()),
    ])
}

/// A -> B -> C -> D -> E, each the sine of `frequency` times the one before, plus noise. The paper's appendix.
pub(crate) fn chain5(frequency: f64) -> Equations {
    let next =
        |node: usize| Equation::new(&[node - 1], NOISE_SD, move |x, noise| (frequency * x[0]).sin() + noise);
    Equations::new(std::iter::once(Equation::root(1.0)).chain((1..5).map(next)).collect())
}
