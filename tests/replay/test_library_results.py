"""What the C library and the memory give a program that is replayed, and what is not believed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from abpress.config import Config
from abpress.replay import run
from abpress.replay.plan import GivenResult, TracePlan, plan_of
from abpress.replay.run import Replayed, first_seen, replayed
from abpress.verify.run import verify
from abpress.witness.trace import Trace
from tests.replay.test_on_the_machine import CAUSES, needs_compiler

PROGRAMS = CAUSES.parent


def trace_with(file: Path, property: str, **options: Any) -> Trace:
    trace = verify(Config.of(file, properties=(property,), **options)).result.trace
    assert isinstance(trace, Trace)
    return trace


def seen_in(file: Path, trace: Trace, folder: Path) -> Replayed:
    return replayed(plan_of(trace), Config.of(file).program, folder)[0]


@needs_compiler
@pytest.mark.parametrize(
    "name, property, options",
    [
        ("library/create_fails", "unreach-call", {"creation_may_fail": True}),
        ("library/mtx_trylock_fails", "unreach-call", {}),
        ("library/weak_exchange_fails", "unreach-call", {}),
        ("library/pipe_fails", "unreach-call", {}),
        ("library/random", "unreach-call", {}),
        ("library/atexit_wrong", "unreach-call", {}),
        ("library/string_race", "unreach-call", {}),
        ("library/deadline_race", "no-data-race", {}),
        ("library/realloc_raced", "no-data-race", {}),
        ("library/mutex_robust_unlocked", "no-misuse", {}),
        ("library/once_nested", "no-deadlock", {}),
        ("deadlock/circle_of_heap_locks", "no-partial-deadlock", {}),
        ("evaluation_order/struct_read_twice", "unreach-call", {}),
        ("language/heap_uninitialised", "unreach-call", {}),
        ("litmus/freed_meanwhile", "unreach-call", {}),
        ("memory/cleaned_too_late", "valid-memcleanup", {}),
        ("memory/lost_by_address", "valid-memtrack", {}),
        ("memory/lost_thread_ends", "valid-memtrack", {}),
    ],
)
def test_what_the_library_gives(
    name: str, property: str, options: dict[str, Any], tmp_path: Path
) -> None:
    file = PROGRAMS / f"{name}.c"
    found = seen_in(file, trace_with(file, property, **options), tmp_path)
    assert found.reproduced, (found.what, list(found.notes))


ONE_OF_TWO_FAILS = """
#include <assert.h>
#include <pthread.h>
int x;
void *adds(void *arg) { x++; return arg; }
int main(void) {
  pthread_t t[2];
  int failed = 0;
  for (int i = 0; i < 2; i++)
    if (pthread_create(&t[i], 0, adds, 0)) failed++;
    else pthread_join(t[i], 0);
  assert(failed != 1 || x != 1);
}
"""


def test_a_call_that_does_more_than_to_return_is_made(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(ONE_OF_TWO_FAILS)
    plan = plan_of(trace_with(file, "unreach-call", creation_may_fail=True))
    (results,) = plan.results.values()
    assert sorted(its.result or 0 for its in results) == [0, 11]
    assert GivenResult(None) in results
    assert plan.given == {"pthread_create"}


@needs_compiler
def test_some_of_the_calls_fail(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(ONE_OF_TWO_FAILS)
    found = seen_in(file, trace_with(file, "unreach-call", creation_may_fail=True), tmp_path)
    assert found.reproduced, (found.what, list(found.notes))


ENDS = """
#include <pthread.h>
#include <stdlib.h>
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *other(void *arg) {
  OTHER
  return arg;
}
int main(void) {
  pthread_t t;
  int *p = malloc(4);
  pthread_create(&t, 0, other, 0);
  FIRST
  SECOND
  pthread_join(t, 0);
  return 0;
}
"""


@needs_compiler
@pytest.mark.parametrize(
    "property, other, first, second",
    [
        ("no-misuse", "", "pthread_mutex_unlock(&m);", ";"),
        ("no-data-race", "x = 1;", "x = 2;", ";"),
        ("valid-deref", "", "p[1] = 1;", ";"),
        ("valid-free", "", "free(p + 1);", ";"),
    ],
)
def test_what_another_line_does_is_not_what_the_trace_says(
    property: str, other: str, first: str, second: str, tmp_path: Path
) -> None:
    file = tmp_path / "program.c"
    text = ENDS.replace("OTHER", other)
    file.write_text(text.replace("FIRST", first).replace("SECOND", second))
    trace = trace_with(file, property)
    assert seen_in(file, trace, tmp_path).reproduced
    file.write_text(text.replace("FIRST", second).replace("SECOND", first))
    found = seen_in(file, trace, tmp_path)
    assert not found.reproduced, found.what


def test_the_given_trace_is_replayed_if_the_shorter_one_is_not_seen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = CAUSES / "lost_update.c"
    shorter, given, never = (plan_of(trace_with(file, "unreach-call")) for _ in range(3))
    tried: list[TracePlan] = []

    def replay(plan: TracePlan, *_: object) -> tuple[Replayed, None]:
        tried.append(plan)
        return Replayed(plan is given, "", (), (), b"", ()), None

    monkeypatch.setattr(run, "replayed", replay)
    plan, found, _ = first_seen([shorter, given, never], Config.of(file).program, tmp_path)
    assert (plan, found.reproduced, tried) == (given, True, [shorter, given])
    plan, found, _ = first_seen([shorter, never], Config.of(file).program, tmp_path)
    assert (plan, found.reproduced) == (never, False)
