"""What the semantics offers to searches and reductions."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol, TypeVar

from abpress.ir.program import GuardKind
from abpress.semantics.outcome import Violation

S = TypeVar("S", bound=Hashable)
S_co = TypeVar("S_co", bound=Hashable, covariant=True)


class Step(Protocol[S_co]):
    """One step of a thread: a visible action and the invisible ones after it."""

    @property
    def thread(self) -> int: ...

    @property
    def choices(self) -> tuple[int, ...]:
        """Tells this step from the others of its thread in the state: inputs and branches."""

    @property
    def successor(self) -> S_co: ...

    @property
    def violation(self) -> Violation | None:
        """If not None, the execution ends with it: nothing is explored after the step."""


class Moves(Protocol[S]):
    """The threads of a state and their steps."""

    def threads(self, state: S, /) -> tuple[int, ...]:
        """The unfinished threads, in a fixed order; none when the program has ended."""

    def steps(self, state: S, thread: int, /) -> tuple[Step[S], ...]:
        """All steps of the thread: one per choice; none when it waits or its execution ends."""

    def invisible(self, state: S, thread: int, /) -> bool:
        """Whether the thread's next step does nothing that other threads can see or influence.

        True means: every step of the thread here stays possible, and leads to the same, whatever
        the others do first; and it neither enables nor disables a step of theirs.
        False allows everything.
        """


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
