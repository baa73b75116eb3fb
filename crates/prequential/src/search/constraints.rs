//! Constraints: which families a graph may have.

use std::collections::HashMap;

use super::knowledge::{Knowledge, Statement};
use crate::base::error::{Error, Result};
use crate::base::message::{Message, OptionName, message};
use crate::graph::{Dag, Family, NodeSet};
use crate::score::n_subsets;

/// Which families a graph may have; every search satisfies them, and no other family is scored.
///
/// At least one graph satisfies them: contradictions are refused at construction.
///
/// ```
/// use prequential::{Constraints, Family, Knowledge, NodeSet};
/// let names = ["age", "smoke", "lung"].map(String::from);
/// let knowledge = Knowledge::from_toml("roots = ['age']\nrequire = ['smoke -> lung']", "rules.toml")?;
/// let constraints = Constraints::new(&knowledge, &names, None)?;
/// assert!(!constraints.allows(&Family::new(0, NodeSet::single(1))));
/// assert_eq!(constraints.families().count(), 1 + 2 + 2);
/// # Ok::<(), prequential::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Constraints {
    required: Vec<NodeSet>,
    allowed: Vec<NodeSet>,
    max_parents: usize,
    /// How many values each variable has as a parent.
    n_levels: Vec<usize>,
    max_configurations: f64,
}

impl Constraints {
    /// No constraints at all.
    pub fn none(n_vars: usize) -> Constraints {
        Constraints {
            required: vec![NodeSet::new(); n_vars],
            allowed: (0..n_vars).map(|child| NodeSet::full(n_vars).without(child)).collect(),
            max_parents: n_vars.saturating_sub(1),
            n_levels: vec![1; n_vars],
            max_configurations: f64::INFINITY,
        }
    }

    /// The constraints that `knowledge` and a limit on the number of parents imply for the variables `names`.
    pub fn new(knowledge: &Knowledge, names: &[String], max_parents: Option<usize>) -> Result<Constraints> {
        let exclusions = Exclusions::new(knowledge, names)?;
        let mut constraints = Constraints::none(names.len());
        for &(from, to) in exclusions.reasons.keys() {
            constraints.allowed[to].remove(from);
        }
        for limit in [max_parents, knowledge.max_parents].into_iter().flatten() {
            constraints.max_parents = limit.min(constraints.max_parents);
        }
        for statement in &knowledge.required {
            let (from, to) = edge_numbers(statement, names)?;
            if let Some(reason) = exclusions.reasons.get(&(from, to)) {
                let (from, to) = &statement.value;
                return Err(Error::Contradiction {
                    what: message![
                        statement.place.clone(),
                        format!(" requires {from} -> {to}, but "),
                        reason.clone()
                    ],
                    hint: "drop one of the two".into(),
                });
            }
            constraints.required[to].insert(from);
        }
        let required = constraints.check_required(knowledge, names)?;
        // An edge that reverses a required path would close a cycle. Most nodes have no required descendants,
        // and with 10,000 columns computing the descendants of each takes seconds.
        let causes =
            constraints.required.iter().fold(NodeSet::new(), |causes, parents| causes.union(parents));
        for node in causes.iter() {
            let allowed = &mut constraints.allowed[node];
            *allowed = allowed.difference(&required.descendants(node));
        }
        Ok(constraints)
    }

    /// How many variables.
    pub fn n_vars(&self) -> usize {
        self.allowed.len()
    }

    /// The parents that `child` must have.
    pub fn required(&self, child: usize) -> &NodeSet {
        &self.required[child]
    }

    /// The nodes that may be parents of `child`.
    pub fn allowed(&self, child: usize) -> &NodeSet {
        &self.allowed[child]
    }

    /// The graph of the required edges alone, which is always allowed.
    pub fn smallest_dag(&self) -> Dag {
        Dag::from_parents(self.required.clone())
            .unwrap_or_else(|cycle| panic!("required edges were checked: {cycle}"))
    }

    /// The largest number of parents.
    pub fn max_parents(&self) -> usize {
        self.max_parents
    }

    /// A copy with at most `limit` parents; required parents stay possible.
    pub fn with_max_parents(mut self, limit: usize) -> Constraints {
        let required = self.required.iter().map(NodeSet::len).max().unwrap_or(0);
        self.max_parents = limit.max(required).min(self.n_vars().saturating_sub(1));
        self
    }

