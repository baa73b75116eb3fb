"""The functions that users call."""

from __future__ import annotations

import datetime
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from . import _native, _options, _tables
from ._dispatch import Dispatcher
from ._frames import from_columns
from ._graphs import named_edges
from ._options import (
    BinningName,
    Edges,
    EstimatorName,
    InputsName,
    Names,
    OptimiserName,
    Ordered,
    PresetName,
    RowOrderName,
    ScheduleName,
    ScoringOptions,
    SearchName,
)
from ._results import Comparison, Learned, Scored
from ._run import wait

if TYPE_CHECKING:
    import networkx


class TableWarning(UserWarning):
    """A warning about the table that does not stop the run."""


class PartialWarning(UserWarning):
    """A run was interrupted; its result is partial."""


class Simulated(NamedTuple):
    """A table and its true graph."""

    table: Any
    graph: networkx.DiGraph


def learn(
    data: Any,
    *,
    names: Iterable[str] | None = None,
    columns: Names = (),
    ignore: Names = (),
    labels: Names = (),
    numbers: Names = (),
    ordered: Ordered = (),
    missing: Names = (),
    interventions: str | None = None,
    intervention_mask: Any = None,
    estimator: EstimatorName = "auto",
    preset: PresetName = "default",
    alpha: float | None = None,
    ess: float | None = None,
    bins: int | None = None,
    binning: BinningName | None = None,
    inputs: InputsName | None = None,
    max_parents: int | None = None,
    max_configurations: int | None = None,
    seed: int = 0,
    row_orders: int = 1,
    row_order: RowOrderName = "shuffled",
    threads: int | None = None,
    memory_limit: int | str = "8GiB",
    store: _options.Path | None = None,
    require: Edges = (),
    forbid: Edges = (),
    tiers: Iterable[Names] = (),
    roots: Names = (),
    leaves: Names = (),
    context: Names = (),
    knowledge: _options.Path | None = None,
    search: SearchName = "auto",
    restarts: int | None = None,
    tabu: int | None = None,
    start: Any = None,
    top: int = 10,
    truth: Any = None,
    time_limit: float | str | datetime.timedelta | None = None,
    networks: int | None = None,
    networks_everywhere: bool = False,
    schedule: ScheduleName | None = None,
    hidden: Iterable[int] | None = None,
    optimiser: OptimiserName | None = None,
    learning_rate: float | Iterable[float] | None = None,
    steps: int | None = None,
    batch: int | None = None,
    no_calibration: bool = False,
    splits: int | None = None,
    first_split: int | None = None,
    calibration_rate: float | None = None,
    dropout: float | None = None,
    frequencies: int | None = None,
    frequency_scale: float | None = None,
    patience: int | None = None,
    evaluation_interval: int | None = None,
    validation_share: float | None = None,
    warm_start: bool = False,
    executor: Any = None,
    progress: bool | None = None,
) -> Learned:
    """Learns the causal graph behind a table: the graph under which its rows are predicted with the least total log-loss.

    Ctrl-C interrupts the run; what is known by then is returned, with a warning.

    Parameters
    ----------
    data
        A pandas, polars or pyarrow frame, a duckdb relation, a mapping of names to columns, an array with `names`, or the path of a
        CSV, Parquet or Arrow file. Columns of a categorical type are categorical.
    names
        The names of the columns of an array.
    columns, ignore
        Keep only these columns; leave out these columns.
    labels, numbers
        Read these columns as categorical, even if they hold numbers; as numeric, even if few values differ.
    ordered
        Read these columns of ordered labels as 1, 2, 3; a mapping gives the order, lowest first: `{"stage": ["early", "late"]}`.
    missing
        Further values that mean missing, besides "", NA, NaN and ?.
    interventions
        The column that names the variables set in a row, separated by `;` (default: `intervention`, or `INT` with numbers).
    intervention_mask
        A table of 0 and 1, or its path, that marks the cells that were set by intervention.
    estimator, preset
        What predicts a variable from its parents; the defaults of the other options.
    alpha, ess
        With counts: the initial value of every count, or the equivalent sample size of each family (BDeu). `estimator="counts"` alone starts
        at 0.5, as in the paper; by default, categorical tables are coded by a mixture of several values.
    bins, binning, inputs
        The number of bins of a numeric column, where they lie, and what children see of a numeric parent.
    max_parents, max_configurations
        The largest number of parents of a variable; with counts, the largest number of combinations of their values.
    seed, row_orders, row_order
        The seed of the row order and all random numbers; over how many permutations of the rows code lengths are averaged; whether
        rows are shuffled.
    threads, memory_limit, store
        Threads; the memory that scoring and search may use, such as "8GiB"; a file that keeps code lengths, so that none is scored
        twice. None of these changes the answer.
    require, forbid
        Edges that the graph must or must not have: `("A", "B")` or `"A -> B"`.
    tiers
        Groups of variables in causal order: no edge goes from a later group to an earlier one.
    roots, leaves
        Variables without causes, and without effects, in the table.
    context
        Columns that may cause any variable, are never effects and are not part of the graph: site, batch, condition.
    knowledge
        A TOML file with require, forbid, tiers, roots, leaves, context, max-parents.
    search, restarts, tabu, start, top
        The search algorithm; the restarts of `hill-climb` and `order`, their tabu steps, and the starting graph; how many graphs the
        ranking lists.
    truth
        A graph to compare the answer with: a networkx graph, pairs of names, a result or a file.
    time_limit
        Stop after this time, in seconds or as in "10m", and return what is known by then.
    networks, networks_everywhere
        Networks per family; whether they are trained for all families, not only where they can change the answer.
    schedule, hidden, optimiser, learning_rate, steps, batch, no_calibration
        How networks are trained.
    splits, first_split, calibration_rate, dropout, frequencies, frequency_scale, patience, evaluation_interval, validation_share, warm_start
        For networks trained from scratch, with `schedule="blockwise"`.
    executor
        What scores families instead of threads: a `concurrent.futures.Executor`, a Dask client or `prequential.executors.RayExecutor()`. The
        answer does not depend on it, and only this process writes the `store`.
    progress
        Whether to show progress (default: in notebooks and terminals).

    Examples
    --------
    >>> import prequential
    >>> table, truth = prequential.simulate("asia", rows=1000, seed=1)
    >>> result = prequential.learn(table, truth=truth, seed=7)
    >>> sorted(result.graph.successors("either"))
    ['dysp', 'xray']
    >>> result.truth["shd_cpdag"]
    1
    """
    options = dict(locals())
    for name in ("data", "names", "intervention_mask", "truth", "executor", "progress"):
        del options[name]
    if start is not None:
        options["start"] = named_edges(start)[1]
    of_table, of_run = _options.split(options)
    table = _read(data, names, of_table, intervention_mask)
    known = None if truth is None else named_edges(truth)[1]
    as_json = _options.to_json(of_run)
    run = _native.Run.learn(table, as_json, known, _dispatcher(executor, table, as_json, of_run))
    wait(run, progress)
    result = Learned(run.learned())
    _warn_if_partial(result.partial)
    return result


