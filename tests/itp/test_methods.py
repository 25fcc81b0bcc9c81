"""Formulas that a refinement is offered, and their order; and --paranoid."""

from __future__ import annotations

import pytest

from abpress.ir.expr import Binary, Compare, Const, Reg
from abpress.ir.types import INT
from abpress.itp.methods import METHODS, parts, refinements
from abpress.itp.path import Core, Infeasible, Path, feasibility
from abpress.logic.formula import FALSE, TRUE, Formula, conj, disj, holds, neg
from abpress.smt.answer import NotExact
from abpress.smt.prover import Prover
from abpress.symbolic.discrete import SymbolicStep
from tests.strategies.symbolic_paths import NOWHERE

A, B, C = (Reg(f"{name}@0", INT) for name in "abc")


def below(x: Reg, n: int) -> Formula:
    return holds(Compare("<", x, Const(n, INT)))


def step(*guard: Formula, **updates: object) -> SymbolicStep:
    named = {f"{name}@0": e for name, e in updates.items()}
    empty: frozenset[str] = frozenset()
    return SymbolicStep(1, (), guard, named, (), empty, NOWHERE, empty, empty)  # type: ignore[arg-type]


PATH = Path((below(A, 3),), (step(b=Binary("+", A, Const(1, INT))), step(neg(below(B, 9)))))
PROVER = Prover("int")


def core() -> Core:
    answer = feasibility(PROVER, PATH)
    assert isinstance(answer, Infeasible)
    return answer.core


def wrong(prover: Prover, path: Path, core: Core) -> tuple[Formula, ...]:
    return TRUE, TRUE, FALSE


def none(prover: Prover, path: Path, core: Core) -> None:
    return None


def beyond(prover: Prover, path: Path, core: Core) -> None:
    raise NotExact


def test_each_method_is_asked_in_turn_and_then_the_parts_are_offered() -> None:
    either = disj([below(A, 1), below(B, 2)])

    def other(prover: Prover, path: Path, core: Core) -> tuple[Formula, ...]:
        return either, FALSE, FALSE

    methods = {"none": none, "wp": METHODS["wp"], "other": other}
    offered = list(refinements(PROVER, PATH, core(), methods=methods))
    assert [name for name, _ in offered] == ["wp", "other", "parts of wp", "parts of other"]
    assert offered[3][1] == either.parts


def test_a_method_that_is_not_needed_is_not_tried() -> None:
    offered = refinements(PROVER, PATH, core(), methods={"wp": METHODS["wp"], "x": beyond})
    assert next(offered)[0] == "wp"


def test_another_encoding_is_asked_for_when_no_method_is_left() -> None:
    offered = refinements(PROVER, PATH, core(), methods={"x": beyond, "wp": METHODS["wp"]})
    assert next(offered)[0] == "wp"
    with pytest.raises(NotExact):
        list(offered)


def test_paranoid_refuses_wrong_interpolants() -> None:
    assert list(refinements(PROVER, PATH, core(), methods={"wrong": wrong}))
    with pytest.raises(AssertionError, match="internal error: interpolants by wrong: consecution"):
        list(refinements(PROVER, PATH, core(), paranoid=True, methods={"wrong": wrong}))


def test_paranoid_accepts_what_each_method_finds() -> None:
    offered = list(refinements(PROVER, PATH, core(), paranoid=True))
    names = [name for name in METHODS if name != "meeting"]  # which is for arrays only
    assert [name for name, _ in offered[: len(names)]] == names


def test_parts_are_found_at_every_depth() -> None:
    one, two, three = below(A, 1), below(B, 2), below(C, 3)
    both = conj([one, two])
    assert set(parts([disj([both, three])])) == {both, one, two, three}
    assert parts([one, TRUE]) == ()
