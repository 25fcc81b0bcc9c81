"""Futures of visited states: summaries against re-traversals, and happens-before on top."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hypothesis import given, settings

from abpress.properties import PROPERTIES
from abpress.reductions.stateful.algorithm import StateNode
from abpress.reductions.stateful.dl_s_por import DlSPor
from abpress.reductions.stateful.dynamic import DynamicReduction
from abpress.reductions.stateful.futures import Retraversed, Summarised
from abpress.reductions.stateful.ordered import Ordered
from abpress.relations.footprint import Footprint
from abpress.search.stateful import explore
from tests.reductions.toy import Edge, Toy, busy_toys


class All(Retraversed):
    """Asks all kinds of futures, and compares them."""

    def __init__(self) -> None:
        super().__init__()
        self.summarised = Summarised()
        self.ordered = Ordered()

    def leave(self, node: StateNode) -> None:
        super().leave(node)
        self.summarised.leave(node)
        self.ordered.leave(node)

    def complete(self, serials: Sequence[int]) -> None:
        self.summarised.complete(serials)
        self.ordered.complete(serials)

    def dependents(self, sources: Sequence[int], access: Footprint, t: int) -> Iterator[int]:
        found = list(super().dependents(sources, access, t))
        assert len(found) == len(set(found))
        assert set(found) == set(self.summarised.dependents(sources, access, t))
        ordered = list(self.ordered.dependents(sources, access, t))
        assert len(ordered) == len(set(ordered))
        assert {*ordered} <= {*found}
        return iter(found)


def choices(toy: Toy, futures: Retraversed) -> int:
    outcome = explore(
        toy,
        DynamicReduction(toy, DlSPor(toy, futures)),
        PROPERTIES["unreach-call"],
        keep_going=True,
    )
    return outcome.statistics.thread_choices


@settings(max_examples=100, derandomize=True, deadline=None, database=None)
@given(toy=busy_toys())
def test_summaries_are_as_precise_as_the_graph(toy: Toy) -> None:
    choices(toy, All())


def test_a_lock_orders() -> None:
    """Both threads write x (variable 1) with a lock (0). While one of them does, the other one is
    busy elsewhere, and comes to x after the lock was released."""
    section = (Edge("await", 1, 0, 0, then=(0, 1)), Edge("write", 2, 1, 1), Edge("write", 3, 0, 0))
    late = [replace(edge, target=edge.target + 2) for edge in section]
    busy = (Edge("write", 1, 2, 1), Edge("write", 2, 2, 0), *late)
    toy = Toy(tuple((*((e,) for e in code), (Edge("finish"),)) for code in (section, busy)), 3)
    assert choices(toy, Ordered()) < choices(toy, Retraversed())
