"""DE-S-POR: source sets found eagerly ([Pragmatic23], Algorithm 2).

Each step that is explored is compared with the steps on the path to it, and is entered at those
that it depends on; where the path leads to a visited state, so is all that is behind it.

NOTE(last-dependent): UpdateCurr (line 28) enters a step a at the *last* step of the path that it
depends on. That is not enough when an action accesses several cells, as an atomic block does. Let
the next steps be `x = 1` of p, `read y` of q, and of r, which waits until x is 1, the block
`[x == 1] y = 5`. Of q, p, r the last depends on p's step, and is entered there alone; nothing is
entered at q's, so {q} is closed, and p, r, q is never explored. Here a step is entered at all steps
of the path that it depends on (as the paper does in re-traversals, appendix A). Then the sets are
those of `dl_s_por`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from abpress.reductions.stateful.algorithm import StateNode
from abpress.reductions.stateful.futures import FutureStore, Retraversed
from abpress.reductions.stateful.source_sets import missing, visited_first
from abpress.reductions.static.s_por import Tests
from abpress.relations.footprint import Footprint
from abpress.semantics.outcome import State
from abpress.semantics.protocols import Foreseeing


@dataclass(slots=True)
class Entry:
    """A state on the path. `watched`: of the current thread and of those that wait, what its next
    step accesses. `current`: an explored thread t, and it or a thread w that waits -> the threads
    that are dependent on (the attempt of) w in the future of t's step."""

    node: StateNode
    watched: list[tuple[int, Footprint]] = field(default_factory=list)
    current: dict[tuple[int, int], dict[int, None]] = field(default_factory=dict)


class DeSPor:
    """Source sets; each explored step is entered at the steps of the path that it depends on."""

    def __init__(
        self, system: Foreseeing[State], filtered: bool = True, futures: FutureStore | None = None
    ) -> None:
        self.tests: Tests[State] = (system.invisible,) if filtered else ()
        self._system = system
        self._futures = Retraversed() if futures is None else futures
        self._path: list[Entry] = []

    def enter(self, node: StateNode) -> None:
        """Enters the attempts of threads that wait here at steps of the path."""
        for thread in node.waiting():
            self._update_current(thread, node.next_of(thread).access)
        self._path.append(Entry(node))

    def step_alone(self, node: StateNode) -> None:
        """Enters nothing: no other thread sees the step."""

    def step(self, node: StateNode) -> None:
        """Enters the step, and watches it and the attempts of threads that wait (lines 9 to 13)."""
        t, entry = node.current, self._path[-1]
        access = node.next_of(t).access
        entry.watched.clear()
        self._update_current(t, access)
        waiting = [(w, node.next_of(w).access) for w in node.waiting()]
        entry.watched = [(t, access), *waiting]
        entry.current.update({(t, w): {} for w, _ in entry.watched})

    def meet(self, serial: int, state: State) -> None:
        """Enters the future of the visited state (lines 21 and 22)."""
        for thread, access in dict.fromkeys(self._futures.actions((serial,))):
            self._update_current(thread, access)

    def _update_current(self, thread: int, access: Footprint) -> None:
        """UpdateCurr (lines 26 to 30): enters an attempt at the steps that it depends on."""
        for entry, w in self._dependent(thread, access):
            entry.current[entry.node.current, w][thread] = None

    def _dependent(self, thread: int, access: Footprint) -> Iterator[tuple[Entry, int]]:
        """The states of the path, and who is watched there, that an attempt depends on."""
        for entry in self._path:
            for w, its in entry.watched:
                if thread != w and access.conflicts(its):
                    yield entry, w

    def wanted(self, node: StateNode) -> Sequence[int]:
        """The threads to explore next (lines 6, 8 and 15)."""
        remaining = node.remaining()
        if not remaining or not node.explored:
            return visited_first(node, remaining)
        current = self._path[-1].current
        found = missing(node, lambda _, t, w: current[t, w], self._system.foresight.creator)
        return visited_first(node, found)

    def leave(self, node: StateNode) -> None:
        self._futures.leave(node)
        if not node.safe:
            self._path.pop()

    def complete(self, node: StateNode, serials: Sequence[int]) -> None:
        self._futures.complete(serials)

    def statistics(self) -> dict[str, int]:
        return self._futures.statistics()
