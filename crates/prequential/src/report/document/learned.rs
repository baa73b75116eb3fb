//! The result of a run of `learn` as a document: what every view of it is made of.

use serde::{Deserialize, Serialize};

use super::super::options::DocumentOptions;
use super::curves::RankingCurves;
use super::graph::{
    ClassSection, Findings, GraphSection, GraphView, LearnedEdge, RankedGraph, SearchSection,
};
use super::sections::{CostSection, Over, PartialSection, ScoredFamily, TableSection, columns, repeats};
use super::{Document, DocumentKind, VariablePair, this_version};
use crate::base::format::{count, plural};
use crate::posterior::{LINK_TEMPERATURE, PosteriorBasis, PosteriorMethod, direction_temperature};
use crate::run::{
    ContextEffect, Learned, NetworkGating, ParentSetPruning, ResolvedSettings, TruthReport, explains,
};
use crate::shape::EdgeShape;
use crate::table::Kind;

/// The whole result of [`learn`](crate::learn), by name: what text, JSON, page, pictures and CSV are made of.
///
/// Nothing in it but the cost differs between runs with the same input and settings.
///
/// ```
/// use prequential::{DocumentOptions, ResultDocument, Settings, learn};
/// use prequential_simulate::Experiment;
/// let table = Experiment::Asia.simulate(500, 1)?.table;
/// let document = learn(&table, &Settings::default())?.document(&DocumentOptions::default());
/// let read = ResultDocument::parse(&document.to_json(), "result.json")?;
/// assert_eq!((read.names(), read.edges()), (document.names(), document.edges()));
/// assert!(read.to_html().starts_with("<!DOCTYPE html>"));
/// # Ok::<(), prequential::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResultDocument {
    /// Of the program that made it.
    pub(in crate::report) version: String,
    pub(in crate::report) data: TableSection,
    pub(in crate::report) settings: ResolvedSettings,
    /// What the estimator is with its settings, in half a sentence.
    #[serde(default)]
    pub(in crate::report) estimator_in_words: String,
    pub(in crate::report) search: SearchSection,
    pub(in crate::report) dag: GraphSection,
    pub(in crate::report) cpdag: ClassSection,
    /// The best graphs, best first.
    pub(in crate::report) ranking: Vec<RankedGraph>,
    /// Of every two variables; null for more variables than can be summed over.
    pub(in crate::report) pairs: Option<Vec<VariablePair>>,
    pub(in crate::report) posterior: Option<PosteriorSection>,
    /// Why there are no probabilities.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::report) no_posterior: Option<String>,
    /// What contexts act on, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) context: Option<ContextSection>,
    /// How the child of each edge of the best graph changes with the parent.
    #[serde(default)]
    pub(in crate::report) shapes: Vec<EdgeShape>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) partial: Option<PartialSection>,
    #[serde(default, skip_serializing_if = "ShortcutsSection::is_none")]
    pub(in crate::report) shortcuts: ShortcutsSection,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) agreement: Option<AgreementSection>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) families: Option<Vec<ScoredFamily>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) curves: Option<RankingCurves>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) truth: Option<TruthReport>,
    pub(in crate::report) cost: CostSection,
}

impl Document for ResultDocument {
    const KIND: DocumentKind = DocumentKind::Learned;
}

/// How probabilities of edges were computed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct PosteriorSection {
    /// How graphs were summed over.
    pub(in crate::report) method: PosteriorMethod,
    /// Which graphs these were.
    pub(in crate::report) basis: PosteriorBasis,
    pub(in crate::report) expected_links: f64,
    /// What gaps between graphs are divided by to say what is linked.
    pub(in crate::report) link_temperature: f64,
    /// What they are divided by to say which way.
    pub(in crate::report) direction_temperature: f64,
}

/// Columns that may cause anything and are never an effect, and the variables on which they act.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct ContextSection {
    pub(in crate::report) columns: Vec<ContextColumn>,
    /// Every variable of the graph.
    pub(in crate::report) variables: Vec<ContextEntry>,
}

/// A column that is a context.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct ContextColumn {
    pub(in crate::report) name: String,
    pub(in crate::report) kind: Kind,
    /// Bins of numbers, or levels of labels.
    pub(in crate::report) bins: Option<usize>,
    pub(in crate::report) missing: usize,
}

/// What all contexts together do to one variable, its parents in the best graph known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct ContextEntry {
    pub(in crate::report) variable: String,
    /// Whether they act on it: whether they save nats.
    pub(in crate::report) acts: bool,
    /// Negative where they tell nothing.
    pub(in crate::report) saved_nats: f64,
    /// Of several that act: what each saves beside the others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::report) columns: Vec<ContextShare>,
}

