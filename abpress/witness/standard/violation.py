"""A violation witness of a trace: what threads are created, when others go on, and where it ends.

A waypoint names a statement by its first character, and is passed before that statement. So where
a thread goes on in the middle of a statement, its next one is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from abpress.errors import Position
from abpress.witness.rows import CREATES
from abpress.witness.standard.model import Segment, Waypoint, WaypointType, WitnessLocation
from abpress.witness.trace import Trace, TraceStep

_INPUT = re.compile(r"(__VERIFIER_)?nondet_\w+\(\)")


class NamedPlaces(Protocol):
    """What tells where statements and calls of the program stand."""

    def statement_around(self, at: Position) -> tuple[Position, bool] | None:
        """The first character of the statement at a place, and whether it is passed once at most
        each time that it begins (a loop tests its condition more often); None if there is none."""

    def call_at(self, at: Position) -> Position | None:
        """How a witness names the call that begins at a place: by its closing parenthesis, or, in
        column 0, as the only one of its line. None if there is none."""


@dataclass(slots=True)
class _Lane:
    """Where a thread stands: the statements that it is in, outermost first. Mutable."""

    number: int
    inside: tuple[Position, ...] = ()
    pending: bool = False  # it goes on after others, and no waypoint says so yet


@dataclass(slots=True)
class _Telling:
    """Makes waypoints of the steps of a trace. Mutable: it knows where threads are."""

    places: NamedPlaces
    name: str
    threaded: bool
    lanes: dict[str, _Lane] = field(default_factory=dict)
    running: str = ""

    def location(self, at: Position) -> WitnessLocation:
        """A place of the program in the words of the witness."""
        return WitnessLocation(self.name, at.line, at.column, at.function)

    def step(self, step: TraceStep) -> Iterator[Waypoint]:
        """The waypoints of one step; none of a thread whose creation no waypoint names."""
        if step.thread not in self.lanes:
            return
        lane = self.lanes[step.thread]
        if step.thread != self.running:
            lane.pending = True
            self.running = step.thread
        yield from self._anchor(lane, step)
        call = self.places.call_at(step.position.origin)
        if call is None:
            return
        if step.note.startswith(CREATES):
            yield Waypoint(WaypointType.FUNCTION_ENTER, self.location(call), thread=lane.number)
            self.lanes[step.note.removeprefix(CREATES)] = _Lane(len(self.lanes))
        for what, value in step.choices:
            if _INPUT.fullmatch(what):
                said = f"\\result == {value}"
                yield Waypoint(WaypointType.FUNCTION_RETURN, self.location(call), said, lane.number)

    def _anchor(self, lane: _Lane, step: TraceStep) -> Iterator[Waypoint]:
        """That the thread begins a statement here, if others went before, and it does."""
        user = [p for p in (*step.position.stack, step.position) if not p.in_model]
        found = [self.places.statement_around(at) for at in user]
        if not found or found[-1] is None:
            return
        inside = tuple(its[0] for its in found if its is not None)
        statement, once = found[-1]
        begins = lane.inside[: len(inside)] != inside
        lane.inside = inside
        if begins and once and lane.pending and self.threaded:
            lane.pending = False
            yield Waypoint(WaypointType.ASSUMPTION, self.location(statement), "1", lane.number)


def segments_of(trace: Trace, places: NamedPlaces, name: str) -> tuple[Segment, ...]:
    """The segments of a witness of the trace; `name` is what the witness calls the file. The last
    one has a target for the step that violates the property, or for each thread that stands there
    in a race or waits in a deadlock."""
    telling = _Telling(places, name, len(trace.threads) > 1)
    telling.lanes[trace.threads[0]] = _Lane(0)
    telling.running = trace.threads[0]
    *_, last = trace.steps if trace.steps else (None,)
    ends = trace.ready or trace.blocked
    segments = []
    for step in trace.steps:
        its = list(telling.step(step))
        if step is last and not ends:  # the target says so
            its = [w for w in its if w.type is not WaypointType.ASSUMPTION]
        segments += [Segment((waypoint,)) for waypoint in its]
    standing = [(b.thread, b.position) for b in ends]
    if not standing and last is not None:
        standing = [(last.thread, last.position)]
    targets = []
    for thread, position in standing:
        found = places.statement_around(position.origin)
        lane = telling.lanes.get(thread)
        # Where no statement stands (a program that ends) it is the last one.
        at = found[0] if found is not None else lane.inside[-1] if lane and lane.inside else None
        if at is not None:
            number = None if lane is None else lane.number
            targets.append(Waypoint(WaypointType.TARGET, telling.location(at), thread=number))
    return (*segments, Segment(tuple(dict.fromkeys(targets))))
