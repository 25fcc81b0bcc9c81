"""Every reduction of the table against a dumb search, and the rules that make them sound."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from abpress.properties import PROPERTIES, Preserved, Property
from abpress.properties.ends import End
from abpress.reductions.entry import ReductionEntry
from abpress.reductions.static.s_por import SPor
from abpress.reductions.table import STATIC
from abpress.search.stateful import explore
from tests.reductions.toy import Edge, Toy, enumerate_all, outcomes, toys
from tests.sampling import examples

UNREACH, DEADLOCK = PROPERTIES["unreach-call"], PROPERTIES["no-deadlock"]
EVERY = pytest.mark.parametrize("info", STATIC.values(), ids=STATIC.keys())

SPIN = ((Edge("local", 0),),)
FAIL = ((Edge("fail"),),)
LOOP = ((Edge("local", 1),), (Edge("local", 0),))


def run(info: ReductionEntry, toy: Toy, property: Property = UNREACH):
    ends = set()
    result = explore(
        toy, info.make(toy), property, keep_going=True, on_final=lambda s, e: ends.add((s, e))
    )
    assert result.exhausted
    errors = frozenset(f.finding.key for f in result.found)
    return result.statistics, errors, frozenset(ends)


@EVERY
@settings(max_examples=examples(100, whole=600), derandomize=True, deadline=None, database=None)
@given(toy=toys())
def test_agrees_with_the_dumb_search(info: ReductionEntry, toy: Toy) -> None:
    truth = enumerate_all(toy)
    statistics, errors, ends = run(info, toy)
    assert errors <= truth.errors
    assert ends <= truth.ends
    assert statistics.states <= len(truth.states)
    if info.preserves.includes(Preserved.VIOLATIONS):
        assert errors == truth.errors
    if info.preserves.includes(Preserved.FINAL_STATES):
        assert ends == truth.ends
    if info.preserves.includes(Preserved.OUTCOMES):
        assert outcomes(ends) == outcomes(truth.ends)
    if info.preserves.includes(Preserved.DEADLOCKS):
        deadlock = any(end is End.DEADLOCK for _, end in truth.ends)
        assert bool(explore(toy, info.make(toy), DEADLOCK).found) == deadlock
    assert bool(explore(toy, info.make(toy), UNREACH).found) == bool(truth.errors)


class Careless(SPor):
    """S-POR without the proviso of NOTE(ignoring)."""

    def expand(self, state, visited):
        return super().expand(state, replace(visited, on_stack=lambda _: False))


@pytest.mark.parametrize("loop", [SPIN, LOOP])
@EVERY
def test_ignoring_problem(info: ReductionEntry, loop: tuple[tuple[Edge, ...], ...]) -> None:
    toy = Toy((loop, FAIL))
    assert explore(toy, info.make(toy), UNREACH).found
    assert not explore(toy, Careless(toy), UNREACH).found, "the program does not test the proviso"


@EVERY
def test_a_waiting_thread_does_not_hide_the_others(info: ReductionEntry) -> None:
    """An execution that is cut off inside an invisible step leaves the other threads alone."""
    toy = Toy((((Edge("cut"),),), FAIL))
    assert explore(toy, info.make(toy), UNREACH).found


@EVERY
def test_a_failing_thread_does_not_hide_the_others(info: ReductionEntry) -> None:
    toy = Toy((((Edge("local-fail"),),), FAIL))
    _, errors, _ = run(info, toy)
    assert len(errors) == 2


@EVERY
def test_a_branching_thread_is_explored_in_all_its_branches(info: ReductionEntry) -> None:
    branch = (
        (Edge("local", 1), Edge("local", 2)),
        (Edge("finish"),),
        (Edge("write", 3, 0, 1),),
        (Edge("finish"),),
    )
    toy = Toy((branch, ((Edge("await", 1, 0, 1),), (Edge("fail"),))))
    assert explore(toy, info.make(toy), UNREACH).found


@EVERY
def test_exit_does_not_hide_errors_of_threads_that_main_outlives(info: ReductionEntry) -> None:
    toy = Toy((((Edge("exit"),),), ((Edge("local", 1),), (Edge("fail"),))))
    assert explore(toy, info.make(toy), UNREACH).found


def test_s_por_counts() -> None:
    """n threads with k invisible steps each, then one visible: a chain, then the cube."""
    line = (
        *((Edge("local", i + 1),) for i in range(5)),
        (Edge("write", 6, 0, 1),),
        (Edge("finish"),),
    )
    states = {}
    for name, info in STATIC.items():
        counts = set()
        for order in ((0, 1, 2), (2, 1, 0), (1, 0, 2)):
            toy = Toy((line,) * 3, 1, order)
            counts.add(explore(toy, info.make(toy), UNREACH).statistics.states)
        assert len(counts) == 1, "the number of states depends on the order of equal threads"
        states[name] = counts.pop()
    # Of 8**3 combinations of locations, those where no thread has written have another memory,
    # but no combination occurs with two memories.
    assert states["none"] == 8**3
    # One thread after the other runs up to its write; then each is before, after it, or finished.
    assert states["s-por"] == 15 + 3**3
