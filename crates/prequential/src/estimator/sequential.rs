//! Predictive distributions of columns that become known row by row, by the models of the score.

use std::ops::Range;
use std::sync::Arc;

use super::column::CodedColumn;
use super::counts::{Configurations, CountTables, CountedFamily, CountedPredictive, all_losses};
use super::experts::{ExpertList, SequentialExpert};
use super::family_group::FamilyGroup;
use super::fixed_share::{FixedShare, SLOW_SWITCH_RATE, fixed_share_after};
use super::hurdle::{self, frequent_value};
use super::marginal::{MarginalPass, first_pass, second_pass};
use super::numeric::{
    BinEdges, CdfAtEdges, Endpoint, Intervals, KnownNumbers, MarginalPredictive, NumberColumn, PartialBin,
    PitmanYor,
};
use super::predictive::{
    CategoricalPredictive, NextRows, NumericPredictive, Predictive, SequentialPredictor, TakePredictive,
};
use super::prequential::{CHUNK_GROWTH_FACTOR, RefitSchedule, chunk_at, code_all, growing_chunks};
use super::regression::{
    FourierSettings, LabelPredictive, LabelPredictor, NumberPredictor, RegressionPredictive,
};
use crate::graph::NodeSet;
use crate::table::{Numbers, Quantised, QuantisedColumn};

/// Predicts columns by regressions and counts.
///
/// The models are fitted again for every chunk, from the rows known then: chunks grow by a fifth, so all of
/// it takes six times as long as a score, and longer for a hurdle model, whose parts learn in chunks of their own.
#[derive(Debug)]
pub(super) struct ExpertSequence {
    regressions: FourierSettings,
    /// Weights before any row of regressions, and of counts where there are any.
    regression_weight: f64,
    count_weight: Option<f64>,
    data: Quantised,
    tables: CountTables,
    /// The columns that were added have marginals.
    columns: Vec<CodedColumn>,
}

impl ExpertSequence {
    /// From regressions and counts; `None` if there are other experts, or no regressions.
    pub(super) fn ready(list: &ExpertList, data: Quantised) -> Option<Box<dyn SequentialPredictor>> {
        let (mut regressions, mut count_weight) = (None, None);
        for (weight, expert) in &list.experts {
            match expert.sequential()? {
                SequentialExpert::Regressions(settings) => regressions = Some((settings, *weight)),
                SequentialExpert::Counts => count_weight = Some(*weight),
            }
        }
        let (regressions, regression_weight) = regressions?;
        let tables = CountTables::new(list.prior, data.n_rows());
        let columns = (0..data.n_columns()).map(|node| CodedColumn::without_marginal(&data, node)).collect();
        Some(Box::new(ExpertSequence { regressions, regression_weight, count_weight, data, tables, columns }))
    }

    /// Passes the predictive distribution of numbers to `take`, with a hurdle model if one value is frequent.
    fn predict_numbers(&self, next: &NextRows, numbers: &Arc<Numbers>, take: TakePredictive) {
        let (n_rows, n_known) = (self.data.n_rows(), next.n_known);
        let rows: Vec<u32> = match &next.child.rows_used {
            Some(rows) => rows.clone(),
            None => (0..n_rows as u32).collect(),
        };
        let whole = KnownRows::new(numbers, rows, n_rows, n_known, None);
        self.with_marginal(&whole, |marginal| {
            let known = &whole.rows[..n_known];
            let Some(frequent) = frequent_value(numbers, known) else {
                return self.predict_given_parents(next, marginal, None, take);
            };
            // Any of the next rows may have another value, so regressions predict all of them.
            let is_other = |row: &u32| numbers.values[*row as usize] != frequent;
            let mut others: Vec<u32> = known.iter().copied().filter(is_other).collect();
            let n_others = others.len();
            others.extend(&whole.rows[n_known..]);
            let n_ahead = whole.limit - n_known;
            let others = KnownRows::new(numbers, others, n_rows, n_others, Some(n_ahead));
            let indicator = self.indicator(next, numbers, frequent, &whole);
            self.with_marginal(&others, |otherwise| {
                let cell = (next.coded_cell)(frequent);
                let hurdle = KnownHurdle { frequent, cell, indicator: &indicator, otherwise };
                self.predict_given_parents(next, marginal, Some(hurdle), take);
            });
        });
    }

