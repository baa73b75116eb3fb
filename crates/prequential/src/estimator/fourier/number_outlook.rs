//! What regressions predict of the next numbers of a child, each before it is known.

use std::ops::Range;

use super::feature_regression::Means;
use super::noise::{N_EXPERTS, Noise, ResponseForecast, Units};
use super::number::{Mixtures, NumberPredictor, OF_TREE};
use crate::estimator::number::{BinEdges, CdfAtEdges};
use crate::estimator::number::{
    Coordinate, Endpoint, Interval, Intervals, N_SHAPES, PartialBin, ShapeCdfs, StudentCdf,
};

/// The predictions of one chunk for one child; only the weights of the experts follow its rows.
#[derive(Debug)]
pub(in crate::estimator) struct RegressionOutlook<'a> {
    predictor: &'a NumberPredictor<'a>,
    rows: Range<usize>,
    responses: Vec<ResponsePredictive<'a>>,
    mixtures: Mixtures,
    now: Now,
}

/// One response: a coordinate of the child in one feature map.
#[derive(Debug)]
struct ResponsePredictive<'a> {
    coordinate: Coordinate,
    noise: &'a Noise,
    shares: [ShapeCdfs; 2],
    /// Of each row of the chunk.
    forecasts: Vec<ResponseForecast>,
}

/// What is predicted of the row that comes next.
#[derive(Debug, Default)]
struct Now {
    row: usize,
    /// Of all experts that see the parents.
    weights: Vec<f64>,
    /// Of the child's own distribution, and of these experts together.
    all: Vec<f64>,
    /// Of each response.
    units: Vec<Units>,
    /// The cells of the tree, each with its weight among all experts.
    tree: Vec<(Coordinate, f64, StudentCdf)>,
}

impl<'a> NumberPredictor<'a> {
    /// What it predicts of `rows`, the next chunk of its only child.
    pub(in crate::estimator) fn outlook(&'a self, rows: Range<usize>) -> RegressionOutlook<'a> {
        let mut responses = Vec::new();
        for view in &self.views {
            for regressions in &view.maps {
                let mut means = Means::default();
                regressions.map.predict(&view.inputs, rows.clone(), &mut means);
                for (number, (noise, &coordinate)) in
                    regressions.noises.iter().zip(view.coordinates).enumerate()
                {
                    let forecasts = (0..rows.len()).map(|place| means.forecast(place, number)).collect();
                    responses.push(ResponsePredictive {
                        coordinate,
                        noise,
                        shares: noise.shares(),
                        forecasts,
                    });
                }
            }
        }
        let mixtures = self.children[0].mixtures.clone();
        RegressionOutlook { predictor: self, rows, responses, mixtures, now: Now::default() }
    }
}

impl RegressionOutlook<'_> {
    /// Turns to a row, those before it being known.
    pub(in crate::estimator) fn begin(&mut self, row: usize) {
        let weights = self.mixtures.experts.weights();
        let forecast = |response: &ResponsePredictive| {
            response.forecasts[row - self.rows.start].units(response.noise.sds())
        };
        let units = self.responses.iter().map(forecast).collect();
        let mut tree = Vec::new();
        if let Some(cells) = &self.predictor.children[0].tree {
            let coordinates = self.predictor.views[0].inputs.row(row);
            cells.shares(coordinates, &self.mixtures.odds, |response, weight, share| {
                let of_tree = weights[self.responses.len() * N_EXPERTS + response];
                tree.push((OF_TREE[response], of_tree * weight, share));
            });
        }
        self.now = Now { row, weights, all: self.mixtures.all.weights(), units, tree };
    }

    /// The share of the row's distribution below an edge; without parents it is `alone`. Where regressions predict bins, so much `part` of one
    /// lies below it.
    pub(in crate::estimator) fn below(&self, edge: Endpoint, part: Option<PartialBin>, alone: f64) -> f64 {
        let cells = |_: &ResponsePredictive| 1.0;
        let mut seeing = match part {
            None => self.below_by_regressions(edge, cells),
            Some(PartialBin { low, high, share }) => {
                let bins = |response: &ResponsePredictive| response.noise.share_of_bins();
                (1.0 - share) * self.below_by_regressions(low, bins)
                    + share * self.below_by_regressions(high, bins)
                    + self.below_by_regressions(edge, |response| 1.0 - bins(response))
            }
        };
        if self.is_tree_idle() {
            let idle = &self.now.weights[self.responses.len() * N_EXPERTS..];
            seeing += edge.reference * idle.iter().sum::<f64>();
        } else {
            let of_cell = |(coordinate, weight, share): &(Coordinate, f64, StudentCdf)| {
                weight * share.below(edge.at(*coordinate))
            };
            seeing += self.now.tree.iter().map(of_cell).sum::<f64>();
        }
        self.now.all[0] * alone + self.now.all[1] * edge.floored(seeing)
    }

