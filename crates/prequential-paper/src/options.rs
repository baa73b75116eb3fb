//! How an experiment is run.

use prequential::wording::{Message, OptionName};
use prequential::{Error, Result, Settings, Table};

/// How an experiment is run.
#[derive(Debug, Clone)]
pub struct ReproduceOptions {
    /// Rows of each data set; `None` for as many as in the paper's figure, or 5,000 where the paper does not say.
    pub rows: Option<usize>,
    /// The first data seed; the plots show this one.
    pub seed: u64,
    /// How many data sets, with seeds counting up.
    pub n_seeds: usize,
    /// Row orders per data set; `None` for as many as in the paper's figure of categories, for those of `settings` otherwise.
    pub permutations: Option<usize>,
    /// How numeric tables are learned (categorical ones always by counts), and on how many threads. The row
    /// orders are drawn from the data seed.
    pub settings: Settings,
    /// The table of an experiment whose data do not come with the program: `sachs`.
    pub data: Option<Table>,
    /// Further options of the command line that made these settings: the summary names them.
    pub more: Vec<String>,
}

impl Default for ReproduceOptions {
    fn default() -> ReproduceOptions {
        ReproduceOptions {
            rows: None,
            seed: 1,
            n_seeds: 1,
            permutations: None,
            settings: Settings::default(),
            data: None,
            more: Vec::new(),
        }
    }
}

impl ReproduceOptions {
    /// The data seeds.
    pub(crate) fn seeds(&self) -> impl Iterator<Item = u64> + use<> {
        let first = self.seed;
        (0..self.n_seeds as u64).map(move |i| first.wrapping_add(i))
    }
}

/// The fewest rows that are useful.
const MIN_ROWS: usize = 200;

/// Refuses options that leave nothing to do.
pub(crate) fn check(rows: usize, n_seeds: usize, repeats: usize) -> Result<()> {
    if n_seeds > 0 && repeats > 0 && rows >= MIN_ROWS {
        return Ok(());
    }
    Err(Error::Setting {
        what: format!("an experiment needs a seed, a row order and {MIN_ROWS} rows").into(),
        hint: Message::from("use ")
            + OptionName::Seeds.set(1)
            + ", "
            + OptionName::Permutations.set(1)
            + " and "
            + OptionName::Rows.set(MIN_ROWS)
            + " or more",
    })
}
