"""The ends of executions: complete, deadlocked, or blocked by an assumption or a bound."""

from __future__ import annotations

from enum import Enum

from abpress.ir.program import GuardKind
from abpress.semantics.protocols import S, TransitionSystem


class End(Enum):
    """The ways in which executions end in a state without a step."""

    COMPLETE = "complete"  # the program has ended
    DEADLOCK = "deadlock"  # every unfinished thread waits for another one
    BLOCKED = "blocked"  # some thread waits at an assume, or was cut off: no execution to judge


def classify(system: TransitionSystem[S], state: S) -> End:
    """The end of an execution in a state without a step, NOTE(assume-blocked)."""
    threads = system.threads(state)
    if not threads:
        return End.COMPLETE
    if all(system.waits(state, thread) is GuardKind.AWAIT for thread in threads):
        return End.DEADLOCK
    return End.BLOCKED
