"""Atomic tasks that access what their values say: every stateless algorithm against enumeration."""

from __future__ import annotations

import pytest

from abpress.properties import PROPERTIES, Preserved
from abpress.reductions.stateless.algorithm import StatelessAlgorithm
from abpress.reductions.stateless.node import ExecutionNode
from abpress.reductions.stateless.races import HappensBeforeRaces, MetRaces
from abpress.reductions.stateless.source import SourceSets
from abpress.reductions.table import STATELESS
from abpress.search.bounds import ExecutionBounds
from abpress.search.limits import StopReason
from abpress.search.stateless import Hooks, explore_executions
from abpress.search.statistics import ExecutionStatistics
from tests.reductions.task_systems import State, Tasks, finals, random_tasks
from tests.sampling import examples

SYSTEMS = examples(50, whole=300)
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
        STATELESS[name].make(),
        PROPERTIES["unreach-call"],
        bounds=ExecutionBounds(awaits=False),
        hooks=Hooks(poll, lambda state, _: ends.add(state)),
    )
    return (ends, outcome.statistics) if outcome.exhausted else None


def assert_met(name: str, met: set[State], truth: set[State], system: Tasks) -> None:
    """All final states, or at least all that threads have got to and have in their registers."""
    assert met <= truth, f"{name} of {system}"
    if not STATELESS[name].preserves.includes(Preserved.FINAL_STATES):
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
    for name in STATELESS:
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


LOST: dict[str, Tasks] = {
    "late read": Tasks(
        (
            ((None, (("set", 1, 1),)),),
            ((None, (("if", 1, 0, (("load", 0),), ()),)),),
            ((None, (("load", 2),)),),
            ((None, (("set", 0, 1),)),),
        ),
        (1, 2, 3, 4),
    ),
    "a reader whose access depends on a flag, source": Tasks(
        (
            ((None, (("copy", 0, 2),)),),
            ((None, (("if", 3, 0, (("add", 2, 2),), ()),)),),
            ((None, (("add", 3, 2),)),),
            ((None, (("set", 1, 2),)), ((3, 0), (("set", 1, 2),))),
        ),
        (3, 2, 4, 1),
    ),
    "races beyond": Tasks(
        (
            ((None, (("if", 2, 1, (("set", 1, 0),), ()),)),),
            ((None, (("load", 1), ("add", 0, 1))),),
            ((None, (("set", 1, 1), ("store", 2))),),
            ((None, (("if", 0, 0, (("copy", 2, 1),), ()),)),),
        ),
        (1, 2, 3, 4),
    ),
    "refused initials": Tasks(
        (
            (
                (
                    None,
                    (
                        (
                            "if",
                            1,
                            1,
                            (("add", 0, 2),),
                            (("if", 0, 1, (("add", 1, 1), ("load", 0)), ()),),
                        ),
                    ),
                ),
            ),
            (
                (
                    None,
                    (
                        (
                            "if",
                            0,
                            1,
                            (("if", 1, 1, (("set", 0, 2), ("load", 1)), (("load", 1),)),),
                            (),
                        ),
                    ),
                ),
            ),
            ((None, (("if", 1, 0, (), (("if", 0, 0, (("add", 0, 2),), (("add", 1, 2),)),)),)),),
            ((None, (("add", 0, 2),)), (None, (("add", 1, 1), ("if", 1, 0, (), (("set", 1, 2),))))),
        ),
        (1, 2, 4, 3),
    ),
    "refused branches": Tasks(
        (
            ((None, (("add", 0, 2), ("copy", 1, 1))),),
            ((None, (("add", 1, 1),)), (None, (("set", 0, 1),))),
            ((None, (("set", 0, 0),)),),
            ((None, (("copy", 1, 0), ("load", 0))),),
        ),
        (1, 3, 2, 4),
    ),
    "refused leaves": Tasks(
        (
            ((None, (("set", 0, 2), ("add", 2, 1))),),
            ((None, (("set", 2, 2),)),),
            ((None, (("load", 0),)),),
            (
                (
                    None,
                    (
                        ("if", 0, 1, (), (("copy", 2, 0),)),
                        ("if", 2, 0, (("set", 1, 1),), ()),
                        ("add", 2, 2),
                    ),
                ),
            ),
        ),
        (1, 2, 3, 4),
    ),
    "weak initials": Tasks(
        (
            ((None, (("set", 2, 1),)),),
            (((1, 0), (("set", 1, 1),)),),
            ((None, (("copy", 3, 2),)),),
            ((None, (("load", 3),)), (None, (("copy", 1, 2),))),
        ),
        (1, 2, 3, 4),
    ),
    "registers": Tasks(
        (
            ((None, (("load", 1),)), (None, (("load", 2),))),
            ((None, (("set", 2, 2),)), (None, (("set", 0, 1),))),
            (
                (None, (("load", 0),)),
                (
                    None,
                    (
                        (
                            "test",
                            1,
                            (("if", 2, 0, (("copy", 0, 0), ("store", 2)), ()),),
                            (("set", 1, 0),),
                        ),
                    ),
                ),
            ),
        ),
        (3, 2, 1),
    ),
    "free choice": Tasks(
        (
            ((None, (("set", 0, 1),)),),
            ((None, (("store", 1),)), (None, (("if", 0, 0, (("load", 1),), (("set", 1, 0),)),))),
            ((None, (("set", 0, 2),)), (None, (("if", 0, 0, (), ()),))),
            ((None, (("add", 1, 2),)), (None, (("set", 1, 0),))),
        ),
        (4, 1, 3, 2),
    ),
    "a difference that is undone": Tasks(
        (
            ((None, (("copy", 1, 0),)), (None, (("set", 1, 0),))),
            ((None, (("set", 0, 1),)),),
            ((None, (("load", 1),)),),
        ),
        (1, 2, 3),
    ),
    "waiting beyond": Tasks(
        (
            (
                (None, (("set", 0, 1),)),
                (None, (("add", 0, 2),)),
                (
                    None,
                    (
                        ("if", 0, 1, (), (("store", 0),)),
                        ("if", 0, 0, (("set", 0, 2), ("load", 0)), ()),
                        ("add", 0, 2),
                    ),
                ),
            ),
            (((0, 0), (("set", 0, 2),)),),
            ((None, (("store", 0),)), ((0, 1), (("add", 0, 1), ("add", 0, 1)))),
        ),
        (3, 1, 2),
    ),
    "asleep when met again": Tasks(
        (
            ((None, (("set", 0, 0),)),),
            ((None, (("load", 1),)),),
            (((0, 0), (("set", 0, 1),)),),
            (((0, 0), ()),),
            ((None, (("if", 0, 0, (("set", 1, 1), ("set", 0, 2)), ()),)),),
        ),
        (5, 1, 4, 3, 2),
    ),
}
"""Systems of which published rules lose final states: those of source-DPOR and optimal DPOR without
NOTE(whole-executions), of both with don't-do sequences, NOTE(dont-do), of persistent sets without
NOTE(sleeping-choice); and searches that remember states, without NOTE(waiting-beyond) and
NOTE(asleep)."""


