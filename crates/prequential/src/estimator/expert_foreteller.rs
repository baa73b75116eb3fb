//! Predictions of experts while a column becomes known: chunk by chunk, from the rows before.

use std::ops::Range;

use super::column::CodedColumn;
use super::counts::{Configurations, CountTables, CountedFamily, CountedOutlook, all_losses};
use super::experts::{ExpertSettings, PRIOR_COUNTS, PRIOR_REGRESSIONS, code_all};
use super::family_group::FamilyGroup;
use super::fixed_share::{FixedShare, SLOW_SWITCH_RATE, fixed_share_after};
use super::foretell::{Foreteller, LabelForecast, NumberForecast, Outlook, TakeOutlook};
use super::fourier::{
    FourierSettings, LabelOutlook, LabelPredictor, NumberPredictor, Placing, RegressionOutlook,
};
use super::number::{KnownNumbers, MarginalOutlook};
use super::prequential::{CHUNK_GROWTH_FACTOR, RefitSchedule, growing_chunks};
use crate::graph::NodeSet;
use crate::table::{Quantised, QuantisedColumn};

/// Predicts columns by regressions and counts.
///
/// What was learnt before a chunk is worked out anew for each of them, from the rows that are known then: chunks grow by a fifth, so all
/// of it takes six times as long as a score.
#[derive(Debug)]
pub(super) struct ExpertForeteller {
    settings: ExpertSettings,
    regressions: FourierSettings,
    data: Quantised,
    tables: CountTables,
    /// Those that were entered are learnt.
    columns: Vec<CodedColumn>,
}

impl ExpertForeteller {
    /// Of experts that learn in the same chunks; `None` with networks.
    pub(super) fn ready(settings: ExpertSettings, data: Quantised) -> Option<Box<dyn Foreteller>> {
        let regressions =
            settings.regressions.clone().filter(|settings| settings.growth == CHUNK_GROWTH_FACTOR)?;
        if settings.networks.is_some() {
            return None;
        }
        let tables = CountTables::new(settings.prior, data.n_rows());
        let columns =
            (0..data.n_columns()).map(|node| CodedColumn::new(&data, node, &tables, false)).collect();
        Some(Box::new(ExpertForeteller { settings, regressions, data, tables, columns }))
    }

    fn foretell_numbers(
        &self,
        child: &QuantisedColumn,
        parents: &NodeSet,
        n_known: usize,
        take: TakeOutlook,
    ) {
        let Some(numbers) = &child.numbers else { return };
        let family = Family::new(child, self.data.n_rows(), n_known);
        let rows: Vec<u32> = (0..child.n_rows_used()).map(|place| family.row(place) as u32).collect();
        let known = KnownNumbers::new(numbers.clone(), &rows, n_known);
        let (linear, none) = (FourierSettings::linear(), NodeSet::default());
        let alone = family.group(&self.columns, &none);
        let mut alone = NumberPredictor::of_numbers(&linear, alone, vec![(&known.column, &known.losses[..])]);
        let mut placed = Vec::new();
        let placing = Placing { predictor: &mut alone, placed: &mut placed };
        let mut losses = code_all(placing, family.known_chunks(), n_known).remove(0);
        let mut column = known.column.clone();
        column.place_again(&placed);
        let before = losses.clone();
        let mut again = known.has_bins().then(|| {
            let group = family.group(&self.columns, &none);
            NumberPredictor::of_numbers(&linear, group, vec![(&column, &before[..])])
        });
        if let Some(again) = &mut again {
            let again = code_all(again, family.known_chunks(), n_known).remove(0);
            for (coded, loss) in again.into_iter().enumerate() {
                if column.has_bins(family.epochs.of(coded)) {
                    losses[coded] = loss;
                }
            }
        }
        let group = family.group(&self.columns, parents);
        let mut seeing = (!parents.is_empty())
            .then(|| NumberPredictor::of_numbers(&self.regressions, group, vec![(&column, &losses[..])]));
        if let Some(seeing) = &mut seeing {
            code_all(seeing, family.known_chunks(), n_known);
        }
        let next = family.next_chunk();
        let mut outlook = NumberOutlook {
            known: &known,
            marginal: known.outlook(rows[..n_known].iter().map(|&row| row as usize)),
            alone: alone.outlook(next.clone()),
            again: again.as_ref().map(|again| again.outlook(next.clone())),
            seeing: seeing.as_ref().map(|seeing| seeing.outlook(next.clone())),
        };
        take(next, Outlook::Numbers(&mut outlook));
    }

