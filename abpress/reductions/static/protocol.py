"""What a reduction is told about a system, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Protocol, TypeVar

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


class Foreseeing(Moves[S], Protocol):
    """Moves that tell, too, what other threads can come to do."""

    def confined(self, state: S, thread: int, /) -> bool:
        """Whether the thread's next step accesses only what no other thread can reach.

        True means the same, as long as the program does not end: what the step does might be
        missing in its last state if others ended it first.
        """

    def uncontended(self, state: S, thread: int, /) -> bool:
        """Whether the thread's next step accesses only what no other thread that can reach it may
        access in conflict later. True means what it means for `confined`."""


OnStack = Callable[[S], bool]
"""Whether a state is on the path of the depth-first search: begun and not yet left for good."""


class Reduction(Protocol[S]):
    """Chooses the threads to explore at a state.

    `thread_choices`: at how many states several threads were expanded so far.
    """

    thread_choices: int

    def expand(self, state: S, on_stack: OnStack[S], /) -> Iterator[Step[S]]:
        """All steps of each thread of a set that suffices; none if and only if there are none.

        The search asks for the next step when everything behind the previous one is explored.
        While it does, `state` itself and the states before it are on the stack.
        """
