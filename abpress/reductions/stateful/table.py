"""The dynamic reductions that can be chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from abpress.properties import Preserves
from abpress.reductions.stateful.algorithm import Algorithm
from abpress.reductions.stateful.de_s_por import DeSPor
from abpress.reductions.stateful.dl_s_por import DlSPor
from abpress.reductions.stateful.futures import Retraversed, Summarised
from abpress.reductions.stateful.hybrid import HybridPor
from abpress.reductions.stateful.o_dpor import ODpor
from abpress.reductions.stateful.ordered import Ordered
from abpress.reductions.stateful.stateful_dpor import StatefulDpor
from abpress.semantics.outcome import State
from abpress.semantics.protocols import Foreseeing


@dataclass(frozen=True, slots=True)
class AlgorithmInfo:
    """A reduction: `make` gives one for one search; `preserves` as in `por.table`."""

    name: str
    description: str
    make: Callable[[Foreseeing[State]], Algorithm]
    preserves: frozenset[Preserves] = frozenset(Preserves)


ALGORITHMS: Mapping[str, AlgorithmInfo] = {
    info.name: info
    for info in (
        AlgorithmInfo("de-s-por", "s-por, and source sets found eagerly", DeSPor),
        AlgorithmInfo(
            "dl-s-por",
            "s-por, and source sets found lazily",
            lambda system: DlSPor(system, Retraversed()),
        ),
        AlgorithmInfo(
            "dl-s-por+summaries",
            "dl-s-por, keeping what happens behind each state",
            lambda system: DlSPor(system, Summarised()),
        ),
        AlgorithmInfo(
            "dl-s-por+hb",
            "dl-s-por, without races with what happens after a later step",
            lambda system: DlSPor(system, Ordered()),
        ),
        AlgorithmInfo("de-por", "de-s-por without s-por", partial(DeSPor, filtered=False)),
        AlgorithmInfo(
            "dl-por",
            "dl-s-por without s-por",
            lambda system: DlSPor(system, Retraversed(), filtered=False),
        ),
        AlgorithmInfo("o-dpor", "s-por, and source sets by happens-before", ODpor),
        AlgorithmInfo(
            "stateful-dpor",
            "s-por, and persistent sets by happens-before; what may follow a visited state is"
            " applied again",
            StatefulDpor,
        ),
        AlgorithmInfo(
            "hybrid",
            "heap-reach+fields, and a thread alone whose step accesses only what no other thread"
            " that can come to a point where it has done so accesses in conflict there",
            HybridPor,
            frozenset(Preserves) - {Preserves.FINAL_STATES},
        ),
    )
}
"""Name -> algorithm."""
