"""Programs with one execution."""

from __future__ import annotations

from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State


def only_execution(interpreter: Interpreter) -> tuple[State, bool, list[str]]:
    """Where the execution ends; whether all threads do there; which properties it violates."""
    violated: list[str] = []
    interpreter.on_fault = lambda _, attempt: violated.append(attempt.violation.property)
    s = interpreter.initial()
    while threads := interpreter.threads(s):
        steps = interpreter.steps(s, threads[0])
        if not steps:
            return s, False, violated
        (step,) = steps
        s = step.successor
        if step.violation is not None:
            return s, False, [step.violation.property]
    return s, True, violated
