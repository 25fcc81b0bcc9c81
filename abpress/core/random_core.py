"""The native core where executions are random; `native/hunted.c` says what it does."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path

from abpress.core.library import MOST_CHOICES, NO_LIMIT, Algorithm, MalformedCode, NativeCore
from abpress.core.told import CoreEvent
from abpress.semantics.choices import Given

MAY_BE_STUCK, MAY_BE_CIRCLE = 1, 2

_TOLD = 7
"""Numbers that are told of an execution."""


class RandomCore(NativeCore):
    """A hunt in a lowered program, of a generator and what lies ahead, in `words`. `listener` is
    asked of races, as `native/watch.c` does."""

    def __init__(
        self,
        program: array[int],
        words: Sequence[int],
        listener: Callable[[CoreEvent, int, int], int],
        path: Path | None = None,
    ) -> None:
        super().__init__(program, Algorithm.RANDOM, listener, path)
        self._choices = (ctypes.c_int64 * (3 * MOST_CHOICES))()
        self._hunted = (ctypes.c_int64 * _TOLD)()
        given = (ctypes.c_int64 * len(words))(*words)
        if not self._library.core_hunt(self._core, given, len(words)):
            raise MalformedCode("no hunt")

    def draw(self, numbers: Sequence[int], holding: float, length: float, bound: float) -> bool:
        """Begins an execution: its guide, schedule, three flags, profile, and whether it rests."""
        given = (ctypes.c_int * len(numbers))(*numbers)
        return bool(self._library.core_hunt_begin(self._core, given, holding, length, bound))

    def repeat(self, count: int) -> None:
        """Takes so many steps of the last execution, and one more of the thread of the next."""
        self._library.core_hunt_repeat(self._core, count)

    def play(self, poll: int) -> tuple[int, list[int]]:
        """Goes on for so many steps; how the execution has ended, 0 if it has not, and what it is
        like: its steps and decisions, where its last input is chosen, how many threads there were;
        whether the last one that has stopped waits for an assumption, and whether something is to
        be noted; and how many locations were left in all executions."""
        way = self._library.core_hunt_run(self._core, poll, self._hunted)
        self._raise()
        return way, self._hunted[:]

    def shows(self) -> int:
        """What the state may show: `MAY_BE_STUCK`, `MAY_BE_CIRCLE`, as bits."""
        return int(self._library.core_hunt_shows(self._core))

    def played(self, k: int) -> tuple[int, tuple[int, ...]]:
        """The thread and the choices of a step of the execution."""
        thread, its = ctypes.c_int(), self._choices
        count = self._library.core_hunt_step(self._core, k, ctypes.byref(thread), its)
        wide = [
            (its[3 * j], its[3 * j + 2] << 64 | its[3 * j + 1] & NO_LIMIT) for j in range(count)
        ]
        return thread.value, tuple(Given(value) if given else value for given, value in wide)

    def random(self) -> float:
        """A number that the generator draws."""
        return float(self._library.core_hunt_random(self._core))
