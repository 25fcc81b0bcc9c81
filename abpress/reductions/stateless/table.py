"""The algorithms that can be chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from abpress.reductions.stateless.algorithm import StatelessAlgorithm
from abpress.reductions.stateless.none import AllInterleavings
from abpress.reductions.stateless.optimal import OptimalDpor
from abpress.reductions.stateless.persistent import PersistentSets
from abpress.reductions.stateless.races import HappensBeforeRaces, NoRaces, ObservedRaces
from abpress.reductions.stateless.remembering import remembering
from abpress.reductions.stateless.sleep import SleepSets
from abpress.reductions.stateless.source import SourceSets


class Preserved(Enum):
    """What an algorithm meets at least; violations, and whether there are deadlocks, all do."""

    CLASSES = "happens-before classes"  # of maximal executions, and so all that follows
    STATES = "final states"
    OBSERVATIONS = "what threads read"  # final states but for what no thread reads any more
    OBSERVED_STATES = "final states, but for what no thread reads any more"


@dataclass(frozen=True, slots=True)
class StatelessInfo:
    """An algorithm: `make` gives one for one search.

    `classes`: no two complete executions that it explores have the same happens-before.
    `optimal`: nor is there one that is blocked by its sleep set (unless threads have choices).
    `preserves`: what it meets as if it explored all interleavings.
    """

    name: str
    description: str
    make: Callable[[], StatelessAlgorithm]
    classes: bool = True
    optimal: bool = False
    preserves: Preserved = Preserved.CLASSES

    @property
    def finals(self) -> bool:
        """Whether it meets all final states."""
        return self.preserves in (Preserved.CLASSES, Preserved.STATES)


ALGORITHMS: Mapping[str, StatelessInfo] = {
    info.name: info
    for info in (
        StatelessInfo(
            "none",
            "all interleavings",
            lambda: StatelessAlgorithm(AllInterleavings(), NoRaces()),
            classes=False,
        ),
        StatelessInfo(
            "sleep", "sleep sets alone", lambda: StatelessAlgorithm(SleepSets(), NoRaces())
        ),
        StatelessInfo(
            "persistent",
            "persistent sets found by races, sleep sets",
            lambda: StatelessAlgorithm(PersistentSets(), HappensBeforeRaces()),
        ),
        StatelessInfo(
            "source",
            "source sets, sleep sets",
            lambda: StatelessAlgorithm(SourceSets(), HappensBeforeRaces()),
        ),
        StatelessInfo(
            "optimal",
            "source sets with wakeup trees",
            lambda: StatelessAlgorithm(OptimalDpor(), HappensBeforeRaces()),
            optimal=True,
        ),
        StatelessInfo(
            "observers",
            "optimal, and the order of two writes counts only if a later read observes it",
            lambda: StatelessAlgorithm(OptimalDpor(), ObservedRaces()),
            optimal=True,
            preserves=Preserved.OBSERVATIONS,
        ),
        StatelessInfo(
            "context-sensitive",
            "as source, without what follows states from which everything was explored",
            lambda: remembering(SourceSets()),
            preserves=Preserved.STATES,
        ),
        StatelessInfo(
            "optimal-context-sensitive",
            "as optimal, without what follows states from which everything was explored",
            lambda: remembering(OptimalDpor()),
            preserves=Preserved.STATES,
        ),
        StatelessInfo(
            "optimal-cs-observers",
            "as observers, without what follows states from which everything was explored",
            lambda: remembering(OptimalDpor(), observers=True),
            preserves=Preserved.OBSERVED_STATES,
        ),
    )
}
"""Name -> algorithm."""
