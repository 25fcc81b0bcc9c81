"""Many rounds of a loop as one clause, NOTE(accelerated-rounds): what it says, and far errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from abpress.config import Config
from abpress.engines.horn import acceleration, engine, solving
from abpress.engines.horn.acceleration import ROUNDS, accelerated, unrolled
from abpress.engines.horn.encoding import ClauseSystem, settled
from abpress.engines.horn.graph import GraphMove
from abpress.ir.expr import Binary, Compare, Const, Reg, Term
from abpress.ir.types import IntType
from abpress.logic.formula import TRUE, conj, holds, parse_formula, substitute
from abpress.result import Verdict
from abpress.smt.clauses import Clause, mentioned_in
from abpress.smt.prover import Prover
from abpress.symbolic.discrete import Discrete, SymbolicStep
from abpress.verify.certify import check_proof
from abpress.verify.run import verify

I32, U32 = IntType(32, True), IntType(32, False)
X, Y = Reg("x", I32), Reg("y", I32)
N = Reg("n", U32)


def plus(e: Reg, n: int) -> Term:
    return Binary("+", e, Const(n, e.type))


def system(variables: tuple[Reg, ...], *cycle: tuple[str, dict[str, Term]]) -> ClauseSystem:
    """Clauses that lead from relation to relation, and back to the first one."""
    discrete = Discrete((), ())
    none: frozenset[str] = frozenset()
    moves, clauses = [], []
    for k, (guard, values) in enumerate(cycle):
        target = (k + 1) % len(cycle)
        step = SymbolicStep(1, (), (), {}, (), none, discrete, none, none)
        moves.append((GraphMove(k, step, target),))
        its = {v.name: values.get(v.name, v) for v in variables}
        clauses.append(Clause(k, target, (parse_formula(guard),) if guard else (), its))
    nodes = {k: k for k in range(len(cycle))}
    begin = Clause(None, 0, (), {})
    return ClauseSystem(
        nodes, (variables,) * len(cycle), frozenset({0}), tuple(moves), (*clauses, begin)
    )


def after(problem: ClauseSystem, values: dict[str, int], rounds: int) -> dict[str, int] | None:
    """Values after so many rounds, one clause after the other; None if a guard does not hold."""
    (variables, *_) = problem.relations
    now = {v.name: Const(values[v.name], v.type) for v in variables if isinstance(v, Reg)}
    for _ in range(rounds):
        for clause in problem.clauses[:-1]:
            if substitute(conj(clause.guard), now) is not TRUE:
                return None
            now = {name: number(settled(e, now)) for name, e in clause.values.items()}
    return {name: c.value for name, c in now.items()}


def number(e: Term) -> Const:
    assert isinstance(e, Const | Binary)
    if isinstance(e, Const):
        return e
    assert e.op == "+"
    left = number(e.left)
    return Const(left.value + number(e.right).value, left.type)


def in_one(problem: ClauseSystem, values: dict[str, int], rounds: int) -> dict[str, int] | None:
    """The same by the clause for many rounds."""
    many = accelerated(problem)
    assert many is not None
    (clause,) = many.problem.clauses[len(problem.moves) : -1]
    rest = Reg(ROUNDS, IntType(64, True))
    known = [holds(Compare("==", rest, Const(rounds - 1, rest.type)))]
    for v in problem.relations[0]:
        assert isinstance(v, Reg)
        known.append(holds(Compare("==", v, Const(values[v.name], v.type))))
    model = Prover("int").model((*known, *clause.guard))
    if model is None:
        return None
    types = {v.name: v for f in clause.guard for v in mentioned_in(f)}
    chosen = {
        name: Const(model[name], v.type)
        for name, v in types.items()
        if isinstance(v, Reg) and name in model
    }
    return {name: number(settled(e, chosen)).value for name, e in clause.values.items()}


@pytest.mark.parametrize("rounds", [2, 3, 17, 50, 51])
def test_the_clause_says_what_so_many_rounds_do(rounds: int) -> None:
    """Up to the last round that the guard allows, and no further; `y` gets a value each time."""
    its = system((X, Y), ("x:i32 < 100", {"x": plus(X, 1), "y": X}), ("", {"x": plus(X, 1)}))
    begin = {"x": 0, "y": 7}
    assert in_one(its, begin, rounds) == after(its, begin, rounds)
    assert (after(its, begin, rounds) is None) is (rounds == 51)


def test_unsigned_numbers_do_not_wrap_around_between() -> None:
    its = system((N,), ("n:u32 <= 4294967290u32", {"n": plus(N, 100)}))
    most = 42949672
    assert in_one(its, {"n": 0}, most) == {"n": 100 * most}
    assert in_one(its, {"n": 0}, most + 3) is None


@pytest.mark.parametrize(
    "values",
    [
        {"x": Binary("*", X, Const(2, I32))},
        {"x": Y, "y": plus(Y, 1)},
        {"x": plus(X, 1), "y": Binary("+", Y, X)},
        {"x": Reg("in?1", I32)},
        {},
    ],
    ids=["doubled", "copied and read", "a sum of them", "an input", "nothing"],
)
def test_other_rounds_have_no_clause(values: dict[str, Term]) -> None:
    assert accelerated(system((X, Y), ("x:i32 < 100", values))) is None


FAR = """
#include <pthread.h>
void reach_error(void);
unsigned __VERIFIER_nondet_uint(void);
int done;
void *count(void *p) {
  unsigned n = __VERIFIER_nondet_uint(), x = 0;
  if (n > MOST) return 0;
  for (unsigned i = 0; i < n; i++) x += 2;
  if (x == END) done = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, count, 0);
  pthread_join(t, 0);
  if (done) reach_error();
  return 0;
}
"""


def far(folder: Path, end: int, most: int = 100_000) -> Config:
    file = folder / "far.c"
    file.write_text(FAR.replace("END", str(end)).replace("MOST", str(most)), encoding="utf-8")
    return Config.of(file, engine="horn", property="unreach-call", time_limit=100.0)


def test_an_error_many_rounds_away_is_repeated(tmp_path: Path) -> None:
    result = verify(far(tmp_path, 6000)).result
    assert result.verdict is Verdict.FALSE


def test_what_many_rounds_do_not_reach_is_proved(tmp_path: Path) -> None:
    config = far(tmp_path, 6001)
    (answer,) = verify(config).answers
    assert answer.result.verdict is Verdict.TRUE
    assert answer.certificate is not None
    assert check_proof(config, answer.certificate)


def test_rounds_that_are_wrong_refute_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A derivation that is not repeated is dropped with the clauses that it is from."""
    right = acceleration._added

    def wrong(*its: object) -> int | None:
        added = right(*its)  # type: ignore[arg-type]
        return added + 1 if added == 2 else added

    tried = []

    def noted(*its: Any) -> Any:
        tried.append(unrolled(*its))
        return tried[-1]

    monkeypatch.setattr(acceleration, "_added", wrong)
    monkeypatch.setattr(engine, "unrolled", noted)
    monkeypatch.setattr(solving, "equations", lambda its, *_: [() for _ in its])
    monkeypatch.setattr(solving, "inductive", lambda *_: None)
    assert verify(far(tmp_path, 2002, most=1000)).result.verdict is Verdict.TRUE
    assert tried
