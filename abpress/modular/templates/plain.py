"""Numbers in pointers: what threads are given is often one, and no address."""

from __future__ import annotations

from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, Unary
from abpress.ir.types import IntType, PtrType


def number_in(pointer: Expr, type: IntType) -> Expr | None:
    """The number that a pointer is, in the unsigned type of its size; None if it may be none."""
    match pointer:
        case Const(n, _):
            return Const(type.wrap(n), type)
        case Convert(of, _) if isinstance(of.type, PtrType):
            return number_in(of, type)
        case Convert(of, _):
            return Convert(without_pointers(of, type), type)
        case _:
            return None


def without_pointers(e: Expr, type: IntType) -> Expr:
    """An integer expression with the same value, that speaks of no pointers that are numbers."""
    match e:
        case Convert(of, to) if isinstance(of.type, PtrType):
            number = number_in(of, type)
            return e if number is None else Convert(number, to)
        case Compare(op, a, b) if isinstance(a.type, PtrType):
            x, y = number_in(a, type), number_in(b, type)
            return e if x is None or y is None else Compare(op, x, y)
        case Convert(of, to):
            return Convert(without_pointers(of, type), to)
        case Unary(op, of):
            return Unary(op, without_pointers(of, type))
        case Binary(op, a, b):
            return Binary(op, without_pointers(a, type), without_pointers(b, type))
        case Compare(op, a, b):
            return Compare(op, without_pointers(a, type), without_pointers(b, type))
        case _:
            return e
