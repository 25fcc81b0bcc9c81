"""The terminal view of a trace."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from abpress.errors import Position
from abpress.witness.lanes import render
from abpress.witness.sources import place_for_people, with_source_lines
from abpress.witness.trace import BlockedThread, Trace, TraceStep

SOURCE = """\
int x; pthread_mutex_t m;
void *worker(void *a) {
  pthread_mutex_lock(&m);
  x = x + 1;  /* a comment that is much too long to fit into any lane of any terminal there is */
  pthread_mutex_unlock(&m);
}
int main() {
  pthread_create(&t, 0, worker, 0);
  pthread_create(&u, 0, worker, 0);
  pthread_join(t, 0);
  assert(x == 2);
}
"""
SOURCES = {"a.c": SOURCE}


def at(line: int, function: str) -> Position:
    return Position("a.c", line, 3, function)


def in_model(line: int, function: str) -> Position:
    return Position("<mutex.c>", 99, 1, "pthread_mutex_lock", (at(line, function),))


STEPS = (
    TraceStep("main", at(8, "main"), note="creates main.1", writes=(("t", "2"),)),
    TraceStep("main", at(9, "main"), note="creates main.2"),
    TraceStep("main.1", in_model(3, "worker"), reads=(("m.owner", "0"),)),
    TraceStep(
        "main.1", in_model(3, "worker"), writes=(("m.owner", "2"),), locks=("m",), said=("locks m",)
    ),
    TraceStep("main.1", at(4, "worker"), reads=(("x", "0"),), locks=("m",)),
    TraceStep("main.2", at(4, "worker"), reads=(("x", "0"),)),
    TraceStep("main.1", at(4, "worker"), writes=(("x", "1"),), locks=("m",)),
    TraceStep("main.2", at(4, "worker"), writes=(("x", "1"),), note="ends"),
    TraceStep(
        "main.1",
        in_model(5, "worker"),
        writes=(("m.owner", "0"),),
        note="ends",
        said=("unlocks m",),
    ),
    TraceStep("main", at(10, "main"), note="joins main.1", choices=(("nondet_int()", 7),)),
    TraceStep("main", at(11, "main"), reads=(("x", "1"),)),
    TraceStep("main", at(11, "main"), note="violation: assertion x == 2"),
)
TRACE = Trace("unreach-call", "assertion fails", STEPS, ("main", "main.1", "main.2"), 6, ())


def lines(trace: Trace, width: int = 120) -> list[str]:
    return [line.plain for line in render(trace, SOURCES, width)]


def test_each_thread_has_its_lane() -> None:
    view = lines(TRACE)
    assert [name.strip() for name in view[0].split("│")] == ["main", "main.1", "main.2"]
    assert [name.strip() for name in view[1].split("│")] == ["", "worker", "worker"]
    for line in view:
        if "│" in line:
            assert line.count("│") == 2
    of_main, of_first, of_second = (
        "\n".join(line.split("│")[lane] for line in view if "│" in line) for lane in range(3)
    )
    assert "8 pthread_create" in of_main
    assert "creates main.1" in of_main
    assert "joins main.1" in of_main
    assert "input nondet_int() = 7" in of_main
    assert "11▶assert(x == 2);" in of_main
    assert "x: 0 → 1" in of_first
    assert "holds m" in of_first
    assert "reads x=0" in of_second
    assert "x: 1 → 1" in of_second
    assert "x = x" not in of_main


def test_actions_of_one_line_are_one_row() -> None:
    view = "\n".join(lines(TRACE))
    assert view.count("3 pthread_mutex_lock(&m);") == 1
    assert "locks m" in view
    assert "unlocks m" in view and "ends" in view
    assert "m.owner" not in view  # the state of the model is of no interest to its user
    assert view.count("▶") == 1


def test_context_switches_are_visible() -> None:
    assert sum(set(line) == {"╌", "┼"} for line in lines(TRACE)) == 6
    assert lines(TRACE)[-1] == "assertion fails: after 12 actions and 6 context switches"


@pytest.mark.parametrize("width", [20, 40, 60, 80, 100, 200])
def test_no_line_is_too_wide(width: int) -> None:
    assert all(line.cell_len <= width for line in render(TRACE, SOURCES, width))


def test_many_threads_become_a_list() -> None:
    view = lines(TRACE, 60)
    assert not any("┼" in line for line in view)
    assert any(line.startswith("main.1 │") for line in view)
    assert "x: 0 → 1" in "\n".join(view)


def test_code_of_a_model_is_shown_at_its_call() -> None:
    assert place_for_people(in_model(3, "worker"), SOURCES) == at(3, "worker")
    nowhere = Position("other.c", 1, 1)
    assert place_for_people(nowhere, SOURCES) == nowhere


def test_other_files_are_named() -> None:
    sources = {**SOURCES, "dir/b.h": "one\ntwo\n"}
    step = TraceStep("main", Position("dir/b.h", 2, 1, "f"), reads=(("y", "1"),))
    view = render(replace(TRACE, steps=(*STEPS, step)), sources, 120)
    assert any("b.h:2 two" in line.plain for line in view)


def test_deadlock_says_who_waits_where_and_for_what() -> None:
    blocked = (
        BlockedThread("main", at(10, "main"), "waits for main.1 to end"),
        BlockedThread("main.1", in_model(3, "worker"), "waits for m, held by main.1"),
    )
    view = lines(replace(TRACE, message="deadlock", steps=STEPS[:4], blocked=blocked))
    start = view.index("no thread can move:")
    assert view[start + 1] == "  main    waits for main.1 to end: 10 pthread_join(t, 0);"
    assert view[start + 2] == "  main.1  waits for m, held by main.1: 3 pthread_mutex_lock(&m);"


def test_long_traces_are_shortened() -> None:
    chance = random.Random(0)
    steps = tuple(
        TraceStep("main", at(2 * chance.randrange(5) + i % 2, "main"), writes=(("t", str(i)),))
        for i in range(5000)
    )
    view = lines(replace(TRACE, steps=steps))
    assert len(view) < 1000
    assert any("4600 rows left out" in line for line in view)
    assert "t: 4998 → 4999" in "\n".join(view)


def test_long_runs_of_values_are_shortened() -> None:
    steps = tuple(TraceStep("main", at(8, "main"), writes=(("t", str(i)),)) for i in range(100))
    assert "t: 0 → 1 → 2 → … → 98 → 99" in "\n".join(lines(replace(TRACE, steps=steps)))


def test_source_lines_for_the_full_list() -> None:
    blocked = (BlockedThread("main", at(10, "main"), "waits"),)
    trace = with_source_lines(replace(TRACE, blocked=blocked), SOURCES)
    assert trace.steps[0].source == "pthread_create(&t, 0, worker, 0);"
    assert trace.steps[2].source == ""
    assert trace.blocked[0].source == "pthread_join(t, 0);"
