"""Random executions, one after the other, until one violates the property or the budget is spent.

What is tried depends on the program, the seed and the budget alone: the clock can only end it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from random import Random
from typing import Protocol, TypeVar

from abpress.interpreter import without_cycle_collection
from abpress.ir.program import UNDEFINED
from abpress.properties import ENDS, Aspect, Property
from abpress.properties.ends import classify
from abpress.properties.finding import Finding, Reached
from abpress.search.hunt.execution import CROWD as MANY
from abpress.search.hunt.execution import Frame, RandomExecution, Way
from abpress.search.hunt.inputs import PROFILES, RandomInputs, numbers_of
from abpress.search.hunt.outlook import Outlook
from abpress.search.hunt.player import MakePlayer, Played, Player
from abpress.search.hunt.strategies import STRATEGIES, Strategy
from abpress.search.hunt.watch import RaceWatch
from abpress.search.ledger import Found
from abpress.search.limits import StopReason
from abpress.search.statistics import MOST_THREADS, Statistics
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
"""Steps that count as one in an execution of many threads: most of these only create them; and in
those with few threads beside them."""

CROWD_SECONDS = 10
"""The same for the time: most of these have found their error after a few executions."""

FIRST_BOUND, LAST_BOUND = 20_000, 160_000
"""Decisions of one execution; longer ones are tried when many are cut."""

REPAIRS = 12
"""Executions that do not count, of which the last input is chosen anew, in a row."""

HEAD_START = 2_000
"""Steps that go to executions without a crowd first, where threads are created in a loop: from then
on to either kind in turn, so that both have as many. Where errors come behind such loops only, none
do any more when one has made a crowd."""

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
    """What a hunt has done so far. Mutable. `ways` counts the executions by their ends, `by` tells
    the strategies that have found violations, `threads` are the most of an execution."""

    executions: int = 0
    steps: int = 0
    longest: int = 0
    threads: int = 0
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
        told = f"{self.executions:,} executions of {self.steps:,} steps{found}"
        return {"hunt": told, MOST_THREADS: self.threads}


@dataclass(frozen=True, slots=True)
class Hunted:
    """The outcome of a hunt: an execution for each property that is violated, in the order found.

    `threads` are the most of an execution, one that its last step may create included; `stopped` is
    the limit that has ended the hunt, if one has. `fault` is the first execution that ends with
    undefined behaviour that violates nothing.
    """

    statistics: HuntStatistics
    violations: tuple[Found[State], ...] = ()
    threads: int = 0
    stopped: StopReason | None = None
    fault: Found[State] | None = None

    @property
    def found(self) -> Found[State] | None:
        """The first one; None if there is none."""
        return next(iter(self.violations), None)


class Hunt:
    """Random executions of a program, for a property. Mutable.

    The parts of a conjunction that no execution has violated yet take turns in guiding the
    executions, and all of them look at each. One that watches where threads stand looks only at
    those that it guides: every second one, however many others there are. `system` understands the
    schedules, and is asked by properties of states. `make` makes who makes executions, if that is
    somebody else.
    """

    def __init__(
        self,
        system: Interpreter,
        property: Property,
        seed: int,
        make: MakePlayer | None = None,
    ) -> None:
        self._system = system
        self._chance = Random(seed)
        numbers = numbers_of(system.program)
        self._inputs = RandomInputs(self._chance, numbers)
        self._machine = system.in_place
        self._frames = {part.name: self._frame(part) for part in property.parts}
        self._player: Player | None = None
        if make is not None:
            ahead = [frame.outlook for frame in self._frames.values()]
            self._player = make(system, property, self._chance, numbers, ahead)
            self._chance = self._player.chance
        self._numbers = {name: number for number, name in enumerate(self._frames)}
        strategies, profiles = tuple(STRATEGIES.values()), tuple(PROFILES.values())
        self._strategies = strategies, _sums(strategies)
        self._profiles = profiles, _sums(profiles)
        self._to_try = list(strategies)[::-1]
        self._violations: dict[str, Found[State]] = {}
        self._threads = 0
        self._asked = property.parts
        self._ask(property.parts)
        self._bound = FIRST_BOUND
        self._length = 50.0
        self._cut: list[bool] = []
        self._repairs = REPAIRS
        self._repaired = [0, 0]
        self._in_crowds = 0
        self._taken = {False: 0, True: 0}  # steps, by whether creators rested
        self._many = False  # whether some execution had as many threads as a crowd
        self._fault: Found[State] | None = None
        self.statistics = HuntStatistics()

    def _frame(self, part: Property) -> Frame:
        """What executions share that a property guides."""
        system, machine = self._system, self._machine
        standing = part.standing(system)
        watched = None if standing is None else standing.places
        return Frame(
            machine,
            Outlook(system.context, part, watched),
            self._inputs,
            self._chance,
            system.context.status,
            None if standing is None else RaceWatch(system, part, machine, standing),
        )

    def _ask(self, parts: Sequence[Property]) -> None:
        """Asks these from now on."""
        self._open = tuple(parts)
        states = (p for p in parts if Aspect.STATE in p.looks_at)
        self._states = tuple(p for p in states if self._frames[p.name].watch is None)
        self._circles = tuple(p for p in parts if Aspect.CIRCLE in p.looks_at)
        self._ends = tuple(p for p in parts if not p.looks_at.isdisjoint(ENDS))
        kinds: dict[bool, list[Property]] = {}
        for part in parts:
            if self._frames[part.name].outlook.any_error:
                watches = self._frames[part.name].watch is not None
                kinds.setdefault(watches, []).append(part)
        self._guides = tuple(kinds.values())

    @property
    def work(self) -> int:
        """What counts for the budget: steps, and what goes with them, in steps."""
        numbers, machine = self.statistics, self._player or self._machine
        return (
            numbers.steps
            - self._in_crowds * (CROWD - 1) // CROWD
            + BEGINNING * numbers.executions
            + COMPILATION * machine.compiled
            + machine.filled // CELLS
        )

    @property
    def has_found(self) -> bool:
        """Whether a part is violated."""
        return bool(self._violations)

    @property
    def crowded(self) -> bool:
        """Whether there was an execution with many threads."""
        return self._in_crowds > 0

    @without_cycle_collection()
    def search(self, budget: int, poll: Callable[[HuntStatistics], StopReason | None]) -> Hunted:
        """Executes until each part is violated, the budget is spent, or `poll` says to stop."""
        self._machine.restart()
        numbers = self.statistics
        last: Played | None = None
        while self._guides and self.work < budget:
            guide, strategy, execution = self._begin()
            again = last is not None and self._is_repaired(last)
            if again and last is not None:
                execution.repeat(last)
            before = len(self._violations)
            self._play(execution, guide, budget, poll)
            self._learn(execution, again)
            if len(self._violations) > before:
                numbers.by += f" and {strategy.name}" if numbers.by else strategy.name
            if self._open and (stop := poll(numbers)) is not None:
                return self._hunted(stop)
            last = execution
        return self._hunted(None)

    def _hunted(self, stopped: StopReason | None) -> Hunted:
        found = tuple(self._violations.values())
        return Hunted(self.statistics, found, self._threads, stopped, self._fault)

    def _begin(self) -> tuple[Property, Strategy, Played]:
        """A new execution, what guides it, and its strategy."""
        chance = self._chance
        strategy = self._to_try.pop() if self._to_try else _drawn(chance, *self._strategies)
        profile = _drawn(chance, *self._profiles)
        bound = self._bound * (4 if chance.random() < 0.125 else 1)
        guide = self._guide()
        frame = self._frames[guide.name]
        rests = self._rests(frame.outlook)
        if self._player is not None:
            its = self._numbers[guide.name], strategy, profile, self._length, bound, rests
            return guide, strategy, self._player.begin(*its)
        self._inputs.use(profile)
        scheduler = strategy.make(chance, self._length)
        return guide, strategy, RandomExecution(frame, strategy, scheduler, bound, rests)

    def _guide(self) -> Property:
        """What guides the next execution."""
        turn, kinds = self.statistics.executions, self._guides
        kind = kinds[turn % len(kinds)]
        return kind[turn // len(kinds) % len(kind)]

    def _rests(self, outlook: Outlook) -> bool:
        """Whether the next execution is one without a crowd."""
        if not outlook.creates_again or (self._many and not outlook.few_suffice):
            return False
        return self._taken[True] - self._taken[False] <= HEAD_START

    def _play(
        self,
        execution: Played,
        guide: Property,
        budget: int,
        poll: Callable[[HuntStatistics], StopReason | None],
    ) -> None:
        """Runs an execution to its end, and notes what the property finds in it."""
        numbers = self.statistics
        begun, crowds = numbers.steps, self._in_crowds
        beside = execution.rests and self._many

        def count() -> None:
            numbers.steps = begun + execution.length
            self._in_crowds = crowds + execution.length * (beside or execution.crowded)

        self._look_at_state(execution)
        while self._open and not execution.run(1 if self._states else POLL):
            count()
            self._look_at_state(execution)
            looks = not self._states or not execution.decisions % POLL_STATES
            if looks:
                self._look_for_circles(execution)
            if looks and (self.work >= budget or poll(numbers) is not None):
                execution.way = Way.CUT
        count()
        numbers.threads = max(numbers.threads, execution.threads)
        if execution.finding is not None:
            self._note(execution, [(guide, execution.finding)])
        elif execution.violation is not None:
            violation = execution.violation
            seen = [(part, part.of_violation(violation)) for part in self._asked]
            self._note(execution, [(part, found) for part, found in seen if part in self._open])
            lost = execution.way is Way.LOST and not any(found for _, found in seen)
            if lost and self._fault is None:
                self._fault = Found(_path(execution), Reached(violation), UNDEFINED)
                self._threads = max(self._threads, execution.threads + 1)
        elif execution.way is not None and execution.way is not Way.LOST:
            self._look_at_state(execution)
            self._look_for_circles(execution)
            if execution.way is not Way.CUT:
                self._look_at_end(execution)

    def _note(self, execution: Played, findings: Sequence[tuple[Property, Finding | None]]) -> None:
        """Notes what the parts find in the execution until now."""
        found = {part.name: finding for part, finding in findings if finding is not None}
        for name, finding in found.items():
            self._violations[name] = Found(_path(execution), finding, name)
            self._threads = max(self._threads, execution.threads + 1)
        if found:
            self._ask([part for part in self._open if part.name not in found])

    def _look_at_state(self, execution: Played) -> None:
        if self._states:
            state = self._machine.snapshot()
            seen = [(part, part.of_state(self._system, state)) for part in self._states]
            self._note(execution, seen)

    def _look_for_circles(self, execution: Played) -> None:
        """Circles of waiting threads stay: so not each state is looked at."""
        if self._circles and execution.stands(Aspect.CIRCLE):
            state = self._machine.snapshot()
            seen = [(part, part.of_state(self._system, state)) for part in self._circles]
            self._note(execution, seen)

    def _look_at_end(self, execution: Played) -> None:
        if not self._ends or not execution.stands(Aspect.DEADLOCK):
            return
        state = self._machine.snapshot()
        if not any(self._system.steps(state, thread) for thread in self._system.threads(state)):
            end = classify(self._system, state)
            seen = [(part, part.of_end(self._system, state, end)) for part in self._ends]
            self._note(execution, seen)

    def _learn(self, execution: Played, repaired: bool) -> None:
        """Counts an execution, and adapts what comes to what it was like."""
        numbers, way = self.statistics, execution.way
        numbers.executions += 1
        numbers.longest = max(numbers.longest, execution.length)
        if way is not None:
            numbers.ways[way] += 1
        self._length += (execution.decisions - self._length) / 4
        if repaired:
            self._repaired[0] += 1
            self._repaired[1] += not _does_not_count(execution)
        self._taken[execution.rests] += BEGINNING + execution.length
        self._many |= execution.threads >= MANY
        self._cut.append(way is Way.CUT and not execution.rests)
        if len(self._cut) == _LOOK_BACK:
            if 2 * sum(self._cut) >= _LOOK_BACK:
                self._bound = min(2 * self._bound, LAST_BOUND)
            self._cut.clear()

    def _is_repaired(self, last: Played) -> bool:
        """Whether the next execution is the last one with its last input chosen anew."""
        tried, worked = self._repaired
        hopeless = tried >= 2 * REPAIRS and worked < _HOPELESS * tried
        if hopeless or not self._repairs or last.last_input < 0 or not _does_not_count(last):
            self._repairs = REPAIRS
            return False
        self._repairs -= 1
        return True


def _does_not_count(execution: Played) -> bool:
    """Whether the program excludes the execution, by an assumption or an abort."""
    stuck = execution.way is Way.STUCK and execution.waits is ASSUMING
    return stuck or execution.way is Way.ABORTED


def _sums(rows: Iterable[_Shared]) -> tuple[float, ...]:
    return tuple(accumulate(row.share for row in rows))


def _drawn(chance: Random, rows: Sequence[R], shares: Sequence[float]) -> R:
    """One of the rows, by the sums of their shares."""
    return chance.choices(rows, cum_weights=shares)[0]


def _path(execution: Played) -> tuple[ConcreteStep, ...]:
    """The steps of an execution. Their successors are of no meaning: they were not kept."""
    steps = [ConcreteStep(thread, choices, (), None) for thread, choices in execution.steps]
    if execution.violation is not None:
        steps[-1] = steps[-1]._replace(violation=execution.violation)
    return tuple(steps)
