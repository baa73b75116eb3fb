//! The paper's protein network: 7,466 cells, 11 proteins, nine conditions, six of them interventions on one protein.

use serde_json::{Value, json};

use super::{ReproduceOptions, Reproduction, settings_json};
use crate::base::error::{Error, Result};
use crate::base::format::count;
use crate::base::nats::Nats;
use crate::base::observer::Observer;
use crate::estimator::Estimator;
use crate::graph::{Dag, shd};
use crate::posterior::{EdgeProbabilities, by_visited};
use crate::run::learn::{in_pool, learn_observed, open_ledger};
use crate::run::plan::Plan;
use crate::run::result::Learned;
use crate::run::settings::{Search, Settings};
use crate::score::{CodeLengths, FamilyLengths, dag_length};
use crate::search::{ClimbSettings, Constraints, Knowledge, Limits, OrderGraph, hill_climb};
use crate::table::{Table, Variable};

/// The proteins, in the order of the file.
const NAMES: [&str; 11] = ["raf", "mek", "plcg", "pip2", "pip3", "erk", "akt", "pka", "pkc", "p38", "jnk"];

/// The 20 links of Sachs et al. (2005), Figure 2.
const CONSENSUS_20: &str = "raf mek, mek erk, plcg pip2, plcg pkc, pip2 pkc, pip3 plcg, pip3 pip2, pip3 akt, erk akt, pka raf, \
    pka mek, pka erk, pka akt, pka p38, pka jnk, pkc raf, pkc mek, pkc pka, pkc p38, pkc jnk";

/// The 17 links of the discrete network `sachs` that Bayesian network tools ship.
const DISCRETE_17: &str = "raf mek, mek erk, plcg pip2, plcg pip3, pip3 pip2, erk akt, pka raf, pka mek, pka erk, pka akt, \
    pka p38, pka jnk, pkc raf, pkc mek, pkc pka, pkc p38, pkc jnk";

/// The cells treated with LY294002, an inhibitor of PI3K, which was not measured.
const LY_ROWS: std::ops::Range<usize> = 4_998..5_846;

const N_ROWS: usize = 7_466;

/// As in the paper.
const MAX_PARENTS: usize = 4;

/// Bins of a column for counts: low, middle, high, as in the discrete versions of the table.
const COARSE_BINS: usize = 3;

/// What the paper's table says: name, SHD to the 20 links, number of links.
const IN_THE_PAPER: [(&str, f64, f64); 4] = [
    ("the paper, hill climbing", 16.0, 15.0),
    ("the paper, weighted over visited graphs", 18.4, 16.8),
    ("DAG-GNN, in the paper", 19.0, 18.0),
    ("NOTEARS, in the paper", 22.0, 16.0),
];

/// What one estimator makes of the table.
struct Run {
    learned: Learned,
    exact: Answer,
    climbed: Answer,
    /// How much longer the climbed graph's code is than the proven optimum.
    climbed_excess: f64,
    n_visited: usize,
    conventions: Vec<Convention>,
}

/// A graph, and the posterior that came with it.
struct Answer {
    dag: Dag,
    posterior: EdgeProbabilities,
}

/// What changes if the cells treated with LY294002 count as an intervention on this protein.
struct Convention {
    protein: &'static str,
    dag: Dag,
}

/// Learns the table in `options.data` with one estimator or, unless one is named, with four.
pub(super) fn reproduce(options: &ReproduceOptions, observer: &dyn Observer) -> Result<Reproduction> {
    let table = check(options.data.as_ref())?;
    let estimators = match options.settings.estimator {
        Estimator::Auto => vec![Estimator::Mix, Estimator::Fourier, Estimator::Linear, Estimator::Counts],
        only => vec![only],
    };
    let mut runs = Vec::new();
    for (i, &estimator) in estimators.iter().enumerate() {
        let run = Run::new(table, &settings(options, estimator), observer)?;
        observer.data_set(i + 1, estimators.len(), &run.in_words());
        runs.push(run);
    }
    let picture = runs[0].learned.to_svg(table);
    Ok(Reproduction {
        json: json!({
            "experiment": "sachs",
            "command": command(options),
            "rows": table.n_rows(),
            "paper": IN_THE_PAPER.map(|(what, shd, links)| json!({ "what": what, "shd": shd, "links": links })),
            "empty_graph": { "shd_20": consensus_20().n_edges(), "shd_17": discrete_17().n_edges() },
            "runs": runs.iter().map(Run::json).collect::<Vec<_>>(),
        }),
        markdown: markdown(options, &runs),
        plots: vec![("graph.svg".to_string(), picture)],
    })
}

