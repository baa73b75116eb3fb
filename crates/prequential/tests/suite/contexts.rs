//! Contexts: columns that may cause any variable, are never an effect and are not part of the graph.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use prequential::results::ContextEffect;
use prequential::{
    Counts, DocumentOptions, Estimator, Exact, Exhaustive, Family, FamilySelection, Fourier, HillClimb,
    Knowledge, Learned, Linear, Mix, NodeSet, Order, Plan, RowOrder, Search, Settings, Statement, Table,
    Values, Variable, learn,
};
use prequential_simulate::Experiment;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

const ROWS: usize = 600;

fn number(name: &str, values: impl Iterator<Item = f64>) -> Variable {
    Variable { name: name.into(), values: Values::Numbers(values.collect()), intervened: None }
}

fn labels(name: &str, codes: Vec<u32>) -> Variable {
    let levels = (0..=*codes.iter().max().unwrap()).map(|level| format!("level {level}")).collect();
    Variable { name: name.into(), values: Values::Labels { levels, codes }, intervened: None }
}

/// About standard normal.
fn noise(rng: &mut ChaCha8Rng) -> f64 {
    (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0
}

/// `a` and `b` have nothing in common but the site, which stands between them in the table; `c` follows `b`, and the site leaves it alone.
fn sites() -> Table {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let sites: Vec<u32> = (0..ROWS).map(|_| rng.random_range(0..4)).collect();
    let mut shifted = |shifts: [f64; 4]| -> Vec<f64> {
        sites.iter().map(|&site| shifts[site as usize] + noise(&mut rng)).collect()
    };
    let (a, b) = (shifted([0.0, 2.0, -2.0, 4.0]), shifted([1.0, -3.0, 3.0, 0.0]));
    let c: Vec<f64> = b.iter().map(|b| 0.8 * b + 0.5 * noise(&mut rng)).collect();
    let columns = [("a", a), ("b", b), ("c", c)].map(|(name, values)| number(name, values.into_iter()));
    let [a, b, c] = columns;
    Table::new(vec![a, labels("site", sites), b, c]).unwrap()
}

fn of_context(names: &[&str]) -> Knowledge {
    let context = names.iter().map(|&name| Statement { value: name.into(), place: "here".into() }).collect();
    Knowledge { context, ..Knowledge::default() }
}

fn settings(estimator: impl Into<Estimator>, context: &[&str]) -> Settings {
    Settings { estimator: estimator.into(), knowledge: of_context(context), ..Settings::default() }
}

/// Everything but the cost.
fn result(learned: &Learned) -> Value {
    let view = DocumentOptions { families: true, ..DocumentOptions::default() };
    let mut json: Value = serde_json::from_str(&learned.document(&view).to_json()).unwrap();
    json.as_object_mut().unwrap().remove("cost");
    json
}

fn acted_on(learned: &Learned) -> Vec<&str> {
    let acting = learned.contexts.iter().filter(|effect| effect.acts());
    acting.map(|effect| learned.plan.names()[effect.child].as_str()).collect()
}

#[test]
fn what_a_context_shifts_is_no_link_and_the_result_says_what_it_acts_on() {
    let table = sites();
    let without = Settings { estimator: Fourier::default().into(), ..Settings::default() };
    let ignored = Table::new([0, 2, 3].map(|column| table.variables()[column].clone()).to_vec()).unwrap();
    let linked = learn(&ignored, &without).unwrap().answer.dag;
    assert!(linked.has_edge(0, 1) || linked.has_edge(1, 0), "the site links a and b where it is not known");
    let learned = learn(&table, &settings(Fourier::default(), &["site"])).unwrap();
    assert_eq!(learned.plan.names(), ["a", "b", "c"]);
    assert_eq!(learned.plan.context_names(), ["site"]);
    let links: Vec<(usize, usize)> =
        learned.answer.dag.edges().iter().map(|&(from, to)| (from.min(to), from.max(to))).collect();
    assert_eq!(links, [(1, 2)]);
    assert_eq!(acted_on(&learned), ["a", "b"]);
    // A shift by two standard deviations tells almost as much as the site itself: ln 4 a row at most, a good part of it here.
    let gain = |child: usize| learned.contexts[child].gain.0;
    assert!(gain(0) > 300.0 && gain(1) > 300.0 && gain(2) > -20.0, "{:?}", learned.contexts);
    let text = learned.to_text();
    assert!(text.starts_with("table: 600 rows, 3 variables, 1 context; "), "{text}");
    assert!(text.contains("\n  site  context, categorical, 4 levels\n"), "{text}");
    assert!(text.contains("\nContext site acts on 2 of 3 variables; nats saved\n  a  "), "{text}");
    let json = result(&learned);
    assert_eq!(json["data"]["variables"].as_array().unwrap().len(), 3);
    assert_eq!(json["settings"]["context"], serde_json::json!(["site"]));
    assert_eq!(json["context"]["columns"][0]["name"], "site");
    assert_eq!(json["context"]["variables"][1]["variable"], "b");
    assert_eq!(json["context"]["variables"][1]["acts"], true);
    assert_eq!(json["context"]["variables"][1]["saved_nats"], learned.contexts[1].gain.0);
    let page = learned.to_html();
    assert!(page.contains("What the context acts on"));
    assert!(page.contains("is known besides, and acts on"));
}

/// Labels: two variables, a context with a missing cell, another context.
fn label_table() -> Table {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let mut draw = |n: u32| -> Vec<u32> { (0..200).map(|_| rng.random_range(0..n)).collect() };
    let (site, wave, a) = (draw(3), draw(2), draw(3));
    let b = (0..200).map(|row| if row % 4 == 0 { a[row] } else { site[row] }).collect();
    let mut columns = vec![labels("site", site), labels("a", a), labels("wave", wave), labels("b", b)];
    if let Values::Labels { codes, .. } = &mut columns[0].values {
        codes[7] = prequential::tables::MISSING;
    }
    columns[3].intervened = Some((0..200).map(|row| row % 9 == 0).collect());
    Table::new(columns).unwrap()
}

#[test]
fn a_family_s_code_is_the_mixture_of_two_and_the_contexts_count_as_no_parents() {
    let table = label_table();
    let counts = Counts::default();
    let of = |child, parents: &[usize]| Family::new(child, parents.iter().copied().collect());
    let lengths = |context: &[&str], families: &[Family]| -> Vec<f64> {
        let settings = Settings { max_parents: Some(1), ..settings(counts.clone(), context) };
        let plan = Plan::new(&table, &settings).unwrap();
        let scored = plan.score(FamilySelection::Families(families), &()).unwrap();
        let place = |family| scored.scores.families.iter().position(|one| one == family).unwrap();
        families.iter().map(|family| scored.scores.moments[place(family)].mean).collect()
    };
    // Columns of the table: site, a, wave, b; variables with contexts: a, b. The site acts on b; nothing on a, so both contexts might. There
    // are three choices of contexts.
    let plain = lengths(&[], &[of(3, &[1]), of(3, &[0, 1]), of(1, &[]), of(1, &[0, 2])]);
    let mixed = lengths(&["site", "wave"], &[of(1, &[0]), of(0, &[])]);
    let mixture = |without: f64, given: f64| -(0.75 * (-without).exp() + 0.25 * (-given).exp()).ln();
    assert!((mixed[0] - mixture(plain[0], plain[1])).abs() < 1e-9);
    assert!((mixed[1] - mixture(plain[2], plain[3])).abs() < 1e-9);
    // Of two contexts, one acts.
    let learned = learn(&table, &settings(counts, &["site", "wave"])).unwrap();
    let ContextEffect { child, gain, by_column, .. } = &learned.contexts[1];
    assert_eq!((*child, learned.contexts[1].acts()), (1, true));
    assert!(by_column[0].0 > 50.0 && by_column[1].0 < 0.0 && gain.0 > 30.0, "{:?}", learned.contexts);
    assert_eq!(learned.plan.families().len(), 4);
}

#[test]
fn every_search_and_any_number_of_threads_give_the_same_answer() {
    let table = sites();
    let base = settings(Linear::default(), &["site"]);
    let run = |search: Search, threads| {
        learn(&table, &Settings { search, threads: Some(threads), ..base.clone() }).unwrap()
    };
    let exhaustive = run(Exhaustive.into(), 1);
    assert_eq!(result(&exhaustive), result(&run(Exhaustive.into(), 2)));
    for search in [Exact.into(), HillClimb::default().into(), Order::default().into()] {
        let other = run(search, 2);
        assert_eq!(other.answer.dag, exhaustive.answer.dag, "{}", other.plan.search());
        assert_eq!(other.contexts, exhaustive.contexts);
    }
    // As many families as without, and codes that networks may make shorter.
    let mix = learn(&table, &settings(Mix::default(), &["site"])).unwrap();
    assert_eq!(acted_on(&mix), ["a", "b"]);
    assert_eq!(mix.scores.families.len(), exhaustive.scores.families.len());
}

#[test]
fn numbers_are_contexts_too_and_no_code_looks_ahead_in_them() {
    let n_first = 150;
    let table = |later: f64| {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let depth: Vec<f64> = (0..300).map(|_| rng.random_range(-2.0..2.0)).collect();
        let a: Vec<f64> = depth.iter().map(|x| (2.0 * x).sin() + 0.2 * noise(&mut rng)).collect();
        let b: Vec<f64> = depth.iter().map(|x| x * x + 0.2 * noise(&mut rng)).collect();
        // Its location, scale and resolution are known from the start: the later values only change places.
        let mut seen = depth.clone();
        seen[n_first..].sort_by(|x, y| (later * x).total_cmp(&(later * y)));
        Table::new(vec![
            number("depth", seen.into_iter()),
            number("a", a.into_iter()),
            number("b", b.into_iter()),
        ])
        .unwrap()
    };
    let settings = Settings { row_order: RowOrder::Given, ..settings(Fourier::default(), &["depth"]) };
    let losses = |table: &Table| {
        let family = Family::new(1, NodeSet::single(0));
        let curves = Plan::new(table, &settings).unwrap().curves_at(&[family], &[50, 100, n_first]).unwrap();
        curves.cumulative(0).iter().map(|moments| moments.mean.to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(losses(&table(1.0)), losses(&table(-1.0)));
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let depth: Vec<f64> = (0..ROWS).map(|_| rng.random_range(-2.0..2.0)).collect();
    let a: Vec<f64> = depth.iter().map(|x| (2.0 * x).sin() + 0.2 * noise(&mut rng)).collect();
    let b: Vec<f64> = depth.iter().map(|x| x * x + 0.2 * noise(&mut rng)).collect();
    let columns =
        [("depth", depth), ("a", a), ("b", b)].map(|(name, values)| number(name, values.into_iter()));
    let learned = learn(&Table::new(columns.to_vec()).unwrap(), &settings).unwrap();
    assert_eq!((learned.answer.dag.n_edges(), acted_on(&learned)), (0, vec!["a", "b"]));
}

#[test]
fn contexts_that_say_nothing_do_no_harm_beside_one_that_acts() {
    let table = sites();
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut idle = |name: &str| labels(name, (0..ROWS).map(|_| rng.random_range(0..6)).collect());
    let columns = [table.variables().to_vec(), vec![idle("wave"), idle("batch")]].concat();
    let (all, names) = (Table::new(columns).unwrap(), ["wave", "site", "batch"]);
    let one = learn(&table, &settings(Linear::default(), &["site"])).unwrap();
    let several = learn(&all, &settings(Linear::default(), &names)).unwrap();
    assert_eq!(several.answer.dag, one.answer.dag);
    assert_eq!(acted_on(&several), ["a", "b"]);
    for (one, several) in one.contexts.iter().zip(&several.contexts).take(2) {
        assert!((one.gain - several.gain).0.abs() < 1e-6, "the same code: {one:?} {several:?}");
        let [wave, site, batch] = several.by_column[..] else { panic!("three contexts") };
        assert!(site.0 > 300.0 && wave.0 < 0.0 && batch.0 < 0.0, "{several:?}");
    }
}

#[cfg(feature = "store")]
#[test]
fn a_store_keeps_codes_by_their_contexts_and_serves_searches_without_a_table() {
    let directory = tempfile::TempDir::new().unwrap();
    let store = directory.path().join("s.db");
    let table = sites();
    let with =
        |context: &[&str]| Settings { store: Some(store.clone()), ..settings(Linear::default(), context) };
    let first = learn(&table, &with(&["site"])).unwrap();
    let again = learn(&table, &with(&["site"])).unwrap();
    assert_eq!((first.cost.n_reused, again.cost.n_reused), (0, again.cost.n_families));
    assert_eq!(result(&first), result(&again));
    let scores = prequential::scores::LocalScores::read_store(&store, None).unwrap();
    assert_eq!(scores.names, ["a", "b", "c"]);
    let searched = prequential::scores::search_scores(&scores, &Settings::default(), &()).unwrap();
    assert_eq!(searched.answer.dag, first.answer.dag);
    assert_eq!(learn(&table, &with(&[])).unwrap().cost.n_reused, 0, "other settings");
    let refused = prequential::scores::search_scores(&scores, &with(&["site"]), &()).unwrap_err();
    assert_eq!(refused.to_string(), "here names a context, but the code lengths of families are given");
}

#[test]
fn knowledge_files_name_contexts_and_what_makes_no_sense_is_refused() {
    let table = sites();
    let knowledge = |text: &str| Knowledge::from_toml(text, "rules.toml").unwrap();
    let plan = |text: &str| {
        Plan::new(&table, &Settings { knowledge: knowledge(text), ..Settings::default() })
            .map_err(|error| format!("{error}; {}", error.hint()))
    };
    assert_eq!(plan("context = ['site', 'site']\nroots = ['a']").unwrap().context_names(), ["site"]);
    let complaint = |text: &str| plan(text).unwrap_err();
    assert_eq!(
        complaint("context = ['sites']"),
        "`rules.toml` line 1 names `sites`, but there is no such column; did you mean `site`?"
    );
    assert_eq!(
        complaint("context = ['site']\nrequire = ['site -> a']"),
        "`rules.toml` line 1 makes `site` a context, but `rules.toml` line 2 names it as a variable of the graph; \
         a context may cause any variable and is never an effect, so no other knowledge applies to it: name it only once"
    );
    assert_eq!(
        complaint("context = ['site', 'a', 'b']"),
        "`context` leaves 1 of 4 columns, expected at least 2 variables; name fewer columns in `context`"
    );
}

#[test]
fn a_context_that_says_nothing_costs_at_most_ln_2_a_family() {
    let star = Experiment::Star5.simulate(300, 4).unwrap().table;
    let mut columns = star.variables().to_vec();
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    columns.push(labels("batch", (0..300).map(|_| rng.random_range(0..3)).collect()));
    let table = Table::new(columns).unwrap();
    let lengths = |table: &Table, context: &[&str]| {
        let plan = Plan::new(table, &settings(Linear::default(), context)).unwrap();
        plan.score(FamilySelection::All, &()).unwrap().scores.lengths(5)
    };
    use prequential::internals::FamilyLengths;
    let (without, with) = (lengths(&star, &[]), lengths(&table, &["batch"]));
    for child in 0..5 {
        without.for_each(child, &mut |parents, length| {
            let longer = with.code_length(&Family::new(child, parents.clone())).unwrap() - length;
            assert!(longer.0 < std::f64::consts::LN_2 + 1e-9, "{child} {parents:?}: {longer}");
        });
    }
}
