"""Strongly connected components."""

from __future__ import annotations

from abpress.ir.components import components, is_cycle


def test_components() -> None:
    graph = {0: [1], 1: [2, 3], 2: [1], 3: [3], 4: [0], 5: []}
    found = sorted(components(graph), key=min)
    assert found == [{0}, {1, 2}, {3}, {4}, {5}]
    assert [is_cycle(component, graph) for component in found] == [False, True, True, False, False]


def test_a_successor_that_is_no_key() -> None:
    graph = {0: [1]}
    assert sorted(components(graph), key=min) == [{0}, {1}]
    assert not is_cycle(frozenset({1}), graph)
