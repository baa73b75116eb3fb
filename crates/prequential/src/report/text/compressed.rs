//! What a compressed table takes, for a reader.

use std::fmt::Write;

use crate::base::format::{count, nats, plural};
use crate::base::nats::Nats;
use crate::compress::Sizes;

impl Sizes {
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
