"""What a worker did, and when."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from time import monotonic, time
from typing import Any

_SLOT = 0.01
"""Seconds of a slot at first; it doubles when a worker has had as many as these."""

_SLOTS = 200


class Doing(Enum):
    """What a worker does; the time in which it reads messages belongs to what it does then."""

    EXPLORING = "exploring"
    WAITING = "waiting"  # for a message: it has nothing to explore, or all rest
    REPLAYING = "replaying"  # executes again what leads to where it goes on
    HANDING_OVER = "handing over"
    TELLING = "telling"  # what it knows, to be kept


@dataclass(frozen=True, slots=True)
class WorkerLoad:
    """What a worker has done.

    `begun` is in seconds since 1970 by the clock of its machine. `slots` are equal spans of time
    from then on, of `slot` seconds each: how many of these it spent on each `Doing`, in their
    order. `replayed` are events on the way to parts that it has `taken` from others; it has `given`
    others so many. `sent` and `received` are messages of the search: parts, and sequences.
    """

    begun: float
    slot: float
    slots: tuple[tuple[float, ...], ...]
    executions: int = 0
    events: int = 0
    replayed: int = 0
    given: int = 0
    taken: int = 0
    sent: int = 0
    received: int = 0

    def seconds(self, doing: Doing) -> float:
        """How long it did this."""
        number = list(Doing).index(doing)
        return sum(slot[number] for slot in self.slots)

    def to_json(self, worker: int, zero: float) -> dict[str, Any]:
        """As data, of the worker of this number; its beginning in seconds after `zero`."""
        kinds = [doing for doing in Doing if self.seconds(doing)]
        return {
            "worker": worker,
            "begins_s": round(self.begun - zero, 4),
            "slot_s": self.slot,
            "seconds": {doing.value: round(self.seconds(doing), 4) for doing in kinds},
            "slots": {
                doing.value: [round(slot[list(Doing).index(doing)], 4) for slot in self.slots]
                for doing in kinds
            },
            "executions": self.executions,
            "events": self.events,
            "events_replayed": self.replayed,
            "parts_given": self.given,
            "parts_taken": self.taken,
            "messages_sent": self.sent,
            "messages_received": self.received,
        }


class Diary:
    """Keeps what a worker does when, in a bounded number of slots. Mutable: `replayed` and `taken`
    are those of `WorkerLoad`."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._begun_at = time()
        self._begun = self._since = clock()
        self._doing = Doing.EXPLORING
        self._numbers = {doing: number for number, doing in enumerate(Doing)}
        self._slot = _SLOT
        self._slots: list[list[float]] = []
        self.replayed = self.taken = 0

    @contextmanager
    def while_doing(self, doing: Doing) -> Iterator[None]:
        """Notes that the worker does this, and then again what it did before."""
        before = self._doing
        self._turn_to(doing)
        try:
            yield
        finally:
            self._turn_to(before)

    def load(
        self, executions: int, events: int, given: int, messages: tuple[int, int] = (0, 0)
    ) -> WorkerLoad:
        """All that was done until now; `messages` are those that it has sent and received."""
        self._turn_to(self._doing)
        slots = tuple(map(tuple, self._slots))
        its = executions, events, self.replayed, given, self.taken
        return WorkerLoad(self._begun_at, self._slot, slots, *its, *messages)

    def _turn_to(self, doing: Doing) -> None:
        begin, end = self._since - self._begun, self._clock() - self._begun
        while end >= _SLOTS * self._slot:
            self._slot *= 2
            pairs = zip(self._slots[::2], [*self._slots[1::2], [0.0] * len(Doing)], strict=False)
            self._slots = [[a + b for a, b in zip(*pair, strict=True)] for pair in pairs]
        number, slot = self._numbers[self._doing], self._slot
        while len(self._slots) <= end / slot:
            self._slots.append([0.0] * len(Doing))
        for k in range(int(begin / slot), int(end / slot) + 1):
            inside = min(end, (k + 1) * slot) - max(begin, k * slot)
            self._slots[k][number] += max(0.0, inside)
        self._doing, self._since = doing, self._begun + end
