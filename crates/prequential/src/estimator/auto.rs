//! The default choice: `mix` for tables with numbers, `counts` for tables of labels.

use super::counts::Counts;
use super::method::Method;
use super::mix::Mix;
use super::prior::Prior;
use crate::base::error::Result;
use crate::estimator::counts::refuse_configurations;
use crate::table::{Kind, Table};

/// `Counts` for categorical tables, `Mix` for tables with numeric columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Auto {
    /// For categorical tables: with a mixture of priors, unless one is chosen.
    pub counts: Counts,
    /// For tables with numeric columns.
    pub mix: Mix,
}

impl Default for Auto {
    fn default() -> Auto {
        Auto { counts: Counts { prior: Prior::Mixed, ..Counts::default() }, mix: Mix::default() }
    }
}

impl Auto {
    /// The estimator for this table.
    pub(super) fn choose(&self, table: &Table) -> Result<Box<dyn Method>> {
        let has_numbers = table.variables().iter().any(|variable| variable.kind() == Kind::Continuous);
        match (has_numbers, self.counts.max_configurations) {
            (true, Some(_)) => Err(refuse_configurations(self.mix.name())),
            (true, None) => Ok(Box::new(self.mix.clone())),
            (false, _) => Ok(Box::new(self.counts.clone())),
        }
    }
}
