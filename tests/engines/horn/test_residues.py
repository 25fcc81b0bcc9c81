"""Remainders of counters, and bounds of inputs, NOTE(guessed-bounds): what is found, kept, and
proved with turns of one length."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines.horn import engine
from abpress.engines.horn.orders import ORDERS, Arrangement, OrderState, fitting
from abpress.engines.horn.residues import residues
from abpress.engines.horn.strides import strides, unrolled
from abpress.ir.expr import Binary, Const, Reg, Term
from abpress.ir.program import Program
from abpress.ir.types import IntType
from abpress.logic.formula import FALSE, Formula, conj, parse_formula, substitute
from abpress.result import Verdict
from abpress.semantics.context import DONE
from abpress.smt.answer import Answer
from abpress.smt.clauses import Clause
from abpress.smt.prover import Prover
from abpress.symbolic.discrete import Discrete, ThreadPart
from abpress.verify.certify import check_proof
from abpress.verify.load import load
from abpress.verify.run import verify

U32 = IntType(32, False)
X, N = (Reg(name, U32) for name in "xn")


def clause(source: int | None, target: int | None, *guard: str, **values: Term) -> Clause:
    return Clause(source, target, tuple(map(parse_formula, guard)), {"x": X, "n": N} | values)


BEGIN = clause(None, 0, "x:u32 == 0u32", "n:u32 <= 1000u32")


def far(n: int) -> Term:
    return Binary("+", X, Const(n, U32))


def found(*clauses: Clause, relations: int = 1) -> Sequence[Sequence[Formula]]:
    """What is said of each relation, which all clauses keep."""
    its = residues([(X, N)] * relations, clauses, [()] * relations, lambda: False)
    assert its is not None
    prover = Prover("int")
    for one in clauses:
        if one.target is not None:
            known = {*one.guard, *(() if one.source is None else its[one.source])}
            goal = substitute(conj(its[one.target]), one.values)
            assert prover.entails(frozenset(known), goal) is Answer.YES
    return its


def implied(formulas: Sequence[Formula], goal: str) -> bool:
    return Prover("int").entails(frozenset(formulas), parse_formula(goal)) is Answer.YES


def test_a_counter_is_a_multiple_of_the_number_that_divides_all_its_steps() -> None:
    four = clause(0, 0, "x:u32 < (12u32 * n:u32)", x=far(4))
    (said,) = found(BEGIN, four, clause(0, 0, "x:u32 < (6u32 * n:u32)", x=far(6)))
    assert implied(said, "(x:u32 % 2u32) == 0u32")
    assert implied(said, "n:u32 <= 1000u32")
    assert not implied(said, "(x:u32 % 4u32) == 0u32")


def test_in_the_middle_of_a_turn_something_is_left() -> None:
    up = (clause(k, (k + 1) % 3, "x:u32 < (3u32 * n:u32)", x=far(1)) for k in range(3))
    first, second, third = found(BEGIN, *up, relations=3)
    assert implied(first, "(x:u32 % 3u32) == 0u32")
    assert implied(second, "(x:u32 % 3u32) == 1u32")
    assert implied(third, "(x:u32 % 3u32) == 2u32")


def test_nothing_is_said_of_a_counter_that_wraps_around() -> None:
    (said,) = found(BEGIN, clause(0, 0, "(2u32 * n:u32) < 9u32", x=far(3)))
    assert not implied(said, "(x:u32 % 3u32) == 0u32")


def test_where_no_clause_leads_there_are_no_states() -> None:
    up = clause(0, 0, "x:u32 < (2u32 * n:u32)", x=far(2))
    reached, never = found(BEGIN, up, clause(1, 0, x=far(1)), relations=2)
    assert never == (FALSE,)
    assert implied(reached, "(x:u32 % 2u32) == 0u32")


def test_nothing_is_looked_for_where_no_guard_multiplies_or_divides() -> None:
    up = clause(0, 0, "x:u32 < n:u32", x=far(2))
    assert residues([(X, N)], [BEGIN, up], [()], lambda: False) is None


UNROLLED = """
#include <pthread.h>
void reach_error(void);
unsigned __VERIFIER_nondet_uint(void);
unsigned x, y, n;
void *one(void *p) { for (unsigned i = 0; i < 3 * n; i++) x += x; return 0; }
void *three(void *p) {
  for (unsigned i = 0; i < 3 * n; i += 3) { y += y; y += y; y += y; }
  return 0;
}
int main(void) {
  pthread_t s, t;
  n = __VERIFIER_nondet_uint();
  if (n > 1000000) return 0;
  x = y = 1;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, three, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  if (x != y) reach_error();
}
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "unrolled.c"
    file.write_text(text, encoding="utf-8")
    return file


def loaded(file: Path) -> Program:
    return load(Config.of(file, property="unreach-call")).program


def test_a_loop_takes_turns_with_the_same_one_unrolled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = ORDERS["rounds of one length"]
    monkeypatch.setattr(engine, "fitting", lambda _: [order])
    file = written(tmp_path, UNROLLED)
    assert order in fitting(loaded(file))
    config = Config.of(
        file, property="unreach-call", engine="horn", certificate=True, time_limit=60
    )
    (answer,) = verify(config).answers
    assert answer.result.verdict is Verdict.TRUE, answer.result.reason
    assert answer.result.statistics["order"] == order.name
    assert answer.certificate is not None
    assert check_proof(config, answer.certificate)


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        ("for (unsigned i = 0; i < 3 * n; i += 3)", {1, 3}),
        ("for (unsigned i = 3 * n; i > 0; i -= 3)", {1, 3}),
        ("for (unsigned i = 0; i < 3 * n; i++)", set()),
        ("for (unsigned i = 0; i < 3 * n; i += 13)", set()),
        ("for (unsigned i = 1; i < 3 * n; i += i)", set()),
        ("while (__VERIFIER_nondet_uint())", set()),
    ],
)
def test_strides_are_those_of_counters_that_loops_ask_for(
    tmp_path: Path, loop: str, expected: set[int]
) -> None:
    text = UNROLLED.replace("for (unsigned i = 0; i < 3 * n; i += 3)", loop)
    program = loaded(written(tmp_path, text))
    found = strides(program)
    assert {n for its in found.values() for n in its.values()} == expected
    assert not unrolled(program)


def test_a_loop_is_unrolled_that_moves_its_counter_more_than_once(tmp_path: Path) -> None:
    body = "i += 3) { y += y; y += y; y += y; }"
    text = UNROLLED.replace(body, "i++) { y += y; y += y; i += 2; y += y; }")
    program = loaded(written(tmp_path, text))
    assert unrolled(program)
    assert {n for its in strides(program).values() for n in its.values()} == {1, 3}
    assert fitting(program)[0] is ORDERS["rounds of unrolled loops"]


def test_a_turn_is_over_when_counters_have_gone_equally_far(tmp_path: Path) -> None:
    """Who has gone on goes on; a turn of who has finished is over."""
    program = loaded(written(tmp_path, UNROLLED))
    arrangement = Arrangement(ORDERS["rounds of one length"], program)
    names = ("main", "one", "three")
    d = Discrete(tuple(ThreadPart(k, name, 0) for k, name in enumerate(names, 1)), ())
    for state in (OrderState(0, 2, 1), OrderState(0, 2, 2), OrderState()):
        assert arrangement.simplest(d, state) == state
        assert arrangement.arranged(d, [2, 3], state) == [2, 3]
    gone = Discrete(tuple(p._replace(location=DONE) if p.id == 2 else p for p in d.threads), ())
    assert arrangement.simplest(gone, OrderState(0, 2, 1)).done == 0
