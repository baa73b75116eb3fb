//! The contexts of a run: their columns, the variables on which they act, and the nats saved.

use rayon::prelude::*;

use crate::base::error::{Error, Result, require};
use crate::base::message::{Message, OptionName, message};
use crate::base::nats::Nats;
use crate::graph::{Dag, Family};
use crate::score::{ScoreCache, Scores};
use crate::search::{Knowledge, number};
use crate::table::Table;

/// The effect of contexts on one variable of the best graph.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ContextEffect {
    /// The variable.
    pub child: usize,
    /// The nats saved by coding it given its parents and contexts instead of its parents; negative if
    /// contexts have no effect.
    pub gain: Nats,
    /// With several contexts, the nats that each saves in addition to the others, without networks; empty
    /// with one, if none acts, and after a stop.
    pub by_column: Vec<Nats>,
}

impl ContextEffect {
    /// Whether contexts act on the variable, by code length.
    pub fn acts(&self) -> bool {
        self.gain > Nats(0.0)
    }
}

/// The numbers of the columns that are contexts, in the order in which they are named, each once.
pub(super) fn context_columns(knowledge: &Knowledge, table: &Table) -> Result<Vec<usize>> {
    let names = table.names();
    let mut columns: Vec<usize> = Vec::new();
    for said in &knowledge.context {
        let column = number(&said.value, &said.place, "column", &names)?;
        if !columns.contains(&column) {
            columns.push(column);
        }
        refuse_other_statements(&said.value, &said.place, knowledge)?;
    }
    let n_left = names.len() - columns.len();
    require(
        columns.is_empty() || n_left >= 2,
        || {
            message![
                OptionName::Context,
                format!(" leaves {n_left} of {} columns, expected at least 2 variables", names.len())
            ]
        },
        || message!["name fewer columns in ", OptionName::Context],
    )?;
    Ok(columns)
}

/// Refuses statements about a context as a variable of the graph.
fn refuse_other_statements(name: &str, place: &Message, knowledge: &Knowledge) -> Result<()> {
    let edges = knowledge.required.iter().chain(&knowledge.forbidden);
    let edges = edges.filter(|said| said.value.0 == name || said.value.1 == name).map(|said| &said.place);
    let tiers = knowledge.tiers.iter().filter(|said| said.value.iter().any(|one| one == name));
    let nodes = knowledge.roots.iter().chain(&knowledge.leaves).filter(|said| said.value == name);
    let mut others = edges.chain(tiers.map(|said| &said.place)).chain(nodes.map(|said| &said.place));
    let Some(other) = others.next() else { return Ok(()) };
    Err(Error::Contradiction {
        what: message![
            place.clone(),
            format!(" makes `{name}` a context, but "),
            other.clone(),
            " names it as a variable of the graph"
        ],
        hint: "a context may cause any variable and is never an effect, so no other knowledge applies to it: name it only once".into(),
    })
}

/// For each variable of `dag`, the nats that each of several contexts saves in addition to the others,
/// without networks.
pub(super) fn by_column(cache: &ScoreCache, dag: &Dag) -> Vec<Vec<Nats>> {
    let families: Vec<Family> = dag.families().collect();
    families.par_iter().map(|family| cache.worth_of_contexts(family)).collect()
}

/// The effect of contexts on each variable of `dag`; empty if the table has none.
pub(super) fn effects(scores: &Scores, dag: &Dag, by_column: Vec<Vec<Nats>>) -> Vec<ContextEffect> {
    let Some(gains) = &scores.context_gains else { return Vec::new() };
    let effect = |(family, by_column): (Family, Vec<Nats>)| {
        let place = scores.place(&family).unwrap_or_else(|| panic!("the answer has scored families"));
        let gain = Nats(gains[place]);
        let by_column = if gain > Nats(0.0) { by_column } else { Vec::new() };
        ContextEffect { child: family.child, gain, by_column }
    };
    dag.families().zip(by_column).map(effect).collect()
}
