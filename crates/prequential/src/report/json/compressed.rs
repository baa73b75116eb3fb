//! What a compressed table takes.

use super::super::schema::{self, Document};
use crate::compress::Sizes;

impl Sizes {
    /// Bytes of the file and of its parts, as JSON. Ends with a line break.
    pub fn to_json(&self) -> String {
        Document::new(schema::Compressed {
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
        })
        .to_json()
    }
}
