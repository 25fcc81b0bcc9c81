"""Futures with happens-before: what comes after a later step of the same thread is no race.

While a thread t holds a lock, its next step at a state s may access what others access later, with
the lock. They do so after t has released it: on every path from t's step, a later step of t happens
before. Such accesses are left out of s.current[t].

That is sound: where the proof in `stateful.algorithm` walks from t's step along w to an attempt
a, what the walk explores besides w is independent of the rest of w and of a, and no step of w is
t's. So on this path no later step of t happens before a. What happens after such a step on all
paths is not a.

A state is looked at after all states that lead to it: in the opposite order of leaving them, which
is one as long as there are no cycles. Where there are, accesses are not ordered.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

from abpress.reductions.stateful.algorithm import StateNode
from abpress.reductions.stateful.futures import Retraversed
from abpress.relations.footprint import Footprint

_After = tuple[int, int, int]
"""Of the steps that are on all paths to a state and happen after a later step of t: their threads,
all that they touch, and all that they write; bit sets."""


class Ordered(Retraversed):
    """The graph, with futures that leave out what happens after a later step of the thread."""

    def __init__(self) -> None:
        super().__init__()
        self._left: dict[int, int] = {}  # state -> its number in the order of leaving
        self._cyclic: set[int] = set()

    def leave(self, node: StateNode) -> None:
        self._left[node.serial] = len(self._left)
        super().leave(node)

    def complete(self, serials: Sequence[int]) -> None:
        if len(serials) > 1:
            self._cyclic.update(serials)

    def dependents(self, sources: Sequence[int], access: Footprint, t: int) -> Iterator[int]:
        self.traversals += 1
        found = {t}
        after: dict[int, _After] = dict.fromkeys(sources, (0, 0, 0))
        heap = [(-self._left[source], source) for source in after]
        heapq.heapify(heap)
        while heap:
            _, state = heapq.heappop(heap)
            if state in self._cyclic:
                yield from (u for u in super().dependents(sources, access, t) if u not in found)
                return
            before = threads, touched, written = after.pop(state)
            for thread, its, targets in self.moves[state]:
                self.looked_at += 1
                ordered = thread == t or threads >> thread & 1
                if its is not None:
                    ordered = ordered or its.touched & written or its.written & touched
                    if not ordered and thread not in found and its.conflicts(access):
                        found.add(thread)
                        yield thread
                behind = before
                if ordered:
                    more = (0, 0) if its is None else (its.touched, its.written)
                    behind = (threads | 1 << thread, touched | more[0], written | more[1])
                for target in targets:
                    known = after.get(target)
                    if known is None:
                        after[target] = behind
                        heapq.heappush(heap, (-self._left[target], target))
                    elif known != behind:
                        after[target] = (
                            known[0] & behind[0],
                            known[1] & behind[1],
                            known[2] & behind[2],
                        )
