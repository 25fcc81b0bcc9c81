"""The values of an integer that the program can tell apart: pieces of its type on which all agree.

The representatives of such an equivalence are enough to explore all behaviour (data abstraction by
a bisimulation: [DataAbstraction94]; here it is exact). An expression over the integer x is analysed
into *pieces*: intervals of x on each of which it is x + d for a constant d, or depends on x mod m
only (or faults, for all of the piece).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import lcm

from abpress.ir.expr import (
    MIRRORED,
    Addr,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    Float,
    FuncAddr,
    PtrAdd,
    PtrDiff,
    Reg,
    SameArray,
    Select,
    Unary,
)
from abpress.ir.program import Overflow
from abpress.ir.types import IntType, Scalar

MOST_PIECES = 64

LARGEST_MODULUS = 1 << 16

MOST_WRAPS = 4
"""More often than this a conversion is not followed round by round."""

_EXCHANGED = {**MIRRORED, "+": "+", "&": "&"}
"""Operator -> the one with its operands exchanged."""


@dataclass(frozen=True, slots=True)
class Shifted:
    """The value is x + `distance`."""

    distance: int


@dataclass(frozen=True, slots=True)
class Periodic:
    """The value, or the fault, is a function of x modulo `modulus`."""

    modulus: int


@dataclass(frozen=True, slots=True)
class Piece:
    """What an expression is for all x between `low` and `high`."""

    low: int
    high: int
    form: Shifted | Periodic


Pieces = tuple[Piece, ...]
"""By ascending x; together they are all values of its type."""


class Untold(Exception):
    """The expression tells apart more values than pieces can say."""


@dataclass(frozen=True, slots=True)
class Classes:
    """Two values are equivalent if no cut is between them and they are equal modulo `modulus`.

    A cut stands before the value that it is.
    """

    cuts: frozenset[int] = frozenset()
    modulus: int = 1

    def joined(self, other: Classes) -> Classes:
        """The coarsest equivalence that is finer than both. Raises Untold."""
        if other.cuts <= self.cuts and self.modulus % other.modulus == 0:
            return self
        joined = Classes(self.cuts | other.cuts, lcm(self.modulus, other.modulus))
        if len(joined.cuts) > MOST_PIECES or joined.modulus > LARGEST_MODULUS:
            raise Untold
        return joined

    def representatives(self, low: int, high: int, limit: int) -> tuple[int, ...] | None:
        """A value of each class between `low` and `high`, small ones where possible.

        None if there are more than `limit`.
        """
        chosen: list[int] = []
        bounds = [low, *sorted(cut for cut in self.cuts if low < cut <= high), high + 1]
        for first, behind in pairwise(bounds):
            count = min(self.modulus, behind - first)
            if len(chosen) + count > limit:
                return None
            start = min(max(first, 0), behind - count)
            chosen.extend(range(start, start + count))
        return tuple(chosen)


def told_apart(pieces: Pieces) -> Classes:
    """The values of x for which the value of the expression, or its fault, differs. Raises Untold.

    Untold where it is x + d: that tells all apart.
    """
    if any(isinstance(piece.form, Shifted) for piece in pieces):
        raise Untold
    return told_apart_before(pieces, Classes())


def told_apart_before(pieces: Pieces, after: Classes) -> Classes:
    """The values of x for which the values of the expression are told apart by `after`, or fault.

    Raises Untold.
    """
    cuts = {piece.low for piece in pieces[1:]}
    modulus = 1
    for piece in pieces:
        match piece.form:
            case Shifted(distance):
                moved = (cut - distance for cut in after.cuts)
                cuts.update(cut for cut in moved if piece.low < cut <= piece.high)
                modulus = lcm(modulus, after.modulus)
            case Periodic(period):
                modulus = lcm(modulus, period)
    return Classes().joined(Classes(frozenset(cuts), modulus))


def analyse(e: Expr, x: Reg, overflow: Overflow) -> Pieces:
    """The pieces of `e` as a function of the integer register x, the only one in it.

    Raises Untold.
    """
    assert isinstance(x.type, IntType)
    match e:
        case Reg():
            return (Piece(x.type.minimum, x.type.maximum, Shifted(0)),)
        case Const() | Addr() | FuncAddr():
            return (Piece(x.type.minimum, x.type.maximum, Periodic(1)),)
        case Convert(arg, type):
            return _flat(_converted(piece, type) for piece in analyse(arg, x, overflow))
        case Unary(_, arg):
            return _flat(_opaque(piece) for piece in analyse(arg, x, overflow))
        case Compare(op, left, right) | Binary(op, left, right):
            pairs = _aligned(analyse(left, x, overflow), analyse(right, x, overflow))
            return _flat(_combined(op, e, a, b, overflow) for a, b in pairs)
        case PtrAdd(left, right) | PtrDiff(left, right, _):
            pairs = _aligned(analyse(left, x, overflow), analyse(right, x, overflow))
            return _flat(_both_periodic(a, b) for a, b in pairs)
        case Float() | Select() | SameArray():
            raise Untold


def _flat(parts: Iterable[Pieces]) -> Pieces:
    pieces = tuple(piece for part in parts for piece in part)
    if len(pieces) > MOST_PIECES:
        raise Untold
    return pieces


def _aligned(left: Pieces, right: Pieces) -> Iterator[tuple[Piece, Piece]]:
    """The pieces of both cut to common intervals."""
    for a in left:
        for b in right:
            low, high = max(a.low, b.low), min(a.high, b.high)
            if low <= high:
                yield Piece(low, high, a.form), Piece(low, high, b.form)


def _split(piece: Piece, *cuts: int) -> Pieces:
    """The piece cut before each of the values, constant on each part."""
    inside = sorted({cut for cut in cuts if piece.low < cut <= piece.high})
    bounds = [piece.low, *inside, piece.high + 1]
    return tuple(Piece(low, behind - 1, Periodic(1)) for low, behind in pairwise(bounds))


def _opaque(piece: Piece) -> Pieces:
    if isinstance(piece.form, Shifted):
        raise Untold
    return (piece,)


def _both_periodic(a: Piece, b: Piece) -> Pieces:
    if isinstance(a.form, Shifted) or isinstance(b.form, Shifted):
        raise Untold
    return (Piece(a.low, a.high, Periodic(lcm(a.form.modulus, b.form.modulus))),)


def _converted(piece: Piece, type: Scalar) -> Pieces:
    if isinstance(piece.form, Periodic):
        return (piece,)
    if not isinstance(type, IntType):
        raise Untold
    return _wrapped(piece, piece.form.distance, type)


def _wrapped(piece: Piece, distance: int, type: IntType) -> Pieces:
    """x + distance wrapped to the type."""
    size = 1 << type.bits
    first = (piece.low + distance - type.minimum) // size
    last = (piece.high + distance - type.minimum) // size
    if last - first >= MOST_WRAPS:
        return (Piece(piece.low, piece.high, Periodic(size)),)
    pieces = []
    for k in range(first, last + 1):
        start = max(piece.low, type.minimum + k * size - distance)
        end = min(piece.high, type.maximum + k * size - distance)
        pieces.append(Piece(start, end, Shifted(distance - k * size)))
    return tuple(pieces)


def _combined(op: str, e: Binary | Compare, a: Piece, b: Piece, overflow: Overflow) -> Pieces:
    """`e`, which is `left op right`, where the operands are as in `a` and `b`."""
    match a.form, b.form:
        case Periodic(), Periodic():
            return _both_periodic(a, b)
        case Shifted(), Shifted():
            if isinstance(e, Compare) or op == "-":
                return _split(a)
            raise Untold
        case Shifted(distance), _ if isinstance(e.right, Const):
            return _with_number(op, a, distance, e.right.value, e.left.type, overflow)
        case _, Shifted(distance) if isinstance(e.left, Const) and op in _EXCHANGED:
            return _with_number(_EXCHANGED[op], b, distance, e.left.value, e.left.type, overflow)
        case _:
            raise Untold


def _with_number(
    op: str, piece: Piece, distance: int, number: int, type: Scalar, overflow: Overflow
) -> Pieces:
    """(x + distance) op number, in the type."""
    assert isinstance(type, IntType)
    at = number - distance
    match op:
        case "==" | "!=":
            return _split(piece, at, at + 1)
        case "<" | ">=":
            return _split(piece, at)
        case "<=" | ">":
            return _split(piece, at + 1)
        case "+" | "-":
            moved = distance + (number if op == "+" else -number)
            if not type.signed or overflow is Overflow.WRAP:
                return _wrapped(piece, moved, type)
            return _faulting_outside(piece, moved, type)
        case "%" if number > 0:
            return _periodic(piece, number, -distance)
        case "&" if number >= 0:
            return _periodic(piece, 1 << number.bit_length())
        case _:
            raise Untold


def _periodic(piece: Piece, modulus: int, *cuts: int) -> Pieces:
    return tuple(Piece(part.low, part.high, Periodic(modulus)) for part in _split(piece, *cuts))


def _faulting_outside(piece: Piece, distance: int, type: IntType) -> Pieces:
    """x + distance where that is in the type; elsewhere it faults."""
    start, end = type.minimum - distance, type.maximum - distance
    return tuple(
        Piece(part.low, part.high, Shifted(distance)) if start <= part.low <= end else part
        for part in _split(piece, start, end + 1)
    )
