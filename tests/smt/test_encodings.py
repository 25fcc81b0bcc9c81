"""Both encodings say what formulas mean: against the oracle, value by value."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.errors import UnsupportedError
from abpress.ir.expr import (
    ARITHMETIC,
    Addr,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    FuncAddr,
    PtrAdd,
    PtrDiff,
    Reg,
    Unary,
)
from abpress.ir.reader import parse_program
from abpress.ir.types import INT, IntType, PtrType
from abpress.logic.formula import Formula, Kind, holds, neg, no_overflow
from abpress.smt.answer import Answer, NotExact
from abpress.smt.encoding import encoding_for
from abpress.smt.integers import IntegerEncoding
from abpress.smt.prover import Prover
from abpress.smt.table import ENCODINGS
from tests.sampling import examples, sample
from tests.strategies.formulas import INTEGERS, Maker, truth

NARROW = (IntType(8, False), IntType(8, True))
POINTER = PtrType(4)


@cache
def prover(encoding: str) -> Prover:
    return Prover(encoding)


def facts(maker: Maker) -> list[Formula]:
    """That the registers have their values."""
    known = [r for registers in maker.registers.values() for r in registers]
    return [holds(Compare("==", r, Const(maker.values[r.name], r.type))) for r in known]


def decided(encoding: str, known: list[Formula], f: Formula) -> bool:
    """What z3 says of the formula, asked both ways; the two answers must fit."""
    p = prover(encoding)
    yes, no = p.entails(known, f), p.entails(known, neg(f))
    assert {yes, no} == {Answer.YES, Answer.NO}
    return yes is Answer.YES


@settings(max_examples=examples(200, whole=500), deadline=None)
@given(st.data(), st.booleans())
def test_formulas_have_the_truth_that_the_oracle_says(data: st.DataObject, linear: bool) -> None:
    maker = Maker(data.draw, linear=linear)
    f = maker.formula(1)
    wanted = truth(f, maker.values)
    assert decided("bv", facts(maker), f) == wanted
    try:
        said = decided("int", facts(maker), f)
    except NotExact:
        assert not linear
    else:
        assert said == wanted


@pytest.mark.parametrize(
    ("type", "op"), sample(tuple(product(INTEGERS, sorted(ARITHMETIC))), 3), ids=str
)
def test_extreme_operands(op: str, type: IntType) -> None:
    values = sorted({v for v in (type.minimum, -1, 0, 1, 7, type.maximum) if type.contains(v)})
    a, b, c = (Reg(f"{name}@{type}", type) for name in "abc")
    for x, y in product(values, values):
        known = [holds(Compare("==", r, Const(v, type))) for r, v in ((a, x), (b, y))]
        for e in (Binary(op, a, b), Binary(op, a, Const(y, type))):
            for f in (no_overflow(e), holds(Compare("==", c, e)), holds(Compare("<", c, e))):
                for v in (0, x, y):
                    full = [*known, holds(Compare("==", c, Const(v, type)))]
                    wanted = truth(f, {a.name: x, b.name: y, c.name: v})
                    assert decided("bv", full, f) == wanted
                    if op in ("+", "-"):
                        assert decided("int", full, f) == wanted


@pytest.mark.parametrize("type", [IntType(8, False), IntType(8, True)], ids=str)
@pytest.mark.parametrize("ops", list(product("+-", repeat=3)), ids="".join)
def test_sums_of_sums_are_brought_into_their_type(type: IntType, ops: tuple[str, ...]) -> None:
    values = (type.minimum, type.maximum, 1, 77)
    a, b, c = (Reg(f"{name}:{type}", type) for name in "abc")
    one, two, three = ops
    inner = Binary(one, a, b)
    wide = IntType(16, type.signed)
    for e in (
        Binary(two, inner, Binary(three, inner, a)),
        Binary(two, Binary(three, b, inner), Binary(one, inner, inner)),
        Convert(Binary(two, Convert(Binary(three, a, inner), wide), Convert(b, wide)), type),
    ):
        f = holds(Compare("<", e, c))
        for x, y, z in product(values, repeat=3):
            known = [holds(Compare("==", r, Const(v, type))) for r, v in ((a, x), (b, y), (c, z))]
            assert decided("int", known, f) == truth(f, {a.name: x, b.name: y, c.name: z})


def test_a_number_that_is_doubled_often_has_no_cases() -> None:
    type = IntType(32, False)
    e: Expr = Reg("doubled", type)
    for _ in range(12):
        e = Binary("+", e, e)
    encoding = IntegerEncoding()
    text = z3.ExprRef(encoding.value(e), encoding.terms.context).sexpr()
    assert text.count("mod") == 1
    assert "ite" not in text


@settings(max_examples=examples(24, whole=60), deadline=None)
@given(st.data())
def test_validity_is_that_of_all_values(data: st.DataObject) -> None:
    maker = Maker(data.draw, types=NARROW, linear=True, most=1)
    f = maker.formula(1)
    known = [r for registers in maker.registers.values() for r in registers]
    domains = [range(r.type.minimum, r.type.maximum + 1) for r in known]  # type: ignore[union-attr]
    names = [r.name for r in known]
    valuations = [dict(zip(names, values, strict=True)) for values in product(*domains)]
    wanted = all(truth(f, values) for values in valuations)
    possible = any(truth(f, values) for values in valuations)
    for encoding in ENCODINGS:
        p = prover(encoding)
        assert p.entails([], f) is (Answer.YES if wanted else Answer.NO)
        assert p.satisfiable([f]) is (Answer.YES if possible else Answer.NO)
        model = p.model([f])
        assert (model is not None) == possible
        assert model is None or truth(f, model)


@pytest.mark.parametrize("encoding", sorted(ENCODINGS))
def test_every_register_has_a_value_of_its_type(encoding: str) -> None:
    for type in INTEGERS:
        r = Reg(f"x:{type}", type)
        wide = Convert(r, IntType(512, True))
        for op, bound in ((">=", type.minimum), ("<=", type.maximum)):
            f = Binary("+", Compare(op, wide, Const(bound, wide.type)), Const(1, INT))
            assert (
                prover(encoding).entails([], holds(Compare("==", f, Const(2, INT)))) is Answer.YES
            )
        known = holds(Compare("==", Unary("~", r), Reg(f"y:{type}", type)))
        assert prover(encoding).satisfiable([known]) is Answer.YES


@pytest.mark.parametrize("encoding", sorted(ENCODINGS))
def test_pointers(encoding: str) -> None:
    p, q, i = Reg("p", POINTER), Reg("q", POINTER), Reg("i", INT)
    x, y, f = Addr("x", 0, POINTER), Addr("y", 0, POINTER), FuncAddr("f", POINTER)

    def equal(a: Expr, b: Expr) -> Formula:
        return holds(Compare("==", a, b))

    def follows(known: list[Formula], goal: Formula) -> bool:
        return prover(encoding).entails(known, goal) is Answer.YES

    assert follows([equal(p, x), equal(q, x)], equal(p, q))
    assert follows([equal(p, x), equal(q, y)], neg(equal(p, q)))
    assert follows([equal(p, f)], neg(equal(p, Const(0, POINTER))))
    assert not follows([], equal(p, q))
    moved = equal(PtrAdd(x, i), Addr("x", 8, POINTER))
    assert follows([moved], equal(i, Const(8, INT)))
    assert follows([equal(i, Const(8, INT))], moved)
    back = PtrAdd(Addr("x", 8, POINTER), Const((1 << 32) - 8, IntType(32, False)))
    assert follows([equal(p, back)], equal(p, x))
    assert follows([equal(p, Convert(i, POINTER)), equal(i, Const(-1, INT))], neg(equal(p, x)))
    for e in (PtrAdd(p, i), PtrDiff(p, q, INT), Convert(p, INT)):
        other = Reg(f"other {e.type}", e.type)
        with pytest.raises(UnsupportedError):
            prover(encoding).satisfiable([equal(e, other)])
    with pytest.raises(UnsupportedError):
        prover(encoding).satisfiable([holds(Compare("<", p, q))])


def test_one_name_has_one_type() -> None:
    for encoding in ENCODINGS:
        p = Prover(encoding)
        p.satisfiable([holds(Reg("x", INT))])
        with pytest.raises(ValueError, match="x has the types"):
            p.satisfiable([holds(Reg("x", IntType(8, False)))])


@pytest.mark.parametrize(
    ("code", "encoding"),
    [
        ("v := v + 1", "int"),
        ("v := v * 3", "int"),
        ("v := v & 255", "int"),
        ("v := v << 4", "int"),
        ("v := v * v", "bv"),
        ("v := v & w", "bv"),
        ("v := v ^ 5", "bv"),
        ("v := v / w", "bv"),
        ("v := 1 << v", "bv"),
    ],
)
def test_the_encoding_that_a_program_needs(code: str, encoding: str) -> None:
    program = parse_program(
        "program pointer 4 overflow end\n"
        "template main entry L0\n  register v: i32\n  register w: i32\n"
        f"  L0: {code} -> L0\n"
    )
    assert encoding_for(program) == encoding


def test_kinds() -> None:
    a, b = Reg("a", INT), Reg("b", INT)
    assert no_overflow(Binary("*", a, b)).kind is Kind.FITS
    assert neg(no_overflow(Binary("*", a, b))).kind is Kind.NOT
