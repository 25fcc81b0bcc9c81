"""The prover's answers: remembered, minimal where they are cores, and never guessed."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.ir.expr import Binary, Compare, Const, Expr, Reg
from abpress.ir.types import INT, IntType
from abpress.logic.formula import FALSE, TRUE, Formula, conj, disj, holds, neg, no_overflow
from abpress.smt.answer import Answer
from abpress.smt.prover import Prover, Undecided
from abpress.smt.table import ENCODINGS
from tests.sampling import examples
from tests.strategies.formulas import Maker, truth

X, Y, Z = (Reg(name, INT) for name in "xyz")
LONG = IntType(64, False)


def condition(op: str, a: Expr, b: Expr | int) -> Formula:
    return holds(Compare(op, a, Const(b, a.type) if isinstance(b, int) else b))  # type: ignore[arg-type]


@pytest.fixture(params=sorted(ENCODINGS))
def prover(request: pytest.FixtureRequest) -> Prover:
    return Prover(request.param)


def test_answers_are_remembered(prover: Prover) -> None:
    known, goal = [condition("<", X, Y), condition("<", Y, Z)], condition("<", X, Z)
    assert prover.entails(known, goal) is Answer.YES
    checks = prover.statistics.checks
    assert checks == 1
    assert prover.entails(reversed(known), goal) is Answer.YES
    assert prover.entails([*known, known[0]], goal) is Answer.YES
    assert prover.satisfiable(known) is Answer.YES
    assert prover.satisfiable(known) is Answer.YES
    assert prover.statistics.checks == checks + 1
    assert prover.statistics.cache_hits == 3
    assert prover.statistics.queries == 5


def test_what_is_obvious_is_not_asked(prover: Prover) -> None:
    f, g, h = condition("<", X, 5), condition("<", Y, Z), no_overflow(Binary("+", X, Y))
    for known, goal in (
        ([f], f),
        ([], TRUE),
        ([f, FALSE], g),
        ([f, g, h], conj((f, g))),
        ([f, conj((g, h))], disj((f, h))),
    ):
        assert prover.entails(known, goal) is Answer.YES
    assert prover.satisfiable([f, neg(f)]) is Answer.NO
    assert prover.satisfiable([]) is Answer.YES
    assert prover.statistics.checks == 0


def test_what_stays_asserted_belongs_to_its_question(prover: Prover) -> None:
    small, large = condition("<", X, 5), condition(">", X, 9)
    assert prover.entails([small], condition("<", X, 6)) is Answer.YES
    assert prover.entails([small], condition("<", X, 4)) is Answer.NO
    assert prover.satisfiable([large]) is Answer.YES
    assert prover.core([large]) is None
    assert prover.model([large]) is not None
    assert prover.entails([], condition("<", X, 7)) is Answer.NO
    assert prover.entails([large], condition("<", X, 6)) is Answer.NO
    assert prover.entails([small, condition("<", Y, X)], condition("<", Y, 5)) is Answer.YES


def test_models_have_all_variables(prover: Prover) -> None:
    model = prover.model([disj((condition("==", X, -7), condition("==", Y, 3)))])
    assert model is not None
    assert sorted(model) == ["x", "y"]
    assert model["x"] == -7 or model["y"] == 3
    assert prover.model([condition("<", X, Y), condition("<", Y, X)]) is None
    assert prover.model([]) == {}


def test_a_counterexample_has_what_is_known_and_not_the_goal(prover: Prover) -> None:
    known = [condition("<", X, Y), condition("==", Z, 7)]
    for n in (5, 3):
        model = prover.counterexample(known, condition("!=", Y, n))
        assert model is not None
        assert (model["y"], model["z"]) == (n, 7)
        assert model["x"] < n
    assert prover.counterexample(known, condition("<=", X, Y)) is None
    assert prover.satisfiable([condition("==", X, Y)]) is Answer.YES


def test_a_core_is_minimal(prover: Prover) -> None:
    formulas = [
        condition("<", Z, 100),
        condition("<", X, Y),
        condition("!=", Z, 3),
        condition("<", Y, Z),
        condition(">=", X, Z),
        condition("==", Z, X),
    ]
    core = prover.core(formulas)
    assert core in ((1, 3, 4), (1, 3, 5))
    assert prover.core(formulas[:4]) is None
    assert prover.core([condition("<", X, 3), FALSE]) == (1,)
    assert prover.core([]) is None


@settings(max_examples=examples(24, whole=60), deadline=None)
@given(st.data())
def test_cores_of_random_formulas(data: st.DataObject) -> None:
    maker = Maker(data.draw, types=(INT, IntType(8, False)), linear=True, most=3)
    formulas = [maker.formula(1) for _ in range(data.draw(st.integers(1, 6)))]
    for encoding in ENCODINGS:
        prover = Prover(encoding)
        core = prover.core(formulas)
        if core is None:
            model = prover.model(formulas)
            assert model is not None
            assert all(truth(f, model) for f in formulas)
            continue
        chosen = [formulas[i] for i in core]
        assert list(core) == sorted(set(core))
        assert prover.satisfiable(chosen) is Answer.NO
        for fewer in combinations(chosen, len(chosen) - 1):
            assert prover.satisfiable(fewer) is Answer.YES


def hard() -> list[Formula]:
    """That a product of two primes has factors: satisfiable, but not within a small limit."""
    a, b = Reg("a", LONG), Reg("b", LONG)
    product = 4294967291 * 4294967279
    half = Const((1 << 32) - 1, LONG)
    bounded = [holds(Compare("<=", r, half)) for r in (a, b)]
    return [*bounded, condition("==", Binary("*", a, b), product), condition("<", a, b)]


def test_unknown_is_unknown() -> None:
    prover = Prover("bv", rlimit=20_000)
    *known, last = hard()
    assert prover.satisfiable([*known, last]) is Answer.UNKNOWN
    assert prover.entails(known, neg(last)) is Answer.UNKNOWN
    assert prover.entails(known, neg(last)) is Answer.UNKNOWN
    with pytest.raises(Undecided):
        prover.model([*known, last])
    with pytest.raises(Undecided):
        prover.core([*known, last])
    assert prover.statistics.unknown >= 4
    assert prover.satisfiable([condition("<", X, Y)]) is Answer.YES
    assert prover.entails([condition("<", X, Y)], condition("<=", X, Y)) is Answer.YES


def test_equal_questions_have_equal_models() -> None:
    formulas = [condition("<", X, Y), condition("!=", Binary("+", X, Y), Z)]
    for encoding in ENCODINGS:
        models = [Prover(encoding).model(formulas) for _ in range(3)]
        assert models[0] == models[1] == models[2]


def test_a_core_does_not_name_what_always_holds(prover: Prover) -> None:
    same = condition("==", X, Y)
    formulas = [condition("!=", X, 3), condition("<", X, 3), condition(">", Y, 3)]
    assert prover.core(formulas) is None
    assert prover.core(formulas, [same]) == (1, 2)
    assert prover.core([], [same]) is None
    assert prover.core(formulas, [same, neg(same)]) == ()
