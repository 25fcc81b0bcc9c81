"""Replay: a schedule is executed again before it is believed."""

from __future__ import annotations

from abpress.properties.finding import Finding
from abpress.search.ledger import Schedule
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.protocols import S, Step, TransitionSystem


def follow(
    system: TransitionSystem[S], schedule: Schedule, finding: Finding
) -> tuple[S, ...] | None:
    """The states that `schedule` passes, the initial and the last one included.

    None if it cannot be executed, or does not end with the finding.
    """
    state = system.initial()
    states = [state]
    for i, (thread, choices) in enumerate(schedule):
        step = find_step(system, state, thread, choices)
        if step is None:
            return None
        if step.violation is not None:
            last = i == len(schedule) - 1
            return (*states, step.successor) if last and finding.is_committed_by(step) else None
        state = step.successor
        states.append(state)
    return tuple(states) if finding.is_shown_by(system, state) else None


def replay(system: TransitionSystem[S], schedule: Schedule, finding: Finding) -> tuple[S, ...]:
    """As `follow`; that the finding is not reached is an internal error."""
    states = follow(system, schedule, finding)
    if states is None:
        raise AssertionError(f"internal error: replay does not reach {finding.sentence!r}")
    return states


def find_step(
    system: TransitionSystem[S], state: S, thread: int, choices: tuple[int, ...]
) -> Step[S] | None:
    """The step of the thread with these choices, if it has one."""
    if thread not in system.threads(state):
        return None
    if isinstance(system, Interpreter):
        return system.take(state, thread, choices)
    return next((s for s in system.steps(state, thread) if s.choices == choices), None)
