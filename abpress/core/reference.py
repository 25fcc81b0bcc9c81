"""Searches by the native core, told in the words of the Python search.

The core takes the steps and counts. What is to be told (a violation, undefined behaviour, how
executions end) it does not tell itself: it names the place, the reference interpreter executes the
way there, and the ledger of the Python search takes note. So verdicts, traces and reasons have one
implementation.

NOTE(core-refuses): the core does what the reference does, or nothing. Whatever it cannot do, and
whatever the reference sees otherwise on the way, ends its search; then the reference does it all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Generic

from abpress.analysis.alike import TellsApart
from abpress.core.build import NotBuilt
from abpress.core.code import CannotLower
from abpress.core.library import NO_LIMIT, Algorithm, MalformedCode, NativeCore
from abpress.core.lower import CoreProgram, lower
from abpress.core.told import CoreCounts, CoreEvent, Ran
from abpress.properties import Aspect
from abpress.properties.ends import End, classify
from abpress.search.bounds import ExecutionBounds
from abpress.search.ledger import C, Exploration, Ledger, SearchOver, told_of_faults
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import ConcreteStep, State

if TYPE_CHECKING:
    from abpress.search.symmetric import SymmetricStates

SLICE = 1 << 13
"""Steps between two looks at the limits; a multiple of `POLL_INTERVAL`."""

FORESEEING = frozenset({Algorithm.HEAP_REACH, Algorithm.HEAP_REACH_FIELDS, Algorithm.HYBRID})
"""Those that ask for what may be accessed later."""

ENDS = {
    CoreEvent.COMPLETE: End.COMPLETE,
    CoreEvent.DEADLOCK: End.DEADLOCK,
    CoreEvent.BLOCKED: End.BLOCKED,
}


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


@contextmanager
def refusing() -> Iterator[None]:
    """Raises CoreRefused where what is made for the core cannot be made."""
    try:
        yield
    except (CannotLower, NotBuilt, MalformedCode) as why:
        raise CoreRefused(str(why), isinstance(why, NotBuilt) and why.is_news) from why


def refusal(core: NativeCore, lowered: CoreProgram) -> CoreRefused:
    """Why the core does not go on, and where."""
    why, where = core.refusal
    positions = lowered.positions
    place = f" at {positions[where].described}" if 0 <= where < len(positions) else ""
    return CoreRefused(f"{why}{place}")


def name_threads(core: NativeCore, system: Interpreter, known: int) -> int:
    """Gives threads after the `known` ones the numbers that they have in the core; returns how many
    are known then."""
    threads = core.counts.threads
    for thread in range(known + 1, threads + 1):
        if system.context.threads.child(*core.thread(thread)) != thread:
            raise CoreDiffers(f"thread {thread} has another number")
    return max(known, threads)


class CoreSearch(ABC, Generic[C]):
    """A search at work. Mutable: `path` are the steps that the reference has executed last.

    To be made raises CoreRefused; when it is over it has to be closed. `lowered`: the program, if
    another search of it has had it lowered.
    """

    def __init__(
        self,
        system: Interpreter,
        algorithm: Algorithm,
        ledger: Ledger[State, C],
        looks_at: Collection[Aspect] = (),
        bounds: ExecutionBounds | None = None,
        lowered: CoreProgram | None = None,
        symmetric: SymmetricStates | None = None,
    ) -> None:
        self.system = system
        self.algorithm = algorithm
        self.ledger = ledger
        self.path: list[ConcreteStep] = []
        self.known = 1  # threads whose names the reference has
        with refusing():
            awaits = bounds is not None and bounds.awaits
            foresees = algorithm in FORESEEING
            self.lowered = lowered or lower(system, looks_at, awaits, foresees, symmetric)
            words, limits = self.lowered.words, (NO_LIMIT, NO_LIMIT)
            if bounds is not None:
                unroll = NO_LIMIT if bounds.unroll is None else bounds.unroll
                limits = bounds.steps, unroll
            self.core = NativeCore(words, algorithm, self.told, None, *limits)

    def run(self, most_states: int = NO_LIMIT) -> Exploration[State, C]:
        """Searches to the end, or to a limit. Raises CoreRefused, and TellsApart where threads that
        count as equal are not."""
        try:
            return self._run(most_states)
        finally:
            self.core.close()

    def _run(self, most_states: int) -> Exploration[State, C]:
        ran = Ran.MORE
        try:
            while ran is Ran.MORE:
                ran = self.core.run(SLICE, most_states)
                self._record()
                if ran is Ran.MORE and self.ledger.polled():
                    break
        except SearchOver:
            self._record()
        if ran is Ran.APART:
            raise TellsApart(self.core.refusal[0])
        if ran is Ran.REFUSED:
            raise refusal(self.core, self.lowered)
        return self.ledger.closed(exhausted=ran is Ran.EXHAUSTED)

    @abstractmethod
    def counted(self, counts: CoreCounts, statistics: C) -> None:
        """Takes over what the core has counted."""

    def _record(self) -> None:
        self._name_threads()
        self.counted(self.core.counts, self.ledger.statistics)

    def _name_threads(self) -> None:
        """Gives threads the numbers that they have in the core."""
        self.known = name_threads(self.core, self.system, self.known)

    def top(self) -> State:
        """The state that is told of, to which the reference goes the same way."""
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

    def told(self, event: CoreEvent, one: int, other: int) -> int:
        """Takes note of an event. Returns whether the search ends; may raise SearchOver."""
        return self.noted(event, one)

    def noted(self, event: CoreEvent, thread: int) -> bool:
        """Takes note of an event. Returns whether the search ends."""
        choices = self.core.taken
        state = self.top()
        if event in ENDS:
            end = classify(self.system, state)
            if end is not ENDS[event]:
                raise CoreDiffers(f"an execution ends {end.value}, not {ENDS[event].value}")
            return self.ledger.end(self.system, state, end, self.path)
        if event is CoreEvent.VIOLATION:
            step = self.system.take(state, thread, choices)
            if step is None or step.violation is None:
                raise CoreDiffers("a violation is none")
            return self.ledger.violation(self.path, step)
        with told_of_faults(self.system, self.attempted):
            steps = self.system.steps(state, thread)
        if event is CoreEvent.FAULT and not choices and steps:
            raise CoreDiffers("an attempt that ends is a step")
        return False

    def attempted(self, state: State, attempt: ConcreteStep) -> None:
        """Takes note of an attempt that is undefined behaviour."""
        self.ledger.attempt(self.path, attempt)
