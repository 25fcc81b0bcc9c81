"""Components against their definition: what reaches each other."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from abpress.ir.components import components

NODES = st.integers(0, 7)


def reached(graph: Mapping[int, list[int]], node: int) -> set[int]:
    found, todo = {node}, [node]
    while todo:
        for n in graph.get(todo.pop(), ()):
            if n not in found:
                found.add(n)
                todo.append(n)
    return found


@given(st.dictionaries(NODES, st.lists(NODES, max_size=4)))
def test_components(graph: dict[int, list[int]]) -> None:
    nodes = set(graph) | {n for its in graph.values() for n in its}
    reach = {node: reached(graph, node) for node in nodes}
    wanted = {frozenset(n for n in reach[node] if node in reach[n]) for node in nodes}
    found = list(components(graph))
    assert len(found) == len(set(found))
    assert set(found) == wanted
    for k, component in enumerate(found):  # what a component leads to comes before it
        before = frozenset().union(*found[: k + 1])
        assert all(reach[node] <= before for node in component)


def test_a_long_path_needs_no_recursion() -> None:
    found = list(components({n: [n + 1] for n in range(20_000)}))
    assert len(found) == 20_001
