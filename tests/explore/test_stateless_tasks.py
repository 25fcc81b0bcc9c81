"""Atomic tasks that access what their values say: every stateless algorithm against enumeration."""

from __future__ import annotations

import os

import pytest

from abpress.explore.executions import ExecutionStatistics
from abpress.explore.limits import StopReason
from abpress.explore.loops import Bounds
from abpress.explore.stateless import Hooks, explore_executions
from abpress.por.stateless import ALGORITHMS
from abpress.properties import PROPERTIES
from tests.explore.task_systems import State, Tasks, finals, random_tasks

SYSTEMS = int(os.environ.get("ABPRESS_TASK_SYSTEMS", "300"))
MOST_STATES = 1_000
MOST_EVENTS = 3_000
"""Systems with more are not compared."""


def explored(
    system: Tasks, name: str, most: int | None = None
) -> tuple[set[State], ExecutionStatistics] | None:
    """The final states that an algorithm meets; None if there are too many events."""
    ends: set[State] = set()

    def poll(statistics: ExecutionStatistics) -> StopReason | None:
        return StopReason("events", "") if most and statistics.events > most else None

    outcome = explore_executions(
        system,
        ALGORITHMS[name].make(),
        PROPERTIES["unreach-call"],
        bounds=Bounds(awaits=False),
        hooks=Hooks(poll, lambda state, _: ends.add(state)),
    )
    return (ends, outcome.statistics) if outcome.exhausted else None


def assert_met(name: str, met: set[State], truth: set[State], system: Tasks) -> None:
    """All final states, or at least all that threads have got to and have in their registers."""
    assert met <= truth, f"{name} of {system}"
    if not ALGORITHMS[name].finals:
        met, truth = ({(tasks, registers, ()) for tasks, registers, _ in s} for s in (met, truth))
    assert met == truth, f"{name} of {system}"


def compare(system: Tasks) -> bool:
    """Whether the system is small enough; that every algorithm meets what it says."""
    truth = finals(system, MOST_STATES)
    if truth is None:
        return False
    optimal = explored(system, "optimal", MOST_EVENTS)
    if optimal is None:
        return False
    for name in ALGORITHMS:
        if name in ("none", "sleep"):
            continue
        found = explored(system, name)
        assert found is not None
        ends, statistics = found
        assert_met(name, ends, truth, system)
        complete = statistics.complete + statistics.deadlocked
        assert complete <= optimal[1].executions, f"{name} of {system}"
    return True


def test_algorithms_meet_all_final_states() -> None:
    compared = sum(compare(random_tasks(number)) for number in range(SYSTEMS))
    assert compared > SYSTEMS * 2 // 3


LATE_READ: Tasks = Tasks(
    (
        ((None, (("set", 1, 1),)),),
        ((None, (("if", 1, 0, (("load", 0),), ()),)),),
        ((None, (("load", 2),)),),
        ((None, (("set", 0, 1),)),),
    ),
    (1, 2, 3, 4),
)
"""What the second thread reads depends on whether the first one has written. With reversing
sequences that end with the race, optimal DPOR does not read the last thread's write."""


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("system", [LATE_READ], ids=["late read"])
def test_final_states_that_were_lost(name: str, system: Tasks) -> None:
    found = explored(system, name)
    assert found is not None
    truth = finals(system, MOST_STATES)
    assert truth is not None
    assert_met(name, found[0], truth, system)
