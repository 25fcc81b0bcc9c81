"""The exploration loop: counts, ends, stops."""

from __future__ import annotations

import pytest

from abpress.properties import PROPERTIES
from abpress.properties.ends import End
from abpress.reductions.entry import ReductionEntry
from abpress.reductions.table import STATIC
from abpress.search.ledger import POLL_INTERVAL
from abpress.search.limits import StopReason
from abpress.search.stateful import explore
from abpress.search.statistics import Statistics
from tests.reductions.toy import DONE, Edge, Toy, ToyState

UNREACH, DEADLOCK = PROPERTIES["unreach-call"], PROPERTIES["no-deadlock"]


def writer(value: int) -> tuple[tuple[Edge, ...], ...]:
    return ((Edge("write", 1, 0, value),), (Edge("finish"),))


def full(toy: Toy):
    return STATIC["none"].make(toy)


def test_counts_of_two_writers() -> None:
    toy = Toy((writer(0), writer(1)), 1)
    ends = []
    result = explore(toy, full(toy), UNREACH, on_final=lambda s, end: ends.append((s, end)))
    # Locations 3 x 3 with the value of the last writer: 9, and 4 more where both wrote.
    assert result.statistics.states == 13
    assert result.statistics.complete == result.statistics.executions == 2
    assert result.statistics.max_depth == 4
    assert result.exhausted
    assert result.stopped is None
    assert set(ends) == {(ToyState((DONE, DONE), (v,)), End.COMPLETE) for v in (0, 1)}


def test_first_violation_stops_and_has_its_path() -> None:
    toy = Toy((((Edge("write", 1, 0, 1),), (Edge("fail"),)), ((Edge("fail"),),)))
    result = explore(toy, full(toy), UNREACH)
    assert not result.exhausted
    assert [f.schedule for f in result.found] == [((0, (0,)), (0, (0,)))]
    everything = explore(toy, full(toy), UNREACH, keep_going=True)
    assert everything.exhausted
    assert {f.finding.message for f in everything.found} == {"0:1:0", "1:0:0"}


def test_fail_of_another_property_ends_the_execution() -> None:
    toy = Toy((((Edge("fail"),),),))
    result = explore(toy, full(toy), DEADLOCK)
    assert result.found == ()
    assert result.exhausted
    assert result.statistics.violating == 1


@pytest.mark.parametrize(
    ("op", "end"), [("await", End.DEADLOCK), ("assume", End.BLOCKED), ("cut", End.BLOCKED)]
)
def test_how_executions_end(op: str, end: End) -> None:
    toy = Toy((((Edge("await", 0, 0, 1),),), ((Edge(op, 0, 1, 1),),)))
    ends = []
    result = explore(toy, full(toy), DEADLOCK, on_final=lambda _, end: ends.append(end))
    assert [f.finding.message for f in result.found] == (
        ["deadlock"] if end is End.DEADLOCK else []
    )
    assert ends == [end]
    assert explore(toy, full(toy), UNREACH).found == ()


def test_exit_is_no_deadlock() -> None:
    toy = Toy((((Edge("await", 0, 0, 1),),), ((Edge("exit"),),)))
    result = explore(toy, full(toy), DEADLOCK)
    assert result.found == ()
    assert result.statistics.complete == 1


def test_polls_and_stops() -> None:
    length = 2 * POLL_INTERVAL + 10
    line = (*((Edge("local", i + 1),) for i in range(length)), (Edge("finish"),))
    toy = Toy((line,))
    seen = []

    def poll(statistics: Statistics) -> StopReason | None:
        seen.append(statistics.states)
        return StopReason("time", "enough") if len(seen) == 2 else None

    result = explore(toy, full(toy), UNREACH, poll=poll)
    assert seen == [POLL_INTERVAL, 2 * POLL_INTERVAL]
    assert result.stopped == StopReason("time", "enough")
    assert not result.exhausted
    assert result.statistics.steps == 2 * POLL_INTERVAL


def test_depth_is_not_limited_by_recursion() -> None:
    length = 50_000
    line = (*((Edge("local", i + 1),) for i in range(length)), (Edge("finish"),))
    for info in STATIC.values():
        result = explore(Toy((line,)), info.make(Toy((line,))), UNREACH)
        assert result.statistics.max_depth == length + 1


@pytest.mark.parametrize("info", STATIC.values(), ids=STATIC.keys())
def test_what_a_static_reduction_is_told_does_not_matter(info: ReductionEntry) -> None:
    toy = Toy((writer(0), writer(1), (((Edge("local", 0), Edge("fail"))),)))
    outcomes = []
    for told in (False, True):
        reduction = info.make(toy)
        reduction.asks_again = told
        result = explore(toy, reduction, UNREACH, keep_going=True)
        schedules = [found.schedule for found in result.found]
        outcomes.append((result.statistics, schedules, result.exhausted))
    assert outcomes[0] == outcomes[1]
