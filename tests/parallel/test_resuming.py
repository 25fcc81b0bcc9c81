"""Searches that are halted at any moment and go on from what is kept, NOTE(resumed-search)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.ir.program import Program
from abpress.parallel.hub import FIRST, Hub
from abpress.parallel.messages import Batch, Counted, Halted, Limited, Tell, TheEnd
from abpress.parallel.parts import Told
from abpress.parallel.post import Channel
from abpress.parallel.worker import Worker
from abpress.properties import PROPERTIES, Preserved
from abpress.reductions.table import STATELESS
from abpress.search.handover import NameOrdered
from abpress.search.limits import StopReason
from abpress.search.stateless import Hooks, explore_executions
from tests.parallel.resuming import resumed
from tests.parallel.test_workers import choices
from tests.parallel.test_workers_random import ANYTHING, CERTAIN, PLAIN, SHARED, agrees, alone
from tests.reductions import trace_count_programs
from tests.reductions.test_trace_counts import program
from tests.sampling import examples
from tests.strategies.ir_programs import programs
from tests.strategies.questions import ANY_ERROR

EXAMPLES = examples(4, whole=15)


def lastzero(folder: Path) -> Program:
    return program(trace_count_programs.lastzero, (3,), folder)


@pytest.mark.parametrize("algorithm", ["persistent", "source", "optimal"])
def test_one_worker_counts_what_one_search_counts(algorithm: str, tmp_path: Path) -> None:
    its = lastzero(tmp_path)
    made = STATELESS[algorithm].make()
    statistics = explore_executions(NameOrdered(its), made, ANY_ERROR).statistics
    halts = 0
    for seed in range(3):
        run, n = resumed(its, algorithm, seed, ANY_ERROR, most=1)
        assert run.done == statistics
        halts += n - 1
    assert halts


def test_who_has_met_a_limit_says_so_even_if_nothing_is_left_to_it(tmp_path: Path) -> None:
    """The others are not given the rest any more: as if all were done, it was said to be proved."""
    limit = StopReason("time", "the limit")
    came: list[Batch | Counted | Told] = []
    messages = iter([(0, TheEnd())])
    worker = Worker(
        0,
        NameOrdered(lastzero(tmp_path)),
        "source",
        ANY_ERROR,
        Channel(came.append, lambda: None, lambda: next(messages)),
        hooks=Hooks(poll=lambda _: limit),
        keeps=lambda: (),
    )
    outcome = worker.run(begins=True)
    assert outcome is not None
    assert (outcome.exhausted, outcome.stopped) == (False, limit)
    assert any(Limited(limit) in batch.messages for batch in came if isinstance(batch, Batch))


@pytest.mark.parametrize("algorithm", ["source", "optimal"])
def test_any_number_of_workers_goes_on(algorithm: str, tmp_path: Path) -> None:
    its = lastzero(tmp_path)
    for seed in range(4):
        run, n = resumed(its, algorithm, seed, PROPERTIES["no-deadlock"], death=0.005)
        assert n > 1
        assert run.done.complete == len(set(run.classes)) == len(run.classes) == 12
        assert algorithm == "source" or run.done.sleep_set_blocked == 0


def test_choices_that_were_handed_over_are_kept(tmp_path: Path) -> None:
    its = choices(tmp_path)
    for seed in range(3):
        run, n = resumed(its, "optimal", seed, PROPERTIES["no-deadlock"])
        assert n > 1
        assert run.done.complete == len(set(run.classes)) == 43


def test_messages_under_way_belong_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What all know is asked for while messages are under way: they are lost."""

    def hasty(self: Hub) -> None:
        if not self.over and self._halting and not self._telling:
            self._telling = True
            for worker in range(len(self._workers)):
                self._tell(worker, Tell(self._halts))

    monkeypatch.setattr(Hub, "_ask", hasty)
    its = lastzero(tmp_path)
    runs = [resumed(its, "optimal", seed, PROPERTIES["no-deadlock"])[0] for seed in range(8)]
    assert any(len(set(run.classes)) < 12 for run in runs)


def test_nothing_is_kept_before_somebody_has_the_tree() -> None:
    """A search that goes on from there would explore nothing."""
    hub = Hub(2, lambda worker, message: None, present=())
    hub.arrives(1)
    assert not hub.halt()
    hub.take(1, Batch(0, (), (Halted(1, 0, 0),)))
    assert hub.frontier() is None
    hub.arrives(FIRST)
    assert hub.halt()


def compare(drawn: Program, algorithm: str, seed: int, death: float) -> None:
    found = alone(drawn, PLAIN.get(algorithm, algorithm))
    run, _ = resumed(drawn, algorithm, seed, ANY_ERROR, 0.01, death)
    agrees(algorithm, found, run, algorithm)


@pytest.mark.parametrize("algorithm", SHARED)
@settings(max_examples=EXAMPLES, deadline=None)
@given(programs(CERTAIN), st.integers(0, 1 << 16), st.sampled_from([0.0, 0.002]))
def test_every_class_once(algorithm: str, drawn: Program, seed: int, death: float) -> None:
    compare(drawn, algorithm, seed, death)


@pytest.mark.parametrize("algorithm", SHARED)
@settings(max_examples=EXAMPLES, deadline=None)
@given(programs(ANYTHING), st.integers(0, 1 << 16), st.sampled_from([0.0, 0.002]))
def test_with_choices_every_class(algorithm: str, drawn: Program, seed: int, death: float) -> None:
    compare(drawn, algorithm, seed, death)
    if STATELESS[algorithm].preserves.includes(Preserved.TRACES):
        found = alone(drawn, algorithm)
        run, _ = resumed(drawn, algorithm, seed, ANY_ERROR, 0.01, most=1)
        assert (run.done, run.classes) == (found.statistics, found.classes)
