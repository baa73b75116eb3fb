//! What probabilities mean, in one sentence.

use crate::base::nats::Nats;

/// How to read raw and tempered probabilities, where gaps near the best graph vary by `spread` from repeat to repeat.
pub(in crate::report) fn probabilities_in_words(spread: Nats, temperature: f64) -> String {
    if temperature >= 1.05 {
        format!(
            "Raw probabilities take every gap between graphs at face value and are too sure; tempered ones divide all gaps by \
             {temperature:.1}, because gaps near the best graph vary by {:.1} nats (standard deviation) from repeat to repeat.",
            spread.0
        )
    } else {
        "Raw probabilities take every gap between graphs at face value; tempered ones are the same here, because gaps near the \
         best graph hardly vary from repeat to repeat."
            .to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_names_spread_and_divisor() {
        let text = probabilities_in_words(Nats(12.34), 7.8);
        assert!(text.contains("divide all gaps by 7.8") && text.contains("vary by 12.3 nats"), "{text}");
        assert!(probabilities_in_words(Nats(0.2), 1.0).contains("the same here"));
    }
}
