"""The reductions that can be chosen, and what each preserves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from abpress.por.none import NoReduction
from abpress.por.reduction import Moves, Reduction
from abpress.por.s_por import SPor


class Preserves(Enum):
    """What a search with a reduction finds whenever the search without it does."""

    VIOLATIONS = "every violation that a thread can reach"
    DEADLOCKS = "every deadlocked state"
    FINAL_STATES = "every state without a step (of a program that has ended, its shared memory)"


@dataclass(frozen=True, slots=True)
class ReductionInfo:
    """A reduction: `make` gives one for a system, to be used in one search."""

    name: str
    description: str
    make: Callable[[Moves[Any]], Reduction[Any]]
    preserves: frozenset[Preserves]


_ALL = frozenset(Preserves)

REDUCTIONS: Mapping[str, ReductionInfo] = {
    info.name: info
    for info in (
        ReductionInfo("none", "all threads at every state", NoReduction, _ALL),
        ReductionInfo("s-por", "a thread with an invisible step alone, else all", SPor, _ALL),
    )
}
"""Name (the value of `--por`) -> reduction."""
