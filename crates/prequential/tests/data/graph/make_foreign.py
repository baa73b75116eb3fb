"""Writes one graph with other tools: networkx.graphml, pydot.dot, pandas.csv (made with networkx 3.6.1,
pydot 4.0.1, pandas 3.1.1).

Run in this directory: python make_foreign.py
"""

import networkx as nx
import pandas as pd

graph = nx.DiGraph()
graph.add_nodes_from(["age & sex", "x.1", "lung <tar>", 'the "odd" one', "größe, cm", "alone"])
graph.add_edge("age & sex", "x.1", weight=0.5)
graph.add_edge("x.1", "lung <tar>")
graph.add_edge("age & sex", 'the "odd" one')
graph.add_edge("größe, cm", "lung <tar>")

nx.write_graphml(graph, "networkx.graphml")
nx.to_pandas_adjacency(graph, weight=None, dtype=int).to_csv("pandas.csv")
# pydot wants names with special characters in quotes already.
quoted = nx.relabel_nodes(graph, {name: '"' + name.replace('"', '\\"') + '"' for name in graph})
nx.nx_pydot.write_dot(quoted, "pydot.dot")
