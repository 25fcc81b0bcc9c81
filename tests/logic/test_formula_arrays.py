"""Arrays in formulas: what is simplified means the same, substitution is exact, text reads back."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.ir.arrays import equal, filled
from abpress.ir.expr import (
    ArrayReg,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    Filled,
    Reg,
    Select,
    Term,
    Update,
    registers,
)
from abpress.ir.passes.fold import Folder
from abpress.ir.program import Overflow
from abpress.ir.types import INDEX, INT
from abpress.logic.formula import (
    TRUE,
    format_formula,
    holds,
    neg,
    parse_formula,
    same_array,
    substitute,
    variables,
)
from tests.sampling import examples
from tests.strategies.formulas import INTEGERS, Maker, TotalEvaluator, truth, value_of

A, I, J = ArrayReg("g@[i32]", INT), Reg("main:i", INDEX), Reg("main:j", INDEX)


def number(n: int) -> Const:
    return Const(n, INDEX)


@settings(max_examples=examples(40, whole=300), deadline=None)
@given(st.data())
def test_formulas_mean_what_the_reference_says(data: st.DataObject) -> None:
    maker = Maker(data.draw, reads=True)
    e = maker.expression(data.draw(st.sampled_from(INTEGERS)), 3)
    folded = Folder(Overflow.WRAP, {}).fold(e)
    wanted = value_of(e, maker.values, maker.arrays)
    assert value_of(folded, maker.values, maker.arrays) == wanted
    assert truth(holds(e), maker.values, maker.arrays) == (wanted != 0)


@settings(max_examples=examples(40, whole=300), deadline=None)
@given(st.data())
def test_text_substitution_and_pickling(data: st.DataObject) -> None:
    maker = Maker(data.draw, most=4, reads=True)
    f = maker.formula(2)
    f = f if data.draw(st.booleans()) else same_array(maker.array(INT, 3), maker.array(INT, 2))
    assert parse_formula(format_formula(f)) is f
    assert parse_formula(format_formula(neg(f))) is neg(f)
    assert pickle.loads(pickle.dumps(f)) is f
    values: dict[str, Term] = {}
    after, arrays = dict(maker.values), dict(maker.arrays)
    for r in [r for rs in maker.registers.values() for r in rs]:
        value = maker.expression(r.type, 1)  # type: ignore[arg-type]
        values[r.name] = value
    for name, content in list(maker.arrays.items()):
        values[name] = maker.array(content.element, 2)
    for name, value in values.items():
        evaluator = TotalEvaluator(maker.values, Overflow.WRAP, arrays=maker.arrays)
        if isinstance(value, ArrayReg | Filled | Update):
            default, others = evaluator.content(value)
            arrays[name] = Filled(default, tuple(sorted(others.items())), value.element)
        else:
            after[name] = value_of(value, maker.values, maker.arrays)
    mentioned = variables(f)
    replaced = {name: value for name, value in values.items() if name in mentioned}
    g = substitute(f, replaced)
    assert truth(g, {**maker.values}, {**maker.arrays}) == truth(f, after, arrays)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (I, I, True),
        (number(3), number(3), True),
        (number(3), number(4), False),
        (I, Binary("+", I, number(1)), False),
        (Binary("+", I, number(1)), Binary("+", I, number(1)), True),
        (Binary("-", I, number(1)), Binary("+", I, number(1)), False),
        (I, J, None),
        (I, number(3), None),
        (
            Convert(Reg("i", INT), INDEX),
            Convert(Binary("+", Reg("i", INT), Const(1, INT)), INDEX),
            False,
        ),
        (Convert(Reg("i", INT), INDEX), Convert(Reg("j", INT), INDEX), None),
    ],
)
def test_equality_by_looks(a: Expr, b: Expr, same: bool | None) -> None:
    assert equal(a, b) is equal(b, a) is same


def test_reads_over_writes() -> None:
    written = Update(Update(A, I, Const(1, INT)), Binary("+", I, number(1)), Const(2, INT))
    f = holds(Compare("==", Select(A, J), Const(1, INT)))
    assert substitute(f, {A.name: written, J.name: I}) is TRUE
    assert registers(written) == {A.name, I.name}
    after = substitute(f, {A.name: written})
    assert variables(after) == {A.name, I.name, J.name}
    table = Filled(0, ((2, 1),), INT)
    assert substitute(f, {A.name: table, J.name: number(2)}) is TRUE
    assert substitute(f, {A.name: table, J.name: number(7)}) is neg(TRUE)


def test_an_array_that_was_written_everywhere() -> None:
    written = Update(Update(A, number(1), Const(7, INT)), number(0), Const(5, INT))
    assert filled(written, 2) == Filled(5, ((1, 7),), INT)
    assert filled(written, 3) is None
    assert filled(Update(written, I, Const(5, INT)), 2) is None
    assert filled(Update(written, number(2), Reg("x", INT)), 2) is None
