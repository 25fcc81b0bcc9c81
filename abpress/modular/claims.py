"""The claims of a thread-modular proof as data that JSON can hold, and back.

Values, spots and sets of states are listed once and named by their numbers. Of a set of states only
that is written in which it differs from the one before, if that is less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from abpress.errors import InputError
from abpress.ir.expr import Addr, Expr
from abpress.ir.types import PtrType
from abpress.later import later
from abpress.modular.addresses import AddressedCell, Base, NamedAddress
from abpress.modular.analysis import Solution
from abpress.modular.beside import Beside
from abpress.modular.classes import ThreadClass
from abpress.modular.pairs import AccessPoint, PairOfAccesses, Reason
from abpress.modular.spots import Spot
from abpress.modular.state import Copied, Known
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

_TEXT: Callable[[Expr], str] = later("abpress.logic.connectives", "format_expr")
_EXPR: Callable[[str], Expr] = later("abpress.ir.expr_reader", "parse_expr")

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
    reasons: dict[tuple[AccessPlace, AccessPlace], tuple[Reason, ...]]
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
    elements: dict[AddressedCell, int] = field(default_factory=dict)
    states: dict[int, tuple[int, Known]] = field(default_factory=dict)

    def value(self, value: Value) -> int | None:
        if value is None:
            return None
        return self.values.setdefault(value, len(self.values))

    def spot(self, spot: Spot) -> int:
        return self.spots.setdefault(spot, len(self.spots))

    def element(self, element: AddressedCell) -> int:
        found = self.elements.get(element)
        if found is None:
            base = element.address.base
            if isinstance(base, AddressedCell):
                self.element(base)  # what others name is listed before them
            found = self.elements[element] = len(self.elements)
        return found

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
            [list(a), list(b), [_reason(r, tables) for r in reasons]]
            for (a, b), reasons in claims.reasons.items()
        ],
        "alarms": [[list(a), list(b)] for a, b in sorted(claims.alarms)],
    }
    before = NOTHING
    data["states"] = states = []
    for _, known in tables.states.values():
        changed = list(known.values.differing(before))
        base = before if len(changed) < len(known.values) else NOTHING
        row: list[Any] = [
            base is before,
            [
                [_variable(v, tables), tables.value(known.get(v))]
                for v in (changed if base is before else known.values)
            ],
            [[register, _variable(cell, tables)] for register, cell in known.copies.items()],
        ]
        if known.moved:
            row.append([[register, _address(a, tables)] for register, a in known.moved.items()])
        states.append(row)
        before = known.values
    if tables.elements:
        data["elements"] = [
            [_address(e.address, tables), e.size, sorted(map(tables.spot, e.spots))]
            for e in tables.elements
        ]
    data["spots"] = [[*spot.origin, spot.offset] for spot in tables.spots]
    data["values"] = [
        sorted(([_NAMES[type(atom)], *_plain(atom)] for atom in value), key=repr)
        for value in tables.values
    ]
    return data


def _variable(variable: Variable, tables: _Tables) -> str | int | list[int]:
    if isinstance(variable, AddressedCell):
        return [tables.element(variable)]
    return variable if isinstance(variable, str) else tables.spot(variable)


def _address(address: NamedAddress, tables: _Tables) -> list[Any]:
    base = address.base
    name = [base.object, base.type.size] if isinstance(base, Addr) else _variable(base, tables)
    return [name, address.offset, [_TEXT(e) for e in address.by]]


def _reason(reason: Reason, tables: _Tables) -> Any:
    match reason:
        case Beside(first, second):
            return [first, second]
        case Spot():
            return [tables.spot(reason)]
        case _:
            return reason


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
    except (InputError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise Malformed(f"{type(error).__name__} {error}") from error


def _read(data: Any) -> Claims:
    values: list[frozenset[Atom]] = [frozenset(map(_atom, atoms)) for atoms in data["values"]]
    spots = [Spot(Origin(str(k), int(o), str(n)), int(at)) for k, o, n, at in data["spots"]]

    elements: list[AddressedCell] = []
    for address, size, its in data.get("elements", ()):
        found = frozenset(spots[n] for n in its)
        elements.append(AddressedCell(_read_address(address, spots, elements), int(size), found))

    def value(number: int | None) -> Value:
        return None if number is None else values[number]

    def variable(name: Any) -> Variable:
        return _read_variable(name, spots, elements)

    states: list[Known] = []
    parts: dict[frozenset[tuple[Variable, Atoms]], Part] = {}
    for like_before, changed, copies, *more in data["states"]:
        base = states[-1].values if like_before and states else NOTHING
        held = base.but((variable(v), value(n)) for v, n in changed)
        of = {str(register): _cell(variable(cell)) for register, cell in copies}
        to = {str(r): _read_address(a, spots, elements) for moved in more for r, a in moved}
        states.append(Known(held.sharing(base, parts), of, to))
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
            (_place(a), _place(b)): tuple(_read_reason(r, spots) for r in reasons)
            for a, b, reasons in data["pairs"]
        },
        frozenset((_place(a), _place(b)) for a, b in data["alarms"]),
    )


def _read_variable(name: Any, spots: list[Spot], elements: list[AddressedCell]) -> Variable:
    if isinstance(name, str):
        return name
    return spots[name] if isinstance(name, int) else elements[name[0]]


def _cell(variable: Variable) -> Copied:
    if isinstance(variable, str):
        raise ValueError(variable)
    return variable


def _read_address(data: Any, spots: list[Spot], elements: list[AddressedCell]) -> NamedAddress:
    name, offset, by = data
    base: Base
    if isinstance(name, list) and len(name) > 1:
        base = Addr(str(name[0]), 0, PtrType(int(name[1])))
    else:
        base = _read_variable(name, spots, elements)
    return NamedAddress(base, int(offset), tuple(_EXPR(text) for text in by))


def _read_reason(data: Any, spots: list[Spot]) -> Reason:
    if isinstance(data, int):
        return data
    return spots[data[0]] if len(data) == 1 else Beside(int(data[0]), int(data[1]))


def _atom(data: Any) -> Atom:
    name, *fields = data
    if name == "address":
        kind, owner, of, *rest = fields
        return AddressOf(Origin(kind, owner, of), *rest)
    return _ATOMS[name](*fields)


def _place(data: Any) -> AccessPlace:
    cls, location, edge, effect, writes = data
    return int(cls), int(location), int(edge), int(effect), bool(writes)
