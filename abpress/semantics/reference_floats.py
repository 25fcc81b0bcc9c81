"""The meaning of floating-point operators, as a definition: by exact fractions, slow and obvious.

`abpress.ir.floats` says which operators there are, and computes the same in the machine's numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from abpress.ir.types import IntType

_EXPONENT_BITS = {32: 8, 64: 11, 79: 15}
"""79 are the bits of the extended format without the one that it writes down."""


class _Real(NamedTuple):
    """A number that is no NaN; `size` is None of an infinity."""

    negative: bool
    size: Fraction | None

    @property
    def value(self) -> Fraction | float:
        """What compares as the number."""
        size = math.inf if self.size is None else self.size
        return -size if self.negative else size


_Number = _Real | None
"""None is a NaN."""

_Order = Callable[[Fraction], Fraction]
"""Negative, zero or positive for what is less than the exact result, equal to it, or greater."""


def apply(op: str, args: Sequence[int], of: IntType, type: IntType) -> int | None:
    """What the operator yields; None where `to` is undefined."""
    if op == "of":
        return _stored(_of(args[0], _bits(type)), type)
    bits = _bits(of)
    numbers = [_decoded(_bare(a, of), bits) for a in args]
    if op == "to":
        return _integer(numbers[0], type)
    if op in ("eq", "lt", "le"):
        return int(_holds(op, *numbers))
    return _stored(_computed(op, numbers, bits, _bits(type)), type)


def _of(n: int, bits: int) -> int:
    return _nearest(lambda v: v - abs(n), bits) | _sign(n < 0, bits)


def _computed(op: str, numbers: Sequence[_Number], bits: int, target: int) -> int:
    if None in numbers:
        return _nan(target)
    a, b = numbers[0], numbers[-1]
    assert a is not None and b is not None
    match op:
        case "add" | "sub":
            return _added(a, b if op == "add" else _Real(not b.negative, b.size), bits)
        case "mul" | "div":
            return _scaled(op, a, b, bits)
        case "sqrt":
            return _root(a, bits)
        case "as":
            return _encoded(a.negative, a.size, target)
        case _:
            return _encoded(a.negative, None if a.size is None else _whole(op, a), bits)


# -- the extended format --------------------------------------------------------------------------


def _bits(type: IntType) -> int:
    return 79 if type.bits == 80 else type.bits


def _bare(pattern: int, type: IntType) -> int:
    """Without the bit that is written down (NOTE(written-bit))."""
    if type.bits != 80:
        return pattern
    head, bit, rest = pattern >> 64, pattern >> 63 & 1, pattern & (1 << 63) - 1
    if head & 0x7FFF == 0:
        return (head | bit) << 63 | rest
    return head << 63 | rest if bit else _nan(79)


def _stored(pattern: int, type: IntType) -> int:
    """With it."""
    if type.bits != 80:
        return pattern
    head, rest = divmod(pattern, 1 << 63)
    return head << 64 | (head & 0x7FFF != 0) << 63 | rest


# -- patterns --------------------------------------------------------------------------------------


def _fields(bits: int) -> tuple[int, int]:
    """The bits of the exponent and of the fraction."""
    return _EXPONENT_BITS[bits], bits - 1 - _EXPONENT_BITS[bits]


def _sign(negative: bool, bits: int) -> int:
    return 1 << bits - 1 if negative else 0


def _infinite(bits: int) -> int:
    exponent, fraction = _fields(bits)
    return ((1 << exponent) - 1) << fraction


def _nan(bits: int) -> int:
    return _infinite(bits) + (1 << _fields(bits)[1] - 1)


def _magnitude(pattern: int, bits: int) -> Fraction:
    """The number of a pattern without sign; of that of infinity, what would follow the greatest."""
    width, fraction = _fields(bits)
    exponent, rest = divmod(pattern, 1 << fraction)
    bias = (1 << width - 1) - 1
    part = Fraction(rest, 1 << fraction)
    if exponent == 0:
        return part * _power(1 - bias)
    return (1 + part) * _power(exponent - bias)


def _power(n: int) -> Fraction:
    """2 to the power of n."""
    return Fraction(1 << max(n, 0), 1 << max(-n, 0))


def _decoded(pattern: int, bits: int) -> _Number:
    negative, rest = divmod(pattern, 1 << bits - 1)
    if rest > _infinite(bits):
        return None
    return _Real(bool(negative), None if rest == _infinite(bits) else _magnitude(rest, bits))


def _nearest(order: _Order, bits: int) -> int:
    """The pattern, without sign, that is nearest to a number that is not negative."""
    low, high = 0, _infinite(bits)
    if order(_magnitude(high, bits)) <= 0:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if order(_magnitude(middle, bits)) <= 0 else (low, middle)
    half = order((_magnitude(low, bits) + _magnitude(high, bits)) / 2)
    up = half < 0 or (half == 0 and low % 2 == 1)
    return high if up and order(_magnitude(low, bits)) != 0 else low


def _encoded(negative: bool, size: Fraction | None, bits: int) -> int:
    found = _infinite(bits) if size is None else _nearest(lambda v: v - size, bits)
    return found + _sign(negative, bits)


# -- operators -------------------------------------------------------------------------------------


def _holds(op: str, a: _Number, b: _Number) -> bool:
    if a is None or b is None:
        return False
    x, y = a.value, b.value
    return {"eq": x == y, "lt": x < y, "le": x <= y}[op]


def _added(a: _Real, b: _Real, bits: int) -> int:
    if a.size is None or b.size is None:
        if a.size is None and b.size is None and a.negative != b.negative:
            return _nan(bits)
        return _encoded(a.negative if a.size is None else b.negative, None, bits)
    total = (-a.size if a.negative else a.size) + (-b.size if b.negative else b.size)
    negative = total < 0 or (total == 0 and a.negative and b.negative)
    return _encoded(negative, abs(total), bits)


def _scaled(op: str, a: _Real, b: _Real, bits: int) -> int:
    negative = a.negative != b.negative
    if op == "div":
        if (a.size is None and b.size is None) or (a.size == 0 and b.size == 0):
            return _nan(bits)
        if a.size is None or b.size == 0:
            return _encoded(negative, None, bits)
        return _encoded(negative, Fraction(0) if b.size is None else a.size / b.size, bits)
    if a.size is None or b.size is None:
        return _nan(bits) if 0 in (a.size, b.size) else _encoded(negative, None, bits)
    return _encoded(negative, a.size * b.size, bits)


def _root(a: _Real, bits: int) -> int:
    size = a.size
    if a.negative and size != 0:
        return _nan(bits)
    if size is None:
        return _infinite(bits)
    return _nearest(lambda v: v * v - size, bits) + _sign(a.negative, bits)


def _whole(op: str, a: _Real) -> Fraction:
    """The size of a number that is rounded to a whole one."""
    assert a.size is not None
    x = -a.size if a.negative else a.size
    down = math.floor(a.size)
    match op:
        case "floor":
            whole = abs(math.floor(x))
        case "ceil":
            whole = abs(math.ceil(x))
        case "trunc":
            whole = down
        case "round":
            whole = down + (a.size - down >= Fraction(1, 2))
        case _:
            rest = a.size - down
            whole = down + (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and down % 2 == 1))
    return Fraction(whole)


def _integer(a: _Number, type: IntType) -> int | None:
    if a is None or a.size is None:
        return None
    whole = math.floor(a.size) * (-1 if a.negative else 1)
    return whole if type.minimum <= whole <= type.maximum else None
