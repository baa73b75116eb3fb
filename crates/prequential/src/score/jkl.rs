//! The `.jkl` format of local scores, which GOBNILP and other solvers read and write.
//!
//! The first line has the number of variables. For each there is a line with its name and its number of parent sets, and then a line
//! for each of these: a logarithmic score, larger is better, the number of parents, their names. The score is minus our code length,
//! in nats.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::path::Path;

use super::local_score::{LocalScores, MAX_LOCAL_VARS};
use crate::base::error::{Error, Result};
use crate::base::format::count;
use crate::base::nats::Nats;
use crate::graph::{Family, NodeSet};

impl LocalScores {
    /// Reads a `.jkl` file.
    pub fn read_jkl(path: impl AsRef<Path>) -> Result<LocalScores> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|source| Error::File { action: "read", path: path.to_path_buf(), source })?;
        LocalScores::from_jkl(&text, &path.display().to_string())
    }

    /// Reads the text of a `.jkl` file; `path` is named in messages. Blank lines and lines that begin with `#` are skipped.
    ///
    /// ```
    /// use prequential::scores::LocalScores;
    /// let text = "2\nrain 1\n-10.5 0\nwet 2\n-20 0\n-12.25 1 rain\n";
    /// let scores = LocalScores::from_jkl(text, "garden.jkl")?;
    /// assert_eq!((scores.names.len(), scores.lengths.len()), (2, 3));
    /// assert_eq!(scores.to_jkl()?, "2\nrain 1\n-10.5 0\nwet 2\n-20.0 0\n-12.25 1 rain\n");
    /// # Ok::<(), prequential::Error>(())
    /// ```
    pub fn from_jkl(text: &str, path: &str) -> Result<LocalScores> {
        let mut lines = JklLines { path, lines: text.lines().zip(1..), number: 0 };
        let n_vars = lines.header()?;
        let mut names: Vec<String> = Vec::new();
        let mut sets: Vec<(u64, usize, f64, Vec<&str>)> = Vec::new();
        for child in 0..n_vars {
            let (name, n_sets) = lines.variable(child, n_vars)?;
            for _ in 0..n_sets {
                let (score, parents) = lines.parent_set(name)?;
                sets.push((lines.number, child, score, parents));
            }
            names.push(name.to_string());
        }
        if lines.next().is_some() {
            return Err(lines.wrong(format!("expected nothing after the last of {n_vars} variables")));
        }
        let lengths = lines.resolve(&names, sets)?;
        Ok(LocalScores { names, lengths })
    }

    /// The text of a `.jkl` file, parent sets by size; blanks in names become `_`.
    pub fn to_jkl(&self) -> Result<String> {
        let names = self.jkl_names()?;
        let mut by_child: Vec<Vec<(&NodeSet, Nats)>> = vec![Vec::new(); names.len()];
        self.lengths
            .iter()
            .for_each(|(family, &length)| by_child[family.child].push((&family.parents, length)));
        let mut text = format!("{}\n", names.len());
        for (name, sets) in names.iter().zip(by_child) {
            let _ = writeln!(text, "{name} {}", sets.len());
            for (parents, length) in sets {
                let _ = write!(text, "{:?} {}", 0.0 - length.0, parents.len());
                parents.iter().for_each(|parent| text.extend([" ", &names[parent]]));
                text.push('\n');
            }
        }
        Ok(text)
    }

    fn jkl_names(&self) -> Result<Vec<String>> {
        let names: Vec<String> =
            self.names.iter().map(|name| name.replace(|c: char| c.is_whitespace(), "_")).collect();
        let mut seen: HashMap<&str, &str> = HashMap::new();
        for (name, written) in self.names.iter().zip(&names) {
            if let Some(other) = seen.insert(written, name) {
                return Err(Error::Setting {
                    what: format!(
                        "`{other}` and `{name}` are both written `{written}`: names in .jkl files cannot contain blanks"
                    ).into(),
                    hint: "rename one of the columns, or export as json or csv".into(),
                });
            }
        }
        Ok(names)
    }
}

/// The lines with content, with their numbers.
struct JklLines<'a, I> {
    path: &'a str,
    lines: I,
    /// The number of the last line read, from 1.
    number: u64,
}

