"""Certificates of numeric facts as data and as text (JSON).

They say what holds wherever a thread stands, per template and location, in the words of
`abpress.modular.numbers.box`; what cells hold that several threads see; which of these cells are
bounded by counting; and which checks are proved locally. Where it is needed they say, as
certificates of thread-modular proofs do, at which places no two threads stand at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from abpress.config import Place
from abpress.ir.program import Program
from abpress.modular.claims import Claims, Malformed, read, written
from abpress.modular.numbers.cells import Cells
from abpress.proof.certificate import Rejected
from abpress.proof.protocols import Claimed
from abpress.proof.stands import format_stands, parse_stands

FORMAT = "abpress numeric certificate"
VERSION = 3

Span = tuple[int, int]
Sum = tuple[tuple[tuple[str, int], ...], int, int]
"""Factors of earlier values of cells, and the bounds of the number that is added."""


@dataclass(frozen=True, slots=True)
class Stand:
    """What a thread knows where it stands: registers, cells, copies of cells, and sums."""

    regs: Mapping[str, Span]
    cells: Cells
    same: Mapping[str, str]
    sums: Mapping[str, Sum]


@dataclass(frozen=True, slots=True)
class NumericCertificate:
    """Why no check of a program fails, but for `alarms`. `claims` are about single threads."""

    program: str
    property: str
    stands: Mapping[tuple[str, int], tuple[Stand, ...]]
    shared: Mapping[str, Span]
    counted: tuple[str, ...]
    local: tuple[Place, ...]
    alarms: tuple[Place, ...]
    claims: Claims | None = None
    format: str = FORMAT

    def properties(self) -> tuple[str, ...]:
        """The property that it proves."""
        return (self.property,)

    def variant_of(self) -> tuple[str, ...]:
        """The property that the variant of the program is for."""
        return (self.property,)


def format_numeric(c: NumericCertificate) -> str:
    """The certificate as JSON; what is known at a location stands on a line."""
    turns = _CellsInTurn()
    head: dict[str, Any] = {
        "format": c.format,
        "version": VERSION,
        "program": c.program,
        "property": c.property,
        "shared": dict(c.shared),
        "counted": c.counted,
        "local": c.local,
        "alarms": c.alarms,
    }
    if c.claims is not None:
        head["claims"] = written(c.claims)
    return format_stands(head, c.stands, partial(_stand_data, turns))


class _CellsInTurn:
    """What cells hold, of one stand after the other: only that is written in which it differs from
    the one before, if that is less. Mutable."""

    def __init__(self) -> None:
        self._before = Cells()

    def written(self, cells: Cells) -> dict[str, Any]:
        """The data of the next stand."""
        before, self._before = self._before, cells
        changed = {cell: value for cell, value, _ in cells.differing(before)}
        gone = [cell for cell, _, its in before.differing(cells) if its is None]
        if len(changed) + len(gone) < len(cells):
            return {"changed": changed, "gone": gone}
        return {"cells": dict(cells)} if cells else {}

    def read(self, data: Any) -> Cells:
        """What the data of the next stand say."""
        if "changed" in data:
            found = self._before.copy()
            for cell in data["gone"]:
                del found[str(cell)]
            found.update(_spans(data["changed"]))
        else:
            found = Cells(_spans(data.get("cells", {})))
        self._before = found
        return found


def _stand_data(turns: _CellsInTurn, s: Stand) -> dict[str, Any]:
    data: dict[str, Any] = {"regs": dict(s.regs), **turns.written(s.cells)}
    for name, part in (("same", s.same), ("sums", s.sums)):
        if part:
            data[name] = dict(part)
    return data


def write_numeric(program: Program, c: NumericCertificate, claimed: Claimed) -> str:
    """The text of the certificate."""
    return format_numeric(c)


def parse_numeric(data: Any) -> NumericCertificate:
    """The certificate that JSON data says. Raises Rejected where it is of another form."""
    try:
        stands = parse_stands(data, VERSION, partial(_stand, _CellsInTurn()))
        return NumericCertificate(
            str(data["program"]),
            str(data["property"]),
            stands,
            _spans(data["shared"]),
            tuple(map(str, data["counted"])),
            tuple(_place(place) for place in data["local"]),
            tuple(_place(place) for place in data["alarms"]),
            read(data["claims"]) if "claims" in data else None,
        )
    except (Malformed, KeyError, TypeError, ValueError, AttributeError) as error:
        raise Rejected(f"it is not of the form of numeric certificates: {error!r:.80}") from error


def _place(data: Any) -> Place:
    template, location, index = data
    return str(template), int(location), int(index)


def _span(data: Any) -> Span:
    low, high = data
    if type(low) is not int or type(high) is not int:
        raise ValueError(data)
    return low, high


def _spans(data: Any) -> dict[str, Span]:
    return {str(name): _span(value) for name, value in data.items()}


def _stand(turns: _CellsInTurn, data: Any) -> Stand:
    sums: dict[str, Sum] = {}
    for name, (terms, low, high) in data.get("sums", {}).items():
        factors = tuple((str(cell), _span((factor, 0))[0]) for cell, factor in terms)
        sums[str(name)] = (factors, *_span((low, high)))
    return Stand(
        _spans(data["regs"]),
        turns.read(data),
        {str(cell): str(register) for cell, register in data.get("same", {}).items()},
        sums,
    )