    /// Passes the marginal of the numbers of some rows to `take`, as far as they are known.
    fn with_marginal(&self, known: &KnownRows, take: impl FnOnce(KnownMarginal)) {
        let (linear, none, n_learnt) = (FourierSettings::linear(), NodeSet::default(), known.n_learnt);
        let learnt = KnownNumbers::new(known.numbers.clone(), &known.rows, n_learnt);
        let group = known.group(&self.columns, &none);
        let first = first_pass(&linear, &learnt.column, &learnt.losses, group, n_learnt);
        let MarginalPass { predictor: first, mut losses, pit_cells } = first;
        let mut column = learnt.column.clone();
        column.set_pit_cells(&pit_cells);
        let before = losses.clone();
        let has_pit_cells = learnt.has_bins() || !pit_cells.is_empty();
        let second = has_pit_cells
            .then(|| second_pass(&linear, &column, &before, group, n_learnt, &mut losses))
            .filter(|_| learnt.has_bins());
        let ahead = n_learnt..known.limit;
        let base = learnt.predictive(&known.rows[..n_learnt]);
        let mut predictive = NumericMarginal {
            learnt: &learnt,
            censored: (learnt.has_bins() && learnt.is_censored()).then(|| base.clone()),
            base,
            first: first.predictive(ahead.clone()),
            second: second.as_ref().map(|second| second.predictive(ahead)),
        };
        let mut replayed = Vec::new();
        for place in n_learnt..known.n_known {
            predictive.begin(place);
            let (cells, loss) = predictive.observe(known.number(place));
            replayed.push(cells);
            losses.push(loss);
        }
        take(KnownMarginal { part: LearntRows { known, column: &column, losses, replayed }, predictive });
    }

    /// Whether each known row has the frequent value, as a categorical column.
    fn indicator(&self, next: &NextRows, numbers: &Numbers, frequent: f64, whole: &KnownRows) -> CodedColumn {
        let rows_used = next.child.rows_used.clone();
        let cells = hurdle::indicator(numbers, frequent, rows_used);
        let configurations = Configurations::new(&self.data, []);
        let mut marginal_losses = all_losses(&mut CountedFamily::new(&self.tables, &configurations, &cells));
        marginal_losses.truncate(next.n_known);
        CodedColumn { cells, number: None, hurdle: None, marginal_losses, epochs: whole.schedule.clone() }
    }

    /// Passes the predictive distribution given the parents to `take`.
    fn predict_given_parents(
        &self,
        next: &NextRows,
        KnownMarginal { part: whole, predictive }: KnownMarginal,
        hurdle: Option<KnownHurdle>,
        take: TakePredictive,
    ) {
        let known = whole.known;
        let Some(KnownHurdle { frequent, cell, indicator, otherwise }) = hurdle else {
            let regressed = self.regressed(next, &whole, &whole.losses);
            let (given, _) = replay(regressed.as_ref(), &whole, &whole.losses);
            let whole = NumericPart { marginal: predictive, given };
            let mut predictive = NumberPredictive { row: next.n_known, whole, hurdle: None };
            return take(next.n_known..known.limit, Predictive::Numeric(&mut predictive));
        };
        let KnownMarginal { part: others, predictive: otherwise } = otherwise;
        let (marginal_mixture, losses) =
            join(known, indicator, [&whole.losses, &indicator.marginal_losses, &others.losses]);
        let regressed = self.regressed(next, &whole, &losses);
        let classified = self.classified(next, known, indicator);
        let others_regressed = self.regressed(next, &others, &others.losses);
        let (given, in_one) = replay(regressed.as_ref(), &whole, &losses);
        let (others_given, of_others) = replay(others_regressed.as_ref(), &others, &others.losses);
        let indicator_given = classified.as_ref().map(|(predictor, of_learnt)| {
            let mut predictive = predictor.predictive(known.n_learnt..known.limit);
            let mut of_indicator = of_learnt.clone();
            for place in known.n_learnt..known.n_known {
                let level = indicator.cells.codes[known.rows[place] as usize] as usize;
                of_indicator.push(predictive.observe(place, level, indicator.marginal_losses[place]));
            }
            (predictive, join(known, indicator, [&in_one, &of_indicator, &of_others]).0)
        });
        let configurations = Configurations::new(&self.data, []);
        let hurdle = HurdlePredictive {
            frequent,
            cell,
            indicator: CountedPredictive::new(&self.tables, &configurations, &indicator.cells, next.n_known),
            marginal_mixture,
            given: indicator_given,
            otherwise: NumericPart { marginal: otherwise, given: others_given },
            first: next.n_known,
            n_others: others.known.n_known,
            n_seen: others.known.n_known,
            n_most: others.known.n_most,
            now: TwoParts::default(),
        };
        let whole = NumericPart { marginal: predictive, given };
        let mut predictive = NumberPredictive { row: next.n_known, whole, hurdle: Some(hurdle) };
        take(next.n_known..known.limit, Predictive::Numeric(&mut predictive));
    }

