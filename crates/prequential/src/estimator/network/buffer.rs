//! Memory that is aligned for vector instructions.

use std::ops::{Deref, DerefMut};

/// A cache line holds this many numbers; the width of every layer is a multiple of it.
pub(crate) const LANES: usize = 16;

/// A slice of numbers aligned to a cache line.
#[derive(Debug, Clone)]
pub(crate) struct Buffer {
    /// As long as the slice and almost a cache line more.
    values: Vec<f32>,
    start: usize,
    len: usize,
}

impl Buffer {
    /// `len` zeros.
    pub(crate) fn zeros(len: usize) -> Buffer {
        let values = vec![0.0f32; len + LANES];
        let misplaced = (values.as_ptr() as usize / size_of::<f32>()) % LANES;
        Buffer { values, start: (LANES - misplaced) % LANES, len }
    }
}

impl Deref for Buffer {
    type Target = [f32];

    #[inline(always)]
    fn deref(&self) -> &[f32] {
        &self.values[self.start..self.start + self.len]
    }
}

impl DerefMut for Buffer {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.values[self.start..self.start + self.len]
    }
}

/// `width` rounded up to full cache lines.
pub(crate) fn padded(width: usize) -> usize {
    width.next_multiple_of(LANES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_begin_at_a_cache_line() {
        for len in [1, 15, 16, 17, 1000] {
            let buffer = Buffer::zeros(len);
            assert_eq!((buffer.as_ptr() as usize % 64, buffer.len()), (0, len));
        }
    }
}