/// The table must be the one that the experiment is about.
fn check(table: Option<&Table>) -> Result<&Table> {
    let table = table.ok_or_else(|| Error::Setting {
        what: "the protein data do not come with the program".into(),
        hint: "name the table with `--data FILE`: the columns raf to jnk, 7,466 rows, and a column `intervention`"
            .into(),
    })?;
    if table.names() == NAMES && table.n_rows() == N_ROWS {
        return Ok(table);
    }
    Err(Error::Setting {
        what: format!(
            "the table has {} rows and the columns {}, but the protein data have {} rows and the columns {}",
            count(table.n_rows()),
            table.names().join(", "),
            count(N_ROWS),
            NAMES.join(", ")
        )
        .into(),
        hint: "leave `--data` out to fetch them".into(),
    })
}

fn settings(options: &ReproduceOptions, estimator: Estimator) -> Settings {
    let given = &options.settings;
    Settings {
        estimator,
        n_bins: if estimator == Estimator::Counts { Some(COARSE_BINS) } else { given.n_bins },
        seed: options.seed,
        repeats: options.repeats.or(given.repeats).filter(|_| estimator.has_networks()),
        search: Search::Exact,
        knowledge: Knowledge::default(),
        max_parents: Some(MAX_PARENTS),
        max_configurations: None,
        ..given.clone()
    }
}

fn command(options: &ReproduceOptions) -> String {
    let mut command = format!("prequential reproduce sachs --seed {}", options.seed);
    if let Some(repeats) = options.repeats {
        command += &format!(" --repeats {repeats}");
    }
    if options.settings.estimator != Estimator::Auto {
        command += &format!(" --estimator {}", options.settings.estimator);
    }
    options.more.iter().for_each(|word| command += &format!(" {word}"));
    command
}

impl Run {
    fn new(table: &Table, settings: &Settings, observer: &dyn Observer) -> Result<Run> {
        let learned = learn_observed(table, settings, observer)?;
        let lengths = learned.scores.lengths(NAMES.len());
        let constraints = Constraints::none(NAMES.len()).with_max_parents(MAX_PARENTS);
        let climb = ClimbSettings { seed: settings.seed, ..ClimbSettings::default() };
        let visited = hill_climb(&lengths, &constraints, &climb)?;
        let (dag, length) = visited.best(1).swap_remove(0);
        let posterior = learned.answer.posterior.clone();
        let posterior = posterior.unwrap_or_else(|| panic!("11 variables have exact probabilities"));
        let convention = |protein| Convention::new(protein, table, settings, &lengths, &constraints);
        Ok(Run {
            exact: Answer { dag: learned.answer.dag.clone(), posterior },
            climbed: Answer { dag, posterior: by_visited(&visited.all()) },
            climbed_excess: learned.answer.excess(length).0,
            n_visited: visited.n_visited(),
            conventions: ["pip3", "akt"].into_iter().map(convention).collect::<Result<_>>()?,
            learned,
        })
    }

    fn in_words(&self) -> String {
        format!(
            "{}: {} links, SHD {} to the 20 links, {} to the 17; {:.0} s",
            self.name(),
            self.exact.dag.n_edges(),
            shd(&self.exact.dag, &consensus_20()),
            shd(&self.exact.dag, &discrete_17()),
            self.learned.cost.wall_seconds
        )
    }

    fn name(&self) -> String {
        match self.learned.settings.estimator {
            Estimator::Counts => format!("counts, {COARSE_BINS} bins"),
            estimator => estimator.to_string(),
        }
    }

    fn rows(&self) -> String {
        let agreement = self.learned.agreement();
        let exact = format!("{}, proven optimum", self.name());
        let climbed = format!(
            "{}, hill climbing ({} graphs visited), {:+.1} nats",
            self.name(),
            count(self.n_visited),
            self.climbed_excess
        );
        let agree = match self.learned.by_repeat.len() {
            0 => "".to_string(),
            n_nets => format!("{} of {n_nets}", agreement.same_graph),
        };
        let seconds = format!("{:.0}", self.learned.cost.wall_seconds);
        self.exact.row(&exact, &agree, &seconds) + &self.climbed.row(&climbed, "", "")
    }

