"""Workers that are believed dead, and speak: NOTE(epochs)."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.parallel.office import Office, Said
from abpress.properties import PROPERTIES
from tests.parallel.schedule import Scheduler, explored
from tests.reductions import trace_count_programs
from tests.reductions.test_trace_counts import program

DEATH = 0.01
HALT = 0.02
UNDEAD = 0.7
SEEDS = range(8)
EXECUTIONS = 16


def haunted(algorithm: str, folder: Path, seed: int, goes_back: bool) -> Scheduler:
    """A search of workers of whom most that are believed dead have been cut off only. What these
    have sent comes in late, and they go on."""
    its = program(trace_count_programs.readers, (4,), folder)
    what, halt = PROPERTIES["no-deadlock"], HALT * goes_back
    return explored(its, algorithm, 3, seed, what, DEATH, halt, undead=UNDEAD, goes_back=goes_back)


def exact(run: Scheduler) -> bool:
    complete = run.done.complete + run.done.deadlocked
    return complete == len(set(run.classes)) == len(run.classes) == EXECUTIONS


@pytest.mark.parametrize("goes_back", [False, True])
@pytest.mark.parametrize("algorithm", ["source", "optimal"])
def test_nothing_counts_twice(algorithm: str, goes_back: bool, tmp_path: Path) -> None:
    runs = [haunted(algorithm, tmp_path, seed, goes_back) for seed in SEEDS]
    assert sum(run.deaths for run in runs) > len(runs) / 2
    assert sum(run.late for run in runs) > len(runs) / 2
    assert any(run.backs for run in runs) == goes_back
    assert all(exact(run) for run in runs)
    assert algorithm == "source" or all(run.done.sleep_set_blocked == 0 for run in runs)


@pytest.mark.parametrize("goes_back", [False, True])
def test_lives_must_be_told_apart(
    goes_back: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a worker of some number says is heard in whichever life it says it."""
    take = Office._take

    def trusting(self: Office, worker: int, came: Said) -> None:
        take(self, worker, Said(self._epochs[worker], came.what))

    def right(seed: int) -> bool:
        try:
            return exact(haunted("source", tmp_path, seed, goes_back))
        except (AssertionError, LookupError):
            return False

    monkeypatch.setattr(Office, "_take", trusting)
    assert not all(right(seed) for seed in SEEDS)
