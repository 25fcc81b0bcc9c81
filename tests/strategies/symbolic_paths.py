"""Random straight-line paths of symbolic steps, with an oracle that tries all inputs."""

from __future__ import annotations

from itertools import product

from hypothesis import strategies as st

from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, Reg
from abpress.ir.types import INT, IntType
from abpress.itp.path import Path, replace_registers
from abpress.logic.formula import FALSE, TRUE, Formula, holds, no_overflow, substitute
from abpress.symbolic.discrete import Discrete, Input, SymbolicStep

U8 = IntType(8, False)
VARIABLES = (Reg("x@0", U8), Reg("y@0", U8), Reg("main:r", INT), Reg("main.1:s", INT))
NOWHERE = Discrete((), ())


@st.composite
def paths(draw: st.DrawFn, most: int = 6) -> Path:
    """A path whose variables are all known at the beginning."""
    facts = tuple(
        holds(Compare("==", v, Const(draw(st.integers(0, 2)), v.type))) for v in VARIABLES
    )
    return Path(facts, tuple(draw(steps(k)) for k in range(draw(st.integers(1, most)))))


@st.composite
def steps(draw: st.DrawFn, k: int) -> SymbolicStep:
    inputs: tuple[Input, ...] = ()
    operands: list[Expr] = list(VARIABLES)
    if draw(st.booleans()):
        type = draw(st.sampled_from([U8, INT]))
        low = draw(st.integers(0, 3))
        high = low + draw(st.sampled_from([1, 5, 20]))
        inputs = (Input(f"main:in#{k}.{type}", type, "input", low, high),)
        operands.append(Reg(inputs[0].name, type))
    value = expressions(operands)
    guard: list[Formula] = []
    for input in inputs:
        register = Reg(input.name, input.type)
        guard.append(holds(Compare(">=", register, Const(input.low, input.type))))
        guard.append(holds(Compare("<=", register, Const(input.high, input.type))))
    if draw(st.booleans()):
        a = draw(value)
        b = draw(value.filter(lambda e: e.type == a.type))
        op = draw(st.sampled_from(["==", "!=", "<", "<=", ">", ">="]))
        guard += [no_overflow(a), no_overflow(b), holds(Compare(op, a, b))]
    updates: dict[str, Expr] = {}
    for target in draw(st.lists(st.sampled_from(VARIABLES), max_size=2, unique=True)):
        e = draw(value)
        guard.append(no_overflow(e))
        updates[target.name] = e if e.type == target.type else Convert(e, target.type)
    return SymbolicStep(
        1, (), tuple(guard), updates, inputs, frozenset(), NOWHERE, frozenset(), frozenset()
    )


def expressions(operands: list[Expr]) -> st.SearchStrategy[Expr]:
    leaf = st.sampled_from(operands)

    def combine(draw: st.DrawFn) -> Expr:
        a = draw(leaf)
        if draw(st.booleans()):
            return a
        b = draw(
            st.one_of(
                st.sampled_from([o for o in operands if o.type == a.type]),
                st.integers(0, 3).map(lambda n: Const(n, a.type)),
            )
        )
        return Binary(draw(st.sampled_from(["+", "-"])), a, b)

    return st.composite(combine)()


def executions(path: Path) -> bool:
    """Whether some inputs lead through the path."""
    values = {v.name: _value(path.facts, v) for v in VARIABLES}
    return _from(path, 0, values)


def _value(facts: tuple[Formula, ...], v: Reg) -> Expr:
    for n in range(3):
        constant = Const(n, v.type)
        if holds(Compare("==", v, constant)) in facts:
            return constant
    raise AssertionError("not known at the beginning")


def _from(path: Path, k: int, values: dict[str, Expr]) -> bool:
    if k == len(path.steps):
        return True
    step = path.steps[k]
    ranges = [range(i.low, i.high + 1) for i in step.inputs]
    for choice in product(*ranges):
        now = values | {i.name: Const(n, i.type) for i, n in zip(step.inputs, choice, strict=True)}
        held = [substitute(f, now) for f in step.guard]
        assert all(f in (TRUE, FALSE) for f in held)
        if all(f is TRUE for f in held):
            after = {n: replace_registers(e, now) for n, e in step.updates.items()}
            if _from(path, k + 1, values | after):
                return True
    return False
