"""Searches by the native core, told in the words of the Python search.

The core takes the steps, stores the states and counts. What is to be told (a violation, undefined
behaviour, how executions end) it does not tell itself: it names the place, the reference
interpreter executes the way there, and the ledger of the Python search takes note. So verdicts,
traces and reasons have one implementation.

NOTE(core-refuses): the core does what the reference does, or nothing. Whatever it cannot do, and
whatever the reference sees otherwise on the way, ends its search; then the reference does it all.
"""

from __future__ import annotations

from collections.abc import Container
from typing import TypeVar

from abpress.config import Config
from abpress.core.build import NotBuilt
from abpress.core.code import CannotLower
from abpress.core.library import QUESTIONS, CoreEvent, MalformedCode, NativeCore, Ran
from abpress.core.lower import lower
from abpress.properties import Aspect, Property
from abpress.properties.ends import End, classify
from abpress.search.ledger import (
    Exploration,
    Ledger,
    OnFinal,
    Poll,
    SearchOver,
    told_of_faults,
)
from abpress.search.statistics import Statistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import ConcreteStep, State
from abpress.semantics.standing import Pending

REDUCTIONS = ("none", "s-por")
ASPECTS = frozenset({Aspect.STEP, Aspect.END, Aspect.DEADLOCK, Aspect.CIRCLE, Aspect.RACE})
"""What the core can look at for properties."""

SLICE = 1 << 13
"""Steps between two looks at the limits; a multiple of `POLL_INTERVAL`."""

FEW_VISITS = 1_000
"""States that the reference may look at in any case."""

VISIT_COSTS = 8
"""How many states the Python search meets while the reference goes to one and looks at it."""

NO_LIMIT = (1 << 64) - 1

_ENDS = {
    CoreEvent.COMPLETE: End.COMPLETE,
    CoreEvent.DEADLOCK: End.DEADLOCK,
    CoreEvent.BLOCKED: End.BLOCKED,
}

T = TypeVar("T")


class CoreRefused(Exception):
    """The core does not do this search; why. `is_news`: it is the machine's fault, and nobody was
    told yet."""

    def __init__(self, why: str, is_news: bool = False) -> None:
        super().__init__(why)
        self.is_news = is_news


class CoreDiffers(CoreRefused):
    """The reference sees something else than the core, which is a defect."""

    def __init__(self, how: str) -> None:
        super().__init__(f"the reference sees something else: {how}", is_news=True)


def unfit(config: Config, property: Property) -> str | None:
    """Why the core is not asked; None if it is."""
    if config.search.por not in REDUCTIONS:
        return f"reduction {config.search.por}"
    if not property.looks_at <= ASPECTS:
        return f"property {config.question.named}"
    if config.search.order != "sequential":
        return f"order {config.search.order}"
    if config.search.workers > 1:
        return "workers"
    return None


def explore(
    system: Interpreter,
    por: str,
    property: Property,
    *,
    poll: Poll[Statistics] | None = None,
    keep_going: bool = False,
    on_final: OnFinal[State] | None = None,
    leads: Container[str] = (),
    most_states: int | None = None,
) -> Exploration[State, Statistics]:
    """As `abpress.search.stateful.explore` with the reduction `none` or `s-por`; the limits are
    looked at when there are `most_states`. Raises CoreRefused."""
    stats = Statistics(states=1)
    ledger: Ledger[State, Statistics] = Ledger(property, stats, keep_going, poll, on_final, leads)
    try:
        search = _CoreSearch(system, por, property, ledger)
    except (CannotLower, NotBuilt, MalformedCode) as why:
        raise CoreRefused(str(why), isinstance(why, NotBuilt) and why.is_news) from why
    try:
        return search.run(NO_LIMIT if most_states is None else most_states)
    finally:
        search.core.close()


