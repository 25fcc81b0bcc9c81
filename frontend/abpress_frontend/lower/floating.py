"""Floating-point numbers: constants, conversions and operators, on patterns (`abpress.ir.floats`).

What is made here is not folded yet.
"""

from __future__ import annotations

import re

from abpress.errors import InputError, Position
from abpress.ir.expr import Binary, Const, Expr, Float
from abpress.ir.floats import infinity, pattern, rounded, sign_bit
from abpress.ir.types import EXTENDED, INT, IntType
from abpress_frontend.lower.ctypes import CFloat, CInt, DataModel

EXACT = (
    "floating-point operators compute in the type of their operands, as IEEE 754 says"
    " (SSE2, and x87 for long double; no fused operators, no -ffast-math), and round to nearest"
)
"""What is assumed of the machine and of compilers."""

OPERATORS = {"+": "add", "-": "sub", "*": "mul", "/": "div"}
_LEAST, _MOST = 1e-46, 1e39
"""What is not between them is 0 or infinite as a float."""
_FAR = 9999
"""Powers of ten that no format has."""

_HEXADECIMAL = re.compile(r"0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([-+]?[0-9]+)$")


def constant(text: str, model: DataModel, at: Position) -> tuple[int, CFloat]:
    """The pattern and the type of a floating constant."""
    suffix, digits = text[-1].lower(), text.rstrip("fFlL")
    if text[:2].lower() == "0x" and not re.search("[pP]", digits):
        raise InputError(f"malformed constant {text[:40]}", at)
    type = {"f": model.float, "l": model.long_double}.get(suffix, model.double)
    try:
        return _read(digits, type.ir.bits), type
    except ValueError as error:
        raise InputError(f"malformed constant {text[:40]}", at) from error


def _read(digits: str, bits: int) -> int:
    """The pattern that is nearest to a number; raises ValueError if it is none."""
    hexadecimal = _HEXADECIMAL.match(digits)
    if bits == EXTENDED.bits:
        return _nearest(digits, hexadecimal, bits)
    try:
        wide = float.fromhex(digits) if hexadecimal else float(digits)
    except OverflowError:
        return infinity(bits)
    if bits == 64 or not _LEAST < wide < _MOST:
        return pattern(wide, bits)
    return _nearest(digits, hexadecimal, bits)


def _nearest(digits: str, hexadecimal: re.Match[str] | None, bits: int) -> int:
    """As `_read`, by exact numbers."""
    if hexadecimal is None:
        from decimal import Decimal, InvalidOperation  # which take time to load

        try:
            wide = Decimal(digits)
        except InvalidOperation as error:
            raise ValueError from error
        if abs(wide.adjusted()) > _FAR and wide != 0:
            return infinity(bits) if wide.adjusted() > 0 else 0
        numerator, denominator = wide.as_integer_ratio()
        return rounded(numerator, bits, denominator)
    before, behind, exponent = hexadecimal.groups()
    far = 8 * _FAR + 4 * len(before + behind)
    shift = min(max(int(exponent), -far), far) - 4 * len(behind)
    return rounded(int(before + behind, 16) << max(shift, 0), bits, 1 << max(-shift, 0))


def compared(op: str, left: Expr, right: Expr) -> Expr:
    """A comparison of C other than `!=`, which is that `==` does not hold."""
    match op:
        case "<" | "<=":
            return Float("lt" if op == "<" else "le", (left, right), INT)
        case ">" | ">=":
            return Float("lt" if op == ">" else "le", (right, left), INT)
        case _:
            return Float("eq", (left, right), INT)


def operated(op: str, left: Expr, right: Expr) -> Expr:
    """An operator on numbers of one type."""
    return Float(OPERATORS[op], (left, right), of(left))


def converted(e: Expr, type: CFloat | CInt, target: CFloat | CInt) -> Expr:
    """A number of a type as one of another, of which one is a floating-point type."""
    if isinstance(target, CInt):
        return Float("to", (e,), target.ir)
    if isinstance(type, CInt):
        return Float("of", (e,), target.ir)
    return e if type.ir == target.ir else Float("as", (e,), target.ir)


def negated(e: Expr) -> Expr:
    """The number with the other sign."""
    return Binary("^", e, _sign(e))


def absolute(e: Expr) -> Expr:
    """The number without its sign."""
    type = of(e)
    return Binary("&", e, Const(sign_bit(type.bits) - 1, type))


def sign(e: Expr) -> Expr:
    """The pattern of 0 with the sign of the number."""
    return Binary("&", e, _sign(e))


def of(e: Expr) -> IntType:
    """The type of a pattern."""
    assert isinstance(e.type, IntType)
    return e.type


def _sign(e: Expr) -> Const:
    type = of(e)
    return Const(sign_bit(type.bits), type)
