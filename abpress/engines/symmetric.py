"""Searches that store one of the states that differ in which of several equal threads does what.

Of one process: NOTE(symmetric-threads) says of which programs and properties.
"""

from __future__ import annotations

from abpress.analysis.alike import alike, begin_alike
from abpress.config import Config
from abpress.properties import Aspect, Property
from abpress.reductions.table import STATIC
from abpress.search.symmetric import SymmetricReduction, SymmetricStates
from abpress.semantics.interpreter import Interpreter

REDUCTIONS = frozenset({"none", "s-por"})
"""Those of which it is shown that they go together with it."""

ASPECTS = frozenset({Aspect.STEP, Aspect.END, Aspect.DEADLOCK, Aspect.RACE})
"""What is found where joins are put off."""


def unfit(config: Config, property: Property) -> str | None:
    """Why such a search is not tried; None if it is."""
    if config.search.por not in REDUCTIONS:
        return f"reduction {config.search.por}"
    if config.search.workers > 1:
        return "several workers"
    if config.search.order != "sequential":
        return f"order {config.search.order}"
    others = [part.name for part in property.parts if not part.looks_at <= ASPECTS]
    return f"property {others[0]}" if others else None


def promises(system: Interpreter) -> bool:
    """Whether it may be expected that states are merged: threads begin alike. Raises TellsApart."""
    facts = system.context.facts
    return begin_alike(facts, alike(facts).templates)


def symmetric(system: Interpreter, por: str) -> tuple[SymmetricStates, SymmetricReduction]:
    """The keys of a system's states, and the reduction that goes with them in Python. Raises
    TellsApart."""
    states = SymmetricStates(system)
    return states, SymmetricReduction(system, STATIC[por], states)