    /// A copy without parent sets that have more than `limit` combinations of values, where variable i has
    /// `n_levels[i]`; required parents stay possible.
    pub fn with_max_configurations(mut self, n_levels: Vec<usize>, limit: f64) -> Constraints {
        assert_eq!(n_levels.len(), self.n_vars(), "every variable has a number of levels");
        (self.n_levels, self.max_configurations) = (n_levels, limit);
        self
    }

    /// A copy without edges to or from `node`, unless they are required.
    pub fn with_isolated(mut self, node: usize) -> Constraints {
        self.allowed[node] = self.required[node].clone();
        for (allowed, required) in self.allowed.iter_mut().zip(&self.required) {
            if !required.contains(node) {
                allowed.remove(node);
            }
        }
        self
    }

    /// A copy with only the parents in `parents`, per child; required parents stay.
    pub(crate) fn among(mut self, parents: &[NodeSet]) -> Constraints {
        for ((allowed, required), parents) in self.allowed.iter_mut().zip(&self.required).zip(parents) {
            *allowed = allowed.intersection(&parents.union(required));
        }
        self
    }

    fn n_configurations(&self, parents: &NodeSet) -> f64 {
        parents.iter().map(|parent| self.n_levels[parent] as f64).product()
    }

    /// Whether a graph may have this family.
    pub fn allows(&self, family: &Family) -> bool {
        self.allows_parents(family.child, &family.parents)
    }

    /// Whether a graph may have the family of `child` and `parents`.
    pub(crate) fn allows_parents(&self, child: usize, parents: &NodeSet) -> bool {
        let required = &self.required[child];
        let is_small = || {
            self.max_configurations == f64::INFINITY
                || self.n_configurations(parents) <= self.max_configurations
                || parents == required
        };
        parents.len() <= self.max_parents
            && required.is_subset(parents)
            && parents.is_subset(&self.allowed[child])
            && is_small()
    }

    /// Whether every family of `dag` is allowed.
    pub fn allow(&self, dag: &Dag) -> bool {
        dag.families().all(|family| self.allows(&family))
    }

    /// How many families are allowed with at most `max_parents` parents, combinations of values not
    /// considered; a float, because it can be huge.
    pub fn n_families(&self, max_parents: usize) -> f64 {
        let allowed_parents = |child: usize| {
            let n_required = self.required[child].len();
            let n_free = self.allowed[child].len() - n_required;
            max_parents.checked_sub(n_required).map_or(0.0, |most| n_subsets(n_free, most))
        };
        (0..self.n_vars()).map(allowed_parents).sum()
    }

    /// Every allowed family, child by child, smaller parent sets first.
    pub fn families(&self) -> impl Iterator<Item = Family> + '_ {
        (0..self.n_vars()).flat_map(|child| {
            self.parent_sets(child).into_iter().map(move |parents| Family::new(child, parents))
        })
    }

    /// Every allowed parent set of `child`, smaller ones first.
    pub fn parent_sets(&self, child: usize) -> Vec<NodeSet> {
        let required = &self.required[child];
        let free: Vec<usize> = self.allowed[child].difference(required).iter().collect();
        // Each set with the place in `free` from which it may still grow, so that every set is generated
        // once.
        let mut sets = vec![(required.clone(), 0)];
        let mut layer = 0..1;
        for _ in required.len()..self.max_parents {
            for i in layer.clone() {
                let (set, start) = sets[i].clone();
                let grown = (start..free.len()).map(|next| (set.with(free[next]), next + 1));
                sets.extend(grown.filter(|(set, _)| self.n_configurations(set) <= self.max_configurations));
            }
            layer = layer.end..sets.len();
        }
        sets.into_iter().map(|(set, _)| set).collect()
    }

    /// The graph of the required edges, unless they exceed the limit on parents or form a cycle.
    fn check_required(&self, knowledge: &Knowledge, names: &[String]) -> Result<Dag> {
        for (child, required) in self.required.iter().enumerate() {
            if required.len() > self.max_parents {
                let (child, limit, n_required) = (&names[child], self.max_parents, required.len());
                return Err(Error::Contradiction {
                    what: format!("`{child}` has {n_required} required parents, above the limit of {limit}")
                        .into(),
                    hint: message![
                        "raise ",
                        OptionName::MaxParents,
                        format!(" to {n_required}, or require fewer edges into `{child}`")
                    ],
                });
            }
        }
        let cycle = match Dag::from_parents(self.required.clone()) {
            Ok(required) => return Ok(required),
            Err(cycle) => cycle,
        };
        let on_cycle = |statement: &&Statement<(String, String)>| {
            let round = cycle.0.iter().zip(cycle.0.iter().cycle().skip(1));
            round.into_iter().any(|(&from, &to)| statement.value == (names[from].clone(), names[to].clone()))
        };
        let mut places: Vec<&Message> =
            knowledge.required.iter().filter(on_cycle).map(|statement| &statement.place).collect();
        places.dedup();
        Err(Error::Cycle {
            what: "required edges".into(),
            cycle: cycle.display(names),
            hint: message!["remove one of them (", Message::join(places, ", "), ")"],
        })
    }
}

