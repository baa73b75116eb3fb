//! What regressions made of families, kept until networks are trained for them: half of that work would be this again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::graph::{Family, NodeSet};

/// The most bytes that are kept; families beyond are coded again.
pub(super) const MAX_BYTES: usize = 64 << 20;

/// Losses of regressions, row by row, by family.
#[derive(Debug, Default)]
pub(super) struct LossCache(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    losses: HashMap<Family, Vec<f64>>,
    n_bytes: usize,
}

impl LossCache {
    /// Keeps the losses of a family if there is room.
    pub(super) fn keep(&self, child: usize, parents: &NodeSet, losses: &[f64]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let n_bytes = size_of_val(losses);
        if kept.n_bytes + n_bytes <= MAX_BYTES {
            kept.n_bytes += n_bytes;
            let before = kept.losses.insert(Family::new(child, parents.clone()), losses.to_vec());
            kept.n_bytes -= before.map_or(0, |losses| size_of_val(&losses[..]));
        }
    }

    /// Gives back what was kept of a family, once.
    pub(super) fn take(&self, child: usize, parents: &NodeSet) -> Option<Vec<f64>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let losses = kept.losses.remove(&Family::new(child, parents.clone()))?;
        kept.n_bytes -= size_of_val(&losses[..]);
        Some(losses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_come_back_once_and_never_take_more_than_their_room() {
        let (kept, none) = (LossCache::default(), NodeSet::new());
        kept.keep(0, &none, &[1.0, 2.0]);
        kept.keep(0, &none, &[3.0]);
        assert_eq!(kept.take(1, &none), None);
        assert_eq!(kept.take(0, &none), Some(vec![3.0]));
        assert_eq!(kept.take(0, &none), None);
        let half = vec![0.0; MAX_BYTES / 16];
        (0..3).for_each(|child| kept.keep(child, &none, &half));
        assert!(kept.take(2, &none).is_none() && kept.take(0, &none).is_some());
        kept.keep(2, &none, &half);
        assert_eq!(kept.take(2, &none), Some(half));
    }
}