def score(
    data: Any,
    *,
    families: Iterable[tuple[str, Iterable[str]]] | Mapping[str, Iterable[str]] | None = None,
    graph: Any = None,
    shard: str | tuple[int, int] | None = None,
    top: int = 10,
    time_limit: float | str | datetime.timedelta | None = None,
    executor: Any = None,
    progress: bool | None = None,
    **options: Unpack[ScoringOptions],
) -> Scored:
    """Code lengths without a search: of given families, of the families of a graph, or of all families.

    Parameters
    ----------
    data
        A table, as for `learn`.
    families
        Children with their parents: `[("y", ["a", "b"])]` or `{"y": ["a", "b"]}`.
    graph
        Score the families of this graph: a networkx graph, pairs of names, a result or a file.
    shard
        Score only part I of N of all families, as "I/N", to distribute work over processes or machines; needs `store`.
    top
        How many parent sets of each variable the text lists.
    time_limit, executor, progress
        As in `learn`.
    **options
        The options of `learn` for reading the table and for scoring.

    Examples
    --------
    >>> import prequential
    >>> table, _ = prequential.simulate("asia", rows=1000, seed=1)
    >>> scored = prequential.score(table, families=[("lung", ["smoke"]), ("lung", [])])
    >>> scored.code_length("lung", ["smoke"]) < scored.code_length("lung")
    True
    """
    given: dict[str, Any] = {**options, "time_limit": time_limit}
    names, mask = given.pop("names", None), given.pop("intervention_mask", None)
    of_table, of_run = _options.split(given)
    table = _read(data, names, of_table, mask)
    listed = None
    if families is not None:
        pairs = families.items() if isinstance(families, Mapping) else families
        listed = [(str(child), _options.names(parents)) for child, parents in pairs]
    edges = None if graph is None else named_edges(graph)[1]
    as_json = _options.to_json(of_run)
    workers = _dispatcher(executor, table, as_json, of_run)
    run = _native.Run.score(table, as_json, listed, edges, _shard(shard, of_run), workers)
    wait(run, progress)
    scored = run.scored()
    result = Scored(scored.to_json(), scored.to_text(top))
    _warn_if_partial(result.to_dict().get("partial"))
    return result