/// The edges that knowledge forbids, each with its reason in words.
struct Exclusions {
    reasons: HashMap<(usize, usize), Message>,
}

impl Exclusions {
    fn new(knowledge: &Knowledge, names: &[String]) -> Result<Exclusions> {
        let mut exclusions = Exclusions { reasons: HashMap::new() };
        for statement in &knowledge.forbidden {
            let edge = edge_numbers(statement, names)?;
            exclusions.add(edge, || message![statement.place.clone(), " forbids it"]);
        }
        exclusions.add_tiers(knowledge, names)?;
        for statement in &knowledge.roots {
            let root = variable(&statement.value, &statement.place, names)?;
            let reason = || message![statement.place.clone(), format!(" makes `{}` a root", names[root])];
            (0..names.len()).for_each(|from| exclusions.add((from, root), reason));
        }
        for statement in &knowledge.leaves {
            let leaf = variable(&statement.value, &statement.place, names)?;
            let reason = || message![statement.place.clone(), format!(" makes `{}` a leaf", names[leaf])];
            (0..names.len()).for_each(|to| exclusions.add((leaf, to), reason));
        }
        Ok(exclusions)
    }

    fn add(&mut self, edge: (usize, usize), reason: impl Fn() -> Message) {
        if edge.0 != edge.1 {
            self.reasons.entry(edge).or_insert_with(reason);
        }
    }

    fn add_tiers(&mut self, knowledge: &Knowledge, names: &[String]) -> Result<()> {
        let mut tier_of: HashMap<usize, usize> = HashMap::new();
        for (tier, statement) in knowledge.tiers.iter().enumerate() {
            for name in &statement.value {
                let node = variable(name, &statement.place, names)?;
                if tier_of.insert(node, tier).is_some_and(|before| before != tier) {
                    return Err(Error::Contradiction {
                        what: message![statement.place.clone(), format!(" names `{name}` in two tiers")],
                        hint: format!("keep `{name}` in one tier").into(),
                    });
                }
            }
        }
        for (&from, &late) in &tier_of {
            for (&to, &early) in tier_of.iter().filter(|&(_, &early)| early < late) {
                let place = &knowledge.tiers[late].place;
                self.add((from, to), || {
                    let (from, to) = (&names[from], &names[to]);
                    let (late, early) = (late + 1, early + 1);
                    message![
                        place.clone(),
                        format!(" puts `{from}` in tier {late}, after `{to}` in tier {early}")
                    ]
                });
            }
        }
        Ok(())
    }
}

fn edge_numbers(statement: &Statement<(String, String)>, names: &[String]) -> Result<(usize, usize)> {
    let (from, to) = &statement.value;
    if from == to {
        return Err(Error::Contradiction {
            what: message![statement.place.clone(), format!(" names an edge from `{from}` to itself")],
            hint: "an edge joins two different variables".into(),
        });
    }
    Ok((variable(from, &statement.place, names)?, variable(to, &statement.place, names)?))
}

fn variable(name: &str, place: &Message, names: &[String]) -> Result<usize> {
    number(name, place, "variable", names)
}

/// The number of a variable, or of a column, among `names`; `what` it is, and the `place` where it was named.
pub(crate) fn number(name: &str, place: &Message, what: &'static str, names: &[String]) -> Result<usize> {
    names.iter().position(|known| known == name).ok_or_else(|| Error::UnknownName {
        option: place.clone(),
        name: name.to_string(),
        what,
        known: names.to_vec(),
    })
}
