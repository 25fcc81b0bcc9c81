"""Replay: a schedule is executed again before it is believed."""

from __future__ import annotations

from abpress.search.driver import End, Schedule, classify
from abpress.search.protocols import S, Step, TransitionSystem, Violation
from abpress.semantics.interpreter import Interpreter


def follow(
    system: TransitionSystem[S], schedule: Schedule, violation: Violation | None
) -> tuple[S, ...] | None:
    """The states that `schedule` passes, the initial and the last one included.

    None if it cannot be executed, or does not end with `violation` (None: with a deadlock).
    The violation may be committed by another thread, but is otherwise the same.
    """
    state = system.initial()
    states = [state]
    for i, (thread, choices) in enumerate(schedule):
        step = find_step(system, state, thread, choices)
        if step is None:
            return None
        if step.violation is not None:
            last = i == len(schedule) - 1
            if not last or violation is None or not same_violation(step.violation, violation):
                return None
            return (*states, step.successor)
        state = step.successor
        states.append(state)
    if violation is None and is_deadlock(system, state):
        return tuple(states)
    return None


def replay(
    system: TransitionSystem[S], schedule: Schedule, violation: Violation | None
) -> tuple[S, ...]:
    """As `follow`; that the violation is not reached is an internal error."""
    states = follow(system, schedule, violation)
    if states is None:
        what = "the deadlock" if violation is None else f"the violation {violation.message!r}"
        raise AssertionError(f"internal error: replay does not reach {what}")
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


def same_violation(a: Violation, b: Violation) -> bool:
    """Whether both are the same error at the same place, whichever thread commits it."""
    return (a.property, a.message, a.position) == (b.property, b.message, b.position)


def is_deadlock(system: TransitionSystem[S], state: S) -> bool:
    """Whether no thread can move, and every unfinished one waits for another."""
    if any(system.steps(state, thread) for thread in system.threads(state)):
        return False
    return classify(system, state) is End.DEADLOCK
