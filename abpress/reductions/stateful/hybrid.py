"""Hybrid POR ([Hybrid16], Figures 2 and 3).

A thread goes on alone with steps that nobody gets in the way of; else all threads are tried. To
know that of a step, the search looks ahead and back:

- ahead, at the future field accesses of the other threads: their program points come from the
  static analysis (`semantics.future_accesses`), what they access there from all executions explored
  so far (`pointsto`). This is an under-approximation, refined as the search goes on;
- back, from each access to the steps of the path that it races with: where one of their threads
  went on alone, all threads are tried when the search is back there.

Legend, in the words of the paper: v, the variable through which a_c accesses, and p, its program
point, are here the location where a step begins; o and f are the cells that it accesses. So
pointsto[t][p] has the cells that thread t has accessed at p; v is determinate there as long as that
is one cell. Both branches of existsFutureInterferingAccess ask whether o_c is in that set: of a
determinate variable it has one element, or none.

What is different, and why:

- In the paper the transition ends at an interfering action. Here every step is a transition, and a
  state with one explored thread is no thread choice; any thread may go on alone, the one that has
  moved last comes first.
- NOTE(look-ahead): where `heap-reach+fields` lets a thread go on alone, it does so here, and there
  is no doubt about it. So the states explored here, and the thread choices, are among those of
  `heap-reach+fields` (unless the search meets cycles): the other threads that go on alone do so in
  states where it tries all.
- NOTE(hybrid-match): the paper needs no record of what is accessed behind visited states, since the
  field access analysis tells it. It looks back from executed accesses only, however, and leaves out
  those that happen after one another: see NOTE(unknown-paths). Here the
  look-ahead is repeated from the visited state on, for all steps on the path.
- Threads that wait are compared by their attempts; cycles are the caller's (F), and the end of the
  program is in nobody's way (NOTE(stopped-threads)).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from abpress.reductions.stateful.algorithm import StateNode
from abpress.reductions.stateful.path import TracedPath
from abpress.reductions.static.s_por import Tests
from abpress.relations.footprint import Footprint
from abpress.semantics.outcome import State
from abpress.semantics.protocols import Foreseeing


class HybridPor:
    """One thread where its step interferes with no future or earlier access, as far as is known."""

    def __init__(self, system: Foreseeing[State]) -> None:
        self.tests: Tests[State] = (
            system.invisible,
            system.foresight.confined,
            system.foresight.uncontended,
        )
        self._system = system
        self._trace = TracedPath(system.foresight.creator)
        self._pointsto: dict[int, dict[int, _PointsToSet]] = {}
        self._hopeful: set[int] = set()
        """The states where a thread goes on alone as far as is known."""
        self._retroactive = 0

    def enter(self, node: StateNode) -> None:
        """Notes the attempts of threads that wait here."""
        for thread in node.waiting():
            access = self._access(node, thread)
            self._mark(self._trace.races(thread, access))

    def wanted(self, node: StateNode) -> Sequence[int]:
        """createThreadChoice: one thread whose step does not interfere, else all that remain."""
        if node.explored:
            return () if node.serial in self._hopeful else node.remaining()
        remaining = sorted(node.remaining(), key=lambda t: t != self._trace.mover)
        for t in remaining:
            if node.goes_on(t) and not self._is_interfering(node, t):
                self._hopeful.add(node.serial)
                return (t,)
        return remaining

    def step_alone(self, node: StateNode) -> None:
        """Notes the access of the step: executeTransition, where there is no doubt."""
        self.step(node)

    def step(self, node: StateNode) -> None:
        """Notes the access of the step: executeTransition (lines 19 to 24)."""
        self._mark(self._trace.step(node, self._access(node, node.current)))

    def _access(self, node: StateNode, t: int) -> Footprint:
        """The access of the next step, noted (getFieldAccessInfo, extendDynPointstoSet)."""
        access = node.next_of(t).access
        p = self._system.foresight.point(node.state, t)
        self._pointsto.setdefault(t, {}).setdefault(p, _PointsToSet()).extend(access)
        return replace(access, ends=False) if access.ends else access

    def _is_interfering(self, node: StateNode, t: int) -> bool:
        """isInterferingAction: whether existsFutureInterferingAccess holds for another thread."""
        access = node.next_of(t).access
        return any(u != t and self._may_access(node.state, u, access) for u in self._pointsto)

    def _may_access(self, state: State, u: int, access: Footprint) -> bool:
        """Whether u may interfere later: existsFutureInterferingAccess (lines 39 to 49)."""
        return any(
            cells.interfere(access) and self._system.foresight.may_come(state, u, p)
            for p, cells in self._pointsto[u].items()
        )

    def _mark(self, nodes: Iterable[StateNode]) -> None:
        """markInterferingAction (line 58) at these nodes: there, all threads are explored."""
        for node in nodes:
            if node.serial in self._hopeful:
                self._hopeful.remove(node.serial)
                self._retroactive += 1

    def meet(self, serial: int, state: State) -> None:
        """Looks for earlier steps that interfere with what may follow, NOTE(hybrid-match)."""
        self._look_behind(state)

    def _look_behind(self, state: State) -> None:
        for u, points in self._pointsto.items():
            coming = [
                cells for p, cells in points.items() if self._system.foresight.may_come(state, u, p)
            ]
            self._mark(
                [
                    node
                    for node in (self._trace.unordered(u) if coming else ())
                    if node.serial in self._hopeful
                    and any(cells.interfere(node.next_of(node.current).access) for cells in coming)
                ]
            )

    def leave(self, node: StateNode) -> None:
        self._trace.leave(node)
        self._hopeful.discard(node.serial)

    def complete(self, node: StateNode, serials: Sequence[int]) -> None:
        """Does as `meet` for states on cycles, NOTE(hybrid-match)."""
        if len(serials) > 1:
            self._look_behind(node.state)

    def statistics(self) -> dict[str, int]:
        """How many variables have points-to sets, per program point and thread, and how many of
        them are determinate; how many choices were added at earlier accesses."""
        sets = [cells for points in self._pointsto.values() for cells in points.values()]
        return {
            "points_to_sets": len(sets),
            "determinate": sum(len(cells.touched) <= 1 for cells in sets),
            "retroactive_choices": self._retroactive,
        }


class _PointsToSet:
    """Cells that are touched, and those of them that are written. Mutable."""

    __slots__ = ("touched", "written")

    def __init__(self) -> None:
        self.touched: set[int] = set()
        self.written: set[int] = set()

    def extend(self, access: Footprint) -> None:
        """Adds what the access touches, lives of threads aside."""
        written = [key for key in access.writes if key >= 0]
        self.written.update(written)
        self.touched.update(written, [key for key in access.reads if key >= 0])

    def interfere(self, access: Footprint) -> bool:
        """Whether the access interferes: isInterferingAccess, with the same object."""
        return not (
            self.written.isdisjoint(access.reads) and self.touched.isdisjoint(access.writes)
        )