    fn foretell_labels(
        &self,
        node: usize,
        child: &QuantisedColumn,
        parents: &NodeSet,
        n_known: usize,
        take: TakeOutlook,
    ) {
        let family = Family::new(child, self.data.n_rows(), n_known);
        let next = family.next_chunk();
        let mut data = self.data.clone();
        data.replace(node, child.clone());
        let counted = |parents: &NodeSet| {
            let configurations = Configurations::new(&data, parents.iter());
            let outlook = CountedOutlook::new(&self.tables, &configurations, child, n_known);
            let mut losses = all_losses(&mut CountedFamily::new(&self.tables, &configurations, child));
            losses.truncate(n_known);
            (outlook, losses)
        };
        let alone = counted(&NodeSet::default()).0;
        if parents.is_empty() {
            let mut outlook = MixedLabel { alone, seeing: None, counts: None };
            return take(next, Outlook::Labels(&mut outlook));
        }
        let column = CodedColumn::new(&data, node, &self.tables, true);
        let group = family.group(&self.columns, parents);
        let mut seeing = LabelPredictor::new(&self.regressions, group, &column);
        let losses = code_all(&mut seeing, family.known_chunks(), n_known).remove(0);
        let is_counted =
            self.settings.counts && parents.iter().all(|parent| self.data.column(parent).numbers.is_none());
        let counts = is_counted.then(|| {
            let (outlook, of_counts) = counted(parents);
            let prior = [PRIOR_REGRESSIONS, PRIOR_COUNTS];
            let (switch, _) =
                fixed_share_after(&[&losses, &of_counts], &prior, family.known_chunks(), SLOW_SWITCH_RATE);
            (outlook, switch)
        });
        let mut outlook = MixedLabel { alone, seeing: Some(seeing.outlook(next.clone())), counts };
        take(next, Outlook::Labels(&mut outlook));
    }
}

impl Foreteller for ExpertForeteller {
    fn enter(&mut self, node: usize, cells: QuantisedColumn) {
        self.data.replace(node, cells);
        self.columns[node] = CodedColumn::new(&self.data, node, &self.tables, true);
    }

    fn foretell(
        &self,
        node: usize,
        child: &QuantisedColumn,
        parents: &NodeSet,
        n_known: usize,
        take: TakeOutlook,
    ) {
        match child.numbers {
            Some(_) => self.foretell_numbers(child, parents, n_known, take),
            None => self.foretell_labels(node, child, parents, n_known, take),
        }
    }
}

/// A child of which some rows are known, up to the end of a chunk.
struct Family<'a> {
    child: &'a QuantisedColumn,
    epochs: RefitSchedule,
    n_known: usize,
}

