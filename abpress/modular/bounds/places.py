"""Where pointers point, as proofs of accesses name it: objects, and offsets in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from abpress.ir.expr import Const, Expr, FuncAddr, Reg
from abpress.ir.types import IntType, PtrType, Scalar
from abpress.modular.bounds.members import of_place
from abpress.modular.handed import number_in

COUNT = IntType(32, False)
"""The type of counts."""

NULL = "null"
"""The object of null pointers."""

Place = tuple[str, int, int]
"""An object, by its name, and the least and the greatest offset in it."""

Pointees = frozenset[Place]
"""Where a pointer may point: one place for each object."""

NOWHERE: Place = (NULL, 0, 0)
"""Where null pointers point."""

INDEX_OF = IntType(32, True)
"""The type of such numbers."""

FARTHEST = 1 << 31
"""Offsets of pointers are less, and at least minus that, or behaviour is undefined."""

ANYWHERE = -FARTHEST, FARTHEST - 1
"""The offsets of a pointer of which only its object is known."""

_BEHIND = "[]"

_MINUS = "-"

_NUMBER = "="


def routine(e: FuncAddr) -> Place:
    """Where the address of a function points."""
    return f"{e.function}()", 0, 0


def is_routine(place: Place) -> bool:
    """Whether it is where the address of a function points."""
    return place[0].endswith("()") and place[1:] == (0, 0)


def count_of(object: str) -> str:
    """The name of the number of elements of an object on the heap."""
    return f"{of_place(object)}@count"


def is_null(e: Expr) -> bool:
    """Whether the expression is the null pointer."""
    return isinstance(e, Const) and isinstance(e.type, PtrType) and e.value == 0


def all_places(places: Iterable[Place]) -> Pointees:
    """The places, those in one object as one."""
    found: dict[str, tuple[int, int]] = {}
    for object, low, high in places:
        least, most = found.get(object, (low, high))
        found[object] = min(low, least), max(high, most)
    return frozenset((object, *span) for object, span in found.items())


def closer(a: Pointees | None, b: Pointees) -> Pointees:
    """Of places that are both said of one pointer, the first ones if they are among the others."""
    return b if a is None or all_places(a | b) != b else a


def index_of(register: str) -> str:
    """The name of the number of elements that a pointer in a register stands behind the begin."""
    return f"{register}{_BEHIND}"


def indexed_by(name: str) -> str | None:
    """The register, of the name of such a number."""
    return name.removesuffix(_BEHIND) if name.endswith(_BEHIND) else None


def carried(register: str) -> str:
    """The name of the number that a pointer in a register is. NOTE(handed-numbers)"""
    return f"{register}{_NUMBER}"


def number_carried(e: Expr, types: Mapping[str, Scalar]) -> Expr | None:
    """The number that a pointer is, by the names of numbers in registers, of these types; None if
    it may be an address."""

    def held(register: Reg) -> Expr | None:
        name = carried(register.name)
        return Reg(name, types[name]) if name in types else None

    return number_in(e, held)


def carrier(name: str) -> str | None:
    """The register, of the name of such a number."""
    return name.removesuffix(_NUMBER) if name.endswith(_NUMBER) else None


def minus(register: str) -> str:
    """The name of the number in a register, with the other sign: sums of two are differences."""
    return f"{_MINUS}{register}"


def plain(name: str) -> str:
    """The register, of the name of its number with the other sign; any other name."""
    return name.removeprefix(_MINUS)
