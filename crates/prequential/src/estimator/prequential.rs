//! The prequential loop (Dawid 1984): the only place where predicting and learning alternate, and when models are refit.

use std::ops::Range;

/// A predictor of a family: it first predicts the next rows, then observes them.
///
/// `log_loss` takes `&self`, so a predictor cannot learn while it is being tested. Rows are numbered in coding order,
/// leaving out those in which the child is missing or was set by intervention. One predictor may serve several children of
/// the same parents, coded in the same rows.
pub(crate) trait Predictor {
    /// Intermediate results of a prediction that learning from the same rows can reuse.
    type Prediction;

    /// How many children are predicted.
    fn n_children(&self) -> usize {
        1
    }

    /// Writes -ln p(child | parents, rows observed so far) for each of `rows`, in nats; all rows of the first child come first.
    fn log_loss(&self, rows: Range<usize>, losses: &mut [f64]) -> Self::Prediction;

    /// Learns from `rows`, which were just predicted.
    fn observe(&mut self, rows: Range<usize>, prediction: Self::Prediction);
}

/// A predictor that is returned after coding.
impl<P: Predictor> Predictor for &mut P {
    type Prediction = P::Prediction;

    fn n_children(&self) -> usize {
        (**self).n_children()
    }

    fn log_loss(&self, rows: Range<usize>, losses: &mut [f64]) -> P::Prediction {
        (**self).log_loss(rows, losses)
    }

    fn observe(&mut self, rows: Range<usize>, prediction: P::Prediction) {
        (**self).observe(rows, prediction);
    }
}

/// Codes the rows chunk by chunk: predicts a chunk, hands it and its losses to `take`, then lets the predictor learn from
/// it. No loss can depend on a later chunk, because the predictor has not seen one. The losses of several children come one
/// after another.
#[inline(always)]
pub(crate) fn code(
    mut predictor: impl Predictor,
    chunks: impl Iterator<Item = Range<usize>>,
    mut take: impl FnMut(Range<usize>, &[f64]),
) {
    let n_children = predictor.n_children();
    let mut losses = Vec::new();
    for rows in chunks {
        losses.resize(n_children * rows.len(), 0.0);
        let prediction = predictor.log_loss(rows.clone(), &mut losses);
        take(rows.clone(), &losses);
        predictor.observe(rows, prediction);
    }
}

/// `[child][row]`: all losses.
pub(crate) fn code_all(
    predictor: impl Predictor,
    chunks: impl Iterator<Item = Range<usize>>,
    n_rows: usize,
) -> Vec<Vec<f64>> {
    let mut losses: Vec<Vec<f64>> = vec![Vec::with_capacity(n_rows); predictor.n_children()];
    code(predictor, chunks, |rows, chunk| {
        for (losses, chunk) in losses.iter_mut().zip(chunk.chunks_exact(rows.len())) {
            losses.extend_from_slice(chunk);
        }
    });
    losses
}

/// Rows of the table before the first refit.
const N_FIRST: usize = 4;

/// Epochs: the spans between refits of ranks and of the number of Fourier features.
///
/// A refit is due whenever the rows of the table have doubled, for every column alike, whichever rows it is
/// coded in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RefitSchedule {
    /// The rows of the table up to the end of each epoch.
    row_ends: Vec<usize>,
    /// The coded rows up to the end of each epoch.
    ends: Vec<usize>,
}

impl RefitSchedule {
    /// For a table with this many rows, of which a child is coded in `rows`, or in all.
    pub(crate) fn new(n_rows: usize, rows: Option<&[u32]>) -> RefitSchedule {
        let doubled = std::iter::successors(Some(N_FIRST), |end| Some(2 * end));
        let mut row_ends: Vec<usize> = doubled.take_while(|&end| end < n_rows).collect();
        row_ends.push(n_rows);
        let coded = |&end: &usize| rows.map_or(end, |rows| rows.partition_point(|&row| (row as usize) < end));
        let ends = row_ends.iter().map(coded).collect();
        RefitSchedule { row_ends, ends }
    }

    /// How many epochs there are.
    pub(crate) fn number(&self) -> usize {
        self.ends.len()
    }

    /// The rows of the table up to the end of each epoch.
    pub(crate) fn row_ends(&self) -> impl Iterator<Item = usize> {
        self.row_ends.iter().copied()
    }

    /// How many rows are coded.
    pub(crate) fn n_coded(&self) -> usize {
        self.ends[self.ends.len() - 1]
    }

    /// The coded rows up to the end of an epoch.
    pub(crate) fn end_of(&self, epoch: usize) -> usize {
        self.ends[epoch]
    }

    /// The epoch in which a coded row lies.
    pub(crate) fn of(&self, row: usize) -> usize {
        self.ends.partition_point(|&end| end <= row)
    }

