"""Equations by models, NOTE(guessed-bounds): what is found, kept, and proved."""

from __future__ import annotations

from collections.abc import Sized
from pathlib import Path

import pytest

from abpress.config import EQUATIONS, GUESSES, ORDERS_OF_ELEMENTS, Config
from abpress.engines.horn import solving, spans, widening
from abpress.engines.horn.commuting import Conditions
from abpress.engines.horn.encoding import ClauseSystem, encode
from abpress.engines.horn.graph import Building
from abpress.engines.horn.hulls import hulls
from abpress.engines.horn.orders import ORDERS, Arrangement
from abpress.engines.horn.solving import solution
from abpress.engines.horn.spans import Spans
from abpress.engines.order import asked_options
from abpress.ir.expr import ArrayReg, Compare, Const, Convert, Expr, Reg, Select, Term, Update
from abpress.ir.types import INDEX, IntType
from abpress.logic.formula import FALSE, TRUE, Formula, conj, holds, neg, parse_formula, substitute
from abpress.properties import PROPERTIES
from abpress.result import Verdict
from abpress.semantics.interpreter import Interpreter
from abpress.smt.answer import Answer
from abpress.smt.clauses import Clause, Invariants, Solved, Unsolved
from abpress.smt.prover import Prover
from abpress.symbolic.discrete import SymbolicStep
from abpress.symbolic.system import SymbolicSystem
from abpress.verify import choice
from abpress.verify.choice import Guessing
from abpress.verify.load import load
from abpress.verify.run import verify
from tests.engines.horn.test_octagons import check_that_all_keep, plus, room

I32 = IntType(32, True)
X, Y, Z = (Reg(name, I32) for name in "xyz")
A = ArrayReg("a", I32)
ALL = (X, Y, Z, A)


def clause(source: int | None, target: int | None, *guard: str | Formula, **values: Term) -> Clause:
    its = (f if isinstance(f, Formula) else parse_formula(f) for f in guard)
    return Clause(source, target, tuple(its), values)


def element(index: Reg) -> Expr:
    return Select(A, Convert(index, INDEX))


def said(
    *clauses: Clause, cases: bool = False, ordered: bool = False, relations: int = 1
) -> list[tuple[Formula, ...]]:
    """What is said of relations, which all clauses keep."""
    found = hulls([ALL] * relations, clauses, cases, ordered).run(lambda: False)
    assert found is not None
    check_that_all_keep(clauses, found)
    return found


def implied(formulas: tuple[Formula, ...], goal: str) -> bool:
    return Prover("int").entails(formulas, parse_formula(goal)) is Answer.YES


BEGIN = clause(None, 0, "x:i32 == y:i32", "x:i32 >= 0", "z:i32 == 7")
TAKE = clause(0, 0, "x:i32 < y:i32", x=plus(X, 1), z=element(X))


def put(item: int, *guard: str) -> Clause:
    written = holds(Compare("==", element(Y), Const(item, I32)))
    return clause(0, 0, *guard, "y:i32 < 1000", written, y=plus(Y, 1))


def test_what_is_taken_of_a_queue_of_one_is_what_was_put() -> None:
    """x and y are the front and the back, z is what was taken last."""
    (its,) = said(BEGIN, TAKE, put(7, "x:i32 >= y:i32"))
    assert not implied(its, "z:i32 == 7")
    assert implied(its, "x:i32 <= y:i32")
    assert implied(its, "i64(y:i32) <= (i64(x:i32) + 1i64)")


def test_what_is_taken_is_told_by_cases() -> None:
    """Where something is in the queue, it is what was put last."""
    (its,) = said(BEGIN, TAKE, put(7, "x:i32 >= y:i32"), cases=True)
    assert implied(its, "z:i32 == 7")


@pytest.mark.parametrize("wrong", [put(8, "x:i32 >= y:i32"), put(7)])
def test_nothing_is_told_of_other_items_and_of_more_of_them(wrong: Clause) -> None:
    (its,) = said(BEGIN, TAKE, put(7, "x:i32 >= y:i32"), wrong, cases=True)
    assert not implied(its, "z:i32 == 7")


