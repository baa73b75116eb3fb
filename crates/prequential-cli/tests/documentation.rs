//! Every command of the README and the guide is run, and prints what they say.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[test]
fn the_readme_and_the_guide_tell_the_truth() {
    // Their commands name files from the top of the repository.
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
    // The guide writes there; with `CARGO_TARGET_DIR` it may not exist yet.
    std::fs::create_dir_all("target").unwrap();
    // The guide begins with a new store, whatever earlier versions have left there.
    let _ = std::fs::remove_file("target/titanic.db");
    // A busy machine would print how far it is.
    let cases = trycmd::TestCases::new();
    cases.env("PREQUENTIAL_PROGRESS", "off").case("README.md").case("docs/guide.md").run();
}