    /// The epochs that begin after the first `n_seen` coded rows were seen, up to the one in which the next lies or, if none is left, to
    /// the last one; empty within an epoch. Before any row, the first epoch is among them.
    pub(crate) fn next_of(&self, n_seen: usize) -> Range<usize> {
        let first = if n_seen == 0 { 0 } else { self.of(n_seen - 1) + 1 };
        let end = if n_seen == self.n_coded() { self.ends.len() } else { self.of(n_seen) + 1 };
        first..end.max(first)
    }
}

/// Each chunk is this fraction of the rows before it, unless an estimator sets another.
pub(crate) const CHUNK_GROWTH_FACTOR: f64 = 1.2;

/// The most rows of a chunk, so that its memory does not grow with the table. Refitting more often then costs
/// nothing.
const MAX_CHUNK: usize = 1 << 15;

/// The chunks in which rows are predicted and then learnt: the first, then chunks that grow with what came before, cut where an epoch
/// ends.
///
/// With `growth` 1.15 every chunk is 15 % of the rows before it, and [`MAX_CHUNK`] rows at the most.
pub(crate) fn growing_chunks(
    epochs: &RefitSchedule,
    growth: f64,
    first: usize,
) -> impl Iterator<Item = Range<usize>> {
    let n_rows = epochs.n_coded();
    // A child that is never coded has no chunk.
    let opening = Some(0..first.min(n_rows)).filter(|chunk| !chunk.is_empty());
    std::iter::successors(opening, move |chunk| {
        let start = chunk.end;
        (start < n_rows).then(|| start..(start + chunk_len(start, growth)).min(epochs.ends[epochs.of(start)]))
    })
}

/// The chunk that a row lies in, of which later rows may not be known.
pub(crate) struct ChunkAt {
    /// Its first row.
    pub(crate) start: usize,
    /// It ends before this row at the latest,
    pub(crate) n_most: usize,
    /// and where its epoch ends.
    pub(crate) epoch_end: usize,
}

/// The chunk that coded row number `row` lies in, of chunks that begin with one row.
pub(crate) fn chunk_at(epochs: &RefitSchedule, growth: f64, row: usize) -> ChunkAt {
    let starts = growing_chunks(epochs, growth, 1).map(|chunk| chunk.start);
    let start = starts.take_while(|&start| start <= row).last().unwrap_or(row);
    let epoch_end = if start < epochs.n_coded() { epochs.ends[epochs.of(start)] } else { start };
    ChunkAt { start, n_most: start + chunk_len(start, growth), epoch_end }
}

/// How long a chunk is that no epoch cuts.
fn chunk_len(start: usize, growth: f64) -> usize {
    ((start as f64 * (growth - 1.0)) as usize).clamp(1, MAX_CHUNK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_cover_every_coded_row_once_and_end_with_epochs() {
        let odd: Vec<u32> = (0..500).map(|i| 2 * i + 1).collect();
        for (n_rows, rows) in
            [(1_000, None), (1_000, Some(&odd[..])), (7, None), (0, None), (9, Some(&[][..]))]
        {
            let epochs = RefitSchedule::new(n_rows, rows);
            for first in [1, 16] {
                let chunks: Vec<Range<usize>> = growing_chunks(&epochs, 1.2, first).collect();
                let all: Vec<usize> = chunks.iter().cloned().flatten().collect();
                assert_eq!(all, (0..epochs.n_coded()).collect::<Vec<usize>>());
                for chunk in chunks.iter().skip(1) {
                    assert_eq!(epochs.of(chunk.start), epochs.of(chunk.end - 1));
                }
            }
        }
    }

    #[test]
    fn chunks_of_millions_of_rows_stay_small() {
        let epochs = RefitSchedule::new(1_000_000, None);
        let longest = growing_chunks(&epochs, 1.2, 1).map(|chunk| chunk.len()).max();
        assert_eq!(longest, Some(MAX_CHUNK));
        // Up to here chunks grow by a fifth.
        let ordinary = RefitSchedule::new(5 * MAX_CHUNK, None);
        let is_cut = |chunk: &Range<usize>| chunk.len() == MAX_CHUNK;
        assert!(!growing_chunks(&ordinary, 1.2, 1).any(|chunk| is_cut(&chunk)));
    }

    #[test]
    fn epochs_begin_when_the_rows_of_the_table_have_doubled() {
        let rows: Vec<u32> = (40..60).collect();
        let epochs = RefitSchedule::new(100, Some(&rows));
        assert_eq!(epochs.row_ends().collect::<Vec<usize>>(), [4, 8, 16, 32, 64, 100]);
        assert_eq!((epochs.next_of(0), epochs.next_of(5), epochs.next_of(20)), (0..5, 5..5, 5..6));
        let all = RefitSchedule::new(100, None);
        assert_eq!((all.of(15), all.of(16), all.of(99)), (2, 3, 5));
        assert_eq!(
            (all.next_of(0), all.next_of(16), all.next_of(17), all.next_of(100)),
            (0..1, 3..4, 4..4, 6..6)
        );
    }
}
