"""Minimisation: the same violation by an execution with fewer context switches.

Four cheap methods, one after the other; whatever they find is replayed before it counts:

- what the violation does not come from is dropped: steps that do not happen before it, or only
  because they read what is written later;
- the other threads are left out, by halves, as far as the violation does without them;
- the remaining steps are reordered within happens-before (`abpress.witness.reordering`);
- a search by number of context switches (as in [ContextBounding07]: all executions with none, with
  one, …) looks for a better execution.

All is deterministic and bounded by steps that are taken; a time limit only ends it early. A long
execution takes its steps for each look at it, so there are few: the longest ones are not reordered,
and what is not found at once is not looked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, Protocol

from abpress.properties.finding import Finding
from abpress.relations.conflict import Keys, past, predecessors, sources
from abpress.search.ledger import Schedule
from abpress.semantics.protocols import Replayable, S, TransitionSystem
from abpress.witness.reordering import reorderings
from abpress.witness.replay import leads, passed, replay

SEARCH_BUDGET = 50_000
"""Steps that the search by context switches may take."""

SEARCH_LENGTH = 400
"""Steps of an execution from which on that search may take fewer, in proportion: then there are
many threads and objects, or one switch leads to very many states."""

LARGE_CELLS = 1024
"""A step to a state with n cells in allocated memory counts as 1 + n // LARGE_CELLS steps of the
search: it makes, and remembers, as much."""

REORDER_LIMIT = 5_000
"""Steps of an execution up to which it is reordered."""

REPLAY_BUDGET = 50_000
"""Steps that candidates may take to be replayed, all together; one is replayed in any case."""


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
    extent: Callable[[S], int] = lambda state: 0,
) -> Schedule:
    """A schedule that reaches the same finding with at most as many switches.

    `expired` says that there is no time left: then the best so far has to do. `extent` says how
    many cells the allocated memory of a state has. Raises AssertionError if `schedule` itself does
    not reach it.
    """
    replay(system, schedule, finding)
    candidates = _Candidates(system, finding, expired)
    if expired():
        return schedule
    best = candidates.best(schedule)
    most = context_switches(best)
    budget = min(budget, SEARCH_BUDGET * SEARCH_LENGTH // max(1, len(best)))
    found = search_by_switches(system, finding, most, budget, expired, extent)
    if found is not None and not expired() and leads(system, found, finding):
        best = min(best, candidates.best(found), key=cost)
    return best


def cost(schedule: Schedule) -> tuple[int, int]:
    """What is to be small: its context switches, then its steps."""
    return context_switches(schedule), len(schedule)


@dataclass(slots=True)
class _Candidates(Generic[S]):
    """Schedules made of one that leads to the finding, as far as the budget goes. Mutable: what is
    left of it."""

    system: ObservableSystem[S]
    finding: Finding
    expired: Callable[[], bool]
    budget: int = REPLAY_BUDGET

    def best(self, schedule: Schedule) -> Schedule:
        """The schedule, or the best one that is made of it and leads to the finding."""
        if self.finding.of_step and schedule:
            schedule = self._without_threads(self._needed(schedule))
        best = schedule
        if 1 < len(schedule) <= REORDER_LIMIT:
            threads = [thread for thread, _ in schedule]
            before = predecessors(threads, self._accesses(schedule))
            for order in reorderings(threads, before):
                candidate = tuple(schedule[i] for i in order)
                if cost(candidate) < cost(best) and self._leads(candidate):
                    best = candidate
        return best

    def _needed(self, schedule: Schedule) -> Schedule:
        """The steps that the last one comes from: those of its thread, and who wrote what it reads,
        and so on."""
        accesses = self._accesses(schedule)
        kept = past(sources([thread for thread, _ in schedule], accesses), len(schedule) - 1)
        needed = tuple(schedule[i] for i in kept)
        return needed if len(needed) < len(schedule) and self._leads(needed) else schedule

    def _without_threads(self, schedule: Schedule) -> Schedule:
        """The schedule without the threads that it can do without."""
        last = schedule[-1][0]
        groups = [[t for t in dict.fromkeys(thread for thread, _ in schedule) if t != last]]
        while groups and not self._is_over():
            group = groups.pop()
            gone = set(group)
            left = tuple(step for step in schedule if step[0] not in gone)
            if len(left) < len(schedule) and self._leads(left):
                schedule = left
            elif len(group) > 1:
                half = len(group) // 2
                groups += [group[:half], group[half:]]
        return schedule

    def _accesses(self, schedule: Schedule) -> list[Keys]:
        return [
            self.system.accessed(state, step.thread, step.choices)
            for state, step in passed(self.system, schedule)
        ]

    def _leads(self, candidate: Schedule) -> bool:
        """Whether the candidate leads to the finding; not asked any more if the budget is used."""
        if self._is_over():
            return False
        self.budget -= len(candidate)
        return leads(self.system, candidate, self.finding)

    def _is_over(self) -> bool:
        return self.budget <= 0 or self.expired()


Node = tuple[S, int]
"""A state, and the thread that moved last."""


def search_by_switches(
    system: TransitionSystem[S],
    finding: Finding,
    most: int,
    budget: int,
    expired: Callable[[], bool],
    extent: Callable[[S], int] = lambda state: 0,
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
            budget -= 1 + extent(step.successor) // LARGE_CELLS
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
