"""dowhy: our graph as a structural causal model, for interventions and strengths of arrows."""

from __future__ import annotations

from typing import Any

import networkx
from dowhy import gcm


def causal_model(graph: networkx.DiGraph, data: Any = None) -> gcm.StructuralCausalModel:
    """The model of a graph; with `data`, a frame of pandas, every variable gets a mechanism that suits it, to be fitted by `gcm.fit`."""
    bare = networkx.DiGraph()
    bare.add_nodes_from(graph.nodes)
    bare.add_edges_from(graph.edges)
    model = gcm.StructuralCausalModel(bare)
    if data is not None:
        gcm.auto.assign_causal_mechanisms(model, data)
    return model
