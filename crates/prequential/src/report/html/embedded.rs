//! What the page's script works with: the graph, its places, the code lengths of families, the constraints.

use serde_json::{Value, json};

use super::super::document::{LearnedEdge, ScoredFamily};
use super::super::picture::{Drawing, Place, line_width};
use super::view::Page;

/// The most families that go into a page, about 6 MB; beyond, each child keeps its best.
pub(super) const MAX_FAMILIES: usize = 200_000;

/// The data of the script, as JSON that may stand inside a `<script>` element.
pub(super) fn embedded_json(page: &Page, drawing: &Drawing) -> String {
    let (families, n_left_out) = match &page.result.families {
        Some(families) => compact(&numbered(families, page), page.graph.names.len(), MAX_FAMILIES),
        None => (Value::Null, 0),
    };
    let boxes = drawing.at.centres.iter().zip(&drawing.sizes);
    let data = json!({
        "names": page.graph.names,
        "labels": drawing.labels,
        "boxes": boxes.map(|(at, (width, height))| json!([tenth(at.x), tenth(at.y), width, height])).collect::<Vec<_>>(),
        "frame": drawing.frame(Place::Page).map(|corner| [tenth(corner.x), tenth(corner.y)]),
        "best": page.result.dag.edges.iter().map(|edge| edge_json(edge, page, drawing)).collect::<Vec<_>>(),
        "codeLength": page.result.dag.code_length_nats,
        "proven": page.result.search.proven && page.result.partial.is_none(),
        "ranking": page.graph.ranking.iter().map(|(dag, _)| dag.edges()).collect::<Vec<_>>(),
        "knowledge": knowledge_json(page),
        "families": families,
        "familiesLeftOut": n_left_out,
    });
    // `</script>` and `<!--` inside a name would end the element.
    data.to_string().replace('<', "\\u003c")
}

fn edge_json(edge: &LearnedEdge, page: &Page, drawing: &Drawing) -> Value {
    let (from, to) = (page.graph.number(&edge.from), page.graph.number(&edge.to));
    let curve = drawing.curve(from, to).unwrap_or_default();
    json!({
        "from": from, "to": to, "reversal": edge.reversal_nats, "probability": probability_words(edge),
        "width": tenth(line_width(edge.removal_nats)), "isOpen": !edge.is_told(),
        "curve": curve.iter().flat_map(|point| [tenth(point.x), tenth(point.y)]).collect::<Vec<_>>(),
    })
}

/// What is known of the probability of an edge, named for what it is.
fn probability_words(edge: &LearnedEdge) -> Option<String> {
    edge.probability.zip(edge.basis).map(|(probability, basis)| format!("{}: {probability:.3}", basis.what()))
}

/// What the reader's own graphs are held against.
fn knowledge_json(page: &Page) -> Value {
    let settings = &page.result.settings;
    let tiers: Vec<Vec<usize>> = settings.tiers.iter().map(|tier| page.graph.numbers(tier)).collect();
    json!({
        "require": page.graph.numbered(&settings.require), "forbid": page.graph.numbered(&settings.forbid), "tiers": tiers,
        "roots": page.graph.numbers(&settings.roots), "leaves": page.graph.numbers(&settings.leaves),
        "maxParents": settings.max_parents,
    })
}

/// A family by the numbers of its variables.
struct NumberedFamily {
    child: usize,
    /// In the order of the variables.
    parents: Vec<usize>,
    code_length: f64,
    spread: Option<f64>,
}

fn numbered(families: &[ScoredFamily], page: &Page) -> Vec<NumberedFamily> {
    let one = |family: &ScoredFamily| {
        let mut parents = page.graph.numbers(&family.parents);
        parents.sort_unstable();
        NumberedFamily {
            child: page.graph.number(&family.child),
            parents,
            code_length: family.code_length_nats,
            spread: family.spread_nats,
        }
    };
    families.iter().map(one).collect()
}

/// For each child a list of `[code length, spread, parent, parent, ...]`, and how many families were left out.
fn compact(families: &[NumberedFamily], n_vars: usize, max_families: usize) -> (Value, usize) {
    let mut by_child: Vec<Vec<&NumberedFamily>> = vec![Vec::new(); n_vars];
    families.iter().for_each(|family| by_child[family.child].push(family));
    if families.len() > max_families {
        let n_best = max_families / n_vars;
        for own in &mut by_child {
            own.sort_by(|a, b| a.code_length.total_cmp(&b.code_length));
            own.truncate(n_best);
        }
    }
    let n_kept: usize = by_child.iter().map(Vec::len).sum();
    let one = |family: &&NumberedFamily| {
        let mut row =
            vec![json!(rounded(family.code_length, 1e8)), json!(family.spread.map(|sd| rounded(sd, 1e4)))];
        row.extend(family.parents.iter().map(|&parent| json!(parent)));
        Value::Array(row)
    };
    let lists = by_child.iter().map(|own| own.iter().map(one).collect::<Value>()).collect();
    (lists, families.len() - n_kept)
}

/// To 1 / `parts`; digits beyond are noise that makes a page large.
fn rounded(number: f64, parts: f64) -> f64 {
    (number * parts).round() / parts
}

fn tenth(number: f64) -> f64 {
    // Adding zero turns -0 into 0.
    rounded(number, 10.0) + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn family(child: usize, parents: &[usize], code_length: f64) -> NumberedFamily {
        NumberedFamily { child, parents: parents.to_vec(), code_length, spread: (child == 0).then_some(0.25) }
    }

    #[test]
    fn families_are_grouped_by_child() {
        let families = [family(1, &[0], 2.5), family(0, &[], 7.123456789012), family(1, &[], 3.0)];
        let (lists, n_left_out) = compact(&families, 2, 10);
        assert_eq!(lists, json!([[[7.12345679, 0.25]], [[2.5, null, 0], [3.0, null]]]));
        assert_eq!(n_left_out, 0);
    }

    #[test]
    fn of_too_many_families_each_child_keeps_its_best() {
        let families = [family(0, &[1], 9.0), family(0, &[], 8.0), family(1, &[0], 2.0), family(1, &[], 3.0)];
        let (lists, n_left_out) = compact(&families, 2, 2);
        assert_eq!(lists, json!([[[8.0, 0.25]], [[2.0, null, 0]]]));
        assert_eq!(n_left_out, 2);
    }
}
