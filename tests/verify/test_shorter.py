"""Long traces become shorter ones of the same violation, which the compiled program shows too."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines.order import asked_options
from abpress.errors import UnsupportedError
from abpress.properties import PROPERTIES
from abpress.properties.ends import classify
from abpress.semantics.interpreter import Interpreter
from abpress.verify.load import load
from abpress.verify.shorter import shortened
from abpress.witness.build import build_trace
from abpress.witness.trace import Trace
from tests.cli.conftest import Command, abpress
from tests.replay.test_on_the_machine import needs_compiler

__all__ = ["abpress"]

COUNTS = """
#include <assert.h>
#include <pthread.h>
int x, noise;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *adds(void *arg) {
  for (int i = 0; i < 3; i++) {
    int seen = x;
    x = seen + 1;
  }
  return arg;
}
static void *idles(void *arg) {
  for (int i = 0; i < 5; i++) {
    pthread_mutex_lock(&m);
    noise = noise + 1;
    pthread_mutex_unlock(&m);
  }
  return arg;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, adds, 0);
  pthread_create(&b, 0, adds, 0);
  pthread_create(&c, 0, idles, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 6);
  return 0;
}
"""

TWO_DEADLOCKS = """
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x;
static void *other(void *arg) {
  if (x == 0) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
  }
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&n);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  x = 1;
  pthread_join(t, 0);
  return 0;
}
"""

LOCKS = """
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int rounds;
static void *other(void *arg) {
  for (int i = 0; i < 4; i++) rounds = rounds + 1;
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&n);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  for (int i = 0; i < 4; i++) rounds = rounds + 1;
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
"""


def turn_by_turn(config: Config) -> Trace:
    """The trace of the execution in which threads take turns at each step; not a short one."""
    (name,) = config.question.properties
    system = Interpreter(load(config).program, asked_options(config))
    state, schedule = system.initial(), list[tuple[int, tuple[int, ...]]]()
    for turn in count():
        able = [t for t in system.threads(state) if system.steps(state, t)]
        if not able:
            finding = PROPERTIES[name].of_end(system, state, classify(system, state))
            break
        step = system.steps(state, able[turn % len(able)])[0]
        schedule.append((step.thread, step.choices))
        if step.violation is not None:
            finding = PROPERTIES[name].of_violation(step.violation)
            break
        state = step.successor
    assert finding is not None
    return build_trace(system, tuple(schedule), name, finding)


def asked(folder: Path, text: str, property: str) -> Config:
    file = folder / "program.c"
    file.write_text(text)
    return Config.of(file, properties=(property,))


def never() -> bool:
    return False


def test_what_the_violation_does_without_is_gone(tmp_path: Path) -> None:
    config = asked(tmp_path, COUNTS, "unreach-call")
    given = turn_by_turn(config)
    short = shortened(config, given, never)
    assert short.trace.message == given.message
    assert short.trace.steps[-1].position == given.steps[-1].position
    assert short.trace.context_switches == short.context_switches[1] < given.context_switches
    assert short.context_switches[0] == given.context_switches > 10
    assert short.context_switches[1] <= 4  # a, b within it, a again, main
    assert len(short.trace.schedule) == short.steps[1] < short.steps[0] == len(given.schedule)
    # Who only idles is not joined: nothing of it is needed.
    idle = sum(name == "main.3" for name, _ in given.schedule)
    assert short.removed["main.3"] == idle > 0
    assert sum(short.removed.values()) == short.steps[0] - short.steps[1]
    assert shortened(config, given, never) == short


def test_a_deadlock_keeps_its_places(tmp_path: Path) -> None:
    config = asked(tmp_path, LOCKS, "no-deadlock")
    given = turn_by_turn(config)
    short = shortened(config, given, never)
    where = {(its.thread, its.position.origin.line) for its in given.blocked}
    assert {(its.thread, its.position.origin.line) for its in short.trace.blocked} == where
    assert short.context_switches[1] <= 2 < short.context_switches[0]


def test_no_other_deadlock_takes_its_place(tmp_path: Path) -> None:
    config = asked(tmp_path, TWO_DEADLOCKS, "no-deadlock")
    given = turn_by_turn(config)
    assert ("main.1", 8) in {(its.thread, its.position.origin.line) for its in given.blocked}
    short = shortened(config, given, never)
    assert short.trace.blocked == given.blocked


def test_without_time_the_trace_stays(tmp_path: Path) -> None:
    config = asked(tmp_path, COUNTS, "unreach-call")
    given = turn_by_turn(config)
    assert shortened(config, given, lambda: True).trace == given


def test_the_trace_of_another_program_is_refused(tmp_path: Path) -> None:
    given = turn_by_turn(asked(tmp_path, COUNTS, "unreach-call"))
    for old, new in (("x == 6", "x <= 6"), ("x = seen + 1;", "x = seen + 1;;\n"), ("c;", "c;\n")):
        other = asked(tmp_path, COUNTS.replace(old, new), "unreach-call")
        with pytest.raises(UnsupportedError, match="not one of this program"):
            shortened(other, given, never)


@needs_compiler
def test_the_command_replays_the_shorter_trace(abpress: Command, tmp_path: Path) -> None:
    config = asked(tmp_path, COUNTS, "unreach-call")
    given = turn_by_turn(config)
    long, short = tmp_path / "long.json", tmp_path / "short.json"
    words = ["verify", str(config.program.file)]
    long.write_text(json.dumps({"command": words, "trace": given.to_json()}))
    run = abpress("replay", long, "--minimise", short)
    assert run.status == 0, run.out + run.err
    assert f"minimised: {given.context_switches} context switches became " in run.out
    data = json.loads(short.read_text())
    assert data["trace"]["context_switches"] == data["shortened"]["context_switches"][1]
    assert abpress("replay", short).status == 0
