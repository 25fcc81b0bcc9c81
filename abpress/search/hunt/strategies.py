"""Strategies of random executions: who moves next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol


class Scheduler(Protocol):
    """Decides in one execution who moves. Mutable. Threads are given by their places."""

    def next(self, active: Sequence[int], /) -> int:
        """One of the threads that may move, of which there is at least one."""


MakeScheduler = Callable[[Random, float], Scheduler]
"""For an execution that is expected to have so many steps."""


class Uniform:
    """Every thread is as likely."""

    def __init__(self, chance: Random, length: float) -> None:
        self._random = chance.random

    def next(self, active: Sequence[int]) -> int:
        return active[int(self._random() * len(active))]


class Sticky:
    """The same thread goes on, but for a switch now and then."""

    def __init__(self, chance: Random, length: float) -> None:
        self._random = chance.random
        self._switches = 0.3 * chance.random()
        self._last = -1

    def next(self, active: Sequence[int]) -> int:
        if self._last not in active or self._random() < self._switches:
            self._last = active[int(self._random() * len(active))]
        return self._last


class Priorities:
    """The thread of the highest priority moves, and loses it at a few random points [PCT10].

    No thread has the highest one for ever: it may be in a loop that waits for another.
    """

    def __init__(self, chance: Random, length: float) -> None:
        self._random = chance.random
        self._priorities: dict[int, float] = {}
        points = chance.randrange(6)
        self._points = sorted((int(chance.random() * length) for _ in range(points)), reverse=True)
        self._patience = int(50 * 40 ** chance.random())
        self._steps = 0
        self._last, self._turn = -1, 0

    def next(self, active: Sequence[int]) -> int:
        priorities = self._priorities
        for place in active:
            if place not in priorities:
                priorities[place] = self._random()
        best = max(active, key=priorities.__getitem__)
        self._steps += 1
        if best == self._last:
            self._turn += 1
        else:
            self._last, self._turn = best, 0
        if self._points and self._steps > self._points[-1]:
            self._points.pop()
            priorities[best] = -float(self._steps)
        elif self._turn > self._patience:
            self._turn = 0
            priorities[best] = -float(self._steps)
        return best


class Rotation:
    """The threads take turns, each of a number of steps of its own; first turns may be longer."""

    def __init__(self, chance: Random, length: float) -> None:
        self._chance = chance
        self._quanta: dict[int, int] = {}
        self._first = chance.choice((0, 0, 4, 16))
        self._noise = 0.1 * chance.random() if chance.random() < 0.5 else 0.0
        self._last, self._left = -1, 0

    def next(self, active: Sequence[int]) -> int:
        if self._noise and self._chance.random() < self._noise:
            return active[int(self._chance.random() * len(active))]
        if self._left and self._last in active:
            self._left -= 1
            return self._last
        later = [place for place in active if place > self._last]
        self._last = min(later or active)
        quantum = self._quanta.get(self._last)
        if quantum is None:
            quantum = self._quanta[self._last] = self._chance.randrange(1, 5)
            self._left = quantum - 1 + self._chance.randrange(self._first + 1)
        else:
            self._left = quantum - 1
        return self._last


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to schedule: its share of the executions, and what decides who moves.

    `holding` is the share of its executions that hold threads before errors and aborts, `delays`
    says that threads are held at random places, `creators_first` that who may create threads moves
    before all others, `few` that only a few threads take part at a time.
    """

    name: str
    share: float
    make: MakeScheduler
    holding: float = 0.5
    delays: bool = False
    creators_first: bool = False
    few: bool = False


STRATEGIES: Mapping[str, Strategy] = {
    strategy.name: strategy
    for strategy in (
        Strategy("pct", 22, Priorities),
        Strategy("uniform", 18, Uniform),
        Strategy("sticky", 14, Sticky),
        Strategy("rotate", 14, Rotation),
        Strategy("assert-holding", 14, Uniform, holding=1.0, creators_first=True, few=True),
        Strategy("delay", 10, Sticky, delays=True),
        Strategy("creation-first", 8, Priorities, creators_first=True),
    )
}
"""The strategies by their names; the first executions try them in this order."""
