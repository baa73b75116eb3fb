//! Inside every folder of `src`, modules use one another one way, too: no two of them need each other.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::architecture::{code, group_members, rust_files, source};

/// A file of `src`.
struct Module {
    /// `["search", "ilp", "mod"]` for `search/ilp/mod.rs`.
    place: Vec<String>,
    code: String,
    /// What it defines at its margin.
    items: BTreeSet<String>,
    imports: Vec<Import>,
}

/// A path that a `use` names.
struct Import {
    line: usize,
    path: Vec<String>,
    /// The name that it has from then on; `*` for all of a module.
    name: String,
    is_public: bool,
}

/// All modules, by their paths: `["search", "ilp"]` for `search/ilp/mod.rs`.
struct Modules(BTreeMap<Vec<String>, Module>);

/// In one folder, which modules need which, each with a place where that shows.
type Needs = BTreeMap<String, BTreeMap<String, String>>;

impl Module {
    fn read(root: &Path, file: &Path) -> Module {
        Module::new(place(root, file), &std::fs::read_to_string(file).unwrap())
    }

    fn new(place: Vec<String>, text: &str) -> Module {
        let code = code(text);
        let items = code.lines().filter_map(defined).map(String::from).collect();
        let imports = imports(&code);
        Module { place, code, items, imports }
    }

    /// The path by which others name it.
    fn path(&self) -> Vec<String> {
        let n_folders = self.place.len() - usize::from(self.place.last().unwrap() == "mod");
        self.place[..n_folders].to_vec()
    }

    /// Paths that stand in its code but not in a `use`, with their lines.
    fn paths(&self) -> Vec<(usize, Vec<String>)> {
        let mut found = Vec::new();
        let mut in_use = false;
        for (line, text) in self.code.lines().enumerate() {
            in_use |= is_use(text);
            if !in_use {
                let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
                let words = text.split(|letter: char| !is_word(letter)).filter(|word| word.contains("::"));
                found.extend(words.map(|word| (line + 1, segments(word))));
            }
            in_use &= !text.contains(';');
        }
        found
    }
}

fn place(root: &Path, file: &Path) -> Vec<String> {
    let relative = file.strip_prefix(root).unwrap().with_extension("");
    relative.components().map(|part| part.as_os_str().to_str().unwrap().to_string()).collect()
}

fn segments(path: &str) -> Vec<String> {
    path.split("::").map(str::trim).filter(|part| !part.is_empty()).map(String::from).collect()
}

/// The line without what says who may see it.
fn without_visibility(line: &str) -> &str {
    let line = line.trim_start();
    let Some(rest) = line.strip_prefix("pub") else { return line };
    match rest.strip_prefix('(') {
        Some(rest) => rest.split_once(')').map_or(line, |(_, rest)| rest.trim_start()),
        None => rest.trim_start(),
    }
}

fn is_use(line: &str) -> bool {
    without_visibility(line).starts_with("use ")
}

/// What a line at the margin defines.
fn defined(line: &str) -> Option<&str> {
    if line.starts_with(' ') {
        return None;
    }
    let mut words = without_visibility(line).split_whitespace().peekable();
    while words.next_if(|word| ["async", "unsafe"].contains(word)).is_some() {}
    let kind = words.next()?;
    let kinds = ["fn", "struct", "enum", "trait", "type", "const", "static", "union", "macro_rules!"];
    let name = words.find(|word| *word != "fn").filter(|_| kinds.contains(&kind))?;
    name.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()
}

fn imports(code: &str) -> Vec<Import> {
    let mut found = Vec::new();
    let mut start = 0;
    for (line, text) in code.split_inclusive('\n').enumerate() {
        if is_use(text) {
            let statement = code[start..].split(';').next().unwrap();
            let is_public = statement.trim_start().starts_with("pub");
            let tree = without_visibility(statement).strip_prefix("use ").unwrap();
            let leaf = |(path, name): (Vec<String>, String)| Import { line: line + 1, path, name, is_public };
            found.extend(leaves(&[], tree).into_iter().map(leaf));
        }
        start += text.len();
    }
    found
}

/// The paths of a tree of imports, each with its name.
fn leaves(prefix: &[String], tree: &str) -> Vec<(Vec<String>, String)> {
    let tree = tree.trim();
    if let Some((before, group)) = tree.split_once('{') {
        let prefix = [prefix, &segments(before)].concat();
        return group_members(group).into_iter().flat_map(|member| leaves(&prefix, member)).collect();
    }
    let (path, alias) = tree.split_once(" as ").map_or((tree, None), |(path, alias)| (path, Some(alias)));
    let mut path = [prefix, &segments(path)].concat();
    if path.len() > 1 && path.last().unwrap() == "self" {
        path.pop();
    }
    let name = alias.map_or_else(|| path.last().unwrap().clone(), |alias| alias.trim().to_string());
    vec![(path, name)]
}

impl Modules {
    fn read(root: &Path) -> Modules {
        let files: Vec<PathBuf> =
            rust_files(root).into_iter().filter(|file| *file != root.join("lib.rs")).collect();
        Modules::new(files.iter().map(|file| Module::read(root, file)))
    }

    fn new(all: impl IntoIterator<Item = Module>) -> Modules {
        Modules(all.into_iter().map(|module| (module.path(), module)).collect())
    }

