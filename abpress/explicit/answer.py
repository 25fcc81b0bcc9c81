"""What the concrete searches make of their outcome: a replayed violation, or a doubt."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from abpress.explore.driver import Found
from abpress.explore.limits import StopReason, Watch
from abpress.result import Result, Soundness, violated
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State, Violation
from abpress.witness.build import build_trace
from abpress.witness.minimise import minimise
from abpress.witness.replay import replay

T = TypeVar("T")


def is_over(watch: Watch[T], statistics: T) -> bool:
    """Whether a limit is exceeded by now."""
    return watch(statistics) is not None


def falsified(
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
    return violated(property, described(violation), trace, statistics)


def described(violation: Violation | None) -> str:
    """The violation in one line; None is a deadlock."""
    if violation is None:
        return "deadlock"
    return f"{violation.position.origin}: {violation.message}"


def listed(found: Iterable[Found[State]]) -> str:
    """All violations that were found, in one line each."""
    return "; ".join(described(f.violation) for f in found) or "none"


def doubt(stopped: StopReason | None, soundness: Soundness) -> str | None:
    """Why a search without a violation is no proof; None if it is one."""
    if stopped is not None:
        return stopped.text
    if soundness.complete:
        return None
    first, *more = soundness.reasons
    return f"{first} and {len(more)} more" if more else first
