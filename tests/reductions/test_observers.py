"""Observers: examples with known numbers of executions."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.properties import PROPERTIES
from abpress.reductions.stateless.node import ExecutionNode, ObservedNode
from abpress.reductions.table import STATELESS
from abpress.relations.footprint import InternedFootprints
from abpress.search.bounds import ExecutionBounds
from abpress.search.stateless import Hooks, explore_executions
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from abpress.verify.load import load
from tests.reductions.trace_count_programs import text

RUNNING_EXAMPLE = text("int x;", [("x = 1;", 0), ("x = 2;", 1), ("own[i] = x < 3;", 2)])
"""[ContextSensitive19], Figure 2: p, q, and r, which asserts something that always holds."""

LATER_READER = text(
    "int x; _Atomic int turn;",
    [
        ("x = 1;", 0),
        ("x = 2;", 1),
        ("own[i] = x < 3; turn = 1;", 2),
        ("if (turn == 1) { if (x < 2) own[i] = 1; else own[i] = 2; }", 3),
    ],
)
"""[ContextSensitive19], Example 4.1: after r, which sees no difference, one reads x who does.

NOTE(dont-do): with contexts as published, its end is lost."""

PARTS = text(
    "union { int whole; unsigned char part[4]; } u;",
    [("u.part[0] = 1;", 0), ("u.part[1] = 1;", 1), ("u.part[2] = 1;", 2)],
    "int seen = u.whole; own[0] = seen;",
    joined=True,
)
"""A write to a part of a cell keeps the rest: it does not hide earlier writes."""


def explored(source: str, algorithm: str, folder: Path) -> tuple[ExecutionStatistics, set[str]]:
    """The statistics, and what the threads' own cells hold at the ends of executions."""
    file = folder / "program.c"
    file.write_text(source, encoding="utf-8")
    system = Interpreter(load(Config.of(file), every_access=True).program)
    finals: set[str] = set()

    def own(state: State) -> str:
        memory = system.views.describe(state)["memory"]
        return str([value for name, value in memory.items() if "own" in name])

    outcome = explore_executions(
        system,
        STATELESS[algorithm].make(),
        PROPERTIES["unreach-call"],
        keep_going=True,
        hooks=Hooks(on_final=lambda s, _: finals.add(own(s))),
    )
    assert outcome.exhausted
    return outcome.statistics, finals


@pytest.mark.parametrize(
    ("source", "optimal", "observers", "ends"),
    [(RUNNING_EXAMPLE, 6, 5, 1), (LATER_READER, 18, 16, 3), (PARTS, 6, 6, 1)],
    ids=["running example", "later reader", "parts"],
)
def test_executions(source: str, optimal: int, observers: int, ends: int, tmp_path: Path) -> None:
    expected = {"optimal": optimal, "observers": observers, "optimal-cs-observers": ends}
    for algorithm, count in expected.items():
        statistics, finals = explored(source, algorithm, tmp_path)
        assert (statistics.complete, len(finals)) == (count, ends)


TWO_READERS = text(
    "int x, y;",
    [("y = 1;", 0), ("own[i] = y;", 1), ("y = 3; own[i] = x;", 2), ("y = 4; own[i] = x;", 3)],
)
"""Whether a writer of y that has been explored is one of the first depends on who reads y later."""


def test_sleep_sets_are_not_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NOTE(observed-redundancy)."""
    assert explored(TWO_READERS, "observers", tmp_path)[0].complete == 13
    monkeypatch.setattr(ObservedNode, "redundant", ExecutionNode.redundant)
    with pytest.raises(AssertionError, match="explore something twice"):
        explored(TWO_READERS, "observers", tmp_path)


AWAITED = text(
    "int x;",
    [("x = 2;", 0), ("x = 1;", 1), ("while (x != 1); own[i] = 1;", 2), ("x = 3;", 3)],
)
"""The order of the writes decides whether the third thread moves, but it may never read."""


def test_the_order_of_writes_counts_for_who_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NOTE(waiting)."""
    optimal, _ = explored(AWAITED, "optimal", tmp_path)
    observers, _ = explored(AWAITED, "observers", tmp_path)
    assert optimal.complete > 0
    assert optimal.assume_blocked > 0
    assert observers.ends() == optimal.ends()
    monkeypatch.setattr(InternedFootprints, "waits", lambda *_: None)
    observers, _ = explored(AWAITED, "observers", tmp_path)
    assert observers.ends() != optimal.ends()


MAYBE_AWAITED = """#include <pthread.h>
int b, c;
void *p(void *a) { while (!(b == 1)) if (c == 0) c = 0; return 0; }
void *q(void *a) { while (!b) ; return 0; }
void *r(void *a) { c = 1; while (!(c == 1)) ; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, p, 0);
  pthread_create(&t, 0, q, 0);
  pthread_create(&t, 0, r, 0);
  pthread_exit(0);
}
"""
"""Who observes a write may wait for another thread where it does not see it."""


def test_observers_that_wait_are_found_out(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(MAYBE_AWAITED, encoding="utf-8")
    optimal, observers = (
        explore_executions(
            Interpreter(load(Config.of(file)).program),
            STATELESS[name].make(),
            PROPERTIES["unreach-call"],
            bounds=ExecutionBounds(unroll=1),
        )
        for name in ("optimal", "observers")
    )
    assert observers.statistics.ends() == optimal.statistics.ends()


BESIDE_THE_END = """#include <pthread.h>
#include <stdlib.h>
void *leaves(void *given) { exit(0); }
void *fails(void *given) { return *(void **)0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, leaves, 0);
    pthread_create(&b, 0, fails, 0);
    pthread_join(a, 0);
}
"""
"""Of the second thread nothing is looked at before the first one has ended the program."""


@pytest.mark.parametrize("algorithm", ["observers", "context-sensitive", "optimal-cs-observers"])
def test_an_attempt_beside_the_end_of_the_program_is_told(algorithm: str, tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(BESIDE_THE_END, encoding="utf-8")
    system = Interpreter(load(Config.of(file), every_access=True).program)
    made = STATELESS[algorithm].make()
    (found,) = explore_executions(system, made, PROPERTIES["valid-deref"]).found
    assert [thread for thread, _ in found.schedule] == [1, 1, 3]