    /// The module that defines what `path` means in module `from`; `None` if it is none of ours, or an ancestor that is only a way.
    fn definer(&self, from: &[String], path: &[String], depth: usize) -> Option<Vec<String>> {
        let (mut at, mut rest) = (from.to_vec(), path);
        let mut is_named = false;
        while let Some(first) = rest.first() {
            match first.as_str() {
                "crate" => at = Vec::new(),
                "super" => {
                    at.pop();
                }
                "self" => {}
                _ => break,
            }
            (rest, is_named) = (&rest[1..], true);
        }
        for (number, segment) in rest.iter().enumerate() {
            let child: Vec<String> = at.iter().chain([segment]).cloned().collect();
            if self.0.contains_key(&child) {
                (at, is_named) = (child, true);
                continue;
            }
            let module = self.0.get(&at);
            if module.is_some_and(|module| module.items.contains(segment)) {
                return (is_named || number > 0).then_some(at);
            }
            let import = |module: &Module| {
                let known = module.imports.iter().find(|import| import.name == *segment);
                known.map(|import| [&import.path[..], &rest[number + 1..]].concat())
            };
            if let Some(path) = module.and_then(import).filter(|path| depth < 9 && path != rest) {
                return self.definer(&at, &path, depth + 1);
            }
            let all =
                module.into_iter().flat_map(|module| &module.imports).filter(|import| import.name == "*");
            for import in all.filter(|_| depth < 9) {
                let path = [&import.path[..import.path.len() - 1], &rest[number..]].concat();
                if let Some(found) = self.definer(&at, &path, depth + 1) {
                    return Some(found);
                }
            }
            // Of the standard library, of another crate, or made by a macro of this module.
            return (is_named && !at.is_empty() && module.is_some()).then_some(at);
        }
        (!from.starts_with(&at)).then_some(at)
    }

    /// What the modules of each folder need of one another.
    fn needs(&self) -> BTreeMap<String, Needs> {
        let mut folders: BTreeMap<String, Needs> = BTreeMap::new();
        for (path, module) in &self.0 {
            let is_way = |import: &&Import| import.is_public && module.place.last().unwrap() == "mod";
            let imports = module.imports.iter().filter(|import| !is_way(import));
            let named = imports.map(|import| (import.line, import.path.clone())).chain(module.paths());
            for (line, named) in named {
                let Some(target) = self.definer(path, &named, 0).and_then(|target| self.0.get(&target))
                else {
                    continue;
                };
                let n_common =
                    module.place.iter().zip(&target.place).take_while(|(one, other)| one == other).count();
                if n_common > 0 && n_common < module.place.len().min(target.place.len()) {
                    let folder = folders.entry(module.place[..n_common].join("/")).or_default();
                    let needed = folder.entry(module.place[n_common].clone()).or_default();
                    let shown = format!("{}.rs:{line}: {}", module.place.join("/"), named.join("::"));
                    needed.entry(target.place[n_common].clone()).or_insert(shown);
                }
            }
        }
        folders
    }
}

/// The shortest way from `from` to `to`.
fn way(needs: &Needs, from: &str, to: &str) -> Option<Vec<String>> {
    let mut ways = vec![vec![from.to_string()]];
    let mut seen = BTreeSet::new();
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            for next in needs.get(way.last().unwrap()).into_iter().flat_map(BTreeMap::keys) {
                let way: Vec<String> = way.iter().chain([next]).cloned().collect();
                if next == to {
                    return Some(way);
                }
                if seen.insert(next.clone()) {
                    longer.push(way);
                }
            }
        }
        ways = longer;
    }
    None
}

/// Of each module that needs itself through others, the shortest such way in words.
fn cycles(needs: &Needs) -> Vec<String> {
    let cycle = |module: &String| {
        let way = way(needs, module, module)?;
        let steps = way.windows(2).map(|step| format!("\n    {} ({})", step[1], needs[&step[0]][&step[1]]));
        Some(format!("{module} needs{}", steps.collect::<String>()))
    };
    needs.keys().filter_map(cycle).collect()
}

#[test]
fn no_two_modules_of_a_folder_need_each_other() {
    let mut report = String::new();
    for (folder, needs) in Modules::read(&source()).needs() {
        let cycles = cycles(&needs);
        if !cycles.is_empty() {
            report += &format!("{folder}: {} modules need themselves\n", cycles.len());
            cycles.iter().for_each(|cycle| report += &format!("  {cycle}\n"));
        }
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn a_cycle_is_found_through_ways_groups_and_folders() {
    let module = |place: &str, text: &str| Module::new(segments(&place.replace('/', "::")), text);
    let modules = Modules::new([
        module("a/mod", "mod b;\nmod c;\nmod d;\npub use b::{B, x as y};\n"),
        module("a/b", "use super::c::C;\npub struct B;\npub(super) const fn x() {}\n"),
        // Through what `a` only hands on, and in the middle of a function.
        module("a/c/mod", "mod e;\npub use e::C;\n"),
        module(
            "a/c/e",
            "pub struct C;\nfn f() { crate::a::y() }\n#[cfg(test)]\nmod tests { use super::super::super::d::D; }\n",
        ),
        module("a/d", "use super::B;\nuse std::fmt;\nfn g() -> Vec<fmt::Error> { Vec::new() }\n"),
    ]);
    let needs = &modules.needs()["a"];
    assert_eq!(
        cycles(needs),
        [
            "b needs\n    c (a/b.rs:1: super::c::C)\n    b (a/c/e.rs:2: crate::a::y)",
            "c needs\n    b (a/c/e.rs:2: crate::a::y)\n    c (a/b.rs:1: super::c::C)",
        ]
    );
    assert_eq!(needs["d"].keys().collect::<Vec<_>>(), ["b"]);
}
