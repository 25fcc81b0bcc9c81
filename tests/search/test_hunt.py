"""The hunt: it finds what is there, repeats itself, and says nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from abpress.config import Config
from abpress.engines.hunt import search
from abpress.ir.program import Program
from abpress.properties import PROPERTIES
from abpress.properties.property import Property
from abpress.properties.table import asked
from abpress.result import Soundness, Verdict
from abpress.search.hunt import execution, hunt
from abpress.search.hunt.execution import RandomExecution
from abpress.search.hunt.hunt import Hunt, Hunted
from abpress.search.hunt.inputs import PROFILES
from abpress.search.hunt.outlook import Outlook
from abpress.search.hunt.strategies import STRATEGIES
from abpress.search.limits import Limits, StopReason
from abpress.search.statistics import MOST_THREADS
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import Options
from abpress.semantics.reference import ReferenceInterpreter
from abpress.semantics.reference_expressions import Unspecified
from abpress.verify.load import load
from abpress.verify.run import verify
from abpress.witness.replay import follow, leads, replay
from tests.extending.toy_property import FewThreads
from tests.sampling import examples
from tests.semantics.outcomes import outcomes
from tests.strategies.ir_programs import Features, programs

REACH = PROPERTIES["unreach-call"]

LOST_UPDATE = """
#include <pthread.h>
#include <assert.h>
int x, done;
void *bump(void *a) { for (int i = 0; i < 3; i++) { int t = x; x = t + 1; } return 0; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, bump, 0);
  pthread_create(&t, 0, bump, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(x != WRONG);
}
"""

ALLOCATED = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
void *bump(void *p) { ++*(int *)p; return 0; }
int main(void) {
  int *p = calloc(1, sizeof *p);
  pthread_t s, t;
  pthread_create(&s, 0, bump, p);
  pthread_create(&t, 0, bump, p);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(*p < 3);
  free(p);
}
"""

CROWD = """
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *up_and_down(void *a) { x++; BETWEEN x--; return 0; }
int main(void) {
  for (int i = 0; i < 300; i++) { pthread_t t; pthread_create(&t, 0, up_and_down, 0); }
  pthread_mutex_lock(&m);
  assert(x == 0);
  pthread_mutex_unlock(&m);
}
"""

INPUTS = """
#include <assert.h>
int __VERIFIER_nondet_int(void);
void abort(void);
int main(void) {
  int a = __VERIFIER_nondet_int();
  CONDITION
  assert(a != WRONG);
}
"""


def written(folder: Path, text: str, **words: str) -> Path:
    for word, its in words.items():
        text = text.replace(word, its)
    file = folder / "program.c"
    file.write_text(text, encoding="utf-8")
    return file


def hunted(
    program: Program, seed: int = 0, budget: int = 100_000, property: Property = REACH
) -> Hunted:
    """A hunt, with a replay of what it finds."""
    system = Interpreter(program, Options(max_threads=100_000), Soundness())
    outcome = Hunt(system, property, seed).search(budget, lambda _: None)
    if outcome.found is not None:
        replay(system, outcome.found.schedule, outcome.found.finding)
    return outcome


@pytest.mark.parametrize("name", STRATEGIES)
def test_each_strategy_finds_a_lost_update(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hunt, "STRATEGIES", {name: STRATEGIES[name]})
    program = load(Config.of(written(tmp_path, LOST_UPDATE, WRONG="3"))).program
    found = hunted(program)
    assert found.found is not None
    assert found.statistics.by == name


def test_a_right_program_is_not_reported(tmp_path: Path) -> None:
    program = load(Config.of(written(tmp_path, LOST_UPDATE, WRONG="7"))).program
    outcome = hunted(program)
    assert outcome.found is None
    assert outcome.stopped is None
    assert outcome.statistics.executions > 100


@pytest.mark.parametrize("name", PROFILES)
def test_each_profile_draws_numbers_that_suit_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hunt, "PROFILES", {name: PROFILES[name]})
    wrong = {"small": "3", "counting": "12", "mixed": "-7", "constants": "123457"}
    number = (wrong | {"powers": "-4096", "extremes": "2147483646"})[name]
    file = written(tmp_path, INPUTS, WRONG=number, CONDITION="if (a == 123456) a--;")
    assert hunted(load(Config.of(file)).program).found is not None


def test_inputs_that_do_not_count_are_chosen_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = written(tmp_path, INPUTS, WRONG="7", CONDITION="if (a * a % 11 != 5) abort();")
    # an abort that is no assumption: else only inputs are chosen for which it is not met
    program = load(Config.of(text, properties=("unreach-call", "no-deadlock"))).program
    seeds = range(10)
    repairing = [hunted(program, seed).statistics for seed in seeds]
    assert all(numbers.by for numbers in repairing)
    monkeypatch.setattr(hunt, "REPAIRS", 0)
    assert [hunted(program, seed).statistics for seed in seeds] != repairing


def test_crowds_are_hunted_in(tmp_path: Path) -> None:
    """Although there are more threads than the other engines are allowed."""
    file = written(tmp_path, CROWD, BETWEEN="")
    result = verify(Config.of(file, engine="hunt", max_threads=10)).result
    assert result.verdict is Verdict.FALSE
    assert len(result.trace.threads) > 10


