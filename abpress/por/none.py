"""No reduction: every thread at every state. The measure of all others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic

from abpress.por.reduction import Moves, OnStack, S, Step


class NoReduction(Generic[S]):
    """Expands all threads."""

    def __init__(self, system: Moves[S]) -> None:
        self._system = system

    def expand(self, state: S, on_stack: OnStack[S]) -> Iterator[Step[S]]:
        """All steps of all threads of `state`."""
        steps = self._system.steps
        for thread in self._system.threads(state):
            yield from steps(state, thread)
