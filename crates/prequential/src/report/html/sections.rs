//! The parts of the page that tell the result: headline, evidence, class, runners-up, truth.

use super::super::document::{LearnedEdge, PartialSection, VariablePair};
use super::super::picture::by_strength;
use super::super::words::{basis_in_words, partial_in_words};
use super::markup::{
    Element, cell, definitions, edge, link, name, number_cell, numbers, open_link, paragraph, table, words,
};
use super::opening::opening;
use super::view::{Page, file_name};
use crate::base::format::{count, nats, plural};
use crate::base::nats::Nats;
use crate::graph::Dag;
use crate::posterior::PosteriorBasis;
use crate::run::{NamedPair, TruthReport};
use crate::shape::Sign;

/// A section with its heading.
pub(super) fn section(id: &'static str, title: &str) -> Element {
    let heading = Element::new("h2").text(title);
    Element::new("section").id(id).child(heading)
}

/// `+12,345.67`.
pub(super) fn signed(number: f64) -> String {
    let sign = if number < 0.0 { "" } else { "+" };
    format!("{sign}{}", nats(Nats(number))).replace('-', "−")
}

pub(super) fn banner(stopped: &PartialSection) -> Element {
    let text = partial_in_words(&stopped.partial) + ". What follows is the best among these, not the answer.";
    let banner = Element::new("aside").class("banner").attribute("role", "note");
    let banner =
        banner.child(Element::new("p").child(Element::new("b").text("Partial result. ")).text(&text));
    match &stopped.command {
        Some(command) => {
            let code = Element::new("code").text(command);
            banner.child(Element::new("p").text("To continue: ").child(code))
        }
        None => banner,
    }
}

pub(super) fn headline(page: &Page) -> Element {
    let result = &page.result;
    let fact = |value: String, label: &str| {
        let value = Element::new("dd").text(&value);
        Element::new("div").child(Element::new("dt").text(label)).child(value)
    };
    let list = vec![
        fact(count(page.graph.dag.n_edges()), "links"),
        fact(count(page.graph.names.len()), "variables"),
        fact(count(result.data.rows), "rows"),
    ];
    let header = Element::new("header").id("top");
    let title = Element::new("h1").text("Causal graph of ").child(name(file_name(page)));
    header
        .child(title)
        .child(opening(page))
        .child(Element::new("dl").class("figures").children(list))
        .child(paragraph(&search_words(page)).class("note"))
        .child(paragraph(caveat(page)).class("note"))
}

/// How the search ended, and what that proves.
fn search_words(page: &Page) -> String {
    let meaning = if page.result.partial.is_some() {
        "This is the best graph so far, by the families scored so far."
    } else if page.result.search.proven {
        "This is a proof about code lengths, not about causes."
    } else {
        "A graph with a shorter code may exist."
    };
    format!("Search {}. {meaning}", page.result.search_in_words())
}

/// One sentence on how far to trust the probabilities.
fn caveat(page: &Page) -> &'static str {
    match page.result.posterior.as_ref().map(|posterior| posterior.basis) {
        None => "There are no edge probabilities; the nats are the evidence for each edge.",
        Some(PosteriorBasis::AllGraphs) => {
            "Probabilities are tempered: raw code-length differences are overconfident. The temperature was chosen on simulated tables; \
             on other data probabilities may still be too high."
        }
        Some(PosteriorBasis::GraphsLookedAt | PosteriorBasis::StoppedRun) => {
            "Numbers with a question mark are not probabilities: not all graphs were weighed."
        }
    }
}

pub(super) fn evidence(page: &Page) -> Element {
    let section = section("evidence", "Evidence for each edge");
    let result = &page.result;
    let edges = &result.dag.edges;
    if edges.is_empty() {
        return section.child(paragraph("The best graph has no edge: no variable helps to predict another."));
    }
    let any = |of: fn(&LearnedEdge) -> Option<f64>| edges.iter().any(|edge| of(edge).is_some());
    let columns = EvidenceColumns {
        sign: edges.iter().any(|edge| edge.sign.is_some()),
        strength: any(|edge| edge.explains),
        probability: any(|edge| edge.probability),
        linked: any(|edge| edge.linked),
        basis: edges.iter().find_map(|edge| edge.basis).unwrap_or(PosteriorBasis::AllGraphs),
        spreads: any(|edge| edge.removal_spread_nats.or(edge.reversal_spread_nats)),
        without_cost: if result.search.proven { "impossible" } else { "not known" },
    };
    let mut strongest_first: Vec<&LearnedEdge> = edges.iter().collect();
    strongest_first.sort_by(|a, b| by_strength(a, b));
    let rows = strongest_first.into_iter().map(|edge| columns.row(edge)).collect();
    section
        .child(table("Evidence for each edge", &columns.headings(), rows))
        .children(near_misses(page))
        .child(paragraph(&evidence_words(page)).class("note"))
        .children(leaning_words(page).map(|words| paragraph(&words).class("note")))
}

