//! A part of all families, to distribute work over processes or machines.

use std::collections::BTreeSet;

use crate::base::error::{Error, Result};
use crate::base::message::{OptionName, message};
use crate::graph::{Family, NodeSet};

/// One of several disjoint parts of all families.
///
/// Families with the same parents share work and stay together; parent sets are dealt out in turn, smaller ones first, so that the
/// parts take about the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    n_shards: usize,
}

impl Shard {
    /// Part `number`, from 1, of `n_shards`.
    pub fn new(number: usize, n_shards: usize) -> Result<Shard> {
        if (1..=n_shards).contains(&number) {
            return Ok(Shard { number, n_shards });
        }
        Err(Error::Setting {
            what: message![
                OptionName::Shard,
                format!(" is {number}/{n_shards}, but parts are numbered from 1 to their number"),
            ],
            hint: message![
                "with four parts, use ",
                OptionName::Shard.set("1/4"),
                " to ",
                OptionName::Shard.set("4/4"),
            ],
        })
    }

    /// The `families` that belong to this part.
    pub(crate) fn of(self, families: Vec<Family>) -> Vec<Family> {
        let sets: BTreeSet<&NodeSet> = families.iter().map(|family| &family.parents).collect();
        let own = sets.into_iter().enumerate().filter(|(i, _)| i % self.n_shards == self.number - 1);
        let own: BTreeSet<NodeSet> = own.map(|(_, parents)| parents.clone()).collect();
        families.into_iter().filter(|family| own.contains(&family.parents)).collect()
    }
}

impl std::fmt::Display for Shard {
    /// `1/4`.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.n_shards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Constraints;

    #[test]
    fn the_parts_are_disjoint_and_together_everything() {
        let all: Vec<Family> = Constraints::none(6).families().collect();
        for n_shards in [1, 3, 7, 100] {
            let part = |number| Shard::new(number, n_shards).unwrap().of(all.clone());
            let mut together: Vec<Family> = (1..=n_shards).flat_map(part).collect();
            together.sort();
            let mut expected = all.clone();
            expected.sort();
            assert_eq!(together, expected);
        }
        let sizes: Vec<usize> =
            (1..=3).map(|number| Shard::new(number, 3).unwrap().of(all.clone()).len()).collect();
        assert!(sizes.iter().all(|size| size.abs_diff(all.len() / 3) <= 6), "{sizes:?}");
        assert!(Shard::new(0, 3).is_err() && Shard::new(4, 3).is_err() && Shard::new(1, 0).is_err());
    }
}
