"""Inputs of which few values can be told apart: one of each kind is tried, and nothing is lost."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from abpress.analysis.value_classes import Classes, Untold, analyse, told_apart, told_apart_before
from abpress.ir.expr import (
    ARITHMETIC,
    COMPARISON,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    Reg,
    Unary,
)
from abpress.ir.program import Overflow, Program
from abpress.ir.types import INT, IntType
from abpress.properties.ends import End, classify
from abpress.result import Soundness
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import Options
from abpress.semantics.reference_expressions import (
    ReferenceEvaluator,
    SignedOverflow,
    UndefinedBehaviour,
)
from tests.sampling import examples
from tests.semantics.machine import Machine, straight
from tests.strategies.ir_programs import Features, programs

BYTES = (IntType(8, True), IntType(8, False))
TYPES = (*BYTES, IntType(16, True), IntType(16, False), IntType(32, True))


class Maker:
    """Draws expressions over `x`, mostly of the forms that are followed."""

    def __init__(self, draw: Any, x: Reg) -> None:
        self.draw = draw
        self.x = x

    def integer(self, type: IntType, depth: int) -> Expr:
        kinds = ["number"] if depth == 0 else ["x", "x", "op", "op", "op", "two", "unary", "number"]
        if depth and type == INT:
            kinds += ["compare", "compare", "compare"]
        match self.draw(st.sampled_from(kinds)):
            case "number":
                return self.number(type)
            case "x":
                return self.x if self.x.type == type else Convert(self.x, type)
            case "unary":
                return Unary(self.draw(st.sampled_from("-~")), self.integer(type, depth - 1))
            case "op":
                op = self.draw(st.sampled_from("+-%&"))
                sides = self.integer(type, depth - 1), self.number(type)
                left, right = sides if self.draw(st.integers(0, 2)) else sides[::-1]
                return Binary(op, left, right)
            case "two":
                op = self.draw(st.sampled_from(sorted(ARITHMETIC)))
                return Binary(op, self.integer(type, depth - 1), self.integer(type, depth - 1))
            case _:
                of = self.draw(st.sampled_from(TYPES))
                op = self.draw(st.sampled_from(sorted(COMPARISON)))
                left = self.integer(of, depth - 1)
                right = self.integer(of, self.draw(st.sampled_from([0, depth - 1])))
                return Compare(op, left, right)

    def number(self, type: IntType) -> Expr:
        small = st.integers(max(-3, type.minimum), 9)
        number = small | st.integers(type.minimum, type.maximum)
        return Const(self.draw(number), type)


@st.composite
def expressions(draw: Any) -> tuple[Expr, Reg, Overflow]:
    x = Reg("x", draw(st.sampled_from(BYTES)))
    type = draw(st.sampled_from((INT, *TYPES)))
    return Maker(draw, x).integer(type, draw(st.integers(1, 4))), x, draw(st.sampled_from(Overflow))


def behaviour(e: Expr, value: int, overflow: Overflow) -> Any:
    """The value of `e`, or how it ends the execution, where x is `value`."""
    try:
        return ReferenceEvaluator({"x": value}, overflow)(e)
    except (UndefinedBehaviour, SignedOverflow) as end:
        return type(end)


def represented(x: Reg, classes: Classes) -> dict[int, int]:
    """Every value of x -> the representative of its class."""
    assert isinstance(x.type, IntType)
    low, high = x.type.minimum, x.type.maximum
    chosen = classes.representatives(low, high, 256)
    assert chosen is not None
    bounds = [low, *sorted(c for c in classes.cuts if low < c <= high), high + 1]
    found = {}
    for value in range(low, high + 1):
        k = max(b for b in bounds if b <= value)
        end = min(b for b in bounds if b > value)
        same = [c for c in chosen if k <= c < end and (c - value) % classes.modulus == 0]
        assert len(same) == 1
        found[value] = same[0]
    return found


@settings(max_examples=examples(150, whole=800), deadline=None)
@given(expressions())
def test_values_of_one_class_cannot_be_told_apart(case: tuple[Expr, Reg, Overflow]) -> None:
    e, x, overflow = case
    try:
        classes = told_apart(analyse(e, x, overflow))
    except Untold:
        assume(False)
    for value, other in represented(x, classes).items():
        assert behaviour(e, value, overflow) == behaviour(e, other, overflow)


@settings(max_examples=examples(75, whole=400), deadline=None)
@given(expressions(), st.frozensets(st.integers(-200, 300), max_size=4), st.integers(1, 6))
def test_values_of_one_class_lead_to_one_class(
    case: tuple[Expr, Reg, Overflow], cuts: frozenset[int], modulus: int
) -> None:
    e, x, overflow = case
    after = Classes(cuts, modulus)
    try:
        before = told_apart_before(analyse(e, x, overflow), after)
    except Untold:
        assume(False)

    def seen(value: int) -> Any:
        result = behaviour(e, value, overflow)
        if isinstance(result, int):
            return result % modulus, sum(result >= cut for cut in cuts)
        return result

    for value, other in represented(x, before).items():
        assert seen(value) == seen(other)


def test_representatives_are_small() -> None:
    classes = Classes(frozenset({-5, 100}), 2)
    assert classes.representatives(-1000, 1000, 9) == (-7, -6, 0, 1, 100, 101)
    assert classes.representatives(0, 100, 9) == (0, 1, 100)
    assert classes.representatives(0, 100, 2) is None


def outcome(program: Program, limit: int) -> tuple[set[str], bool, bool]:
    """Violations, whether there is a deadlock, and whether nothing was lost."""
    soundness = Soundness()
    interpreter = Interpreter(program, Options(input_domain=limit), soundness)
    pending = [interpreter.initial()]
    seen = set(pending)
    violations, deadlock = set(), False
    while pending:
        s = pending.pop()
        steps = [step for t in interpreter.threads(s) for step in interpreter.steps(s, t)]
        deadlock = deadlock or (not steps and classify(interpreter, s) is End.DEADLOCK)
        for step in steps:
            if step.violation is not None:
                violations.add(step.violation.message)
            elif step.successor not in seen:
                seen.add(step.successor)
                pending.append(step.successor)
        assume(len(seen) < 4000)
    return violations, deadlock, soundness.complete


@settings(
    max_examples=examples(30, whole=60), deadline=None, suppress_health_check=list(HealthCheck)
)
@given(programs(Features(wide_inputs=True, exits=False, threads=2, statements=4)))
def test_classes_keep_violations_and_deadlocks(program: Program) -> None:
    violations, deadlock, complete = outcome(program, 20)
    assume(complete)
    assert (violations, deadlock, True) == outcome(program, 256)


DECLARED = "object x {4: 0 i32} = 0\nobject y {4: 0 i32} = 0\nobject a {8: 0 i32, 4 i32} = 0, 0"


@pytest.mark.parametrize(
    ("uses", "tried"),
    [
        ((), 1),
        (("b := a > 7", "*&y := b"), 2),
        (("b := a % 3", "*&y := b"), 5),
        (("*&x := a", "b := *&x", "c := b > 3", "d := b == 9"), 4),
        (("b := a + 1", "c := b > 3", "*&y := b"), 2),  # one more overflows
        (("*(&a + ((a & 1) * 4)) := 1",), 2),
        (("*(&a + ((b & 1) * 4)) := a", "c := *&a+4", "d := c < 0"), 3),  # a or b is 0
    ],
)
def test_inputs_are_followed_to_where_they_are_used(uses: tuple[str, ...], tried: int) -> None:
    text = straight(
        'a := any "input"', *uses, declare=DECLARED, registers="a: i32, b: i32, c: i32, d: i32"
    )
    m = Machine(text, input_domain=16)
    m.reachable()
    assert m.soundness.complete
    assert len(m.steps()) == tried


@pytest.mark.parametrize(
    "uses",
    [
        ("b := a * a", "*&y := b"),
        ("b := a < c", "*&y := b"),
        ("q := &x", "*q := a"),
        ("q := &x", "*&x := a"),
        ("*&a := i8(a)",),
    ],
)
def test_where_all_values_may_matter_a_proof_is_withheld(uses: tuple[str, ...]) -> None:
    registers = "a: i32, b: i32, c: i32, q: ptr"
    text = straight('a := any "input"', *uses, declare=DECLARED, registers=registers)
    m = Machine(text, input_domain=16)
    m.reachable()
    assert not m.soundness.complete
