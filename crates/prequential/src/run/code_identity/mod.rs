//! What the code lengths of a plan are kept and sent under.

use serde_json::{Map, json};

use super::plan::Plan;
use super::resolved::word;
use crate::score::CodeIdentity;

impl Plan {
    /// Everything that the code lengths of this plan depend on.
    ///
    /// Keys and values are those of existing stores. They are spelt out here so that other names in results change none of them. Their
    /// order counts, too.
    pub(crate) fn code_identity(&self) -> CodeIdentity {
        let without_effect = self.estimator.without_effect();
        let mut estimator = Map::from_iter([("name".to_string(), json!(self.estimator.name()))]);
        let settings = self.estimator.settings().into_iter();
        estimator.extend(settings.filter(|(name, _)| !without_effect.contains(&name.as_str())));
        let quantisation = self.bins_numbers().then(|| {
            json!({
                "bins": self.quantisation.n_bins,
                "binning": word(self.quantisation.binning),
                "inputs": word(self.quantisation.parent_values),
            })
        });
        let mut settings = Map::from_iter([
            ("estimator".to_string(), json!(estimator)),
            ("quantisation".to_string(), json!(quantisation)),
            ("seed".to_string(), json!(self.seed)),
            ("row_order".to_string(), json!(word(self.row_order))),
        ]);
        if !self.contexts.is_empty() {
            // By number: the names of columns do not change code lengths.
            settings.insert("context".to_string(), json!(self.contexts));
        }
        CodeIdentity::new(&self.data, settings)
    }
}

#[cfg(test)]
mod tests;
