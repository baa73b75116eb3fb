"""Results: a learned graph with its evidence, scored families, a comparison of two graphs."""

from __future__ import annotations

import html
import json
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native
from ._frames import frame

if TYPE_CHECKING:
    import networkx

EDGE_COLUMNS = ["from", "to", "probability", "linked", "basis", "removal_nats", "reversal_nats", "strength", "sign"]
PAIR_COLUMNS = ["a", "b", "linked", "a_to_b", "b_to_a", "basis"]
RANKING_COLUMNS = ["excess_nats", "code_length_nats", "edges"]
CURVE_COLUMNS = ["rows", "mean", "sd"]
FAMILY_COLUMNS = ["child", "parents", "code_length_nats"]

#: With more edges, a notebook folds the shapes away.
MAX_OPEN_SHAPES = 12


class Learned:
    """A learned graph with the evidence for it.

    `print` shows the report as text, a notebook a picture with the evidence. `save` and `prequential.load` keep everything.
    """

    def __init__(self, document: _native.Learned) -> None:
        self._document = document
        self._data: dict[str, Any] = json.loads(document.to_json())

    def to_dict(self) -> dict[str, Any]:
        """The whole result, as in its JSON."""
        made: dict[str, Any] = json.loads(self.to_json())
        return made

    def to_json(self) -> str:
        """The whole result as JSON; only `cost` differs between runs with the same input and settings."""
        return self._document.to_json()

    @property
    def names(self) -> list[str]:
        """The variables, in the order of the columns."""
        return [variable["name"] for variable in self._data["data"]["variables"]]

    @cached_property
    def graph(self) -> networkx.DiGraph:
        """The best graph, with isolated variables; edges have `nats` (the removal cost), `reversal_nats` and `probability`."""
        import networkx

        graph = networkx.DiGraph()
        for variable in self._data["data"]["variables"]:
            graph.add_node(variable["name"], kind=variable["kind"])
        for edge in self._data["dag"]["edges"]:
            graph.add_edge(
                edge["from"],
                edge["to"],
                nats=edge["removal_nats"],
                reversal_nats=edge["reversal_nats"],
                probability=edge["probability"],
            )
        return graph

    @property
    def edges(self) -> Any:
        """The edges of the best graph with their evidence, as a frame of pandas or polars or a list of dicts."""
        return frame(self._data["dag"]["edges"], EDGE_COLUMNS)

    @property
    def pairs(self) -> Any:
        """For every pair of variables the probability of a link and of each direction; `None` if the search gives none.

        They are probabilities only if `basis` is `all-graphs`; otherwise they are shares of the graphs that a search visited, or of an
        interrupted run.
        """
        pairs = self._data.get("pairs")
        return None if pairs is None else frame(pairs, PAIR_COLUMNS)

    @property
    def families(self) -> Any:
        """The scored families with their code lengths in nats, as a frame."""
        return frame(self._data.get("families") or [], FAMILY_COLUMNS)

    @property
    def ranking(self) -> Any:
        """The best graphs, best first, with the excess of each in nats, as a frame; their number is `top` of `learn`."""
        return frame(self._data["ranking"], RANKING_COLUMNS)

    @property
    def excess_curves(self) -> Any:
        """The excess of each graph of the ranking over the best, by the number of rows, in nats, as a frame.

        `mean` and `sd` are over permutations of the rows or networks, if there are several.
        """
        graphs = (self._data.get("curves") or {}).get("graphs", [])
        rows = [{"rank": graph["rank"], **point} for graph in graphs for point in self._points(graph["excess_nats"])]
        return frame(rows, ["rank", *CURVE_COLUMNS])

    @property
    def next_step_curves(self) -> Any:
        """The next-step loss of each family of the ranked graphs, by the number of rows, in nats, as a frame."""
        families = (self._data.get("curves") or {}).get("families", [])
        rows = [
            {"child": family["child"], "parents": family["parents"], **point}
            for family in families
            for point in self._points(family["next_step_nats"])
        ]
        return frame(rows, ["child", "parents", *CURVE_COLUMNS])

    def _points(self, moments: dict[str, list[float | None]]) -> list[dict[str, Any]]:
        """The points of a curve, where rows were coded."""
        points = zip(self._data["curves"]["rows"], moments["mean"], moments["sd"], strict=True)
        return [dict(zip(CURVE_COLUMNS, point, strict=True)) for point in points if point[1] is not None]

    @property
    def adjacency_matrix(self) -> list[list[int]]:
        """`a[i][j]` is 1 if variable i is a parent of variable j, in the order of `names`."""
        return [[int(self.graph.has_edge(one, other)) for other in self.names] for one in self.names]

    @property
    def code_length(self) -> float:
        """The code length of the table under the best graph, in nats."""
        return self._data["dag"]["code_length_nats"]

    @property
    def is_proven(self) -> bool:
        """Whether no allowed graph has a shorter code."""
        return self._data["search"]["proven"]

    @property
    def gap(self) -> float | None:
        """How many nats longer the code may be than the shortest: 0 if proven, None if the search has no bound (`ilp` has one)."""
        return self._data["search"].get("gap_nats")

    @property
    def partial(self) -> dict[str, Any] | None:
        """For an interrupted run its `reason`, `scored_families` and `planned_families`."""
        return self._data.get("partial")

    @property
    def context(self) -> dict[str, Any] | None:
        """The variables on which contexts act, and how many nats that saves; `None` without contexts."""
        return self._data.get("context")

    @property
    def truth(self) -> dict[str, Any] | None:
        """The distances from the graph given as `truth`."""
        return self._data.get("truth")

    @property
    def warnings(self) -> list[str]:
        """Warnings about the table."""
        return self._data["data"]["warnings"]

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the whole result as JSON; `prequential.load` and `prequential report` read it."""
        return _write(path, self.to_json())

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Writes one self-contained, interactive HTML page."""
        return _write(path, self._document.to_html())

    def to_svg(self) -> str:
        """The picture of the graph."""
        return self._document.to_svg()

    def shapes_to_svg(self) -> str:
        """The shape of every edge, averaged over the other parents (partial dependence): one small chart each, the strongest first."""
        return self._document.shapes_to_svg()

    def to_dot(self) -> str:
        """The graph in DOT, the language of Graphviz."""
        edges = [(edge["from"], edge["to"]) for edge in self._data["dag"]["edges"]]
        return _native.write_graph(self.names, edges, "graph.dot")

    def to_pgmpy(self) -> Any:
        """The graph as a `pgmpy.base.DAG`."""
        from .adapters import pgmpy

        return pgmpy.dag(self.graph)

    def to_causallearn(self) -> Any:
        """The graph as a `Dag` of causal-learn."""
        from .adapters import causallearn

        return causallearn.dag(self.graph)

    def to_dowhy(self, data: Any = None) -> Any:
        """The graph as a `dowhy.gcm.StructuralCausalModel`; with `data`, every variable gets a mechanism, to be fitted with `gcm.fit`."""
        from .adapters import dowhy

        return dowhy.causal_model(self.graph, data)

    def __repr__(self) -> str:
        return self._document.to_text()

    def _repr_html_(self) -> str:
        edges = self._data["dag"]["edges"]
        parts = [_fitting(self.to_svg()), _edge_table(edges)]
        if self.partial:
            parts.insert(0, f"<p><b>Partial result: {html.escape(self.partial['reason'])}.</b></p>")
        parts += [f"<p>&#9888; {html.escape(warning)}</p>" for warning in self.warnings]
        if edges:
            is_open = " open" if len(edges) <= MAX_OPEN_SHAPES else ""
            shapes = _fitting(self.shapes_to_svg(), least=12 * min(len(edges), 3))
            summary = "<summary>Shapes: how each effect changes with its cause</summary>"
            parts.append(f'<details{is_open} style="overflow-x: auto">{summary}{shapes}</details>')
        return "<div>" + "\n".join(parts) + "</div>"