    /// Regressions on the parents, and the losses of the rows they have learned from; `None` without parents.
    fn regressed<'a>(
        &'a self,
        next: &NextRows<'a>,
        part: &LearntRows<'a>,
        marginal_losses: &'a [f64],
    ) -> Option<(NumberPredictor<'a>, Vec<f64>)> {
        if next.parents.is_empty() {
            return None;
        }
        let known = part.known;
        let group = known.group(&self.columns, next.parents);
        let mut given =
            NumberPredictor::of_numbers(&self.regressions, group, vec![(part.column, marginal_losses)]);
        let losses = code_all(&mut given, known.learnt_chunks(), known.n_learnt).remove(0);
        Some((given, losses))
    }

    /// The predictive distribution of a label.
    fn classified<'a>(
        &'a self,
        next: &NextRows<'a>,
        known: &'a KnownRows,
        child: &'a CodedColumn,
    ) -> Option<(LabelPredictor<'a>, Vec<f64>)> {
        if next.parents.is_empty() {
            return None;
        }
        let group = known.group(&self.columns, next.parents);
        let mut given = LabelPredictor::new(&self.regressions, group, child);
        let losses = code_all(&mut given, known.learnt_chunks(), known.n_learnt).remove(0);
        Some((given, losses))
    }

    fn predict_labels(&self, next: &NextRows, take: TakePredictive) {
        let NextRows { node, child, parents, n_known, .. } = *next;
        let schedule = RefitSchedule::new(self.data.n_rows(), child.rows_used.as_deref());
        let known_chunks =
            || growing_chunks(&schedule, CHUNK_GROWTH_FACTOR, 1).take_while(|chunk| chunk.start < n_known);
        let mut chunks = growing_chunks(&schedule, CHUNK_GROWTH_FACTOR, 1);
        let ahead = chunks.find(|chunk| chunk.start >= n_known).unwrap_or(n_known..n_known);
        let mut data = self.data.clone();
        data.replace(node, child.clone());
        let counted = |parents: &NodeSet| {
            let configurations = Configurations::new(&data, parents.iter());
            let predictive = CountedPredictive::new(&self.tables, &configurations, child, n_known);
            let mut losses = all_losses(&mut CountedFamily::new(&self.tables, &configurations, child));
            losses.truncate(n_known);
            (predictive, losses)
        };
        let marginal = counted(&NodeSet::default()).0;
        if parents.is_empty() {
            let mut predictive = MixedLabel { marginal, given: None, counts: None };
            return take(ahead, Predictive::Categorical(&mut predictive));
        }
        let column = CodedColumn::with_marginal(&data, node, &self.tables);
        let rows = child.rows_used.as_deref();
        let group = FamilyGroup { columns: &self.columns, parents, rows, epochs: &schedule };
        let mut given = LabelPredictor::new(&self.regressions, group, &column);
        let losses = code_all(&mut given, known_chunks(), n_known).remove(0);
        let are_labels = parents.iter().all(|parent| self.data.column(parent).numbers.is_none());
        let counts = self.count_weight.filter(|_| are_labels).map(|count_weight| {
            let (predictive, of_counts) = counted(parents);
            let prior = [self.regression_weight, count_weight];
            let experts = [&losses[..], &of_counts[..]];
            let (mixture, _) = fixed_share_after(&experts, &prior, known_chunks(), SLOW_SWITCH_RATE);
            (predictive, mixture)
        });
        let given = Some(given.predictive(ahead.clone()));
        let mut predictive = MixedLabel { marginal, given, counts };
        take(ahead, Predictive::Categorical(&mut predictive));
    }
}

