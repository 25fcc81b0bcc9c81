"""Searches with stored states by the native core."""

from __future__ import annotations

from collections.abc import Container

from abpress.config import Config
from abpress.core.library import NO_LIMIT, QUESTIONS, Algorithm, CoreCounts, CoreEvent
from abpress.core.reference import CoreRefused, CoreSearch
from abpress.properties import Aspect, Property
from abpress.search.ledger import Exploration, Ledger, OnFinal, Poll, told_of_faults
from abpress.search.statistics import Statistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from abpress.semantics.standing import Pending

ALGORITHMS = {"none": Algorithm.STATES, "s-por": Algorithm.S_POR}
"""By the names of reductions."""

ASPECTS = frozenset({Aspect.STEP, Aspect.END, Aspect.DEADLOCK, Aspect.CIRCLE, Aspect.RACE})
"""What the core can look at for properties."""

FEW_VISITS = 1_000
"""States that the reference may look at in any case."""

VISIT_COSTS = 8
"""How many states the Python search meets while the reference goes to one and looks at it."""


def unfit(config: Config, property: Property) -> str | None:
    """Why the core is not asked; None if it is."""
    if config.search.por not in ALGORITHMS:
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
    search = _StoredStates(system, ALGORITHMS[por], property, ledger)
    return search.run(NO_LIMIT if most_states is None else most_states)


class _StoredStates(CoreSearch[Statistics]):
    """A search at work. Mutable."""

    def __init__(
        self,
        system: Interpreter,
        algorithm: Algorithm,
        property: Property,
        ledger: Ledger[State, Statistics],
    ) -> None:
        self.suspicious = property.suspects(system)
        self.kinds: list[tuple[Pending, ...]] = []  # of accesses, numbered from 1 on
        self.numbers: dict[tuple[object, ...], int] = {}
        self.visits = 0
        super().__init__(system, algorithm, ledger, property.looks_at)

    def counted(self, counts: CoreCounts, statistics: Statistics) -> None:
        for name in (
            *("states", "steps", "thread_choices", "max_depth"),
            *("complete", "deadlocked", "assume_blocked", "violating"),
        ):
            setattr(statistics, name, getattr(counts, name))

    def told(self, event: CoreEvent, one: int, other: int) -> int:
        """Takes note of an event, or answers what the core asks; may raise SearchOver."""
        return self._answer(event, one, other) if event in QUESTIONS else self.noted(event, one)

    def noted(self, event: CoreEvent, thread: int) -> bool:
        if event is CoreEvent.VISIT:
            return self._visited(self.top())
        return super().noted(event, thread)

    def _visited(self, state: State) -> bool:
        """Lets the property look at a state, as the Python search does. Returns whether the search
        ends. Raises CoreRefused where that has to be done so often that nothing is gained."""
        self.visits += 1
        if self.visits >= FEW_VISITS and self.visits * VISIT_COSTS > self.core.counts.states:
            raise CoreRefused("properties that look at many states")
        with told_of_faults(self.system, self.attempted):
            return (
                not self.path or self.suspicious is None or self.suspicious(state)
            ) and self.ledger.visit(self.system, state, self.path)

    def _answer(self, event: CoreEvent, one: int, other: int) -> int:
        """What is known once for all: of a thread of the state at the top, or of accesses."""
        system, kinds = self.system, self.kinds
        if event is CoreEvent.APART:
            return int(not any(a.races(b) for a in kinds[one - 1] for b in kinds[other - 1]))
        state = self.top()
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
