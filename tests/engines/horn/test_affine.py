"""Linear equations of clauses: which are found, and that clauses keep those that stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines.horn import affine
from abpress.engines.horn.affine import equations
from abpress.ir.expr import Binary, Const, Expr, Reg, Term, Variable
from abpress.ir.types import IntType
from abpress.logic.formula import Formula, parse_formula
from abpress.result import Verdict
from abpress.smt.answer import Answer
from abpress.smt.clauses import Clause
from abpress.smt.prover import Prover
from abpress.verify.certify import check_proof
from abpress.verify.run import verify

I32, U32 = IntType(32, True), IntType(32, False)
X, Y, Z = (Reg(name, I32) for name in "xyz")
A, B, C = (Reg(name, U32) for name in "abc")


def plus(e: Reg, n: int) -> Expr:
    assert isinstance(e.type, IntType)
    return Binary("+", e, Const(n % (1 << e.type.bits) if n < 0 else n, e.type))


def clause(source: int | None, target: int | None, *guard: str, **values: Term) -> Clause:
    return Clause(source, target, tuple(map(parse_formula, guard)), values)


def known(variables: tuple[Variable, ...], clauses: list[Clause]) -> list[frozenset[Formula]]:
    relations = 1 + max(its.target or 0 for its in clauses)
    return list(map(frozenset, equations([variables] * relations, clauses, lambda: False)))


def implied(formulas: frozenset[Formula], goal: str) -> bool:
    return Prover("int").entails(formulas, parse_formula(goal)) is Answer.YES


def test_what_grows_in_step_stays_in_proportion() -> None:
    its = known(
        (X, Y, Z),
        [
            clause(None, 0, "x:i32 == 0", "y:i32 == 5"),
            clause(0, 1, "x:i32 < 1000", x=plus(X, 2)),
            clause(1, 0, "y:i32 < 1000", y=plus(Y, 1)),
        ],
    )
    assert implied(its[0], "x:i32 == (2 * (y:i32 - 5))")
    assert implied(its[1], "(x:i32 - 2) == (2 * (y:i32 - 5))")
    assert not implied(its[0], "x:i32 == 0")


def test_what_wraps_around_is_no_equation() -> None:
    """Of a number that wraps around the guess is wrong; a guard may exclude that."""
    narrow = Reg("n", IntType(16, True))
    for guard, holds in (("x:i32 < 100", True), ("x:i32 < 100000", False)):
        its = known(
            (X, narrow),
            [
                clause(None, 0, "x:i32 == 0", "n:i16 == 0"),
                clause(0, 0, guard, x=plus(X, 1), n=plus(narrow, 1)),
            ],
        )
        assert implied(its[0], "x:i32 == i32(n:i16)") is holds


def test_unsigned_numbers_of_one_type_have_equations_in_it() -> None:
    """Both wrap around; in numbers without bounds the sum does not stay the same."""
    its = known(
        (A, B, C),
        [
            clause(None, 0, "a:u32 == 0", "b:u32 == c:u32"),
            clause(0, 0, a=plus(A, 1), b=plus(B, -1)),
        ],
    )
    assert implied(its[0], "(a:u32 + b:u32) == c:u32")


def test_what_one_way_does_not_keep_is_no_equation() -> None:
    clauses = [
        clause(None, 0, "x:i32 == 0", "y:i32 == 0"),
        clause(0, 0, "x:i32 < 100", "y:i32 < 100", x=plus(X, 1), y=plus(Y, 1)),
    ]
    assert implied(known((X, Y, Z), clauses)[0], "x:i32 == y:i32")
    clauses.append(clause(0, 0, "x:i32 < 100", "z:i32 == 7", x=plus(X, 1)))
    assert known((X, Y, Z), clauses)[0] == frozenset()


def test_a_guess_that_is_wrong_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    clauses = [
        clause(None, 0, "x:i32 == 0"),
        clause(0, 1, "x:i32 < 100", x=plus(X, 1)),
        clause(1, 0),
    ]
    wrong = parse_formula("x:i32 == 0")
    monkeypatch.setattr(affine, "equations_of", lambda *_: (wrong,))
    assert known((X, Y), clauses) == [frozenset()] * 2


def test_nothing_is_said_when_time_is_up() -> None:
    clauses = [clause(None, 0, "x:i32 == 0")]
    assert equations([(X,)], clauses, lambda: True) == [()]


SHARED_OUT = """
#include <pthread.h>
void reach_error(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
unsigned left, right, done, all;
void *one(void *p) {
  for (;;) {
    __VERIFIER_atomic_begin();
    if (!left) { __VERIFIER_atomic_end(); return 0; }
    left--;
    done++;
    __VERIFIER_atomic_end();
  }
}
void *two(void *p) {
  for (;;) {
    __VERIFIER_atomic_begin();
    if (!right) { __VERIFIER_atomic_end(); return 0; }
    right--;
    done += STEP;
    __VERIFIER_atomic_end();
  }
}
int main(void) {
  pthread_t s, t;
  left = __VERIFIER_nondet_uint();
  right = __VERIFIER_nondet_uint();
  all = left + right;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  if (done != all) reach_error();
  return 0;
}
"""


@pytest.mark.parametrize(("step", "expected"), [("1", Verdict.TRUE), ("2", Verdict.FALSE)])
def test_sums_that_wrap_around_are_in_proofs(tmp_path: Path, step: str, expected: Verdict) -> None:
    """Without the equations there is no proof in a minute."""
    file = tmp_path / "shared_out.c"
    file.write_text(SHARED_OUT.replace("STEP", step), encoding="utf-8")
    config = Config.of(file, engine="horn", property="unreach-call", time_limit=100.0)
    (answer,) = verify(config).answers
    assert answer.result.verdict is expected
    if expected is Verdict.TRUE:
        assert answer.certificate is not None
        (accepted,) = check_proof(config, answer.certificate)
        assert accepted.property == "unreach-call"
