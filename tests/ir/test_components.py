"""Strongly connected components, against a library."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from abpress.ir.components import components, is_cycle

GRAPHS = st.dictionaries(st.integers(0, 8), st.sets(st.integers(0, 8), max_size=4))


@given(GRAPHS)
def test_components(graph: dict[int, set[int]]) -> None:
    library = nx.DiGraph([(a, b) for a, found in graph.items() for b in found])
    library.add_nodes_from(graph)
    found = list(components(graph))
    assert sorted(map(sorted, found)) == sorted(
        map(sorted, nx.strongly_connected_components(library))
    )
    for component in found:
        assert is_cycle(component, graph) == bool(library.subgraph(component).number_of_edges())


def test_long_paths() -> None:
    """Nothing is recursive."""
    size = 50_000
    circle = {i: [(i + 1) % size] for i in range(size)}
    assert list(components(circle)) == [frozenset(range(size))]
    assert len(list(components({i: [i + 1] for i in range(size)}))) == size + 1