    fn json(&self) -> Value {
        let cost = &self.learned.cost;
        json!({
            "settings": settings_json(&self.learned.settings, &NAMES),
            "families": cost.n_families, "cpu_seconds": cost.cpu_seconds, "wall_seconds": cost.wall_seconds,
            "exact": self.exact.json(), "hill_climb": self.climbed.json(),
            "hill_climb_excess_nats": self.climbed_excess, "visited": self.n_visited,
            "evidence": self.learned.answer.evidence.iter().map(|edge| json!({
                "from": NAMES[edge.from], "to": NAMES[edge.to],
                "probability": self.exact.posterior.edge_probability(edge.from, edge.to),
                "removal_nats": edge.removal, "reversal_nats": edge.reversal,
                "removal_spread_nats": edge.removal_spread, "reversal_spread_nats": edge.reversal_spread,
            })).collect::<Vec<_>>(),
            "same_graph_by_network": self.learned.agreement().same_graph,
            "code_length_nats": self.learned.answer.code_length,
            "excess_of_20_nats": self.excess(&consensus_20()), "excess_of_17_nats": self.excess(&discrete_17()),
            "conventions": self.conventions.iter().map(|other| json!({
                "protein": other.protein, "edges": edges_json(&other.dag),
                "shd_20": shd(&other.dag, &consensus_20()), "shd_17": shd(&other.dag, &discrete_17()),
            })).collect::<Vec<_>>(),
        })
    }

    /// Nats by which the code of `dag` is longer than the shortest; `None` if a variable has more than 4 parents there.
    fn excess(&self, dag: &Dag) -> Option<Nats> {
        let length = dag_length(&self.learned.scores.lengths(NAMES.len()), dag)?;
        Some(self.learned.answer.excess(length))
    }

    fn conventions_in_words(&self) -> String {
        let names = NAMES.map(String::from);
        let one = |other: &Convention| {
            let change = self.exact.dag.changes_in_words(&other.dag, &names);
            let change = if change.is_empty() { "nothing changes".to_string() } else { change };
            format!("- {}, `{}`: {change}\n", self.name(), other.protein)
        };
        self.conventions.iter().map(one).collect()
    }
}

impl Answer {
    /// A line of the table.
    fn row(&self, name: &str, agree: &str, seconds: &str) -> String {
        format!(
            "| {name} | {} | {} | {} | {:.1} | {:.1} | {:.1} | {agree} | {seconds} |\n",
            self.dag.n_edges(),
            shd(&self.dag, &consensus_20()),
            shd(&self.dag, &discrete_17()),
            self.posterior.expected_links(),
            self.posterior.expected_shd(&consensus_20()),
            self.posterior.expected_shd(&discrete_17()),
        )
    }

    fn json(&self) -> Value {
        json!({
            "edges": edges_json(&self.dag), "links": self.dag.n_edges(),
            "shd_20": shd(&self.dag, &consensus_20()), "shd_17": shd(&self.dag, &discrete_17()),
            "expected_links": self.posterior.expected_links(),
            "expected_shd_20": self.posterior.expected_shd(&consensus_20()),
            "expected_shd_17": self.posterior.expected_shd(&discrete_17()),
        })
    }
}

impl Convention {
    /// Only families of `protein` are coded in other rows: they are scored again, and the search repeated.
    fn new(
        protein: &'static str,
        table: &Table,
        settings: &Settings,
        lengths: &CodeLengths,
        constraints: &Constraints,
    ) -> Result<Convention> {
        let child = number(protein);
        let changed = with_ly_on(table, child)?;
        let plan = Plan::new(&changed, settings)?;
        let families: Vec<_> = plan.families().into_iter().filter(|family| family.child == child).collect();
        let mut lengths = lengths.clone();
        in_pool(settings.threads, || {
            let ledger = open_ledger(&changed, &plan, &())?;
            ledger.request(&families)?;
            for family in &families {
                let length = ledger.code_length(family);
                lengths.set(family, length.unwrap_or_else(|| panic!("nobody stopped the scoring")));
            }
            let search = OrderGraph::new(&lengths, constraints, &Limits::default())?;
            let dag = search.best_dag().unwrap_or_else(|| panic!("every graph is allowed"));
            Ok(Convention { protein, dag })
        })
    }
}

/// The table with the cells treated with LY294002 as an intervention on one protein.
fn with_ly_on(table: &Table, node: usize) -> Result<Table> {
    let mut variables: Vec<Variable> = table.variables().to_vec();
    let intervened = variables[node].intervened.get_or_insert_with(|| vec![false; N_ROWS]);
    intervened[LY_ROWS].fill(true);
    Table::new(variables)
}

fn number(protein: &str) -> usize {
    NAMES.iter().position(|&name| name == protein).unwrap_or_else(|| panic!("no protein `{protein}`"))
}

