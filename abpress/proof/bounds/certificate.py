"""Certificates of valid accesses as data and as text (JSON): what holds wherever a thread stands,
per template and location, in the words of `abpress.modular.bounds`, and what cells hold. Where it
is needed they say, as certificates of thread-modular proofs do, at which places no two threads
stand at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from abpress.config import Place
from abpress.ir.program import Program
from abpress.modular.apart import At
from abpress.modular.claims import Claims, Malformed, read, written
from abpress.proof.certificate import Rejected
from abpress.proof.protocols import Claimed
from abpress.proof.stands import format_stands, parse_stands

FORMAT = "abpress certificate of accesses"
VERSION = 3

Difference = tuple[str, str, int]
"""The first variable is at most the second one and the number; the empty name is 0."""

Places = frozenset[tuple[str, int, int]]
"""Objects, or null, and the least and the greatest offset in them."""

Span = tuple[int, int]

Wrapped = tuple[str, str, int]
"""The first register is the second one and the number, modulo their type."""

Written = tuple[str, int]
"""A pointer, by the text of what computes it, and by how many bytes it is moved.
NOTE(written-numbers)"""

Rest = tuple[str, int, int]
"""The variable, less the second number, is a multiple of the first one."""


@dataclass(frozen=True, slots=True)
class BoundsStand:
    """What a thread knows where it stands. In `fresh` are the places of which it may have an object
    that only it knows; some registers hold the `same` as what is behind where another one points,
    NOTE(members). At addresses in `written` there is a number that was written."""

    flags: Mapping[str, int]
    pointers: Mapping[str, Places]
    differences: tuple[Difference, ...]
    rests: tuple[Rest, ...] = ()
    fresh: tuple[str, ...] = ()
    same: Mapping[str, str] = field(default_factory=dict)
    wrapped: tuple[Wrapped, ...] = ()
    written: tuple[Written, ...] = ()

    def numbers(self) -> frozenset[str]:
        """The variables of whose numbers it speaks."""
        compared = (name for x, y, _ in self.differences for name in (x, y) if name)
        return frozenset((*compared, *(name for name, *_ in self.rests)))


@dataclass(frozen=True, slots=True)
class BoundsCertificate:
    """Why every access is valid. `always` says what cells hold while there are several threads, and
    how many elements at least the objects have that a place allocates; `claims` are about single
    threads, `ends` say what cells hold when the only thread of a template has ended. `alarms` are
    the edges whose accesses are left open. At `private` places threads write no members but those
    of objects that only they know."""

    program: str
    property: str
    stands: Mapping[tuple[str, int], tuple[BoundsStand, ...]]
    always: Mapping[str, Span | Places]
    claims: Claims | None = None
    ends: Mapping[str, BoundsStand] = field(default_factory=dict)
    alarms: tuple[Place, ...] = ()
    rests: tuple[Rest, ...] = ()
    private: frozenset[At] = frozenset()
    format: str = FORMAT

    def properties(self) -> tuple[str, ...]:
        """The property that it proves."""
        return (self.property,)

    def variant_of(self) -> tuple[str, ...]:
        """The property that the variant of the program is for."""
        return (self.property,)


def format_bounds(c: BoundsCertificate) -> str:
    """The certificate as JSON; what is known at a location stands on a line."""
    head: dict[str, Any] = {
        "format": c.format,
        "version": VERSION,
        "program": c.program,
        "property": c.property,
        "always": {
            cell: {"points": sorted(content)} if isinstance(content, frozenset) else content
            for cell, content in c.always.items()
        },
    }
    if c.rests:
        head["rests"] = c.rests
    if c.alarms:
        head["alarms"] = c.alarms
    if c.private:
        head["private"] = sorted(c.private)
    if c.claims is not None:
        head["claims"] = written(c.claims)
        head["ends"] = {name: _stand_data(stand) for name, stand in c.ends.items()}
    return format_stands(head, c.stands, _stand_data)


def _stand_data(s: BoundsStand) -> dict[str, Any]:
    points = {name: sorted(places) for name, places in s.pointers.items()}
    data = {"flags": dict(s.flags), "points": points, "differences": s.differences}
    data |= {"rests": s.rests, "fresh": s.fresh, "same": dict(s.same), "wrapped": s.wrapped}
    data["written"] = s.written
    return {name: value for name, value in data.items() if value}


def write_bounds(program: Program, c: BoundsCertificate, claimed: Claimed) -> str:
    """The text of the certificate."""
    return format_bounds(c)


def parse_bounds(data: Any) -> BoundsCertificate:
    """The certificate that JSON data says. Raises Rejected where it is of another form."""
    try:
        stands = parse_stands(data, VERSION, _stand)
        return BoundsCertificate(
            str(data["program"]),
            str(data["property"]),
            stands,
            {str(cell): _content(content) for cell, content in data["always"].items()},
            read(data["claims"]) if "claims" in data else None,
            {str(name): _stand(stand) for name, stand in data.get("ends", {}).items()},
            tuple((str(name), _number(i), _number(k)) for name, i, k in data.get("alarms", ())),
            _rests(data),
            frozenset((str(name), _number(i)) for name, i in data.get("private", ())),
        )
    except (Malformed, KeyError, TypeError, ValueError, AttributeError) as error:
        raise Rejected(f"it is not of the form of these certificates: {error!r:.80}") from error


def _number(data: Any) -> int:
    if type(data) is not int:
        raise ValueError(data)
    return data


def _places(data: Any) -> Places:
    return frozenset((str(object), _number(low), _number(high)) for object, low, high in data)


def _rests(data: Any) -> tuple[Rest, ...]:
    return tuple((str(x), _number(m), _number(r)) for x, m, r in data.get("rests", ()))


def _content(data: Any) -> Span | Places:
    if isinstance(data, dict):
        return _places(data["points"])
    low, high = data
    return _number(low), _number(high)


def _stand(data: Any) -> BoundsStand:
    return BoundsStand(
        {str(name): _number(value) for name, value in data.get("flags", {}).items()},
        {str(name): _places(value) for name, value in data.get("points", {}).items()},
        tuple((str(x), str(y), _number(c)) for x, y, c in data.get("differences", ())),
        _rests(data),
        tuple(map(str, data.get("fresh", ()))),
        {str(register): str(name) for register, name in data.get("same", {}).items()},
        tuple((str(x), str(y), _number(c)) for x, y, c in data.get("wrapped", ())),
        tuple((str(name), _number(by)) for name, by in data.get("written", ())),
    )
