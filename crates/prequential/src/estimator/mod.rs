//! Models that predict a child from its parents, learning only from the rows before.

mod auto;
mod closed_form;
mod column;
mod counts;

mod experts;
mod family_group;
mod fixed_share;
mod fourier;
mod hurdle;
mod linear;
mod marginal;
mod memory;
mod method;
mod mix;
mod mixture;
mod network;
mod neural;
mod numeric;
mod parent_inputs;
mod predictive;
mod prequential;
mod prior;
mod regression;
mod sequential;
mod streams;
mod target;
mod textbook;

use std::sync::Arc;

use crate::base::error::Result;
use crate::table::{Quantised, Table};

pub use auto::Auto;
pub(crate) use counts::refuse_configurations;
pub(crate) use fixed_share::FixedShare;
pub(crate) use method::{Coded, Coder, Detail, Effort, Memory, Method};
pub use network::{BlockwiseSettings, OptimiserKind, ReplaySettings, Schedule, Waves};
use parent_inputs::ParentInputs;
pub(crate) use predictive::{
    CategoricalPredictive, NextRows, NumericPredictive, Predictive, SequentialPredictor,
};
pub use prior::Prior;
pub use regression::FourierSettings;
use target::CodedTarget;

/// Makes the enumeration of all estimators from their list: each is a type with its settings that is a [`Method`].
macro_rules! estimators {
    ($($(#[$doc:meta])* $module:ident::$name:ident),* $(,)?) => {
        $(pub use $module::$name;)*

        /// An estimator with its settings.
        ///
        /// ```
        /// use prequential::{Estimator, Fourier, Mix};
        /// let quick: Estimator = Fourier::default().into();
        /// let careful = Estimator::Mix(Mix { networks: 5, ..Mix::default() });
        /// assert_eq!((quick.name(), careful.name()), ("fourier", "mix"));
        /// ```
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum Estimator {
            /// The default for the table.
            Auto(Auto),
            $($(#[$doc])* $name($name),)*
        }

        impl Estimator {
            /// All of them, with their default settings.
            pub fn all() -> Vec<Estimator> {
                vec![Estimator::Auto(Auto::default()), $(Estimator::$name($name::default())),*]
            }

            /// The chosen estimator; `None` for `auto`.
            fn chosen(&self) -> Option<Box<dyn Method>> {
                match self {
                    Estimator::Auto(_) => None,
                    $(Estimator::$name(chosen) => Some(Box::new(chosen.clone())),)*
                }
            }

            /// A copy with changed settings, of every candidate if the choice is open.
            fn changed(mut self, change: impl Fn(&mut dyn Method)) -> Estimator {
                match &mut self {
                    Estimator::Auto(auto) => {
                        change(&mut auto.counts);
                        change(&mut auto.mix);
                    }
                    $(Estimator::$name(chosen) => change(chosen),)*
                }
                self
            }
        }

        $(impl From<$name> for Estimator {
            fn from(chosen: $name) -> Estimator {
                Estimator::$name(chosen)
            }
        })*
    };
}

// A new estimator is a file of its own and a line here.
estimators! {
    /// Counts of child values per configuration of parent values.
    counts::Counts,
    /// Linear regressions in closed form.
    linear::Linear,
    /// Closed-form regressions on products and random Fourier features of the parents, and in the leaves of a
    /// tree.
    fourier::Fourier,
    /// Neural networks only.
    neural::Neural,
    /// A fixed-share mixture of regressions and networks; for categorical variables with categorical parents
    /// also of counts.
    mix::Mix,
    /// The Bayesian information criterion (BIC, Schwarz 1978) of categorical variables.
    textbook::Bic,
    /// Akaike's information criterion (AIC, Akaike 1973) of categorical variables.
    textbook::Aic,
    /// Factorised normalised maximum likelihood (fNML, Silander et al. 2008) of categorical variables.
    textbook::Fnml,
    /// Quotient normalised maximum likelihood (qNML, Silander et al. 2018) of categorical variables.
    textbook::Qnml,
    /// The Bayesian information criterion (BIC) of linear regressions with normal noise.
    textbook::GaussianBic,
    /// The BGe score of linear regressions.
    textbook::Bge,
}

impl Estimator {
    /// The name by which users choose it.
    pub fn name(&self) -> &'static str {
        self.chosen().map_or("auto", |method| method.name())
    }

    /// A one-line summary.
    pub fn summary(&self) -> &'static str {
        self.chosen()
            .map_or("`mix` for tables with numeric columns, `counts` for categorical tables", |method| {
                method.summary()
            })
    }

    /// The estimator of this name, with its default settings.
    pub fn named(name: &str) -> Option<Estimator> {
        Estimator::all().into_iter().find(|estimator| estimator.name() == name)
    }

    /// A copy with this many networks for each family; unchanged if it has none.
    pub fn with_networks(self, networks: usize) -> Estimator {
        self.changed(|method| method.set_networks(networks))
    }

    /// A copy with this prior of counts; unchanged if it has no counts.
    pub fn with_prior(self, prior: Prior) -> Estimator {
        self.changed(|method| method.set_prior(prior))
    }

    /// Prepares to predict columns that become known row by row; `None` if the estimator has networks, is not
    /// a prediction, or is not chosen yet.
    pub(crate) fn sequential(&self, data: Quantised) -> Option<Box<dyn SequentialPredictor>> {
        self.chosen()?.sequential(data)
    }

    /// The estimator for `table`, its settings checked and resolved.
    pub(crate) fn resolve(&self, table: &Table) -> Result<Arc<dyn Method>> {
        let mut method = match (self, self.chosen()) {
            (Estimator::Auto(auto), _) => auto.choose(table)?,
            (_, Some(chosen)) => chosen,
            (_, None) => unreachable!("only `auto` chooses nothing"),
        };
        method.check()?;
        method.check_table(table)?;
        method.settle(table.n_rows());
        Ok(method.into())
    }
}

impl Default for Estimator {
    fn default() -> Estimator {
        Estimator::Auto(Auto::default())
    }
}
