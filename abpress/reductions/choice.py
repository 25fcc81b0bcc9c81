"""The interface of reductions of the search that stores states.

A static reduction knows the threads to explore from the state alone. It is a dynamic one that never
asks again: what is found behind their steps does not matter to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, Protocol

from abpress.semantics.protocols import S, Step

OnStack = Callable[[S], bool]
"""Whether a state is on the path of the depth-first search: visited and not yet left for good."""


@dataclass(frozen=True, slots=True)
class Visited(Generic[S]):
    """The states that the search has met so far.

    `serial` is the number of a visited state in the order of discovery, from 0 on; None of others.
    """

    serial: Callable[[S], int | None]
    on_stack: OnStack[S]


class StatefulReduction(Protocol[S]):
    """Chooses the threads to explore at a state. Made for one search.

    `asks_again` says whether the reduction is told where its steps lead (`meet`, `leave`).
    `thread_choices`: at how many states several threads were expanded so far.
    """

    asks_again: bool
    thread_choices: int

    def expand(self, state: S, visited: Visited[S], /) -> Iterator[Step[S]]:
        """All steps of each thread of a set that suffices at a state that was just discovered.

        Steps that lead back to the state may be left out; else there are none only if there are
        none.

        The search asks for the next step when everything behind the previous one is explored:
        then the reduction decides whether it wants another thread. While the search asks, `state`
        itself and the states before it are on the stack.
        """

    def meet(self, serial: int, state: S, /) -> None:
        """Is told that the last step has led to this visited state."""

    def stays(self, state: S, /) -> bool:
        """Whether the top of the stack, at which there was no step, has one that leads back to it:
        then no execution ends there."""

    def leave(self) -> None:
        """Is told that the search leaves the top of the stack for good."""

    def statistics(self) -> dict[str, int]:
        """The reduction's own numbers."""
