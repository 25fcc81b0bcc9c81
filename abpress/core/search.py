"""Searches with stored states by the native core."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

from abpress.config import Config
from abpress.core.library import NO_LIMIT, Algorithm
from abpress.core.looking import LookingSearch
from abpress.core.lower import CoreProgram
from abpress.core.reference import CoreDiffers
from abpress.core.told import CoreCounts, CoreEvent
from abpress.properties import Aspect, Property
from abpress.search.ledger import Exploration, Ledger, OnFinal, Poll
from abpress.search.statistics import Statistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State

if TYPE_CHECKING:
    from abpress.search.symmetric import SymmetricStates

ALGORITHMS = {
    "none": Algorithm.STATES,
    "s-por": Algorithm.S_POR,
    "heap-reach": Algorithm.HEAP_REACH,
    "heap-reach+fields": Algorithm.HEAP_REACH_FIELDS,
    "de-s-por": Algorithm.DE_S_POR,
    "de-por": Algorithm.DE_POR,
    "dl-s-por": Algorithm.DL_S_POR,
    "dl-por": Algorithm.DL_POR,
    "dl-s-por+summaries": Algorithm.DL_SUMMARIES,
    "dl-s-por+hb": Algorithm.DL_HB,
    "stateful-dpor": Algorithm.STATEFUL_DPOR,
    "o-dpor": Algorithm.O_DPOR,
    "hybrid": Algorithm.HYBRID,
}
"""By the names of reductions."""

RETRAVERSED = ("retraversals", "retraversed_transitions")

OWN_NUMBERS = {
    Algorithm.DL_SUMMARIES: ("summaries",),
    Algorithm.STATEFUL_DPOR: ("summaries",),
    Algorithm.O_DPOR: (*RETRAVERSED, "paths"),
    Algorithm.HYBRID: ("points_to_sets", "determinate", "retroactive_choices"),
}
"""What dynamic reductions count that do not count what they traverse again alone."""

ASPECTS = frozenset(
    {
        *(Aspect.STEP, Aspect.END, Aspect.DEADLOCK, Aspect.CIRCLE, Aspect.RACE),
        *(Aspect.LEFTOVER, Aspect.LOSS),
    }
)
"""What the core can look at for properties."""


def unfit(config: Config, property: Property) -> str | None:
    """Why the core is not asked; None if it is."""
    if config.search.por not in ALGORITHMS:
        return f"reduction {config.search.por}"
    if not property.looks_at <= ASPECTS:
        return f"property {config.question.named}"
    if config.search.order != "sequential":
        return f"order {config.search.order}"
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
    symmetric: SymmetricStates | None = None,
) -> Exploration[State, Statistics]:
    """As `abpress.search.stateful.explore` with one of these reductions; the limits are
    looked at when there are `most_states`. With `symmetric` one state of each key is explored.
    Raises CoreRefused, and TellsApart where threads that count as equal are not."""
    stats = Statistics(states=1)
    ledger: Ledger[State, Statistics] = Ledger(property, stats, keep_going, poll, on_final, leads)
    search = StoredStates(system, ALGORITHMS[por], property, ledger, symmetric=symmetric)
    return search.run(NO_LIMIT if most_states is None else most_states)


class StoredStates(LookingSearch[Statistics]):
    """A search at work. Mutable."""

    def __init__(
        self,
        system: Interpreter,
        algorithm: Algorithm,
        property: Property,
        ledger: Ledger[State, Statistics],
        lowered: CoreProgram | None = None,
        symmetric: SymmetricStates | None = None,
    ) -> None:
        self.symmetric = symmetric
        super().__init__(system, algorithm, property, ledger, lowered=lowered, symmetric=symmetric)

    def told(self, event: CoreEvent, one: int, other: int) -> int:
        if event is CoreEvent.JOINS:
            return self._joins(one)
        return super().told(event, one, other)

    def _joins(self, thread: int) -> int:
        """Whether it can be told what `main` joins after the step of a thread, or (0) at the
        beginning; and tells it."""
        taken, state = self.core.taken, self.top()
        if thread != 0:
            step = self.system.take(state, thread, taken)
            if step is None:
                raise CoreDiffers("a step is none")
            state = step.successor
        assert self.symmetric is not None
        joined = self.symmetric.joined(state)
        self.core.joins(joined or ())
        return int(joined is not None)

    def counted(self, counts: CoreCounts, statistics: Statistics) -> None:
        for name in (
            *("states", "steps", "thread_choices", "max_depth"),
            *("complete", "deadlocked", "assume_blocked", "violating"),
        ):
            setattr(statistics, name, getattr(counts, name))
        if self.symmetric is not None:
            statistics.more = {"symmetric_states": counts.permuted}
        if self.algorithm > Algorithm.HEAP_REACH_FIELDS:
            names = OWN_NUMBERS.get(self.algorithm, RETRAVERSED)
            statistics.more = {name: getattr(counts, name) for name in names}

    def met(self, counts: CoreCounts) -> int:
        return counts.states

    def suspects(self, state: State) -> bool:
        return not self.path or super().suspects(state)
