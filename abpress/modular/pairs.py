"""Pairs of accesses that may race: each has a reason why it does not, or is an alarm.

Two threads race if a state of the program has both before accesses that share a byte, one of which
writes, and one of which is plain (`AccessKind`). A thread stands before an access inside an atomic
block where it may begin the block. So what is known inside a block is about that moment only where
the other thread is not inside a block itself (NOTE(thread-modular)).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import gcd

from abpress.analysis.racing import counted
from abpress.ir.paths import reachable
from abpress.ir.program import AccessKind, Template, goes_on
from abpress.modular.addresses import NamedAddress
from abpress.modular.analysis import Solution
from abpress.modular.beside import Beside, Encounter, distance
from abpress.modular.spots import Aimed, Spot
from abpress.modular.state import Known
from abpress.modular.values import Origin


@dataclass(frozen=True, slots=True)
class AccessPoint:
    """Accesses of one effect of an edge, by threads of a class. `kind` is as it counts."""

    cls: int
    location: int
    edge: int
    effect: int
    kind: AccessKind
    writes: bool
    size: int


@dataclass(frozen=True, slots=True)
class AccessStates:
    """Where a thread may go, and what is known there, or where the atomic block begins. The
    `address` is made of what is known there."""

    aims: tuple[Aimed, ...]
    known: Known
    starts: tuple[Known, ...]
    address: NamedAddress | None = None


@dataclass(frozen=True, slots=True)
class PairOfAccesses:
    """Two accesses that may touch a common byte. `reasons` say why no two threads stand before
    them at once: cells, also beside the accesses, or classes of one thread. It is an `alarm` if
    there is none for some; `met` is what both know then."""

    first: AccessPoint
    second: AccessPoint
    reasons: tuple[Reason, ...]
    alarm: bool
    met: Encounter | None = None


def pairs(solution: Solution) -> Iterator[PairOfAccesses]:
    """All pairs of accesses that share a byte, in conflict, but for those of the library."""
    exclusion = solution.exclusion
    for first, second, meetings in conflicts(solution):
        reasons: dict[Reason, None] = {}
        met: Encounter | None = None
        for meeting in meetings:
            a, b = meeting.first, meeting.second
            reason: Reason | None = exclusion.reason(first.cls, a, second.cls, b)
            if reason is None:
                reason = meeting.beside(first.cls, second.cls)
            if reason is None:
                met = meeting
                break
            reasons[reason] = None
        alarm = met is not None
        yield PairOfAccesses(first, second, () if alarm else tuple(reasons), alarm, met)


Reason = Spot | int | Beside
"""Why two threads are not there at once."""


def shown(solution: Solution, reason: Reason, first: int, second: int, meeting: Encounter) -> bool:
    """Whether a reason shows that two threads of these classes do not meet so."""
    if isinstance(reason, Beside):
        return meeting.shows(reason, first, second)
    a, b = meeting.first, meeting.second
    return solution.exclusion.shows(reason, first, a, second, b)


AccessPoints = Mapping[AccessPoint, Sequence[AccessStates]]
"""What is known where threads stand before accesses."""

Conflicts = Iterator[tuple[AccessPoint, AccessPoint, list[Encounter]]]
"""Two accesses that may share a byte, with how they would meet."""


def conflicts(solution: Solution) -> Conflicts:
    """Two accesses that may share a byte, one of which writes, unless they cannot race."""
    return meeting(
        solution,
        points(solution),
        lambda one, other: (one.writes or other.writes) and one.kind.races(other.kind),
    )


def meeting(
    solution: Solution,
    points: AccessPoints,
    matter: Callable[[AccessPoint, AccessPoint], bool],
) -> Conflicts:
    """Two of the accesses that may share a byte, of those that matter."""
    by_origin: dict[Origin, dict[AccessPoint, None]] = {}
    for point, found in points.items():
        for one in found:
            for aim in one.aims:
                by_origin.setdefault(aim.origin, {})[point] = None
    seen: set[tuple[AccessPoint, AccessPoint]] = set()
    for together in by_origin.values():
        listed = list(together)
        for i, first in enumerate(listed):
            for second in listed[i:]:
                if not matter(first, second):
                    continue
                if (first, second) in seen or (second, first) in seen:
                    continue
                seen.add((first, second))
                meetings = list(_meetings(solution, first, second, points))
                if meetings:
                    yield first, second, meetings


def points(solution: Solution, every: bool = False) -> dict[AccessPoint, list[AccessStates]]:
    """Where threads stand before accesses. `every`: those of the library count as well, and that
    an object's lifetime begins or ends is an access to all of it."""
    found: dict[AccessPoint, list[AccessStates]] = {}
    starts_of = _StartsOfBlocks(solution)
    for (cls, location), parts in solution.known.items():
        template = solution.classes.template(cls)
        at = template.locations[location]
        transfer = solution.transfer(cls)
        for k, edge in enumerate(at.edges):
            kind = counted(template, location, edge)
            if kind is AccessKind.LIBRARY and not every:
                continue
            for known in parts.values():
                for access, before in transfer.accesses(location, k, known, every):
                    point = AccessPoint(
                        cls, location, k, access.effect, kind, access.writes, access.size
                    )
                    starts: tuple[Known, ...] = (before,)
                    if at.atomic:
                        starts = starts_of.states(cls, location)
                    found.setdefault(point, []).append(
                        AccessStates(access.aims, before, starts, access.address)
                    )
    return found


