"""Random programs: searchers that share stored states find what one search finds, in the same
states, under any timing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from abpress.config import Config
from abpress.engines.order import InOrder
from abpress.ir.program import Program
from abpress.ir.text import format_program
from abpress.properties import Preserved
from abpress.reductions.static.s_por import SPor
from abpress.reductions.table import STATIC
from abpress.result import Soundness
from abpress.search import levels
from abpress.search.levels import LevelSearch, WholePaths
from abpress.search.limits import StopReason
from abpress.search.stateful import explore
from abpress.search.statistics import Statistics
from abpress.semantics.interpreter import Interpreter
from abpress.verify.load import load
from abpress.witness.replay import follow
from tests.parallel.level_schedule import LevelSchedule
from tests.reductions.toy import Toy, ToyState, busy_toys, enumerate_all, toys
from tests.sampling import examples
from tests.strategies.ir_programs import Features, programs
from tests.strategies.questions import ANY_ERROR

EXAMPLES = examples(6, whole=10)

MOST_STATES = 2_000
"""Larger programs are not compared."""

PETERSON = Path(__file__).parent.parent.parent / "benchmarks/svcomp/pthread-atomic/peterson_safe.c"

ENDING = Features(unbounded_loops=False)
"""Programs whose states lie on no cycle."""


def system_of(program: Program) -> Interpreter:
    return InOrder(program, Config.of(Path()), Soundness(), by_name=True)


def numbers(statistics: Statistics) -> dict[str, object]:
    """What does not depend on the order of a search."""
    return {name: n for name, n in statistics.as_dict().items() if name != "max_depth"}


def few(statistics: Statistics) -> StopReason | None:
    return StopReason("states", "") if statistics.states > MOST_STATES else None


@dataclass(frozen=True)
class Met:
    """What searchers meet together."""

    numbers: dict[str, object]
    findings: frozenset[object]


def together(program: Program, por: str, workers: int, seed: int) -> Met:
    """What workers meet under a timing; their executions can be replayed."""
    with patch.object(levels, "POLL_INTERVAL", 1):
        schedule = LevelSchedule(
            lambda: system_of(program), STATIC[por].make, ANY_ERROR, workers, seed
        )
        schedule.run()
    done = Statistics(states=1)
    for outcome in schedule.outcomes.values():
        assert outcome.exhausted
        done.add(outcome.statistics)
    system = system_of(program)
    for name in schedule.hub.names.since(0):
        system.context.meet(name)
    paths = WholePaths(system, [schedule.ways[n] for n in range(workers)])
    found = [paths.whole(f) for outcome in schedule.outcomes.values() for f in outcome.found]
    assert all(follow(system, its.schedule, its.finding) for its in found)
    return Met(numbers(done), frozenset(its.finding.key for its in found))


@pytest.mark.parametrize("workers", [2, 3])
@pytest.mark.parametrize("por", STATIC)
@settings(max_examples=EXAMPLES, derandomize=True, deadline=None, database=None)
@given(program=programs(ENDING), seed=st.integers(0, 1000))
def test_workers_explore_the_states_of_one_search(
    por: str, workers: int, program: Program, seed: int
) -> None:
    system = system_of(program)
    one = explore(system, STATIC[por].make(system), ANY_ERROR, poll=few, keep_going=True)
    assume(one.exhausted)
    met = together(program, por, workers, seed)
    shown = f"{por}, {workers} workers, seed {seed}\n{format_program(program)}"
    assert met.numbers == numbers(one.statistics), shown
    assert met.findings == {f.finding.key for f in one.found}, shown


@pytest.mark.parametrize("por", STATIC)
@settings(max_examples=EXAMPLES, derandomize=True, deadline=None, database=None)
@given(program=programs(), seed=st.integers(0, 1000))
def test_programs_that_may_run_for_ever(por: str, program: Program, seed: int) -> None:
    """The numbers do not depend on workers and timing; what is found is what there is."""
    system = system_of(program)
    every = explore(system, STATIC["none"].make(system), ANY_ERROR, poll=few, keep_going=True)
    assume(every.exhausted)
    two, three = together(program, por, 2, seed), together(program, por, 3, seed + 1)
    shown = f"{por}, seed {seed}\n{format_program(program)}"
    assert two == three, shown
    if STATIC[por].keeps(Preserved.FINAL_STATES):
        assert two.findings == {f.finding.key for f in every.found}, shown
    states = two.numbers["states"]
    assert isinstance(states, int) and states <= every.statistics.states, shown


def test_a_state_has_one_owner() -> None:
    """NOTE(common-levels): else it is stored, and counted, by several."""
    program = load(Config.of(PETERSON)).program
    right = together(program, "none", 2, 0)
    turns = count()
    with patch.object(levels, "owner", lambda _, searchers: next(turns) % searchers):
        wrong = together(program, "none", 2, 0)
    one, two = (met.numbers["states"] for met in (right, wrong))
    assert isinstance(one, int) and isinstance(two, int) and one < two


class LeveledToy(Toy):
    """A toy with what searchers ask of an interpreter."""

    views = SimpleNamespace(thread_name=str)

    def advances(self, state: ToyState, thread: int, after: ToyState) -> bool:
        """Only where a location is the greater."""
        return after.locations[thread] > state.locations[thread] or after.ended

    def admit(self, state: ToyState) -> ToyState:
        return state


@pytest.mark.parametrize("make", [toys, busy_toys])
@settings(max_examples=examples(80, whole=200), derandomize=True, deadline=None, database=None)
@given(data=st.data())
def test_systems_with_cycles(
    make: Callable[[], st.SearchStrategy[Toy]], data: st.DataObject
) -> None:
    drawn = data.draw(make())
    toy: Any = LeveledToy(drawn.code, drawn.variables, drawn.order)
    truth, ends = enumerate_all(toy), set()
    search = LevelSearch(
        toy, SPor(toy), ANY_ERROR, None, lambda arrival, end: ends.add((arrival.successor, end))
    )
    while search.width:
        search.expand()
    found = search.found().found
    assert {f.finding.key for f in found if f.finding.of_step} == truth.errors
    assert ends == truth.ends
    assert search.statistics.states <= len(truth.states)
