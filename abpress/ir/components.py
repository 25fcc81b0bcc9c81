"""Strongly connected components of a graph."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping


def components(graph: Mapping[int, Collection[int]]) -> Iterator[frozenset[int]]:
    """The strongly connected components of a graph, given as the successors of each node; a
    successor that is no key has none."""
    import networkx as nx  # to load it takes a quarter of a short run, which may not come here

    known = nx.DiGraph()
    known.add_nodes_from(graph)
    known.add_edges_from((node, n) for node, successors in graph.items() for n in successors)
    return map(frozenset, nx.strongly_connected_components(known))


def is_cycle(component: frozenset[int], graph: Mapping[int, Collection[int]]) -> bool:
    """Whether a component has an edge: more than one node, or one with an edge to itself."""
    return len(component) > 1 or any(n in graph.get(n, ()) for n in component)
