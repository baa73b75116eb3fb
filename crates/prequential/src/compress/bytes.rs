//! Serialises numbers and texts to bytes and back.

/// The error that the bytes are not what was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Damaged;

/// Writes numbers and texts one after another.
#[derive(Debug, Default)]
pub(super) struct ByteWriter(pub(super) Vec<u8>);

impl ByteWriter {
    /// A number, small ones in few bytes: seven bits in each.
    pub(super) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub(super) fn signed(&mut self, number: i64) {
        self.number((number << 1 ^ number >> 63) as u64);
    }

    /// A number of eight bytes.
    pub(super) fn fixed(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    pub(super) fn float(&mut self, number: f64) {
        self.fixed(number.to_bits());
    }

    /// Some bytes, preceded by their number.
    pub(super) fn text(&mut self, text: &[u8]) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text);
    }
}

/// Reads what a [`ByteWriter`] wrote.
#[derive(Debug)]
pub(super) struct ByteReader<'a>(pub(super) &'a [u8]);

impl<'a> ByteReader<'a> {
    pub(super) fn number(&mut self) -> Result<u64, Damaged> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Damaged)
    }

    pub(super) fn signed(&mut self) -> Result<i64, Damaged> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    pub(super) fn fixed(&mut self) -> Result<u64, Damaged> {
        let bytes = self.take(8)?;
        Ok(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    pub(super) fn float(&mut self) -> Result<f64, Damaged> {
        self.fixed().map(f64::from_bits)
    }

    pub(super) fn text(&mut self) -> Result<&'a [u8], Damaged> {
        let length = self.size()?;
        self.take(length)
    }

    /// A count of items of at least one byte each, or a position among the bytes.
    pub(super) fn size(&mut self) -> Result<usize, Damaged> {
        usize::try_from(self.number()?).map_err(|_| Damaged)
    }

    /// The next bytes.
    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8], Damaged> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(Damaged)?;
        self.0 = rest;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(a in any::<u64>(), b in any::<i64>(), c in any::<f64>(), d in any::<Vec<u8>>()) {
            let mut writer = ByteWriter::default();
            writer.number(a);
            writer.signed(b);
            writer.float(c);
            writer.text(&d);
            let mut reader = ByteReader(&writer.0);
            prop_assert_eq!((reader.number(), reader.signed()), (Ok(a), Ok(b)));
            prop_assert_eq!(reader.float().map(f64::to_bits), Ok(c.to_bits()));
            prop_assert_eq!(reader.text(), Ok(&d[..]));
            prop_assert_eq!(reader.number(), Err(Damaged));
        }
    }
}
