//! What variables cost at least that are not placed yet: pattern databases over lengths that clusters have reduced.

use super::super::relaxation::Multipliers;

/// The most variables of one group.
const GROUP: usize = 14;

/// A bound on the rest of every order, for every set of variables placed first.
///
/// Variables are in groups. Of each group the shortest order is known by itself, for each set of its variables that is left, with all other
/// variables at hand (Yuan and Malone 2012); lengths are what the clusters leave of them, and the weights of clusters of which nothing is
/// placed come on top.
pub(super) struct Patterns {
    /// Sets of variables, how many of each must come first, and the weight of each of these.
    clusters: Vec<(u128, usize, f64)>,
    groups: Vec<Group>,
}

struct Group {
    /// The numbers of its variables are these and following.
    first: usize,
    /// `[left]`: what the variables that are left cost.
    costs: Vec<f64>,
}

impl Patterns {
    /// Variables are numbered as `groups` has them: one group after the other.
    pub(super) fn new(multipliers: &Multipliers, groups: &[Vec<usize>]) -> Patterns {
        let numbers = groups.concat();
        let bits = |nodes: &crate::graph::NodeSet| -> u128 {
            let is_member = |number: &usize| nodes.contains(numbers[*number]);
            (0..numbers.len()).filter(is_member).map(|number| 1u128 << number).sum()
        };
        let reduced = |node: usize| {
            let choices = multipliers.choices().0[node].iter().zip(multipliers.reduced(node));
            let mut reduced: Vec<(u128, f64)> =
                choices.map(|(choice, &reduced)| (bits(&choice.parents), reduced)).collect();
            reduced.sort_by(|a, b| a.1.total_cmp(&b.1));
            reduced
        };
        let mut first = 0;
        let group = |nodes: &Vec<usize>| {
            let group = Group::new(first, nodes.iter().map(|&node| reduced(node)).collect());
            first += nodes.len();
            group
        };
        let clusters = multipliers.clusters().iter();
        let clusters =
            clusters.map(|(cluster, weight)| (bits(&cluster.nodes), cluster.at_least, *weight)).collect();
        Patterns { clusters, groups: groups.iter().map(group).collect() }
    }

    /// What all variables outside `placed` cost at least.
    pub(super) fn rest(&self, placed: u128) -> f64 {
        let missing = self.clusters.iter().map(|&(nodes, at_least, weight)| {
            let n_placed = (nodes & placed).count_ones() as usize;
            weight * at_least.saturating_sub(n_placed) as f64
        });
        missing.sum::<f64>() + self.groups.iter().map(|group| group.cost(placed)).sum::<f64>()
    }
}

impl Group {
    /// Choices of each variable, shortest first.
    fn new(first: usize, choices: Vec<Vec<(u128, f64)>>) -> Group {
        let mut costs = vec![0.0; 1 << choices.len()];
        for left in 1usize..costs.len() {
            let out_of_reach = (left as u128) << first;
            let next = |variable: usize| {
                let best = choices[variable].iter().find(|(parents, _)| parents & out_of_reach == 0);
                best.map_or(f64::INFINITY, |(_, length)| length + costs[left & !(1 << variable)])
            };
            let least = crate::search::members(left).map(next).fold(f64::INFINITY, f64::min);
            costs[left] = least;
        }
        Group { first, costs }
    }

    fn cost(&self, placed: u128) -> f64 {
        self.costs[(!placed >> self.first) as usize & (self.costs.len() - 1)]
    }
}

/// Groups of variables that share clusters, the heaviest first, as far as there is room.
pub(super) fn groups(multipliers: &Multipliers) -> Vec<Vec<usize>> {
    let n_vars = multipliers.choices().n_vars();
    let mut groups: Vec<Vec<usize>> = (0..n_vars).map(|node| vec![node]).collect();
    let mut clusters: Vec<_> = multipliers.clusters().iter().collect();
    clusters.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    for (cluster, _) in clusters {
        let (touched, others): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| group.iter().any(|&node| cluster.nodes.contains(node)));
        groups = others;
        match touched.iter().map(Vec::len).sum::<usize>() <= GROUP {
            true => groups.push(touched.concat()),
            false => groups.extend(touched),
        }
    }
    groups.sort_by_key(|group| (std::cmp::Reverse(group.len()), group[0]));
    packed(groups)
}

/// Puts small groups together, each into the first that has room.
fn packed(groups: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let mut packed: Vec<Vec<usize>> = Vec::new();
    for group in groups {
        match packed.iter_mut().find(|other| other.len() + group.len() <= GROUP) {
            Some(other) => other.extend(group),
            None => packed.push(group),
        }
    }
    packed
}
