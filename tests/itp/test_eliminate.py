"""Elimination against enumeration of the variable and of all others."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, Reg
from abpress.ir.types import IntType
from abpress.itp.eliminate import project, project_all
from abpress.logic.formula import TRUE, Formula, conj, disj, holds, variables
from tests.sampling import examples
from tests.strategies.formulas import truth

U3, S3 = IntType(3, False), IntType(3, True)
VALUES = {t: range(t.minimum, t.maximum + 1) for t in (U3, S3)}


def registers(type: IntType) -> tuple[Reg, Reg, Reg]:
    return Reg("x", type), Reg("a", type), Reg("b", type)


@st.composite
def formulas(draw: st.DrawFn, type: IntType, sums: bool) -> Formula:
    def term() -> Expr:
        e: Expr = draw(st.sampled_from(registers(type)))
        if not draw(st.integers(0, 3)):
            return Const(draw(st.sampled_from(VALUES[type])), type)
        if sums and draw(st.booleans()):
            number = Const(draw(st.integers(1, 3)), type)
            e = Binary(draw(st.sampled_from("+-")), e, number)
        if sums and not draw(st.integers(0, 4)):
            return Convert(e, IntType(8, True))
        return e

    def condition() -> Formula:
        a, b = term(), term()
        if a.type != b.type:
            a, b = Convert(a, IntType(8, True)), Convert(b, IntType(8, True))
        return holds(Compare(draw(st.sampled_from(["==", "!=", "<", "<=", ">", ">="])), a, b))

    parts = [condition() for _ in range(draw(st.integers(1, 4)))]
    if draw(st.booleans()):
        parts.append(disj([condition(), condition()]))
    return conj(parts)


def agrees(f: Formula, projected: Formula, type: IntType) -> bool:
    for a, b in product(VALUES[type], repeat=2):
        some = any(truth(f, {"x": x, "a": a, "b": b}) for x in VALUES[type])
        if truth(projected, {"a": a, "b": b}) != some:
            return False
    return True


@settings(max_examples=examples(120, whole=300), derandomize=True, deadline=None, database=None)
@given(data=st.data(), type=st.sampled_from([U3, S3]))
def test_what_is_found_is_exact(data: st.DataObject, type: IntType) -> None:
    f = data.draw(formulas(type, sums=True))
    projected = project(f, "x", type)
    if projected is not None:
        assert "x" not in variables(projected)
        assert agrees(f, projected, type)


@settings(max_examples=examples(80, whole=200), derandomize=True, deadline=None, database=None)
@given(data=st.data(), type=st.sampled_from([U3, S3]))
def test_a_variable_that_is_only_compared_is_eliminated(data: st.DataObject, type: IntType) -> None:
    f = data.draw(formulas(type, sums=False))
    projected = project(f, "x", type)
    assert projected is None or agrees(f, projected, type)
    parts = sum(part.kind.value == "any" or "!=" in repr(part) for part in f.parts or (f,))
    if parts <= 2:  # few cases
        assert projected is not None


def test_what_cannot_be_eliminated_is_left() -> None:
    x, a, b = registers(U3)
    masked = holds(Compare("==", Binary("&", x, a), Const(2, U3)))
    f = conj((masked, holds(Compare("==", b, Binary("+", a, Const(1, U3))))))
    assert project_all(f, [("x", U3), ("b", U3)]) is masked
    assert project_all(TRUE, [("x", U3)]) is TRUE
