//! What the page's script works with: the graph, its places, the code lengths of families, the constraints.

use serde_json::{Value, json};

use super::super::svg::{Drawing, Place, line_width};
use super::facts::{Facts, Knowledge, ScoredFamily};

/// The most families that go into a page, about 6 MB; beyond, each child keeps its best.
pub(super) const MAX_FAMILIES: usize = 200_000;

/// The data of the script, as JSON that may stand inside a `<script>` element.
pub(super) fn embedded_json(facts: &Facts, drawing: &Drawing) -> String {
    let (families, n_left_out) = match &facts.families {
        Some(families) => compact(families, facts.names.len(), MAX_FAMILIES),
        None => (Value::Null, 0),
    };
    let edge = |from: usize, to: usize| json!([from, to]);
    let data = json!({
        "names": facts.names,
        "labels": drawing.labels,
        "boxes": drawing.at.centres.iter().zip(&drawing.sizes).map(|(at, (width, height))| {
            json!([tenth(at.x), tenth(at.y), width, height])
        }).collect::<Vec<_>>(),
        "frame": drawing.frame(Place::Page).map(|corner| [tenth(corner.x), tenth(corner.y)]),
        "best": facts.edges.iter().map(|at| json!({
            "from": at.from, "to": at.to, "reversal": at.reversal, "probability": at.probability,
            "width": tenth(line_width(at.removal)), "isOpen": at.is_open(),
            "curve": drawing.curve(at.from, at.to).unwrap_or_default().iter()
                .flat_map(|point| [tenth(point.x), tenth(point.y)]).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "codeLength": facts.code_length,
        "proven": facts.search.proven && facts.partial.is_none(),
        "ranking": facts.ranking.iter().map(|ranked| {
            ranked.dag.edges().into_iter().map(|(from, to)| edge(from, to)).collect::<Vec<_>>()
        }).collect::<Vec<_>>(),
        "knowledge": knowledge_json(&facts.knowledge),
        "families": families,
        "familiesLeftOut": n_left_out,
    });
    // `</script>` and `<!--` inside a name would end the element.
    data.to_string().replace('<', "\\u003c")
}

fn knowledge_json(knowledge: &Knowledge) -> Value {
    json!({
        "require": knowledge.require, "forbid": knowledge.forbid, "tiers": knowledge.tiers,
        "roots": knowledge.roots, "leaves": knowledge.leaves, "maxParents": knowledge.max_parents,
    })
}

/// For each child a list of `[code length, spread, parent, parent, ...]`, and how many families were left out.
fn compact(families: &[ScoredFamily], n_vars: usize, max_families: usize) -> (Value, usize) {
    let mut by_child: Vec<Vec<&ScoredFamily>> = vec![Vec::new(); n_vars];
    families.iter().for_each(|family| by_child[family.child].push(family));
    if families.len() > max_families {
        let n_best = max_families / n_vars;
        for own in &mut by_child {
            own.sort_by(|a, b| a.code_length.total_cmp(&b.code_length));
            own.truncate(n_best);
        }
    }
    let n_kept: usize = by_child.iter().map(Vec::len).sum();
    let one = |family: &&ScoredFamily| {
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

    fn family(child: usize, parents: &[usize], code_length: f64) -> ScoredFamily {
        ScoredFamily { child, parents: parents.to_vec(), code_length, spread: (child == 0).then_some(0.25) }
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
