//! Workers: families are scored by the threads of this process, or by remote workers that receive jobs and
//! return codes as bytes.

use std::fmt;

use super::codec::{decode, encode};
use super::scorer::StoredScore;
use crate::base::error::{Error, Result};
use crate::estimator::Effort;
use crate::graph::NodeSet;

/// Families with the same parents, to be scored together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// The numbers of its variables.
    pub parents: Vec<usize>,
    /// The numbers of its variables.
    pub children: Vec<usize>,
}

/// Scores families in other processes or on other machines, invisibly to searches, stores and results.
pub trait Workers: fmt::Debug + Send + Sync {
    /// Has every job done by a [`Worker`](crate::workers::Worker) of the same table and settings, with networks if
    /// requested.
    ///
    /// Calls `done` with the position of each job and its worker's answer, in any order, but from this
    /// thread. Returns when all are done, or soon after `stopped` returns true.
    fn score(
        &self,
        jobs: &[Job],
        networks: bool,
        done: &dyn Fn(usize, &[u8]) -> Result<()>,
        stopped: &dyn Fn() -> bool,
    ) -> Result<()>;
}

impl Job {
    pub(super) fn new(parents: &NodeSet, children: &[usize]) -> Job {
        Job { parents: parents.iter().collect(), children: children.to_vec() }
    }
}

/// Serialises the codes of a job; `key` is their identity.
pub(crate) fn pack(key: &str, codes: &[StoredScore]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for StoredScore { child, order, code, seconds } in codes {
        let code_bytes = encode(key, code);
        let counts = [*child, *order, code.effort.n_trainings, code.effort.n_steps, code_bytes.len()];
        counts.iter().for_each(|&count| bytes.extend((count as u64).to_le_bytes()));
        bytes.extend(seconds.to_le_bytes());
        bytes.extend(code_bytes);
    }
    bytes
}

/// Deserialises the codes that `pack` serialised.
pub(super) fn unpack(key: &str, mut bytes: &[u8]) -> Result<Vec<StoredScore>> {
    let mut codes = Vec::new();
    while !bytes.is_empty() {
        codes.push(unpack_one(key, &mut bytes).ok_or_else(damaged)?);
    }
    Ok(codes)
}

fn unpack_one(key: &str, rest: &mut &[u8]) -> Option<StoredScore> {
    let mut count = || {
        let (head, tail) = rest.split_first_chunk()?;
        *rest = tail;
        usize::try_from(u64::from_le_bytes(*head)).ok()
    };
    let (child, order, n_trainings, n_steps, length) = (count()?, count()?, count()?, count()?, count()?);
    let (seconds, tail) = rest.split_first_chunk()?;
    let (code, tail) = tail.split_at_checked(length)?;
    *rest = tail;
    let mut code = decode(key, code)?;
    code.effort = Effort { n_trainings, n_steps };
    Some(StoredScore { child, order, code, seconds: f64::from_le_bytes(*seconds) })
}

fn damaged() -> Error {
    Error::Worker {
        what: "a worker sent codes that are damaged, or of another table, version or arithmetic".to_string(),
        hint: "let all workers have the same version of `prequential`, and processors with AVX2 and FMA (or none of them)"
            .to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::scorer::FamilyCode;
    use super::*;
    use crate::base::nats::Nats;

    #[test]
    fn codes_come_back_to_the_bit_and_damage_is_noticed() {
        let effort = Effort { n_trainings: 2, n_steps: 80 };
        let code = FamilyCode {
            length: Nats(-0.0),
            by_net: vec![1.5],
            curves: Vec::new(),
            context_gain: Some(0.25),
            effort,
        };
        let kept = |child, order| StoredScore { child, order, code: code.clone(), seconds: 0.125 };
        let codes = vec![kept(3, 0), kept(3, 1)];
        let mut bytes = pack("key", &codes);
        assert_eq!(unpack("key", &bytes).unwrap(), codes);
        assert!(unpack("other", &bytes).is_err());
        *bytes.last_mut().unwrap() ^= 1;
        assert!(unpack("key", &bytes).is_err());
        assert!(unpack("key", &bytes[..bytes.len() - 3]).is_err());
    }
}
