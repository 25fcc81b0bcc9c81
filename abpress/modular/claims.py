"""The claims of a thread-modular proof as data that JSON can hold, and back.

Values, spots and sets of states are listed once and named by their numbers. Of a set of states only
that is written in which it differs from the one before, if that is less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from abpress.modular.analysis import Solution
from abpress.modular.classes import ThreadClass
from abpress.modular.pairs import AccessPoint, PairOfAccesses
from abpress.modular.spots import Spot
from abpress.modular.state import Known
from abpress.modular.valuation import NOTHING, Atoms, Part, Variable
from abpress.modular.values import (
    AddressOf,
    Atom,
    Holds,
    Multiple,
    Number,
    Origin,
    OwnBit,
    Routine,
    Self,
    Thread,
    Value,
)

_ATOMS: dict[str, Callable[..., Atom]] = {
    "number": Number,
    "multiple": Multiple,
    "self": Self,
    "thread": Thread,
    "address": AddressOf,
    "routine": Routine,
    "own bit": OwnBit,
    "holds": Holds,
}
_NAMES = {kind: name for name, kind in _ATOMS.items()}


class Malformed(Exception):
    """The data are no claims."""


@dataclass(frozen=True, slots=True)
class Claims:
    """What a thread-modular proof claims.

    `known` are the sets of states by class and location, `entries` and `ends` those where threads
    begin and have ended (with the result), `summaries` what cells may hold that nobody follows.
    `reasons` are given for each pair of accesses that has no alarm.
    """

    occurrences: int
    classes: tuple[ThreadClass, ...]
    many: frozenset[int]
    repeated: frozenset[Origin]
    known: dict[tuple[int, int], tuple[Known, ...]]
    entries: dict[int, Known]
    ends: dict[int, tuple[Known, Value]]
    summaries: dict[Spot, Value]
    reasons: dict[tuple[AccessPlace, AccessPlace], tuple[Spot | int, ...]]
    alarms: frozenset[tuple[AccessPlace, AccessPlace]]


AccessPlace = tuple[int, int, int, int, bool]
"""Class, location, edge, effect, and if it writes."""


def place_of(point: AccessPoint) -> AccessPlace:
    """What names an access in claims."""
    return point.cls, point.location, point.edge, point.effect, point.writes


def claimed(solution: Solution, found: Iterable[PairOfAccesses]) -> Claims:
    """What a solution and its pairs claim."""
    interference = solution.interference
    listed = list(found)
    return Claims(
        solution.occurrences,
        tuple(solution.classes.listed),
        frozenset(solution.classes.many),
        frozenset(solution.spots.repeated),
        {place: tuple(parts.values()) for place, parts in solution.known.items()},
        dict(solution.globals.entries),
        {
            cls: (interference.closed(cls, known), result)
            for cls, (known, result) in solution.globals.ends.items()
        },
        dict(solution.globals.summaries),
        {
            (place_of(pair.first), place_of(pair.second)): pair.reasons
            for pair in listed
            if not pair.alarm
        },
        frozenset((place_of(pair.first), place_of(pair.second)) for pair in listed if pair.alarm),
    )


@dataclass
class _Tables:
    """Lists of what occurs often, as it is written. Mutable."""

    values: dict[frozenset[Atom], int] = field(default_factory=dict)
    spots: dict[Spot, int] = field(default_factory=dict)
    states: dict[int, tuple[int, Known]] = field(default_factory=dict)

    def value(self, value: Value) -> int | None:
        if value is None:
            return None
        return self.values.setdefault(value, len(self.values))

    def spot(self, spot: Spot) -> int:
        return self.spots.setdefault(spot, len(self.spots))

    def state(self, known: Known) -> int:
        return self.states.setdefault(id(known), (len(self.states), known))[0]


def written(claims: Claims) -> dict[str, Any]:
    """The claims as JSON can hold them."""
    tables = _Tables()
    data: dict[str, Any] = {
        "occurrences": claims.occurrences,
        "classes": [
            [c.template, c.parent, c.creator, list(c.site), c.occurrence] for c in claims.classes
        ],
        "many": sorted(claims.many),
        "repeated": [list(origin) for origin in sorted(claims.repeated)],
        "known": [
            [*place, [tables.state(one) for one in parts]] for place, parts in claims.known.items()
        ],
        "entries": [[cls, tables.state(known)] for cls, known in claims.entries.items()],
        "ends": [
            [cls, tables.state(known), tables.value(result)]
            for cls, (known, result) in claims.ends.items()
        ],
        "summaries": [
            [tables.spot(spot), tables.value(value)] for spot, value in claims.summaries.items()
        ],
        "pairs": [
            [list(a), list(b), [r if isinstance(r, int) else [tables.spot(r)] for r in reasons]]
            for (a, b), reasons in claims.reasons.items()
        ],
        "alarms": [[list(a), list(b)] for a, b in sorted(claims.alarms)],
    }
    before = NOTHING
    data["states"] = states = []
    for _, known in tables.states.values():
        changed = list(known.values.differing(before))
        base = before if len(changed) < len(known.values) else NOTHING
        states.append(
            [
                base is before,
                [
                    [_variable(v, tables), tables.value(known.get(v))]
                    for v in (changed if base is before else known.values)
                ],
                [[register, tables.spot(spot)] for register, spot in known.copies.items()],
            ]
        )
        before = known.values
    data["spots"] = [[*spot.origin, spot.offset] for spot in tables.spots]
    data["values"] = [
        sorted(([_NAMES[type(atom)], *_plain(atom)] for atom in value), key=repr)
        for value in tables.values
    ]
    return data


def _variable(variable: Variable, tables: _Tables) -> str | int:
    return variable if isinstance(variable, str) else tables.spot(variable)


def _plain(atom: Atom) -> list[Any]:
    match atom:
        case AddressOf(at, offset, stride, own, fresh):
            return [*at, offset, stride, own, fresh]
        case Self():
            return []
        case Number(value):
            return [value]
        case Multiple(stride, rest):
            return [stride, rest]
        case Thread(cls, other):
            return [cls, other]
        case Routine(name):
            return [name]
        case OwnBit(complement):
            return [complement]
        case Holds(bit, begun):
            return [bit, begun]


def read(data: Any) -> Claims:
    """The claims that `written` has made into data. Raises Malformed."""
    try:
        return _read(data)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise Malformed(f"{type(error).__name__} {error}") from error


def _read(data: Any) -> Claims:
    values: list[frozenset[Atom]] = [frozenset(map(_atom, atoms)) for atoms in data["values"]]
    spots = [Spot(Origin(str(k), int(o), str(n)), int(at)) for k, o, n, at in data["spots"]]

    def value(number: int | None) -> Value:
        return None if number is None else values[number]

    states: list[Known] = []
    parts: dict[frozenset[tuple[Variable, Atoms]], Part] = {}
    for like_before, changed, copies in data["states"]:
        base = states[-1].values if like_before and states else NOTHING
        held = base.but((v if isinstance(v, str) else spots[v], value(n)) for v, n in changed)
        of = {str(register): spots[spot] for register, spot in copies}
        states.append(Known(held.sharing(base, parts), of))
    return Claims(
        int(data["occurrences"]),
        tuple(
            ThreadClass(number, str(template), parent, str(creator), (site[0], site[1]), which)
            for number, (template, parent, creator, site, which) in enumerate(data["classes"])
        ),
        frozenset(map(int, data["many"])),
        frozenset(Origin(str(k), int(o), str(n)) for k, o, n in data["repeated"]),
        {
            (int(cls), int(location)): tuple(states[number] for number in parts)
            for cls, location, parts in data["known"]
        },
        {int(cls): states[number] for cls, number in data["entries"]},
        {int(cls): (states[number], value(result)) for cls, number, result in data["ends"]},
        {spots[spot]: value(number) for spot, number in data["summaries"]},
        {
            (_place(a), _place(b)): tuple(r if isinstance(r, int) else spots[r[0]] for r in reasons)
            for a, b, reasons in data["pairs"]
        },
        frozenset((_place(a), _place(b)) for a, b in data["alarms"]),
    )


def _atom(data: Any) -> Atom:
    name, *fields = data
    if name == "address":
        kind, owner, of, *rest = fields
        return AddressOf(Origin(kind, owner, of), *rest)
    return _ATOMS[name](*fields)


def _place(data: Any) -> AccessPlace:
    cls, location, edge, effect, writes = data
    return int(cls), int(location), int(edge), int(effect), bool(writes)
