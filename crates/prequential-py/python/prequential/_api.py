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
    """Something about the table is doubtful, but does not stop the work."""


class PartialWarning(UserWarning):
    """A run was stopped, and its answer is what it had by then."""


class Simulated(NamedTuple):
    """A table, and the graph that made it."""

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
    """Learns the causal graph behind a table: the graph under which the data are cheapest to predict, row after row.

    Ctrl-C ends the work early; what is known by then is returned, with a warning.

    Parameters
    ----------
    data
        A frame of pandas, polars or pyarrow, a relation of duckdb, a mapping of names to columns, an array with `names`, or the path of a
        CSV, Parquet or Arrow file. Columns that their library calls categories are labels.
    names
        The names of the columns of an array.
    columns, ignore
        Keep only these columns; leave these out.
    labels, numbers
        Read these columns as categories, even if they hold numbers; as numbers, even if few differ.
    ordered
        Read these columns of ordered labels as 1, 2, 3; a mapping says the order, lowest first: `{"stage": ["early", "late"]}`.
    missing
        Further cells that stand for no value, besides "", NA, NaN and ?.
    interventions
        The column that names the variables set in a row, separated by `;` (default: `intervention`, or `INT` with numbers).
    intervention_mask
        A table of 0 and 1, or its path, that says which cells were set by intervention.
    estimator, preset
        What predicts a variable from its parents; the settings that the other options start from.
    alpha, ess
        With counts: what every count starts from, or the rows spread over each family's table (BDeu); `estimator="counts"` alone starts at 0.5, as the paper
        does, and without either tables of labels are coded by a mixture of several.
    bins, binning, inputs
        Bins of a column of numbers, where they lie, and what children see of a parent's number.
    max_parents, max_configurations
        The most parents of a variable; with counts, the most combinations of their values.
    seed, row_orders, row_order
        Draws the order of rows and all random numbers; row orders whose code lengths are averaged; whether rows are shuffled.
    threads, memory_limit, store
        Worker threads; memory that scoring and search may use, such as "8GiB"; a file that keeps code lengths, so that none is scored
        twice. None of them changes the answer.
    require, forbid
        Edges that the graph must or must not have: `("A", "B")` or `"A -> B"`.
    tiers
        Groups of variables in causal order: no edge goes from a later group to an earlier one.
    roots, leaves
        Variables without causes, and without effects, in the table.
    context
        Columns that may cause anything, are never effects and are no part of the graph: the site, the batch, the condition.
    knowledge
        A TOML file with require, forbid, tiers, roots, leaves, context, max-parents.
    search, restarts, tabu, start, top
        How the best graph is found; how often `hill-climb` and `order` start again, how long they go on, and the graph where they begin;
        how many graphs the ranking lists.
    truth
        A graph to compare the answer with: a networkx graph, pairs of names, a result or a file.
    time_limit
        Stop after this time, in seconds or such as "10m", and answer from what is known by then.
    networks, networks_everywhere
        Networks a family; whether they are trained for all families, not only where they can change the answer.
    schedule, hidden, optimiser, learning_rate, steps, batch, no_calibration
        How networks learn.
    splits, first_split, calibration_rate, dropout, frequencies, frequency_scale, patience, evaluation_interval, validation_share, warm_start
        Of networks trained from scratch, with `schedule="blockwise"`.
    executor
        Who scores families, if not threads: a `concurrent.futures.Executor`, a Dask client or `prequential.executors.RayExecutor()`. The
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
    learned = run.learned()
    result = Learned(learned.to_json(), report=learned.to_text())
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
    """Code lengths without a search: of these families, of those of a graph, or of all.

    Parameters
    ----------
    data
        A table, as `learn` takes it.
    families
        Children with their parents: `[("y", ["a", "b"])]` or `{"y": ["a", "b"]}`.
    graph
        Score the families of this graph: a networkx graph, pairs of names, a result or a file.
    shard
        Score only part I of N of all families, as "I/N", for work that is spread over processes or machines; needs `store`.
    top
        How many parent sets of each variable the text lists.
    time_limit, executor, progress
        As in `learn`.
    **options
        The options of `learn` that say how to read the table and how to score.

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
    """How far a graph is from another one, taken for the truth: networkx graphs, pairs of names, results or files.

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
    """Draws a table from a known graph: of the paper, of a textbook, or a random one.

    Parameters
    ----------
    name
        Such as "star5", "asia" or "random-additive"; `prequential simulate --help` lists all. Columns `intervention` and `environment` are
        no part of the graph.
    rows, seed
        How many rows (default: as in the paper, or 5,000 to 10,000), and what draws them.
    variables
        How many variables a random graph has.
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
    """Reads a result that `save`, or `prequential learn --out`, has written.

    >>> import prequential, tempfile, pathlib
    >>> table, _ = prequential.simulate("asia", rows=500, seed=1)
    >>> path = prequential.learn(table).save(pathlib.Path(tempfile.mkdtemp()) / "result.json")
    >>> len(prequential.load(path).names)
    8
    """
    path = Path(path)
    return Learned(path.read_text(encoding="utf-8"), str(path))


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
        raise ValueError("`shard` scores a part of all families, which only a store can join\nhint: add `store`")
    number, _, n_shards = shard.partition("/") if isinstance(shard, str) else (shard[0], "", shard[1])
    return int(number), int(n_shards)
