"""Between the engines and the search: what a transition system is."""

from __future__ import annotations

from typing import Protocol

from abpress.ir.program import GuardKind
from abpress.reductions.static.protocol import Moves, OnStack, Reduction, S, Step
from abpress.semantics.outcome import Violation

__all__ = ["Moves", "OnStack", "Reduction", "S", "Step", "TransitionSystem", "Violation"]


class TransitionSystem(Moves[S], Protocol[S]):
    """A program as the search sees it: states, threads, and their steps.

    States are hashable, and equal only if their futures are. Everything is deterministic: the same
    question gets the same answer in the same order.
    """

    def initial(self) -> S:
        """The state in which executions start."""

    def waits(self, state: S, thread: int, /) -> GuardKind | None:
        """Why the thread has no step in the state; None if it has one.

        AWAIT: it waits for other threads, and is deadlocked if they never help. ASSUME: the
        program excludes the execution, or it is cut off there; in either case it is not judged.
        """
