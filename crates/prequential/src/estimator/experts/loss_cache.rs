//! Losses of cheap experts, kept until expensive ones are trained for the same families: they would cost half of that work again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::graph::{Family, NodeSet};

/// The most bytes that are kept; families beyond are coded again.
pub(in crate::estimator) const MAX_BYTES: usize = 64 << 20;

/// Losses of experts, row by row, by number of the expert and family.
#[derive(Debug, Default)]
pub(in crate::estimator) struct LossCache(Mutex<CachedLosses>);

#[derive(Debug, Default)]
struct CachedLosses {
    losses: HashMap<(usize, Family), Vec<f64>>,
    n_bytes: usize,
}

impl LossCache {
    /// Keeps the losses of a family if there is room.
    pub(in crate::estimator) fn keep(&self, expert: usize, child: usize, parents: &NodeSet, losses: &[f64]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let n_bytes = size_of_val(losses);
        if kept.n_bytes + n_bytes <= MAX_BYTES {
            kept.n_bytes += n_bytes;
            let before = kept.losses.insert((expert, Family::new(child, parents.clone())), losses.to_vec());
            kept.n_bytes -= before.map_or(0, |losses| size_of_val(&losses[..]));
        }
    }

    /// Removes and returns the cached losses of a family.
    pub(in crate::estimator) fn take(
        &self,
        expert: usize,
        child: usize,
        parents: &NodeSet,
    ) -> Option<Vec<f64>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let losses = kept.losses.remove(&(expert, Family::new(child, parents.clone())))?;
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
        kept.keep(0, 0, &none, &[1.0, 2.0]);
        kept.keep(0, 0, &none, &[3.0]);
        assert_eq!(kept.take(0, 1, &none), None);
        assert_eq!(kept.take(0, 0, &none), Some(vec![3.0]));
        assert_eq!(kept.take(0, 0, &none), None);
        let half = vec![0.0; MAX_BYTES / 16];
        (0..3).for_each(|child| kept.keep(0, child, &none, &half));
        assert!(kept.take(0, 2, &none).is_none() && kept.take(0, 0, &none).is_some());
        kept.keep(0, 2, &none, &half);
        assert_eq!(kept.take(0, 2, &none), Some(half));
    }
}
