//! Which code lengths may stand for which: everything that a code length depends on besides its family and the row order.

use serde_json::{Map, Value, json};

use crate::simd::arithmetic;
use crate::table::{ContentHash, Quantised, QuantisedColumn};

/// The version of the code lengths. Raise it whenever the same table and settings give other code lengths: stores keep those of
/// earlier versions but no longer use them, and workers of other versions are refused.
///
/// The test in `run/code_identity` compares 40 code lengths, to the bit, with those of this epoch.
pub(crate) const SCORES_EPOCH: u32 = 5;

/// How many differing settings an error names.
const N_SHOWN: usize = 3;

/// Everything that a code length depends on besides family and row order, as JSON: cells, settings, [`SCORES_EPOCH`], arithmetic.
///
/// Stores keep code lengths under it, and workers send it with theirs. Row orders have no place in it: they are numbered, and kept one
/// by one. Nor have the names of columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CodeIdentity {
    text: String,
}

impl CodeIdentity {
    /// Of a quantised table and the settings that its families are scored with.
    pub(crate) fn new(data: &Quantised, settings: Map<String, Value>) -> CodeIdentity {
        CodeIdentity::of_machine(data, settings, SCORES_EPOCH, arithmetic())
    }

    /// Of a version of this epoch, on a machine with this arithmetic.
    fn of_machine(
        data: &Quantised,
        settings: Map<String, Value>,
        epoch: u32,
        arithmetic: &str,
    ) -> CodeIdentity {
        let first = [("epoch".to_string(), json!(epoch)), ("data".to_string(), json!(data_sha256(data)))];
        let special = (!arithmetic.is_empty()).then(|| ("arithmetic".to_string(), json!(arithmetic)));
        let all: Value = first.into_iter().chain(settings).chain(special).collect();
        CodeIdentity { text: all.to_string() }
    }

    /// The JSON: the same text for the same code lengths.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// In words, how another identity, given as text, differs from this one; `None` if it does not.
    pub(super) fn difference(&self, other: &str) -> Option<String> {
        if self.text == other {
            return None;
        }
        let (Ok(here), Ok(there)) = (serde_json::from_str(&self.text), serde_json::from_str(other)) else {
            return Some("its settings cannot be read".to_string());
        };
        let mut found = Vec::new();
        compare("", &here, &there, &mut found);
        let n_more = found.len().saturating_sub(N_SHOWN);
        let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
        found.truncate(N_SHOWN);
        Some(found.join(", ") + &more)
    }
}

/// Adds what differs below `path`, in words, to `found`.
fn compare(path: &str, here: &Value, there: &Value, found: &mut Vec<String>) {
    if here == there {
        return;
    }
    if let (Value::Object(ours), Value::Object(theirs)) = (here, there) {
        let added = theirs.keys().filter(|key| !ours.contains_key(*key));
        for key in ours.keys().chain(added) {
            let below = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            let value = |object: &Map<String, Value>| object.get(key).cloned().unwrap_or(Value::Null);
            compare(&below, &value(ours), &value(theirs), found);
        }
        return;
    }
    found.push(match path {
        "data" => "other cells in the table".to_string(),
        "epoch" => format!("another version of `prequential` (code lengths of epoch {there}, not {here})"),
        "arithmetic" => "a processor that rounds differently".to_string(),
        _ => format!("`{path}` is {there}, not {here}"),
    });
}

fn data_sha256(data: &Quantised) -> String {
    let mut hash = ContentHash::default();
    hash.number(data.n_rows());
    (0..data.n_columns()).for_each(|node| add_column(&mut hash, data.column(node)));
    hash.hexadecimal()
}

fn add_column(hash: &mut ContentHash, column: &QuantisedColumn) {
    hash.codes(&column.codes);
    hash.number(column.n_levels);
    hash.number(usize::from(column.rows_used.is_some()));
    hash.codes(column.rows_used.as_deref().unwrap_or_default());
    hash.number(usize::from(column.numbers.is_some()));
    if let Some(numbers) = &column.numbers {
        hash.floats(&numbers.values);
        hash.floats(&[numbers.width]);
    }
    hash.floats(column.raw.as_deref().unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::test_tables;

    fn of_machine(epoch: u32, arithmetic: &str) -> CodeIdentity {
        let data = Quantised::new(&test_tables::labels(20), 4);
        CodeIdentity::of_machine(&data, Map::new(), epoch, arithmetic)
    }

    #[test]
    fn code_lengths_of_machines_that_round_otherwise_are_kept_apart() {
        let (usual, special) = (of_machine(4, ""), of_machine(4, "two roundings"));
        let words = "a processor that rounds differently".to_string();
        assert_eq!(usual.difference(special.text()), Some(words.clone()));
        assert_eq!(special.difference(usual.text()), Some(words));
        // Unchanged in the default case.
        assert!(!usual.text().contains("arithmetic"));
    }

    #[test]
    fn code_lengths_of_another_version_are_told_apart() {
        let words = "another version of `prequential` (code lengths of epoch 5, not 4)".to_string();
        assert_eq!(of_machine(4, "").difference(of_machine(5, "").text()), Some(words));
        assert_eq!(of_machine(4, "").difference(of_machine(4, "").text()), None);
        assert_eq!(
            of_machine(4, "").difference("of an old version"),
            Some("its settings cannot be read".to_string())
        );
    }
}
