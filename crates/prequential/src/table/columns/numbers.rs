//! Numbers and their texts: one number has one text, whatever file it comes from.

/// The shortest text that reads back as the same number; far from 1 it has an exponent, or 1e300 would be 301 digits long.
pub(crate) fn number_text(number: f64) -> String {
    match number.abs() {
        0.0 | 1e-5..1e16 => number.to_string(),
        _ => format!("{number:e}"),
    }
}

/// The number that the shortest decimal of `number` stands for: 0.1, not 0.10000000149, as a text file would have it.
pub(crate) fn from_single(number: f32) -> f64 {
    if number.fract() == 0.0 && number.abs() < WHOLE_SINGLES {
        return number.into();
    }
    number.to_string().parse().expect("the text of a number is a number")
}

/// Every whole number below this is a float of 32 bits.
const WHOLE_SINGLES: f32 = 16_777_216.0;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn texts_of_numbers_read_back(number in any::<f64>().prop_filter("finite", |x| x.is_finite())) {
            prop_assert_eq!(number_text(number).parse::<f64>().map(f64::to_bits), Ok(number.to_bits()));
        }

        #[test]
        fn short_floats_are_their_shortest_decimals(number in any::<f32>().prop_filter("finite", |x| x.is_finite())) {
            prop_assert_eq!(Ok(from_single(number)), number.to_string().parse());
            prop_assert_eq!(from_single(number) as f32, number);
        }
    }

    #[test]
    fn texts_of_numbers_are_short() {
        let texts = [0.0, 1.0, -2.5, 1e-5, 1e-6, 1e15, 1e16, f64::INFINITY].map(number_text);
        assert_eq!(texts.join(" "), "0 1 -2.5 0.00001 1e-6 1000000000000000 1e16 inf");
        assert_eq!(from_single(0.1), 0.1);
    }
}
