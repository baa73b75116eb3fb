//! The predictive distribution of the next numbers of a child given its parents, row by row.

use std::ops::Range;

use super::feature_regression::Means;
use super::noise::{N_EXPERTS, Noise, ResponseForecast, Units};
use super::number::{Mixtures, NumberPredictor, OF_TREE, PredictNoise};
use crate::estimator::numeric::{
    BinEdges, CdfAtEdges, Coordinate, Endpoint, Intervals, N_SHAPES, PartialBin, ShapeCdfs, StudentCdf,
};
use crate::simd::vectorised;

/// The predictions of one chunk for one child; only the weights of the experts are updated by its rows.
#[derive(Debug)]
pub(in crate::estimator) struct RegressionPredictive<'a> {
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
    /// Per row of the chunk.
    forecasts: Vec<ResponseForecast>,
}

/// The prediction for the next row.
#[derive(Debug, Default)]
struct Now {
    row: usize,
    /// The mixture of all experts with parents.
    weights: Vec<f64>,
    /// The mixture of the marginal and of these experts together.
    all: Vec<f64>,
    /// Of each response.
    units: Vec<Units>,
    /// The cells of the tree, each with its weight among all experts.
    tree: Vec<(Coordinate, f64, StudentCdf)>,
}

impl<'a> NumberPredictor<'a> {
    /// Its predictions for `rows`, the next chunk of its only child.
    pub(in crate::estimator) fn predictive(&'a self, rows: Range<usize>) -> RegressionPredictive<'a> {
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
        RegressionPredictive { predictor: self, rows, responses, mixtures, now: Now::default() }
    }
}

impl RegressionPredictive<'_> {
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

    /// The distribution function at an edge, given its `marginal` value. If regressions predict bins, this
    /// `part` of one lies below it.
    pub(in crate::estimator) fn cdf(&self, edge: Endpoint, part: Option<PartialBin>, marginal: f64) -> f64 {
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
        self.now.all[0] * marginal + self.now.all[1] * edge.floored(seeing)
    }

    /// The distribution function at the edges around the row's number, if regressions predict bins, given its
    /// `marginal` value.
    pub(in crate::estimator) fn cdf_at(&self, around: &BinEdges, marginal: CdfAtEdges) -> CdfAtEdges {
        let BinEdges { low, high, number } = *around;
        // The first and the last edge have no numbers beyond them.
        let at_edge = |edge: Endpoint, marginal: f64| {
            if marginal == 0.0 || marginal == 1.0 {
                return marginal;
            }
            self.cdf(edge, Some(PartialBin::at(edge, marginal)), marginal)
        };
        CdfAtEdges {
            low: at_edge(low, marginal.low),
            high: at_edge(high, marginal.high),
            number: self.cdf(number, Some(around.part(marginal)), marginal.number),
        }
    }

    /// The distribution function of every regression at an edge.
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

    /// The loss of the row's number, in nats, given its `marginal` loss; then it is known. It uses the
    /// kernels of the score.
    pub(in crate::estimator) fn observe(&mut self, cells: &Intervals, marginal: f64) -> f64 {
        let (group, row) = (self.predictor.group, self.now.row);
        let n_of_responses = self.responses.len() * N_EXPERTS;
        let mut probabilities = vec![0.0; self.now.weights.len()];
        for (response, probabilities) in self.responses.iter().zip(probabilities.chunks_exact_mut(N_EXPERTS))
        {
            let forecast = response.forecasts[row - self.rows.start];
            vectorised(PredictNoise {
                noise: response.noise,
                coordinate: response.coordinate,
                group,
                rows: row..row + 1,
                cells,
                forecast: |_| forecast,
                probabilities,
                take: |_| (),
            });
        }
        if let Some(tree) = &self.predictor.children[0].tree {
            let tree = (tree, self.predictor.children[0].number);
            let of_tree = &mut probabilities[n_of_responses..];
            self.predictor.predict_tree(tree, row..row + 1, cells, &mut self.mixtures.odds, of_tree);
        }
        let (mut seeing, mut mixed) = ([0.0], [0.0]);
        self.mixtures.experts.mix_probabilities(&probabilities, &mut seeing);
        seeing[0] -= cells.reference.ln();
        self.mixtures.all.mix(&[&[marginal], &seeing], &mut mixed);
        mixed[0]
    }

    /// Whether the tree equals the reference: it does not support wide cells.
    fn is_tree_idle(&self) -> bool {
        let NumberPredictor { children, epoch, .. } = self.predictor;
        children[0].number.has_wide_cells_without_bins(*epoch)
    }
}
