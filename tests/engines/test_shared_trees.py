"""Several workers give the answer of one search."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from abpress.config import Config
from abpress.engines import stateless as engine
from abpress.engines import workers
from abpress.engines.lone import Lone
from abpress.engines.stateless import explore
from abpress.errors import UnsupportedError
from abpress.parallel.estate import Spare
from abpress.parallel.worker import Worker
from abpress.reductions.table import STATELESS
from abpress.result import Verdict
from abpress.search import stateless
from abpress.search.limits import Interrupt, Limits, StopReason, resident_memory
from abpress.search.stateless import Hooks
from abpress.search.statistics import ExecutionStatistics
from tests.reading import program_of
from tests.sampling import in_turn

PROGRAM = """
#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
#ifndef THREADS
#define THREADS 3
#endif
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *add(void *arg) {
    x++;
    pthread_mutex_lock(&m);
    y++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < THREADS; i++) pthread_join(t[i], 0);
    if (y != THREADS || x > THREADS || WRONG) reach_error();
    return 0;
}
"""

SHARED = ["sleep", "persistent", "source", "optimal"]


def config_of(folder: Path, wrong: str, **options: object) -> Config:
    file = folder / "program.c"
    file.write_text(PROGRAM.replace("WRONG", wrong))
    return Config.of(file, **{"engine": "stateless", "por": "optimal", **options})


def asked(config: Config, limits: Limits | None = None):  # type: ignore[no-untyped-def]
    return explore(program_of(config), config, limits or Limits(), with_finals=True)


@pytest.mark.parametrize("algorithm", SHARED)
def test_the_same_numbers_and_final_states(algorithm: str, tmp_path: Path) -> None:
    one = asked(config_of(tmp_path, "0", por=algorithm))
    three = asked(config_of(tmp_path, "0", por=algorithm, workers=3))
    assert one.result.verdict is three.result.verdict is Verdict.TRUE
    assert one.exhausted and three.exhausted
    assert one.finals == three.finals
    for name in ("complete_executions", "deadlocked_executions", "violating_executions"):
        assert one.result.statistics[name] == three.result.statistics[name]
    assert three.result.statistics["workers"] == 3
    load = three.result.load
    assert [its["worker"] for its in load] == [0, 1, 2]
    for name in ("executions", "events"):
        assert sum(its[name] for its in load) == three.result.statistics[name]
    assert sum(its["parts_given"] for its in load) == sum(its["parts_taken"] for its in load)
    assert sum(its["messages_sent"] for its in load) == sum(
        its["messages_received"] for its in load
    )
    assert not one.result.load


ALONE = ["none", *SHARED, "observers"]


@pytest.mark.parametrize(("algorithm", "events"), in_turn(ALONE, [1, 16]))
def test_others_go_on_with_what_one_has_begun(
    algorithm: str, events: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They come when this process has taken so many steps."""
    monkeypatch.setattr(stateless, "POLL_EVENTS", events)
    options = {"por": algorithm, "defines": ("THREADS=1" if algorithm == "none" else "THREADS=2",)}
    one = asked(config_of(tmp_path, "0", **options))
    three = asked(config_of(tmp_path, "0", workers=3, alone=0.0, **options))
    assert three.result.statistics["workers"] == 3
    assert (three.result.verdict, three.finals) == (Verdict.TRUE, one.finals)
    for name in ("complete_executions", "deadlocked_executions"):
        assert three.result.statistics[name] == one.result.statistics[name]


