"""Conclusions from the outcome of a concrete search: a replayed violation, a doubt, or a proof."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from abpress.config import Config
from abpress.engines.vacuity import Ends
from abpress.ir.program import UNDEFINED
from abpress.properties import PROPERTIES
from abpress.result import Result, Soundness, proved, undecided, violated
from abpress.search.ledger import C, Exploration, Found
from abpress.search.limits import StopReason, Watch
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from abpress.witness.build import build_trace
from abpress.witness.minimise import minimise
from abpress.witness.trace import Trace

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Explored:
    """The answer, and what was met on the way.

    `violations` are the distinct ones in one line each, in the order in which they were found;
    `exhausted`: nothing is left to explore. `finals` are the states at the ends of complete and
    deadlocked executions, with names and values as text; None if they were not asked for.
    """

    result: Result
    violations: tuple[str, ...]
    exhausted: bool
    finals: frozenset[str] | None


def concluded(
    system: Interpreter,
    outcome: Exploration[State, C],
    config: Config,
    soundness: Soundness,
    expired: Callable[[], bool],
    finals: frozenset[str] | None,
    ends: Ends,
) -> Explored:
    """What the outcome of a search says of `config.question.property`; `ends` are those met."""
    property = PROPERTIES[config.question.property].name
    statistics = {"threads": system.views.threads_met(), **outcome.statistics.as_dict()}
    violations = tuple(found.finding.sentence for found in outcome.found)
    if config.search.keep_going:
        statistics["violations"] = "; ".join(violations) or "none"
    reason = doubt(outcome.stopped, soundness)
    if outcome.found:
        result = falsified(system, outcome.found[0], property, expired, statistics, soundness)
    elif reason is not None:
        met = None if outcome.fault is None else shown(system, outcome.fault, expired)
        result = undecided(property, reason, statistics, met)
    else:
        result = proved(property, soundness, outcome.exhausted, statistics, ends.vacuous)
    return Explored(result, violations, outcome.exhausted, finals)


def is_over(watch: Watch[T], statistics: T) -> bool:
    """Whether a limit is exceeded by now."""
    return watch(statistics) is not None


def falsified(
    system: Interpreter,
    found: Found[State],
    property: str,
    expired: Callable[[], bool],
    statistics: dict[str, int | float | str],
    soundness: Soundness,
) -> Result:
    """The verdict "false", after a replay; the trace is made readable in the time that is left."""
    finding = found.finding
    schedule = minimise(system, found.schedule, finding, expired=expired)  # which replays it first
    trace = build_trace(system, schedule, property, finding)
    return violated(property, soundness, finding.sentence, trace, statistics)


_SHOWING_BUDGET = 2_000
"""Steps to shorten an execution that does not decide the property."""


def shown(system: Interpreter, met: Found[State], expired: Callable[[], bool]) -> Trace:
    """The trace of an execution that does not decide the property, after a replay."""
    schedule = minimise(system, met.schedule, met.finding, _SHOWING_BUDGET, expired)
    return build_trace(system, schedule, UNDEFINED, met.finding)


def doubt(stopped: StopReason | None, soundness: Soundness) -> str | None:
    """Why a search without a violation is no proof; None if it is one."""
    if stopped is not None:
        return stopped.text
    if soundness.complete:
        return None
    first, *more = soundness.reasons
    return f"{first} and {len(more)} more" if more else first