/// Where probabilities would turn an edge round: the graph with the shortest code is one of many that they weigh.
fn leaning_words(page: &Page) -> Option<String> {
    let percent = |probability: f64| format!("{:.0} %", 100.0 * probability);
    let edge = |edge: &LearnedEdge| {
        let this_way = percent(edge.probability.unwrap_or_default());
        let other_way = percent(page.graph.other_way(edge).unwrap_or_default());
        format!("{} → {} ({this_way} this way, {other_way} the other way)", edge.from, edge.to)
    };
    let edges: Vec<String> = page.graph.leaning_other_way().map(edge).collect();
    (!edges.is_empty()).then(|| {
        format!(
            "Probabilities favour the other direction for {}. The best graph has the shortest code; probabilities weigh all graphs.",
            edges.join(", ")
        )
    })
}

/// The pairs that the best graph does not link, though they may be linked; nothing if there are none.
fn near_misses(page: &Page) -> Option<Element> {
    let row = |pair: &VariablePair| {
        let number = |probability: f64| number_cell(Some(pair.basis.shown(probability, 3)));
        let cells = [number(pair.linked), number(pair.a_to_b), number(pair.b_to_a)];
        Element::new("tr").child(cell(open_link(&pair.a, &pair.b))).children(cells)
    };
    let headings = [words("near miss"), numbers("linked"), numbers("→"), numbers("←")];
    let rows: Vec<Element> = page.graph.near_misses().into_iter().map(row).collect();
    (!rows.is_empty()).then(|| table("Pairs that the best graph does not link", &headings, rows))
}

/// Which columns the evidence has.
struct EvidenceColumns {
    sign: bool,
    strength: bool,
    probability: bool,
    linked: bool,
    basis: PosteriorBasis,
    spreads: bool,
    /// What stands where there is no graph to compare with.
    without_cost: &'static str,
}

impl EvidenceColumns {
    fn headings(&self) -> Vec<super::markup::Heading> {
        let all = [
            (true, words("edge")),
            (self.sign, words("sign")),
            (self.strength, numbers("explains")),
            (self.linked, numbers("linked")),
            (self.probability, numbers("this way")),
            (true, numbers("removal costs")),
            (self.spreads, numbers("±")),
            (true, numbers("reversal costs")),
            (self.spreads, numbers("±")),
        ];
        all.into_iter().filter(|(shown, _)| *shown).map(|(_, heading)| heading).collect()
    }

    fn row(&self, at: &LearnedEdge) -> Element {
        let probability = |value: Option<f64>| number_cell(value.map(|value| self.basis.shown(value, 3)));
        let cost =
            |value: Option<f64>| number_cell(value.map(signed).or(Some(self.without_cost.to_string())));
        let spread = |value: Option<f64>| number_cell(value.map(|value| nats(Nats(value))));
        let all = [
            Some(cell(link(at))),
            self.sign.then(|| cell(Element::new("span").text(sign_in_words(at.sign)))),
            self.strength.then(|| number_cell(at.explains.map(|share| format!("{:.0} %", 100.0 * share)))),
            self.linked.then(|| probability(at.linked)),
            self.probability.then(|| probability(at.probability)),
            Some(cost(at.removal_nats)),
            self.spreads.then(|| spread(at.removal_spread_nats)),
            Some(cost(at.reversal_nats)),
            self.spreads.then(|| spread(at.reversal_spread_nats)),
        ];
        Element::new("tr").children(all.into_iter().flatten())
    }
}

/// Whether the effect rises or falls with the cause.
fn sign_in_words(sign: Option<Sign>) -> &'static str {
    match sign {
        Some(Sign::Rising) => "rises",
        Some(Sign::Falling) => "falls",
        Some(Sign::NotMonotone) => "both",
        Some(Sign::Unclear) => "unclear",
        None => "–",
    }
}