impl<'a> Family<'a> {
    fn new(child: &'a QuantisedColumn, n_rows: usize, n_known: usize) -> Family<'a> {
        Family { child, epochs: RefitSchedule::new(n_rows, child.rows_used.as_deref()), n_known }
    }

    fn group(&'a self, columns: &'a [CodedColumn], parents: &'a NodeSet) -> FamilyGroup<'a> {
        FamilyGroup { columns, parents, rows: self.child.rows_used.as_deref(), epochs: &self.epochs }
    }

    fn row(&self, place: usize) -> usize {
        self.child.rows_used.as_ref().map_or(place, |rows| rows[place] as usize)
    }

    fn known_chunks(&self) -> impl Iterator<Item = Range<usize>> {
        growing_chunks(&self.epochs, CHUNK_GROWTH_FACTOR, 1).take_while(|chunk| chunk.start < self.n_known)
    }

    fn next_chunk(&self) -> Range<usize> {
        let next =
            growing_chunks(&self.epochs, CHUNK_GROWTH_FACTOR, 1).find(|chunk| chunk.start >= self.n_known);
        next.unwrap_or(self.n_known..self.n_known)
    }
}

/// A number without parents, with levels around which it lies, the same again where they predict bins, and given its parents.
struct NumberOutlook<'a> {
    known: &'a KnownNumbers,
    marginal: MarginalOutlook<'a>,
    alone: RegressionOutlook<'a>,
    again: Option<RegressionOutlook<'a>>,
    seeing: Option<RegressionOutlook<'a>>,
}

impl NumberForecast for NumberOutlook<'_> {
    fn begin(&mut self, row: usize) {
        self.alone.begin(row);
        self.again.iter_mut().chain(&mut self.seeing).for_each(|outlook| outlook.begin(row));
    }

    fn below(&self, edge: f64) -> f64 {
        let Some(around) = self.known.around_edge(edge) else {
            let edge = self.known.edge(edge);
            let alone = self.alone.below(edge, None, self.marginal.below(edge));
            return self.seeing.as_ref().map_or(alone, |seeing| seeing.below(edge, None, alone));
        };
        let (edge, alone) = (around.number, self.alone.shares(&around, self.marginal.shares(&around)));
        let part = Some(around.part(alone));
        let outlooks = self.again.iter().chain(&self.seeing);
        outlooks.fold(alone.number, |below, outlook| outlook.below(edge, part, below))
    }

    fn see(&mut self, number: f64) -> f64 {
        let mut cells = self.known.cells(number);
        let shares = self.known.around(number).map(|around| {
            let marginal = self.marginal.shares(&around);
            (marginal, self.alone.shares(&around, marginal))
        });
        let marginal = self.marginal.see(&cells);
        cells.binned = self.known.binned(&cells, shares.map(|(shares, _)| shares.placed(marginal)));
        let alone = self.alone.see(&cells, marginal);
        cells.binned = self.known.binned(&cells, shares.map(|(_, shares)| shares.placed(alone)));
        let outlooks = self.again.iter_mut().chain(&mut self.seeing);
        outlooks.fold(alone, |loss, outlook| outlook.see(&cells, loss))
    }
}

/// A label by counts alone, given its parents by regressions, and by counts with them.
struct MixedLabel {
    alone: CountedOutlook,
    seeing: Option<LabelOutlook>,
    counts: Option<(CountedOutlook, FixedShare)>,
}

impl LabelForecast for MixedLabel {
    fn write(&self, row: usize, probabilities: &mut [f64]) {
        self.alone.write(row, probabilities);
        if let Some(seeing) = &self.seeing {
            seeing.mix(row, probabilities);
        }
        if let Some((counts, switch)) = &self.counts {
            let mut counted = vec![0.0; probabilities.len()];
            counts.write(row, &mut counted);
            let weights = switch.weights();
            for (probability, counted) in probabilities.iter_mut().zip(counted) {
                *probability = FixedShare::mean(&weights, [*probability, counted].into_iter());
            }
        }
    }

    fn see(&mut self, row: usize, level: usize) -> f64 {
        let alone = self.alone.see(row, level);
        let seeing = self.seeing.as_mut().map_or(alone, |seeing| seeing.see(row, level, alone));
        let Some((counts, switch)) = &mut self.counts else { return seeing };
        let (counted, mut mixed) = (counts.see(row, level), [0.0]);
        switch.mix(&[&[seeing], &[counted]], &mut mixed);
        mixed[0]
    }
}