impl<'a, I: Iterator<Item = (&'a str, u64)>> JklLines<'a, I> {
    /// The words of the next line.
    fn next(&mut self) -> Option<Vec<&'a str>> {
        for (line, number) in self.lines.by_ref() {
            self.number = number;
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                return Some(line.split_whitespace().collect());
            }
        }
        None
    }

    fn wrong(&self, problem: String) -> Error {
        Error::Format {
            path: self.path.to_string(),
            line: Some(self.number.max(1)),
            problem: problem.into(),
            hint: "a .jkl file has the number of variables, then for each variable `NAME SETS` and that many lines `SCORE PARENTS NAME ..`"
                .into(),
        }
    }

    fn header(&mut self) -> Result<usize> {
        let words = self.next().unwrap_or_default();
        match words[..] {
            [word] => match word.parse() {
                Ok(n_vars) if (1..=MAX_LOCAL_VARS).contains(&n_vars) => Ok(n_vars),
                Ok(0) => Err(self.wrong("there are no variables".to_string())),
                Ok(n_vars) => Err(self.wrong(format!(
                    "there are {} variables, but at most {} can be searched",
                    count(n_vars),
                    count(MAX_LOCAL_VARS)
                ))),
                Err(_) => {
                    Err(self.wrong(format!("expected the number of variables, found `{}`", shown(word))))
                }
            },
            _ => Err(self.wrong(format!("expected the number of variables, found {} words", words.len()))),
        }
    }

    fn variable(&mut self, number: usize, n_vars: usize) -> Result<(&'a str, usize)> {
        let Some(words) = self.next() else {
            return Err(self.wrong(format!("the file ends after {number} of {n_vars} variables")));
        };
        match words[..] {
            [name, n_sets] => match n_sets.parse() {
                Ok(n_sets) => Ok((name, n_sets)),
                Err(_) => Err(self.wrong(format!(
                    "expected the number of parent sets of `{}`, found `{}`",
                    shown(name),
                    shown(n_sets)
                ))),
            },
            _ => Err(self.wrong(format!(
                "expected the name of a variable and its number of parent sets, found {} words",
                words.len()
            ))),
        }
    }

    fn parent_set(&mut self, child: &str) -> Result<(f64, Vec<&'a str>)> {
        let Some(words) = self.next() else {
            return Err(self.wrong(format!("the file ends within the parent sets of `{}`", shown(child))));
        };
        let score: f64 = match words[0].parse() {
            Ok(score) if f64::is_finite(score) => score,
            _ => return Err(self.wrong(format!("expected a finite score, found `{}`", shown(words[0])))),
        };
        let n_parents = words.get(1).and_then(|word| word.parse::<usize>().ok());
        match n_parents {
            Some(n_parents) if n_parents == words.len() - 2 => Ok((score, words[2..].to_vec())),
            Some(n_parents) => {
                Err(self.wrong(format!("expected {n_parents} parents, found {}", words.len() - 2)))
            }
            None => Err(self.wrong("expected the number of parents after the score".to_string())),
        }
    }

    /// The families, once all names are known.
    fn resolve(
        &mut self,
        names: &[String],
        sets: Vec<(u64, usize, f64, Vec<&str>)>,
    ) -> Result<BTreeMap<Family, Nats>> {
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        for (number, name) in names.iter().enumerate() {
            if numbers.insert(name, number).is_some() {
                return Err(self.wrong(format!("two variables are named `{}`", shown(name))));
            }
        }
        let mut lengths = BTreeMap::new();
        for (line, child, score, parents) in sets {
            self.number = line;
            let mut nodes = NodeSet::new();
            for &parent in &parents {
                match numbers.get(parent) {
                    Some(&node) if node == child => {
                        return Err(self.wrong(format!("`{}` is its own parent", shown(parent))));
                    }
                    Some(&node) if nodes.contains(node) => {
                        return Err(self.wrong(format!("`{}` is a parent twice", shown(parent))));
                    }
                    Some(&node) => nodes.insert(node),
                    None => return Err(self.wrong(format!("there is no variable `{}`", shown(parent)))),
                }
            }
            if lengths.insert(Family::new(child, nodes), Nats(0.0 - score)).is_some() {
                return Err(self.wrong(format!("`{}` has these parents twice", shown(&names[child]))));
            }
        }
        Ok(lengths)
    }
}

