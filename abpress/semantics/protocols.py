"""The interfaces that the semantics offers to searches and reductions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

from abpress.ir.program import GuardKind
from abpress.semantics.outcome import Change, State, Violation

S = TypeVar("S", bound=Hashable)
S_contra = TypeVar("S_contra", bound=Hashable, contravariant=True)
S_co = TypeVar("S_co", bound=Hashable, covariant=True)


class Step(Protocol[S_co]):
    """One step of a thread: a visible action and the invisible ones after it."""

    @property
    def thread(self) -> int:
        """The thread that moves."""

    @property
    def choices(self) -> tuple[int, ...]:
        """Tells this step from the others of its thread in the state: inputs and branches."""

    @property
    def successor(self) -> S_co:
        """The state after the step; of no meaning if the step ends with a violation."""

    @property
    def violation(self) -> Violation | None:
        """If not None, the execution ends with it: nothing is explored after the step."""


class Steps(Protocol[S]):
    """The threads of a state and their steps."""

    def threads(self, state: S, /) -> Sequence[int]:
        """The unfinished threads, in a fixed order; none when the program has ended."""

    def steps(self, state: S, thread: int, /) -> tuple[Step[S], ...]:
        """All steps of the thread: one per choice; none when it waits or its execution ends."""


class Moves(Steps[S], Protocol[S]):
    """Steps of which it can be told whether other threads see them."""

    def invisible(self, state: S, thread: int, /) -> bool:
        """Whether the thread's next step does nothing that other threads can see or influence.

        True means: every step of the thread here stays possible, and leads to the same, whatever
        the others do first; and it neither enables nor disables a step of theirs.
        False allows everything.
        """


@runtime_checkable
class TellsFaults(Protocol):
    """Tells somebody of attempts that are undefined behaviour: the state, and what stands for the
    step (its successor is that state)."""

    on_fault: Callable[[Any, Any], None] | None


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


class Foresees(Protocol[S_contra]):
    """What other threads can come to do. What is answered holds as long as the thread rests."""

    def confined(self, state: S_contra, thread: int, /) -> bool:
        """Whether the thread's next step accesses only what no other thread can reach.

        True means what it means for `Moves.invisible`, as long as the program does not end: what
        the step does might be missing in its last state if others ended it first.
        """

    def uncontended(self, state: S_contra, thread: int, /) -> bool:
        """Whether the thread's next step accesses only what no other thread that can reach it may
        access in conflict later. True means what it means for `confined`."""

    def compound(self, state: S_contra, thread: int, /) -> bool:
        """Whether what the thread's next step accesses may depend on what it reads."""

    def point(self, state: S_contra, thread: int, /) -> int:
        """Where an unfinished thread stands in its program."""

    def may_come(self, state: S_contra, thread: int, point: int, /) -> bool:
        """Whether a thread, which may be created later, may be at the point, now or later."""

    def creator(self, thread: int, /) -> int:
        """Who has created a thread; 0 for the first one."""


class Foreseeing(Moves[S], Protocol[S]):
    """Moves of which it can be told what other threads can come to do."""

    @property
    def foresight(self) -> Foresees[S]:
        """Answers about what others can come to do."""


class TakesBack(Protocol):
    """Takes steps out of the middle of an execution."""

    def change(self, before: State, after: State, thread: int, /) -> Change | None:
        """What a step of the thread from the one state to the other has changed; None if that
        cannot be taken back."""

    def restored(self, state: State, changes: Iterable[Change], /) -> State:
        """The state with what was changed as it was before, one change after the other."""


class Reversible(Steps[State], Protocol):
    """A system whose steps can be taken back."""

    @property
    def undo(self) -> TakesBack:
        """Takes steps of the system back."""


class Splits(Protocol):
    """Compares states that differ in cells at fixed places only."""

    @property
    def addresses(self) -> tuple[int, ...]:
        """The keys of these cells."""

    def split(self, state: State, /) -> tuple[State, tuple[Any, ...]]:
        """The state without the contents of these cells, and these contents."""

    def same_but(
        self, one: tuple[Any, ...], other: tuple[Any, ...], free: Callable[[int], bool], /
    ) -> bool:
        """Whether the contents are the same but for what the cells hold whose keys are `free`."""


class Comparable(Reversible, Protocol):
    """A system whose states can be compared cell by cell."""

    @property
    def cells(self) -> Splits:
        """Compares states of the system."""


@runtime_checkable
class RunsThrough(Protocol):
    """A transition system that executes many steps quicker than one by one."""

    def run_through(self, schedule: Iterable[tuple[int, tuple[int, ...]]], /) -> Step[Any] | None:
        """The last step of the execution of these steps; None if there is none. What one commits is
        the last one."""


class Replayable(TransitionSystem[S], Protocol[S]):
    """A transition system of which single steps can be executed again."""

    def take(self, state: S, thread: int, choices: tuple[int, ...], /) -> Step[S] | None:
        """The step of the thread with these choices; None if it has none."""
