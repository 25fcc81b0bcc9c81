"""IEEE 754 arithmetic (binary32, binary64, x86's extended format) on patterns, to nearest, ties to
even.

A floating-point number is held as its pattern, an unsigned integer of its size, so that memory and
states know integers only. What changes a pattern bit by bit (the sign) is integer arithmetic; the
operators here are all others:

- `add sub mul div sqrt`, and `floor ceil trunc rint round` to a whole number (`rint` rounds ties to
  even, `round` away from zero): of numbers of one format, in that format.
- `eq lt le`, comparisons, of the type `int`: with a NaN none of them holds.
- `of` makes a number of an integer, `as` one of another format, `to` an integer, toward zero.

NOTE(one-nan): IEEE 754 leaves the sign and the payload of a NaN open that an operation yields. Here
it is quiet, positive, and has no payload; copies keep what they have.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from functools import cache
from struct import Struct

from abpress.ir.expr import RELATIONS
from abpress.ir.types import EXTENDED, INT, IntType
from abpress.later import later

FORMATS = {32: (24, -149), 64: (53, -1074), 80: (64, -16445)}
"""Bits of a format -> of its precision, and the exponent of the least number."""

_EXTENDED_OPERATION = later("abpress.ir.extended", "operation")
_EXTENDED_ROUNDED = later("abpress.ir.extended", "rounded")
_EXTENDED_FRACTION = later("abpress.ir.extended", "fraction")

_NUMBERS = {32: Struct("<f"), 64: Struct("<d")}


def sign_bit(bits: int) -> int:
    """The pattern of -0."""
    return 1 << bits - 1


def infinity(bits: int) -> int:
    """The pattern of +inf; all above, without the sign, are those of NaNs."""
    precision = FORMATS[bits][0]
    return sign_bit(bits) - (1 << precision - 1)


def quiet(bits: int) -> int:
    """The pattern of the NaN that operations yield."""
    return infinity(bits) | 1 << FORMATS[bits][0] - 2


def number(pattern: int, bits: int) -> float:
    """The number that has a pattern, of a format that the machine computes in."""
    found: float = _NUMBERS[bits].unpack(pattern.to_bytes(bits // 8, "little"))[0]
    return found


def pattern(x: float, bits: int) -> int:
    """The pattern of a number, rounded to the format."""
    if math.isnan(x):
        return quiet(bits)
    try:
        return int.from_bytes(_NUMBERS[bits].pack(x), "little")
    except OverflowError:
        return _signed(infinity(bits), x < 0, bits)


def rounded(numerator: int, bits: int, denominator: int = 1) -> int:
    """The pattern of what is nearest to a fraction of a positive denominator; that of +0 if it is
    0."""
    if numerator == 0:
        return 0
    precision, least = FORMATS[bits]
    size = abs(numerator)
    if bits == EXTENDED.bits:
        found = _EXTENDED_ROUNDED(size, denominator)
        return _signed(found, numerator < 0, bits)
    exponent = size.bit_length() - denominator.bit_length()
    if size << max(-exponent, 0) < denominator << max(exponent, 0):
        exponent -= 1
    unit = max(exponent + 1 - precision, least)
    part = denominator << max(unit, 0)
    units, rest = divmod(size << max(-unit, 0), part)
    units += 2 * rest > part or (2 * rest == part and units % 2)
    try:
        found = pattern(math.ldexp(units, unit), bits)
    except OverflowError:
        found = infinity(bits)
    return _signed(found, numerator < 0, bits)


def shown(pattern: int, bits: int) -> str:
    """The number as people write it: the shortest digits that are read as this number."""
    if bits == EXTENDED.bits:
        return _extended_shown(pattern)
    x = number(pattern, bits)
    if bits == 64 or not math.isfinite(x):
        return repr(x)
    digits = next(text for n in range(1, 10) if _is_read_as(text := f"{x:.{n}g}", x))
    return repr(float(digits))


def _extended_shown(pattern: int) -> str:
    from decimal import Context, Decimal  # which takes time to load

    x = _EXTENDED_FRACTION(pattern)
    if x is None:
        infinite = pattern & (sign_bit(80) - 1) == infinity(80)
        return ("-inf" if pattern & sign_bit(80) else "inf") if infinite else "nan"
    for n in range(1, 22):
        digits = Context(prec=n, Emax=9999, Emin=-9999).divide(*map(Decimal, x))
        if rounded(digits.as_integer_ratio()[0], 80, digits.as_integer_ratio()[1]) == pattern:
            break
    return f"{digits.normalize(Context(prec=21)):g}"


def _is_read_as(text: str, x: float) -> bool:
    return number(pattern(float(text), 32), 32) == x


def _signed(pattern: int, negative: bool, bits: int) -> int:
    return pattern | sign_bit(bits) if negative else pattern


# -- operators ------------------------------------------------------------------------------------


def _divided(x: float, y: float) -> float:
    if y != 0 or math.isnan(x):
        return x / y if y != 0 else x
    return math.nan if x == 0 else math.copysign(math.inf, x) * math.copysign(1, y)


def _root(x: float) -> float:
    return math.nan if x < 0 else math.sqrt(x)


def _away(x: float) -> int:
    whole = math.trunc(x)
    return whole + (1 if x > 0 else -1) if abs(x - whole) >= 0.5 else whole


ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": _divided,
}
WHOLE: dict[str, Callable[[float], int]] = {
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "rint": round,
    "round": _away,
}
_RELATIONS: dict[str, Callable[[float, float], bool]] = {
    "eq": operator.eq,
    "lt": operator.lt,
    "le": operator.le,
}
UNHELD = "conversion of a floating-point number to an integer type that cannot hold it"
"""The fault of `to`."""

CONVERSIONS = frozenset({"of", "as", "to"})


def fits(op: str, types: Sequence[object], type: IntType) -> bool:
    """Whether an operator of that name takes operands of these types, and yields that type."""
    formats = [isinstance(t, IntType) and not t.signed and t.bits in FORMATS for t in types]
    result = not type.signed and type.bits in FORMATS
    if op in CONVERSIONS:
        whole = len(types) == 1 and isinstance(types[0], IntType)
        return whole and (op == "of" or formats[0]) and (op == "to" or result)
    arity = 2 if op in ARITHMETIC or op in RELATIONS else 1
    known = op in ARITHMETIC or op in RELATIONS or op in WHOLE or op == "sqrt"
    same = len(types) == arity and all(formats) and all(t == types[0] for t in types)
    return known and same and type == (INT if op in RELATIONS else types[0])


@cache
def operation(op: str, of: IntType, type: IntType) -> Callable[..., int | None]:
    """The function of an operator on operands of a type, from patterns (or the integer) to what it
    yields; None of what `to` cannot hold."""
    bits, to = of.bits, type.bits
    if EXTENDED.bits in (bits, to) and op not in CONVERSIONS:
        function: Callable[..., int] = _EXTENDED_OPERATION(op)
        return function
    if op in ARITHMETIC:
        binary = ARITHMETIC[op]
        return lambda a, b: pattern(binary(number(a, bits), number(b, bits)), bits)
    if op in RELATIONS:
        holds = _RELATIONS[op]
        return lambda a, b: int(holds(number(a, bits), number(b, bits)))
    if op in WHOLE:
        return lambda a: _to_whole(WHOLE[op], a, bits)
    if op == "sqrt":
        return lambda a: pattern(_root(number(a, bits)), bits)
    if op == "of":
        return lambda a: _of_integer(a, to)
    if op == "as" and EXTENDED.bits in (bits, to):
        return lambda a: _between_formats(a, bits, to)
    if op == "as":
        return lambda a: pattern(number(a, bits), to)
    if bits == EXTENDED.bits:
        return lambda a: _extended_to_integer(a, type)
    return lambda a: _to_integer(number(a, bits), type)


def _to_whole(rule: Callable[[float], int], a: int, bits: int) -> int:
    x = number(a, bits)
    if not math.isfinite(x):
        return pattern(x, bits)
    return pattern(math.copysign(rule(x), x), bits)


def _of_integer(n: int, bits: int) -> int:
    exact = bits == 64 or n.bit_length() <= FORMATS[64][0]  # one rounding only
    return pattern(float(n), bits) if exact and bits <= 64 else rounded(n, bits)


def _ratio(a: int, bits: int) -> tuple[int, int] | None:
    """A number as numerator and denominator; None where it is none or infinite."""
    if bits == EXTENDED.bits:
        found: tuple[int, int] | None = _EXTENDED_FRACTION(a)
        return found
    x = number(a, bits)
    return x.as_integer_ratio() if math.isfinite(x) else None


def _between_formats(a: int, bits: int, to: int) -> int:
    negative = bool(a & sign_bit(bits))
    x = _ratio(a, bits)
    if x is not None:
        return rounded(x[0], to, x[1]) if x[0] else _signed(0, negative, to)
    infinite = a & (sign_bit(bits) - 1) == infinity(bits)
    return _signed(infinity(to), negative, to) if infinite else quiet(to)


def _extended_to_integer(a: int, type: IntType) -> int | None:
    x = _EXTENDED_FRACTION(a)
    if x is None:
        return None
    whole = abs(x[0]) // x[1] * (-1 if x[0] < 0 else 1)
    return whole if type.contains(whole) else None


def _to_integer(x: float, type: IntType) -> int | None:
    if not math.isfinite(x):
        return None
    whole = math.trunc(x)
    return whole if type.contains(whole) else None


def limits(of: IntType, type: IntType) -> tuple[int, bool, int]:
    """Between which patterns the numbers lie that `to` converts: the least, whether it is one of
    them, and the first above, which is none.

    Between the least integer and that less one there are numbers, unless the format has none.
    """
    below = type.minimum - 1
    low = rounded(below, of.bits)
    held = _ratio(low, of.bits)
    exact = held is not None and held[0] == below * held[1]
    least = low if exact else rounded(type.minimum, of.bits)
    return least, not exact, rounded(type.maximum + 1, of.bits)