class Scored:
    """Code lengths of families."""

    def __init__(self, text: str, report: str) -> None:
        self._data: dict[str, Any] = json.loads(text)
        self._report = report

    def to_dict(self) -> dict[str, Any]:
        """The whole result, as in `prequential score --format json`."""
        return self._data

    @property
    def families(self) -> Any:
        """The families with their code lengths in nats, as a frame."""
        return frame(self._data["families"], FAMILY_COLUMNS)

    @property
    def total(self) -> float | None:
        """The code length of the graph, if the families are those of a graph."""
        return self._data.get("code_length_nats")

    def code_length(self, child: str, parents: list[str] | tuple[str, ...] = ()) -> float:
        """The code length of one family, in nats."""
        wanted = (child, frozenset(parents))
        for family in self._data["families"]:
            if (family["child"], frozenset(family["parents"])) == wanted:
                return family["code_length_nats"]
        raise KeyError(f"{child} | {', '.join(parents)} was not scored")

    def __repr__(self) -> str:
        return self._report


class Comparison:
    """The distances of a graph from a reference graph."""

    def __init__(self, text: str, report: str) -> None:
        self._data: dict[str, Any] = json.loads(text)
        self._report = report

    def to_dict(self) -> dict[str, Any]:
        """All distances, and the edges that agree, are reversed, or are in one graph only."""
        return self._data

    @property
    def shd(self) -> int:
        """Structural Hamming distance; a reversed edge counts once."""
        return self._data["shd"]

    @property
    def shd_cpdag(self) -> int:
        """Structural Hamming distance of the equivalence classes."""
        return self._data["shd_cpdag"]

    @property
    def sid(self) -> int:
        """Structural intervention distance."""
        return self._data["sid"]

    @property
    def is_equivalent(self) -> bool:
        """Whether both graphs are of one equivalence class."""
        return self._data["equivalent"]

    def __repr__(self) -> str:
        return self._report