class _StartsOfBlocks:
    """What is known where threads may begin atomic blocks. What is asked for is remembered."""

    def __init__(self, solution: Solution) -> None:
        self._solution = solution
        self._locations: dict[str, dict[int, list[int]]] = {}
        self._states: dict[tuple[int, int], tuple[Known, ...]] = {}

    def states(self, cls: int, location: int) -> tuple[Known, ...]:
        """What is known where threads of a class may begin a block in which the location is."""
        found = self._states.get((cls, location))
        if found is None:
            template, known = self._solution.classes.template(cls), self._solution.known
            if template.name not in self._locations:
                self._locations[template.name] = _starts(template)
            starts = self._locations[template.name].get(location, ())
            found = tuple(one for i in starts for one in known.get((cls, i), {}).values())
            self._states[cls, location] = found
        return found


def _starts(template: Template) -> dict[int, list[int]]:
    """From where blocks may begin, by the locations inside of them."""
    found: dict[int, list[int]] = {}
    locations = template.locations
    outside = frozenset(i for i, at in enumerate(locations) if not at.atomic)
    for i in sorted(outside):
        inside = [e.target for e in locations[i].edges if goes_on(e) and locations[e.target].atomic]
        for location in reachable(template, inside, outside) - outside if inside else ():
            found.setdefault(location, []).append(i)
    return found


def _meetings(
    solution: Solution,
    first: AccessPoint,
    second: AccessPoint,
    points: AccessPoints,
) -> Iterator[Encounter]:
    blocks = _inside(solution, first) and _inside(solution, second)
    for one in points[first]:
        for other in points[second]:
            both = [(a, b) for a in one.aims for b in other.aims if _overlap(first, a, second, b)]
            if both and blocks:
                yield from (Encounter(mine, its) for mine in one.starts for its in other.starts)
            elif both:
                by = distance(both, first.size, second.size)
                yield Encounter(one.known, other.known, (one.address, other.address), by)


def _inside(solution: Solution, point: AccessPoint) -> bool:
    return solution.classes.template(point.cls).locations[point.location].atomic


def _overlap(first: AccessPoint, a: Aimed, second: AccessPoint, b: Aimed) -> bool:
    """Whether the accesses, by two different threads, may share a byte."""
    if a.origin != b.origin:
        return False
    if (a.own and b.own) or a.fresh or b.fresh:
        return False  # one of them is in an object that the other thread cannot reach
    step = gcd(a.stride, b.stride)
    distance = b.offset - a.offset
    if not step:
        return -second.size < distance < first.size
    distance %= step
    return distance < first.size or distance + second.size > step
