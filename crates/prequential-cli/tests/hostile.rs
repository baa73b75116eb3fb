//! Files, paths and streams that are wrong in every way people meet, through the real command line: each is answered with
//! what happened, where, and the way out, and never with a panic.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A directory with a good table `t.csv` in it, where the command runs.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(TempDir::new().unwrap());
        place.write("t.csv", csv("a,b", |row| format!("{},{}", row % 2, row % 3)));
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_prequential"));
        command.current_dir(&self.0).args(args).stdin(Stdio::null());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// What the user reads when `args` fail, as it stands on standard error.
    fn complaint(&self, args: &[&str]) -> String {
        complaint(self.run(args))
    }

    /// The same for `learn` on a file with this content.
    fn complaint_about(&self, content: impl AsRef<[u8]>) -> String {
        self.write("x.csv", content);
        self.complaint(&["learn", "x.csv"])
    }

    /// The result of `learn` on a file with this content, by counting.
    fn learn(&self, content: impl AsRef<[u8]>) -> Value {
        self.write("x.csv", content);
        let output = self.run(&["learn", "x.csv", "--estimator", "counts", "--format", "json"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

fn complaint(output: Output) -> String {
    let shown = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert_eq!(text(&output.stdout), "");
    for pair in shown.lines().collect::<Vec<_>>().chunks(2) {
        assert!(pair[0].starts_with("error: ") && pair[1].starts_with("hint: "), "{shown}");
    }
    shown
}

/// Says why a test was left out; straight to standard error, for the output of tests that pass is kept back.
#[cfg(unix)]
fn skipped(reason: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "hostile.rs: a test was skipped: {reason}");
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A header and 200 rows.
fn csv(header: &str, row: impl Fn(usize) -> String) -> String {
    let rows: String = (0..200).map(|number| row(number) + "\n").collect();
    format!("{header}\n{rows}")
}

fn noise(row: usize) -> f64 {
    (row as f64).sin()
}

#[test]
fn numbers_that_are_not_finite() {
    let place = Place::new();
    for cell in ["inf", "-inf", "Infinity", "1e400", "-1e400"] {
        let table = csv("x,y", |row| {
            let x = if row == 7 { cell.to_string() } else { noise(row).to_string() };
            format!("{x},{}", row % 2)
        });
        let expected = format!(
            "error: `x.csv` line 9, column `x`: expected a finite number, found `{cell}`\nhint: replace it, or declare it as \
             missing with `--missing {cell}`; code lengths need finite numbers\n"
        );
        assert_eq!(place.complaint_about(table), expected);
        // The way out works, though the value starts with a hyphen.
        let mended = place.run(&["learn", "x.csv", "--estimator", "counts", "--missing", cell, "--quiet"]);
        assert_eq!(mended.status.code(), Some(0), "{}", text(&mended.stderr));
    }
    let nan = csv("x,y", |row| format!("{},{}", if row == 7 { f64::NAN } else { noise(row) }, row % 2));
    assert_eq!(place.learn(nan)["data"]["variables"][0]["missing"], 1);
}

#[test]
fn integers_beyond_64_bits() {
    let place = Place::new();
    for cell in ["18446744073709551616", "-9223372036854775809"] {
        let number = |row: usize| if row == 7 { cell.to_string() } else { (row * row % 1009).to_string() };
        let result = place.learn(csv("x,y", |row| format!("{},{}", number(row), row % 2)));
        assert_eq!(result["data"]["variables"][0]["kind"], "continuous");
        // As labels they keep every digit.
        let last = |row: usize| cell[..cell.len() - 1].to_string() + &(row % 3).to_string();
        let result = place.learn(csv("x,y", |row| format!("{},{}", last(row), row % 2)));
        assert_eq!(result["data"]["variables"][0]["bins"], 3);
    }
}

#[test]
fn marks_and_line_ends_of_all_systems() {
    let place = Place::new();
    let plain = csv("a,b", |row| format!("{},{}", row % 2, row % 3));
    let mixed: String =
        plain.lines().enumerate().map(|(i, line)| line.to_string() + ["\n", "\r\n", "\r"][i % 3]).collect();
    let semicolons = plain.replace(',', ";");
    let expected = place.learn(&plain);
    let others = [
        format!("\u{feff}{plain}"),
        plain.replace('\n', "\r\n"),
        plain.replace('\n', "\r"),
        mixed,
        plain.replace(',', "\t"),
        format!("\u{feff}{semicolons}"),
        plain.trim_end().to_string(),
        format!("\n\n{plain}\n\n"),
    ];
    for other in others {
        let result = place.learn(&other);
        assert_eq!(
            (&result["dag"], &result["data"]["rows"]),
            (&expected["dag"], &expected["data"]["rows"]),
            "{other:.20}"
        );
    }
}

#[test]
fn encodings_that_are_not_utf_8() {
    let place = Place::new();
    let table = csv("größe,b", |row| format!("{},{}", row % 2, ["é", "x"][row % 2]));
    let latin: Vec<u8> = table.chars().map(|c| u8::try_from(c).unwrap()).collect();
    let wide: Vec<u8> = table.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let shown = place.complaint_about(latin);
    assert!(shown.starts_with("error: `x.csv` line 1, name of column 1: the text is not UTF-8\n"), "{shown}");
    assert!(shown.contains("iconv --from-code latin1"), "{shown}");
    let shown = place.complaint_about([&[0xff, 0xfe], wide.as_slice()].concat());
    assert!(shown.contains("iconv --from-code UTF-16 "), "{shown}");
    place.write("rules.toml", b"require = ['a -> b\xe9']");
    assert_eq!(
        place.complaint(&["learn", "t.csv", "--knowledge", "rules.toml"]),
        "error: `rules.toml` line 1: not UTF-8 text\nhint: save the file as UTF-8\n"
    );
}

#[test]
fn zero_bytes_and_binary_files() {
    let place = Place::new();
    let shown = place.complaint_about(csv("a,b", |row| format!("{}\0,{}", row % 2, row % 3)));
    assert_eq!(
        shown,
        "error: `x.csv` line 2, column `a`: a zero byte, which no text has (and 199 more such cells)\n\
         hint: write the file again; or leave the column out with `--ignore a`\n"
    );
    let spreadsheet = place.complaint_about(b"PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0");
    assert_eq!(
        spreadsheet,
        "error: `x.csv`: this is no table but a zip archive or a spreadsheet (.xlsx, .ods)\n\
         hint: open it in a spreadsheet program and save the sheet as CSV (UTF-8)\n"
    );
    let all: Vec<u8> = (0..=255).cycle().take(5000).collect();
    place.complaint_about(all);
}

#[test]
fn ten_thousand_columns_are_answered_before_any_work() {
    let place = Place::new();
    let header: Vec<String> = (0..10_000).map(|column| format!("c{column}")).collect();
    let row = |row: usize| {
        let cells: Vec<&str> =
            (0..10_000).map(|column| if row * column % 3 == 1 { "1" } else { "0" }).collect();
        cells.join(",") + "\n"
    };
    let table = format!("{}\n{}", header.join(","), (0..100).map(row).collect::<String>());
    assert_eq!(
        place.complaint_about(table),
        "error: scoring over 10000 variables needs 25 GiB (44,438,890 families of at most 1 parent), above the limit of 8 GiB\n\
         hint: keep fewer columns with `--columns`, or raise `--memory-limit`\n"
    );
    let some = place.run(&["learn", "x.csv", "--columns", "c1,c2,c3", "--quiet"]);
    assert_eq!(some.status.code(), Some(0), "{}", text(&some.stderr));
    let unknown = place.complaint(&["learn", "x.csv", "--ignore", "patient"]);
    assert!(unknown.ends_with(", c18, c19 and 9,980 more\n"), "{unknown}");
    let identifiers = format!(
        "{}\n{}",
        header.join(","),
        (0..20).map(|row| vec![format!("p{row}"); 10_000].join(",") + "\n").collect::<String>()
    );
    let shown = place.complaint_about(identifiers);
    assert_eq!(shown.lines().count(), 42);
    assert!(shown.contains("error: 9980 more columns have such problems\n"), "{shown}");
}

#[test]
fn tables_with_hardly_anything_in_them() {
    let place = Place::new();
    let nothing = "error: `x.csv`: there is nothing in it\n\
                   hint: expected a line with the names of the columns, and a line for each row\n";
    assert_eq!(place.complaint_about(""), nothing);
    assert_eq!(place.complaint_about("\n\r\n\n"), nothing);
    let no_rows = "error: `x.csv` has 0 rows, expected at least 10\nhint: add rows; a graph takes hundreds of them to learn\n";
    assert_eq!(place.complaint_about("a,b\n"), no_rows);
    assert_eq!(place.complaint_about("a,b"), no_rows);
    assert!(
        place
            .complaint_about(csv("a", |row| (row % 2).to_string()))
            .contains("has 1 variable, expected at least 2")
    );
    let shown = place.complaint_about(csv("a,b", |_| "NA,".to_string()));
    assert_eq!(shown.matches("every cell is missing").count(), 2, "{shown}");
    let constant = place.learn(csv("a,b", |_| "1,x".to_string()));
    assert_eq!(constant["dag"]["edges"].as_array().unwrap().len(), 0);
    assert_eq!(constant["data"]["warnings"].as_array().unwrap().len(), 2);
}

#[test]
fn headers_and_rows_that_do_not_fit() {
    let place = Place::new();
    let shown = place.complaint_about(csv("a,,a", |row| format!("{},{},1", row % 2, row % 3)));
    assert!(shown.contains("`x.csv`: column 2 has no name\n"), "{shown}");
    assert!(shown.contains("`x.csv`: 2 columns are called `a` (columns 1, 3)\n"), "{shown}");
    let ragged = csv("a,b", |row| format!("{},{}{}", row % 2, row % 3, if row == 5 { ",9" } else { "" }));
    assert!(
        place
            .complaint_about(ragged)
            .starts_with("error: `x.csv` line 7: found 3 cells, expected 2 as in the header\n")
    );
    let open = csv("a,b", |row| format!("{},{}", row % 2, if row == 5 { "\"x" } else { "y" }));
    assert!(
        place
            .complaint_about(open)
            .starts_with("error: `x.csv` line 7: a double quote is opened but never closed\n")
    );
    let long = csv("a,b", |row| {
        format!("{},{}", row % 2, if row == 5 { "x".repeat(5_000_000) } else { "y".into() })
    });
    assert_eq!(place.learn(long)["data"]["variables"][1]["bins"], 2);
}

#[test]
fn numbers_as_other_programs_write_them() {
    let place = Place::new();
    let hint = |table: String| place.complaint_about(table).lines().nth(1).unwrap().to_string();
    let comma = csv("x;y", |row| format!("{};{}", noise(row).to_string().replace('.', ","), row % 2));
    assert_eq!(hint(comma), "hint: write decimals with a point: `0.5` instead of `0,5`");
    let thousands = csv("x,y", |row| format!("\"{},{:03}\",{}", 1 + row / 9, row * 37 % 1000, row % 2));
    assert_eq!(hint(thousands), "hint: write plain numbers: `1000` instead of `1,000`");
    let dates = csv("day,y", |row| format!("2024-{:02}-{:02},{}", 1 + row % 12, 1 + row % 28, row % 2));
    assert_eq!(
        hint(dates),
        "hint: turn dates into numbers, such as days or years, or leave the column out with `--ignore day`"
    );
    let towns: String = (0..20_000).map(|row| format!("town {},{}\n", row % 9_000, row % 2)).collect();
    assert_eq!(
        place.complaint_about(format!("town,y\n{towns}")),
        "error: `x.csv`, column `town`: 9,000 different labels in 20,000 rows, above the limit of 2,000\n\
         hint: leave it out with `--ignore town`, join rare labels, or keep it with `--labels town`\n"
    );
}

#[test]
fn names_stay_text_in_every_output() {
    let place = Place::new();
    let names = [
        "<script>alert(1)</script>",
        "say \"hi\"",
        "two\nlines",
        "🦀 \u{202e}txt",
        "bell\u{7}\u{1b}[2J",
        "a & b; c,d",
    ];
    let header: Vec<String> = names.iter().map(|name| format!("\"{}\"", name.replace('"', "\"\""))).collect();
    let row =
        |row: usize| (0..6).map(|column| ((row >> column) % 2).to_string()).collect::<Vec<_>>().join(",");
    place.write("x.csv", csv(&header.join(","), row));
    let shown = place.run(&["learn", "x.csv", "--out", "out", "--graph", "g.graphml", "--quiet"]);
    assert_eq!(shown.status.code(), Some(0), "{}", text(&shown.stderr));
    let shown = text(&shown.stdout);
    assert!(shown.contains("<script>alert(1)</script>") && shown.contains(r"two\nlines"), "{shown}");
    assert!(!shown.contains(['\u{7}', '\u{1b}', '\u{202e}']), "{shown}");
    let file = |name: &str| std::fs::read_to_string(place.path(name)).unwrap();
    let json: Value = serde_json::from_str(&file("out/result.json")).unwrap();
    let variables = json["data"]["variables"].as_array().unwrap().iter().map(|v| v["name"].as_str().unwrap());
    assert_eq!(variables.collect::<Vec<_>>(), names);
    for name in ["out/graph.svg", "g.graphml"] {
        assert!(!file(name).contains("<script") && file(name).contains("&lt;script&gt;"), "{name}");
    }
    // What was written can be read again: all views agree.
    for other in ["out/graph.dot", "out/result.json"] {
        let same = place.run(&["compare", other, "out/result.json"]);
        assert!(text(&same.stdout).starts_with("The same graph\n"), "{other}: {}", text(&same.stderr));
    }
}

/// The options proposed for odd names do what they say when they are pasted into a shell.
#[cfg(unix)]
#[test]
fn hints_can_be_pasted_into_a_shell() {
    let place = Place::new();
    for name in ["it's", "a, b", "$HOME `x`", "say \"hi\"", "-x", "größe;*", "two\nlines", "bell\u{7}"] {
        let header = format!("\"{}\",b,c", name.replace('"', "\"\""));
        let shown = place.complaint_about(csv(&header, |row| format!(",{},{}", row % 2, row % 3)));
        let ignore = shown.lines().nth(1).unwrap().split_once("`--ignore ").unwrap().1;
        let ignore = ignore.strip_suffix('`').unwrap();
        let line = format!("'{}' learn x.csv --quiet --ignore {ignore}", env!("CARGO_BIN_EXE_prequential"));
        let output = Command::new("bash").arg("-c").arg(&line).current_dir(&place.0).output();
        let Ok(output) = output else { return skipped("there is no bash here") };
        assert_eq!(output.status.code(), Some(0), "{line}: {}", text(&output.stderr));
    }
}

#[test]
fn paths_that_cannot_be_read() {
    let place = Place::new();
    assert_eq!(
        place.complaint(&["learn", "."]),
        "error: cannot read `.`: Is a directory (os error 21)\nhint: name a file in this directory\n"
    );
    for option in ["--truth", "--knowledge", "--intervention-mask"] {
        let shown = place.complaint(&["learn", "t.csv", option, "no.json"]);
        assert!(shown.starts_with("error: cannot read `no.json`: No such file or directory"), "{shown}");
    }
    place.write("cut.csv.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x4b\xd4\x49");
    assert_eq!(
        place.complaint(&["learn", "cut.csv.gz"]),
        "error: `cut.csv.gz`: the gzip data are damaged (incomplete deflate stream)\n\
         hint: test it with `gzip --test`, and copy or pack it again\n"
    );
}

#[test]
fn paths_that_cannot_be_written_are_found_before_the_table_is_read() {
    let place = Place::new();
    place.write("file", "");
    let learn = |option: &str, path: &str| place.complaint(&["learn", "no-such-table.csv", option, path]);
    assert_eq!(
        learn("--out", "file"),
        "error: cannot create `file`: File exists (os error 17)\nhint: a file has this name; choose another name for the directory\n"
    );
    assert_eq!(
        learn("--out", "file/deep"),
        "error: cannot create `file/deep`: Not a directory (os error 20)\n\
         hint: a part of the path is a file, not a directory; choose another path\n"
    );
    assert_eq!(
        learn("--graph", "no/g.dot"),
        "error: cannot write `no/g.dot`: No such file or directory (os error 2)\n\
         hint: make the directory first, or check the path; it is taken from the current directory\n"
    );
    assert_eq!(
        learn("--graph", "."),
        "error: cannot write `.`: is a directory\nhint: name a file, not a directory\n"
    );
    let long = format!("{}.dot", "x".repeat(300));
    assert!(learn("--graph", &long).ends_with("hint: choose a shorter name\n"));
}

#[test]
fn what_a_command_needs_is_not_overwritten() {
    let place = Place::new();
    place.run(&["score", "t.csv", "--store", "s.db", "--quiet"]);
    place.run(&["store", "export", "s.db", "--format", "jkl", "--out", "s.jkl"]);
    place.run(&["learn", "t.csv", "--out", "out", "--quiet"]);
    let lines: [&[&str]; 8] = [
        &["learn", "t.csv", "--graph", "./t.csv"],
        &["learn", "t.csv", "--store", "new.csv", "--graph", "new.csv"],
        &["score", "t.csv", "--curves", "out/../t.csv"],
        &["score", "t.csv", "--store", "s.db", "--curves", "s.db"],
        &["store", "export", "s.db", "--out", "s.db"],
        &["search", "s.jkl", "--graph", "s.jkl"],
        &["report", "out/result.json", "--out", "out/result.json"],
        &["simulate", "asia", "--out", "new.csv", "--truth", "new.csv"],
    ];
    let files = ["t.csv", "s.db", "s.jkl", "out/result.json"].map(|name| place.path(name));
    let before = files.clone().map(|file| std::fs::read(file).unwrap());
    for line in lines {
        let shown = place.complaint(line);
        assert!(shown.contains("would be overwritten, but this command needs it\n"), "{line:?}: {shown}");
    }
    assert!(files.map(|file| std::fs::read(file).unwrap()) == before && !place.path("new.csv").exists());
}

#[cfg(unix)]
#[test]
fn a_new_file_has_the_rights_of_the_old_one() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.write("g.dot", "");
    std::fs::set_permissions(place.path("g.dot"), std::fs::Permissions::from_mode(0o600)).unwrap();
    place.run(&["learn", "t.csv", "--quiet", "--graph", "g.dot"]);
    let written = std::fs::metadata(place.path("g.dot")).unwrap();
    assert_eq!((written.permissions().mode() & 0o777, written.len() > 0), (0o600, true));
}

#[cfg(unix)]
#[test]
fn pipes_are_written_to_and_links_followed() {
    use std::os::unix::fs::FileTypeExt;
    let place = Place::new();
    let made = Command::new("mkfifo").arg(place.path("pipe.dot")).status();
    if !made.is_ok_and(|status| status.success()) {
        return skipped("there is no mkfifo here");
    }
    let pipe = place.path("pipe.dot");
    let reader = std::thread::spawn(move || std::fs::read_to_string(pipe).unwrap());
    let learn = |graph: &str| {
        let output = place.run(&["learn", "t.csv", "--quiet", "--graph", graph]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    };
    learn("pipe.dot");
    assert!(std::fs::metadata(place.path("pipe.dot")).unwrap().file_type().is_fifo());
    let read = reader.join().unwrap();
    assert!(read.starts_with("digraph"), "{read}");
    std::os::unix::fs::symlink("real.dot", place.path("link.dot")).unwrap();
    for old in ["", "old"] {
        // At first it leads nowhere.
        if !old.is_empty() {
            place.write("real.dot", old);
        }
        learn("link.dot");
        assert_eq!(std::fs::read_to_string(place.path("real.dot")).unwrap(), read);
        assert!(std::fs::symlink_metadata(place.path("link.dot")).unwrap().is_symlink());
    }
}

/// Runs the command as a user who may do only what is allowed, if we may do everything; `None` if that is not possible.
#[cfg(unix)]
fn run_without_privileges(place: &Place, args: &[&str]) -> Option<Output> {
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65_534;
    if std::fs::write(place.path("locked/probe"), "").is_err() {
        return Some(place.run(args));
    }
    // Others may not be able to reach the command where it was built.
    std::fs::copy(env!("CARGO_BIN_EXE_prequential"), place.path("prequential")).ok()?;
    let mut command = Command::new(place.path("prequential"));
    command.current_dir(&place.0).args(args).stdin(Stdio::null()).uid(NOBODY).gid(NOBODY).output().ok()
}

#[cfg(unix)]
#[test]
fn what_there_is_no_right_to_write_or_to_read() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    std::fs::create_dir(place.path("locked")).unwrap();
    place.write("secret.csv", "a,b\n");
    let store = "locked/a #%store?.db";
    place.run(&["score", "t.csv", "--store", store, "--quiet"]);
    for (name, mode) in [(".", 0o755), ("locked", 0o555), ("secret.csv", 0o000)] {
        std::fs::set_permissions(place.path(name), std::fs::Permissions::from_mode(mode)).unwrap();
    }
    let run = |args: &[&str]| run_without_privileges(&place, &[&["learn"], args].concat()).map(complaint);
    for path in ["locked", "locked/deep"] {
        let Some(shown) = run(&["t.csv", "--out", path]) else {
            return skipped("this user may write everywhere and cannot become another");
        };
        assert!(
            shown.contains("Permission denied") && shown.contains("choose a directory that you may write to"),
            "{shown}"
        );
    }
    let shown = run(&["t.csv", "--store", "locked/s.db"]).unwrap();
    assert!(shown.starts_with("error: store `locked/s.db`: it cannot be opened\n"), "{shown}");
    let shown = run(&["t.csv", "--store", "secret.csv"]).unwrap();
    assert!(shown.ends_with("and that the file can be read\n"), "{shown}");
    // A store there can be read.
    let shown = run_without_privileges(&place, &["store", "info", store]).unwrap();
    assert!(
        text(&shown.stdout).contains("code lengths of t.csv: 200 rows, 2 variables"),
        "{}",
        text(&shown.stderr)
    );
    let shown = run_without_privileges(&place, &["search", store]).unwrap();
    assert!(text(&shown.stdout).contains("Best graph"), "{}", text(&shown.stderr));
    let shown = run(&["t.csv", "--store", store]).unwrap();
    assert!(shown.contains(": it cannot be written\n"), "{shown}");
    let shown = run(&["secret.csv"]).unwrap();
    assert!(shown.starts_with("error: cannot read `secret.csv`: Permission denied"), "{shown}");
}

/// A small file system of its own, if we may mount one.
#[cfg(target_os = "linux")]
struct SmallDisk(PathBuf);

#[cfg(target_os = "linux")]
impl SmallDisk {
    fn mount(path: &Path) -> Option<SmallDisk> {
        std::fs::create_dir(path).unwrap();
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", "size=4k", "tmpfs"]).arg(path).output().ok()?;
        mounted.status.success().then(|| SmallDisk(path.to_path_buf()))
    }
}

#[cfg(target_os = "linux")]
impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).output();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    let place = Place::new();
    let Some(disk) = SmallDisk::mount(&place.path("small")) else {
        return skipped("a file system cannot be mounted here");
    };
    std::fs::write(disk.0.join("graph.dot"), "precious").unwrap();
    let shown = complaint(place.run(&["learn", "t.csv", "--out", "small", "--quiet"]));
    assert!(
        shown.starts_with("error: cannot write `small/") && shown.contains("No space left on device"),
        "{shown}"
    );
    assert!(shown.ends_with("hint: make room on the disk, or choose a path on another one\n"), "{shown}");
    // What was there is untouched, and nothing half written is left.
    let left: Vec<_> = std::fs::read_dir(&disk.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["graph.dot"]);
    assert_eq!(std::fs::read_to_string(disk.0.join("graph.dot")).unwrap(), "precious");
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_that_takes_nothing() {
    let place = Place::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = place.command(&["learn", "t.csv", "--quiet"]).stdout(full).output().unwrap();
    assert_eq!(
        complaint(output),
        "error: cannot write standard output: No space left on device (os error 28)\n\
         hint: make room on the disk, or choose a path on another one\n"
    );
}

#[test]
fn a_reader_who_has_seen_enough_is_no_error() {
    let place = Place::new();
    let mut child =
        place.command(&["simulate", "asia"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}

#[cfg(unix)]
#[test]
fn standard_input_that_gives_nothing() {
    let place = Place::new();
    let nothing = "error: standard input: there is nothing in it\n\
                   hint: expected a line with the names of the columns, and a line for each row\n";
    assert_eq!(place.complaint(&["learn", "-"]), nothing);
    let line = format!("'{}' learn - <&-", env!("CARGO_BIN_EXE_prequential"));
    let closed = Command::new("sh").arg("-c").arg(line).current_dir(&place.0).output().unwrap();
    assert_eq!(complaint(closed), nothing);
}

#[test]
fn graph_and_knowledge_files_of_other_kinds() {
    let place = Place::new();
    place.write("table.json", "{\"rows\": 3}");
    place.write("sheet.csv", b"PK\x03\x04\xff\xfe");
    place.write("wide.json", b"\xff\xfe[\0]\0");
    place.write("rules.toml", "require = ['a -> b'\n");
    place.write("typo.toml", "requires = ['a -> b']\n");
    place.write("edge.toml", "\n\nforbid = [\"a to \\u001b[2J\"]\n");
    let shown = |option: &str, file: &str| place.complaint(&["learn", "t.csv", option, file]);
    assert_eq!(
        shown("--truth", "wide.json"),
        "error: `wide.json` line 1: UTF-16 text, not UTF-8\nhint: save the file as UTF-8\n"
    );
    assert_eq!(
        shown("--truth", "sheet.csv"),
        "error: `sheet.csv` line 1: not UTF-8 text\nhint: save the file as UTF-8\n"
    );
    assert!(
        shown("--truth", "table.json")
            .starts_with("error: `table.json`: neither `edges` nor `dag` in this object\n")
    );
    assert!(shown("--knowledge", "rules.toml").starts_with("error: `rules.toml` line "));
    assert!(
        shown("--knowledge", "typo.toml").starts_with("error: `typo.toml` line 1: unknown field `requires`")
    );
    assert!(shown("--knowledge", "edge.toml").starts_with(
        "error: `edge.toml` line 3: expected an edge such as `A -> B`, found `a to \\u{1b}[2J`\n"
    ));
}
