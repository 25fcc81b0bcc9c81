"""Who asks what: the parts into which the turns of a run are divided among workers.

With one worker there is one part, which asks all engines in turn. With more of them the engines run
side by side: whoever proves is in one part, whoever searches for violations in others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from abpress.engines.table import Engine, EngineKind


@dataclass(frozen=True, slots=True)
class Part:
    """The turns of one worker, in the order of `turns.take_turns`.

    `asks` are the engines. `hunts_first`: a short hunt comes before its searches. `shares`: the
    first search leaves time for the others, and each hunt is short. `seeds` are added to the seed
    of each of its hunts. `options` are set for its engines.
    """

    name: str
    asks: frozenset[EngineKind]
    hunts_first: bool = False
    shares: bool = False
    seeds: int = 0
    options: tuple[tuple[str, str], ...] = ()

    @property
    def searches(self) -> bool:
        """Whether it asks more than hunts."""
        return self.asks != {EngineKind.HUNT}


WHOLE = Part("all", frozenset(EngineKind), hunts_first=True, shares=True)
"""What one worker does alone."""

_PROOF = Part("proof", frozenset({EngineKind.FACTS, EngineKind.TREE, EngineKind.HUNT}), seeds=1_000)
_STATES = Part(
    "states",
    frozenset({EngineKind.STATES, EngineKind.CLAUSES, EngineKind.HUNT}),
    seeds=2_000,
)
_HUNT = Part("hunt", frozenset({EngineKind.HUNT}), hunts_first=True)
_IMPACT = Part(
    "impact",
    frozenset({EngineKind.TREE, EngineKind.HUNT}),
    seeds=3_000,
    options=(("labels", "impact"),),
)

PARTS: Mapping[int, tuple[Part, ...]] = {
    1: (WHOLE,),
    2: (_PROOF, replace(_STATES, hunts_first=True, seeds=0)),
    3: (_PROOF, _STATES, _HUNT),
    4: (_PROOF, _STATES, _HUNT, _IMPACT),
}
"""Number of workers -> the part of each. More workers hunt, each with seeds of its own."""

_APART = 10_000
"""Between the seeds of workers that hunt."""


def parts_of(workers: int, engines: Sequence[Engine]) -> tuple[Part, ...]:
    """The parts of so many workers at most, as far as there is an engine for them to ask."""
    most = max(PARTS)
    parts = list(PARTS[min(workers, most)])
    parts += [replace(_HUNT, seeds=n * _APART) for n in range(1, workers - most + 1)]
    kinds = {engine.kind for engine in engines}
    return tuple(part for part in parts if not part.asks.isdisjoint(kinds))
