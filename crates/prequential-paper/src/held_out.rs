//! The argument of the paper's section 3.1: held-out loss chooses models that are too large, the code length
//! does not.

use prequential::internals::{CodeLengths, FamilyLengths, Quantised, count, exhaustive, plural};
use prequential::results::Curves;
use prequential::{Constraints, Cpdag, Family, Nats, NodeSet, Prior, Result};
use prequential_simulate::{Experiment, Simulated};
use serde_json::{Value, json};

use crate::counted::Counted;
use crate::experiment::{Reproducible, Reproduction, Request};
use crate::options::check;
use crate::tabular::{families_of_three, lengths_at};

pub(crate) const EXPERIMENT: Reproducible = Reproducible {
    name: "held-out",
    about: "The argument of section 3.1: rows held out against the code, as choosers of models",
    needs_data: false,
    run: reproduce,
};

/// The default number of rows.
const N_ROWS: [usize; 4] = [100, 300, 1_000, 5_000];

/// One row in five is held out.
const N_FOLDS: usize = 5;

/// As in the paper.
const ALPHA: f64 = 0.5;

/// How a model is chosen.
const CHOOSERS: [&str; 2] = ["the last fifth held out", "the code"];

/// The choices of one criterion, over all tables of one size.
#[derive(Clone, Copy, Default)]
struct Chosen {
    /// p(A | B) over p(A | B, C).
    n_smaller: usize,
    /// A graph of the true class.
    n_class: usize,
    /// Edges of the chosen graphs.
    n_edges: usize,
}

fn reproduce(request: &Request) -> Result<Reproduction> {
    let options = request.options;
    let sizes = options.rows.map_or(N_ROWS.to_vec(), |rows| vec![rows]);
    check(options.rows.unwrap_or(N_ROWS[3]), options.n_seeds, 1)?;
    let mut of_sizes = Vec::new();
    for (number, &n_rows) in sizes.iter().enumerate() {
        let mut chosen = [Chosen::default(); CHOOSERS.len()];
        for seed in options.seeds() {
            let simulated = Experiment::TabularChain.simulate(n_rows, seed)?;
            for (chosen, lengths) in chosen.iter_mut().zip([held_out(&simulated), coded(&simulated)?]) {
                chosen.add(&lengths, &simulated)?;
            }
        }
        let words =
            format!("{} rows: class found in {} and {}", n_rows, chosen[0].n_class, chosen[1].n_class);
        request.tell(number + 1, sizes.len(), &words);
        of_sizes.push((n_rows, chosen));
    }
    let n_seeds = options.n_seeds;
    let command = request.command(options.rows);
    let json = json!({
        "experiment": request.name,
        "command": command,
        "sizes": of_sizes.iter().map(|(n_rows, chosen)| size_json(*n_rows, chosen)).collect::<Vec<_>>(),
    });
    let lines: String = of_sizes
        .iter()
        .flat_map(|(n_rows, chosen)| {
            CHOOSERS.iter().zip(chosen).map(move |(by, chosen)| chosen.row(*n_rows, by, n_seeds))
        })
        .collect();
    let markdown = format!(
        "# held-out: what chooses models (section 3.1 of the paper)\n\n\
         Tables of A -> B -> C, five labels each, {}; counts with alpha {ALPHA}. Either the first four fifths of the rows are learnt from and the model is chosen that predicts the \
         last fifth best, or the one with the shortest code of all rows.\n\n`{command}`\n\n\
         | rows | chosen by | p(A given B) before p(A given B, C) | best graph in the true class | its edges, of 2 |\n|---|---|---|---|---|\n{lines}\n\
         The paper: trained on 1,000 rows, the loss on new rows cannot reliably choose p(A | B) over p(A | B, C); with 100 it can, but that regime is not known beforehand.\n",
        plural(n_seeds, "data seed"),
    );
    Ok(Reproduction::new(&json, markdown, Vec::new()))
}

/// The losses of all families in the rows held out.
fn held_out(simulated: &Simulated) -> CodeLengths {
    let (table, n_rows) = (&simulated.table, simulated.table.n_rows());
    let first = n_rows - n_rows / N_FOLDS;
    let mut lengths = CodeLengths::new(3, 2);
    for family in families_of_three() {
        let (learnt, new) =
            (Counted::new(table, &family, 0..first), Counted::new(table, &family, first..n_rows));
        lengths.set(&family, Nats(learnt.loss_of(&new, ALPHA)));
    }
    lengths
}

/// The code lengths of all families in all rows.
fn coded(simulated: &Simulated) -> Result<CodeLengths> {
    let n_rows = simulated.table.n_rows();
    let as_drawn = |_| (0..n_rows as u32).collect();
    let data = Quantised::new(&simulated.table, 2);
    let curves = Curves::by_counts(&data, Prior::default(), &families_of_three(), &[n_rows], 1, as_drawn)?;
    Ok(lengths_at(&curves, 3, 0))
}

impl Chosen {
    fn add(&mut self, lengths: &CodeLengths, simulated: &Simulated) -> Result<()> {
        let of_a = |parents: u64| lengths.code_length(&Family::new(0, NodeSet::from_bits(parents)));
        self.n_smaller += usize::from(of_a(0b010) < of_a(0b110));
        let best = exhaustive(lengths, &Constraints::none(3))?.dag(0);
        self.n_class += usize::from(Cpdag::of(&best) == Cpdag::of(&simulated.truth));
        self.n_edges += best.n_edges();
        Ok(())
    }

    fn row(&self, n_rows: usize, by: &str, n_tables: usize) -> String {
        format!(
            "| {} | {by} | {} of {n_tables} | {} of {n_tables} | {:.2} |\n",
            count(n_rows),
            self.n_smaller,
            self.n_class,
            self.n_edges as f64 / n_tables as f64
        )
    }

    fn json(&self, by: &str) -> Value {
        json!({
            "chosen_by": by,
            "smaller_model": self.n_smaller,
            "true_class": self.n_class,
            "edges": self.n_edges,
        })
    }
}

fn size_json(n_rows: usize, chosen: &[Chosen]) -> Value {
    let choosers: Vec<Value> = CHOOSERS.iter().zip(chosen).map(|(by, chosen)| chosen.json(by)).collect();
    json!({ "rows": n_rows, "choosers": choosers })
}