@pytest.mark.parametrize("name", STATELESS)
@pytest.mark.parametrize("system", LOST.values(), ids=LOST)
def test_final_states_that_were_lost(name: str, system: Tasks) -> None:
    found = explored(system, name)
    assert found is not None
    truth = finals(system, MOST_STATES)
    assert truth is not None
    assert_met(name, found[0], truth, system)


@pytest.mark.parametrize("name", ["context-sensitive", "optimal-context-sensitive"])
@pytest.mark.parametrize("pairs", [1, 2])
def test_tasks_that_commute_are_explored_in_one_order(name: str, pairs: int) -> None:
    code = tuple(((None, (("add", t // 2, 1),)),) for t in range(2 * pairs))
    for order in (tuple(range(1, 2 * pairs + 1)), tuple(range(2 * pairs, 0, -1))):
        found = explored(Tasks(code, order), name)
        assert found is not None
        assert found[1].complete == 1


def test_steps_commute_in_some_contexts_only() -> None:
    """The example of [ContextSensitive19]: q and r commute after p, and nowhere else."""
    p, q, r = (((None, operations),) for operations in (
        (("set", 0, 1),),
        (("set", 0, 2),),
        (("if", 0, 0, (), (("load", 1),)),),
    ))  # fmt: skip
    counts = {}
    for name in ("optimal", "context-sensitive", "optimal-context-sensitive"):
        found = explored(Tasks((p, q, r), (1, 2, 3)), name)
        assert found is not None
        counts[name] = found[1].complete
    assert counts["optimal"] == 6
    assert counts["context-sensitive"] == counts["optimal-context-sensitive"] < 6


class RacesAtOnce(HappensBeforeRaces):
    """All races when the later event is met: without the condition of NOTE(races-met)."""

    def met(self, node: ExecutionNode, thread: int) -> None:
        self._reverse(thread, node.races)
        node.races = []


def test_races_are_reversed_when_they_are_met_only_if_no_more_is_accessed_then() -> None:
    """The second thread writes 2 only if the first one has not written 1. The third one reads 2
    after the race of the two is met, and before it does not matter, so one class is lost."""
    code = (
        ((None, (("if", 0, 0, (("set", 1, 1),), ()),)),),
        ((None, (("if", 1, 0, (("set", 2, 1),), ()),)),),
        ((None, (("load", 2),)), (None, (("set", 0, 1),))),
    )
    system = Tasks(code, (1, 2, 3))
    complete = {}
    for races in (HappensBeforeRaces(), MetRaces(), RacesAtOnce()):
        outcome = explore_executions(
            system,
            StatelessAlgorithm(SourceSets(), races),
            PROPERTIES["unreach-call"],
            bounds=ExecutionBounds(awaits=False),
        )
        complete[type(races)] = outcome.statistics.complete
    assert complete == {HappensBeforeRaces: 5, MetRaces: 5, RacesAtOnce: 4}
