"""Bounds that are guessed from models, NOTE(guessed-bounds): what is found, kept, and proved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines.horn import engine, solving
from abpress.engines.horn.octagons import octagons
from abpress.engines.horn.slicing import sliced
from abpress.ir.expr import Binary, Const, Reg, Term, Variable
from abpress.ir.types import IntType
from abpress.logic.formula import FALSE, Formula, conj, parse_formula, substitute
from abpress.result import Verdict
from abpress.smt.answer import Answer
from abpress.smt.clauses import Clause, Unsolved
from abpress.smt.prover import Prover
from abpress.verify.certify import check_proof
from abpress.verify.run import verify

I32 = IntType(32, True)
X, Y, Z, F = (Reg(name, I32) for name in "xyzf")
ALL: tuple[Variable, ...] = (X, Y, Z)


def clause(source: int | None, target: int | None, *guard: str, **values: Term) -> Clause:
    return Clause(source, target, tuple(map(parse_formula, guard)), values)


def plus(e: Reg, n: int) -> Term:
    return Binary("+", e, Const(n, I32))


def check_that_all_keep(clauses: Iterable[Clause], found: Sequence[Sequence[Formula]]) -> None:
    """That these formulas, by relation, are kept by all clauses."""
    prover = Prover("int")
    for its in clauses:
        if its.target is not None:
            known = {*its.guard, *(() if its.source is None else found[its.source])}
            goal = substitute(conj(found[its.target]), its.values)
            assert prover.entails(frozenset(known), goal) is Answer.YES


def bounds(*clauses: Clause, of: tuple[Variable, ...] = ALL) -> tuple[Formula, ...]:
    """What is said of relation 0, which all clauses keep."""
    found = octagons([of], clauses, [()], lambda: False)
    assert found is not None
    check_that_all_keep(clauses, found)
    return found[0]


def implied(formulas: tuple[Formula, ...], goal: str) -> bool:
    return Prover("int").entails(formulas, parse_formula(goal)) is Answer.YES


BEGIN = clause(None, 0, "x:i32 == 0", "y:i32 >= 0", "y:i32 <= 1000", "z:i32 == 0")


def test_what_counts_up_to_another_one_stays_below_it() -> None:
    its = bounds(BEGIN, clause(0, 0, "x:i32 < y:i32", x=plus(X, 1)))
    assert implied(its, "x:i32 <= y:i32")
    assert implied(its, "x:i32 <= 1000")
    assert not implied(its, "x:i32 < y:i32")


def test_what_only_one_of_two_counts_has_no_bound_above() -> None:
    its = bounds(BEGIN, clause(0, 0, "x:i32 < 100000", x=plus(X, 1)))
    assert implied(its, "x:i32 >= 0")
    assert not implied(its, "x:i32 <= y:i32")


def test_sums_are_bounded() -> None:
    its = bounds(
        BEGIN,
        clause(0, 0, "y:i32 > 0", "x:i32 < 5000", x=plus(X, 1), y=plus(Y, -1)),
        clause(0, 0, "y:i32 > 0", y=plus(Y, -1)),
    )
    assert implied(its, "(x:i32 + y:i32) <= 1000")
    assert not implied(its, "(x:i32 + y:i32) == 0")


def test_the_greater_of_two_is_one_of_them() -> None:
    begin = clause(None, 0, "x:i32 == y:i32", "z:i32 == y:i32")
    up, copy = clause(0, 0, "z:i32 < 9", z=plus(Z, 1)), clause(0, 0, "x:i32 < z:i32", x=Z)
    its = bounds(begin, copy)
    assert implied(its, "x:i32 == y:i32")
    greater = bounds(begin, clause(0, 0, "z:i32 < 9", "z:i32 >= y:i32", x=plus(Z, 1), z=plus(Z, 1)))
    assert implied(greater, "x:i32 >= y:i32")
    assert implied(greater, "x:i32 == z:i32")
    either = bounds(begin, clause(0, 0, "z:i32 > y:i32", x=Z), clause(0, 0, z=Reg("in?1", I32)))
    assert not implied(either, "x:i32 == y:i32")
    assert not implied(bounds(begin, up, clause(0, 0, x=plus(X, 1))), "x:i32 == z:i32")


def test_bounds_depend_on_flags() -> None:
    """While the flag is down the number is 0."""
    begin = clause(None, 0, "f:i32 == 0", "x:i32 == 0")
    up = clause(0, 0, f=Const(1, I32))
    count = clause(0, 0, "f:i32 == 1", "x:i32 < 100000", x=plus(X, 1))
    its = bounds(begin, up, count, of=(F, X))
    known = Prover("int")
    down = parse_formula("f:i32 == 0")
    assert known.entails({*its, down}, parse_formula("x:i32 == 0")) is Answer.YES
    assert not implied(its, "x:i32 == 0")
    assert not implied(
        bounds(begin, up, clause(0, 0, x=plus(X, 1)), of=(F, X)), "(f:i32 + x:i32) == f:i32"
    )


def test_only_what_is_needed_is_left() -> None:
    clauses = (
        clause(None, 0, "x:i32 == 0", "y:i32 == 5", "z:i32 == 0"),
        clause(0, 0, "x:i32 < y:i32", x=plus(X, 1)),
        clause(0, None, "x:i32 > y:i32", "z:i32 == 0"),
    )
    labels = tuple(map(parse_formula, ("x:i32 >= 0", "x:i32 <= y:i32", "y:i32 == 5")))
    assert sliced(clauses, [labels]) == [(parse_formula("x:i32 <= y:i32"),)]


def test_nothing_is_said_when_time_is_up() -> None:
    assert octagons([ALL], [BEGIN], [()], lambda: True) is None


ROOM = """
#include <pthread.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int in, room;
void *enter(void *p) {
  while (__VERIFIER_nondet_int()) {
    __VERIFIER_atomic_begin();
    if (in < room) in += STEP;
    __VERIFIER_atomic_end();
  }
  return 0;
}
int main(void) {
  pthread_t s;
  room = __VERIFIER_nondet_int();
  if (room < 0 || room > 400) return 0;
  pthread_create(&s, 0, enter, 0);
  pthread_join(s, 0);
  if (in > 400) reach_error();
}
"""


def room(folder: Path, step: int) -> Config:
    file = folder / "room.c"
    file.write_text(ROOM.replace("STEP", str(step)), encoding="utf-8")
    return Config.of(file, engine="horn", property="unreach-call")


@pytest.mark.parametrize("bounded", [True, False])
def test_bounds_make_it_inductive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bounded: bool
) -> None:
    """Without Spacer; without bounds there is no proof."""
    monkeypatch.setattr(solving, "solve_apart", lambda *_: Unsolved("not asked"))
    monkeypatch.setattr(engine, "SECONDS", (1000.0, 1000.0))
    if not bounded:
        monkeypatch.setattr(solving, "octagons", lambda *_: None)
    config = room(tmp_path, 1)
    (answer,) = verify(config).answers
    assert answer.result.verdict is (Verdict.TRUE if bounded else Verdict.UNKNOWN)
    if bounded:
        assert answer.certificate is not None
        assert check_proof(config, answer.certificate)


def test_bounds_that_are_wrong_are_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That no place is reached but the first one excludes all errors, and is not kept."""
    monkeypatch.setattr(solving, "solve_apart", lambda *_: Unsolved("not asked"))
    monkeypatch.setattr(engine, "SECONDS", (1000.0, 1000.0))
    monkeypatch.setattr(solving, "octagons", lambda its, *_: [(), *((FALSE,) for _ in its[1:])])
    result = verify(room(tmp_path, 1)).result
    assert result.verdict is Verdict.UNKNOWN
    assert "the proof is rejected" in result.reason, result.reason


def test_the_wrong_version_is_refuted(tmp_path: Path) -> None:
    assert verify(room(tmp_path, 500)).result.verdict is Verdict.FALSE