/// The start of a word, for messages.
fn shown(word: &str) -> String {
    const N_SHOWN: usize = 40;
    let start: String = word.chars().take(N_SHOWN).collect();
    if start.len() < word.len() { start + ".." } else { start }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn problem(text: &str) -> String {
        LocalScores::from_jkl(text, "x.jkl").unwrap_err().to_string()
    }

    #[test]
    fn every_mistake_names_its_line() {
        let messages = [
            ("", "`x.jkl` line 1: expected the number of variables, found 0 words"),
            ("many", "`x.jkl` line 1: expected the number of variables, found `many`"),
            ("0", "`x.jkl` line 1: there are no variables"),
            (
                "99999999999",
                "`x.jkl` line 1: there are 99,999,999,999 variables, but at most 2,000 can be searched",
            ),
            ("2\na 1\n-1 0\n", "`x.jkl` line 3: the file ends after 1 of 2 variables"),
            ("1\na 99999999999\n-1 0\n", "`x.jkl` line 3: the file ends within the parent sets of `a`"),
            (
                "1\na b c\n",
                "`x.jkl` line 2: expected the name of a variable and its number of parent sets, found 3 words",
            ),
            ("1\na -1\n", "`x.jkl` line 2: expected the number of parent sets of `a`, found `-1`"),
            ("1\na 1\nnan 0\n", "`x.jkl` line 3: expected a finite score, found `nan`"),
            ("1\na 1\n-1\n", "`x.jkl` line 3: expected the number of parents after the score"),
            ("1\na 1\n-1 2 b\n", "`x.jkl` line 3: expected 2 parents, found 1"),
            ("1\n# why\n\na 1\n-1 1 b\n", "`x.jkl` line 5: there is no variable `b`"),
            ("1\na 1\n-1 1 a\n", "`x.jkl` line 3: `a` is its own parent"),
            ("2\na 1\n-1 2 b b\nb 0\n", "`x.jkl` line 3: `b` is a parent twice"),
            ("1\na 2\n-1 0\n-2 0\n", "`x.jkl` line 4: `a` has these parents twice"),
            ("2\na 0\na 0\n", "`x.jkl` line 3: two variables are named `a`"),
            ("1\na 1\n-1 0\nb 1\n", "`x.jkl` line 4: expected nothing after the last of 1 variables"),
        ];
        for (text, message) in messages {
            assert_eq!(problem(text), message);
        }
    }

    #[test]
    fn blanks_in_names_are_written_as_underscores_unless_names_clash() {
        let scores = |names: [&str; 2]| LocalScores {
            names: names.map(String::from).to_vec(),
            lengths: BTreeMap::new(),
        };
        assert_eq!(scores(["a b", "c"]).to_jkl().unwrap(), "2\na_b 0\nc 0\n");
        assert_eq!(
            scores(["a b", "a_b"]).to_jkl().unwrap_err().to_string(),
            "`a b` and `a_b` are both written `a_b`: names in .jkl files cannot contain blanks"
        );
    }

    /// Random local scores of up to 6 variables.
    fn local_scores() -> impl Strategy<Value = LocalScores> {
        let entry = (0usize..6, 0u64..64, -1e12f64..1e12);
        (1usize..=6, proptest::collection::vec(entry, 0..40)).prop_map(|(n_vars, entries)| {
            let inside = entries.into_iter().filter(|&(child, _, _)| child < n_vars);
            let lengths = inside.map(|(child, bits, length)| {
                let parents = NodeSet::from_bits(bits & ((1 << n_vars) - 1)).without(child);
                (Family::new(child, parents), Nats(length))
            });
            LocalScores {
                lengths: lengths.collect(),
                names: (0..n_vars).map(|node| format!("v{node}")).collect(),
            }
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(scores in local_scores()) {
            let text = scores.to_jkl().unwrap();
            prop_assert_eq!(LocalScores::from_jkl(&text, "x.jkl").unwrap(), scores);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "([0-9a-c. #-]|\n|\\PC){0,80}") {
            let _ = LocalScores::from_jkl(&text, "x.jkl");
        }

        #[test]
        fn any_change_to_a_file_is_read_or_refused(scores in local_scores(), place in any::<prop::sample::Index>(), byte in any::<u8>()) {
            let mut bytes = scores.to_jkl().unwrap().into_bytes();
            let place = place.index(bytes.len());
            bytes[place] = byte;
            if let Ok(read) = LocalScores::from_jkl(&String::from_utf8_lossy(&bytes), "x.jkl") {
                prop_assert!(read.lengths.keys().all(|family| family.child < read.names.len()));
            }
        }
    }
}
