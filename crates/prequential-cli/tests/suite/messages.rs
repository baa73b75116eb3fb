//! Every error message about invalid options, as the user sees it, before any work.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::Path;
use std::process::Command;

/// What each command line says, run at the top of the repository; all fail with `code`.
fn complaints(code: i32, lines: &[&str]) -> String {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let complaint = |line: &&str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_prequential"));
        let output = command.current_dir(&top).args(line.split(' ')).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(code), 0), "{line}: {said}");
        // Usage errors go on with the usage.
        let said: Vec<&str> = said.lines().take(2).filter(|line| !line.is_empty()).collect();
        format!("$ {line}\n{}\n", said.join("\n"))
    };
    lines.iter().map(complaint).collect()
}

#[test]
fn settings_of_any_estimator() {
    let lines = [
        "learn data/star5.csv --alpha 0",
        "learn data/star5.csv --ess 1e9",
        "learn data/star5.csv --estimator counts --bins 1",
        "learn data/star5.csv --estimator counts --bins 65537",
        "learn data/star5.csv --bins 16",
        "learn data/star5.csv --estimator neural --networks 0",
        "learn data/star5.csv --permutations 10001",
        "learn data/asia.csv --search exact --restarts 3",
        "learn data/star5.csv --parent-values raw",
        "learn data/star5.csv --max-configurations 9",
    ];
    insta::assert_snapshot!(complaints(1, &lines), @"
    $ learn data/star5.csv --alpha 0
    error: `--alpha` is 0.0, but must lie between 0.000001 and 1000000
    hint: `--alpha 0.5` is the default; `--alpha 1` gives K2, `--ess 1` gives BDeu
    $ learn data/star5.csv --ess 1e9
    error: `--ess` is 1000000000.0, but must lie between 0.000001 and 1000000
    hint: `--alpha 0.5` is the default; `--alpha 1` gives K2, `--ess 1` gives BDeu
    $ learn data/star5.csv --estimator counts --bins 1
    error: `--bins` is 1, but a column with one bin says nothing
    hint: use `--bins 2` or more
    $ learn data/star5.csv --estimator counts --bins 65537
    error: `--bins` is 65537, but must be at most 65536
    hint: use `--bins 128`
    $ learn data/star5.csv --bins 16
    error: `--bins` has no effect: this estimator codes numbers as they are
    hint: leave it out, or use `--estimator counts`
    $ learn data/star5.csv --estimator neural --networks 0
    error: `--networks` is 0, but must lie between 1 and 10000
    hint: use `--networks 3`
    $ learn data/star5.csv --permutations 10001
    error: `--permutations` is 10001, but must lie between 1 and 10000
    hint: use `--permutations 3`
    $ learn data/asia.csv --search exact --restarts 3
    error: `--restarts` is for searches that start again, but the search is `exact`
    hint: leave it out, or add `--search hill-climb` or `--search order`
    $ learn data/star5.csv --parent-values raw
    error: `--parent-values raw` is for networks trained from scratch, as in the paper
    hint: use `--parent-values quantised`, or `--estimator neural` with `--schedule blockwise`
    $ learn data/star5.csv --max-configurations 9
    error: `--max-configurations` limits tables of counts, but the estimator is `mix`
    hint: leave it out, or add `--estimator counts`; `--max-parents` limits any estimator
    ");
}

#[test]
fn settings_of_networks() {
    let lines = [
        "learn data/star5.csv --estimator counts --hidden 8",
        "learn data/star5.csv --estimator mix --schedule blockwise",
        "learn data/star5.csv --dropout 0.5",
        "learn data/star5.csv --learning-rate 1,2",
        "learn data/star5.csv --learning-rate 0",
        "learn data/star5.csv --batch 0",
        "learn data/star5.csv --hidden 8,0",
        "learn data/star5.csv --preset paper --splits 0",
        "learn data/star5.csv --preset paper --frequencies 99999",
        "learn data/star5.csv --preset paper --frequency-scale 0",
        "learn data/star5.csv --preset paper --dropout 1",
        "learn data/star5.csv --preset paper --validation-share 0.9",
        "learn data/star5.csv --preset paper --learning-rate -1",
    ];
    insta::assert_snapshot!(complaints(1, &lines), @"
    $ learn data/star5.csv --estimator counts --hidden 8
    error: `--hidden` is an option of networks, but the estimator is `counts`
    hint: leave out `--hidden`, or use `--estimator neural` or `--estimator mix`
    $ learn data/star5.csv --estimator mix --schedule blockwise
    error: `--schedule blockwise` does not mix with other estimators
    hint: add `--estimator neural`
    $ learn data/star5.csv --dropout 0.5
    error: `--dropout` is an option of `--schedule blockwise`, but the schedule is `replay`
    hint: add `--schedule blockwise` or `--preset paper`, or leave out `--dropout`
    $ learn data/star5.csv --learning-rate 1,2
    error: `--learning-rate` has 2 values, but `--schedule replay` takes one
    hint: give one, or add `--schedule blockwise`, which chooses among several
    $ learn data/star5.csv --learning-rate 0
    error: `--learning-rate` is 0.0, but must be above 0
    hint: leave it out for the default
    $ learn data/star5.csv --batch 0
    error: `--batch` is 0, but must lie between 1 and 65536
    hint: leave it out for the default
    $ learn data/star5.csv --hidden 8,0
    error: `--hidden` is [8, 0]: a network has at most 20 hidden layers of 1 to 16384 units
    hint: use `--hidden 32,32` for two layers of 32 units
    $ learn data/star5.csv --preset paper --splits 0
    error: `--splits` is 0, but must lie between 1 and 1000
    hint: use `--splits 6`, as in the paper
    $ learn data/star5.csv --preset paper --frequencies 99999
    error: `--frequencies` is 99999, but must be at most 16384
    hint: use `--frequencies 512`, as in the paper
    $ learn data/star5.csv --preset paper --frequency-scale 0
    error: `--frequency-scale` is 0.0, but must be above 0
    hint: use `--frequency-scale 10`, as in the paper
    $ learn data/star5.csv --preset paper --dropout 1
    error: `--dropout` is 1.0, but must be at least 0 and below 1
    hint: use `--dropout 0.5`, as in the paper, or 0 for none
    $ learn data/star5.csv --preset paper --validation-share 0.9
    error: `--validation-share` is 0.9, but must be above 0 and at most 0.5
    hint: use `--validation-share 0.1`
    $ learn data/star5.csv --preset paper --learning-rate -1
    error: `--learning-rate` is -1.0, but must be above 0
    hint: leave it out for the default
    ");
}

#[test]
fn work_that_cannot_be_afforded() {
    let lines = [
        "learn data/asia.csv --search exhaustive",
        "learn data/asia.csv --memory-limit 1KB",
        "learn data/asia.csv --search exact --memory-limit 1KB",
        "score data/asia.csv --memory-limit 1KB",
    ];
    insta::assert_snapshot!(complaints(1, &lines), @"
    $ learn data/asia.csv --search exhaustive
    error: exhaustive search over 8 variables needs over a billion graphs, above the limit of 6 variables (3,781,503 graphs)
    hint: use `--search exact`, which finds the same best graph without visiting every one
    $ learn data/asia.csv --memory-limit 1KB
    error: scoring over 8 variables needs 38 KiB (64 families of at most 1 parent), above the limit of 1000 B
    hint: keep fewer columns with `--columns`, or raise `--memory-limit`
    $ learn data/asia.csv --search exact --memory-limit 1KB
    error: exact search over 8 variables needs at least 4.1 KiB (2 x 2^8 code lengths), above the limit of 1000 B
    hint: use `--search order`, keep at most 5 columns with `--columns`, or raise `--memory-limit`
    $ score data/asia.csv --memory-limit 1KB
    error: scoring over 8 variables needs 608 KiB (1,024 families of at most 7 parents), above the limit of 1000 B
    hint: lower `--max-parents`, keep fewer columns with `--columns`, or raise `--memory-limit`
    ");
}

#[test]
fn edges_and_graphs() {
    let lines = [
        "learn data/asia.csv --require asia",
        "learn data/asia.csv --require asia->asia",
        "learn data/asia.csv --forbid asia->tubb",
        "learn data/asia.csv --require asia->tub --forbid asia->tub",
        "learn data/asia.csv --require asia->tub --require tub->asia",
        "learn data/asia.csv --tiers asia;asia",
        "learn data/asia.csv --graph README",
        "learn data/asia.csv --truth data/star5-graph.json",
        "compare data/asia-graph.json data/star5-graph.json",
    ];
    insta::assert_snapshot!(complaints(1, &lines), @"
    $ learn data/asia.csv --require asia
    error: `--require`: expected an edge such as `A -> B`, found `asia`
    hint: write one edge per item: the cause, `->`, the effect; a name that has `->` in it in double quotes
    $ learn data/asia.csv --require asia->asia
    error: `--require` names an edge from `asia` to itself
    hint: an edge joins two different variables
    $ learn data/asia.csv --forbid asia->tubb
    error: `--forbid` names `tubb`, but there is no such variable
    hint: did you mean `tub`?
    $ learn data/asia.csv --require asia->tub --forbid asia->tub
    error: `--require` requires asia -> tub, but `--forbid` forbids it
    hint: drop one of the two
    $ learn data/asia.csv --require asia->tub --require tub->asia
    error: required edges form a cycle: asia -> tub -> asia
    hint: remove one of them (`--require`)
    $ learn data/asia.csv --tiers asia;asia
    error: `--tiers` names `asia` in two tiers
    hint: keep `asia` in one tier
    $ learn data/asia.csv --graph README
    error: cannot tell from the name `README` how to write the graph
    hint: end the name with .json, .dot, .graphml or .csv
    $ learn data/asia.csv --truth data/star5-graph.json
    error: `data/star5-graph.json` names `A`, but there is no such variable
    hint: the variables are: asia, smoke, tub, lung, bronc, either, xray, dysp
    $ compare data/asia-graph.json data/star5-graph.json
    error: the two graphs have no variable in common
    hint: compare graphs over the same variables, by the same names
    ");
}

#[test]
fn experiments() {
    let lines = [
        "simulate chain3 --set 2",
        "simulate mechanisms --set 21",
        "simulate yu-a --set 0",
        "simulate random-categorical --variables 0",
        "simulate asia --variables 3",
        "simulate asia --rows 0",
        "simulate asia --out asia.parquet",
        "reproduce robustness --estimator counts",
    ];
    insta::assert_snapshot!(complaints(1, &lines), @"
    $ simulate chain3 --set 2
    error: `--set` is 2, but `chain3` has only one data set
    hint: drop `--set`; it chooses among those of `yu-a`, `yu-b` and `mechanisms`
    $ simulate mechanisms --set 21
    error: `--set` is 21, but `mechanisms` has the sets 1 to 20
    hint: use `--set 1` up to `--set 20`
    $ simulate yu-a --set 0
    error: `--set` is 0, but `yu-a` has the sets 1 to 5
    hint: use `--set 1` up to `--set 5`
    $ simulate random-categorical --variables 0
    error: a random network needs at least 2 variables
    hint: use `--variables 5` or more
    $ simulate asia --variables 3
    error: `--variables` is for random graphs, but `asia` has a number of variables of its own
    hint: drop `--variables`, or simulate `shifts` or one of those called `random-...`
    $ simulate asia --rows 0
    error: the table has 0 rows, expected at least 10
    hint: add rows; learning a graph takes hundreds of them
    $ simulate asia --out asia.parquet
    error: `asia.parquet` does not sound like CSV, which is what is written
    hint: end the name with .csv
    $ reproduce robustness --estimator counts
    error: `robustness` varies networks, but the estimator is `counts`
    hint: use `--estimator mix` or `--estimator neural`
    ");
}

#[test]
fn values_that_cannot_be_read_at_all() {
    let lines = [
        "learn data/asia.csv --columns a,,b",
        "learn data/asia.csv --columns \"a",
        "learn data/asia.csv --tiers a;\"b",
        "learn data/asia.csv --memory-limit lots",
        "learn data/asia.csv --memory-limit -1GiB",
        "learn data/asia.csv --seed -1",
        "learn data/asia.csv --top 0",
        "learn data/star5.csv --alpha nan",
        "learn data/star5.csv --learning-rate inf",
        "learn data/star5.csv --repeats 5",
        "learn data/star5.csv --row-orders 5",
        "simulate asia --rows 100000000000000",
        "learn",
    ];
    insta::assert_snapshot!(complaints(2, &lines), @r#"
    $ learn data/asia.csv --columns a,,b
    error: invalid value 'a,,b' for '--columns <A,B,..>': a name between two commas is empty
    $ learn data/asia.csv --columns "a
    error: invalid value '"a' for '--columns <A,B,..>': a double quote is not closed
    $ learn data/asia.csv --tiers a;"b
    error: invalid value 'a;"b' for '--tiers <'A,B;C;D'>': a double quote is not closed
    $ learn data/asia.csv --memory-limit lots
    error: invalid value 'lots' for '--memory-limit <SIZE>': expected a size such as 8GiB or 500MB
    $ learn data/asia.csv --memory-limit -1GiB
    error: unexpected argument '-1' found
    $ learn data/asia.csv --seed -1
    error: unexpected argument '-1' found
    $ learn data/asia.csv --top 0
    error: invalid value '0' for '--top <K>': 0 is not in 1..=1000
    $ learn data/star5.csv --alpha nan
    error: invalid value 'nan' for '--alpha <A>': expected a finite number
    $ learn data/star5.csv --learning-rate inf
    error: invalid value 'inf' for '--learning-rate <X,..>': expected a finite number
    $ learn data/star5.csv --repeats 5
    error: `--repeats` is no option any more: it meant networks or row orders
    hint: use `--networks` for networks per family, or `--permutations` for row orders
    $ learn data/star5.csv --row-orders 5
    error: `--row-orders` is now `--permutations`
    hint: use `--permutations` instead
    $ simulate asia --rows 100000000000000
    error: invalid value '100000000000000' for '--rows <N>': 100000000000000 is not in 0..=10000000
    $ learn
    error: the following required arguments were not provided:
      <DATA>
    "#);
}

#[test]
fn contexts_that_make_no_sense() {
    let lines = [
        "learn data/titanic.csv --context clas",
        "learn data/titanic.csv --context sex --require sex->survived",
        "learn data/titanic.csv --context sex,age,class",
    ];
    insta::assert_snapshot!(complaints(1, &lines), @"
    $ learn data/titanic.csv --context clas
    error: `--context` names `clas`, but there is no such column
    hint: did you mean `class`?
    $ learn data/titanic.csv --context sex --require sex->survived
    error: `--context` makes `sex` a context, but `--require` names it as a variable of the graph
    hint: a context may cause any variable and is never an effect, so no other knowledge applies to it: name it only once
    $ learn data/titanic.csv --context sex,age,class
    error: `--context` leaves 1 of 4 columns, expected at least 2 variables
    hint: name fewer columns in `--context`
    ");
}