impl SequentialPredictor for ExpertSequence {
    fn enter(&mut self, node: usize, cells: QuantisedColumn) {
        self.data.replace(node, cells);
        self.columns[node] = CodedColumn::with_marginal(&self.data, node, &self.tables);
    }

    fn predict_next(&self, next: &NextRows, take: TakePredictive) {
        match &next.child.numbers {
            Some(numbers) => self.predict_numbers(next, numbers, take),
            None => self.predict_labels(next, take),
        }
    }
}

/// The rows in which a number is coded, of which the first are known.
struct KnownRows {
    numbers: Arc<Numbers>,
    rows: Vec<u32>,
    schedule: RefitSchedule,
    n_known: usize,
    /// The start of the chunk of the next row: the models have learned from the rows before it.
    n_learnt: usize,
    /// The models are refitted when this many rows are known.
    n_most: usize,
    /// Predictions are made up to here.
    limit: usize,
}

impl KnownRows {
    /// For a table with `n_rows`. If not all of the next rows will be coded, the next `n_ahead` of them are
    /// predicted.
    fn new(
        numbers: &Arc<Numbers>,
        rows: Vec<u32>,
        n_rows: usize,
        n_known: usize,
        n_ahead: Option<usize>,
    ) -> KnownRows {
        let schedule = RefitSchedule::new(n_rows, Some(&rows));
        let chunk = chunk_at(&schedule, CHUNK_GROWTH_FACTOR, n_known);
        let limit = match n_ahead {
            Some(n_ahead) => chunk.epoch_end.min(n_known + n_ahead),
            // Which value is frequent is known after these rows, not before.
            None if n_known < hurdle::N_FIRST => chunk.epoch_end.min(chunk.n_most).min(hurdle::N_FIRST),
            None => chunk.epoch_end.min(chunk.n_most),
        };
        let (n_learnt, n_most) = (chunk.start, chunk.n_most);
        KnownRows { numbers: numbers.clone(), rows, schedule, n_known, n_learnt, n_most, limit }
    }

    fn group<'a>(&'a self, columns: &'a [CodedColumn], parents: &'a NodeSet) -> FamilyGroup<'a> {
        FamilyGroup { columns, parents, rows: Some(&self.rows), epochs: &self.schedule }
    }

    fn learnt_chunks(&self) -> impl Iterator<Item = Range<usize>> {
        let chunks = growing_chunks(&self.schedule, CHUNK_GROWTH_FACTOR, 1);
        chunks.take_while(|chunk| chunk.start < self.n_learnt)
    }

    fn number(&self, place: usize) -> f64 {
        self.numbers.values[self.rows[place] as usize]
    }
}

/// The marginal distribution of some rows, after all that are known.
struct KnownMarginal<'a> {
    part: LearntRows<'a>,
    predictive: NumericMarginal<'a>,
}

/// The marginal of the known rows.
struct LearntRows<'a> {
    known: &'a KnownRows,
    column: &'a NumberColumn,
    /// The loss of every known row.
    losses: Vec<f64>,
    /// The cells of the known rows from which the models have not learned.
    replayed: Vec<Intervals>,
}

/// A value that is frequent, and the others.
struct KnownHurdle<'a> {
    frequent: f64,
    /// The edges of the cell in which it is coded.
    cell: (f64, f64),
    /// Which of the known rows have it.
    indicator: &'a CodedColumn,
    otherwise: KnownMarginal<'a>,
}

