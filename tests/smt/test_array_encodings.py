"""Reads and updates of arrays in both encodings, against the oracle."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.ir.expr import ArrayReg, Compare, Const, Convert, Expr, Filled, Reg, Select, Update
from abpress.ir.types import INDEX, INT, IntType
from abpress.logic.formula import Formula, holds, neg, same_array
from abpress.smt.answer import Answer, NotExact
from abpress.smt.prover import Prover
from abpress.smt.table import ENCODINGS
from tests.sampling import examples
from tests.smt.test_encodings import decided, facts
from tests.strategies.formulas import INTEGERS, Maker, truth

BYTE = IntType(8, False)


def known(maker: Maker) -> list[Formula]:
    """That registers and arrays have their values."""
    contents = maker.arrays.items()
    arrays = [same_array(ArrayReg(name, array.element), array) for name, array in contents]
    return [*facts(maker), *arrays]


@settings(max_examples=examples(120, whole=300), deadline=None)
@given(st.data(), st.booleans())
def test_formulas_have_the_truth_that_the_oracle_says(data: st.DataObject, linear: bool) -> None:
    maker = Maker(data.draw, types=INTEGERS[:8], linear=linear, reads=True)
    f = maker.formula(1)
    wanted = truth(f, maker.values, maker.arrays)
    assert decided("bv", known(maker), f) == wanted
    try:
        said = decided("int", known(maker), f)
    except NotExact:
        assert not linear
    else:
        assert said == wanted


@settings(max_examples=examples(40, whole=100), deadline=None)
@given(st.data())
def test_arrays_are_the_same_where_the_oracle_says(data: st.DataObject) -> None:
    maker = Maker(data.draw, types=(INT, INDEX), linear=True, reads=True)
    f = same_array(maker.array(INT, 3), maker.array(INT, 3))
    wanted = truth(f, maker.values, maker.arrays)
    for encoding in ENCODINGS:
        assert decided(encoding, known(maker), f) == wanted


@pytest.mark.parametrize("encoding", sorted(ENCODINGS))
def test_what_is_read_is_of_its_type(encoding: str) -> None:
    a, b, i = ArrayReg("a@[u8]", BYTE), ArrayReg("b@[u8]", BYTE), Reg("i", INDEX)
    prover = Prover(encoding)

    def bounded(e: Expr) -> bool:
        wide = Convert(e, INT)
        low, high = Compare(">=", wide, Const(0, INT)), Compare("<=", wide, Const(255, INT))
        sums = [Compare("==", Reg("x", INT), wide)]
        goals = [
            holds(Compare(op, Reg("x", INT), Const(n, INT))) for op, n in ((">=", 0), ("<=", 255))
        ]
        assert prover.entails([], holds(low)) is prover.entails([], holds(high)) is Answer.YES
        return all(prover.entails(map(holds, sums), goal) is Answer.YES for goal in goals)

    assert bounded(Select(a, i))
    assert bounded(Select(Update(a, Const(1, INDEX), Reg("v", BYTE)), i))
    same = same_array(b, Update(a, i, Const(7, BYTE)))
    assert prover.entails([same], holds(Compare("==", Select(b, i), Const(7, BYTE)))) is Answer.YES
    other = holds(Compare("!=", i, Const(2, INDEX)))
    two = Const(2, INDEX)
    kept = holds(Compare("==", Select(a, two), Select(b, two)))
    assert prover.entails([same], kept) is Answer.NO
    assert prover.entails([same, other], kept) is Answer.YES
    empty = same_array(a, Filled(0, (), BYTE))
    assert prover.entails([empty], holds(Compare("==", Select(a, i), Const(0, BYTE)))) is Answer.YES
    assert prover.satisfiable([empty, neg(same_array(b, Filled(0, (), BYTE))), same]) is Answer.YES
    assert prover.model([same, other]) is not None


def test_one_name_has_one_type() -> None:
    for encoding in ENCODINGS:
        prover = Prover(encoding)
        zero = Const(0, INDEX)
        prover.satisfiable([holds(Compare("==", Select(ArrayReg("x", INT), zero), Const(3, INT)))])
        with pytest.raises(ValueError, match="x has the types"):
            f = holds(Compare("==", Select(ArrayReg("x", BYTE), zero), Const(3, BYTE)))
            prover.satisfiable([f])
        with pytest.raises(ValueError, match="x has the types"):
            prover.satisfiable([holds(Reg("x", INT))])