def test_guards_imply_equations() -> None:
    """x is not less than y, and here it is not greater."""
    least = clause(0, 1, "x:i32 <= y:i32")
    begin = clause(None, 0, "x:i32 >= y:i32", "y:i32 >= 0", "z:i32 == 0")
    _, its = said(begin, clause(0, 0, "x:i32 < 99", x=plus(X, 1)), least, relations=2)
    assert implied(its, "x:i32 == y:i32")


def test_where_no_clause_leads_there_is_nothing() -> None:
    found = said(BEGIN, clause(0, 1, "z:i32 == 8"), clause(1, 1, z=X), relations=2)
    assert found[1] == (FALSE,)
    found = said(BEGIN, clause(0, 1, "z:i32 == 7"), clause(1, 1, z=X), relations=2)
    assert found[1] != (FALSE,)


@pytest.mark.parametrize(("op", "least"), [("<=", True), ("<", True), (">", False), ("!=", False)])
def test_the_least_element_is_no_greater_than_another(op: str, least: bool) -> None:
    """z is the least element so far; nothing compares it with y, which holds the first one."""
    first = Select(A, Const(0, INDEX))
    begin = clause(None, 0, holds(Compare("==", Y, first)), "x:i32 >= 1", z=first)
    asked = holds(Compare(op, element(X), Z))
    keep = clause(0, 0, "x:i32 < 99", asked, x=plus(X, 1), z=element(X))
    leave = clause(0, 0, "x:i32 < 99", neg(asked), x=plus(X, 1))
    (its,) = said(begin, keep, leave, ordered=True)
    assert implied(its, "z:i32 <= y:i32") is least
    (its,) = said(begin, keep, leave)
    assert not implied(its, "z:i32 <= y:i32")


@pytest.mark.parametrize(
    ("item", "cases", "told"), [(X, True, True), (Z, True, False), (X, False, False)]
)
def test_an_element_is_told_when_the_fill_has_passed_it(item: Reg, cases: bool, told: bool) -> None:
    """Each element is given its number; that of y is looked at, which nothing compares with x."""
    begin = clause(None, 0, "x:i32 == 0", "y:i32 >= 0", "y:i32 < 99", "z:i32 >= 0")
    written = Update(A, Convert(X, INDEX), item)
    fill = clause(0, 0, "x:i32 < 99", x=plus(X, 1), a=written)
    _, its = said(begin, fill, clause(0, 1, "x:i32 >= 99", z=element(Y)), cases=cases, relations=2)
    assert implied((*its, parse_formula("y:i32 < x:i32")), "z:i32 == y:i32") is told


def test_it_goes_on_where_time_was_up() -> None:
    whole = said(BEGIN, TAKE, put(7))
    finding = hulls([ALL], (BEGIN, TAKE, put(7)), False)
    looks = iter(range(100))
    calls = 1
    while (found := finding.run(lambda: next(looks) % 2 == 1)) is None:
        calls += 1
    assert calls > 2
    known = Prover("int")
    assert known.entails(found[0], conj(whole[0])) is Answer.YES
    assert known.entails(whole[0], conj(found[0])) is Answer.YES


def test_where_the_solver_does_not_know_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widening, "_RLIMIT", 1)
    assert hulls([ALL], (BEGIN, TAKE, put(7)), False).run(lambda: False) == [()]


RELAY = """
#include <pthread.h>
#include <stdlib.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int *queue, n, front, back, rounds, sum;
void *put(void *p) {
  for (int i = 0; i < rounds; i++) {
    __VERIFIER_atomic_begin();
    if (back < 0 || back >= n || queue[back] != ITEM) abort();
    back++;
    __VERIFIER_atomic_end();
  }
  __VERIFIER_atomic_begin();
  if (back < 0 || back >= n || queue[back] != 0) abort();
  back++;
  __VERIFIER_atomic_end();
  return 0;
}
void *take(void *p) {
  int item;
  do {
    __VERIFIER_atomic_begin();
    if (front < 0 || front >= n || front >= back) abort();
    item = queue[front];
    front++;
    __VERIFIER_atomic_end();
    sum += item;
  } while (item != 0);
  return 0;
}
int main(void) {
  pthread_t a, b;
  rounds = __VERIFIER_nondet_int();
  n = __VERIFIER_nondet_int();
  if (rounds < 0 || n < 0 || n > 1000) return 0;
  queue = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) queue[i] = __VERIFIER_nondet_int();
  pthread_create(&a, 0, put, 0);
  pthread_create(&b, 0, take, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (sum != rounds) reach_error();
}
"""