/// The mixture without and with hurdle after the known rows, and their losses; from the losses without
/// hurdle, of the indicator and of the other values.
fn join(
    known: &KnownRows,
    indicator: &CodedColumn,
    [in_one, of_indicator, of_others]: [&[f64]; 3],
) -> (FixedShare, Vec<f64>) {
    let codes = known.rows[..known.n_known].iter().map(|&row| indicator.cells.codes[row as usize]);
    let in_two = hurdle::two_part_losses(codes, in_one, of_indicator, of_others);
    let (learnt, rest) = in_one.split_at(known.n_learnt);
    let (learnt_in_two, rest_in_two) = in_two.split_at(known.n_learnt);
    let experts = [learnt, learnt_in_two];
    let (mut mixture, mut losses) =
        fixed_share_after(&experts, &hurdle::PRIOR, known.learnt_chunks(), SLOW_SWITCH_RATE);
    losses.resize(known.n_known, 0.0);
    mixture.mix(&[rest, rest_in_two], &mut losses[known.n_learnt..]);
    (mixture, losses)
}

/// The predictive distribution given the parents after all known rows, and their losses.
fn replay<'a>(
    regressed: Option<&'a (NumberPredictor<'a>, Vec<f64>)>,
    part: &LearntRows,
    marginal_losses: &[f64],
) -> (Option<RegressionPredictive<'a>>, Vec<f64>) {
    let Some((predictor, losses)) = regressed else { return (None, Vec::new()) };
    let KnownRows { n_learnt, limit, .. } = *part.known;
    let (mut predictive, mut losses) = (predictor.predictive(n_learnt..limit), losses.clone());
    for (place, cells) in (n_learnt..).zip(&part.replayed) {
        predictive.begin(place);
        losses.push(predictive.observe(cells, marginal_losses[place]));
    }
    (Some(predictive), losses)
}

/// The marginal of a number: its distribution, regressions without features around it, and a second pass if
/// they predict bins.
struct NumericMarginal<'a> {
    learnt: &'a KnownNumbers,
    base: MarginalPredictive<'a, PitmanYor>,
    /// The distribution function with all mass beyond censoring limits, if there are any and regressions
    /// predict bins: for PIT cells.
    censored: Option<MarginalPredictive<'a, PitmanYor>>,
    first: RegressionPredictive<'a>,
    second: Option<RegressionPredictive<'a>>,
}

/// The edge between two cells, as regressions on parents need it.
struct MarginalCdf {
    endpoint: Endpoint,
    /// The part of the bin below it, where regressions predict bins.
    part: Option<PartialBin>,
    /// The marginal distribution function.
    cdf: f64,
}

impl NumericMarginal<'_> {
    fn begin(&mut self, place: usize) {
        self.first.begin(place);
        self.second.iter_mut().for_each(|second| second.begin(place));
    }

    fn at(&self, edge: f64) -> MarginalCdf {
        let Some(around) = self.learnt.around_edge(edge) else {
            let endpoint = self.learnt.edge(edge);
            let cdf = self.first.cdf(endpoint, None, self.base.cdf(endpoint));
            return MarginalCdf { endpoint, part: None, cdf };
        };
        let endpoint = around.number;
        let (base, first) = self.pit(&around);
        let part = Some(around.part(first));
        let mut cdf = self.first.cdf(endpoint, Some(around.part(base)), self.base.cdf(endpoint));
        if let Some(second) = &self.second {
            cdf = second.cdf(endpoint, part, cdf);
        }
        MarginalCdf { endpoint, part, cdf }
    }

    /// The distribution functions around a number for its PIT cells: of its values, and of the first regressions.
    fn pit(&self, around: &BinEdges) -> (CdfAtEdges, CdfAtEdges) {
        let base = self.censored.as_ref().unwrap_or(&self.base).pit(around);
        (base, self.first.cdf_at(around, base))
    }

    /// The cells of the row's number, and its loss; then it is known.
    fn observe(&mut self, number: f64) -> (Intervals, f64) {
        let mut cells = self.learnt.cells(number);
        let pit = self.learnt.around(number).map(|around| self.pit(&around));
        let base = self.base.observe(number, &self.learnt.marginal_cell(number));
        let censored = self.censored.as_mut();
        let of_pit =
            censored.map_or(base, |censored| censored.observe(number, &self.learnt.censored_cell(number)));
        cells.binned = self.learnt.binned(&cells, pit.map(|(at, _)| at.placed(of_pit)));
        let first = self.first.observe(&cells, base);
        cells.binned = self.learnt.binned(&cells, pit.map(|(_, at)| at.placed(first)));
        let second = self.second.as_mut();
        (cells, second.map_or(first, |second| second.observe(&cells, first)))
    }
}

