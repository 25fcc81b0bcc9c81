"""Replay: a schedule is executed again before it is believed.

Of a long execution there are many states, and large ones. So they are passed on one by one, and
none is kept.
"""

from __future__ import annotations

from collections.abc import Iterator

from abpress.properties.finding import Finding
from abpress.search.ledger import Schedule
from abpress.semantics.protocols import Replayable, RunsThrough, S, Step

LONG = 1_000
"""Steps of an execution from which on a system is asked to repeat them all at once."""


def follow(system: Replayable[S], schedule: Schedule, finding: Finding) -> S | None:
    """The last state of the execution that `schedule` describes.

    None if it cannot be executed, or does not end with the finding.
    """
    state = system.initial()
    for i, (thread, choices) in enumerate(schedule):
        step = system.take(state, thread, choices)
        if step is None:
            return None
        state = step.successor
        if step.violation is not None:
            last = i == len(schedule) - 1
            return state if last and finding.is_committed_by(step) else None
    return state if finding.is_shown_by(system, state) else None


def leads(system: Replayable[S], schedule: Schedule, finding: Finding) -> bool:
    """Whether `follow` comes to an end."""
    if len(schedule) < LONG or not isinstance(system, RunsThrough):
        return follow(system, schedule, finding) is not None
    last = system.run_through(schedule)
    if last is None:
        return False
    if last.violation is not None:
        return finding.is_committed_by(last)
    return finding.is_shown_by(system, last.successor)


def replay(system: Replayable[S], schedule: Schedule, finding: Finding) -> S:
    """As `follow`; that the finding is not reached is an internal error."""
    state = follow(system, schedule, finding)
    if state is None:
        raise AssertionError(f"internal error: replay does not reach {finding.sentence!r}")
    return state


def passed(system: Replayable[S], schedule: Schedule) -> Iterator[tuple[S, Step[S]]]:
    """The states before the steps of an execution that was replayed, each with its step."""
    state = system.initial()
    for thread, choices in schedule:
        step = system.take(state, thread, choices)
        assert step is not None, "internal error: an execution cannot be run again"
        yield state, step
        state = step.successor
