"""Floating-point operators are what exact fractions say, and numbers are shown as they are read."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.ir import extended
from abpress.ir.expr import RELATIONS, Const, Float, Reg
from abpress.ir.expr_reader import parse_expr
from abpress.ir.floats import (
    ARITHMETIC,
    FORMATS,
    WHOLE,
    fits,
    infinity,
    limits,
    number,
    operation,
    pattern,
    quiet,
    rounded,
    shown,
    sign_bit,
)
from abpress.ir.passes.fold import Folder
from abpress.ir.program import Overflow
from abpress.ir.text import Writer
from abpress.ir.types import DOUBLE, EXTENDED, FLOAT, INT, IntType
from abpress.semantics.reference_floats import apply
from tests.sampling import examples

REALS = (FLOAT, DOUBLE, EXTENDED)
INTEGERS = tuple(IntType(bits, signed) for bits in (8, 32, 64, 128) for signed in (False, True))
UNARY = ("sqrt", *WHOLE)


def patterns(type: IntType) -> st.SearchStrategy[int]:
    """Patterns of a format, mostly where something changes: zeros, ends, halves, whole numbers."""
    bits = type.bits
    least_normal = 1 << FORMATS[bits][0] - 1
    points = [0, least_normal, infinity(bits), quiet(bits)]
    points += [rounded(n, bits, 2) for n in (1, 2, 3, 4, 5, 6, 254, 256, 510)]
    points += [rounded(1 << k, bits) for k in (22, 23, 24, 31, 32, 52, 53, 63, 64, 127)]
    edges = [p + d for p in points for d in (-1, 0, 1) if p + d >= 0]
    edges += [p | sign_bit(bits) for p in edges]
    return st.sampled_from(edges) | st.integers(0, type.maximum)


def integers(type: IntType) -> st.SearchStrategy[int]:
    """Integers, mostly with few or with all bits."""
    powers = [s << k for k in range(type.bits) for s in (-1, 1)]
    near = [n + d for n in powers for d in (-1, 0, 1) if type.contains(n + d)]
    return st.sampled_from(near) | st.integers(type.minimum, type.maximum)


@settings(max_examples=examples(250, whole=1500), deadline=None)
@given(st.data(), st.sampled_from(REALS))
def test_operators(data: st.DataObject, type: IntType) -> None:
    op = data.draw(st.sampled_from((*ARITHMETIC, *sorted(RELATIONS), *UNARY)))
    args = [data.draw(patterns(type)) for _ in range(1 if op in UNARY else 2)]
    result = INT if op in RELATIONS else type
    assert fits(op, [type] * len(args), result)
    assert operation(op, type, result)(*args) == apply(op, args, type, result)


@settings(max_examples=examples(150, whole=1000), deadline=None)
@given(st.data(), st.sampled_from(REALS), st.sampled_from(INTEGERS))
def test_conversions(data: st.DataObject, real: IntType, whole: IntType) -> None:
    n = data.draw(integers(whole))
    assert operation("of", whole, real)(n) == apply("of", [n], whole, real)
    x = data.draw(patterns(real))
    assert operation("to", real, whole)(x) == apply("to", [x], real, whole)
    for other in REALS:
        assert operation("as", real, other)(x) == apply("as", [x], real, other)


@settings(max_examples=examples(250, whole=500), deadline=None)
@given(st.data(), st.sampled_from(REALS), st.sampled_from(INTEGERS))
def test_limits_say_what_is_converted(data: st.DataObject, real: IntType, whole: IntType) -> None:
    least, included, behind = limits(real, whole)
    near = [p for end in (least, behind) for p in range(max(end - 2, 0), end + 3)]
    x = data.draw(st.sampled_from(near) | patterns(real))
    below = operation("le" if included else "lt", real, INT)(least, x)
    above = operation("lt", real, INT)(x, behind)
    assert bool(below and above) == (operation("to", real, whole)(x) is not None)


def test_known_results() -> None:
    """NOTE(one-nan): the NaN of an operation is the quiet one."""
    add, root = operation("add", DOUBLE, DOUBLE), operation("sqrt", DOUBLE, DOUBLE)
    assert shown(add(pattern(0.1, 64), pattern(0.2, 64)) or 0, 64) == "0.30000000000000004"
    assert root(pattern(-1.0, 64)) == quiet(64)
    assert root(sign_bit(64)) == sign_bit(64)
    nearest = operation("round", DOUBLE, DOUBLE)
    assert nearest(pattern(0.49999999999999994, 64)) == 0
    assert operation("rint", DOUBLE, DOUBLE)(pattern(2.5, 64)) == pattern(2.0, 64)
    assert nearest(pattern(-2.5, 64)) == pattern(-3.0, 64)
    divide = operation("div", DOUBLE, DOUBLE)
    assert divide(pattern(1.0, 64), sign_bit(64)) == pattern(-math.inf, 64)
    assert divide(0, 0) == quiet(64)


def exact(p: int, bits: int) -> Fraction:
    """The number that has a pattern."""
    if bits < 80:
        return Fraction(number(p, bits))
    found = extended.fraction(p)
    assert found is not None
    return Fraction(*found)


def _is_written(p: int, bits: int) -> bool:
    """Whether a pattern and its neighbours are those that operations yield."""
    return bits < 80 or (
        p < 1 << 80 and all((q >> 64 != 0) == (q >> 63 & 1) for q in (p - 1, p, p + 1))
    )


def _of_fraction(x: Fraction, bits: int) -> int:
    return rounded(x.numerator, bits, x.denominator)


@settings(max_examples=200)
@given(st.sampled_from((32, 64, 80)), st.data(), st.integers(-5, 5), st.integers(1, 1 << 80))
def test_a_fraction_is_rounded_to_what_is_nearest(
    bits: int, data: st.DataObject, eighths: int, denominator: int
) -> None:
    p = data.draw(st.integers(1, infinity(bits) - 2).filter(lambda p: _is_written(p, bits)))
    at, above = (exact(p + d, bits) for d in (0, 1))
    x = at + (above - at) * Fraction(eighths, 8)
    near = {p: abs(x - at), p + 1: abs(above - x), p - 1: abs(x - exact(p - 1, bits))}
    least = min(near.values())
    nearest = [q for q, distance in near.items() if distance == least]
    assert _of_fraction(x, bits) == min(nearest, key=lambda q: q % 2)
    assert _of_fraction(-x, bits) == min(nearest, key=lambda q: q % 2) | sign_bit(bits)
    assert rounded(x.numerator * denominator, bits, x.denominator * denominator) == _of_fraction(
        x, bits
    )


def test_an_integer_is_rounded_once() -> None:
    n = (1 << 54) + (1 << 30) + 1  # as a double it would be halfway between two floats
    assert operation("of", IntType(64, True), FLOAT)(n) == rounded(n, 32)
    assert rounded(n, 32) != pattern(float(n), 32)


@given(st.sampled_from(REALS), st.data())
def test_numbers_are_shown_by_digits_that_mean_them(type: IntType, data: st.DataObject) -> None:
    p = data.draw(patterns(type))
    text = shown(p, type.bits)
    if text not in ("inf", "-inf", "nan"):
        assert operation("eq", type, INT)(_of_fraction(Fraction(text), type.bits), p)
    assert shown(pattern(0.1, 32), 32) == "0.1"


def test_an_expression_is_read_back() -> None:
    e = Float("le", (Float("of", (Reg("i", INT),), DOUBLE), Const(5, DOUBLE)), INT)
    text = Writer(4, {"i": INT}).expr(e)
    assert text == "float.le.i32(float.of.u64(i), 5u64)"
    typed = text.replace("(i)", "(i:i32)")
    assert parse_expr(typed) == e
    with pytest.raises(Exception, match="le of these operands"):
        parse_expr("float.le.i32(1, 5u64)")


def test_constants_are_folded_but_not_what_no_integer_holds() -> None:
    fold = Folder(Overflow.END, {}).fold
    seven = Const(pattern(7.9, 64), DOUBLE)
    assert fold(Float("to", (seven,), INT)) == Const(7, INT)
    large = Float("to", (Const(pattern(1e10, 64), DOUBLE),), INT)
    assert fold(large) == large
