"""What z3 says of floating-point operators is what they are."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.ir.expr import RELATIONS, Binary, Compare, Const, Expr, Float, Reg
from abpress.ir.floats import ARITHMETIC, WHOLE, operation, pattern
from abpress.ir.types import DOUBLE, FLOAT, INT, IntType
from abpress.logic.formula import Formula, holds, neg, no_fault
from abpress.proof.judge import Judge
from abpress.smt.answer import Answer, NotExact
from abpress.smt.prover import Prover
from tests.ir.test_floats import REALS, integers, patterns
from tests.sampling import examples

WHOLE_TYPES = (INT, IntType(8, False), IntType(64, True), IntType(64, False))


@cache
def prover() -> Prover:
    return Prover("bv")


def equal(a: Expr, b: Expr) -> Formula:
    return holds(Compare("==", a, b))


def require(e: Float, values: tuple[int, ...], expected: int) -> None:
    """Whatever the operands are equal to, the result follows from it."""
    known = [equal(a, Const(v, a.type)) for a, v in zip(e.args, values, strict=True)]
    result = equal(e, Const(expected, e.type))
    assert prover().entails(known, result) is Answer.YES
    assert prover().satisfiable([*known, result]) is Answer.YES


@settings(max_examples=examples(48, whole=120), deadline=None)
@given(st.data(), st.sampled_from(REALS))
def test_operators(data: st.DataObject, type: IntType) -> None:
    op = data.draw(st.sampled_from((*ARITHMETIC, *sorted(RELATIONS), "sqrt", *WHOLE)))
    binary = op in ARITHMETIC or op in RELATIONS
    args = tuple(Reg(f"{name}{type.bits}", type) for name in ("xy" if binary else "x"))
    values = tuple(data.draw(patterns(type)) for _ in args)
    e = Float(op, args, INT if op in RELATIONS else type)
    require(e, values, operation(op, type, e.type)(*values) or 0)


@settings(max_examples=examples(48, whole=120), deadline=None)
@given(st.data(), st.sampled_from(REALS), st.sampled_from(WHOLE_TYPES))
def test_conversions(data: st.DataObject, real: IntType, whole: IntType) -> None:
    n, x = data.draw(integers(whole)), data.draw(patterns(real))
    i, r = Reg(f"i{whole}", whole), Reg(f"x{real.bits}", real)
    require(Float("of", (i,), real), (n,), operation("of", whole, real)(n) or 0)
    for other in REALS:
        require(Float("as", (r,), other), (x,), operation("as", real, other)(x) or 0)
    to, expected = Float("to", (r,), whole), operation("to", real, whole)(x)
    require(to, (x,), expected or 0)
    fine = no_fault(to) if expected is not None else neg(no_fault(to))
    assert prover().entails([equal(r, Const(x, real))], fine) is Answer.YES


def test_operators_in_one_another() -> None:
    x, three = Reg("x64", DOUBLE), Const(pattern(3.0, 64), DOUBLE)
    triple = Float("add", (Float("add", (x, x), DOUBLE), x), DOUBLE)
    small = holds(Float("lt", (x, three), INT))
    large = holds(Float("lt", (Const(pattern(9.0, 64), DOUBLE), triple), INT))
    assert prover().satisfiable([small, large]) is Answer.NO
    sign = Const(1 << 63, DOUBLE)
    both = Float("add", (x, Binary("^", x, sign)), DOUBLE)
    finite = holds(Float("lt", (x, three), INT))
    least = holds(Float("lt", (Const(pattern(-3.0, 64), DOUBLE), x), INT))
    assert prover().entails([finite, least], equal(both, Const(0, DOUBLE))) is Answer.YES


def test_integers_cannot_say_it() -> None:
    x = Reg("x32", FLOAT)
    less = holds(Float("lt", (x, x), INT))
    with pytest.raises(NotExact, match="floating"):
        Prover("int").satisfiable([less])
    assert Judge("int").implied(frozenset(), neg(less)) is Answer.UNKNOWN
    assert Judge("bv").implied(frozenset(), neg(less)) is Answer.YES