/// Numbers predicted without hurdle: without parents, and given them.
struct NumericPart<'a> {
    marginal: NumericMarginal<'a>,
    given: Option<RegressionPredictive<'a>>,
}

impl NumericPart<'_> {
    fn begin(&mut self, place: usize) {
        self.marginal.begin(place);
        self.given.iter_mut().for_each(|given| given.begin(place));
    }

    /// The distribution function without parents, and given them.
    fn cdf(&self, edge: f64) -> (f64, f64) {
        let at = self.marginal.at(edge);
        let given = self.given.as_ref();
        (at.cdf, given.map_or(at.cdf, |given| given.cdf(at.endpoint, at.part, at.cdf)))
    }

    /// The losses of the row's number without parents, and given them; then it is known.
    fn observe(&mut self, number: f64) -> (f64, f64) {
        let (cells, marginal) = self.marginal.observe(number);
        let given = self.given.as_mut();
        (marginal, given.map_or(marginal, |given| given.observe(&cells, marginal)))
    }
}

/// The predictive distribution of a number, mixed with a hurdle model if one value is frequent.
struct NumberPredictive<'a> {
    row: usize,
    whole: NumericPart<'a>,
    hurdle: Option<HurdlePredictive<'a>>,
}

/// The predictive distribution of a hurdle model, and its mixtures with the distribution without hurdle.
struct HurdlePredictive<'a> {
    frequent: f64,
    cell: (f64, f64),
    indicator: CountedPredictive,
    marginal_mixture: FixedShare,
    /// The indicator given the parents, and the mixture given them.
    given: Option<(LabelPredictive, FixedShare)>,
    otherwise: NumericPart<'a>,
    /// The row that was next when the distribution was made, and how many other values were known then.
    first: usize,
    n_others: usize,
    /// How many other values are known now, and with how many the models are refitted.
    n_seen: usize,
    n_most: usize,
    now: TwoParts,
}

/// A hurdle model in the next row, without parents and given them.
#[derive(Debug, Default)]
struct TwoParts {
    /// The probability of the frequent value.
    frequent: (f64, f64),
    /// The mass that the distribution of the other values has in the cell of the frequent value, which is
    /// excluded.
    lost: (f64, f64),
}

impl HurdlePredictive<'_> {
    fn begin(&mut self, place: usize) {
        self.otherwise.begin(place - self.first + self.n_others);
        let mut probabilities = [0.0; 2];
        self.indicator.write(place, &mut probabilities);
        let marginal = probabilities[1];
        if let Some((given, _)) = &self.given {
            given.mix(place, &mut probabilities);
        }
        let (low, high) = (self.otherwise.cdf(self.cell.0), self.otherwise.cdf(self.cell.1));
        self.now = TwoParts {
            frequent: (marginal, probabilities[1]),
            lost: ((high.0 - low.0).max(0.0), (high.1 - low.1).max(0.0)),
        };
    }

    /// The distribution function of the hurdle model, without parents and given them.
    fn cdf(&self, edge: f64) -> (f64, f64) {
        let is_above = edge > self.frequent;
        let in_two = |frequent: f64, lost: f64, others: f64| {
            if is_above { frequent + (1.0 - frequent) * (others - lost) } else { (1.0 - frequent) * others }
        };
        let (TwoParts { frequent, lost }, others) = (&self.now, self.otherwise.cdf(edge));
        (in_two(frequent.0, lost.0, others.0), in_two(frequent.1, lost.1, others.1))
    }

    /// The losses of the row under the hurdle model, without parents and given them; then it is known.
    fn observe(&mut self, place: usize, number: f64) -> (f64, f64) {
        let is_frequent = number == self.frequent;
        let level = usize::from(is_frequent);
        let marginal = self.indicator.observe(place, level);
        let given = match &mut self.given {
            Some((predictive, _)) => predictive.observe(place, level, marginal),
            None => marginal,
        };
        if is_frequent {
            return (marginal, given);
        }
        self.n_seen += 1;
        let others = self.otherwise.observe(number);
        (marginal + others.0, given + others.1)
    }
}