fn evidence_words(page: &Page) -> String {
    let mut text = "Strongest first. Sign: whether the effect rises or falls with the cause, its other causes held fixed. Explains: the \
                    share of the uncertainty about the effect, its other causes known, that the cause removes: 1 - exp(-2 s) with s nats \
                    a row, which is the share of the variance if all is normal. Removal costs: nats lost if the edge is removed and the \
                    rest stays. Reversal costs: nats lost by the best graph in which it points the other way. A nat multiplies the odds \
                    by 2.7."
        .to_string();
    let basis = page.result.posterior.as_ref().map(|posterior| posterior.basis);
    match basis.map(basis_in_words) {
        None => {}
        Some(None) => {
            text += " Linked: the probability of an edge in either direction; this way: of this direction.";
        }
        Some(Some(words)) => text += &format!(" Numbers with a question mark: {words}."),
    }
    text
}

pub(super) fn class(page: &Page) -> Element {
    let class = &page.result.cpdag;
    let list = |pairs: &[NamedPair], arrow: &str| {
        if pairs.is_empty() {
            return Element::new("span").text("none");
        }
        let item = |NamedPair(a, b): &NamedPair| Element::new("li").child(name(a)).text(arrow).child(name(b));
        Element::new("ul").class("chips").children(pairs.iter().map(item))
    };
    let items = vec![
        ("directed".to_string(), list(&class.directed, " → ")),
        ("undirected".to_string(), list(&class.undirected, " – ")),
    ];
    let note = "What observation alone could tell if every mechanism were arbitrary: undirected edges could point either way. \
                Interventions, knowledge and the code itself may tell more; the cost of reversal says how much.";
    section("class", "Equivalence class").child(definitions(items)).child(paragraph(note).class("note"))
}

pub(super) fn runners_up(page: &Page) -> Element {
    let section = section("ranking", "Runners-up");
    if page.graph.ranking.len() < 2 {
        return section.child(paragraph("Only the best graph is known."));
    }
    let row = |(rank, (dag, excess)): (usize, &(Dag, f64))| {
        let place = format!("{}", rank + 1);
        let number = Element::new("td").class("number").text(&place);
        let row = Element::new("tr").attribute("data-rank", &rank.to_string());
        row.child(number).child(number_cell(Some(signed(*excess)))).child(cell(difference(
            &page.graph.dag,
            dag,
            &page.graph.names,
        )))
    };
    let rows = page.graph.ranking.iter().enumerate().skip(1).map(row).collect();
    let headings = [numbers("no."), numbers("excess, nats"), words("what differs from the best graph")];
    section.child(table("Runners-up", &headings, rows))
}

/// What changes from one graph to another, in words.
fn difference(from: &Dag, to: &Dag, names: &[String]) -> Element {
    let edges = from.edges();
    let reversed: Vec<(usize, usize)> = edges.iter().copied().filter(|&(a, b)| to.has_edge(b, a)).collect();
    let removed: Vec<(usize, usize)> = edges.iter().copied().filter(|&(a, b)| !to.adjacent(a, b)).collect();
    let added: Vec<(usize, usize)> = to.edges().into_iter().filter(|&(a, b)| !from.adjacent(a, b)).collect();
    let mut text = Element::new("span");
    let mut gap = "";
    for (verb, pairs) in [("reverses ", reversed), ("drops ", removed), ("adds ", added)] {
        for (i, &(a, b)) in pairs.iter().enumerate() {
            text = text.text(if i == 0 { gap } else { ", " }).text(if i == 0 { verb } else { "" });
            text = text.child(edge(&names[a], &names[b]));
            gap = "; ";
        }
    }
    text
}

pub(super) fn truth(truth: &TruthReport) -> Element {
    let distances = &truth.comparison;
    let verdict = match (distances.exact, distances.equivalent) {
        (true, _) => "The best graph is the known graph.",
        (false, true) => "The best graph is not the known graph, but of its equivalence class.",
        (false, false) => "The best graph is of another equivalence class than the known graph.",
    };
    let item = |label: &str, value: String, meaning: &str| {
        (
            label.to_string(),
            Element::new("span").child(Element::new("b").text(&value)).text(&format!(" {meaning}")),
        )
    };
    let mut items = vec![
        item("SHD", count(distances.shd), "pairs whose edge differs; a reversal counts once"),
        item("SHD of classes", count(distances.shd_cpdag), "the same between the equivalence classes"),
        item("SID", count(distances.sid), "effects that the best graph's parents get wrong"),
    ];
    items.extend(
        truth.expected_shd.map(|shd| item("expected SHD", format!("{shd:.2}"), "over all weighed graphs")),
    );
    section("truth", "Against the known graph").child(paragraph(verdict)).child(definitions(items))
}

/// `3 edges`, for the page's description.
pub(super) fn summary(page: &Page) -> String {
    format!(
        "{}, {} nats",
        plural(page.graph.dag.n_edges(), "edge"),
        nats(Nats(page.result.dag.code_length_nats))
    )
}
