"""Explicit-state search: decides a property by enumerating the concrete states of a program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from abpress.analysis.registers import spawned_templates
from abpress.config import OFF, ON, Config
from abpress.engines.answer import Explored, concluded, expiry
from abpress.engines.core import by_python
from abpress.engines.order import InOrder
from abpress.engines.stored import Searched, StoredSearch, entry_of, told_of_workers
from abpress.engines.vacuity import Ends
from abpress.errors import UnsupportedError
from abpress.ir.program import Program
from abpress.later import later
from abpress.properties import PASSING, asked
from abpress.reductions.entry import Family
from abpress.result import Result, Soundness
from abpress.search.limits import Limits, Watch
from abpress.search.statistics import Statistics
from abpress.semantics.outcome import FEW_THREADS, MANY_THREADS

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


def _symmetry(program: Program, config: Config) -> str:
    """Whether equal threads are looked for: not where no threads are created, unless that is asked
    for."""
    asked = config.search.symmetry
    creates = any(any(spawned_templates(its)) for its in program.templates.values())
    return asked if creates or asked == ON else OFF


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
    entry = entry_of(config.search.por)
    for part in property.parts:
        if not entry.keeps(part.needs):
            raise UnsupportedError(
                f"reduction {config.search.por}: it does not keep {part.needs.value}"
            )
    at_rest_for_free = entry.family is Family.STATIC and property.looks_at.isdisjoint(PASSING)
    threads = MANY_THREADS if at_rest_for_free else FEW_THREADS
    watch = Watch(limits, progress)

    def begin() -> InOrder:
        by_name = config.search.workers > 1
        return InOrder(program, config, soundness, threads, by_name=by_name)

    search = StoredSearch(begin, property, config, limits, watch, _symmetry(program, config))
    its = search.in_common() if config.search.workers > 1 else search.run()
    if not isinstance(its, Searched):
        system = begin()
        ends = Ends(system)
        together = _BY_WORKERS(system, entry, property, config, limits, watch, ends)
        words = {**told_of_workers(config, together.stored), "core": by_python(its)}
        its = Searched(system, together.outcome, ends, large=words)
    expired = expiry(watch, its.outcome.statistics, bool(its.outcome.found))
    found = concluded(its.system, its.outcome, config, soundness, expired, None, its.ends)
    return found.telling(its.words)
