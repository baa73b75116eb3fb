//! The default choice: `mix` for tables with numbers, `counts` for tables of labels.

use super::counts::Counts;
use super::method::Method;
use super::mix::Mix;
use super::prior::Prior;
use crate::base::error::Result;
use crate::estimator::counts::refuse_configurations;
use crate::table::{Kind, Table};

/// `Counts` for tables of labels, `Mix` for tables with columns of numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Auto {
    /// For tables of labels: from a mixture of priors, unless one is chosen.
    pub counts: Counts,
    /// For tables with numbers.
    pub mix: Mix,
}

impl Default for Auto {
    fn default() -> Auto {
        Auto { counts: Counts { prior: Prior::Mixed, ..Counts::default() }, mix: Mix::default() }
    }
}

impl Auto {
    /// The one for this table.
    pub(super) fn choose(&self, table: &Table) -> Result<Box<dyn Method>> {
        let has_numbers = table.variables().iter().any(|variable| variable.kind() == Kind::Continuous);
        match (has_numbers, self.counts.max_configurations) {
            (true, Some(_)) => Err(refuse_configurations(self.mix.name())),
            (true, None) => Ok(Box::new(self.mix.clone())),
            (false, _) => Ok(Box::new(self.counts.clone())),
        }
    }
}
