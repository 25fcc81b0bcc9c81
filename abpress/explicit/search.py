"""Explicit-state search: decides a property by enumerating the concrete states of a program."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from abpress.config import Config
from abpress.errors import UnsupportedError
from abpress.explore.driver import Exploration, Found, Statistics, explore
from abpress.explore.limits import Limits, Watch
from abpress.ir.program import Program
from abpress.por import REDUCTIONS, Preserves
from abpress.properties import PROPERTIES
from abpress.result import Result, Soundness, proved, undecided, violated
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import Options, State
from abpress.witness.build import build_trace
from abpress.witness.minimise import minimise
from abpress.witness.replay import replay


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
        found, expired = outcome.found[0], partial(_expired, watch, outcome.statistics)
        return _violated(system, found, property.name, expired, statistics)
    reason = _doubt(outcome, soundness)
    if reason is not None:
        return undecided(property.name, reason, statistics)
    return proved(property.name, soundness, outcome.exhausted, statistics)


def _expired(watch: Watch[Statistics], statistics: Statistics) -> bool:
    """Whether a limit is exceeded by now."""
    return watch(statistics) is not None


def _violated(
    system: Interpreter,
    found: Found[State],
    property: str,
    expired: Callable[[], bool],
    statistics: dict[str, int | float | str],
) -> Result:
    """The verdict "false", after a replay; the trace is made readable in the time that is left."""
    violation = found.violation
    schedule = found.schedule
    replay(system, schedule, violation)
    schedule = minimise(system, schedule, violation, expired=expired)
    trace = build_trace(system, schedule, property, violation)
    reason = "deadlock"
    if violation is not None:
        reason = f"{violation.position.origin}: {violation.message}"
    return violated(property, reason, trace, statistics)


def _doubt(outcome: Exploration[State], soundness: Soundness) -> str | None:
    """Why the search without a violation is no proof; None if it is one."""
    if outcome.stopped is not None:
        return outcome.stopped.text
    if soundness.complete:
        return None
    first, *more = soundness.reasons
    return f"{first} and {len(more)} more" if more else first
