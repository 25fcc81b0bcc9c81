"""Minimisation: the same violation by an execution with fewer context switches.

Three cheap methods, one after the other; whatever they find is replayed before it counts:

- what does not happen before the violation is dropped;
- the remaining steps are reordered within happens-before (`abpress.witness.reordering`);
- a search by number of context switches (as in [ContextBounding07]: all executions with none, with
  one, …) looks for a better execution, within a budget of steps.

All is deterministic and bounded by work done; a time limit only ends it early.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Protocol

from abpress.properties.finding import Finding
from abpress.relations.conflict import Keys, past, predecessors
from abpress.search.ledger import Schedule
from abpress.semantics.protocols import Replayable, S, TransitionSystem
from abpress.witness.reordering import reorderings
from abpress.witness.replay import follow, replay

SEARCH_BUDGET = 50_000
"""Steps that the search by context switches may take."""

REORDER_LIMIT = 5_000
"""Steps of an execution up to which it is reordered."""


class ObservableSystem(Replayable[S], Protocol[S]):
    """A transition system that also tells what a step accesses."""

    def accessed(self, state: S, thread: int, choices: tuple[int, ...], /) -> Keys:
        """What the step of the thread with these choices reads and writes."""


def context_switches(schedule: Schedule) -> int:
    """How often the next step is one of another thread."""
    return sum(a[0] != b[0] for a, b in pairwise(schedule))


def minimise(
    system: ObservableSystem[S],
    schedule: Schedule,
    finding: Finding,
    budget: int = SEARCH_BUDGET,
    expired: Callable[[], bool] = lambda: False,
) -> Schedule:
    """A schedule that reaches the same finding with at most as many switches.

    `expired` says that there is no time left: then the best so far has to do. Raises AssertionError
    if `schedule` itself does not reach it.
    """
    replay(system, schedule, finding)
    if expired():
        return schedule
    best = _better(system, schedule, finding)
    most = context_switches(best)
    found = search_by_switches(system, finding, most, budget, expired)
    if found is not None and not expired() and follow(system, found, finding) is not None:
        best = min(best, _better(system, found, finding), key=_cost)
    return best


def _better(system: ObservableSystem[S], schedule: Schedule, finding: Finding) -> Schedule:
    """The best of the schedule and of its candidates that lead to the finding."""
    best = schedule
    for candidate in _candidates(system, schedule, finding):
        if _cost(candidate) < _cost(best) and follow(system, candidate, finding) is not None:
            best = candidate
    return best


def _cost(schedule: Schedule) -> tuple[int, int]:
    return context_switches(schedule), len(schedule)


def _candidates(
    system: ObservableSystem[S], schedule: Schedule, finding: Finding
) -> Iterator[Schedule]:
    """The schedule without what does not matter, and reorderings of it."""
    if not schedule:
        return
    states = replay(system, schedule, finding)
    steps = [
        system.accessed(state, thread, choices)
        for state, (thread, choices) in zip(states, schedule, strict=False)
    ]
    before = predecessors([thread for thread, _ in schedule], steps)
    if finding.of_step:
        kept = past(before, len(schedule) - 1)
        schedule = tuple(schedule[i] for i in kept)
        yield schedule
        rank = {i: n for n, i in enumerate(kept)}
        before = [{rank[j] for j in before[i]} for i in kept]
    if len(schedule) <= REORDER_LIMIT:
        for order in reorderings([thread for thread, _ in schedule], before):
            yield tuple(schedule[i] for i in order)


Node = tuple[S, int]
"""A state, and the thread that moved last."""


def search_by_switches(
    system: TransitionSystem[S],
    finding: Finding,
    most: int,
    budget: int,
    expired: Callable[[], bool],
) -> Schedule | None:
    """An execution to the finding with the fewest context switches, if at most `most`.

    None if there is none, or `budget` steps do not suffice to find it.
    """
    initial = system.initial()
    origin: dict[Node[S], tuple[Node[S] | None, tuple[int, ...]]] = {}

    def schedule(node: Node[S] | None, *last: tuple[int, tuple[int, ...]]) -> Schedule:
        steps = list(last)
        while node is not None:
            before, choices = origin[node]
            steps.append((node[1], choices))
            node = before
        return tuple(reversed(steps))

    level: list[Node[S]] = []  # everything reached with the current number of switches

    def move(node: Node[S] | None, state: S, thread: int) -> Schedule | None:
        """Takes all steps of a thread; the schedule if one of them commits it."""
        nonlocal budget
        for step in system.steps(state, thread):
            budget -= 1
            if step.violation is not None:
                if finding.is_committed_by(step):
                    return schedule(node, (thread, step.choices))
                continue
            reached = (step.successor, thread)
            if reached not in origin:
                origin[reached] = node, step.choices
                level.append(reached)
        return None

    for thread in system.threads(initial):
        if (found := move(None, initial, thread)) is not None:
            return found
    for switches in range(most + 1):
        if switches:
            previous, level = level, []
            for node in previous:
                state, last = node
                for thread in system.threads(state):
                    if thread != last and (found := move(node, state, thread)) is not None:
                        return found
                if budget <= 0 or expired():
                    return None
        for node in level:  # grows while the loop runs
            state, thread = node
            if finding.is_shown_by(system, state):
                return schedule(node)
            if thread in system.threads(state):
                found = move(node, state, thread)
                if found is not None:
                    return found
            if budget <= 0 or expired():
                return None
    return None