def compare(graph: Any, truth: Any) -> Comparison:
    """Distances of a graph from a reference graph: networkx graphs, pairs of names, results or files.

    >>> import prequential
    >>> prequential.compare([("rain", "wet")], [("wet", "rain")]).shd
    1
    """
    text, as_json = _native.compare(named_edges(graph), named_edges(truth))
    return Comparison(as_json, text)


def simulate(
    name: str,
    *,
    rows: int | None = None,
    seed: int = 1,
    variables: int | None = None,
    set: int | None = None,  # noqa: A002
) -> Simulated:
    """Draws a table from a known graph: from the paper, a textbook, or a random one.

    Parameters
    ----------
    name
        For example "star5", "asia" or "random-additive"; `prequential simulate --help` lists all. Columns `intervention` and
        `environment` are not part of the graph.
    rows, seed
        The number of rows (default: as in the paper, or 5,000 to 10,000), and the seed.
    variables
        The number of variables of a random graph.
    set
        Which data set of "yu-a", "yu-b" or "mechanisms".

    Examples
    --------
    >>> import prequential
    >>> table, graph = prequential.simulate("star5", rows=200, seed=1)
    >>> sorted(graph.edges)
    [('A', 'C'), ('B', 'C'), ('C', 'D'), ('C', 'E')]
    """
    import networkx

    columns, nodes, edges = _native.simulate(name, rows, variables, set, seed)
    graph = networkx.DiGraph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(edges)
    return Simulated(from_columns(columns), graph)


def load(path: _options.Path) -> Learned:
    """Reads a result written by `save` or `prequential learn --out`.

    >>> import prequential, tempfile, pathlib
    >>> table, _ = prequential.simulate("asia", rows=500, seed=1)
    >>> path = prequential.learn(table).save(pathlib.Path(tempfile.mkdtemp()) / "result.json")
    >>> len(prequential.load(path).names)
    8
    """
    path = Path(path)
    return Learned(_native.Learned.parse(path.read_text(encoding="utf-8"), str(path)))


def _read(data: Any, names: Iterable[str] | None, options: Mapping[str, Any], mask: Any) -> _native.Table:
    if names is not None:
        data = _tables.array_columns(data, list(names))
    table = _tables.table(data, options, mask)
    for warning in table.warnings:
        warnings.warn(warning, TableWarning, stacklevel=3)
    return table


def _dispatcher(executor: Any, table: _native.Table, as_json: str, options: Mapping[str, Any]) -> Dispatcher | None:
    if executor is None:
        return None
    contexts = options.get("context", [])
    return Dispatcher(executor, table, as_json, [name for name in table.names if name not in contexts])


def _warn_if_partial(partial: Mapping[str, Any] | None) -> None:
    if partial:
        message = f"stopped early ({partial['reason']}): {partial['scored_families']:,} families were scored"
        warnings.warn(message, PartialWarning, stacklevel=3)


def _shard(shard: str | tuple[int, int] | None, options: Mapping[str, Any]) -> tuple[int, int] | None:
    if shard is None:
        return None
    if "store" not in options:
        raise ValueError("`shard` scores a part of all families, which only a store can combine\nhint: add `store`")
    number, _, n_shards = shard.partition("/") if isinstance(shard, str) else (shard[0], "", shard[1])
    return int(number), int(n_shards)
