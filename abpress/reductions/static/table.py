"""The reductions that can be chosen, and what each preserves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from abpress.reductions.static.heap_reach import HeapReach, HeapReachFields
from abpress.reductions.static.none import NoReduction
from abpress.reductions.static.protocol import Foreseeing, Reduction
from abpress.reductions.static.s_por import SPor


class Preserves(Enum):
    """What a search with a reduction finds whenever the search without it does."""

    VIOLATIONS = "every violation that a thread can reach"
    DEADLOCKS = "every deadlocked state"
    FINAL_STATES = "every state without a step (of a program that has ended, its shared memory)"
    OUTCOMES = "every state without a step; of a program that has ended, how"


@dataclass(frozen=True, slots=True)
class ReductionInfo:
    """A reduction: `make` gives one for a system, to be used in one search."""

    name: str
    description: str
    make: Callable[[Foreseeing[Any]], Reduction[Any]]
    preserves: frozenset[Preserves]


_ALL = frozenset(Preserves)
_OUTCOMES = _ALL - {Preserves.FINAL_STATES}

REDUCTIONS: Mapping[str, ReductionInfo] = {
    info.name: info
    for info in (
        ReductionInfo("none", "all threads at every state", NoReduction, _ALL),
        ReductionInfo("s-por", "a thread with an invisible step alone, else all", SPor, _ALL),
        ReductionInfo(
            "heap-reach",
            "s-por, and a thread alone whose step accesses only what no other thread can reach",
            HeapReach,
            _OUTCOMES,
        ),
        ReductionInfo(
            "heap-reach+fields",
            "heap-reach, and a thread alone whose step accesses only fields that no other thread"
            " that can reach them may access in conflict later",
            HeapReachFields,
            _OUTCOMES,
        ),
    )
}
"""Name (the value of `--por`) -> reduction."""