/// The network of these links: cause and effect, separated by commas.
fn network(links: &str) -> Dag {
    let link = |link: &str| {
        let (from, to) = link.trim().split_once(' ').unwrap_or_else(|| panic!("two proteins in `{link}`"));
        (number(from), number(to))
    };
    Dag::from_edges(NAMES.len(), links.split(',').map(link))
        .unwrap_or_else(|cycle| panic!("the reference is acyclic: {cycle}"))
}

fn consensus_20() -> Dag {
    network(CONSENSUS_20)
}

fn discrete_17() -> Dag {
    network(DISCRETE_17)
}

fn edges_json(dag: &Dag) -> Value {
    dag.edges().iter().map(|&(from, to)| json!([NAMES[from], NAMES[to]])).collect()
}

fn markdown(options: &ReproduceOptions, runs: &[Run]) -> String {
    let ours: String = runs.iter().map(Run::rows).collect();
    let theirs =
        IN_THE_PAPER.iter().map(|(what, shd, links)| format!("| {what} | {links} | {shd} | | | | | | |\n"));
    let theirs: String = theirs.collect();
    let conventions: String = runs.iter().map(Run::conventions_in_words).collect();
    let names = NAMES.map(String::from);
    let best = &runs[0];
    let learned = &best.learned;
    format!(
        "# sachs: the paper's protein network\n\n\
         {} cells, 11 proteins, at most {MAX_PARENTS} parents: {} families. `{}`\n\n\
         Cells in which a reagent acts on a measured protein count as interventions on it: akt (911 cells), pkc (723 and 913), pip2 (810), mek (799), pka (707). \
         They are not coded for that protein. The 848 cells treated with LY294002 count for all: its target was not measured.\n\n\
         | | links | SHD to the 20 links | SHD to the 17 | expected links | expected SHD, 20 | expected SHD, 17 | networks that alone find it | s |\n\
         |---|---|---|---|---|---|---|---|---|\n{ours}{theirs}\
         | no edges | 0 | {} | {} | | | | | |\n\n\
         Expected values are weighted by the posterior: exact over all graphs of the scored families, or over the graphs that hill climbing visited.\n\n\
         Best graph ({}): {}\n\nAgainst the 20 links it {}.\n\n\
         With LY294002 as an intervention on another protein, the proven optimum changes so:\n\n{conventions}",
        count(N_ROWS),
        count(learned.cost.n_families),
        command(options),
        consensus_20().n_edges(),
        discrete_17().n_edges(),
        best.name(),
        super::one_line(&best.exact.dag, &NAMES),
        consensus_20().changes_in_words(&best.exact.dag, &names),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_s_own_graph_has_the_distances_that_it_states() {
        // Read off its figure: the links it shares with the accepted network, and those that it alone has.
        let inferred = network(
            "mek raf, mek akt, mek p38, plcg pip2, pip3 pip2, akt erk, pka erk, pka akt, \
             pkc mek, pkc plcg, pkc pka, pkc p38, pkc jnk, p38 plcg, p38 jnk",
        );
        assert_eq!((inferred.n_edges(), shd(&inferred, &consensus_20())), (15, 16));
        assert_eq!(shd(&inferred, &discrete_17()), 14);
        assert_eq!((consensus_20().n_edges(), discrete_17().n_edges()), (20, 17));
    }

    #[test]
    fn another_convention_leaves_out_the_treated_cells_of_one_protein() {
        let numbers = |node: usize| (0..N_ROWS).map(|row| ((row * (node + 3)) % 997) as f64).collect();
        let variable = |node: usize| Variable {
            name: NAMES[node].to_string(),
            values: crate::table::Values::Numbers(numbers(node)),
            intervened: (node == number("akt")).then(|| (0..N_ROWS).map(|row| row < 911).collect()),
        };
        let table =
            Table::new((0..NAMES.len()).map(variable).collect()).unwrap_or_else(|error| panic!("{error}"));
        for (protein, n_coded) in [("pip3", N_ROWS - 848), ("akt", N_ROWS - 911 - 848)] {
            let changed = with_ly_on(&table, number(protein)).unwrap_or_else(|error| panic!("{error}"));
            let data = crate::table::Quantised::new(&changed, 8);
            assert_eq!(data.column(number(protein)).n_rows_used(), n_coded);
            assert_eq!(data.column(number("raf")).n_rows_used(), N_ROWS);
        }
    }

    #[test]
    fn another_table_is_refused() {
        let error = check(None).unwrap_err();
        assert!(error.hint().to_string().contains("--data"));
        let other = crate::simulate::Experiment::Chain3.simulate(200, 1).map(|simulated| simulated.table);
        let error = check(other.ok().as_ref()).unwrap_err().to_string();
        assert!(error.contains("200 rows and the columns A, B, C"), "{error}");
    }
}
