"""What a reduction is told about a system, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from abpress.semantics.protocols import S, Step

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