class _CoreSearch:
    """A search at work. Mutable: `path` are the steps that the reference has executed last."""

    def __init__(
        self, system: Interpreter, por: str, property: Property, ledger: Ledger[State, Statistics]
    ) -> None:
        self.system = system
        self.ledger = ledger
        self.suspicious = property.suspects(system)
        self.lowered = lower(system, property.looks_at)
        self.core = NativeCore(self.lowered.words, por == "s-por", self._told)
        self.path: list[ConcreteStep] = []
        self.kinds: list[tuple[Pending, ...]] = []  # of accesses, numbered from 1 on
        self.numbers: dict[tuple[object, ...], int] = {}
        self.visits = 0
        self.known = 1  # threads whose names the reference has

    def run(self, most_states: int) -> Exploration[State, Statistics]:
        """Searches to the end, or to a limit. Raises CoreRefused."""
        ran = Ran.MORE
        try:
            while ran is Ran.MORE:
                ran = self.core.run(SLICE, most_states)
                self._record()
                if ran is Ran.MORE and self.ledger.polled():
                    break
        except SearchOver:
            self._record()
        if ran is Ran.REFUSED:
            why, where = self.core.refusal
            raise CoreRefused(f"{why}{self._place(where)}")
        return self.ledger.closed(exhausted=ran is Ran.EXHAUSTED)

    def _place(self, pc: int) -> str:
        positions = self.lowered.positions
        return f" at {positions[pc].described}" if 0 <= pc < len(positions) else ""

    def _record(self) -> None:
        counts, stats = self.core.counts, self.ledger.statistics
        self._name_threads()
        for name in (
            *("states", "steps", "thread_choices", "max_depth"),
            *("complete", "deadlocked", "assume_blocked", "violating"),
        ):
            setattr(stats, name, getattr(counts, name))

    def _name_threads(self) -> None:
        """Gives threads the numbers that they have in the core."""
        for thread in range(self.known + 1, self.core.counts.threads + 1):
            if self.system.context.threads.child(*self.core.thread(thread)) != thread:
                raise CoreDiffers(f"thread {thread} has another number")
            self.known = thread

    def _top(self) -> State:
        """The state at the top of the stack, to which the reference goes the same way."""
        core, path, system = self.core, self.path, self.system
        self._name_threads()
        given = [core.step(k) for k in range(core.depth)]
        same = 0
        while same < min(len(path), len(given)) and path[same][:2] == given[same]:
            same += 1
        del path[same:]
        state = path[-1].successor if path else system.initial()
        for thread, choices in given[same:]:
            step = system.take(state, thread, choices)
            if step is None or step.violation is not None:
                raise CoreDiffers(f"step {len(path)} of a path is none")
            path.append(step)
            state = step.successor
        return state

    # -- events ---------------------------------------------------------------------------------

    def _told(self, event: CoreEvent, one: int, other: int) -> int:
        """Takes note of an event, or answers what the core asks; may raise SearchOver."""
        return self._answer(event, one, other) if event in QUESTIONS else self._noted(event, one)

    def _noted(self, event: CoreEvent, thread: int) -> bool:
        """Takes note of an event. Returns whether the search ends."""
        choices = self.core.taken
        state = self._top()
        if event in _ENDS:
            end = classify(self.system, state)
            if end is not _ENDS[event]:
                raise CoreDiffers(f"an execution ends {end.value}, not {_ENDS[event].value}")
            return self.ledger.end(self.system, state, end, self.path)
        if event is CoreEvent.VIOLATION:
            step = self.system.take(state, thread, choices)
            if step is None or step.violation is None:
                raise CoreDiffers("a violation is none")
            return self.ledger.violation(self.path, step)
        if event is CoreEvent.VISIT:
            return self._visited(state)
        with told_of_faults(self.system, self._attempted):
            steps = self.system.steps(state, thread)
        if event is CoreEvent.FAULT and not choices and steps:
            raise CoreDiffers("an attempt that ends is a step")
        return False

    def _visited(self, state: State) -> bool:
        """Lets the property look at a state, as the Python search does. Returns whether the search
        ends. Raises CoreRefused where that has to be done so often that nothing is gained."""
        self.visits += 1
        if self.visits >= FEW_VISITS and self.visits * VISIT_COSTS > self.core.counts.states:
            raise CoreRefused("properties that look at many states")
        with told_of_faults(self.system, self._attempted):
            return (
                not self.path or self.suspicious is None or self.suspicious(state)
            ) and self.ledger.visit(self.system, state, self.path)

    def _answer(self, event: CoreEvent, one: int, other: int) -> int:
        """What is known once for all: of a thread of the state at the top, or of accesses."""
        system, kinds = self.system, self.kinds
        if event is CoreEvent.APART:
            return int(not any(a.races(b) for a in kinds[one - 1] for b in kinds[other - 1]))
        state = self._top()
        its = state[system.context.index(state, one)]
        if event is CoreEvent.WAITS:
            return int(system.circles.knows(its))
        accesses = system.standing.kept(its)
        if accesses is None:
            return 0
        key = tuple((its.address, its.size, its.writes, its.kind) for its in accesses)
        if key not in self.numbers:
            self.kinds.append(accesses)
            self.numbers[key] = len(self.kinds)
        return self.numbers[key]

    def _attempted(self, state: State, attempt: ConcreteStep) -> None:
        self.ledger.attempt(self.path, attempt)
