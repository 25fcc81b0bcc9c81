"""Explicit-state search: decides a property by enumerating the concrete states of a program."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from abpress.config import Config
from abpress.errors import UnsupportedError
from abpress.explicit.answer import doubt, falsified, is_over
from abpress.explore.driver import Statistics, explore
from abpress.explore.limits import Limits, Watch
from abpress.ir.program import Program
from abpress.por import REDUCTIONS, Preserves
from abpress.properties import PROPERTIES
from abpress.result import Result, Soundness, proved, undecided
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import Options


def search(
    program: Program,
    config: Config,
    limits: Limits,
    progress: Callable[[Statistics], None] | None = None,
    soundness: Soundness | None = None,
) -> Result:
    """Decides `config.property` for the program, as far as the limits and the bounds allow.

    - "true": all states that the reduction asks for were explored, and nothing was cut off.
    - "false": the execution was replayed, and is part of the result.
    - "unknown": a limit stopped the search, or it was not sound; the reason says which.

    `soundness` is what the frontend has lost already. Raises UnsupportedError for a combination of
    property and reduction that would not be sound.
    """
    soundness = Soundness() if soundness is None else soundness
    property = PROPERTIES[config.property]
    reduction = REDUCTIONS[config.por]
    needed = Preserves.DEADLOCKS if property.deadlock else Preserves.VIOLATIONS
    if needed not in reduction.preserves:
        raise UnsupportedError(f"reduction {reduction.name}: it does not keep {needed.value}")
    options = Options(input_domain=config.input_domain, max_threads=config.max_threads)
    system = Interpreter(program, options, soundness)
    watch = Watch(limits, progress)
    outcome = explore(system, reduction.make(system), property, poll=watch)
    statistics = {"threads": system.threads_met(), **outcome.statistics.as_dict()}
    if outcome.found:
        expired = partial(is_over, watch, outcome.statistics)
        return falsified(system, outcome.found[0], property.name, expired, statistics)
    reason = doubt(outcome.stopped, soundness)
    if reason is not None:
        return undecided(property.name, reason, statistics)
    return proved(property.name, soundness, outcome.exhausted, statistics)
