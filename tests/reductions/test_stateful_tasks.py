"""Atomic tasks that access what their values say: every dynamic reduction against enumeration."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from abpress.properties import PROPERTIES
from abpress.reductions.table import STATEFUL
from abpress.search.ledger import Exploration
from abpress.search.stateful import explore
from tests.reductions.task_systems import State, Tasks, finals, random_tasks
from tests.sampling import examples

SYSTEMS = examples(120, whole=300)
MOST_STATES = 1_000
"""Systems with more are not compared."""


@dataclass(frozen=True)
class StoredTasks(Tasks):
    """With what dynamic reductions ask besides. Of no step it is known what others will do."""

    def invisible(self, s: State, t: int) -> bool:
        return False

    confined = uncontended = invisible

    @property
    def foresight(self) -> StoredTasks:
        return self

    def creator(self, t: int) -> int:
        raise AssertionError(f"thread {t} was there from the beginning")

    def compound(self, s: State, t: int) -> bool:
        guard, operations = self.code[t - 1][s[0][t - 1]]
        return (
            guard is not None or len(operations) > 1 or operations[0][0] in ("if", "test", "copy")
        )

    def point(self, s: State, t: int) -> int:
        return s[0][t - 1]

    def may_come(self, s: State, t: int, point: int) -> bool:
        return s[0][t - 1] <= point


def explored(system: StoredTasks, name: str) -> tuple[set[State], Exploration]:
    ends: set[State] = set()
    outcome = explore(
        system,
        STATEFUL[name].make(system),
        PROPERTIES["unreach-call"],
        on_final=lambda state, _: ends.add(state),
    )
    return ends, outcome


def compare(number: int) -> bool:
    """Whether the system is small enough; that every algorithm meets what it says."""
    drawn = random_tasks(number)
    system = StoredTasks(drawn.code, drawn.order)
    truth = finals(system, MOST_STATES)
    if truth is None:
        return False
    for name in STATEFUL:
        ends, _ = explored(system, name)
        assert ends == truth, f"{name} of {system.code} in the order {system.order}"
    return True


def test_algorithms_meet_all_final_states() -> None:
    compared = sum(map(compare, range(SYSTEMS)))
    assert compared > SYSTEMS * 2 // 3


@pytest.mark.parametrize("name", STATEFUL)
def test_no_order_of_threads_is_special(name: str) -> None:
    system = random_tasks(7)
    both = [StoredTasks(system.code, order) for order in (system.order, system.order[::-1])]
    assert explored(both[0], name)[0] == explored(both[1], name)[0]
