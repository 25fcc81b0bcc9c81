"""k-induction over clauses, NOTE(k-induction): what is inductive, and proofs by it alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines.horn import engine, induction, solving
from abpress.engines.horn.induction import inductive
from abpress.ir.expr import Binary, Reg, Term, Variable
from abpress.ir.types import IntType
from abpress.logic.formula import FALSE, TRUE, Formula, conj, parse_formula, substitute
from abpress.result import Verdict
from abpress.smt.answer import Answer
from abpress.smt.clauses import Clause, Unsolved
from abpress.smt.prover import Prover
from abpress.verify.certify import check_proof
from abpress.verify.run import verify

I32 = IntType(32, True)
X, Y, Z = (Reg(name, I32) for name in "xyz")
ALL: tuple[Variable, ...] = (X, Y, Z)


def clause(source: int | None, target: int | None, *guard: str, **values: Term) -> Clause:
    return Clause(source, target, tuple(map(parse_formula, guard)), values)


def said(*clauses: Clause, known: str | None = None) -> list[Formula] | None:
    facts = [(parse_formula(known),)] if known else [()]
    return inductive([ALL], clauses, facts, lambda: False)


def is_solution(labels: list[Formula], clauses: tuple[Clause, ...]) -> bool:
    prover = Prover("int")
    for its in clauses:
        known = {*its.guard, *([] if its.source is None else [labels[its.source]])}
        goal = FALSE if its.target is None else substitute(labels[its.target], its.values)
        if prover.entails(frozenset(known), goal) is not Answer.YES:
            return False
    return True


BEGIN = clause(None, 0, "x:i32 == 1", "y:i32 == 1", "z:i32 == 1")
ROTATE = clause(0, 0, x=Y, y=Z, z=X)
ERROR = clause(0, None, "x:i32 != 1")


def test_what_needs_three_rounds_is_inductive() -> None:
    """That `x` is 1 is not kept by one round, nor that it is now and after one."""
    its = BEGIN, ROTATE, ERROR
    labels = said(*its)
    assert labels is not None
    assert is_solution(labels, its)
    first, second = map(parse_formula, ("x:i32 == 1", "y:i32 == 1"))
    for less in (first, conj((first, second))):
        assert not is_solution([less], its)


def test_what_does_not_hold_at_first_is_no_solution() -> None:
    assert said(clause(None, 0, "x:i32 == 1", "y:i32 == 1"), ROTATE, ERROR) is None


def test_what_is_known_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it there is always one more round of which an error is to be excluded."""
    monkeypatch.setattr(induction, "_DEEPEST", 5)
    begin = clause(None, 0, "x:i32 == 0", "y:i32 == 3")
    grow = clause(0, 0, "x:i32 < 1000", "y:i32 < 1000", x=Binary("+", X, Y))
    its = begin, grow, clause(0, None, "x:i32 < 0")
    assert said(*its) is None
    assert said(*its, known="y:i32 > 0") is not None


def test_arbitrary_values_are_excluded_by_guards_only() -> None:
    any_value = Reg("in?1", I32)
    begin = clause(None, 0, "x:i32 == 0", "y:i32 == 0")
    some = clause(0, 0, "y:i32 == 1", x=any_value)
    its = begin, some, clause(0, None, "x:i32 == 5")
    labels = said(*its)
    assert labels is not None
    assert is_solution(labels, its)
    assert said(begin, clause(0, 0, "y:i32 == 0", x=any_value), its[2]) is None


def test_nothing_is_said_when_time_is_up() -> None:
    assert inductive([ALL], (BEGIN, ROTATE, ERROR), [()], lambda: True) is None


TURNS = """
#include <pthread.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int a, b, c;
void *turn(void *p) {
  while (__VERIFIER_nondet_int()) {
    __VERIFIER_atomic_begin();
    int t = a; a = b; b = c; c = t;
    __VERIFIER_atomic_end();
  }
  return 0;
}
void *look(void *p) { if (a < 1) reach_error(); return 0; }
int main(void) {
  pthread_t s, t;
  a = __VERIFIER_nondet_int();
  b = __VERIFIER_nondet_int();
  c = __VERIFIER_nondet_int();
  if (a < 1 || b < 1 || c < LEAST) return 0;
  pthread_create(&s, 0, turn, 0);
  pthread_create(&t, 0, look, 0);
}
"""


def turns(folder: Path, least: int) -> Config:
    file = folder / "turns.c"
    file.write_text(TURNS.replace("LEAST", str(least)), encoding="utf-8")
    return Config.of(file, engine="horn", property="unreach-call")


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody else solves clauses."""
    monkeypatch.setattr(solving, "solve_apart", lambda *_: Unsolved("not asked"))
    monkeypatch.setattr(engine, "SECONDS", (1000.0, 1000.0))


@pytest.mark.usefixtures("alone")
def test_induction_alone_proves(tmp_path: Path) -> None:
    config = turns(tmp_path, 1)
    (answer,) = verify(config).answers
    assert answer.result.verdict is Verdict.TRUE
    assert answer.certificate is not None
    assert check_proof(config, answer.certificate)


@pytest.mark.usefixtures("alone")
def test_induction_alone_refutes_nothing(tmp_path: Path) -> None:
    config = turns(tmp_path, 0)
    assert verify(config).result.verdict is Verdict.UNKNOWN


def test_the_wrong_version_is_refuted(tmp_path: Path) -> None:
    assert verify(turns(tmp_path, 0)).result.verdict is Verdict.FALSE


@pytest.mark.usefixtures("alone")
def test_what_is_not_inductive_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solving, "inductive", lambda relations, *_: [TRUE] * len(relations))
    result = verify(turns(tmp_path, 1)).result
    assert result.verdict is Verdict.UNKNOWN
    assert "is not excluded" in result.reason
