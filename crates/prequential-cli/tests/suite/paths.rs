//! Paths, rights, disks and streams that are wrong or unusual, through the real command line: nothing is lost, and each failure says
//! what happened and the way out.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::place::{Place, complaint, skipped, text};

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
         hint: test it with `gzip --test`, and copy or compress it again\n"
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
         hint: create the directory first, or check the path; it is relative to the current directory\n"
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
    assert!(Command::new("mkfifo").arg(place.path("pipe.dot")).status().unwrap().success());
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

/// Runs the command as a user who may do only what is allowed, if we may do everything.
#[cfg(unix)]
fn run_without_privileges(place: &Place, args: &[&str]) -> Output {
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65_534;
    if std::fs::write(place.path("locked/probe"), "").is_err() {
        return place.run(args);
    }
    // Others may not be able to reach the command where it was built. By `cp`: of a file that we wrote ourselves, a program that another
    // test starts just then holds a copy open for writing, and it cannot be run.
    let copy = place.path("prequential");
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_prequential")).arg(&copy).status().unwrap();
    assert!(copied.success());
    let mut command = Command::new(copy);
    command.current_dir(&place.0).args(args).stdin(Stdio::null()).uid(NOBODY).gid(NOBODY).output().unwrap()
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
    let run = |args: &[&str]| complaint(run_without_privileges(&place, &[&["learn"], args].concat()));
    for path in ["locked", "locked/deep"] {
        let shown = run(&["t.csv", "--out", path]);
        assert!(
            shown.contains("Permission denied") && shown.contains("choose a directory that you may write to"),
            "{shown}"
        );
    }
    let shown = run(&["t.csv", "--store", "locked/s.db"]);
    assert!(shown.starts_with("error: store `locked/s.db`: it cannot be opened\n"), "{shown}");
    let shown = run(&["t.csv", "--store", "secret.csv"]);
    assert!(shown.ends_with("and that the file can be read\n"), "{shown}");
    // A store there can be read.
    let shown = run_without_privileges(&place, &["store", "info", store]);
    assert!(
        text(&shown.stdout).contains("code lengths of t.csv: 200 rows, 2 variables"),
        "{}",
        text(&shown.stderr)
    );
    let shown = run_without_privileges(&place, &["search", store]);
    assert!(text(&shown.stdout).contains("Best graph"), "{}", text(&shown.stderr));
    let shown = run(&["t.csv", "--store", store]);
    assert!(shown.contains(": it cannot be written\n"), "{shown}");
    let shown = run(&["secret.csv"]);
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
    let shown = complaint(place.run(&["learn", "t.csv", "--out", "small", "--no-store", "--quiet"]));
    assert!(
        shown.starts_with("error: cannot write `small/") && shown.contains("No space left on device"),
        "{shown}"
    );
    assert!(shown.ends_with("hint: free space on the disk, or choose a path on another one\n"), "{shown}");
    // What was there is untouched, and nothing half written is left.
    let left: Vec<_> = std::fs::read_dir(&disk.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["graph.dot"]);
    assert_eq!(std::fs::read_to_string(disk.0.join("graph.dot")).unwrap(), "precious");
}

/// The message without the right to mount anything: a device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_device() {
    let place = Place::new();
    std::os::unix::fs::symlink("/dev/full", place.path("full.dot")).unwrap();
    let shown = complaint(place.run(&["learn", "t.csv", "--graph", "full.dot", "--quiet"]));
    assert_eq!(
        shown,
        "error: cannot write `full.dot`: No space left on device (os error 28)\n\
         hint: free space on the disk, or choose a path on another one\n"
    );
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
         hint: free space on the disk, or choose a path on another one\n"
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
    let nothing = "error: standard input: the file is empty\n\
                   hint: expected a line with the names of the columns, and a line for each row\n";
    assert_eq!(place.complaint(&["learn", "-"]), nothing);
    let line = format!("'{}' learn - <&-", env!("CARGO_BIN_EXE_prequential"));
    let closed = Command::new("sh").arg("-c").arg(line).current_dir(&place.0).output().unwrap();
    assert_eq!(complaint(closed), nothing);
}
