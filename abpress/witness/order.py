"""What orders the steps of a trace, and which accesses in conflict nothing orders.

A step happens before another one in its own thread; a creation before what the thread does; the end
of a thread before what follows a join; and what a thread does to a lock, or the like, before what
others do to it next. A read in an atomic operation or section is ordered behind the write that it
sees, whatever memory order the program names for it. Two accesses to a cell, one of which writes,
that this does not order race with each other (C11 5.1.2.4), as far as they use the same names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from abpress.ir.program import AccessKind
from abpress.witness.library import is_kept, object_kept, synchronises
from abpress.witness.rows import CREATES
from abpress.witness.trace import Trace, TraceStep

JOINS = "joins "
"""How the note of a join begins; the name of the thread follows."""

_MOST_ACCESSES = 64
"""Accesses of a cell, by places and threads, that are remembered to find races."""


@dataclass(frozen=True, slots=True)
class OrderEdge:
    """A step is ordered before one of another thread, by a lock or the like, a cell, or the thread
    that is created or joined. Steps are numbered as in the trace."""

    before: int
    after: int
    by: str


@dataclass(frozen=True, slots=True)
class UnorderedPair:
    """Two steps that access a cell in conflict, and that nothing orders."""

    first: int
    second: int
    cell: str


@dataclass(frozen=True, slots=True)
class TraceOrder:
    """The order of a trace: of edges those between threads, of races one for each two places."""

    edges: tuple[OrderEdge, ...]
    races: tuple[UnorderedPair, ...]


def order_of(trace: Trace) -> TraceOrder:
    """The order of the steps of a trace."""
    walk = _ClockedSteps()
    for number, step in enumerate(trace.steps):
        walk.step(number, step)
    return TraceOrder(tuple(walk.edges), tuple(walk.races.values()))


@dataclass(frozen=True, slots=True)
class _CellAccess:
    step: int
    thread: str
    clock: int
    writes: bool
    kind: AccessKind
    place: tuple[str, int, int]


@dataclass
class _ClockedSteps:
    """Goes through a trace with vector clocks. Mutable."""

    edges: list[OrderEdge] = field(default_factory=list)
    races: dict[object, UnorderedPair] = field(default_factory=dict)
    _clocks: dict[str, dict[str, int]] = field(default_factory=dict)
    _left: dict[int, dict[str, int]] = field(default_factory=dict)  # of steps that order others
    _last: dict[str, int] = field(default_factory=dict)
    _created: dict[str, int] = field(default_factory=dict)
    _written: dict[str, tuple[str, int]] = field(default_factory=dict)
    """What orders threads -> who wrote it last, in which step."""
    _accesses: dict[str, dict[object, _CellAccess]] = field(default_factory=dict)

    def step(self, number: int, step: TraceStep) -> None:
        """Takes the next step of the trace."""
        clock = self._clocks.setdefault(step.thread, {})
        for edge in self._ordered(number, step):
            self.edges.append(edge)
            for thread, time in self._left[edge.before].items():
                clock[thread] = max(clock.get(thread, 0), time)
        clock[step.thread] = clock.get(step.thread, 0) + 1
        self._last[step.thread] = number
        marks = [cell for cell, _ in step.writes if _synchronising(step, cell)]
        self._written.update(dict.fromkeys(marks, (step.thread, number)))
        if step.note.startswith(CREATES):
            self._created[step.note.removeprefix(CREATES)] = number
        if marks or step.note:
            self._left[number] = dict(clock)
        self._find_races(number, step, clock)

    def _ordered(self, number: int, step: TraceStep) -> Iterator[OrderEdge]:
        """What orders the step behind those of other threads, each once."""
        if step.thread not in self._last and step.thread in self._created:
            yield OrderEdge(self._created[step.thread], number, step.thread)
        joined = step.note.removeprefix(JOINS)
        if joined != step.note and joined in self._last:
            ended = self._last[joined]
            self._left.setdefault(ended, dict(self._clocks[joined]))
            yield OrderEdge(ended, number, joined)
        if any(" is held by " in said for said in step.said):
            return  # an attempt to lock that fails orders nothing
        written = {cell for cell, _ in step.writes}
        found: dict[int, str] = {}
        for cell in (c for c, _ in (*step.reads, *step.writes) if _synchronising(step, c)):
            read = cell not in written or any(cell == c for c, _ in step.reads)
            writer, before = self._written.get(cell, (step.thread, -1))
            if writer != step.thread and (read or is_kept(step.position, cell)):
                found.setdefault(before, object_kept(step.position, cell))
        yield from (OrderEdge(before, number, by) for before, by in found.items())

    def _find_races(self, number: int, step: TraceStep, clock: dict[str, int]) -> None:
        position = step.position.origin
        place = position.file, position.line, position.column
        written = {cell for cell, _ in step.writes}
        for cell in dict.fromkeys(c for c, _ in (*step.reads, *step.writes)):
            if is_kept(step.position, cell):
                continue
            mine = _CellAccess(
                number, step.thread, clock[step.thread], cell in written, step.access, place
            )
            others = self._accesses.setdefault(cell, {})
            for other in others.values():
                if (
                    other.thread != mine.thread
                    and (other.writes or mine.writes)
                    and _race(other.kind, mine.kind)
                    and clock.get(other.thread, 0) < other.clock
                ):
                    pair = UnorderedPair(other.step, number, cell)
                    self.races.setdefault(frozenset((other.place, place)), pair)
            if len(others) < _MOST_ACCESSES:
                others[mine.thread, mine.writes, place] = mine


def _race(one: AccessKind, other: AccessKind) -> bool:
    return one.races(other) and AccessKind.LIBRARY not in (one, other)


def _synchronising(step: TraceStep, cell: str) -> bool:
    """Whether an access of the cell may order the step and those of other threads."""
    if is_kept(step.position, cell):
        return synchronises(step.position)
    return step.access in (AccessKind.ATOMIC, AccessKind.SECTION)
