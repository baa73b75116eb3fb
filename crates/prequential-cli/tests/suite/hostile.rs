//! Files that are wrong in every way people meet, through the real command line: each is answered with what happened, where, and the way
//! out, and never with a panic.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use serde_json::Value;

use crate::place::{Place, csv, text};

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
        "error: `x.csv` line 2, column `a`: a zero byte, which text cannot contain (and 199 more such cells)\n\
         hint: write the file again; or leave the column out with `--ignore a`\n"
    );
    let spreadsheet = place.complaint_about(b"PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0");
    assert_eq!(
        spreadsheet,
        "error: `x.csv`: this is not a table but a zip archive or a spreadsheet (.xlsx, .ods)\n\
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
    let nothing = "error: `x.csv`: the file is empty\n\
                   hint: expected a line with the names of the columns, and a line for each row\n";
    assert_eq!(place.complaint_about(""), nothing);
    assert_eq!(place.complaint_about("\n\r\n\n"), nothing);
    let no_rows = "error: `x.csv` has 0 rows, expected at least 10\nhint: add rows; learning a graph takes hundreds of them\n";
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
    assert_eq!(place.learn(comma)["data"]["variables"][0]["kind"], "continuous");
    let thousands = csv("x,y", |row| format!("\"{},{:03}\",{}", 1 + row / 9, row * 37 % 1000, row % 2));
    assert_eq!(hint(thousands), "hint: write plain numbers: `1000` or `1.000` instead of `1,000`");
    let dates = csv("day,y", |row| format!("{:02}.{:02}.2024,{}", 1 + row % 28, 1 + row % 12, row % 2));
    assert_eq!(
        hint(dates),
        "hint: write dates like `2024-02-29`, which are read as days, or leave the column out with `--ignore day`"
    );
    let towns: String = (0..20_000).map(|row| format!("town {},{}\n", row % 9_000, row % 2)).collect();
    assert_eq!(
        place.complaint_about(format!("town,y\n{towns}")),
        "error: `x.csv`, column `town`: 9,000 different labels in 20,000 rows, above the limit of 2,000\n\
         hint: leave it out with `--ignore town`, merge rare labels, or keep it with `--labels town`\n"
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
        let shell = std::process::Command::new("bash").arg("-c").arg(&line).current_dir(&place.0).output();
        let output = shell.expect("bash, whose quotes the hints use");
        assert_eq!(output.status.code(), Some(0), "{line}: {}", text(&output.stderr));
    }
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
