"""Formulas mean what the reference says, have one form, and survive text and pickling."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.errors import InputError, UnsupportedError
from abpress.ir.bounds import bounds
from abpress.ir.expr import Addr, Binary, Compare, Const, Convert, Expr, PtrAdd, Reg, Unary
from abpress.ir.expr_reader import parse_expr
from abpress.ir.program import Overflow
from abpress.ir.types import INT, PtrType
from abpress.logic.formula import (
    FALSE,
    TRUE,
    atoms,
    conj,
    conjuncts,
    disj,
    format_formula,
    holds,
    neg,
    no_fault,
    no_overflow,
    parse_formula,
    size,
    substitute,
    variables,
)
from abpress.semantics.reference_expressions import (
    ReferenceEvaluator,
    SignedOverflow,
    UndefinedBehaviour,
)
from tests.sampling import examples
from tests.strategies.formulas import INTEGERS, Maker, truth, value_of

X, Y = Reg("x@0", INT), Reg("main.1:r", INT)


def number(n: int) -> Const:
    return Const(n, INT)


def faults(e: Expr, values: dict[str, int], overflow: Overflow) -> type[Exception] | None:
    """What the reference raises."""
    try:
        ReferenceEvaluator(values, overflow)(e)
    except (UndefinedBehaviour, SignedOverflow) as end:
        return type(end)
    return None


@settings(max_examples=examples(200, whole=500), deadline=None)
@given(st.data())
def test_conditions_mean_what_the_reference_says(data: st.DataObject) -> None:
    maker = Maker(data.draw)
    e = maker.expression(data.draw(st.sampled_from(INTEGERS)), data.draw(st.integers(0, 3)))
    values = maker.values
    low, high = bounds(e)
    assert low <= value_of(e, values) <= high
    assert truth(holds(e), values) == (value_of(e, values) != 0)
    fault = faults(e, values, Overflow.WRAP)
    assert truth(no_fault(e), values) == (fault is None)
    if fault is None:
        overflow = faults(e, values, Overflow.END)
        assert truth(no_overflow(e), values) == (overflow is None)
        strictly = faults(e, values, Overflow.ERROR)
        assert truth(no_overflow(e, Overflow.ERROR), values) == (strictly is None)


@settings(max_examples=examples(120, whole=300), deadline=None)
@given(st.data())
def test_connectives_and_substitution(data: st.DataObject) -> None:
    maker = Maker(data.draw, most=4)
    f, g = maker.formula(2), maker.formula(2)
    known = sorted((r for rs in maker.registers.values() for r in rs), key=lambda r: r.name)
    values = {r.name: maker.expression(r.type, 2) for r in known if data.draw(st.booleans())}
    after = {**maker.values, **{n: value_of(e, maker.values) for n, e in values.items()}}
    assert truth(substitute(f, values), maker.values) == truth(f, after)
    assert truth(neg(f), maker.values) != truth(f, maker.values)
    assert neg(neg(f)) is f
    for connected, all_any in ((conj((f, g)), all), (disj((f, g)), any)):
        assert truth(connected, maker.values) == all_any(truth(p, maker.values) for p in (f, g))
        assert variables(connected) <= variables(f) | variables(g)
    assert conj((f, g)) is conj((g, f, f))
    assert conj((f, neg(f))) is FALSE
    assert disj((neg(g), g)) is TRUE


@settings(max_examples=examples(80, whole=200), deadline=None)
@given(st.data())
def test_text_and_pickle(data: st.DataObject) -> None:
    f = Maker(data.draw).formula(2)
    assert parse_formula(format_formula(f)) is f
    assert pickle.loads(pickle.dumps(f)) is f


@pytest.mark.parametrize(
    ("expression", "form"),
    [
        ("x:i32 < 5", "x:i32 <= 4"),
        ("5 < x:i32", "x:i32 >= 6"),
        ("y:i32 > x:i32", "x:i32 < y:i32"),
        ("y:i32 != x:i32", "x:i32 != y:i32"),
        ("x:i32 <= 2147483647", "true"),
        ("x:u32 < 0u32", "false"),
        ("x:u32 >= 1u32", "x:u32 != 0u32"),
        ("x:u32 <= 0u32", "x:u32 == 0u32"),
        ("x:i32", "x:i32 != 0"),
        ("(x:i32 < 5) == 0", "x:i32 >= 5"),
        ("(x:i32 < y:i32) & (y:i32 < 3)", "all(x:i32 < y:i32, y:i32 <= 2)"),
        ("u8(x:i32 < y:i32) | u8(y:i32 < 3)", "any(x:i32 < y:i32, y:i32 <= 2)"),
        ("x:i32 | y:i32", "any(x:i32 != 0, y:i32 != 0)"),
        ("(x:i32 + 1) == 5", "x:i32 == 4"),
        ("((x:u32 + 1u32) - 3u32) < y:u32", "(x:u32 - 2u32) < y:u32"),
        ("(x:i32 + 1) < 5", "(x:i32 + 1) <= 4"),
    ],
)
def test_one_form(expression: str, form: str) -> None:
    assert format_formula(holds(parse_expr(expression))) == form


def test_overflow_of_a_number_is_a_bound() -> None:
    assert no_overflow(Binary("+", X, number(1))) is holds(Compare("<", X, number(INT.maximum)))
    assert no_overflow(Unary("-", X)) is holds(Compare("!=", X, number(INT.minimum)))
    assert no_overflow(Binary("+", Convert(Reg("b", INTEGERS[0]), INT), number(1))) is TRUE
    assert size(no_overflow(Binary("+", X, Y))) == 1
    for op in "/", "%":
        assert no_overflow(Binary(op, X, number(7))) is TRUE
        assert no_overflow(Binary(op, X, number(-1))) is holds(
            Compare("!=", X, number(INT.minimum))
        )


def test_parts() -> None:
    f = conj((holds(X), disj((holds(Y), neg(no_overflow(Binary("*", X, Y)))))))
    assert len(conjuncts(f)) == 2
    assert conjuncts(TRUE) == ()
    assert conjuncts(holds(X)) == (holds(X),)
    assert len(atoms(f)) == 3
    assert variables(f) == {"x@0", "main.1:r"}


def test_pointers() -> None:
    p = Reg("p", PtrType(4))
    at = Addr("a", 4, PtrType(4))
    assert no_fault(PtrAdd(at, X)) is holds(Compare("<=", X, number(INT.maximum - 4)))
    assert format_formula(holds(p)) == "p:ptr != 0ptr"
    assert parse_formula("p:ptr == &a+4") is holds(Compare("==", at, p))
    for e in (PtrAdd(p, X), Compare("<", p, at), Convert(p, INT)):
        with pytest.raises(UnsupportedError):
            no_fault(e)


@pytest.mark.parametrize("text", ["", "all(", "x", "x:i32 <", "all(true", "fits(x:i32", "true)"])
def test_bad_text(text: str) -> None:
    with pytest.raises(InputError):
        parse_formula(text)
