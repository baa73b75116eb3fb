//! Gradient optimisers: Adam (Kingma and Ba 2015), RMSprop and momentum.

use serde::{Deserialize, Serialize};

use super::buffer::Buffer;
use crate::simd::Arithmetic;

/// Optimisers: Adam, RMSprop and momentum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OptimiserKind {
    /// Adam (Kingma and Ba 2015): decays 0.9 and 0.999.
    #[default]
    Adam,
    /// RMSprop (Graves 2014): decay 0.99 of squares, without momentum.
    #[serde(rename(deserialize = "rmsprop"))]
    RmsProp,
    /// Gradient descent with momentum 0.9.
    Momentum,
}

/// The running averages of derivatives.
#[derive(Debug, Clone)]
pub(crate) struct Optimiser {
    kind: OptimiserKind,
    means: Buffer,
    squares: Buffer,
    n_steps: i32,
}

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
const RMS_DECAY: f32 = 0.99;
/// Keeps the denominator positive.
const EPSILON: f32 = 1e-8;

impl Optimiser {
    pub(crate) fn new(kind: OptimiserKind, n_parameters: usize) -> Optimiser {
        Optimiser {
            kind,
            means: Buffer::zeros(n_parameters),
            squares: Buffer::zeros(n_parameters),
            n_steps: 0,
        }
    }

    /// One step of `parameters` against `derivatives`.
    #[inline(always)]
    pub(crate) fn step<A: Arithmetic>(
        &mut self,
        parameters: &mut [f32],
        derivatives: &[f32],
        learning_rate: f32,
    ) {
        self.n_steps += 1;
        let (means, squares) = (&mut self.means[..], &mut self.squares[..]);
        let all = parameters.iter_mut().zip(derivatives).zip(means.iter_mut().zip(squares));
        match self.kind {
            OptimiserKind::Adam => {
                let rate = learning_rate / (1.0 - MEAN_DECAY.powi(self.n_steps));
                let unbiased = 1.0 / (1.0 - SQUARE_DECAY.powi(self.n_steps)).sqrt();
                for ((parameter, &g), (mean, square)) in all {
                    *mean = A::mul_add32(MEAN_DECAY, *mean, (1.0 - MEAN_DECAY) * g);
                    *square = A::mul_add32(SQUARE_DECAY, *square, (1.0 - SQUARE_DECAY) * g * g);
                    *parameter -= rate * *mean / A::mul_add32(square.sqrt(), unbiased, EPSILON);
                }
            }
            OptimiserKind::RmsProp => {
                for ((parameter, &g), (_, square)) in all {
                    *square = A::mul_add32(RMS_DECAY, *square, (1.0 - RMS_DECAY) * g * g);
                    *parameter -= learning_rate * g / (square.sqrt() + EPSILON);
                }
            }
            OptimiserKind::Momentum => {
                for ((parameter, &g), (mean, _)) in all {
                    *mean = A::mul_add32(MEAN_DECAY, *mean, g);
                    *parameter -= learning_rate * *mean;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Kernel, vectorised};

    struct Steps(OptimiserKind, f32);

    impl Kernel for Steps {
        type Output = f32;

        /// Two hundred steps from 3 down the parabola (x - 1)^2.
        #[inline(always)]
        fn run<A: Arithmetic>(self) -> f32 {
            let mut optimiser = Optimiser::new(self.0, 1);
            let mut x = [3.0];
            for _ in 0..200 {
                let slope = 2.0 * (x[0] - 1.0);
                optimiser.step::<A>(&mut x, &[slope], self.1);
            }
            x[0]
        }
    }

    #[test]
    fn every_optimiser_finds_the_bottom_of_a_parabola() {
        for (kind, learning_rate) in
            [(OptimiserKind::Adam, 0.1), (OptimiserKind::RmsProp, 0.02), (OptimiserKind::Momentum, 0.05)]
        {
            let end = vectorised(Steps(kind, learning_rate));
            assert!((end - 1.0).abs() < 0.05, "{kind:?} ends at {end}");
        }
    }

    #[test]
    fn the_first_step_of_adam_is_the_learning_rate() {
        struct One;
        impl Kernel for One {
            type Output = f32;
            #[inline(always)]
            fn run<A: Arithmetic>(self) -> f32 {
                let mut x = [0.0];
                Optimiser::new(OptimiserKind::Adam, 1).step::<A>(&mut x, &[-123.0], 0.25);
                x[0]
            }
        }
        assert!((vectorised(One) - 0.25).abs() < 1e-6);
    }
}