def test_what_one_has_found_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others come after the first violation."""
    hooks = Lone.hooks

    def late(self: Lone, its: Hooks) -> Hooks:
        made = hooks(self, its)
        assert made.poll is not None
        ask = made.poll
        return replace(made, poll=lambda done: ask(done) if done.violating > 1 else None)

    monkeypatch.setattr(Lone, "hooks", late)
    monkeypatch.setattr(stateless, "POLL_EVENTS", 1)
    config = config_of(tmp_path, "x == 1", keep_going=True)
    one, two = asked(config), asked(config.but(workers=2, alone=0.0))
    assert two.result.statistics["workers"] == 2
    assert two.violations == one.violations
    name = "violating_executions"
    assert two.result.statistics[name] == one.result.statistics[name] > 2
    assert two.result.trace is not None


@pytest.mark.parametrize("memory_for", [None, 2])
def test_who_is_left_alone_says_what_one_process_says(
    memory_for: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search is over soon; or there is not memory enough for others."""
    monkeypatch.setattr(stateless, "POLL_EVENTS", 1)
    config = config_of(tmp_path, "0")
    memory = None if memory_for is None else memory_for * resident_memory()
    alone = 60.0 if memory is None else 0.0
    found = asked(config.but(workers=2, alone=alone), Limits(memory=memory))
    assert found.result.statistics == asked(config).result.statistics


@pytest.mark.parametrize("keep_going", [False, True])
def test_a_violation_is_replayed(keep_going: bool, tmp_path: Path) -> None:
    one, three = (
        asked(config_of(tmp_path, "x < 3", workers=workers, keep_going=keep_going))
        for workers in (1, 3)
    )
    assert one.result.verdict is three.result.verdict is Verdict.FALSE
    assert three.result.trace is not None and three.result.trace.steps
    assert set(one.violations) == set(three.violations) != set()
    assert three.exhausted is keep_going


def test_more_than_processors_are_not_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So those that are there have all the memory that there may be."""
    monkeypatch.setattr(engine, "processors", lambda: 1)
    shared, memories = workers.limits_of_each, list[float | None]()

    def noted(config: Config, *its: Any) -> Limits:
        limits = shared(config, *its)
        memories.append(limits.memory)
        return limits

    monkeypatch.setattr(workers, "limits_of_each", noted)
    config = config_of(tmp_path, "0", core="python", workers=64)
    found = asked(config, Limits(memory=8_000.0))
    told = found.result.statistics
    assert (told["workers"], told["asked_workers"]) == (2, "64, more than processors")
    assert (found.exhausted, memories) == (True, [4_000.0])


def test_limits_and_interrupts_end_all_workers(tmp_path: Path) -> None:
    config = config_of(tmp_path, "0", por="none", workers=2)
    found = asked(config, Limits(time=0.5))
    assert (found.result.verdict, found.result.reason) == (Verdict.UNKNOWN, "time limit of 0.5 s")
    found = asked(config, Limits(interrupt=Interrupt(requested=True)))
    assert (found.result.verdict, found.result.reason) == (Verdict.UNKNOWN, "interrupted")


@pytest.mark.parametrize("name", [n for n, entry in STATELESS.items() if not entry.shared])
def test_other_algorithms_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="--workers"):
        asked(config_of(tmp_path, "0", por=name, workers=2))


def let_others_ask(monkeypatch: pytest.MonkeyPatch, until: Callable[[], bool]) -> None:
    """Workers are slow until this is so: who is quick would hand over too little."""
    poll = Worker._poll

    def patient(self: Worker, statistics: ExecutionStatistics) -> StopReason | None:
        if not until():
            time.sleep(0.001)
        return poll(self, statistics)

    monkeypatch.setattr(Worker, "_poll", patient)


def test_workers_that_are_killed_lose_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each worker is killed once, as soon as somebody else has a part of its tree."""
    one = asked(config_of(tmp_path, "0"))
    hand_over = Worker._hand_over

    def mortal(self: Worker, spare: Spare) -> None:
        hand_over(self, spare)
        killed = tmp_path / f"killed {self._number}"
        if self._given == 2 and not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(Worker, "_hand_over", mortal)
    let_others_ask(monkeypatch, lambda: any(tmp_path.glob("killed *")))
    three = asked(config_of(tmp_path, "0", workers=3))
    assert list(tmp_path.glob("killed *"))
    assert three.result.verdict is Verdict.TRUE
    assert three.finals == one.finals
    name = "complete_executions"
    assert three.result.statistics[name] == one.result.statistics[name]
