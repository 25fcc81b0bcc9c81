"""Replay: a schedule is executed again before it is believed."""

from __future__ import annotations

from abpress.properties.finding import Finding
from abpress.search.ledger import Schedule
from abpress.semantics.protocols import Replayable, S, Step


def follow(system: Replayable[S], schedule: Schedule, finding: Finding) -> tuple[S, ...] | None:
    """The states that `schedule` passes, the initial and the last one included.

    None if it cannot be executed, or does not end with the finding.
    """
    state = system.initial()
    states = [state]
    for i, (thread, choices) in enumerate(schedule):
        step = _find_step(system, state, thread, choices)
        if step is None:
            return None
        if step.violation is not None:
            last = i == len(schedule) - 1
            return (*states, step.successor) if last and finding.is_committed_by(step) else None
        state = step.successor
        states.append(state)
    return tuple(states) if finding.is_shown_by(system, state) else None


def replay(system: Replayable[S], schedule: Schedule, finding: Finding) -> tuple[S, ...]:
    """As `follow`; that the finding is not reached is an internal error."""
    states = follow(system, schedule, finding)
    if states is None:
        raise AssertionError(f"internal error: replay does not reach {finding.sentence!r}")
    return states


def _find_step(
    system: Replayable[S], state: S, thread: int, choices: tuple[int, ...]
) -> Step[S] | None:
    """The step of the thread with these choices, if it has one."""
    if thread not in system.threads(state):
        return None
    return system.take(state, thread, choices)
