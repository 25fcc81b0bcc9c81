"""Minimised traces: the same violation, never more switches, the fewest where that is known."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from abpress.errors import NOWHERE
from abpress.properties import PROPERTIES
from abpress.properties.finding import Deadlock, Finding, Reached
from abpress.reductions.table import STATIC
from abpress.relations.conflict import past, predecessors
from abpress.search.stateful import explore
from abpress.semantics.outcome import Violation
from abpress.witness.minimise import (
    LARGE_CELLS,
    SEARCH_BUDGET,
    context_switches,
    minimise,
    search_by_switches,
)
from abpress.witness.reordering import reorderings
from abpress.witness.replay import follow, passed, replay
from tests.reductions.toy import Accessed, Edge, Toy, ToyState, ToyStep, toys
from tests.sampling import examples

UNREACH, DEADLOCK = PROPERTIES["unreach-call"], PROPERTIES["no-deadlock"]


def fewest_switches(toy: Toy, finding: Finding) -> int:
    """Relaxation until nothing changes: the oracle."""
    best = {(toy.initial(), None): 0}
    found = []
    queue = list(best)
    while queue:
        state, last = queue.pop()
        cost = best[state, last]
        if finding.is_shown_by(toy, state):
            found.append(cost)
        for t in toy.threads(state):
            now = cost + (last is not None and t != last)
            for step in toy.steps(state, t):
                if step.violation is not None:
                    if finding.key == step.violation:
                        found.append(now)
                elif now < best.get((step.successor, t), 1_000_000):
                    best[step.successor, t] = now
                    queue.append((step.successor, t))
    return min(found)


@settings(max_examples=examples(160, whole=400), derandomize=True, deadline=None, database=None)
@given(toy=toys())
def test_minimised_on_random_systems(toy: Toy) -> None:
    for property in (UNREACH, DEADLOCK):
        reduction = STATIC["s-por"].make(toy)
        for found in explore(toy, reduction, property, keep_going=True).found:
            finding = found.finding
            replay(toy, found.schedule, finding)
            cheap = minimise(toy, found.schedule, finding, budget=0)
            best = minimise(toy, found.schedule, finding)
            for schedule in (cheap, best):
                assert follow(toy, schedule, finding) is not None
                assert context_switches(schedule) <= context_switches(found.schedule)
            assert context_switches(best) == fewest_switches(toy, finding)
            assert minimise(toy, found.schedule, finding) == best


class Wide(Toy):
    """Many states are reached without a context switch. Mutable: counts how often it is asked."""

    asked = 0

    def steps(self, state: ToyState, thread: int) -> tuple[ToyStep, ...]:
        type(self).asked += 1
        return super().steps(state, thread)


@pytest.mark.parametrize("enough", [100, 600])  # without a switch, and among the first switches
def test_the_search_by_switches_looks_at_its_limits(enough: int) -> None:
    many = tuple(Edge("write", 1, 0, i) for i in range(500))
    toy = Wide(((many, ()), ((Edge("write", 1, 1, 1),), ())))
    never = Reached(Violation("unreach-call", "never", NOWHERE, 0))
    Wide.asked = 0
    assert search_by_switches(toy, never, 9, 10**6, lambda: Wide.asked > enough) is None
    assert Wide.asked <= enough + 2


def test_large_states_count_for_many_steps() -> None:
    many = tuple(Edge("write", 1, 0, i) for i in range(500))
    toy = Wide(((many, ()), ((Edge("write", 1, 1, 1),), ())))
    never = Reached(Violation("unreach-call", "never", NOWHERE, 0))
    asked = []
    for cells in (0, LARGE_CELLS - 1, LARGE_CELLS):
        Wide.asked = 0
        search_by_switches(toy, never, 9, 700, lambda: False, lambda _, n=cells: n)  # type: ignore[misc]
        asked.append(Wide.asked)
    assert asked[0] == asked[1] > asked[2]


def test_the_work_of_long_executions_is_bounded() -> None:
    """100 threads, of which two matter: that is found at once, and no search takes too long."""
    moved, count = Edge("write", 1, 0, 0), 100
    wins = (((Edge("write", 1, 1, 1)),), ())
    fails = ((Edge("await", 1, 1, 1),), (Edge("fail"),))
    toy = Wide((*(((moved,), ()) for _ in range(count)), wins, fails))
    schedule = tuple((t, (0,)) for t in (*range(count), count, count + 1, count + 1))
    finding = Reached(Violation("unreach-call", f"{count + 1}:1:0", NOWHERE, count + 1))
    Wide.asked = 0
    best = minimise(toy, schedule, finding)
    assert best == schedule[-3:]
    # It is replayed, asked what it accesses, and searched for within the budget.
    assert Wide.asked < 5 * len(schedule) + SEARCH_BUDGET


def test_reorderings_stop_when_they_have_looked_long_enough() -> None:
    threads = [t for t in range(40) for _ in range(5)]
    assert len(reorderings(threads, [set() for _ in threads])) == 80
    assert len(reorderings(threads, [set() for _ in threads], 20_000)) < 10


def test_what_is_read_later_does_not_matter() -> None:
    """Thread 1 reads what thread 2 writes later, and is left out; with a lock between them it
    happens before, and thread 2 could do without it."""
    read = Edge("await", 1, 0, 0)
    toy = Toy((((read,), ()), ((Edge("write", 1, 0, 1),), (Edge("fail"),))))
    schedule = ((0, (0,)), (1, (0,)), (1, (0,)))
    finding = Reached(Violation("unreach-call", "1:1:0", NOWHERE, 1))
    assert minimise(toy, schedule, finding, budget=0) == schedule[1:]
    takes = Edge("await", 1, 0, 0, (0, 1))
    frees = Edge("write", 2, 0, 0)
    toy = Toy((((takes,), (frees,), ()), ((takes,), (Edge("fail"),))))
    schedule = ((0, (0,)), (0, (0,)), (1, (0,)), (1, (0,)))
    assert minimise(toy, schedule, finding, budget=0) == schedule[2:]


def test_replay_refuses_what_is_not_an_execution() -> None:
    toy = Toy((((Edge("await", 1, 0, 1),), (Edge("fail"),)), ((Edge("write", 1, 0, 1),), ())))
    (found,) = explore(toy, STATIC["none"].make(toy), UNREACH).found
    finding = found.finding
    first, *rest = found.schedule
    wrong = [
        ((), "too short"),
        (tuple(rest), "a step that waits"),
        ((*found.schedule, first), "goes on after the violation"),
        (((5, (0,)),), "no such thread"),
        (((1, (7,)), *rest), "no such choice"),
        ((first,), "stops before the violation"),
    ]
    states = [state for state, _ in passed(toy, found.schedule)]
    assert states[0] == toy.initial() and len(states) == len(found.schedule)
    assert replay(toy, found.schedule, finding) == found.path[-1].successor
    for schedule, why in wrong:
        assert follow(toy, schedule, finding) is None, why
        with pytest.raises(AssertionError, match="internal error: replay"):
            replay(toy, schedule, finding)
    other = Reached(Violation("unreach-call", "another message", NOWHERE, 0))
    assert follow(toy, found.schedule, other) is None
    assert follow(toy, found.schedule, Deadlock(())) is None
    with pytest.raises(AssertionError, match="internal error: replay"):
        minimise(toy, found.schedule, other)


def test_happens_before_and_its_linearisations() -> None:
    def access(reads: str = "", writes: str = "") -> Accessed:
        return Accessed(frozenset(reads), frozenset(writes))

    # Threads 1 and 2 alternate on x and y, and meet once: thread 2 reads what thread 1 wrote.
    threads = [1, 2, 1, 2, 1, 2]
    accesses = [access("", "x"), access("", "y"), access("", "x")]
    accesses += [access("x", "y"), access("", "z"), access("", "y")]
    before = predecessors(threads, accesses)
    assert before == [set(), set(), {0}, {1, 2}, {2}, {3}]
    assert past(before, 3) == [0, 1, 2, 3]
    orders = reorderings(threads, before)
    assert [0, 2, 4, 1, 3, 5] in orders
    for order in orders:
        assert sorted(order) == list(range(6))
        assert all(order.index(j) < order.index(i) for i in range(6) for j in before[i])


def test_readers_are_before_the_next_writer() -> None:
    read, write = Accessed(frozenset("x"), frozenset()), Accessed(frozenset(), frozenset("x"))
    assert predecessors([1, 2, 3, 4], [read, read, write, read]) == [set(), set(), {0, 1}, {2}]
