"""Repetitions in views of a trace: rounds of a loop, creations, and threads that do the same."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines.explicit import explore
from abpress.errors import NOWHERE, Position
from abpress.search.limits import Limits
from abpress.verify.load import load
from abpress.witness.folding import folded, some_blocked
from abpress.witness.lanes import render
from abpress.witness.rows import Row
from abpress.witness.trace import BlockedThread, Trace

MANY = """
#include <assert.h>
#include <pthread.h>
pthread_t ids[N];
int number[N], moved;
void *worker(void *argument) {
  moved = *(int *)argument;
  return 0;
}
int main(void) {
  for (int i = 0; i < N; i++) {
    number[i] = i;
    pthread_create(&ids[i], 0, worker, &number[i]);
  }
  assert(moved);
}
"""


def shown(tmp_path: Path, n: int) -> tuple[Trace, list[str]]:
    """The trace of the program with n threads, and its lines."""
    file = tmp_path / "many.c"
    file.write_text(MANY)
    config = Config.of(file, defines=(f"N={n}",), por="s-por")
    loaded = load(config)
    trace = explore(loaded.program, config, Limits()).result.trace
    assert isinstance(trace, Trace)
    return trace, [line.plain.rstrip() for line in render(trace, loaded.sources, 100)]


def test_few_threads_are_shown_one_by_one(tmp_path: Path) -> None:
    _, lines = shown(tmp_path, 10)
    assert sum("creates main." in line for line in lines) == 10
    assert not any("more" in line for line in lines)


def test_rounds_that_create_threads_are_folded(tmp_path: Path) -> None:
    trace, lines = shown(tmp_path, 300)
    assert trace.threads == ("main", *(f"main.{k}" for k in range(1, 301)))
    assert sum(step.note.startswith("creates ") for step in trace.steps) == 300
    created = [line.strip() for line in lines if "creates" in line]
    assert created == [
        "creates main.1",
        "creates main.2",
        "… main creates 297 more threads like this …",
        "creates main.300",
    ]
    assert any("violation: assertion moved fails" in line for line in lines)


def row(thread: str, line: int, **fields: object) -> Row:
    return Row(thread, Position("a.c", line, 1, "f"), "text", **fields)  # type: ignore[arg-type]


def test_many_notes_of_a_kind_are_some_and_a_number() -> None:
    joined = [f"joins main.{k}" for k in range(1, 1001)]
    locked = [f"locks m[{k}]" for k in range(8)]
    notes = dict.fromkeys([*joined[:500], "creates main.1001", *joined[500:], *locked])
    assert row("main", 1, notes=notes).details() == [
        "joins main.1", "joins main.2", "joins 998 more threads like this",
        "creates main.1001", "locks m[0]", "locks m[1]", "… 6 more such",
    ]  # fmt: skip
    assert row("main", 1, notes=dict.fromkeys(joined[:6])).details() == joined[:6]


def strings(rows: list[Row]) -> list[str]:
    found = folded(rows)
    left_out = [item for item in found if isinstance(item, str)]
    kept = [item for item in found if isinstance(item, Row)]
    places = {id(item): k for k, item in enumerate(rows)}
    order = [places[id(item)] for item in kept]
    assert order == sorted(order)
    return left_out


def test_rounds_of_two_threads_are_folded() -> None:
    rows = [row("main", 1)]
    for _ in range(50):
        rows += [row("main.1", 5), row("main.1", 6), row("main.2", 9)]
    assert strings([*rows, row("main", 2)]) == ["… 47 more rounds like this …"]


def test_threads_that_do_the_same_are_folded() -> None:
    rows = [row(f"main.{k}", line) for k in range(1, 41) for line in (5, 6)]
    assert strings(rows) == ["… 37 more threads do the same …"]


def test_what_differs_is_not_folded() -> None:
    assert strings([row("main", k) for k in range(100)]) == []
    chance = random.Random(0)
    # The same line, but who moves is different each time, or what happens.
    assert strings([row(f"main.{chance.randrange(4)}", 5) for _ in range(100)]) == []
    notes = [{"locks m": None}, {"ends": None}, {}]
    assert strings([row("main", 5, notes=chance.choice(notes)) for _ in range(100)]) == []


def test_short_traces_are_whole() -> None:
    assert strings([row("main", 5) for _ in range(60)]) == []
    assert strings([row("main", 5) for _ in range(61)]) == ["… 58 more rounds like this …"]


@pytest.mark.parametrize(("count", "told"), [(7, 7), (8, 2), (1000, 2)])
def test_threads_that_wait_for_the_same_are_folded(count: int, told: int) -> None:
    waiting = [BlockedThread(f"main.{k}", NOWHERE, "waits for m") for k in range(count)]
    other = BlockedThread("main", Position("a.c", 3, 1, "main"), "waits for the end of main.1")
    found = list(some_blocked([other, *waiting]))
    assert found[0] == (other, 0)
    assert [thread for thread, _ in found[1:]] == waiting[:told]
    assert sum(hidden for _, hidden in found) == count - told
