"""Searches without stored states by the native core."""

from __future__ import annotations

from collections.abc import Container

from abpress.config import Config
from abpress.core.library import Algorithm
from abpress.core.looking import LookingSearch
from abpress.core.told import CoreCounts, CoreEvent
from abpress.properties import Aspect, Property
from abpress.search.bounds import ExecutionBounds
from abpress.search.estimate import by_the_path
from abpress.search.ledger import Exploration, Ledger, OnFinal, Poll
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State

ALGORITHMS = {
    "none": Algorithm.INTERLEAVINGS,
    "sleep": Algorithm.SLEEP,
    "persistent": Algorithm.PERSISTENT,
    "source": Algorithm.SOURCE,
    "context-sensitive": Algorithm.CONTEXTS,
    "optimal": Algorithm.OPTIMAL,
    "optimal-context-sensitive": Algorithm.OPTIMAL_CONTEXTS,
    "observers": Algorithm.OBSERVERS,
    "optimal-cs-observers": Algorithm.OBSERVED_CONTEXTS,
}
"""By the names of reductions."""

REMEMBERING = frozenset(
    {Algorithm.CONTEXTS, Algorithm.OPTIMAL_CONTEXTS, Algorithm.OBSERVED_CONTEXTS}
)
"""Those that remember what follows states."""

OBSERVING = frozenset({Algorithm.OBSERVERS, Algorithm.OBSERVED_CONTEXTS})
"""Those in which the order of writes counts only if it is observed."""

UNDIVIDED = frozenset({"observers", "optimal-cs-observers"})
"""Those whose trees several searches do not share where threads have choices."""

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
        return f"algorithm {config.search.por}"
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
    poll: Poll[ExecutionStatistics] | None = None,
    keep_going: bool = False,
    on_final: OnFinal[State] | None = None,
    leads: Container[str] = (),
    bounds: ExecutionBounds | None = None,
) -> Exploration[State, ExecutionStatistics]:
    """As `abpress.search.stateless.explore_executions` with one of these algorithms;
    `on_final` is told of the ends that are blocked, too. Raises CoreRefused."""
    stats = ExecutionStatistics()
    ledger: Ledger[State, ExecutionStatistics]
    ledger = Ledger(property, stats, keep_going, poll, on_final, leads)
    bounds = bounds or ExecutionBounds()
    return CoreExecutions(system, ALGORITHMS[por], property, ledger, bounds).run()


class CoreExecutions(LookingSearch[ExecutionStatistics]):
    """A search at work. Mutable."""

    def __init__(
        self,
        system: Interpreter,
        algorithm: Algorithm,
        property: Property,
        ledger: Ledger[State, ExecutionStatistics],
        bounds: ExecutionBounds,
    ) -> None:
        self._bounds = bounds
        super().__init__(system, algorithm, property, ledger, bounds)

    def noted(self, event: CoreEvent, thread: int) -> bool:
        if event is CoreEvent.CUT:
            self.system.soundness.lose(self._bounds.reason(unrolled=bool(thread)))
            return False
        if event is CoreEvent.AGAIN:
            self.visits = 0
            self.ledger.begin_again(ExecutionStatistics())
            return False
        return super().noted(event, thread)

    def met(self, counts: CoreCounts) -> int:
        return counts.steps

    def counted(self, counts: CoreCounts, statistics: ExecutionStatistics) -> None:
        for name in (
            *("complete", "deadlocked", "assume_blocked", "violating", "sleep_set_blocked"),
            *("races", "max_depth", "cut"),
        ):
            setattr(statistics, name, getattr(counts, name))
        statistics.events = counts.steps
        left = self.core.left
        statistics.left = None if left is None else by_the_path(*left)
        places = self.lowered.positions
        statistics.waiting_loops = tuple(
            place for pc, place in enumerate(places) if self.core.waited(pc)
        )
        names: tuple[str, ...] = ()
        if self.algorithm >= Algorithm.OPTIMAL:
            names = ("wakeup_sequences", "wakeup_nodes", "wakeup_nodes_at_most")
        if self.algorithm in REMEMBERING and self._bounds.unroll is None:
            names += ("remembered_states", "known_executions")
        if names:
            statistics.more = {name: getattr(counts, name) for name in names}
