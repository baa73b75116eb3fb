//! A binned number without parents: a Bayes mixture of equally likely bins and of counts.
//!
//! Its bins would be equally full if it were normal. A table with more cells than rows starts from just that
//! prediction; without the uniform part, irrelevant parents would win by it.

/// Mixes the losses of counts with those of a uniform distribution over `n_levels`, by Bayes' rule, row by
/// row.
pub(super) fn mix_losses(losses: &mut [f64], n_levels: usize) {
    let alike = (n_levels as f64).ln();
    // The log odds of counts.
    let mut ahead = 0.0;
    for loss in losses {
        let before = ln_mean_exp(0.0, ahead);
        ahead += alike - *loss;
        *loss = alike + before - ln_mean_exp(0.0, ahead);
    }
}

/// The code length of this mixture over all rows, given the `length` of counts.
pub(super) fn mix_length(length: f64, n_rows: usize, n_levels: usize) -> f64 {
    -ln_mean_exp(-length, -(n_rows as f64) * (n_levels as f64).ln())
}

fn ln_mean_exp(a: f64, b: f64) -> f64 {
    let most = a.max(b);
    most + (0.5 * ((a - most).exp() + (b - most).exp())).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_add_up_to_the_whole_and_neither_expert_is_far_ahead() {
        for loss in [1.0, 3.0, 2.08] {
            let mut losses = vec![loss; 40];
            mix_losses(&mut losses, 8);
            let total: f64 = losses.iter().sum();
            assert!((total - mix_length(40.0 * loss, 40, 8)).abs() < 1e-9);
            assert!(total < 40.0 * loss.min(8.0_f64.ln()) + 2.0_f64.ln() + 1e-9);
        }
    }
}
