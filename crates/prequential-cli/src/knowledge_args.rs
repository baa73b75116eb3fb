//! The options that say what is known about the graph.

use std::path::PathBuf;

use clap::Args;
use prequential::wording::OptionName;
use prequential::{Knowledge, Result, Statement};

use crate::args::listed;
use crate::names::Names;

/// What is known about the graph beforehand.
#[derive(Debug, Args)]
pub(crate) struct KnowledgeArgs {
    /// An edge that the graph must have; may be given several times
    #[arg(long, value_name = "'A->B'", help_heading = "Knowledge")]
    require: Vec<String>,
    /// An edge that it must not have; may be given several times
    #[arg(long, value_name = "'A->B'", help_heading = "Knowledge")]
    forbid: Vec<String>,
    /// Groups of variables in causal order: no edge goes from a later group to an earlier one
    #[arg(long, value_name = "'A,B;C;D'", value_parser = Tiers::parse, help_heading = "Knowledge")]
    tiers: Option<Tiers>,
    /// Variables without causes in the table
    #[arg(long, value_name = "A,..", value_parser = Names::parse, allow_hyphen_values = true, help_heading = "Knowledge")]
    roots: Vec<Names>,
    /// Variables without effects in the table
    #[arg(long, value_name = "A,..", value_parser = Names::parse, allow_hyphen_values = true, help_heading = "Knowledge")]
    leaves: Vec<Names>,
    /// Columns that may cause anything, are never an effect and are no variables of the graph: batch, site, wave, condition
    #[arg(long, value_name = "A,..", value_parser = Names::parse, allow_hyphen_values = true, help_heading = "Knowledge")]
    context: Vec<Names>,
    /// A TOML file with require, forbid, tiers, roots, leaves, context, max-parents
    #[arg(long, value_name = "FILE", help_heading = "Knowledge")]
    knowledge: Option<PathBuf>,
}

impl KnowledgeArgs {
    pub(crate) fn knowledge(&self) -> Result<Knowledge> {
        let mut knowledge = match &self.knowledge {
            Some(path) => Knowledge::read(path)?,
            None => Knowledge::default(),
        };
        let edges = |texts: &[String], place: OptionName| {
            texts.iter().map(|text| Statement::edge(text, place)).collect::<Result<Vec<_>>>()
        };
        let names = |names: &[Names], place: OptionName| {
            listed(names).into_iter().map(|value| Statement { value, place: place.into() }).collect()
        };
        let tier = |names: &Names| Statement { value: names.0.clone(), place: OptionName::Tiers.into() };
        knowledge.extend(Knowledge {
            required: edges(&self.require, OptionName::Require)?,
            forbidden: edges(&self.forbid, OptionName::Forbid)?,
            tiers: self.tiers.iter().flat_map(|tiers| &tiers.0).map(tier).collect(),
            roots: names(&self.roots, OptionName::Roots),
            leaves: names(&self.leaves, OptionName::Leaves),
            context: names(&self.context, OptionName::Context),
            max_parents: None,
        });
        Ok(knowledge)
    }
}

/// The value of `--tiers`.
#[derive(Debug, Clone)]
struct Tiers(Vec<Names>);

impl Tiers {
    fn parse(text: &str) -> std::result::Result<Tiers, String> {
        Names::parse_tiers(text).map(Tiers)
    }
}
