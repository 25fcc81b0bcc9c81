"""`abpress explore`, and the stateless engine of `abpress verify`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from abpress.cli import explore
from abpress.cli.parser import Parser
from abpress.engines.table import algorithms
from abpress.reductions.table import STATELESS
from tests.cli.conftest import Command
from tests.sampling import sample

PHILOSOPHERS = """#include <pthread.h>
pthread_mutex_t m[2];
void *eat(void *p) {
  int i = p != 0;
  pthread_mutex_lock(&m[i]); pthread_mutex_lock(&m[1 - i]);
  pthread_mutex_unlock(&m[1 - i]); pthread_mutex_unlock(&m[i]);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, eat, (void *)0); pthread_create(&b, 0, eat, (void *)1);
  pthread_exit(0);
}
"""

TWO_ERRORS = """#include <assert.h>
#include <pthread.h>
int x;
void *one(void *p) { x = 1; return 0; }
void *two(void *p) { x = 2; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);
  int seen = x;
  assert(seen != 1);
  assert(seen != 2);
  pthread_exit(0);
}
"""

LOOP = """#include <pthread.h>
int x, y;
void *spin(void *p) { while (x == 0) y = y + 1; return 0; }
int main(void) { pthread_t a; pthread_create(&a, 0, spin, 0); x = 1; pthread_exit(0); }
"""

NOTHING = dict.fromkeys(("complete", "deadlocked", "assume_blocked", "sleep_set_blocked", "cut"), 0)

WAIT = LOOP.replace("y = y + 1", "")


@pytest.fixture
def program(tmp_path: Path):
    def write(text: str) -> Path:
        file = tmp_path / "program.c"
        file.write_text(text, encoding="utf-8")
        return file

    return write


def data(tmp_path: Path):
    return json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("algorithm", sample(tuple(STATELESS), 2))
def test_deadlock(abpress: Command, program, tmp_path: Path, algorithm: str) -> None:
    command = ("explore", program(PHILOSOPHERS), "--property", "no-deadlock", "--keep-going")
    run = abpress(*command, "--algorithm", algorithm, "--json", "out.json")
    assert (run.status, run.verdict) == (1, "false(no-deadlock)")
    assert "no thread can move" in run.out
    found = data(tmp_path)
    assert (found["engine"], found["reduction"]) == ("stateless", algorithm)
    assert list(found["executions"]) == list(NOTHING)
    assert found["trace"]["blocked"]
    assert list(found["rates"]) == ["executions_per_s", "events_per_s"]
    assert "executions per s" in run.out
    if algorithm == "optimal":
        assert list(found["executions"].values()) == [2, 1, 0, 0, 0]


def test_keep_going_finds_all_violations(abpress: Command, program, tmp_path: Path) -> None:
    file = program(TWO_ERRORS)
    first = abpress("explore", file)
    assert (first.status, first.verdict) == (1, "false(unreach-call)")
    every = abpress("explore", file, "--keep-going", "--json", "out.json")
    assert every.status == 1
    assert data(tmp_path)["statistics"]["violations"].count("program.c:") == 2


def test_loops_are_cut(abpress: Command, program, tmp_path: Path) -> None:
    run = abpress("explore", program(LOOP), "--unroll", "2", "--json", "out.json")
    assert (run.status, run.verdict) == (2, "unknown (loops are unrolled 2 times)")
    assert data(tmp_path)["executions"]["cut"] > 0


def test_a_loop_that_waits_is_no_loop(abpress: Command, program, tmp_path: Path) -> None:
    file = program(WAIT)
    waiting = abpress("explore", file, "--json", "out.json")
    assert (waiting.status, waiting.verdict) == (0, "true")
    assert data(tmp_path)["executions"]["complete"] == 1
    bounded = abpress("explore", file, "--no-await", "--unroll", "2", "--json", "out.json")
    assert (bounded.status, bounded.verdict) == (2, "unknown (loops are unrolled 2 times)")
    assert data(tmp_path)["executions"] == {**NOTHING, "complete": 3, "cut": 1}
    for_ever = abpress("explore", program(WAIT.replace("x = 1", "y = 1")), "--json", "out.json")
    assert data(tmp_path)["executions"] == {**NOTHING, "assume_blocked": 1}
    assert for_ever.verdict == "true"


def test_compare(abpress: Command, program, tmp_path: Path) -> None:
    command = ("explore", program(PHILOSOPHERS), "--property", "no-deadlock")
    run = abpress(*command, "--compare", ",".join(STATELESS), "--json", "out.json")
    assert run.status == 1
    lines = run.out.splitlines()
    assert [line.split()[0] for line in lines] == ["algorithm", *STATELESS]
    assert [entry["reduction"] for entry in data(tmp_path)["compared"]] == list(STATELESS)


def test_executions_are_shown(abpress: Command, program) -> None:
    file = program(TWO_ERRORS)
    run = abpress("explore", file, "--keep-going", "--show-executions")
    assert run.status == 1
    statistic = next(line for line in run.out.splitlines() if line.startswith("  executions"))
    shown = [line for line in run.out.splitlines() if line.startswith("execution ")]
    assert len(shown) == int(statistic.split()[1])
    assert "execution 1: complete" in shown
    assert sum("violating (assertion seen != 2 fails)" in line for line in shown) > 0
    assert run.out.count("final values: x = ") == len(shown)
    few = abpress("explore", file, "--keep-going", "--show-executions", "--show-limit", "1")
    assert few.out.count("final values") == 1
    assert f"{len(shown) - 1} more executions are not shown" in few.out


def test_a_deadlock_is_shown_with_what_threads_wait_for(abpress: Command, program) -> None:
    run = abpress("explore", program(PHILOSOPHERS), "--show-executions")
    deadlock = run.out.split(": deadlocked")[1].split("execution")[0]
    assert "waits for m[1], held by main.2" in deadlock
    assert run.verdict == "true"  # the question is not about deadlocks


def test_the_tree_is_written(abpress: Command, program, tmp_path: Path) -> None:
    file = program(PHILOSOPHERS)
    run = abpress("explore", file, "--tree", "out.dot", "--json", "out.json")
    assert (run.status, run.err) == (0, "")
    dot = (tmp_path / "out.dot").read_text(encoding="utf-8")
    executions = data(tmp_path)["executions"]
    assert dot.count("complete\\n") == executions["complete"]
    assert dot.count("deadlocked\\n") == executions["deadlocked"]
    small = abpress("explore", file, "--tree", "out.dot", "--tree-limit", "5")
    assert "has the first 5 nodes of the tree" in small.err
    assert "left out" in (tmp_path / "out.dot").read_text(encoding="utf-8")


def test_stored_states_have_no_such_tree(abpress: Command, program) -> None:
    run = abpress("explore", program(LOOP), "--algorithm", "stateful", "--tree", "out.dot")
    assert run.status == 3
    assert "algorithm stateful: it stores states" in run.err


def test_the_same_trace_as_verify(abpress: Command, program) -> None:
    file = program(TWO_ERRORS)
    explored = abpress("explore", file)
    verified = abpress("verify", file, "--engine", "stateless")
    cause, trace = explored.out.split("\n\n")[1:3]
    assert cause.startswith("cause: ")
    assert "violation: assertion" in trace
    assert [cause, trace] == verified.out.split("\n\n")[1:3]


def test_an_unknown_algorithm_is_told(abpress: Command, program) -> None:
    run = abpress("explore", program(LOOP), "--compare", "source,magic")
    assert run.status == 3
    assert "'magic' is not an algorithm" in run.err


@pytest.mark.parametrize("por", ["auto", "source"])
def test_the_engine(abpress: Command, program, por: str) -> None:
    file = program(TWO_ERRORS)
    run = abpress("verify", file, "--engine", "stateless", "--por", por)
    assert (run.status, run.verdict) == (1, "false(unreach-call)")
    assert run.data["reduction"] == ("optimal" if por == "auto" else por)
    assert run.data["executions"]["sleep_set_blocked"] == 0


def test_the_engine_is_not_part_of_auto(abpress: Command, program) -> None:
    run = abpress("verify", program(TWO_ERRORS), "--por", "optimal")
    assert run.status == 3


@pytest.mark.parametrize("name", sample(tuple(STATELESS), 2, 1))
def test_every_algorithm_answers_true(abpress: Command, program, name: str) -> None:
    run = abpress("explore", program(PHILOSOPHERS), "--algorithm", name)
    assert run.verdict == "true"


def test_a_page_shows_what_workers_did(abpress: Command, tmp_path: Path) -> None:
    file, page, data = tmp_path / "philosophers.c", tmp_path / "page.html", tmp_path / "data.json"
    file.write_text(PHILOSOPHERS)
    options = ("--keep-going", "--timeline", page)
    run = abpress("explore", file, "--workers", "2", *options, "--json", data)
    assert run.status == 0, run.err
    load = json.loads(data.read_text())["load"]
    assert [its["worker"] for its in load] == [0, 1]
    assert json.dumps(load, sort_keys=True, separators=(",", ":")) in page.read_text()
    page.unlink()
    for more in (
        (),
        ("--algorithm", "stateful", "--workers", "2"),
        ("--workers", "2", "--show-ex"),
    ):
        run = abpress("explore", file, *options, *more)
        assert run.status == 3
        assert "--timeline" in run.err
        assert not page.exists()


def test_the_cores_come_to_long_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where as many complete executions are explored as by one process, and nothing needs one."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2}, raising=False)

    def crew(*words: str) -> tuple[int, float | None]:
        parser = Parser()
        explore.arguments(parser)
        options = parser.parse_args([*words, "program.c"])
        assert options.workers is None
        return explore._crew(options, algorithms()[options.algorithm])

    shared = {"none", "sleep", "persistent", "source", "optimal", "observers"}
    for name in algorithms():
        assert (crew("--algorithm", name) == (3, explore.ALONE_S)) == (name in shared)
    for words in (
        ("--tree", "tree.dot"),
        ("--show-executions",),
        ("--compare", "source,optimal"),
        ("--checkpoint", "kept"),
        ("--resume", "kept"),
        ("--cluster", "tcp://head:8786"),
        ("--order", "random"),
    ):
        assert crew(*words) == (1, None)
