"""Persistent-set DPOR ([DPOR05]) with stored states ([StatefulDPOR08]).

As `de_s_por`, but happens-before tells which of the steps behind a state its explored threads have
to be closed under: those that race with them (PH of `reductions.stateful.path`). Where a visited
state is met, what may still be accessed after it is applied again to the path. The filter stands
for the transitions of the papers, in which what nobody else can see is part of a visible step.

The backtracking set of [DPOR05] is the set T here, with threads that wait in it
(NOTE(waiting-threads)) instead of all threads where the later thread of a race cannot move. The
events that happen before the later one of a race give no alternative to its thread: a closed set
has to contain that thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from abpress.reductions.stateful.algorithm import StateNode
from abpress.reductions.stateful.de_s_por import DeSPor
from abpress.reductions.stateful.futures import Summarised
from abpress.reductions.stateful.path import TracedPath
from abpress.relations.footprint import Footprint
from abpress.semantics.outcome import State
from abpress.semantics.protocols import Foreseeing


class StatefulDpor(DeSPor):
    """Persistent sets by the races on the path, and with what may follow visited states."""

    def __init__(self, system: Foreseeing[State]) -> None:
        super().__init__(system, futures=Summarised())
        self._trace = TracedPath(system.foresight.creator)

    def step(self, node: StateNode) -> None:
        """Adds the next event to the execution, and its thread where it races."""
        self._trace.leave(node)
        super().step(node)
        self._trace.step(node, node.next_of(node.current).access)

    def meet(self, serial: int, state: State) -> None:
        """Applies again what may be accessed after the visited state."""
        self._apply_again(serial)

    def leave(self, node: StateNode) -> None:
        self._trace.leave(node)
        super().leave(node)

    def complete(self, node: StateNode, serials: Sequence[int]) -> None:
        """Applies again what may be accessed after states on a cycle, when the last one is left."""
        super().complete(node, serials)
        if len(serials) > 1:
            self._apply_again(serials[0])

    def _apply_again(self, serial: int) -> None:
        for thread, access in self._futures.actions((serial,)):
            self._backtrack(thread, access, self._trace.unordered(thread))

    def _update_current(self, thread: int, access: Footprint) -> None:
        """Adds the thread to the steps on the path that its attempt races with."""
        self._backtrack(thread, access, self._trace.races(thread, access))

    def _backtrack(self, thread: int, access: Footprint, racing: Iterable[StateNode]) -> None:
        serials = {node.serial for node in racing}
        for entry, w in self._dependent(thread, access):
            t = entry.node.current
            if w != t or entry.node.serial in serials:
                entry.current[t, w][thread] = None
