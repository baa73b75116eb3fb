//! The result of a run of `learn`.

use super::super::schema::{self, AgreementOnEdge, Document, PairOfVariables, Posterior, Truth};
use super::super::settings::{name_of, repeats};
use super::super::text::{growth_in_words, networks_in_words};
use super::super::view::ViewOptions;
use super::{context, cost, curves, data, graph, partial, scored_families, shapes};
use crate::posterior::{LINK_TEMPERATURE, PairProbability, direction_temperature};
use crate::run::{Approximations, Learned, TruthReport, explains};
use crate::shape::EdgeShape;
use crate::table::Table;

impl Learned {
    /// The whole result as JSON; `table` is the one that was learnt from. Ends with a line break.
    ///
    /// Nothing in it but `cost` differs between runs with the same input and settings. [`crate::report_html`] makes a page of it.
    pub fn to_json(&self, table: &Table, view: &ViewOptions) -> String {
        let names = self.plan.names().to_vec();
        let shapes = self.shapes(table);
        let mut dag = graph::dag(&self.answer, &names, self.probabilities(), self.basis());
        add_effects(&mut dag, self, &shapes);
        Document::new(schema::Learned {
            data: data::data(table, &self.plan, view),
            settings: self.plan.resolved(&self.plan.constraints),
            search: graph::search(self.plan.search(), &self.answer, self.partial.is_none()),
            dag,
            cpdag: graph::cpdag(&self.answer, &names),
            ranking: graph::ranking(&self.answer, &names),
            pairs: pairs(self, &names),
            posterior: posterior(self),
            context: context::context(self, table),
            shapes: shapes::shapes(&shapes, &names, view.families),
            partial: partial(self.partial.as_ref(), view),
            shortcuts: shortcuts(&self.approximations, self.answer.found.is_proven),
            agreement: agreement(self, &names),
            families: view.families.then(|| scored_families(&self.scores, &self.plan, &names)),
            curves: view.families.then(|| curves::of_ranking(self, &names)),
            truth: view.truth.map(truth),
            cost: cost(&self.cost, view),
        })
        .to_json()
    }
}

/// Enters how strong each edge is, and which way it acts.
fn add_effects(dag: &mut schema::Dag, learned: &Learned, shapes: &[EdgeShape]) {
    for ((edge, evidence), shape) in dag.edges.iter_mut().zip(&learned.answer.evidence).zip(shapes) {
        edge.sign = shape.sign.map(|sign| sign.symbol().to_string());
        edge.strength = learned.strength(evidence);
        edge.explains = edge.strength.map(explains);
    }
}

/// What is known of every two variables, where there are probabilities.
fn pairs(learned: &Learned, names: &[String]) -> Option<Vec<PairOfVariables>> {
    let basis = learned.basis();
    let pair = |pair: PairProbability| PairOfVariables {
        a: names[pair.a].clone(),
        b: names[pair.b].clone(),
        linked: pair.linked,
        a_to_b: pair.a_to_b,
        b_to_a: pair.b_to_a,
        basis,
    };
    Some(learned.probabilities()?.pairs().map(pair).collect())
}

/// How probabilities were computed, where there are any.
fn posterior(learned: &Learned) -> Option<Posterior> {
    let posterior = learned.probabilities()?;
    Some(Posterior {
        method: name_of(posterior.method),
        basis: learned.basis(),
        expected_links: posterior.expected_links(),
        link_temperature: LINK_TEMPERATURE,
        direction_temperature: direction_temperature(learned.plan.data.n_rows()),
    })
}

/// What was not scored, and by which rules.
fn shortcuts(approximations: &Approximations, is_proven: bool) -> schema::Shortcuts {
    schema::Shortcuts {
        networks: approximations.networks.map(|networks| schema::NetworksWhere {
            families: networks.n_families,
            margin_nats: networks.margin.0,
            pair_gap_nats: networks.pair_gap.0,
            joint_gap_nats: networks.joint_gap.0,
            doubt_nats: networks.decisive_gap.0,
            in_words: networks_in_words(&networks, is_proven),
        }),
        growth: approximations.parent_sets.map(|growth| schema::Growth {
            all_up_to: growth.all_up_to,
            slack_nats: growth.slack.0,
            in_words: growth_in_words(&growth),
        }),
    }
}

/// How many networks or row orders alone find the same, where that is known.
fn agreement(learned: &Learned, names: &[String]) -> Option<schema::Agreement> {
    let agreement = learned.agreement();
    let edges = learned.answer.dag.edges().into_iter().zip(&agreement.edges);
    let edge = |((from, to), &found_by): ((usize, usize), &usize)| AgreementOnEdge {
        from: names[from].clone(),
        to: names[to].clone(),
        found_by,
    };
    (!learned.by_repeat.is_empty()).then(|| schema::Agreement {
        over: repeats(&learned.plan).0,
        n: learned.by_repeat.len(),
        same_graph: agreement.same_graph,
        same_class: agreement.same_class,
        edges: edges.map(edge).collect(),
    })
}

fn truth(truth: &TruthReport) -> Truth {
    let comparison = &truth.comparison;
    Truth {
        shd: comparison.shd,
        shd_cpdag: comparison.shd_cpdag,
        sid: comparison.sid,
        equivalent: comparison.equivalent,
        exact: comparison.exact,
        expected_shd: truth.expected_shd,
    }
}