ENDLESS = """
#include <pthread.h>
void abort(void);
void reach_error(void);
int __VERIFIER_nondet_int(void);
int busy, ready;
void __VERIFIER_atomic_enter(void) { if (busy) abort(); busy = 1; }
void leave(void) { busy = 0; }
void *work(void *a) {
  while (1) {
    __VERIFIER_atomic_enter();
    if (__VERIFIER_nondet_int()) {
      ready = 0;
      leave();
      if (!ready) abort();
      __VERIFIER_atomic_enter();
      if (!ready) reach_error();
    } else ready = 1;
    leave();
  }
}
int main(void) { for (;;) { pthread_t t; pthread_create(&t, 0, work, 0); } }
"""


@pytest.mark.parametrize("text", [CROWD, ENDLESS])
def test_it_knows_where_errors_need_no_crowd(text: str, tmp_path: Path) -> None:
    system = Interpreter(load(Config.of(written(tmp_path, text, BETWEEN=""))).program)
    assert Outlook(system.context, REACH).few_suffice is (text is ENDLESS)


def test_no_crowd_is_left_out_where_errors_are_behind_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = CROWD.replace("x == 0", "x < 999")
    program = load(Config.of(written(tmp_path, text, BETWEEN=""))).program
    resting: list[bool] = []

    def noted(*its: Any) -> RandomExecution:
        resting.append(its[4])
        return RandomExecution(*its)

    monkeypatch.setattr(hunt, "RandomExecution", noted)
    monkeypatch.setattr(hunt, "HEAD_START", 200)
    hunted(program, 0)
    assert resting[0]
    assert resting.count(False) > 2
    assert resting == sorted(resting, reverse=True)