    /// The shares below the edges around the row's number, where regressions predict bins; without parents they are `alone`.
    pub(in crate::estimator) fn shares(&self, around: &BinEdges, alone: CdfAtEdges) -> CdfAtEdges {
        let BinEdges { low, high, number } = *around;
        // The first and the last edge have no numbers beyond them.
        let at_edge = |edge: Endpoint, alone: f64| match alone {
            0.0 | 1.0 => alone,
            _ => self.below(edge, Some(PartialBin::at(edge, alone)), alone),
        };
        CdfAtEdges {
            low: at_edge(low, alone.low),
            high: at_edge(high, alone.high),
            number: self.below(number, Some(around.part(alone)), alone.number),
        }
    }

    /// What so much of every regression expects below an edge.
    fn below_by_regressions(&self, edge: Endpoint, part: impl Fn(&ResponsePredictive) -> f64) -> f64 {
        let mut seeing = 0.0;
        for ((response, units), weights) in
            self.responses.iter().zip(&self.now.units).zip(self.now.weights.chunks_exact(N_EXPERTS))
        {
            let residual =
                edge.at(response.coordinate) - response.forecasts[self.now.row - self.rows.start].mean;
            let (constant, scaled) = weights.split_at(N_SHAPES);
            for (shares, unit, weights) in
                [(&response.shares[0], units.constant, constant), (&response.shares[1], units.scaled, scaled)]
            {
                let shares = shares.below(residual * unit);
                let shares = shares.iter().zip(weights).map(|(share, weight)| share * weight);
                seeing += part(response) * shares.sum::<f64>();
            }
        }
        seeing
    }

    /// What the row's number costs, in nats, if it costs `alone` without parents; afterwards it is known.
    pub(in crate::estimator) fn see(&mut self, cells: &Intervals, alone: f64) -> f64 {
        let mut probabilities = Vec::with_capacity(self.now.weights.len());
        for response in &self.responses {
            let forecast = response.forecasts[self.now.row - self.rows.start];
            let cell = cells.cell(response.coordinate);
            // Where in an open cell the row lies is learnt with its chunk.
            let (noise, sds) = (response.noise, response.noise.sds());
            let (mut masses, mut residual) = noise.predict(cell, 0.5, forecast, sds);
            if let Some((bin, within)) = cells.bin(response.coordinate) {
                noise.mix_bin(bin, within, forecast, sds, &mut masses, &mut residual);
            }
            probabilities.extend(masses.map(|mass| cells.relative(mass)));
        }
        if let Some(tree) = &self.predictor.children[0].tree {
            match self.is_tree_idle() {
                true => probabilities.extend(OF_TREE.map(|_| 1.0)),
                false => {
                    let coded = OF_TREE.map(|coordinate| cells.cell(coordinate));
                    let mut densities = [0.0; OF_TREE.len()];
                    let coordinates = self.predictor.views[0].inputs.row(self.now.row);
                    let middles = coded.map(|cell| cell.middle);
                    tree.predict(coordinates, &middles, &mut self.mixtures.odds, &mut densities);
                    let mass =
                        |(density, cell): (f64, Interval)| cells.relative((density * cell.width).min(1.0));
                    probabilities.extend(densities.into_iter().zip(coded).map(mass));
                }
            }
        }
        let (mut seeing, mut mixed) = ([0.0], [0.0]);
        self.mixtures.experts.mix_probabilities(&probabilities, &mut seeing);
        seeing[0] -= cells.reference.ln();
        self.mixtures.all.mix(&[&[alone], &seeing], &mut mixed);
        mixed[0]
    }

    /// Whether the tree says what the reference says: it knows nothing of wide cells.
    fn is_tree_idle(&self) -> bool {
        let NumberPredictor { children, epoch, .. } = self.predictor;
        children[0].number.has_wide_cells_without_bins(*epoch)
    }
}
