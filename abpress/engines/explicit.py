"""Explicit-state search: decides a property by enumerating the concrete states of a program."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Container, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from abpress.config import AUTO, NATIVE, PYTHON, Config
from abpress.core.search import REDUCTIONS as CORE_REDUCTIONS
from abpress.core.search import CoreRefused, unfit
from abpress.core.search import explore as explore_natively
from abpress.engines.answer import Explored, concluded, is_over
from abpress.engines.census import census
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
        by_worker = ", ".join(f"{n:,}" for n in together.stored) or "none"
        return _with(found, {"workers": config.search.workers, "states_by_worker": by_worker})
    outcome, more = _explored(system, config, property, limits, watch, ends)
    expired = partial(is_over, watch, outcome.statistics)
    found = concluded(system, outcome, config, soundness, expired, None, ends)
    return _with(found, more)


def _explored(
    system: Interpreter,
    config: Config,
    property: Property,
    limits: Limits,
    watch: Watch[Statistics],
    ends: Ends,
) -> tuple[Exploration[State, Statistics], dict[str, str]]:
    """What one process explores, and words about it: where that was asked, who does, the native
    core, or the Python search, with the reason if that is not what was asked; and what makes the
    state space large, if a limit ends the search in it."""
    if config.search.por not in CORE_REDUCTIONS or config.search.core == AUTO:
        why, core = None, None  # until more is known of the core, Python is what nobody asks for
    elif config.search.core == PYTHON:
        why, core = None, PYTHON
    else:
        why, core = unfit(config, property), NATIVE
    keep_going, leads = config.search.keep_going, config.question.leads
    if core == NATIVE and why is None:
        try:
            outcome = explore_natively(
                system,
                config.search.por,
                property,
                poll=watch,
                keep_going=keep_going,
                on_final=ends.note,
                leads=leads,
                most_states=limits.states,
            )
            return outcome, {"core": NATIVE}
        except CoreRefused as refused:
            why = str(refused)
            if refused.is_news:
                print(f"abpress: warning: no native core: {why}", file=sys.stderr)
    large: dict[str, str] = {}
    outcome = explore_all(
        system,
        config.search.por,
        property,
        poll=watch,
        keep_going=keep_going,
        on_final=ends.note,
        leads=leads,
        on_stop=lambda states: large.update(census(system, states)),
    )
    asked_core = {} if core is None else {"core": core if why is None else f"{PYTHON} ({why})"}
    return outcome, {**asked_core, **large}


def _with(found: Explored, more: Mapping[str, int | str]) -> Explored:
    """The answers with more numbers, and words, about the search."""
    results = {
        name: replace(its, statistics={**its.statistics, **more})
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
    on_stop: Callable[[Collection[State]], None] | None = None,
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
        on_stop=on_stop,
    )


def _entry(por: str) -> ReductionEntry[Any]:
    return STATIC.get(por) or STATEFUL[por]
