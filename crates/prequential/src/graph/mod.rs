//! Directed acyclic graphs: sets of nodes, equivalence, distances, files. Knows nothing of tables, scores or searches.

mod adjustment;
mod compare;
mod cpdag;
mod dag;
mod family;
mod files;
mod named;
mod node_set;

pub use adjustment::{ancestor_aid, sid};
pub use compare::{Comparison, compare, shd, shd_cpdag};
pub use cpdag::Cpdag;
pub use dag::{Cycle, Dag};
pub use family::Family;
pub(crate) use files::read_text;
pub use files::{GraphFormat, parse_graph, read_graph, write_graph};
pub use named::NamedDag;
pub use node_set::NodeSet;
