"""Pairs of accesses of which no fact shows that they cannot race, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from abpress.ir.program import AccessKind, Free
from abpress.modular.alarms.places import alarmed
from abpress.modular.analysis import Solution
from abpress.modular.pairs import AccessPoint, AccessStates, PairOfAccesses, points
from abpress.modular.spots import Aimed, Spot, status
from abpress.modular.state import Known
from abpress.modular.values import ONE, ZERO, Number, is_held
from abpress.result import Alarm, AlarmedAccess

PROPERTY = "no-data-race"

_MEMBERS = ("owner", "writer", "readers")
"""Members of the library's locks that tell who holds them."""


def race_alarms(solution: Solution, found: Iterable[PairOfAccesses]) -> tuple[Alarm, ...]:
    """The alarms among the pairs. Those in the same places are told once, with the more writes."""
    open_pairs = [pair for pair in found if pair.met is not None]
    words = _Words(solution, points(solution) if open_pairs else {})
    told: dict[tuple[object, ...], Alarm] = {}
    open_pairs.sort(key=lambda pair: -(pair.first.writes + pair.second.writes))
    for pair in open_pairs:
        alarm = words.alarm(pair)
        key = tuple((a.file, a.line, a.column, a.stack, a.thread) for a in alarm.accesses)
        told.setdefault(key, alarm)
    return tuple(told.values())


class _Words:
    """The words for alarms of one solution."""

    def __init__(
        self, solution: Solution, where: Mapping[AccessPoint, Sequence[AccessStates]]
    ) -> None:
        self._solution = solution
        self._where = where

    def alarm(self, pair: PairOfAccesses) -> Alarm:
        first, second = pair.first, pair.second
        assert pair.met is not None
        a, b = pair.met.first, pair.met.second
        locks = sorted(self._locks(a)), sorted(self._locks(b))
        objects = self._objects(first, second)
        return Alarm(
            PROPERTY,
            f"two threads may race for {' or '.join(objects) or 'memory'}",
            (self._access(first, locks[0]), self._access(second, locks[1])),
            (
                *self._about_locks(*locks),
                *self._about_threads(first.cls, a, second.cls, b),
                *self._about_places(first, second),
            ),
        )

    def _access(self, point: AccessPoint, locks: Sequence[str]) -> AlarmedAccess:
        template = self._solution.classes.template(point.cls)
        edge = template.locations[point.location].edges[point.edge]
        kind = "atomically " if point.kind is AccessKind.ATOMIC else ""
        section = "in an atomic section " if point.kind is AccessKind.SECTION else ""
        frees = any(isinstance(effect, Free) for effect in edge.effects)
        does = f"{section}{kind}{'frees' if frees else 'writes' if point.writes else 'reads'}"
        return alarmed(edge.position, does, self._thread(point.cls), locks)

    def _thread(self, cls: int) -> str:
        c = self._solution.classes.listed[cls]
        if not cls:
            return c.template
        location, edge = c.site
        creator = self._solution.program.templates[c.creator].locations[location].edges[edge]
        return f"{c.template}, created at {creator.position.origin}"

    # -- locks ----------------------------------------------------------------------------------

    def _locks(self, known: Known) -> Iterator[str]:
        for variable, atoms in known.values.items():
            if isinstance(variable, Spot) and is_held(atoms):
                lock, _, member = self._name(variable).rpartition(".")
                if member in _MEMBERS:
                    yield lock

    def _about_locks(self, mine: Sequence[str], its: Sequence[str]) -> Iterator[str]:
        if not mine and not its:
            yield "no lock is known to be held at either access"
        elif not mine or not its:
            which, held = ("first", its) if not mine else ("second", mine)
            yield (
                f"no lock is known to be held at the {which} access; {' and '.join(held)} is at the"
                " other one"
            )
        elif not set(mine) & set(its):
            yield (
                f"no lock is held by both: the first holds {' and '.join(mine)}, the second"
                f" {' and '.join(its)}"
            )
        else:
            yield f"{' and '.join(sorted(set(mine) & set(its)))} is held by both, but may be shared"

    # -- threads --------------------------------------------------------------------------------

    def _about_threads(self, first: int, a: Known, second: int, b: Known) -> Iterator[str]:
        classes = self._solution.classes
        if first == second:
            yield f"it is not known that there is only one thread {self._thread(first)}"
            return
        for looking, known, other in ((first, a, second), (second, b, first)):
            if not other or other == looking:
                continue
            may = known.get(status(other))
            where = "here" if not looking else f"where {self._thread(looking)} is"
            name = self._thread(other)
            if may is None or not classes.unique(other):
                yield f"it is not known which of the threads {name} run {where}"
            elif may == ONE:
                yield f"thread {name} may run {where}: it is not known to have been joined"
            elif Number(2) in may:
                yield f"it is not known that thread {name} has been joined {where}"
            elif may != ZERO:
                yield f"it is not known that thread {name} has not been created {where}"

    # -- objects --------------------------------------------------------------------------------

    def _aims(self, first: AccessPoint, second: AccessPoint) -> Iterator[tuple[Aimed, Aimed]]:
        seen: set[tuple[Spot, int, Spot, int]] = set()
        for one in self._where.get(first, ()):
            for other in self._where.get(second, ()):
                for x in one.aims:
                    for y in other.aims:
                        key = Spot(x.origin, x.offset), x.stride, Spot(y.origin, y.offset), y.stride
                        if x.origin == y.origin and key not in seen:
                            seen.add(key)
                            yield x, y

    def _objects(self, first: AccessPoint, second: AccessPoint) -> list[str]:
        found: dict[str, None] = {}
        for x, y in self._aims(first, second):
            exact = not x.stride and not y.stride and x.offset == y.offset
            found[self._name(Spot(x.origin, x.offset if exact else 0), exact)] = None
        return list(found)

    def _about_places(self, first: AccessPoint, second: AccessPoint) -> Iterator[str]:
        aims = list(self._aims(first, second))
        if any(x.stride or y.stride for x, y in aims):
            names = dict.fromkeys(self._name(Spot(x.origin, 0), False) for x, _ in aims)
            yield f"the elements of {' or '.join(names)} that are accessed are not told apart"
        elif len({x.origin for x, _ in aims}) > 1:
            yield "it is not known which of several objects the pointers point to"
        if any(x.origin.kind == "heap" and not self._singular(x) for x, _ in aims):
            yield "objects that are allocated at the same place are not told apart"

    def _singular(self, aim: Aimed) -> bool:
        return self._solution.spots.singular(aim.origin)

    def _name(self, spot: Spot, with_member: bool = True) -> str:
        """What people call a cell: the variable or the place of allocation, and the member."""
        spots, origin = self._solution.spots, spot.origin
        name = origin.name
        if origin.kind == "heap":
            i, k, _ = map(int, origin.name.split("."))
            template = self._solution.classes.template(origin.owner)
            name = f"memory allocated at {template.locations[i].edges[k].position.described}"
        layout = spots.layout(origin)
        if not with_member or layout is None or spot.offset not in layout.index:
            return name
        return name + layout.cells[layout.index[spot.offset]].path
