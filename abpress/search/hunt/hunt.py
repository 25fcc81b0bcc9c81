"""Random executions, one after the other, until one violates the property or the budget is spent.

What is tried depends on the program, the seed and the budget alone: the clock can only end it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Protocol, TypeVar

from abpress.properties import Aspect, Property
from abpress.properties.ends import classify
from abpress.properties.finding import Finding, Reached
from abpress.search.hunt.execution import Frame, RandomExecution, Way
from abpress.search.hunt.inputs import PROFILES, RandomInputs, numbers_of
from abpress.search.hunt.outlook import Outlook
from abpress.search.hunt.strategies import STRATEGIES, Strategy
from abpress.search.hunt.watch import Watch
from abpress.search.ledger import Found, without_cycle_collection
from abpress.search.limits import StopReason
from abpress.search.statistics import Statistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import ASSUMING, ConcreteStep, State

POLL, POLL_STATES = 4096, 64
"""Steps between two looks at the limits, and decisions, where a property looks at states."""

COMPILATION = 200
"""Steps for which a function counts that is made for a place in the program."""

BEGINNING = 20
"""Steps for which the beginning of an execution counts."""

CELLS = 50
"""Cells of memory that are filled or copied as fast as a step is taken."""

CROWD = 20
"""Steps that count as one in an execution of many threads: most of these only create them."""

CROWD_SECONDS = 10
"""The same for the time: most of these have found their error after a few executions."""

FIRST_BOUND, LAST_BOUND = 20_000, 160_000
"""Decisions of one execution; longer ones are tried when many are cut."""

REPAIRS = 12
"""Executions that do not count, of which the last input is chosen anew, in a row."""

_HOPELESS = 0.1
"""Of the repairs, those that have to work."""

_LOOK_BACK = 8
"""Executions of which half have to be cut for the next ones to be longer."""


class _Shared(Protocol):
    """A row of a table that is drawn by its share."""

    @property
    def share(self) -> float:
        """As likely as that."""


R = TypeVar("R", bound=_Shared)


@dataclass(slots=True)
class HuntStatistics:
    """What a hunt has done so far. Mutable. `ways` counts the executions by their ends, `by` is the
    strategy that has found a violation."""

    executions: int = 0
    steps: int = 0
    longest: int = 0
    ways: dict[Way, int] = field(default_factory=lambda: dict.fromkeys(Way, 0))
    by: str = ""

    def progress(self) -> Statistics:
        """These numbers in the words of the search that stores states."""
        return Statistics(
            states=self.steps + 1,
            steps=self.steps,
            complete=self.ways[Way.ENDED],
            deadlocked=self.ways[Way.STUCK],
            assume_blocked=self.ways[Way.ABORTED] + self.ways[Way.CUT] + self.ways[Way.LOST],
            violating=self.ways[Way.VIOLATION],
            max_depth=self.longest,
        )

    def as_dict(self) -> dict[str, int | float | str]:
        """One line for reports."""
        found = f", found by {self.by}" if self.by else ""
        return {"hunt": f"{self.executions:,} executions of {self.steps:,} steps{found}"}


@dataclass(frozen=True, slots=True)
class Hunted:
    """The outcome of a hunt: an execution that violates the property, or why there is none.

    `threads` are those of the execution, one that its last step may create included; `stopped` is
    the limit that has ended the hunt, if one has. `fault` is the first execution that ends with
    undefined behaviour.
    """

    statistics: HuntStatistics
    found: Found[State] | None = None
    threads: int = 0
    stopped: StopReason | None = None
    fault: Found[State] | None = None


class Hunt:
    """Random executions of a program, for one property. Mutable.

    `system` understands their schedules, and is asked by properties of states.
    """

    def __init__(self, system: Interpreter, property: Property, seed: int) -> None:
        self._system = system
        self._property = property
        self._chance = Random(seed)
        standing = property.standing(system)
        watched = None if standing is None else standing.places
        self.outlook = Outlook(system.context, property, watched)
        self._inputs = RandomInputs(self._chance, numbers_of(system.program))
        self._machine = system.in_place
        self._frame = Frame(
            self._machine,
            self.outlook,
            self._inputs,
            self._chance,
            system.context.status,
            None if standing is None else Watch(system, property, self._machine, standing),
        )
        self._to_try = list(STRATEGIES.values())[::-1]
        self._states = Aspect.STATE in property.looks_at and standing is None
        self._ends = not property.looks_at.isdisjoint({Aspect.END, Aspect.DEADLOCK})
        self._bound = FIRST_BOUND
        self._length = 50.0
        self._cut: list[bool] = []
        self._repairs = REPAIRS
        self._repaired = [0, 0]
        self._in_crowds = 0
        self._fault: Found[State] | None = None
        self.statistics = HuntStatistics()

    @property
    def work(self) -> int:
        """What counts for the budget: steps, and what goes with them, in steps."""
        numbers = self.statistics
        return (
            numbers.steps
            - self._in_crowds * (CROWD - 1) // CROWD
            + BEGINNING * numbers.executions
            + COMPILATION * self._machine.compiled
            + self._machine.filled // CELLS
        )

    @property
    def crowded(self) -> bool:
        """Whether there was an execution with many threads."""
        return self._in_crowds > 0

    @without_cycle_collection()
    def search(self, budget: int, poll: Callable[[HuntStatistics], StopReason | None]) -> Hunted:
        """Executes until a violation is found, the budget is spent, or `poll` says to stop."""
        self._machine.restart()
        numbers = self.statistics
        if not self.outlook.any_error:
            return Hunted(numbers)
        last: RandomExecution | None = None
        while self.work < budget:
            strategy, execution = self._begin()
            again = last is not None and self._is_repaired(last)
            if again and last is not None:
                at = last.last_input
                execution.repeat(last.steps[:at], last.steps[at][0])
            finding = self._play(execution, budget, poll)
            self._learn(execution, again)
            if finding is not None:
                numbers.by = strategy.name
                return Hunted(numbers, Found(_path(execution), finding), execution.threads + 1)
            if (stop := poll(numbers)) is not None:
                return Hunted(numbers, stopped=stop, fault=self._fault)
            last = execution
        return Hunted(numbers, fault=self._fault)

    def _begin(self) -> tuple[Strategy, RandomExecution]:
        """A new execution, and its strategy."""
        chance = self._chance
        strategy = (
            self._to_try.pop() if self._to_try else _drawn(chance, tuple(STRATEGIES.values()))
        )
        self._inputs.use(_drawn(chance, tuple(PROFILES.values())))
        bound = self._bound * (4 if chance.random() < 0.125 else 1)
        scheduler = strategy.make(chance, self._length)
        return strategy, RandomExecution(self._frame, strategy, scheduler, bound)

    def _play(
        self,
        execution: RandomExecution,
        budget: int,
        poll: Callable[[HuntStatistics], StopReason | None],
    ) -> Finding | None:
        """Runs an execution to its end; returns what the property finds in it."""
        numbers = self.statistics
        begun, crowds = numbers.steps, self._in_crowds
        finding = self._of_state() if self._states else None
        while finding is None and not execution.run(1 if self._states else POLL):
            numbers.steps = begun + len(execution.steps)
            self._in_crowds = crowds + len(execution.steps) * execution.crowded
            if self._states:
                finding = self._of_state()
            looks = not self._states or not execution.decisions % POLL_STATES
            if looks and (self.work >= budget or poll(numbers) is not None):
                execution.way = Way.CUT
        numbers.steps = begun + len(execution.steps)
        self._in_crowds = crowds + len(execution.steps) * execution.crowded
        if finding is None and execution.finding is not None:
            return execution.finding
        if finding is None and execution.violation is not None:
            finding = self._property.of_violation(execution.violation)
            if finding is None and self._fault is None and execution.way is Way.LOST:
                self._fault = Found(_path(execution), Reached(execution.violation))
        elif finding is None and execution.way is not Way.LOST:
            if self._states:
                finding = self._of_state()
            if finding is None and self._ends and execution.way is not Way.CUT:
                finding = self._of_end()
        return finding

    def _of_state(self) -> Finding | None:
        return self._property.of_state(self._system, self._machine.snapshot())

    def _of_end(self) -> Finding | None:
        state = self._machine.snapshot()
        if any(self._system.steps(state, thread) for thread in self._system.threads(state)):
            return None
        return self._property.of_end(self._system, state, classify(self._system, state))

    def _learn(self, execution: RandomExecution, repaired: bool) -> None:
        """Counts an execution, and adapts what comes to what it was like."""
        numbers, way = self.statistics, execution.way
        numbers.executions += 1
        numbers.longest = max(numbers.longest, len(execution.steps))
        if way is not None:
            numbers.ways[way] += 1
        self._length += (execution.decisions - self._length) / 4
        if repaired:
            self._repaired[0] += 1
            self._repaired[1] += not _does_not_count(execution)
        self._cut.append(way is Way.CUT)
        if len(self._cut) == _LOOK_BACK:
            if 2 * sum(self._cut) >= _LOOK_BACK:
                self._bound = min(2 * self._bound, LAST_BOUND)
            self._cut.clear()

    def _is_repaired(self, last: RandomExecution) -> bool:
        """Whether the next execution is the last one with its last input chosen anew."""
        tried, worked = self._repaired
        hopeless = tried >= 2 * REPAIRS and worked < _HOPELESS * tried
        if hopeless or not self._repairs or last.last_input < 0 or not _does_not_count(last):
            self._repairs = REPAIRS
            return False
        self._repairs -= 1
        return True


def _does_not_count(execution: RandomExecution) -> bool:
    """Whether the program excludes the execution, by an assumption or an abort."""
    stuck = execution.way is Way.STUCK and execution.waits is ASSUMING
    return stuck or execution.way is Way.ABORTED


def _drawn(chance: Random, rows: Sequence[R]) -> R:
    """One of the rows, by their shares."""
    return chance.choices(rows, [row.share for row in rows])[0]


def _path(execution: RandomExecution) -> tuple[ConcreteStep, ...]:
    """The steps of an execution. Their successors are of no meaning: they were not kept."""
    steps = [ConcreteStep(thread, choices, (), None) for thread, choices in execution.steps]
    if execution.violation is not None:
        steps[-1] = steps[-1]._replace(violation=execution.violation)
    return tuple(steps)
