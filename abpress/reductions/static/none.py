"""No reduction: every thread at every state. The measure of all others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic

from abpress.reductions.choice import Visited
from abpress.semantics.protocols import Moves, S, Step


class NoReduction(Generic[S]):
    """Expands all threads."""

    def __init__(self, system: Moves[S]) -> None:
        self._system = system
        self.asks_again = False
        self.thread_choices = 0

    def expand(self, state: S, visited: Visited[S]) -> Iterator[Step[S]]:
        """All steps of all threads of `state`."""
        return self.all(state, self._system.threads(state))

    def alone(self, state: S, threads: Sequence[int]) -> tuple[Step[S], ...] | None:
        """The steps of one of the threads of `state` that suffice if others are not put off for
        ever; None if there is no such thread. A function of the state."""
        return None

    def all(self, state: S, threads: Sequence[int]) -> Iterator[Step[S]]:
        """All steps of the threads of `state`."""
        moving = 0
        for thread in threads:
            steps = self._system.steps(state, thread)
            if steps:
                moving += 1
                if moving == 2:
                    self.thread_choices += 1
                yield from steps

    def meet(self, serial: int, state: S) -> None:
        """Does nothing: where steps lead does not matter."""

    def stays(self, state: S) -> bool:
        """False: steps that lead back to the state were not left out."""
        return False

    def leave(self) -> None:
        """Does nothing: what was found behind the state does not matter."""

    def statistics(self) -> dict[str, int]:
        """No numbers."""
        return {}
