"""Explicit-state search: decides a property by enumerating the concrete states of a program."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import replace
from functools import partial
from typing import Any

from abpress.config import Config
from abpress.engines.answer import Explored, concluded, is_over
from abpress.engines.order import InOrder
from abpress.engines.vacuity import Ends
from abpress.errors import UnsupportedError
from abpress.ir.program import Program
from abpress.later import later
from abpress.properties import PASSING, Property, asked
from abpress.reductions.entry import Family, ReductionEntry
from abpress.reductions.table import STATEFUL, STATIC
from abpress.result import Result, Soundness
from abpress.search.ledger import Exploration, OnFinal, Poll
from abpress.search.limits import Limits, Watch
from abpress.search.stateful import explore as explore_states
from abpress.search.statistics import Statistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import FEW_THREADS, MANY_THREADS, State

_BY_WORKERS: Callable[..., Any] = later("abpress.engines.levels", "explore_together")


def search(
    program: Program,
    config: Config,
    limits: Limits,
    progress: Callable[[Statistics], None] | None = None,
    soundness: Soundness | None = None,
) -> Result:
    """As `explore`, without what was met on the way."""
    return explore(program, config, limits, progress, soundness).result


def explore(
    program: Program,
    config: Config,
    limits: Limits,
    progress: Callable[[Statistics], None] | None = None,
    soundness: Soundness | None = None,
) -> Explored:
    """Decides `config.question.properties` for the program, as far as limits and bounds allow.

    Each by itself:

    - "true": all states that the reduction asks for were explored, and nothing was cut off.
    - "false": the execution was replayed, and is part of the result.
    - "unknown": a limit stopped the search, or it was not sound; the reason says which.

    With `config.search.keep_going` the search goes on beyond violations. `soundness` is what the
    frontend has lost already. Raises UnsupportedError for a combination of property and reduction
    that would not be sound.
    """
    soundness = Soundness() if soundness is None else soundness
    property = asked(config.question.properties)
    entry = _entry(config.search.por)
    for part in property.parts:
        if not entry.keeps(part.needs):
            raise UnsupportedError(
                f"reduction {config.search.por}: it does not keep {part.needs.value}"
            )
    at_rest_for_free = entry.family is Family.STATIC and property.looks_at.isdisjoint(PASSING)
    threads = MANY_THREADS if at_rest_for_free else FEW_THREADS
    system = InOrder(program, config, soundness, threads, by_name=config.search.workers > 1)
    watch = Watch(limits, progress)
    ends = Ends(system)
    if config.search.workers > 1:
        together = _BY_WORKERS(system, entry, property, config, limits, watch, ends)
        expired = partial(is_over, watch, together.outcome.statistics)
        found = concluded(system, together.outcome, config, soundness, expired, None, ends)
        return _with_load(found, config.search.workers, together.stored)
    outcome = explore_all(
        system,
        config.search.por,
        property,
        poll=watch,
        keep_going=config.search.keep_going,
        on_final=ends.note,
        leads=config.question.leads,
    )
    expired = partial(is_over, watch, outcome.statistics)
    return concluded(system, outcome, config, soundness, expired, None, ends)


def _with_load(found: Explored, workers: int, stored: tuple[int, ...]) -> Explored:
    """The answers with how many states each worker has stored."""
    load: dict[str, int | float | str]
    load = {"workers": workers, "states_by_worker": ", ".join(f"{n:,}" for n in stored) or "none"}
    results = {
        name: replace(its, statistics={**its.statistics, **load})
        for name, its in found.results.items()
    }
    return replace(found, results=results)


def explore_all(
    system: Interpreter,
    por: str,
    property: Property,
    *,
    poll: Poll[Statistics] | None = None,
    keep_going: bool = False,
    on_final: OnFinal[State] | None = None,
    leads: Container[str] = (),
) -> Exploration[State, Statistics]:
    """The search with a static or a dynamic reduction; see `search.stateful.explore`."""
    reduction = _entry(por).make(system)
    return explore_states(
        system,
        reduction,
        property,
        poll=poll,
        keep_going=keep_going,
        on_final=on_final,
        leads=leads,
    )


def _entry(por: str) -> ReductionEntry[Any]:
    return STATIC.get(por) or STATEFUL[por]