def is_violation(step: SymbolicStep) -> bool:
    violation = step.violation
    return violation is not None and PROPERTIES["unreach-call"].of_violation(violation) is not None


def relayed(folder: Path, item: int) -> tuple[ClauseSystem, Solved]:
    """The clauses for what threads relay, and what solves them."""
    return solved(folder, RELAY.replace("ITEM", str(item)), "rounds", EQUATIONS)


def solved(folder: Path, text: str, of: str, guess: str) -> tuple[ClauseSystem, Solved]:
    """The clauses for violations, and what solves them."""
    file = folder / "program.c"
    file.write_text(text, encoding="utf-8")
    config = Config.of(file, property="unreach-call")
    program = load(config, lean=True).program
    options = asked_options(config)
    system = SymbolicSystem(program, options, Interpreter(program, options))
    building = Building(
        system, Arrangement(ORDERS[of], program), is_violation, Conditions(system, 0)
    )
    graph = building.complete(lambda _: False)
    problem = encode(system, graph, system.initial()[1])
    spans = Spans(problem, (guess,))
    return problem, solution(problem, problem, 1.0, None, lambda: False, spans)


def check_that_it_is_solved(problem: ClauseSystem, found: Solved) -> None:
    """What is said is kept by the whole clauses."""
    assert isinstance(found, Invariants)
    prover = Prover("int")
    for its in problem.clauses:
        known = {*its.guard, TRUE if its.source is None else found.labels[its.source]}
        goal = FALSE if its.target is None else substitute(found.labels[its.target], its.values)
        assert prover.entails(frozenset(known), goal) is Answer.YES


@pytest.fixture
def models_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither Spacer nor bounds."""
    monkeypatch.setattr(solving, "solve_apart", lambda *_: Unsolved("not asked"))
    monkeypatch.setattr(solving, "octagons", lambda *_: None)


@pytest.mark.usefixtures("models_alone")
def test_what_threads_relay_is_proved(tmp_path: Path) -> None:
    check_that_it_is_solved(*relayed(tmp_path, 1))
    _, other = relayed(tmp_path, 2)
    assert isinstance(other, Unsolved)


EXTREMES = """
#include <pthread.h>
#include <stdlib.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
int *a, n, least, seen = 1;
void *keep(void *p) {
  least = a[0];
  for (int i = 1; i < n; i++)
    if (a[i] LESS least) least = a[i];
  return 0;
}
void *see(void *p) {
  seen = least <= a[0];
  return 0;
}
int main(void) {
  pthread_t s, t;
  n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  a = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  least = a[0];
  pthread_create(&s, 0, keep, 0);
  pthread_create(&t, 0, see, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  if (!seen) reach_error();
}
"""


@pytest.mark.usefixtures("models_alone")
def test_what_is_kept_of_elements_is_proved(tmp_path: Path) -> None:
    """One thread keeps the least element, and another one looks at it in between."""
    text = EXTREMES.replace("LESS", "<")
    check_that_it_is_solved(*solved(tmp_path, text, "sequential", ORDERS_OF_ELEMENTS))
    _, other = solved(tmp_path, text, "sequential", "")
    assert isinstance(other, Unsolved)
    _, other = solved(tmp_path, EXTREMES.replace("LESS", ">"), "sequential", ORDERS_OF_ELEMENTS)
    assert isinstance(other, Unsolved)


def test_equations_that_are_wrong_are_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That no place is reached but the first one excludes all errors, and is not kept."""

    class Wrong:
        def __init__(self, relations: Sized, *_: object) -> None:
            self._count = len(relations)

        def run(self, _: object) -> list[tuple[Formula, ...]]:
            return [(), *((FALSE,) for _ in range(self._count - 1))]

    monkeypatch.setattr(spans, "hulls", Wrong)
    every = tuple(Guessing(name, "", lambda _: True) for name in GUESSES)
    monkeypatch.setattr(choice, "GUESSES", every)
    result = verify(room(tmp_path, 1)).result
    assert result.verdict is Verdict.UNKNOWN
    assert "the proof is rejected" in result.reason, result.reason
