"""Bounds of the values of expressions, from their types and operators alone."""

from __future__ import annotations

from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, Float, Unary, is_condition
from abpress.ir.intervals import Interval, around, combined, negative, within
from abpress.ir.types import IntType, Scalar

ADDRESSES = (0, (1 << 64) - 1)


def scalar_bounds(type: Scalar) -> Interval:
    """The least and the greatest value of a type; pointers of all sizes have the same."""
    return (type.minimum, type.maximum) if isinstance(type, IntType) else ADDRESSES


def type_bounds(e: Expr) -> Interval:
    """The bounds that the type of `e` gives."""
    return scalar_bounds(e.type)


def bounds(e: Expr) -> Interval:
    """An interval with every value of `e`, signed overflow wrapping."""
    match e:
        case Const(value, IntType()):
            return value, value
        case Compare():
            return 0, 1
        case Float() if is_condition(e):
            return 0, 1
        case Convert(arg, IntType()) if isinstance(arg.type, IntType):
            inner = bounds(arg)
        case Unary() | Binary() if isinstance(e.type, IntType):
            inner = exact_bounds(e)
        case _:
            return type_bounds(e)
    outer = type_bounds(e)
    return inner if within(inner, outer) else outer


def exact_bounds(e: Unary | Binary) -> Interval:
    """Bounds of the result of e's operator before it is brought into the type."""
    match e:
        case Unary("-", arg):
            return negative(bounds(arg))
        case Unary():
            low, high = bounds(e.arg)
            least, most = type_bounds(e)
            return least + most - high, least + most - low
        case Binary(op, left, right):
            return _binary(e, op, bounds(left), bounds(right))


def _binary(e: Binary, op: str, a: Interval, b: Interval) -> Interval:
    match op:
        case "+" | "-" | "*":
            return combined(op, a, b)
        case "/":
            far = max(abs(a[0]), abs(a[1]))
            if a[0] >= 0 and b[0] >= 0:
                return 0, a[1]
            return -far, far
        case "%":
            if b[0] <= 0 <= b[1]:  # the rest of a division by zero is the dividend
                return min(a[0], 0), max(a[1], 0)
            rest = max(abs(b[0]), abs(b[1])) - 1
            return max(min(a[0], 0), -rest), min(max(a[1], 0), rest)
        case "<<":
            bits = e.type.bits
            least, most = max(0, min(b[0], bits)), max(0, min(b[1], bits - 1))
            return around([0, *(x << y for x in a for y in (least, most))])
        case ">>":
            return min(a[0], 0), max(a[1], 0)
        case "&" if a[0] >= 0 or b[0] >= 0:
            return 0, min(v[1] for v in (a, b) if v[0] >= 0)
        case _ if a[0] >= 0 and b[0] >= 0:
            return 0, (1 << max(a[1].bit_length(), b[1].bit_length())) - 1
        case _:
            return type_bounds(e)
