"""The functions that users call."""

from __future__ import annotations

import pathlib
import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from . import _native, _options, _tables
from ._dispatch import Dispatcher
from ._frames import from_columns
from ._graphs import named_edges
from ._keywords import LearnOptions, Path, ScoringOptions
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


@_options.documented(LearnOptions)
def learn(
    data: Any,
    *,
    names: Iterable[str] | None = None,
    truth: Any = None,
    executor: Any = None,
    progress: bool | None = None,
    **options: Unpack[LearnOptions],
) -> Learned:
    """Learns the causal graph behind a table: the graph under which its rows are predicted with the least total log-loss.

    Ctrl-C interrupts the run; what is known by then is returned, with a warning.

    Options that take names take one or several. Edges are `("A", "B")` or `"A -> B"`; a mapping gives the order of labels in `ordered`,
    lowest first: `{"stage": ["early", "late"]}`; `intervention_mask` is a table or its path; `start` is any graph.

    Parameters
    ----------
    data
        A pandas, polars or pyarrow frame, a duckdb relation, a mapping of names to columns, an array with `names`, or the path of a
        CSV, Parquet or Arrow file. Columns of a categorical type are categorical.
    names
        The names of the columns of an array.
    truth
        A graph to compare the answer with: a networkx graph, pairs of names, a result or a file.
    executor
        What scores families instead of threads: a `concurrent.futures.Executor`, a Dask client or `prequential.executors.RayExecutor()`. The
        answer does not depend on it, and only this process writes the `store`.
    progress
        Whether to show progress (default: in notebooks and terminals).
    {options}

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
    given = _options.checked(options, LearnOptions)
    table = _read(data, names, given)
    known = None if truth is None else named_edges(truth)[1]
    as_json = _options.to_json(given)
    run = _native.Run.learn(table, as_json, known, _dispatcher(executor, table, as_json, given))
    wait(run, progress)
    result = Learned(run.learned())
    _warn_if_partial(result.partial)
    return result


@_options.documented(ScoringOptions)
def score(
    data: Any,
    *,
    names: Iterable[str] | None = None,
    families: Iterable[tuple[str, Iterable[str]]] | Mapping[str, Iterable[str]] | None = None,
    graph: Any = None,
    shard: str | tuple[int, int] | None = None,
    top: int = 10,
    executor: Any = None,
    progress: bool | None = None,
    **options: Unpack[ScoringOptions],
) -> Scored:
    """Code lengths without a search: of given families, of the families of a graph, or of all families.

    Parameters
    ----------
    data, names
        A table, and the names of the columns of an array, as for `learn`.
    families
        Children with their parents: `[("y", ["a", "b"])]` or `{"y": ["a", "b"]}`.
    graph
        Score the families of this graph: a networkx graph, pairs of names, a result or a file.
    shard
        Score only part I of N of all families, as "I/N", to distribute work over processes or machines; needs `store`.
    top
        How many parent sets of each variable the text lists.
    executor, progress
        As in `learn`.
    {options}

    Examples
    --------
    >>> import prequential
    >>> table, _ = prequential.simulate("asia", rows=1000, seed=1)
    >>> scored = prequential.score(table, families=[("lung", ["smoke"]), ("lung", [])])
    >>> scored.code_length("lung", ["smoke"]) < scored.code_length("lung")
    True
    """
    given = _options.checked(options, ScoringOptions)
    table = _read(data, names, given)
    listed = None
    if families is not None:
        pairs = families.items() if isinstance(families, Mapping) else families
        listed = [(str(child), _options.names(parents)) for child, parents in pairs]
    edges = None if graph is None else named_edges(graph)[1]
    as_json = _options.to_json(given)
    workers = _dispatcher(executor, table, as_json, given)
    run = _native.Run.score(table, as_json, listed, edges, _shard(shard, given), workers)
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


def load(path: Path) -> Learned:
    """Reads a result written by `save` or `prequential learn --out`.

    >>> import prequential, tempfile, pathlib
    >>> table, _ = prequential.simulate("asia", rows=500, seed=1)
    >>> path = prequential.learn(table).save(pathlib.Path(tempfile.mkdtemp()) / "result.json")
    >>> len(prequential.load(path).names)
    8
    """
    path = pathlib.Path(path)
    return Learned(_native.Learned.parse(path.read_text(encoding="utf-8"), str(path)))


def _read(data: Any, names: Iterable[str] | None, options: dict[str, Any]) -> _native.Table:
    """The table; the mask of interventions, which may be a table too, is taken out of the options."""
    if names is not None:
        data = _tables.array_columns(data, list(names))
    table = _tables.table(data, options, options.pop("intervention_mask", None))
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
