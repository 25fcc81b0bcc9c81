"""The order in which a search tries the threads of a state."""

from __future__ import annotations

import random
from collections.abc import Callable

from abpress.ir.program import Program
from abpress.result import Soundness
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import Options, State

SEQUENTIAL, RANDOM = "sequential", "random"

Arrange = Callable[[tuple[int, ...]], tuple[int, ...]]


class InOrder(Interpreter):
    """An interpreter that tries the threads of a program in another order.

    `order`: `sequential`, threads as they are created; `random`, by the `seed`, at each state anew;
    or the names of threads, separated by commas, which come before all others.
    """

    def __init__(
        self, program: Program, options: Options, soundness: Soundness, order: str, seed: int
    ) -> None:
        super().__init__(program, options, soundness)
        self._arrange: Arrange = tuple
        if order == RANDOM:
            self._arrange = _at_random(seed)
        elif order != SEQUENTIAL:
            self._arrange = self._named_first(order.split(","))

    def threads(self, s: State) -> tuple[int, ...]:
        """The unfinished threads in this order."""
        return self._arrange(super().threads(s))

    def _named_first(self, names: list[str]) -> Arrange:
        ranks = {name: rank for rank, name in enumerate(names)}

        def rank(thread: int) -> int:
            return ranks.get(self.views.thread_name(thread), len(ranks))

        return lambda threads: tuple(sorted(threads, key=rank))


def _at_random(seed: int) -> Arrange:
    chance = random.Random(seed)
    return lambda threads: tuple(chance.sample(threads, len(threads)))
