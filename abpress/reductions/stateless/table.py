"""The algorithms that can be chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from abpress.reductions.stateless.algorithm import Algorithm
from abpress.reductions.stateless.context_sensitive import ContextSensitive
from abpress.reductions.stateless.none import AllInterleavings
from abpress.reductions.stateless.observers import ObserversDpor
from abpress.reductions.stateless.optimal import OptimalDpor
from abpress.reductions.stateless.optimal_context_sensitive import OptimalContextSensitive
from abpress.reductions.stateless.optimal_cs_observers import OptimalCsObservers
from abpress.reductions.stateless.persistent import PersistentSets
from abpress.reductions.stateless.sleep import SleepSets
from abpress.reductions.stateless.source import SourceSets


class Preserved(Enum):
    """What an algorithm meets at least; violations, and whether there are deadlocks, all do."""

    CLASSES = "happens-before classes"  # of maximal executions, and so all that follows
    STATES = "final states"
    OBSERVATIONS = "what threads read"  # final states but for what no thread reads any more
    OBSERVED_STATES = "final states, but for what no thread reads any more"


@dataclass(frozen=True, slots=True)
class AlgorithmInfo:
    """An algorithm: `make` gives one for one search.

    `classes`: no two complete executions that it explores have the same happens-before.
    `optimal`: nor is there one that is blocked by its sleep set (unless threads have choices).
    `preserves`: what it meets as if it explored all interleavings.
    """

    name: str
    description: str
    make: Callable[[], Algorithm]
    classes: bool = True
    optimal: bool = False
    preserves: Preserved = Preserved.CLASSES

    @property
    def finals(self) -> bool:
        """Whether it meets all final states."""
        return self.preserves in (Preserved.CLASSES, Preserved.STATES)


ALGORITHMS: Mapping[str, AlgorithmInfo] = {
    info.name: info
    for info in (
        AlgorithmInfo("none", "all interleavings", AllInterleavings, classes=False),
        AlgorithmInfo("sleep", "sleep sets alone", SleepSets),
        AlgorithmInfo("persistent", "persistent sets found by races, sleep sets", PersistentSets),
        AlgorithmInfo("source", "source sets, sleep sets", SourceSets),
        AlgorithmInfo("optimal", "source sets with wakeup trees", OptimalDpor, optimal=True),
        AlgorithmInfo(
            "observers",
            "optimal, and the order of two writes counts only if a later read observes it",
            ObserversDpor,
            optimal=True,
            preserves=Preserved.OBSERVATIONS,
        ),
        AlgorithmInfo(
            "context-sensitive",
            "as source, without what follows states from which everything was explored",
            ContextSensitive,
            preserves=Preserved.STATES,
        ),
        AlgorithmInfo(
            "optimal-context-sensitive",
            "as optimal, without what follows states from which everything was explored",
            OptimalContextSensitive,
            preserves=Preserved.STATES,
        ),
        AlgorithmInfo(
            "optimal-cs-observers",
            "as observers, without what follows states from which everything was explored",
            OptimalCsObservers,
            preserves=Preserved.OBSERVED_STATES,
        ),
    )
}
"""Name -> algorithm."""
