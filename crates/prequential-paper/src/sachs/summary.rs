//! The numbers of all runs, and the account of them.

use prequential::internals::count;
use serde_json::{Value, json};

use super::reference::{NAMES, consensus_20, discrete_17};
use super::run::Run;
use super::{MAX_PARENTS, N_ROWS};
use crate::options::ReproduceOptions;
use crate::study::as_typed;
use crate::words::one_line;

/// What the paper's table says: name, SHD to the 20 links, number of links.
const IN_THE_PAPER: [(&str, f64, f64); 4] = [
    ("the paper, hill climbing", 16.0, 15.0),
    ("the paper, weighted over visited graphs", 18.4, 16.8),
    ("DAG-GNN, in the paper", 19.0, 18.0),
    ("NOTEARS, in the paper", 22.0, 16.0),
];

/// All numbers.
pub(super) fn json(options: &ReproduceOptions, runs: &[Run]) -> Value {
    json!({
        "experiment": "sachs",
        "command": command(options),
        "rows": N_ROWS,
        "paper": IN_THE_PAPER.map(|(what, shd, links)| json!({ "what": what, "shd": shd, "links": links })),
        "empty_graph": { "shd_20": consensus_20().n_edges(), "shd_17": discrete_17().n_edges() },
        "runs": runs.iter().map(Run::json).collect::<Vec<_>>(),
    })
}

/// The command that repeats the run.
fn command(options: &ReproduceOptions) -> String {
    let mut command = format!("prequential reproduce sachs --seed {}", options.seed);
    command += &as_typed(options);
    options.more.iter().for_each(|word| command += &format!(" {word}"));
    command
}

/// The account.
pub(super) fn markdown(options: &ReproduceOptions, runs: &[Run]) -> String {
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
        one_line(&best.exact.dag, &NAMES),
        consensus_20().changes_in_words(&best.exact.dag, &names),
    )
}
