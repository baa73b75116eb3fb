//! The parts of the page that tell the result: headline, evidence, class, runners-up, truth.

use super::super::schema::{Edge, Pair, Partial, RankedDag, Reason, Search, Truth};
use super::facts::{Facts, is_open};
use super::markup::{
    Element, cell, definitions, edge, name, number_cell, numbers, open_link, paragraph, table, words,
};
use super::opening::opening;
use super::pairs::near_misses;
use super::shapes::by_strength;
use crate::base::format::{count, nats, plural};
use crate::base::nats::Nats;
use crate::graph::Dag;
use crate::posterior::PosteriorBasis;

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

/// The file's own name, without its directories.
pub(super) fn file_name(facts: &Facts) -> &str {
    let path = facts.result.data.path.as_deref().unwrap_or("a table");
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

pub(super) fn banner(partial: &Partial) -> Element {
    let reason = match partial.reason {
        Reason::TimeLimit => "time limit",
        Reason::Interrupted => "interrupted",
        Reason::MemoryLimit => "memory limit",
    };
    let planned =
        partial.planned_families.map_or_else(String::new, |planned| format!(" of {}", count(planned)));
    let text = format!(
        "Scoring stopped early ({}) after {}{planned} families. What follows is the best among these, not the answer.",
        reason,
        count(partial.scored_families),
    );
    let banner = Element::new("aside").class("banner").attribute("role", "note");
    let banner =
        banner.child(Element::new("p").child(Element::new("b").text("Partial result. ")).text(&text));
    match &partial.command {
        Some(command) => {
            let code = Element::new("code").text(command);
            banner.child(Element::new("p").text("To continue: ").child(code))
        }
        None => banner,
    }
}

pub(super) fn headline(facts: &Facts) -> Element {
    let result = &facts.result;
    let fact = |value: String, label: &str| {
        let value = Element::new("dd").text(&value);
        Element::new("div").child(Element::new("dt").text(label)).child(value)
    };
    let list = vec![
        fact(count(facts.dag.n_edges()), "links"),
        fact(count(facts.names.len()), "variables"),
        fact(count(result.data.rows), "rows"),
    ];
    let header = Element::new("header").id("top");
    let title = Element::new("h1").text("Causal graph of ").child(name(file_name(facts)));
    header
        .child(title)
        .child(opening(facts))
        .child(Element::new("dl").class("figures").children(list))
        .child(paragraph(&search_words(&result.search, result.partial.is_some())).class("note"))
        .child(paragraph(caveat(facts)).class("note"))
}

/// How the graph was found, and what that proves.
fn search_words(search: &Search, is_partial: bool) -> String {
    let how_many = search.graphs.or(search.visited).map_or_else(String::new, |n| format!("{} ", count(n)));
    let how = match search.method.as_str() {
        "exhaustive" => format!("all {how_many}allowed graphs were ranked"),
        "exact" => {
            "an exact search (dynamic programming) found no allowed graph with a shorter code".to_string()
        }
        "order" => format!("a search over orders of the variables, which visited {how_many}graphs"),
        "hill-climb" => format!("hill climbing, which visited {how_many}graphs"),
        "ilp" => {
            let gap = search.gap_nats.filter(|&gap| gap > 0.0 && !search.proven);
            let gap = gap.map(|gap| {
                format!(", and a proof that none is shorter by more than {} nats", nats(Nats(gap)))
            });
            format!("search `{}`{}", search.method, gap.unwrap_or_default())
        }
        other => format!("search `{other}`"),
    };
    match (search.proven, is_partial) {
        (_, true) => format!("Best so far: {how}, using the families scored so far."),
        (true, false) => {
            format!(
                "The shortest code of all allowed graphs: {how}. That is a proof about codes, none of causes."
            )
        }
        (false, false) => {
            format!("Best found: {how}. This is no proof; a graph with a shorter code may exist.")
        }
    }
}

/// One sentence on how far to trust the probabilities.
fn caveat(facts: &Facts) -> &'static str {
    match facts.result.posterior.as_ref().map(|posterior| posterior.basis) {
        None => "There are no edge probabilities for this many variables; nats speak for each edge instead.",
        Some(PosteriorBasis::AllGraphs) => {
            "Probabilities are held back by a rule that was chosen on simulated tables; on tables of another kind claims may be too sure."
        }
        Some(PosteriorBasis::GraphsLookedAt | PosteriorBasis::StoppedRun) => {
            "Numbers with a question mark are no probabilities: not all graphs were weighed."
        }
    }
}

