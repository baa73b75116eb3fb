//! A Bayes mixture of several codes of the same rows, with equal prior weights.

/// The length of the mixture of codes of these lengths.
pub(super) fn mixed_length(lengths: &[f64]) -> f64 {
    // A single code keeps every bit.
    if let [one] = lengths {
        return *one;
    }
    let shortest = lengths.iter().copied().fold(f64::INFINITY, f64::min);
    let sum: f64 = lengths.iter().map(|length| (shortest - length).exp()).sum();
    shortest - (sum / lengths.len() as f64).ln()
}

/// The loss of every row under the mixture of codes with these losses: differences of the cumulative loss.
pub(super) fn mixed_losses(mut codes: Vec<Vec<f64>>) -> Vec<f64> {
    if codes.len() == 1 {
        return codes.remove(0);
    }
    let n_rows = codes.first().map_or(0, Vec::len);
    let mut spent = vec![0.0; codes.len()];
    let loss = |row: usize| {
        // Relative to the first, so that differences of long codes keep their digits.
        let first = codes[0][row];
        let before = mixed_length(&spent);
        spent.iter_mut().zip(&codes).for_each(|(spent, code)| *spent += code[row] - first);
        first + mixed_length(&spent) - before
    };
    (0..n_rows).map(loss).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_add_up_to_the_whole_which_no_code_leads_by_more_than_its_weight() {
        let code = |step: usize| (0..300).map(|row| ((row * step) % 7) as f64 / 3.0).collect::<Vec<f64>>();
        let codes: Vec<Vec<f64>> = [1, 7, 3].map(code).to_vec();
        let lengths: Vec<f64> = codes.iter().map(|code| code.iter().sum()).collect();
        let (whole, rows) = (mixed_length(&lengths), mixed_losses(codes));
        assert!((whole - rows.iter().sum::<f64>()).abs() < 1e-9);
        let best = lengths.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(best < whole && whole < best + 3f64.ln() + 1e-9);
    }

    #[test]
    fn one_code_alone_stays_as_it_is() {
        assert_eq!(mixed_length(&[0.1]), 0.1);
        assert_eq!(mixed_losses(vec![vec![0.1, 0.7]]), [0.1, 0.7]);
    }
}
