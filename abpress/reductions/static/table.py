"""The reductions that can be chosen, and what each preserves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from abpress.properties import Preserves
from abpress.reductions.static.heap_reach import HeapReach, HeapReachFields
from abpress.reductions.static.none import NoReduction
from abpress.reductions.static.protocol import Reduction
from abpress.reductions.static.s_por import SPor
from abpress.semantics.protocols import Foreseeing


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
