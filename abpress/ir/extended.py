"""IEEE 754 arithmetic on the patterns of x86's extended format, by integers.

A pattern of 80 bits has a sign, 15 bits of an exponent, and 64 of a significand, of which the
first, unlike in the other formats, is written down: it is 0 where the exponent is 0, else 1.
NOTE(written-bit): memory may hold patterns in which it is otherwise. With an exponent, they are
operands that the processor refuses: NaNs. Without, they are the numbers that the bits say.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

PRECISION, LEAST = 64, -16445
"""Bits of the significand, and the exponent of the least number."""

_SIGN = 1 << 79
_INFINITE = 0x7FFF << 64 | 1 << 63
QUIET = _INFINITE | 1 << 62
"""The NaN that operations yield."""


class Extended(NamedTuple):
    """A number that is no NaN: `significand` times 2 to the power of `exponent`; without a
    significand, infinite."""

    negative: bool
    significand: int | None
    exponent: int = 0


def decoded(pattern: int) -> Extended | None:
    """The number that has a pattern; None of NaNs."""
    negative, rest = divmod(pattern, _SIGN)
    field, significand = divmod(rest, 1 << PRECISION)
    if field > 0 and (rest > _INFINITE or not significand >> PRECISION - 1):
        return None
    if rest == _INFINITE:
        return Extended(bool(negative), None)
    return Extended(bool(negative), significand, max(field, 1) - 1 + LEAST)


def nearest(significand: int, exponent: int) -> int:
    """The pattern that is nearest to a number that is not negative."""
    if significand == 0:
        return 0
    unit = max(significand.bit_length() + exponent - PRECISION, LEAST)
    lost = unit - exponent
    units = significand >> lost if lost > 0 else significand << -lost
    if lost > 0:
        rest, half = significand & (1 << lost) - 1, 1 << lost - 1
        units += rest > half or (rest == half and units % 2 == 1)
    if units >> PRECISION:
        units, unit = units >> 1, unit + 1
    field = unit - LEAST + (units >> PRECISION - 1)
    return _INFINITE if field >= 0x7FFF else field << PRECISION | units


def quotient(a: int, b: int) -> tuple[int, int]:
    """A significand and an exponent that are rounded as a / b is: the last bit tells of a rest."""
    shift = max(0, PRECISION + 3 + b.bit_length() - a.bit_length())
    whole, rest = divmod(a << shift, b)
    return whole << 1 | (rest != 0), -shift - 1


def rounded(numerator: int, denominator: int) -> int:
    """The pattern that is nearest to a fraction that is not negative."""
    return nearest(*quotient(numerator, denominator))


def fraction(pattern: int) -> tuple[int, int] | None:
    """A number as numerator and denominator; None where it is none or infinite."""
    x = decoded(pattern)
    if x is None or x.significand is None:
        return None
    size = -x.significand if x.negative else x.significand
    return size << max(x.exponent, 0), 1 << max(-x.exponent, 0)


def _encoded(negative: bool, significand: int | None, exponent: int = 0) -> int:
    size = _INFINITE if significand is None else nearest(significand, exponent)
    return size | _SIGN if negative else size


# -- operators ------------------------------------------------------------------------------------


def _added(a: Extended, b: Extended) -> int:
    if a.significand is None or b.significand is None:
        if a.significand is b.significand and a.negative != b.negative:
            return QUIET
        return _encoded(a.negative if a.significand is None else b.negative, None)
    exponent = min(a.exponent, b.exponent)
    total = sum(
        (-x.significand if x.negative else x.significand) << x.exponent - exponent
        for x in (a, b)
        if x.significand is not None
    )
    negative = total < 0 or (total == 0 and a.negative and b.negative)
    return _encoded(negative, abs(total), exponent)


def _subtracted(a: Extended, b: Extended) -> int:
    return _added(a, b._replace(negative=not b.negative))


def _multiplied(a: Extended, b: Extended) -> int:
    negative = a.negative != b.negative
    if a.significand is None or b.significand is None:
        return QUIET if 0 in (a.significand, b.significand) else _encoded(negative, None)
    return _encoded(negative, a.significand * b.significand, a.exponent + b.exponent)


def _divided(a: Extended, b: Extended) -> int:
    negative = a.negative != b.negative
    if a.significand == b.significand and a.significand in (None, 0):
        return QUIET
    if a.significand is None or b.significand == 0:
        return _encoded(negative, None)
    if b.significand is None:
        return _encoded(negative, 0)
    significand, exponent = quotient(a.significand, b.significand)
    return _encoded(negative, significand, exponent + a.exponent - b.exponent)


def _root(a: Extended) -> int:
    if a.significand == 0 or (a.significand is None and not a.negative):
        return _encoded(a.negative, a.significand)
    if a.negative or a.significand is None:
        return QUIET
    shift = 2 * PRECISION + 8 + (a.exponent & 1)
    wide = a.significand << shift
    root = math.isqrt(wide)
    return nearest(root << 1 | (root * root != wide), (a.exponent - shift) // 2 - 1)


def _whole(op: str, a: Extended) -> int:
    if a.significand is None or a.exponent >= 0:
        return _encoded(*a)
    down, rest = divmod(a.significand, 1 << -a.exponent)
    half = 1 << -a.exponent - 1
    up = {
        "floor": a.negative and rest > 0,
        "ceil": not a.negative and rest > 0,
        "trunc": False,
        "round": rest >= half,
        "rint": rest > half or (rest == half and down % 2 == 1),
    }[op]
    return _encoded(a.negative, down + up)


_ARITHMETIC: dict[str, Callable[[Extended, Extended], int]] = {
    "add": _added,
    "sub": _subtracted,
    "mul": _multiplied,
    "div": _divided,
}


def _operated(function: Callable[..., int], *patterns: int) -> int:
    numbers = [decoded(p) for p in patterns]
    return QUIET if None in numbers else function(*numbers)


def _compared(op: str, a: int, b: int) -> int:
    x, y = decoded(a), decoded(b)
    if x is None or y is None:
        return 0
    if x.significand is None or y.significand is None:  # infinities are beyond all exponents
        x, y = (
            n._replace(significand=1, exponent=1 << 15) if n.significand is None else n
            for n in (x, y)
        )
    difference = _sign_of_difference(x, y)
    return int({"eq": difference == 0, "lt": difference < 0, "le": difference <= 0}[op])


def _sign_of_difference(x: Extended, y: Extended) -> int:
    assert x.significand is not None and y.significand is not None
    exponent = min(x.exponent, y.exponent)
    a, b = x.significand << x.exponent - exponent, y.significand << y.exponent - exponent
    return (-a if x.negative else a) - (-b if y.negative else b)


def operation(op: str) -> Callable[..., int]:
    """The function of an operator that takes patterns of this format, and no other operands, to
    such a pattern, or to the truth of a comparison."""
    if op in _ARITHMETIC:
        return partial(_operated, _ARITHMETIC[op])
    if op == "sqrt":
        return partial(_operated, _root)
    if op in ("eq", "lt", "le"):
        return partial(_compared, op)
    return partial(_operated, partial(_whole, op))