/// What one context saves beside the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct ContextShare {
    pub(in crate::report) column: String,
    pub(in crate::report) saved_nats: f64,
}

/// What was not scored because it could hardly have changed the answer, and by which rules.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(in crate::report) struct ShortcutsSection {
    /// Where networks were trained, if not in all families.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) networks: Option<Rule<NetworkGating>>,
    /// Which parent sets were scored, if not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) growth: Option<Rule<ParentSetPruning>>,
}

impl ShortcutsSection {
    fn is_none(&self) -> bool {
        *self == ShortcutsSection::default()
    }

    /// The rules in words, those of parent sets first.
    pub(in crate::report) fn in_words(&self) -> impl Iterator<Item = &str> {
        let growth = self.growth.iter().map(|rule| rule.in_words.as_str());
        growth.chain(self.networks.iter().map(|rule| rule.in_words.as_str()))
    }
}

/// A rule by which something was not scored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Rule<T> {
    #[serde(flatten)]
    pub(in crate::report) rule: T,
    pub(in crate::report) in_words: String,
}

/// How many networks or row orders alone find the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct AgreementSection {
    pub(in crate::report) over: Over,
    /// How many there are.
    pub(in crate::report) n: usize,
    pub(in crate::report) same_graph: usize,
    pub(in crate::report) same_class: usize,
    pub(in crate::report) edges: Vec<AgreementOnEdge>,
}

/// How many networks or row orders alone find an edge of the best graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct AgreementOnEdge {
    pub(in crate::report) from: String,
    pub(in crate::report) to: String,
    pub(in crate::report) found_by: usize,
}

impl ResultDocument {
    /// All of it as JSON that people can read too. Ends with a line break.
    pub fn to_json(&self) -> String {
        self.write()
    }

    /// The variables, in the order of the columns.
    pub fn names(&self) -> Vec<&str> {
        self.data.variables.iter().map(|variable| variable.name.as_str()).collect()
    }

    /// The edges of the best graph with the evidence for them.
    pub fn edges(&self) -> &[LearnedEdge] {
        &self.dag.edges
    }

    /// What is known of every two variables; `None` where there are no probabilities.
    pub fn pairs(&self) -> Option<&[VariablePair]> {
        self.pairs.as_deref()
    }

    /// How the child of each edge changes with the parent, in the order of the edges.
    pub fn shapes(&self) -> &[EdgeShape] {
        &self.shapes
    }

    /// The result without the additions of [`DocumentOptions::families`].
    pub fn without_families(self) -> ResultDocument {
        let bare = |shape: EdgeShape| EdgeShape { points: Vec::new(), ..shape };
        let shapes = self.shapes.into_iter().map(bare).collect();
        ResultDocument { families: None, curves: None, shapes, ..self }
    }

    /// Its graphs by number.
    pub(in crate::report) fn graph(&self) -> GraphView<'_> {
        let names = self.data.variables.iter().map(|variable| &variable.name);
        GraphView::new(names, &self.dag.edges, &self.ranking, self.pairs.as_deref())
    }
}

impl Learned {
    /// The whole result by name: what every view is made of.
    pub fn document(&self, options: &DocumentOptions) -> ResultDocument {
        let (plan, answer) = (&self.plan, &self.answer);
        let findings = Findings { answer, names: plan.names(), basis: self.basis() };
        let document = ResultDocument {
            version: this_version(),
            data: TableSection::new(plan, options),
            settings: plan.resolved(&plan.constraints),
            estimator_in_words: plan.estimator.in_words(),
            search: findings.search(plan.search(), self.partial.is_none()),
            dag: GraphSection { edges: self.edges(), code_length_nats: answer.code_length.0 },
            cpdag: findings.class(),
            ranking: findings.ranking(),
            pairs: findings.pairs(),
            posterior: posterior(self),
            no_posterior: answer.no_posterior.clone(),
            context: context(self),
            shapes: self.shapes().to_vec(),
            partial: PartialSection::new(self.partial, options),
            shortcuts: shortcuts(self),
            agreement: agreement(self),
            families: options.families.then(|| ScoredFamily::all(&self.scores, plan)),
            curves: options.families.then(|| RankingCurves::new(self)),
            truth: options.truth.cloned(),
            cost: CostSection::new(&self.cost, options),
        };
        if options.families { document } else { document.without_families() }
    }

    /// The edges of the best graph with the evidence for them, by name.
    pub fn edges(&self) -> Vec<LearnedEdge> {
        let findings = Findings { answer: &self.answer, names: self.plan.names(), basis: self.basis() };
        let mut edges = findings.graph().edges;
        for ((edge, evidence), shape) in edges.iter_mut().zip(&self.answer.evidence).zip(self.shapes()) {
            edge.sign = shape.sign;
            edge.strength = self.strength(evidence);
            edge.explains = edge.strength.map(explains);
        }
        edges
    }

