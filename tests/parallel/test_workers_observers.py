"""Workers that share a tree in which writes matter if they are observed, or states are remembered;
and what breaks that."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.ir.program import Program
from abpress.parallel.messages import Lease
from abpress.properties import PROPERTIES
from abpress.reductions.stateless.node import ExecutionNode, ObservedNode, WatchedNode
from abpress.relations.footprint import InternedFootprints
from abpress.search.named import Met
from abpress.verify.load import load
from tests.parallel.schedule import Scheduler, explored
from tests.parallel.test_workers_random import Seen, alone, observable
from tests.reductions import trace_count_programs
from tests.reductions.test_observers import LATER_READER, RUNNING_EXAMPLE
from tests.reductions.test_trace_counts import program
from tests.reductions.trace_count_programs import text

SEEDS = range(6)

THREE_WRITERS = text("int x;", [("x = 1;", 0), ("x = 2;", 1), ("x = 3;", 2), ("own[i] = x;", 3)])
TWO_READERS = text(
    "int x;",
    [("x = 1;", 0), ("x = 2;", 1), ("x = 3;", 2), ("own[i] = x;", 3), ("own[i] = x;", 4)],
)

WAITS_LATE = """
#include <pthread.h>
int x;
void *write(void *k) { x = (int)(long)k; return 0; }
void *wait(void *k) { while (x != 2) ; return 0; }
int main(void) {
    pthread_t t;
    for (long k = 1; k <= 3; k++) pthread_create(&t, 0, write, (void *)k);
    pthread_create(&t, 0, wait, 0);
    pthread_exit(0);
}
"""


def read(source: str, folder: Path) -> Program:
    file = folder / "program.c"
    file.write_text(source, encoding="utf-8")
    return load(Config.of(file), every_access=True).program


def runs(its: Program, algorithm: str, death: float = 0.0) -> list[Scheduler]:
    return [explored(its, algorithm, 3, n, PROPERTIES["no-deadlock"], death) for n in SEEDS]


@pytest.mark.parametrize("death", [0.0, 0.01])
@pytest.mark.parametrize(
    ("source", "count"), [(RUNNING_EXAMPLE, 5), (LATER_READER, 16), (WAITS_LATE, 0)]
)
def test_each_class_of_observations_once(
    source: str, count: int, death: float, tmp_path: Path
) -> None:
    its = read(source, tmp_path)
    found = alone(its, "observers")
    assert len(found.classes) == count or not count
    for run in runs(its, "observers", death):
        assert Counter(run.classes) == Counter(found.classes)
        assert run.done.sleep_set_blocked == 0
        assert any(isinstance(message, Lease) for message in run.messages)


def lost_or_twice(its: Program, algorithm: str, found: Seen) -> bool:
    """Whether some run explores not exactly what it should, or notices that."""
    try:
        return any(Counter(run.classes) != Counter(found.classes) for run in runs(its, algorithm))
    except AssertionError:
        return True


def test_what_slept_above_is_asked_about_observers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    its = read(THREE_WRITERS, tmp_path)
    found = alone(its, "observers")
    assert not lost_or_twice(its, "observers", found)
    monkeypatch.setattr(ObservedNode, "redundant_below", ExecutionNode.redundant_below)
    assert lost_or_twice(its, "observers", found)


@pytest.mark.parametrize("waits_first", [True, False])
def test_all_know_for_what_threads_wait(waits_first: bool) -> None:
    """What one has written blindly, and another one has waited for."""
    waits, writes = InternedFootprints(True), InternedFootprints(True)
    waits.waits((64,))
    writes.of(2, (), (64,), False)
    assert not waits.stale and not writes.stale
    first, second = (waits, writes) if waits_first else (writes, waits)
    first.learn(second.written_blindly, second.waited_for, ())
    assert first.stale


def test_cells_that_others_write_blindly_are_contested() -> None:
    mine = InternedFootprints(True)
    mine.of(2, (), (64,), False)
    mine.learn({64: 3}, (), ())
    assert mine.contested == {64}


def test_searches_begin_again_that_disagree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Met] = []
    renewed = Met.renewed

    def noted(self: Met) -> Met:
        begun.append(renewed(self))
        return begun[-1]

    monkeypatch.setattr(Met, "renewed", noted)
    runs(read(WAITS_LATE, tmp_path), "observers")
    assert begun and all(met.waited and not met.blind for met in begun)


REMEMBERING = ["context-sensitive", "optimal-context-sensitive", "optimal-cs-observers"]


@pytest.mark.parametrize("death", [0.0, 0.01])
@pytest.mark.parametrize("algorithm", REMEMBERING)
def test_known_states_are_followed(algorithm: str, death: float, tmp_path: Path) -> None:
    its = program(trace_count_programs.lastzero, (3,), tmp_path)
    found = alone(its, "optimal")
    for run in runs(its, algorithm, death):
        assert observable(run.finals, found.contested) == observable(found.finals, found.contested)
        assert len(set(run.classes)) == len(run.classes)


def test_what_others_explore_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NOTE(parallel-branches), (f): states whose executions others explore are taken for known."""
    its = read(TWO_READERS, tmp_path)
    found = alone(its, "optimal")
    assert all(run.finals == found.finals for run in runs(its, "context-sensitive"))

    def kept(self: WatchedNode) -> None: ...

    monkeypatch.setattr(WatchedNode, "forget", kept)
    assert any(run.finals < found.finals for run in runs(its, "context-sensitive"))
