//! A remote worker: scores jobs of a run in another process.

use std::time::Instant;

use super::plan::Plan;
use super::pool::in_pool;
use crate::base::error::Result;
use crate::base::stop::Stop;
use crate::graph::NodeSet;
use crate::score::{CodeIdentity, FamilyScorer, Job, StoredScore, pack};

/// Scores jobs of a run whose [`Plan`] has the same table and settings, perhaps on another machine.
///
/// ```
/// use prequential::workers::{Job, Worker};
/// use prequential::{Plan, Settings};
/// use prequential_simulate::Experiment;
/// let table = Experiment::Asia.simulate(500, 1)?.table;
/// let worker = Worker::new(&Plan::new(&table, &Settings::default())?)?;
/// let codes = worker.score(&Job { parents: vec![1], children: vec![3] }, true)?;
/// assert!(!codes.is_empty());
/// # Ok::<(), prequential::Error>(())
/// ```
#[derive(Debug)]
pub struct Worker {
    /// One for each order of the rows.
    full: Vec<FamilyScorer>,
    /// The scorers without networks, if those are deferred.
    cheap: Option<Vec<FamilyScorer>>,
    /// Threads of a job.
    threads: Option<usize>,
    identity: CodeIdentity,
}

impl Worker {
    /// Prepares the table, in every order of its rows.
    pub fn new(plan: &Plan) -> Result<Worker> {
        let full = in_pool(plan.threads, || Ok(plan.scorers()))?;
        let cheap = full.iter().map(FamilyScorer::without_expensive_experts).collect();
        Ok(Worker { full, cheap, threads: plan.threads, identity: plan.code_identity() })
    }

    /// The codes of a job as bytes, for [`Workers::score`](crate::workers::Workers::score); uses at most the threads
    /// of the settings.
    pub fn score(&self, job: &Job, networks: bool) -> Result<Vec<u8>> {
        in_pool(self.threads, || self.codes(job, networks)).map(|codes| pack(&self.identity, &codes))
    }

    fn codes(&self, job: &Job, networks: bool) -> Result<Vec<StoredScore>> {
        let scorers = if networks { &self.full } else { self.cheap.as_ref().unwrap_or(&self.full) };
        let parents: NodeSet = job.parents.iter().copied().collect();
        let mut codes = Vec::new();
        for (order, scorer) in scorers.iter().enumerate() {
            let start = Instant::now();
            let scored = scorer.score_group(&parents, &job.children, Stop::never())?.unwrap_or_default();
            let seconds = start.elapsed().as_secs_f64() / job.children.len().max(1) as f64;
            let by_child = job.children.iter().zip(scored);
            codes.extend(by_child.map(|(&child, code)| StoredScore { child, order, code, seconds }));
        }
        Ok(codes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::nats::Nats;
    use crate::estimator::{Estimator, Linear, Mix, ReplaySettings};
    use crate::run::Settings;
    use crate::simd::forced::{Vectors, force, possible};
    use crate::table::{ReadOptions, Table};

    /// Dependent numbers and labels.
    fn table() -> Table {
        let row = |row: i32| {
            let angle = f64::from(row * row % 997) / 100.0;
            let (x, y) = (angle.sin() + 0.1 * (31.0 * angle).cos(), (2.0 * angle).sin() * angle.cos());
            format!(
                "{x},{},{}\n",
                y + 0.1 * (17.0 * angle).sin(),
                if x + 0.3 * y > 0.2 { "high" } else { "low" }
            )
        };
        let text = format!("x,y,z\n{}", (0..150).map(row).collect::<String>());
        Table::from_bytes("table.csv", text.as_bytes(), &ReadOptions::default()).unwrap()
    }

    /// Code lengths of all children, each given the two other columns, with these vectors.
    fn code_lengths(plan: &Plan, vectors: Vectors) -> Vec<Nats> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).start_handler(move |_| force(vectors));
        pool.build().unwrap().install(|| {
            let scorer = plan.scorers().remove(0);
            let by_child = |child: usize| {
                let parents: NodeSet = (0..3).filter(|&node| node != child).collect();
                scorer.score_group(&parents, &[child], Stop::never()).unwrap().unwrap().remove(0).length
            };
            (0..3).map(by_child).collect()
        })
    }

    #[test]
    fn code_lengths_are_the_same_to_the_bit_with_all_vectors_that_round_once() {
        let table = table();
        // Without vectors, networks are slow.
        let replay = ReplaySettings { hidden: vec![16, 16], n_steps: 3, ..ReplaySettings::default() };
        for estimator in [Linear::default().into(), Estimator::from(Mix { replay, ..Mix::default() })] {
            let name = estimator.name();
            let plan = Plan::new(&table, &Settings { estimator, ..Settings::default() }).unwrap();
            let bits = |lengths: &[Nats]| lengths.iter().map(|length| length.0.to_bits()).collect::<Vec<_>>();
            let expected = code_lengths(&plan, Vectors::Fused);
            for vectors in possible() {
                let found = code_lengths(&plan, vectors);
                match vectors {
                    // Stores keep them apart and drivers refuse them: see `arithmetic`.
                    Vectors::Separate => {
                        let close = |(one, other): (&Nats, &Nats)| (one.0 - other.0).abs() < 0.1;
                        assert!(expected.iter().zip(&found).all(close), "{name}: {expected:?} {found:?}");
                    }
                    _ => assert_eq!(bits(&expected), bits(&found), "{name} with {vectors:?}"),
                }
            }
        }
    }
}