def _write(path: str | os.PathLike[str], text: str) -> Path:
    path = Path(path)
    path.write_text(text, encoding="utf-8")
    return path


def _fitting(svg: str, least: int = 0) -> str:
    """A picture at most as wide as the notebook, or as this many letters."""
    return svg.replace("<svg ", f'<svg style="max-width: 100%; min-width: {least}em; height: auto" ', 1)


def _nats(value: float | None) -> str:
    return "–" if value is None else f"{value:,.1f}"


def _probability(edge: dict[str, Any], key: str) -> str:
    """With a question mark if it is not a probability: not all graphs were weighed."""
    if edge.get(key) is None:
        return "–"
    return f"{edge[key]:.3f}" + ("" if edge.get("basis") == "all-graphs" else "?")


def _strength(edge: dict[str, Any]) -> str:
    return "–" if edge.get("strength") is None else f"{edge['strength']:.3f}"


def _edge_table(edges: list[dict[str, Any]]) -> str:
    titles = ("from", "to", "linked", "direction", "removal nats", "reversal nats", "nats per row", "sign")
    head = "<tr>" + "".join(map("<th>{}</th>".format, titles)) + "</tr>"
    cell = "<td>{}</td>".format
    rows = [
        "<tr>"
        + cell(html.escape(edge["from"]))
        + cell(html.escape(edge["to"]))
        + cell(_probability(edge, "linked"))
        + cell(_probability(edge, "probability"))
        + cell(_nats(edge["removal_nats"]))
        + cell(_nats(edge["reversal_nats"]))
        + cell(_strength(edge))
        + cell(html.escape(edge.get("sign") or ""))
        + "</tr>"
        for edge in edges
    ]
    return f"<table>{head}{''.join(rows)}</table>"
