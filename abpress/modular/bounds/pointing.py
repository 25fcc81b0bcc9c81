"""Where addresses point, and whether an access there is valid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeGuard

from abpress.ir.expr import Addr, Compare, Const, Expr, FuncAddr, PtrAdd, Reg, walk
from abpress.ir.intervals import Interval, within
from abpress.ir.types import IntType, PtrType
from abpress.modular.bounds.memory import AccessMemory
from abpress.modular.bounds.places import (
    ANYWHERE,
    NOWHERE,
    NULL,
    Place,
    Pointees,
    count_of,
    index_of,
    is_null,
    is_routine,
)
from abpress.modular.bounds.state import MOST_POINTEES
from abpress.modular.bounds.values import Sum, Values, number

Content = tuple[int, int] | Pointees
"""What a cell may hold at all times: numbers of an interval, or pointers."""


def _is_fixed(e: PtrAdd) -> bool:
    return isinstance(e.pointer, Addr) and isinstance(e.bytes, Const)


def _compares(e: Expr) -> TypeGuard[Compare]:
    """Whether an expression tells whether two pointers are the same, neither of which is null."""
    return (
        isinstance(e, Compare)
        and isinstance(e.left.type, PtrType)
        and not is_null(e.left)
        and not is_null(e.right)
    )


def _at(places: Pointees) -> int | None:
    """The offset that a pointer has in whichever object it is in, if that is known."""
    offsets = {offset for _, low, high in places for offset in (low, high)}
    known = len(offsets) == 1 and not any(o == NULL or is_routine((o, 0, 0)) for o, *_ in places)
    return offsets.pop() if known else None


def _offsets(low: int, high: int) -> Interval:
    return (low, high) if within((low, high), ANYWHERE) else ANYWHERE


@dataclass(frozen=True, slots=True)
class Pointing:
    """What a thread of a template that stands at a location knows of pointers."""

    memory: AccessMemory
    template: str
    location: int
    values: Values
    always: Mapping[str, Content | None]

    def address(self, e: Expr) -> tuple[Pointees | None, Sum | None]:
        """Where a pointer points, and by how much it is moved."""
        match e:
            case Reg(name, _):
                return self._register(name)
            case Addr() | FuncAddr():
                place = self.memory.objects.address(self.template, self.location, e)
                return (None if place is None else frozenset({place})), number(0)
            case PtrAdd(p, distance):
                places, moved = self.address(p)
                more = self.values.sum(distance)
                if places is None or moved is None or more is None:
                    return places, None
                most = IntType(8 * e.type.size, True).maximum  # what is greater counts as negative
                if self.values.bounds(more)[1] > most and not (
                    isinstance(distance.type, IntType) and distance.type.signed
                ):
                    return places, None
                return places, moved.plus(more)
            case _ if is_null(e):
                return frozenset({NOWHERE}), number(0)
            case _:
                return None, None

    def _register(self, name: str) -> tuple[Pointees | None, Sum | None]:
        state = self.values.state
        places = state.pointers.get(name)
        size = self.memory.indexed[self.template].get(name)
        index = index_of(name)
        if size is None or not places or _at(places) is not None:
            return places, number(0)
        if state.zone.low(index) is None and state.zone.high(index) is None:
            return places, number(0)
        return frozenset((o, 0, 0) for o, *_ in places), Sum(((index, size),), 0, 0)

    def offset(self, places: Pointees | None, moved: Sum | None) -> Sum | None:
        """The offset of a pointer in its object, where that is the same in whichever it is."""
        at = None if places is None else _at(places)
        if at is None or moved is None:
            return None
        found = moved.plus(number(at))
        return found if within(self.values.bounds(found), ANYWHERE) else None

    def in_one(self, e: Expr) -> tuple[str, Sum] | None:
        """The object and the offset in it, if a pointer is to one that all pointers of its name are
        to."""
        places, moved = self.address(e)
        offset = self.offset(places, moved)
        if places is None or len(places) != 1 or offset is None:
            return None
        ((object, *_),) = places
        return (object, offset) if self.memory.is_one_object(object) else None

    def moved(self, places: Pointees | None, by: Sum | None) -> Pointees | None:
        """Where a pointer points that is moved from there; None if that is not known."""
        if not places or by is None or len(places) > MOST_POINTEES:
            return None
        low, high = self.values.bounds(by)
        if (low, high) != (0, 0) and any(o == NULL for o, *_ in places):
            return None
        return frozenset((o, *_offsets(k + low, m + high)) for o, k, m in places)

    def strays(self, e: Expr) -> bool:
        """Whether a pointer that an expression computes may be beside its object, or one that it
        compares with another may be to nothing that lives; those that it computes for a comparison
        with null do not count less. What is accessed is not asked here."""
        return any(
            (isinstance(sub, PtrAdd) and not _is_fixed(sub) and not self._is_within(sub))
            or (_compares(sub) and not all(map(self._is_within, (sub.left, sub.right))))
            for sub in walk(e)
        )

    def _is_within(self, e: Expr) -> bool:
        """Whether a pointer is to an object that lives, or just behind it, or null."""
        places, moved = self.address(e)
        if not places or moved is None:
            return False
        return all(
            (moved == number(0) and (place == NOWHERE or is_routine(place)))
            or not self.doubt(place, moved, 0, False)
            for place in places
        )

    def doubt(self, place: Place, moved: Sum, size: int, writes: bool) -> str:
        """Which fact is missing to show that an access to so many bytes, so far from a place, is
        valid; empty if none is."""
        missing = self._missing(place, moved, size, writes)
        return missing and missing.format(self.memory.objects.in_words(place[0]))

    def _missing(self, place: Place, moved: Sum, size: int, writes: bool) -> str:
        """The same, with braces for the object."""
        object, low, high = place
        layout = self.memory.objects.layout(object)
        if object == NULL:
            return "it is not known that the pointer is not null"
        if layout is None or (writes and self.memory.objects.is_readonly(object)):
            return "{} cannot be accessed so"
        if not self.memory.objects.lives(self.template, self.location, object):
            return "it is not known that {} still lives here"
        if self.values.bounds(moved)[0] + low < 0:
            return "it is not known that the offset in {} is not negative"
        behind = moved.plus(number(high + size))
        beyond = "it is not known that the offset in {} is below its size"
        if not self.memory.objects.on_heap(object):
            return "" if self.values.bounds(behind)[1] <= layout.size else beyond
        count = count_of(object)
        least = self.always.get(count)
        if isinstance(least, tuple) and self.values.bounds(behind)[1] <= least[0] * layout.size:
            return ""
        if not self.memory.is_one(count):
            return f"{beyond}, which is not known"
        match behind.terms:
            case ((x, k),) if k == layout.size:
                most = -(-behind.high // k)
                fits = self.values.bounds(Sum(((x, 1), (count, -1)), most, most))[1] <= 0
            case _:
                whole = Sum(((count, layout.size),), 0, 0)
                fits = self.values.bounds(behind.plus(whole, -1))[1] <= 0
        return "" if fits else beyond
