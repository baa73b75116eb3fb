//! What a compressed table takes, as a document.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::document::{Document, DocumentKind, this_version};
use crate::base::format::{count, nats, plural};
use crate::base::nats::Nats;
use crate::compress::Sizes;

/// Bytes of a file and of its parts, beside what was predicted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct CompressedDocument {
    version: String,
    rows: usize,
    /// All, or the first of every run of equal lines.
    coded_rows: usize,
    variables: usize,
    estimator: String,
    table_bytes: usize,
    file_bytes: usize,
    header_bytes: usize,
    /// Of the header, which cells are missing.
    missing_bytes: usize,
    digits_bytes: usize,
    code_bytes: usize,
    /// What the cells cost as a score counts.
    predicted_nats: f64,
    bits_per_row: f64,
}

impl Document for CompressedDocument {
    const KIND: DocumentKind = DocumentKind::Compressed;
}

impl Sizes {
    /// Bytes of the file and of its parts, as JSON. Ends with a line break.
    pub fn to_json(&self) -> String {
        let document = CompressedDocument {
            version: this_version(),
            rows: self.n_rows,
            coded_rows: self.n_coded,
            variables: self.n_vars,
            estimator: self.estimator.clone(),
            table_bytes: self.table,
            file_bytes: self.file,
            header_bytes: self.header,
            missing_bytes: self.missing,
            digits_bytes: self.digits,
            code_bytes: self.code,
            predicted_nats: self.nats,
            bits_per_row: self.bits_per_row(),
        };
        document.write()
    }

    /// Bytes of the file and of its parts, and what was predicted. Ends with a line break.
    pub fn to_text(&self) -> String {
        let predicted = format!("{} nats by {}", nats(Nats(self.nats)), self.estimator);
        let missing = match self.missing {
            0 | 1 => String::new(),
            missing => format!("; which cells are missing, {} of them", plural(missing, "byte")),
        };
        let lines = [
            (
                "header",
                self.header,
                format!("what a score takes for granted, and how the table is written{missing}"),
            ),
            ("digits", self.digits, "of numbers beyond the resolution at which they are scored".to_string()),
            ("code", self.code, format!("the cells: {predicted} are {:.1}", self.predicted_bytes())),
            ("file", self.file, format!("{:.2} bits a row", self.bits_per_row())),
        ];
        let mut text = format!(
            "{}, {}, {}\n",
            plural(self.n_rows, "row"),
            plural(self.n_vars, "variable"),
            plural(self.table, "byte")
        );
        if self.n_coded < self.n_rows {
            let _ = writeln!(
                text,
                "Lines come in {} of equal ones: each is coded once",
                plural(self.n_coded, "run")
            );
        }
        for (what, n_bytes, words) in lines {
            let _ = writeln!(text, "  {what:<6} {:>11}  {words}", count(n_bytes));
        }
        text
    }
}
