"""Terms and formulas that the checker of accesses makes of places and numbers.
NOTE(valid-accesses), NOTE(indexed-pointers)"""

from __future__ import annotations

from abpress.ir.expr import Addr, Binary, Compare, Const, Convert, Expr, FuncAddr
from abpress.ir.program import Initial
from abpress.ir.types import INDEX, IntType, PtrType, Scalar
from abpress.logic.formula import FALSE, Formula, conj, holds, no_overflow
from abpress.modular.bounds.places import ANYWHERE, NOWHERE, NULL, is_routine, routine
from abpress.proof.bounds.certificate import Places, Span

Pointed = tuple[Places, Expr]
"""Where a pointer points, and by how much it is moved from there."""

NOT_MOVED = Const(0, INDEX)


def offset_in(places: Places) -> int | None:
    """The offset of a pointer in whichever object it is, if that is one number."""
    offsets = {offset for _, low, high in places for offset in (low, high)}
    return offsets.pop() if len(offsets) == 1 and not leads_nowhere(places) else None


def leads_nowhere(places: Places) -> bool:
    """Whether a pointer may be to no object."""
    return not places or any(o == NULL or is_routine((o, 0, 0)) for o, *_ in places)


def is_offset(at: Expr) -> Formula:
    """The formula that a sum is the offset of a pointer, and not one that the pointer has modulo
    its size. NOTE(indexed-pointers)"""
    return conj((no_overflow(at), *between(at, ANYWHERE)))


def divided(e: Expr, by: int) -> Expr:
    """The quotient of a sum of 64 bits that is a multiple, and has not overflowed."""
    return _quotient(e, by) or Binary("/", e, Const(by, INDEX))


def _quotient(e: Expr, by: int) -> Expr | None:
    """The same where each part of the sum is a multiple."""
    match e:
        case Const(n, type) if n % by == 0:
            return Const(n // by, type)
        case Binary("*", a, Const(n, type)) if n % by == 0:
            return a if n == by else Binary("*", a, Const(n // by, type))
        case Binary("+", a, b):
            left, right = _quotient(a, by), _quotient(b, by)
            return None if left is None or right is None else Binary("+", left, right)
        case _:
            return None


def among(pointed: Pointed, places: Places) -> Formula:
    """The formula that a pointer points to one of the places; each object is among them once."""
    spans = {object: (low, high) for object, low, high in places}
    its, moved = pointed
    goals: list[Formula] = []
    for object, low, high in its:
        if object not in spans:
            return FALSE
        if spans[object] == ANYWHERE:
            continue
        least, most = sum_of(moved, Const(low, INDEX)), sum_of(moved, Const(high, INDEX))
        goals += (
            no_overflow(least),
            no_overflow(most),
            holds(Compare(">=", least, Const(spans[object][0], INDEX))),
            holds(Compare("<=", most, Const(spans[object][1], INDEX))),
        )
    return conj(goals)


def initially(initial: Initial) -> Pointed | None:
    """Where a pointer points at first; None if that is not known, or it is none."""
    match initial:
        case Addr(object, offset, _):
            return frozenset({(object, offset, offset)}), NOT_MOVED
        case FuncAddr():
            return frozenset({routine(initial)}), NOT_MOVED
        case Const(0, PtrType()):
            return frozenset({NOWHERE}), NOT_MOVED
        case _:
            return None


def sum_of(a: Expr, b: Expr) -> Expr:
    """The sum of two numbers of 64 bits."""
    if isinstance(a, Const) and isinstance(b, Const):
        return Const(a.value + b.value, INDEX)
    return Binary("+", a, b)


def wide_type(*types: Scalar) -> IntType:
    """A type of twice the bits: no difference of numbers of the types wraps there, signed or not.
    NOTE(valid-accesses)"""
    return IntType(max(INDEX.bits, *(2 * type.bits for type in types)), True)


def converted(e: Expr, type: IntType) -> Expr:
    """An integer as one of a type."""
    return e if e.type == type else Convert(e, type)


def multiple(e: Expr, modulus: int, rest: int) -> Formula:
    """The formula that a number, less the rest, is a multiple of the modulus."""
    type = wide_type(e.type)
    less = Binary("-", converted(e, type), Const(rest, type))
    return holds(Compare("==", Binary("%", less, Const(modulus, type)), Const(0, type)))


def between(e: Expr, span: Span) -> tuple[Formula, Formula]:
    """The formulas that a number is in an interval."""
    low, high = span
    type = wide_type(e.type)
    return (
        holds(Compare(">=", converted(e, type), Const(low, type))),
        holds(Compare("<=", converted(e, type), Const(high, type))),
    )