pub(super) fn evidence(facts: &Facts) -> Element {
    let section = section("evidence", "Evidence for each edge");
    let result = &facts.result;
    let edges = &result.dag.edges;
    if edges.is_empty() {
        return section.child(paragraph("The best graph has no edge: no variable helps to predict another."));
    }
    let any = |of: fn(&Edge) -> Option<f64>| edges.iter().any(|edge| of(edge).is_some());
    let columns = EvidenceColumns {
        sign: edges.iter().any(|edge| edge.sign.is_some()),
        strength: any(|edge| edge.explains),
        probability: any(|edge| edge.probability),
        linked: any(|edge| edge.linked),
        basis: edges.iter().find_map(|edge| edge.basis).unwrap_or(PosteriorBasis::AllGraphs),
        spreads: any(|edge| edge.removal_spread_nats.or(edge.reversal_spread_nats)),
        without_cost: if result.search.proven { "impossible" } else { "not known" },
    };
    let mut strongest_first: Vec<&Edge> = edges.iter().collect();
    strongest_first.sort_by(|a, b| by_strength(a, b));
    let rows = strongest_first.into_iter().map(|edge| columns.row(edge)).collect();
    section
        .child(table("Evidence for each edge", &columns.headings(), rows))
        .children(near_misses(facts))
        .child(paragraph(&evidence_words(facts)).class("note"))
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

    fn row(&self, at: &Edge) -> Element {
        let probability = |value: Option<f64>| number_cell(value.map(|value| self.basis.shown(value, 3)));
        let cost =
            |value: Option<f64>| number_cell(value.map(signed).or(Some(self.without_cost.to_string())));
        let spread = |value: Option<f64>| number_cell(value.map(|value| nats(Nats(value))));
        let all = [
            Some(cell(if is_open(at) { open_link(&at.from, &at.to) } else { edge(&at.from, &at.to) })),
            self.sign.then(|| cell(Element::new("span").text(sign_in_words(at.sign.as_deref())))),
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
fn sign_in_words(sign: Option<&str>) -> &'static str {
    match sign {
        Some("+") => "rises",
        Some("-") => "falls",
        Some("+-") => "both",
        Some(_) => "unclear",
        None => "–",
    }
}

fn evidence_words(facts: &Facts) -> String {
    let mut text = "Strongest first. Sign: whether the effect rises or falls with the cause, its other causes held fixed. Explains: the \
                    share of what is uncertain about the effect, its other causes known, that goes away with the cause: 1 - exp(-2 s) \
                    with s nats a row, which is the share of the variance if all is normal. Removal costs: nats lost when the edge is taken out and the rest stays. Reversal costs: nats lost by the best graph \
                    in which it points the other way. A nat multiplies the odds by 2.7."
        .to_string();
    if let Some(posterior) = &facts.result.posterior {
        text += match posterior.basis {
            PosteriorBasis::AllGraphs => {
                " Linked: the probability of an edge, whichever way it points; this way: of this direction."
            }
            PosteriorBasis::GraphsLookedAt => {
                " Numbers with a question mark are shares of the graphs that the search looked at, and no probabilities."
            }
            PosteriorBasis::StoppedRun => {
                " Numbers with a question mark rest on what was scored before the run was stopped, and are no probabilities."
            }
        };
    }
    text
}

pub(super) fn class(facts: &Facts) -> Element {
    let class = &facts.result.cpdag;
    let list = |pairs: &[Pair], arrow: &str| {
        if pairs.is_empty() {
            return Element::new("span").text("none");
        }
        let item = |Pair(a, b): &Pair| Element::new("li").child(name(a)).text(arrow).child(name(b));
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

pub(super) fn runners_up(facts: &Facts) -> Element {
    let section = section("ranking", "Runners-up");
    if facts.ranking.len() < 2 {
        return section.child(paragraph("Only the best graph is known."));
    }
    let row = |(rank, (dag, ranked)): (usize, (&Dag, &RankedDag))| {
        let place = format!("{}", rank + 1);
        let number = Element::new("td").class("number").text(&place);
        let row = Element::new("tr").attribute("data-rank", &rank.to_string());
        row.child(number).child(number_cell(Some(signed(ranked.excess_nats)))).child(cell(difference(
            &facts.dag,
            dag,
            &facts.names,
        )))
    };
    let rows = facts.ranking.iter().zip(&facts.result.ranking).enumerate().skip(1).map(row).collect();
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

pub(super) fn truth(truth: &Truth) -> Element {
    let verdict = match (truth.exact, truth.equivalent) {
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
        item("SHD", count(truth.shd), "pairs whose edge differs; a reversal counts once"),
        item("SHD of classes", count(truth.shd_cpdag), "the same between the equivalence classes"),
        item("SID", count(truth.sid), "effects that the best graph's parents get wrong"),
    ];
    items.extend(
        truth.expected_shd.map(|shd| item("expected SHD", format!("{shd:.2}"), "over all weighed graphs")),
    );
    section("truth", "Against the known graph").child(paragraph(verdict)).child(definitions(items))
}

/// `3 edges`, for the page's description.
pub(super) fn summary(facts: &Facts) -> String {
    format!("{}, {} nats", plural(facts.dag.n_edges(), "edge"), nats(Nats(facts.result.dag.code_length_nats)))
}
