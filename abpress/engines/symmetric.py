"""Searches that store one of the states that differ in which of several equal threads does what.

By Python, of one process: NOTE(symmetric-threads) says of which programs and properties.
"""

from __future__ import annotations

from collections.abc import Callable

from abpress.analysis.alike import TellsApart
from abpress.config import Config
from abpress.engines.vacuity import Ends
from abpress.properties import Aspect, Property
from abpress.reductions.table import STATIC
from abpress.search.ledger import Exploration
from abpress.search.limits import Watch
from abpress.search.stateful import explore
from abpress.search.statistics import Statistics
from abpress.search.symmetric import SymmetricReduction, SymmetricStates
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State

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


def searched(
    begin: Callable[[], Interpreter], config: Config, property: Property, watch: Watch[Statistics]
) -> tuple[Interpreter, Exploration[State, Statistics], Ends] | str:
    """The system, what was explored of it, and how executions end; or what tells threads apart."""
    why = unfit(config, property)
    if why is not None:
        return why
    system = begin()
    ends = Ends(system)
    try:
        states = SymmetricStates(system)
        outcome = explore(
            system,
            SymmetricReduction(system, STATIC[config.search.por], states),
            property,
            poll=watch,
            keep_going=config.search.keep_going,
            on_final=ends.note,
            leads=config.question.leads,
            key=states.key,
        )
    except TellsApart as why:
        return str(why)
    return system, outcome, ends
