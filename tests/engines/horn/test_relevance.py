"""What does not bear on errors is left out of clauses, NOTE(guessed-bounds), and no more."""

from __future__ import annotations

import pytest

from abpress.engines.horn.encoding import ClauseSystem
from abpress.engines.horn.relevance import bearing_on_errors
from abpress.ir.expr import Binary, Const, Reg, Term
from abpress.ir.types import IntType
from abpress.logic.formula import conj, parse_formula
from abpress.smt.answer import Answer
from abpress.smt.clauses import Clause
from abpress.smt.prover import Prover

I32 = IntType(32, True)
NAMES = ("i", "n", "s", "x")
I, N, S, X = (Reg(name, I32) for name in NAMES)
ANYTHING = Reg("in?1", I32)


def clause(source: int | None, target: int | None, *guard: str, **values: Term) -> Clause:
    return Clause(source, target, tuple(map(parse_formula, guard)), values)


def plus(e: Reg, other: Reg | int) -> Term:
    return Binary("+", e, other if isinstance(other, Reg) else Const(other, I32))


BEGIN = clause(None, 0, "x:i32 == 0", "i:i32 == 0")
ANY_SIZE = clause(0, 1, "`in?1`:i32 >= 0", n=ANYTHING)
ERROR = clause(1, None, "x:i32 > 5")


def left(*clauses: Clause) -> tuple[set[str], ClauseSystem]:
    """The variables that are left, and the clauses; of each its guard implies what is left of it,
    and values that are left do not rest on what is not."""
    relations = ((I, N, S, X),) * 2
    problem = ClauseSystem({0: 0, 1: 1}, relations, frozenset(), (), clauses)
    found = bearing_on_errors(problem)
    prover = Prover("int")
    for whole, its in zip(clauses, found.clauses, strict=True):
        assert (whole.source, whole.target) == (its.source, its.target)
        assert prover.entails(frozenset(whole.guard), conj(its.guard)) is Answer.YES
        assert all(whole.values[name] == value for name, value in its.values.items())
    return {v.name for v in found.relations[1]}, found


def test_limits_are_left_out() -> None:
    """An index below the size of an array."""
    count = clause(1, 1, "x:i32 < n:i32", x=plus(X, 1))
    names, found = left(BEGIN, ANY_SIZE, count, ERROR)
    assert names == {"x"}
    assert found.clauses[2].guard == ()


@pytest.mark.parametrize(
    "other",
    [
        clause(1, 1, "x:i32 >= n:i32"),
        clause(1, 1, x=N),
        clause(1, 1, n=plus(N, -1)),
        clause(1, None, "n:i32 == 7"),
    ],
)
def test_what_is_asked_otherwise_is_no_limit(other: Clause) -> None:
    count = clause(1, 1, "x:i32 < n:i32", x=plus(X, 1))
    names, found = left(BEGIN, ANY_SIZE, count, other, ERROR)
    assert "n" in names
    assert found.clauses[2].guard == count.guard


def test_what_chooses_what_is_changed_counts() -> None:
    """A loop counts x; that another one ends does not count."""
    count = clause(1, 1, "i:i32 < 3", i=plus(I, 1), x=plus(X, 1))
    fill = clause(1, 1, "s:i32 < n:i32", s=plus(S, 1))
    names, found = left(BEGIN, ANY_SIZE, count, fill, clause(1, 1, "s:i32 >= n:i32"), ERROR)
    assert names == {"i", "x"}
    assert found.clauses[3].guard == ()


def test_what_only_has_to_fit_does_not_count() -> None:
    count = clause(1, 1, "fits(s:i32 + x:i32)", "x:i32 < 3", s=plus(S, X), x=plus(X, 1))
    names, found = left(BEGIN, ANY_SIZE, count, ERROR)
    assert names == {"x"}
    assert found.clauses[2].guard == count.guard[1:]


def test_guards_before_an_error_without_one_are_asked_last() -> None:
    names, _ = left(BEGIN, clause(0, 1, "s:i32 == 3"), clause(1, None))
    assert names == {"s"}
