"""Futures: the accesses of what was explored behind visited states (A_s in [Pragmatic23]).

`Retraversed` stores the graph and looks for it again each time, as the paper does; `Summarised`
keeps it with each state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from abpress.reductions.stateful.algorithm import StateNode
from abpress.relations.footprint import Footprint

Action = tuple[int, Footprint]
"""A step that was explored, or the attempt of a thread that waits."""


class FutureStore(Protocol):
    """Mutable: is told of states that are left, and of those that are complete."""

    def leave(self, node: StateNode, /) -> None:
        """As `DynamicAlgorithm.leave`."""

    def complete(self, serials: Sequence[int], /) -> None:
        """As `DynamicAlgorithm.complete`."""

    def actions(self, sources: Sequence[int], /) -> Iterator[Action]:
        """The future of complete states; accesses of one thread may be put together."""

    def dependents(self, sources: Sequence[int], access: Footprint, t: int, /) -> Iterator[int]:
        """The threads that have something in the future of complete states which is dependent on
        the access; each once, as they are found. A step of t leads to these states."""

    def statistics(self) -> dict[str, int]:
        """Numbers for reports."""


class Retraversed:
    """The graph. A re-traversal looks at each step once (appendix A).

    `moves`: of each state that was left, what was explored and who waits: the thread, what its step
    or attempt accesses (None: nothing that others see), and where it leads to. `traversals` and
    `looked_at` are counted.
    """

    def __init__(self) -> None:
        self.moves: dict[int, tuple[tuple[int, Footprint | None, tuple[int, ...]], ...]] = {}
        self.traversals = self.looked_at = 0

    def leave(self, node: StateNode) -> None:
        """Keeps the steps of the state, and the attempts of its threads."""
        explored = node.explored.items()
        if node.safe:
            self.moves[node.serial] = tuple([(t, None, tuple(to)) for t, to in explored])
            return
        moves = [(t, node.next_of(t).access, tuple(to)) for t, to in explored]
        attempts = [(t, node.next_of(t).access, ()) for t in node.waiting()]
        self.moves[node.serial] = (*moves, *attempts)

    def complete(self, serials: Sequence[int]) -> None:
        """Does nothing: the graph is complete behind the states."""

    def actions(self, sources: Sequence[int]) -> Iterator[Action]:
        """The actions in the future of the states."""
        self.traversals += 1
        seen, todo = set(sources), list(sources)
        while todo:
            for thread, access, targets in self.moves[todo.pop()]:
                self.looked_at += 1
                if access is not None:
                    yield thread, access
                for target in targets:
                    if target not in seen:
                        seen.add(target)
                        todo.append(target)

    def dependents(self, sources: Sequence[int], access: Footprint, t: int) -> Iterator[int]:
        found = set()
        for thread, its in self.actions(sources):
            if thread not in found and its.conflicts(access):
                found.add(thread)
                yield thread

    def statistics(self) -> dict[str, int]:
        """How many re-traversals there were, and how many steps they looked at together."""
        return {"retraversals": self.traversals, "retraversed_transitions": self.looked_at}


_Summary = dict[int, tuple[int, int]]
"""Thread -> all that its steps and attempts touch, and all that they write."""


class Summarised:
    """Per state, what each thread touches and writes in its future: bit sets of `Footprint`.

    That is as precise: something in a union of accesses is dependent on an access if and only if
    the union is. Equal summaries are one object.
    """

    def __init__(self) -> None:
        self._summaries: dict[int, _Summary] = {}
        self._interned: dict[frozenset[tuple[int, tuple[int, int]]], _Summary] = {}

    def leave(self, node: StateNode) -> None:
        """Keeps what is known so far: the state's own, and the futures of complete successors."""
        summary: _Summary = {}
        for t, targets in node.explored.items():
            if not node.safe:
                _add(summary, t, node.next_of(t).access)
            for target in targets:
                if target in self._summaries:
                    _unite(summary, self._summaries[target])
        if not node.safe:
            for t in node.waiting():
                _add(summary, t, node.next_of(t).access)
        self._summaries[node.serial] = summary

    def complete(self, serials: Sequence[int]) -> None:
        """Unites the futures of states that reach one another."""
        summary: _Summary = {}
        for serial in serials:
            _unite(summary, self._summaries[serial])
        summary = self._interned.setdefault(frozenset(summary.items()), summary)
        for serial in serials:
            self._summaries[serial] = summary

    def actions(self, sources: Sequence[int]) -> Iterator[Action]:
        """Per thread one action: all that it accesses."""
        summary: _Summary = {}
        for source in sources:
            _unite(summary, self._summaries[source])
        for thread, (touched, written) in summary.items():
            yield thread, Footprint((), (), False, touched, written)

    def dependents(self, sources: Sequence[int], access: Footprint, t: int) -> Iterator[int]:
        for thread, its in self.actions(sources):
            if its.conflicts(access):
                yield thread

    def statistics(self) -> dict[str, int]:
        """How many different futures there are."""
        return {"summaries": len(self._interned)}


def _add(summary: _Summary, thread: int, access: Footprint) -> None:
    _unite(summary, {thread: (access.touched, access.written)})


def _unite(summary: _Summary, other: _Summary) -> None:
    for thread, (touched, written) in other.items():
        before = summary.get(thread, (0, 0))
        summary[thread] = before[0] | touched, before[1] | written