    /// The result in words and columns; ends with a line break.
    pub fn to_text(&self) -> String {
        self.document(&DocumentOptions::default()).to_text()
    }

    /// The result as JSON, without what [`DocumentOptions`] may add; ends with a line break.
    pub fn to_json(&self) -> String {
        self.document(&DocumentOptions::default()).to_json()
    }

    /// The result as one HTML page, in which the reader can change the graph and see what that costs.
    pub fn to_html(&self) -> String {
        self.document(&DocumentOptions { families: true, ..DocumentOptions::default() }).to_html()
    }

    /// The picture of the best graph; see [`ResultDocument::to_svg`].
    pub fn to_svg(&self) -> String {
        self.document(&DocumentOptions::default()).to_svg()
    }

    /// How the child of every edge changes with its parent; see [`ResultDocument::shapes_to_svg`].
    pub fn shapes_to_svg(&self) -> String {
        self.document(&DocumentOptions { families: true, ..DocumentOptions::default() }).shapes_to_svg()
    }

    /// Every two variables as CSV; see [`ResultDocument::edges_to_csv`].
    pub fn edges_to_csv(&self) -> String {
        self.document(&DocumentOptions::default()).edges_to_csv()
    }
}

/// How probabilities were computed, where there are any.
fn posterior(learned: &Learned) -> Option<PosteriorSection> {
    let posterior = learned.probabilities()?;
    Some(PosteriorSection {
        method: posterior.method,
        basis: learned.basis(),
        expected_links: posterior.expected_links(),
        link_temperature: LINK_TEMPERATURE,
        direction_temperature: direction_temperature(learned.plan.data.n_rows()),
    })
}

/// The contexts of a run and what they act on, if there are any.
fn context(learned: &Learned) -> Option<ContextSection> {
    let plan = &learned.plan;
    let contexts = plan.context_names();
    let entry = |effect: &ContextEffect| {
        let shares = contexts.iter().zip(&effect.by_column);
        let shares =
            shares.map(|(column, saved)| ContextShare { column: column.clone(), saved_nats: saved.0 });
        ContextEntry {
            variable: plan.names()[effect.child].clone(),
            acts: effect.acts(),
            saved_nats: effect.gain.0,
            columns: shares.collect(),
        }
    };
    (!contexts.is_empty()).then(|| ContextSection {
        columns: columns(plan)
            .skip(plan.names().len())
            .map(|column| ContextColumn {
                name: column.name,
                kind: column.kind,
                bins: column.bins,
                missing: column.missing,
            })
            .collect(),
        variables: learned.contexts.iter().map(entry).collect(),
    })
}

/// What was not scored, and by which rules.
fn shortcuts(learned: &Learned) -> ShortcutsSection {
    let is_proven = learned.answer.found.is_proven;
    ShortcutsSection {
        networks: learned
            .approximations
            .networks
            .map(|rule| Rule { in_words: networks_in_words(&rule, is_proven), rule }),
        growth: learned
            .approximations
            .parent_sets
            .map(|rule| Rule { in_words: growth_in_words(&rule), rule }),
    }
}

/// How many networks or row orders alone find the same, where that is known.
fn agreement(learned: &Learned) -> Option<AgreementSection> {
    let (agreement, names) = (learned.agreement(), learned.plan.names());
    let edges = learned.answer.dag.edges().into_iter().zip(&agreement.edges);
    let edge = |((from, to), &found_by): ((usize, usize), &usize)| AgreementOnEdge {
        from: names[from].clone(),
        to: names[to].clone(),
        found_by,
    };
    (!learned.by_repeat.is_empty()).then(|| AgreementSection {
        over: repeats(&learned.plan).0,
        n: learned.by_repeat.len(),
        same_graph: agreement.same_graph,
        same_class: agreement.same_class,
        edges: edges.map(edge).collect(),
    })
}

/// Where networks were trained. Only a search that went to its end and proves its answer can say what they could still change.
fn networks_in_words(networks: &NetworkGating, is_proven: bool) -> String {
    let trained = format!("Neural networks were trained for {} families", count(networks.n_families));
    if is_proven {
        format!(
            "{trained}. For the rest, the estimated gain (at most {} nats) cannot change the best graph.",
            networks.margin.0
        )
    } else {
        format!("{trained}, those most likely to change the graph. For the rest, a gain is possible.")
    }
}

/// Which parent sets were scored.
fn growth_in_words(growth: &ParentSetPruning) -> String {
    format!(
        "Sets of more than {} were scored only where smaller sets in them shorten the code (within {} nats).",
        plural(growth.all_up_to, "parent"),
        growth.slack.0,
    )
}