/// The mixture's distribution function, from those of two experts.
fn mixed_cdf(mixture: &FixedShare, experts: [f64; 2]) -> f64 {
    FixedShare::mean(&mixture.weights(), experts.into_iter())
}

/// The mixture's loss, from those of two experts; then its weights are updated.
fn mixed_loss(mixture: &mut FixedShare, [one, other]: [f64; 2]) -> f64 {
    let mut mixed = [0.0];
    mixture.mix(&[&[one], &[other]], &mut mixed);
    mixed[0]
}

impl NumericPredictive for NumberPredictive<'_> {
    fn begin(&mut self, row: usize) {
        self.whole.begin(row);
        self.row = row;
        self.hurdle.iter_mut().for_each(|hurdle| hurdle.begin(row));
    }

    fn cdf(&self, edge: f64) -> f64 {
        let Some(hurdle) = &self.hurdle else { return self.whole.cdf(edge).1 };
        let (marginal_in_two, given_in_two) = hurdle.cdf(edge);
        let at = self.whole.marginal.at(edge);
        let marginal = mixed_cdf(&hurdle.marginal_mixture, [at.cdf, marginal_in_two]);
        match (&self.whole.given, &hurdle.given) {
            (Some(given), Some((_, mixture))) => {
                mixed_cdf(mixture, [given.cdf(at.endpoint, at.part, marginal), given_in_two])
            }
            _ => marginal,
        }
    }

    fn observe(&mut self, number: f64) -> f64 {
        let Some(hurdle) = &mut self.hurdle else { return self.whole.observe(number).1 };
        let (marginal_in_two, given_in_two) = hurdle.observe(self.row, number);
        let (cells, in_one) = self.whole.marginal.observe(number);
        let marginal = mixed_loss(&mut hurdle.marginal_mixture, [in_one, marginal_in_two]);
        match (&mut self.whole.given, &mut hurdle.given) {
            (Some(given), Some((_, mixture))) => {
                mixed_loss(mixture, [given.observe(&cells, marginal), given_in_two])
            }
            _ => marginal,
        }
    }

    fn must_refit(&self) -> bool {
        self.hurdle.as_ref().is_some_and(|hurdle| hurdle.n_seen >= hurdle.n_most)
    }
}

/// A label by counts without parents, given its parents by regressions, and by counts with them.
struct MixedLabel {
    marginal: CountedPredictive,
    given: Option<LabelPredictive>,
    counts: Option<(CountedPredictive, FixedShare)>,
}

impl CategoricalPredictive for MixedLabel {
    fn write(&self, row: usize, probabilities: &mut [f64]) {
        self.marginal.write(row, probabilities);
        if let Some(given) = &self.given {
            given.mix(row, probabilities);
        }
        if let Some((counts, mixture)) = &self.counts {
            let mut counted = vec![0.0; probabilities.len()];
            counts.write(row, &mut counted);
            for (probability, counted) in probabilities.iter_mut().zip(counted) {
                *probability = mixed_cdf(mixture, [*probability, counted]);
            }
        }
    }

    fn observe(&mut self, row: usize, level: usize) -> f64 {
        let marginal = self.marginal.observe(row, level);
        let given = self.given.as_mut();
        let given = given.map_or(marginal, |given| given.observe(row, level, marginal));
        let Some((counts, mixture)) = &mut self.counts else { return given };
        let counted = counts.observe(row, level);
        mixed_loss(mixture, [given, counted])
    }
}
