"""Converts graphs of any kind to nodes and edges by name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from . import _native

NamedEdges = tuple[list[str], list[tuple[str, str]]]


def named_edges(graph: Any) -> NamedEdges:
    """The nodes and edges of a result, a networkx graph, a graph of pgmpy or causal-learn, pairs of names, or a graph file."""
    if isinstance(graph, (str, os.PathLike)):
        path = Path(graph)
        return _native.parse_graph(path.read_text(encoding="utf-8"), str(path))
    if hasattr(graph, "get_graph_edges"):  # causal-learn
        return _of_causallearn(graph)
    if hasattr(graph, "graph") and hasattr(graph, "edges") and hasattr(graph.graph, "nodes"):  # a result
        graph = graph.graph
    if hasattr(graph, "nodes") and hasattr(graph, "edges"):  # networkx, pgmpy
        return [str(node) for node in graph.nodes()], [(str(edge[0]), str(edge[1])) for edge in graph.edges()]
    if isinstance(graph, Mapping):  # children with their parents
        edges = [(str(parent), str(child)) for child, parents in graph.items() for parent in parents]
        return [str(node) for node in graph], edges
    if isinstance(graph, Iterable):
        return [], edge_pairs(graph)
    raise TypeError(
        f"expected a graph (a result, a networkx graph, pairs of names or a file), found {type(graph).__name__}"
    )


def edge_pairs(edges: Iterable[Any]) -> list[tuple[str, str]]:
    """Pairs of names from pairs, or from texts such as `A -> B`."""
    if isinstance(edges, str):
        edges = [edges]
    return [_pair(edge) for edge in edges]


def _pair(edge: Any) -> tuple[str, str]:
    parts = edge.split("->") if isinstance(edge, str) else list(edge)
    if len(parts) != 2:
        raise ValueError(f'expected an edge such as ("A", "B") or "A -> B", found {edge!r}')
    return str(parts[0]).strip(), str(parts[1]).strip()


def _of_causallearn(graph: Any) -> NamedEdges:
    edges = []
    for edge in graph.get_graph_edges():
        ends = (edge.get_endpoint1().name, edge.get_endpoint2().name)
        one, other = edge.get_node1().get_name(), edge.get_node2().get_name()
        if ends == ("TAIL", "ARROW"):
            edges.append((one, other))
        elif ends == ("ARROW", "TAIL"):
            edges.append((other, one))
        else:
            raise ValueError(
                f"the edge between {one!r} and {other!r} has no direction\n"
                "hint: this is a class of graphs; take one of them, for example by causal-learn's `pdag2dag`"
            )
    return [node.get_name() for node in graph.get_nodes()], edges
