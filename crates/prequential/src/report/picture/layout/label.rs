//! How wide a name is drawn, and how a long one is cut.

/// Widths of the characters `' '` to `'~'` in thousandths of the font size: those of common sans-serif fonts, a little
/// rounded up, since the reader's font is not known.
const WIDTHS: [u16; 95] = [
    300, 320, 400, 640, 600, 900, 720, 230, 360, 360, 430, 640, 310, 370, 310, 340, // space to /
    600, 600, 600, 600, 600, 600, 600, 600, 600, 600, 320, 320, 640, 640, 640, 560, // 0 to ?
    1000, 700, 700, 730, 750, 660, 620, 770, 760, 300, 500, 690, 580, 870, 760, 790, // @ to O
    670, 790, 710, 680, 640, 740, 690, 970, 680, 660, 670, 340, 340, 340, 640, 560, // P to _
    400, 580, 600, 540, 600, 580, 340, 600, 600, 260, 280, 550, 260, 900, 600, 600, // ` to o
    600, 600, 390, 530, 370, 600, 550, 770, 540, 550, 520, 390, 300, 390, 640, // p to ~
];

/// The approximate width of a line of text.
pub(crate) fn text_width(text: &str, font_size: f64) -> f64 {
    text.chars().map(char_width).sum::<f64>() * font_size
}

/// In units of the font size.
fn char_width(c: char) -> f64 {
    match c as u32 {
        code @ 0x20..=0x7e => f64::from(WIDTHS[code as usize - 0x20]) / 1000.0,
        // Combining accents stand on the letter before.
        0x300..=0x36f => 0.0,
        // Chinese, Japanese, Korean, full-width forms, emoji.
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60 => 1.0,
        0x1f000..=0x3ffff => 1.3,
        _ => 0.65,
    }
}

/// Cuts a name in the middle, where columns of one table differ least, until it fits.
///
/// ```text
/// average_daily_temperature_celsius -> average_dail…ure_celsius
/// ```
pub(crate) fn shorten(name: &str, max_width: f64, font_size: f64) -> String {
    if text_width(name, font_size) <= max_width {
        return name.to_owned();
    }
    let chars: Vec<char> = name.chars().collect();
    let (mut head, mut tail) = (0, 0);
    let mut width = text_width("…", font_size);
    while head + tail < chars.len() {
        let from_head = head <= tail;
        let next = if from_head { chars[head] } else { chars[chars.len() - 1 - tail] };
        width += char_width(next) * font_size;
        if width > max_width {
            break;
        }
        *(if from_head { &mut head } else { &mut tail }) += 1;
    }
    let text = |chars: &[char]| chars.iter().collect::<String>();
    format!("{}…{}", text(&chars[..head]).trim_end(), text(&chars[chars.len() - tail..]).trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_lose_their_middle() {
        assert_eq!(shorten("dose", 100.0, 10.0), "dose");
        assert_eq!(shorten("average_daily_temperature_celsius", 100.0, 10.0), "average_d…_celsius");
        assert_eq!(shorten("気温の平均値と湿度の平均値", 60.0, 10.0), "気温の…均値");
        assert_eq!(shorten("abc", 0.0, 10.0), "…");
    }

    #[test]
    fn shortened_names_fit() {
        for max_width in [20.0, 50.0, 90.0, 130.0] {
            let short = shorten("WWWWWWWWiiiiiiiiiiiiiiiiiiiiiiiWWWWWWWWWWWWWWW", max_width, 13.0);
            assert!(text_width(&short, 13.0) <= max_width, "{short}");
        }
    }
}
