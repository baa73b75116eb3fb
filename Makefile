# What CI runs is `make ci`; a fresh machine needs a Rust toolchain, Python 3 and make.

.PHONY: help keywords test test-without-features browser-test python-test wheel bench-python docs release-check ci format lint doc deny bench bench-peer bench-models bench-step bench-search bench-compress bench-kernel peers peers-ours wide scale speed roofline regret power calibration reproduce fuzz

help: ## what there is to make
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

# Examples are compiled by `make lint`. Not incremental: from a clean clone that takes a fifth less.
test: export CARGO_INCREMENTAL = 0
test: ## all tests
	cargo test --workspace --quiet --lib --bins --tests
	cargo test --workspace --quiet --doc
	$(MAKE) --no-print-directory test-without-features
	$(MAKE) --no-print-directory browser-test
	$(MAKE) --no-print-directory python-test

.PHONY: test-cost
test-cost: ## CPU seconds of each part of `make test` from a clean clone
	python3 scripts/test_cost.py

# Not optimised: these tests are quick, and another optimised build of the library is not.
test-without-features: ## the library without Parquet, Arrow and the store
	cargo test --package prequential --no-default-features --quiet --config 'profile.dev.package.prequential.opt-level=0' \
	  --test without_features

browser-test: ## the report in headless Chromium, where there is one or it can be installed
	python3 scripts/browser_test.py

# In the profile of the tests above, so that what they have built serves the wheel.
python-test: export CARGO_INCREMENTAL = 0
python-test: ## the Python package, built and installed, with and without pandas and pyarrow
	cargo test --workspace --quiet --lib --bins --tests --no-run
	python3 scripts/python_test.py

wheel: ## the Python package as one wheel for all Pythons from 3.11 on, under target/wheels/release
	python3 scripts/python_test.py wheel

bench-python: ## what the Python package costs besides the library's own work: seconds and memory
	python3 scripts/bench_python.py

keywords: ## the types of Python's keywords, from the library's table of options
	UPDATE_KEYWORDS=1 cargo test --quiet --package prequential-cli --test suite keywords

docs: ## the documentation site, without network, every cell of it run, under target/docs
	python3 scripts/docs.py

release-check: ## everything that a release would upload, made and installed, and nothing uploaded
	python3 scripts/release_check.py

# Tests that are left out where a right or a program is missing fail here instead.
ci: export CI = true
ci: format lint doc deny test ## exactly what CI runs

format: ## check the formatting
	cargo fmt --all --check

lint: ## clippy, with warnings as errors, with and without the file formats
	cargo clippy --workspace --all-targets --quiet -- -D warnings
	cargo clippy --package prequential --no-default-features --quiet -- -D warnings

doc: ## build the documentation, with warnings as errors
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet

deny: ## licences and sources of dependencies, where cargo-deny is installed
	@if cargo deny --version >/dev/null 2>&1; then cargo deny check licenses bans sources; \
	else echo "cargo deny: not installed, licences of dependencies not checked (cargo install cargo-deny)"; fi

bench: ## our benchmarks
	cargo bench --package prequential
	cargo run --release --package prequential --example exact_scale

bench-peer: ## our family scores against pgmpy's, in one run
	python3 scripts/bench_pgmpy.py

bench-search: ## our searches against pgmpy's hill climbing on ALARM, in one run
	python3 scripts/bench_search.py

scale: ## seconds and memory of searches by the number of variables, and of whole runs by columns, rows and cores: tables and pictures
	python3 scripts/scale.py
	python3 scripts/growth.py

bench-compress: ## tables as our code, gzip, xz, zstd and Parquet pack them: bytes
	python3 scripts/bench_compress.py

bench-models: ## our regressions against the recipe in numpy, in one run
	python3 scripts/bench_models.py

bench-step: ## the paper's training step against PyTorch, in one run
	python3 scripts/bench_step.py

speed: ## seconds for the families of 5 and of 11 columns of numbers, on 2 threads
	cargo run --release --package prequential --example speed

roofline: ## what the inner loops reach of what a core of this machine can do
	cargo run --release --package prequential --example roofline

regret: ## nats above the true conditional distributions, by rows and estimator, as tables and a picture
	python3 scripts/regret.py --plot

bench-kernel: ## true parents against none by causal-learn's kernel scores and ours, in one run
	python3 scripts/bench_kernel_scores.py

peers: ## graphs by PC, GES, BOSS, FLOP, LiNGAM, NOTEARS, DAGMA, RESIT, DAG-GNN and ours on the same tables, and the picture
	python3 scripts/bench_peers.py

peers-ours: ## the same for ours alone, after a build: up to 300 CPU s a table
	python3 scripts/bench_peers.py --programs ours ours-fourier --limit 300

wide: ## seconds and errors of wide tables of numbers; `scripts/wide.py` says what else it measures
	python3 scripts/wide.py sizes

power: ## links found and links made up, by strength, rows and kinds of columns, beside Gaussian BIC
	python3 scripts/power.py

calibration: ## whether claims are right as often as they say, on 1,500 tables of five kinds, as a table and a picture
	python3 scripts/calibration.py --plot

reproduce: ## the paper's experiments, as in docs/results.md; what was made before is kept
	python3 scripts/reproduce.py

# Seconds for each target of `make fuzz`; `make fuzz SECONDS=60 TARGETS="graph_dot names"` for a quick look.
SECONDS ?= 600
TARGETS ?=

fuzz: ## every parser against random input, SECONDS=600 for each, where cargo-fuzz is installed
	@if cargo fuzz --version >/dev/null 2>&1; then python3 scripts/fuzz.py --seconds $(SECONDS) $(TARGETS); \
	else echo "cargo fuzz: not installed, nothing was fuzzed (cargo install cargo-fuzz)"; fi
