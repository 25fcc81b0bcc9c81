"""Workers that share a tree: known counts, and what breaks NOTE(parallel-branches)."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.ir.program import Program
from abpress.parallel import office
from abpress.parallel.estate import Branch, Estate, Spare
from abpress.parallel.hub import Hub
from abpress.parallel.messages import (
    Batch,
    Continuation,
    Insertion,
    Lease,
    Numbered,
    Over,
)
from abpress.parallel.office import WorkerError
from abpress.parallel.parts import Heritage
from abpress.parallel.post import Channel
from abpress.parallel.processes import in_processes
from abpress.parallel.territory import Territory
from abpress.properties import PROPERTIES
from abpress.reductions.stateless.sequences import Items
from abpress.search import resumed
from abpress.search.handover import HandoverError
from abpress.search.statistics import ExecutionStatistics
from abpress.verify.load import load
from tests.parallel.schedule import Scheduler, explored
from tests.reductions import trace_count_programs
from tests.reductions.test_trace_counts import ROWS, Row, of_row, program
from tests.sampling import sample

MOST = 16
SMALL = [row for row in ROWS if 2 <= row.optimal.executions <= MOST]


def shared(row: Row, folder: Path, algorithm: str, seed: int) -> Scheduler:
    return explored(of_row(row, folder), algorithm, 3, seed, PROPERTIES["no-deadlock"])


@pytest.mark.parametrize("algorithm", ["source", "optimal"])
@pytest.mark.parametrize("row", sample(SMALL, 4), ids=str)
def test_known_counts(row: Row, algorithm: str, tmp_path: Path) -> None:
    found = shared(row, tmp_path, algorithm, seed=1)
    assert found.done.complete + found.done.deadlocked == row.optimal.complete
    assert len(set(found.classes)) == len(found.classes)
    assert algorithm == "source" or found.done.sleep_set_blocked == 0


FAMILIES = trace_count_programs.lastzero, trace_count_programs.readers


def counts(algorithm: str, folder: Path, seeds: range) -> list[tuple[int, int, int]]:
    """Executions, distinct ones, and those of one search, by family and seed."""
    found = []
    for family, parameter, wanted in ((FAMILIES[0], 3, 12), (FAMILIES[1], 4, 16)):
        its = program(family, (parameter,), folder)
        for seed in seeds:
            run = explored(its, algorithm, 3, seed, PROPERTIES["no-deadlock"])
            complete = run.done.complete + run.done.deadlocked
            found.append((complete, len(set(run.classes)), wanted))
    return found


@pytest.mark.parametrize("algorithm", ["source", "optimal"])
def test_the_rules_hold(algorithm: str, tmp_path: Path) -> None:
    found = counts(algorithm, tmp_path, range(5))
    assert all(complete == distinct == wanted for complete, distinct, wanted in found), found


def test_what_is_taken_takes_in_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(self: Territory, estate: Estate, branch: Branch, v: Items) -> None: ...

    monkeypatch.setattr(Territory, "_pass_on", nothing)
    found = counts("optimal", tmp_path, range(5))
    assert any(distinct < wanted for _, distinct, wanted in found)


def test_what_is_given_away_sleeps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spare = Territory.spare

    def awake(self: Territory, search: resumed.ResumedSearch) -> Spare | None:
        """Branches under way do not sleep in what is handed over."""
        found = spare(self, search)
        if found is not None:
            found.path[-1].node.sleep.pop(found.current)
        return found

    monkeypatch.setattr(Territory, "spare", awake)
    found = counts("source", tmp_path, range(5))
    assert any(complete > distinct for complete, distinct, _ in found)


def test_messages_of_all_kinds_are_sent(tmp_path: Path) -> None:
    its = program(FAMILIES[0], (4,), tmp_path)
    runs = [explored(its, "optimal", 4, seed, PROPERTIES["no-deadlock"]) for seed in range(4)]
    kinds = {type(message) for run in runs for message in run.messages}
    assert {Lease, Insertion, Continuation} <= kinds


CHOICES = """
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int x;
void *thread(void *p) {
    unsigned char c = __VERIFIER_nondet_uchar();
    if (c < 3) x = x + c;
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, thread, 0);
    pthread_exit(0);
}
"""


def choices(folder: Path) -> Program:
    file = folder / "choices.c"
    file.write_text(CHOICES)
    return load(Config.of(file)).program


@pytest.mark.parametrize("algorithm", ["sleep", "source", "optimal"])
def test_choices_are_handed_over(algorithm: str, tmp_path: Path) -> None:
    its = choices(tmp_path)
    runs = [explored(its, algorithm, 3, seed, PROPERTIES["no-deadlock"]) for seed in range(3)]
    for run in runs:
        assert run.done.complete == len(set(run.classes)) == 43
        leases = [message for message in run.messages if isinstance(message, Lease)]
        assert any(not lease.whole for lease in leases)


MEETING = """
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int a[4];
void *one(void *p) {
    unsigned char c = __VERIFIER_nondet_uchar();
    if (c > 2) c = 2;
    if (c) a[c] = a[c] + 1;
    int i = 3;
    while (a[i] != 0) i--;
    return 0;
}
void *many(void *p) { int j = (int)(long)p; a[j] = a[j - 1] + 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    for (long i = 1; i <= 3; i++) pthread_create(&t, 0, many, (void *)i);
    pthread_exit(0);
}
"""
"""NOTE(branching-threads): executions are blocked here, with optimal DPOR."""


def meeting(folder: Path, text: str = MEETING) -> Program:
    file = folder / "meeting.c"
    file.write_text(text)
    return load(Config.of(file)).program


LATE = """
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int a[5];
void *one(void *p) {
    int i = 4;
    while (a[i] != 0) i--;
    if (i != 1) return 0;
    unsigned char c = __VERIFIER_nondet_uchar();
    if (c > 2) c = 2;
    a[c] = a[c] + 1;
    return 0;
}
void *many(void *p) { int j = (int)(long)p; a[j] = a[j - 1] + 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    for (long i = 1; i <= 4; i++) pthread_create(&t, 0, many, (void *)i);
    pthread_exit(0);
}
"""


def late_choice(folder: Path) -> Program:
    """The choice is met after some executions."""
    return meeting(folder, LATE)


def after_choices(folder: Path) -> list[tuple[int, int, int]]:
    """Executions, distinct ones, and sequences that went on to a part handed over, by seed."""
    its = meeting(folder)
    runs = [explored(its, "optimal", 3, seed, PROPERTIES["no-deadlock"]) for seed in range(6)]
    went_on = [sum(isinstance(its, Continuation) for its in run.messages) for run in runs]
    done = [(run.done.complete, len(set(run.classes))) for run in runs]
    return [(*its, n) for its, n in zip(done, went_on, strict=True)]


def test_choices_of_others_are_known_to_all(tmp_path: Path) -> None:
    """What is taken after a choice is explored by itself: nothing goes on there."""
    assert after_choices(tmp_path) == [(114, 114, 0)] * 6


def test_a_worker_that_fails_or_dies_is_told() -> None:
    def fails(number: int, channel: object, life: Heritage) -> None:
        raise ValueError("no luck")

    def dies(number: int, channel: object, life: Heritage) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def goes_on(statistics: ExecutionStatistics) -> bool:
        return False

    with pytest.raises(WorkerError, match="no luck"):
        in_processes(2, fails, goes_on)
    with pytest.raises(WorkerError, match="die again and again"):
        in_processes(2, dies, goes_on)


def test_a_report_may_take_long_unless_a_limit_ends_the_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def late(number: int, channel: Channel, life: Heritage) -> int:
        channel.send(Batch(0, (), (Over(),)))
        time.sleep(1.0)  # to make a trace readable
        return number

    monkeypatch.setattr(office, "_LAST", 0.0)
    assert in_processes(2, late, lambda _: False) == [0, 1]
    with pytest.raises(WorkerError, match="does not end"):
        in_processes(2, late, lambda _: True)


def with_deaths(
    algorithm: str, folder: Path, readers: int = 4, turns: int = 100
) -> list[Scheduler]:
    """A death in so many turns of all workers. An heir begins again: a search of many times as many
    turns hardly ends."""
    its = program(trace_count_programs.readers, (readers,), folder)
    what = PROPERTIES["no-deadlock"]
    return [explored(its, algorithm, 3, seed, what, 1 / turns) for seed in range(8)]


@pytest.mark.parametrize(
    ("algorithm", "readers", "executions", "turns"),
    [
        ("none", 1, 224, 500),
        ("sleep", 2, 4, 500),
        ("persistent", 3, 8, 100),
        ("source", 4, 16, 100),
        ("optimal", 4, 16, 100),
    ],
)
def test_heirs_do_it_again_and_it_counts_once(
    algorithm: str, readers: int, executions: int, turns: int, tmp_path: Path
) -> None:
    runs = with_deaths(algorithm, tmp_path, readers, turns)
    assert sum(run.deaths for run in runs) > len(runs) / 2
    for run in runs:
        complete = run.done.complete + run.done.deadlocked
        assert complete == len(run.classes) == executions
        assert algorithm == "none" or len(set(run.classes)) == executions
        assert algorithm not in ("none", "optimal") or run.done.sleep_set_blocked == 0


def test_heirs_must_do_what_the_dead_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NOTE(replayed-workers): heirs that take in at once what the dead took in later."""
    heir = Hub.heir

    def hasty(self: Hub, worker: int) -> tuple[Heritage, list[Numbered]]:
        life, messages = heir(self, worker)
        taken = tuple((1, number, message) for _, number, message in life.taken)
        return replace(life, taken=taken), messages

    monkeypatch.setattr(Hub, "heir", hasty)
    try:
        runs = with_deaths("source", tmp_path)
    except (AssertionError, HandoverError, IndexError, KeyError):
        return
    assert any(run.done.complete != 16 for run in runs)
