//! The tests of the library from outside, in one program: linking each file by itself took most of the time to build them.

mod architecture;
mod contexts;
mod counts_oracles;
mod exact_search;
mod graph_adjustment;
mod graph_core;
mod graph_errors;
mod graph_files;
mod knowledge_files;
mod learn;
mod models;
mod pgmpy_oracle;
mod posterior_oracles;
mod public_names;
mod random_tables;
mod search_oracles;
mod simulate;
mod stopping;
mod store;
mod table_bytes;
mod table_errors;
mod table_files;
mod table_formats;
mod table_same_bytes;
mod table_warnings;
mod without_proof;
