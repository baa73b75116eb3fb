//! Two graphs side by side, for a reader.

use std::fmt::Write;

use super::super::comparison::ComparedGraphs;
use crate::base::format::visible_names;
use crate::graph::{ancestor_aid, compare};

impl ComparedGraphs<'_> {
    /// All distances, and the edges by what became of them; ends with a line break.
    pub fn to_text(&self) -> String {
        let distances = compare(self.graph, self.truth);
        let verdict = match (distances.exact, distances.equivalent) {
            (true, _) => "The same graph\n",
            (_, true) => "Different graphs of one equivalence class\n",
            _ => "Different graphs of different equivalence classes\n",
        };
        let adjustment = ancestor_aid(self.truth, self.graph);
        let distances = [
            ("SHD", distances.shd, "pairs whose edge differs; a reversal counts once"),
            ("SHD of classes", distances.shd_cpdag, "the same between the equivalence classes"),
            ("SID", distances.sid, "effects that the first graph's parents get wrong if the second is true"),
            ("ancestor adjustment", adjustment, "the same, with ancestors to adjust for"),
        ];
        let mut text = verdict.to_string();
        for (name, value, what) in distances {
            let _ = writeln!(text, "  {name:<20} {value:>4}  {what}");
        }
        text + &self.edges_text()
    }

    fn edges_text(&self) -> String {
        let (names, edges) = (visible_names(self.names), self.edges());
        let lists = [
            ("common", &edges.common),
            ("reversed", &edges.reversed),
            ("only in the first", &edges.extra),
            ("only in the second", &edges.absent),
        ];
        let mut text = String::new();
        for (what, list) in lists {
            let shown: Vec<String> =
                list.iter().map(|&(from, to)| format!("{} -> {}", names[from], names[to])).collect();
            let shown = if shown.is_empty() { "none".to_string() } else { shown.join(", ") };
            let _ = writeln!(text, "  {what:<20} {:>4}  {shown}", list.len());
        }
        text
    }
}
