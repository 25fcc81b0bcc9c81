"""Engine `horn`: its graphs against plain enumeration, what it proves, refutes and leaves open."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.config import Config
from abpress.engines.horn import engine, graph
from abpress.engines.horn.engine import prove
from abpress.engines.horn.graph import Building, Graph, TooLarge
from abpress.engines.horn.orders import ORDERS, Arrangement
from abpress.ir.program import Program
from abpress.ir.text import format_program
from abpress.properties import PROPERTIES
from abpress.result import Result, Soundness, Verdict
from abpress.search.limits import Limits
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import Options
from abpress.symbolic.discrete import SymbolicStep
from abpress.symbolic.system import SymbolicSystem
from abpress.verify.certify import certified, check_proof
from abpress.verify.run import verify
from tests.engines.abpress.differential import enumerate_errors
from tests.engines.programs import INT, THREAD_ENDS, code, main, program
from tests.sampling import examples
from tests.strategies.ir_programs import Features, programs

PROPERTY = PROPERTIES["unreach-call"]
FAILS = 'fail "unreach-call" "reached"'

COUNTERS = """
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int x, y, n;
void *count_x(void *p) { for (int i = 0; i < n; i++) x++; return 0; }
void *count_y(void *p) { for (int i = 0; i < n; i++) y++; return 0; }
int main(void) {
  pthread_t s, t;
  n = __VERIFIER_nondet_int();
  if (n > 1000) return 0;
  pthread_create(&s, 0, count_x, 0);
  pthread_create(&t, 0, count_y, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(SAFE);
}
"""


def counters(folder: Path, safe: str) -> Config:
    file = folder / "counters.c"
    file.write_text(COUNTERS.replace("SAFE", safe), encoding="utf-8")
    return Config.of(file, engine="horn", property="unreach-call", time_limit=100.0)


def test_two_threads_that_count_are_proved(tmp_path: Path) -> None:
    config = counters(tmp_path, "x == y")
    report = verify(config)
    assert report.result.verdict is Verdict.TRUE, report.result
    assert report.certificate is not None
    (accepted,) = check_proof(config, report.certificate)
    assert accepted.property == "unreach-call"
    assert accepted.nodes == report.result.statistics["nodes"]
    assert any("overflow" in assumption for assumption in report.result.assumptions)


STEPS_BEFORE = """
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m;
int a, n;
int __VERIFIER_nondet_int(void);
void *set(void *p) {
  for (int i = 0; i < n; i++) {
    pthread_mutex_lock(&m);
    a = 1;
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t t;
  n = __VERIFIER_nondet_int();
  pthread_create(&t, 0, set, 0);
  pthread_mutex_lock(&m);
  assert(a < 2);
}
"""


def test_an_overflow_is_told_where_it_is_and_not_where_its_step_begins(tmp_path: Path) -> None:
    file = tmp_path / "steps_before.c"
    file.write_text(STEPS_BEFORE, encoding="utf-8")
    config = Config.of(file, engine="horn", property="unreach-call", time_limit=100.0)
    report = verify(config)
    assert report.certificate is not None
    (accepted,) = check_proof(config, report.certificate)
    for assumptions in (report.result.assumptions, accepted.assumptions):
        (place,) = (its for its in assumptions if "overflow" in its)
        assert place.endswith(f"{file}:8:26)"), place


def test_two_threads_that_count_are_refuted(tmp_path: Path) -> None:
    report = verify(counters(tmp_path, "x != 2 || y != 2"))
    assert report.result.verdict is Verdict.FALSE, report.result
    assert report.result.trace is not None
    assert report.certificate is None


def decided(p: Program, seconds: float = 60.0) -> Result:
    config = Config.of(Path(), engine="horn", property="unreach-call")
    results, evidence = prove(p, config, Limits(time=seconds), lambda _: None, Soundness())
    result = results["unreach-call"]
    assert (evidence is not None) == (result.verdict is Verdict.TRUE)
    if evidence is not None:
        certified(p, config, evidence)
    return result


def test_clauses_that_are_not_linear_are_left_open() -> None:
    products = program(
        code(
            "main",
            'a := any "a"',
            'b := any "b"',
            "when (a * b) != 7 -> L3\n when (a * b) == 7 -> L4",
            THREAD_ENDS,
            FAILS,
            a="i32",
            b="i32",
        )
    )
    result = decided(products)
    assert result.verdict is Verdict.UNKNOWN
    assert "not linear" in result.reason


LOOPS = program(
    main("w", "v", join=False, end=THREAD_ENDS),
    code("w", "*&x := 1 -> L0"),
    code("v", "*&y := 1", FAILS),
    x=INT,
    y=INT,
)
"""An endless loop beside an error: whoever goes alone there hides it."""

READS = program(
    main("w", "v", join=False, end=THREAD_ENDS),
    code("w", "*&x := 1", THREAD_ENDS),
    code(
        "v",
        "a := *&x",
        "b := *&x",
        "when a == b -> L4\n when a != b -> L3",
        FAILS,
        THREAD_ENDS,
        a="i32",
        b="i32",
    ),
    x=INT,
)
"""An error where w writes between the reads of v."""


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("p", [LOOPS, READS], ids=["loops", "reads"])
def test_errors_are_found_in_each_order(
    monkeypatch: pytest.MonkeyPatch, order: str, p: Program
) -> None:
    """NOTE(preference-order)."""
    monkeypatch.setattr(engine, "fitting", lambda _: [ORDERS[order]])
    assert decided(p).verdict is Verdict.FALSE


@pytest.mark.parametrize("order", ["sequential", "reverse"])
def test_a_conflict_that_is_forgotten_is_seen_by_the_checker(
    monkeypatch: pytest.MonkeyPatch, order: str
) -> None:
    """NOTE(preference-order): threads that sleep on would hide the error."""
    monkeypatch.setattr(graph, "_conflict", lambda step, access: False)
    config = Config.of(Path(), engine="horn", property="unreach-call")
    monkeypatch.setattr(engine, "fitting", lambda _: [ORDERS[order]])
    results, evidence = prove(READS, config, Limits(time=60.0), lambda _: None, Soundness())
    assert results["unreach-call"].verdict is Verdict.TRUE
    assert evidence is not None
    with pytest.raises(Exception, match="which may conflict"):
        certified(READS, config, evidence)


# -- random programs ------------------------------------------------------------------------------

CLOSED = Features(threads=3, statements=4, inputs=False, overflows=False)
MOST = 3_000


def found_in(system: SymbolicSystem, its: Graph) -> bool | None:
    """Whether a concrete execution along the moves violates the property; None: too many states."""
    interpreter = system.interpreter
    moves: dict[int, list[tuple[SymbolicStep, int | None]]] = {}
    for move in its.moves:
        moves.setdefault(move.source, []).append((move.step, move.target))
    todo = [(0, interpreter.initial())]
    seen = set(todo)
    while todo:
        n, state = todo.pop()
        for step, target in moves.get(n, ()):
            taken = interpreter.follow(state, step.thread, step.edges, ())
            if taken is None:
                continue
            if taken.violation is not None:
                if PROPERTY.of_violation(taken.violation) is not None:
                    return True
            elif target is not None and (target, taken.successor) not in seen:
                seen.add((target, taken.successor))
                todo.append((target, taken.successor))
        if len(seen) > MOST:
            return None
    return False


def graph_of(system: SymbolicSystem, order: str, p: Program) -> Graph | None:
    """None if it is too large."""
    building = Building(system, Arrangement(ORDERS[order], p), lambda step: True, None)
    try:
        return building.complete(lambda nodes: nodes > MOST)
    except TooLarge:
        return None


@pytest.mark.parametrize("orders", [[*ORDERS][::2], [*ORDERS][1::2]], ids=["even", "odd"])
def test_no_error_is_lost_in_an_order(orders: list[str]) -> None:
    """Every execution is followed along the graph, without a solver."""
    compared: dict[str, list[bool]] = {order: [] for order in orders}

    @settings(max_examples=examples(30, whole=150), derandomize=True, deadline=None, database=None)
    @given(p=programs(CLOSED))
    def every(p: Program) -> None:
        erroneous = enumerate_errors(Interpreter(p), PROPERTY)
        if erroneous is None:
            return
        system = SymbolicSystem(p, Options())
        for order in orders:
            its = graph_of(system, order, p)
            found = None if its is None else found_in(system, its)
            if found is not None:
                assert found == erroneous, f"{order}\n{format_program(p)}"
                compared[order].append(erroneous)

    every()
    for order, answers in compared.items():
        assert len(answers) > examples(14, whole=75), order
        assert any(answers), order
        assert not all(answers), order


OPEN = Features(threads=2, statements=4, overflows=False)


def agreed(p: Program, order: str) -> Verdict | None:
    """The verdict in one order, its certificate checked; None if enumeration cannot say it."""
    erroneous = enumerate_errors(Interpreter(p), PROPERTY)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "fitting", lambda _: [ORDERS[order]])
        result = decided(p, seconds=5.0)
    if erroneous is None:
        return None
    if result.verdict is not Verdict.UNKNOWN:
        assert (result.verdict is Verdict.FALSE) == erroneous, format_program(p)
    return result.verdict


@pytest.mark.parametrize("features", [CLOSED, OPEN], ids=["closed", "open"])
def test_same_verdict_as_enumeration(features: Features) -> None:
    verdicts = []

    @settings(max_examples=examples(12, whole=25), derandomize=True, deadline=None, database=None)
    @given(p=programs(features), order=st.sampled_from(tuple(ORDERS)))
    def every(p: Program, order: str) -> None:
        verdicts.append(agreed(p, order))

    every()
    assert {Verdict.TRUE, Verdict.FALSE} <= set(verdicts)