def test_a_part_of_the_steps_is_in_executions_without_a_crowd(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = load(Config.of(written(tmp_path, ENDLESS))).program
    small = [hunted(program, seed).statistics for seed in range(8)]
    assert sum(bool(its.by) and its.threads <= execution.CROWD for its in small) > 4
    monkeypatch.setattr(hunt, "RandomExecution", lambda *its: RandomExecution(*its[:4]))
    crowds = [hunted(program, seed, budget=500).statistics for seed in range(8)]
    assert all(its.threads > execution.CROWD for its in crowds)


@pytest.mark.parametrize(
    ("creations", "again"),
    [
        ("pthread_create(&t, 0, work, 0); pthread_create(&t, 0, work, 0);", False),
        ("for (int i = 0; i < 2; i++) pthread_create(&t, 0, work, 0);", True),
    ],
)
def test_it_knows_where_threads_are_created_in_loops(
    creations: str, again: bool, tmp_path: Path
) -> None:
    text = ENDLESS[: ENDLESS.index("int main")] + f"int main(void) {{ pthread_t t; {creations} }}"
    system = Interpreter(load(Config.of(written(tmp_path, text))).program)
    assert Outlook(system.context, REACH).creates_again is again


def test_what_is_repeated_at_once_leads_where_single_steps_lead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = load(Config.of(written(tmp_path, LOST_UPDATE, WRONG="2"))).program
    found = hunted(program).found
    assert found is not None
    system, steps, finding = Interpreter(program), found.schedule, found.finding
    monkeypatch.setattr("abpress.witness.replay.LONG", 1)
    others = [(steps[-1][0], (7,)), (99, ())]
    tried = [steps, steps[:-1], *((*steps[:k], *steps[k + 1 :]) for k in range(len(steps)))]
    tried += [(*steps[:k], other, *steps[k:]) for k in (0, len(steps)) for other in others]
    for schedule in tried:
        assert leads(system, schedule, finding) is (follow(system, schedule, finding) is not None)
    assert leads(system, steps, finding)


def test_undefined_behaviour_of_crowds_is_shown(tmp_path: Path) -> None:
    text = CROWD.replace("int x;", "int x, y;").replace("x == 0", "1 / y")
    file = written(tmp_path, text, BETWEEN="")
    result = verify(Config.of(file, engine="hunt", max_threads=10, hunt_steps=20_000)).result
    assert result.verdict is Verdict.UNKNOWN
    assert result.trace is not None
    assert len(result.trace.threads) > 10


def test_a_deadlock_is_found(tmp_path: Path) -> None:
    text = """
    #include <pthread.h>
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
    void *one(void *a) {
      pthread_mutex_lock(&m); pthread_mutex_lock(&n);
      pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);
      return 0;
    }
    int main(void) {
      pthread_t t;
      pthread_create(&t, 0, one, 0);
      pthread_mutex_lock(FIRST); pthread_mutex_lock(SECOND);
      pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);
    }
    """
    for first, second, wrong in (("&n", "&m", True), ("&m", "&n", False)):
        file = written(tmp_path, text, FIRST=first, SECOND=second)
        program = load(Config.of(file, property="no-deadlock")).program
        outcome = hunted(program, property=PROPERTIES["no-deadlock"], budget=20_000)
        assert (outcome.found is not None) is wrong


def test_states_are_shown_to_the_property(tmp_path: Path) -> None:
    text = """
    #include <pthread.h>
    void *nothing(void *a) { return 0; }
    int main(void) {
      pthread_t s, t;
      pthread_create(&s, 0, nothing, 0);
      JOIN
      pthread_create(&t, 0, nothing, 0);
    }
    """
    for join, wrong in (("", True), ("pthread_join(s, 0);", False)):
        program = load(Config.of(written(tmp_path, text, JOIN=join))).program
        outcome = hunted(program, property=FewThreads(), budget=20_000)
        assert (outcome.found is not None) is wrong


def test_where_no_error_is_ahead_nothing_is_executed(tmp_path: Path) -> None:
    file = written(tmp_path, "int main(void) { for (;;); }")
    assert hunted(load(Config.of(file)).program).statistics.executions == 0


def test_a_limit_ends_it(tmp_path: Path) -> None:
    program = load(Config.of(written(tmp_path, LOST_UPDATE, WRONG="7"))).program
    system = Interpreter(program)
    stop = StopReason("time", "over")
    search = Hunt(system, REACH, 0).search
    outcome = search(10**9, lambda numbers: stop if numbers.executions > 9 else None)
    assert (outcome.stopped, outcome.statistics.executions) == (stop, 10)


def test_every_second_execution_is_watched_for_races(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = []

    def make(frame: execution.Frame, *its: Any) -> RandomExecution:
        watched.append(frame.watch is not None)
        return RandomExecution(frame, *its)

    monkeypatch.setattr(hunt, "RandomExecution", make)
    program = load(Config.of(written(tmp_path, ALLOCATED))).program
    names = ("unreach-call", "valid-deref", "valid-free", "no-data-race")
    search = Hunt(Interpreter(program), asked(names), 0).search
    stop = StopReason("time", "over")
    search(10**9, lambda _: stop if len(watched) >= 2 else None)
    assert watched == [False, True]


def test_what_is_found_is_told_before_the_time_is_over(tmp_path: Path) -> None:
    names = ("no-data-race", "unreach-call")
    config = Config.of(written(tmp_path, LOST_UPDATE, WRONG="7"), properties=names)
    config = config.but(hunt_steps=10**9)
    limits = Limits(time=10_000, started=monotonic() - 9_500)
    results = search(load(config).program, config, limits)
    assert [results[name].verdict for name in names] == [Verdict.FALSE, Verdict.UNKNOWN]
    assert results["unreach-call"].reason == "time limit of 10000 s"


def test_it_repeats(tmp_path: Path) -> None:
    """With its seed, whatever the hashes of texts are."""
    file = written(tmp_path, CROWD, BETWEEN="")
    code = (
        "import sys; from pathlib import Path; sys.path.insert(0, '.');"
        "from tests.search.test_hunt import *;"
        "f = hunted(load(Config.of(Path(sys.argv[1]))).program, int(sys.argv[2]));"
        "print(f.found.schedule, f.statistics)"
    )

    def told(seed: str, hashes: str) -> str:
        command = [sys.executable, "-c", code, str(file), seed]
        environment = {**os.environ, "PYTHONHASHSEED": hashes}
        return subprocess.run(
            command, check=True, capture_output=True, text=True, env=environment
        ).stdout

    first = told("1", "1")
    assert first == told("1", "2")
    assert first != told("2", "1")


def test_executions_end_where_threads_are_created_for_ever(tmp_path: Path) -> None:
    text = (
        "#include <pthread.h>\nvoid *t(void *a) { return 0; }\nvoid reach_error(void);\n"
        "int main(void) { for (int i = 0;; i++) { pthread_t h; pthread_create(&h, 0, t, 0);"
        " if (i < 0) reach_error(); } }"
    )
    program = load(Config.of(written(tmp_path, text))).program
    statistics = hunted(program, 0).statistics
    assert statistics.executions > 1
    assert statistics.threads > 64 and statistics.as_dict()[MOST_THREADS] == statistics.threads


def test_what_a_hunt_loses_withholds_no_proof(tmp_path: Path) -> None:
    """It chooses among many inputs, which enumeration cannot do; one of the next engines proves."""
    text = "int __VERIFIER_nondet_int(void); void reach_error(void);\n" + (
        "int main(void) { int a = __VERIFIER_nondet_int(); if (a > 5 && a < 5) reach_error(); }"
    )
    report = verify(Config.of(written(tmp_path, text)))
    assert report.engine in ("static", "abpress")  # by how long the first one takes
    assert report.result.verdict is Verdict.TRUE


@settings(
    max_examples=examples(24, whole=60),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(programs(Features(threads=2, statements=8, unbounded_loops=False)))
def test_what_is_found_is_there(program: Program) -> None:
    """And of small programs, most of what is there is found."""
    reference = ReferenceInterpreter(program)
    try:
        wanted = outcomes(reference, 1500)
    except Unspecified:
        assume(False)
    assume(wanted is not None)
    assert wanted is not None
    found = hunted(program, budget=20_000).found
    if found is not None:
        assert f"violates unreach-call: {found.finding.message}" in wanted.violations
