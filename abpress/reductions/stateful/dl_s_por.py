"""DL-S-POR: source sets found lazily ([Pragmatic23], Algorithm 3).

When the search backtracks to a state, the futures of its successors are looked at for what depends
on the steps that lead there, as far as that is needed for the decision whether more threads have to
be explored: a set s.current[t] is found piece by piece, and the search for more of it stops with
the first thread that is missing (appendix A, optimisations that stop a re-traversal early).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

from abpress.reductions.stateful.algorithm import StateNode
from abpress.reductions.stateful.futures import FutureStore
from abpress.reductions.stateful.source_sets import missing, visited_first
from abpress.reductions.static.s_por import Tests
from abpress.semantics.outcome import State
from abpress.semantics.protocols import Foreseeing

T = TypeVar("T")


class DlSPor:
    """Source sets; the futures of a state's successors are looked at when the search is back."""

    def __init__(
        self, system: Foreseeing[State], futures: FutureStore, filtered: bool = True
    ) -> None:
        self.tests: Tests[State] = (system.invisible,) if filtered else ()
        self._system = system
        self._futures = futures
        self._current: dict[int, dict[tuple[int, int], Lazily[int]]] = {}

    def enter(self, node: StateNode) -> None:
        """Does nothing yet (lines 2 and 3)."""

    def step_alone(self, node: StateNode) -> None:
        """Does nothing: no other thread sees the step."""

    def step(self, node: StateNode) -> None:
        """Does nothing: the search explores the steps (lines 9 to 12)."""

    def meet(self, serial: int, state: State) -> None:
        """Does nothing: nothing more is explored there (line 11)."""

    def wanted(self, node: StateNode) -> Sequence[int]:
        """The threads to explore next: lines 5 to 8, and IsComplete."""
        remaining = node.remaining()
        if not remaining:
            return ()  # line 26: s.done = T
        if not node.explored or all(map(node.leads_to_visited, remaining)):
            return visited_first(node, remaining)
        return visited_first(node, self.suffice(node))

    def suffice(self, node: StateNode) -> Sequence[int]:
        """IsComplete, from line 31 on: none if the explored threads suffice, else some to add."""
        return missing(node, self._of, self._system.foresight.creator)

    def _of(self, node: StateNode, t: int, w: int) -> Iterator[int]:
        """The threads of s.current[t] (Figure 2): lines 32 and 33."""
        known = self._current.setdefault(node.serial, {})
        found = known.get((t, w))
        if found is None:
            sources, access = node.explored[t], node.next_of(w).access
            found = known[t, w] = Lazily(self._futures.dependents(sources, access, t))
        return iter(found)

    def leave(self, node: StateNode) -> None:
        self._current.pop(node.serial, None)
        self._futures.leave(node)

    def complete(self, node: StateNode, serials: Sequence[int]) -> None:
        self._futures.complete(serials)

    def statistics(self) -> dict[str, int]:
        return self._futures.statistics()


class Lazily(Generic[T]):
    """The items of an iterator, to be iterated over again and again. Mutable."""

    def __init__(self, rest: Iterator[T]) -> None:
        self._found: list[T] = []
        self._rest = rest

    def __iter__(self) -> Iterator[T]:
        yield from self._found
        for item in self._rest:
            self._found.append(item)
            yield item
