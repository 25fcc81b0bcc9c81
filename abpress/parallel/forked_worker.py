"""A worker that explores by native code what its desk, a `forked.ForkedDesk`, gives it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from time import monotonic
from typing import Any, Generic, Protocol, TypeVar

from abpress.parallel.forked import Commit, Committed
from abpress.parallel.load import Diary, Doing, WorkerLoad
from abpress.parallel.messages import Counted, Limited, Over, TheEnd, Wanted
from abpress.search.ledger import SearchOver
from abpress.search.limits import StopReason
from abpress.search.statistics import ExecutionStatistics

_PROGRESS = 0.5
"""Seconds after which a worker tells what it has done so far."""

LEAST, MOST = 1 << 13, 1 << 17
"""Events of a turn: the fewer, the sooner somebody who is idle is answered."""

_TURN, _LONG_TURN, _CALM = 0.01, 0.05, 50
"""Seconds; after turns that are shorter the next one has twice as many events, and half as many if
it took four times as long. Nobody has wanted something for so many times as long as turns may last:
each has some work to do besides."""


class ForkedChannel(Protocol):
    """How a worker talks to its desk: as `Channel`."""

    @property
    def send(self) -> Callable[[Any], None]:
        """Sends a message."""

    @property
    def look(self) -> Callable[[], Any | None]:
        """Returns the next message if there is one."""

    @property
    def wait(self) -> Callable[[], Any]:
        """Returns the next message whenever it comes."""


class CountedSearch(Protocol):
    """What explores: as `abpress.core.parts.CountedExecutions`."""

    def go_on(self, steps: int) -> bool:
        """Explores some of what was given; returns whether that is all. Raises SearchOver."""

    def done(self) -> ExecutionStatistics:
        """What was done, and is not told yet."""

    def not_told(self) -> ExecutionStatistics:
        """The same, which is still not told then."""


Search = TypeVar("Search", bound=CountedSearch)
Given = TypeVar("Given")
T = TypeVar("T")


class ForkedWorker(ABC, Generic[Search, Given]):
    """A worker at work. Mutable: `stopped` is the limit that it has met, with which it goes on
    until it is told to end; `over` once it has nothing more to do, because of what it has found, or
    as it was told so.

    `share` is asked for all that is to be kept of what the search has found, None if that is as
    before.
    """

    def __init__(
        self,
        search: Search,
        channel: ForkedChannel,
        poll: Callable[[ExecutionStatistics], StopReason | None],
        share: Callable[[], Any],
    ) -> None:
        self._search = search
        self._channel = channel
        self._poll = poll
        self._share = share
        self._diary = Diary()
        self._next = 0.0
        self._steps = LEAST
        self._part: Given | None = None
        self._wanted = self._ended = False
        self._wanted_at = monotonic()
        self._commits = 0  # that it has been asked for, and has not said; 0: none
        self._all = ExecutionStatistics()
        self._given = self._sent = self._received = 0
        self.stopped: StopReason | None = None
        self.over = False

    @property
    def rests(self) -> bool:
        """Whether it waits for a message."""
        return self._part is None or self.over

    @property
    def exhausted(self) -> bool:
        """Whether it has explored all that it was given."""
        return self._part is None

    def run(self) -> None:
        """Works until the search is over."""
        while not self._ended:
            if self.rests:
                with self._diary.while_doing(Doing.WAITING):
                    message = self._channel.wait()
                self.take(message)
                continue
            self.turn()
            while (came := self._channel.look()) is not None:
                self.take(came)

    def load(self) -> WorkerLoad:
        """What the worker has done until now, and when."""
        done = ExecutionStatistics()
        done.add(self._all)
        done.add(self._search.not_told())
        messages = self._sent, self._received
        return self._diary.load(done.executions, done.events, self._given, messages)

    @abstractmethod
    def take(self, message: Any) -> None:
        """Takes in a message."""

    def turn(self) -> None:
        """Explores some of what it has, and says what is to be said."""
        begun = monotonic()
        ends = self._searched(lambda: self._search.go_on(self._steps))
        if ends is None:
            return
        now = monotonic()
        self._pace(now - begun, now - self._wanted_at)
        self._say(ends)
        self._committed()
        if self.rests:
            return
        statistics = self._search.not_told()
        if now >= self._next:
            self._next = now + _PROGRESS
            self._channel.send(Counted(statistics))
        stopped = self._poll(statistics)
        if stopped is not None and self.stopped is None:
            self.stopped = stopped
            self._channel.send(Limited(stopped))

    def _pace(self, seconds: float, calm: float) -> None:
        """A turn took so long, and nobody has wanted something for so long."""
        turn = min(max(_TURN, calm / _CALM), _LONG_TURN)
        if seconds < turn:
            self._steps = min(2 * self._steps, MOST)
        elif seconds > 4 * turn:
            self._steps = max(self._steps // 2, LEAST)

    @abstractmethod
    def _say(self, ends: bool) -> None:
        """Says what is to be said now, when what it had `ends` or while it goes on."""

    def _told(self, message: Wanted | Commit | TheEnd) -> None:
        if isinstance(message, TheEnd):
            self.over = self._ended = True
        elif isinstance(message, Commit):
            self._commits = message.n
            if self.rests:
                self._committed()
        else:
            self._wanted, self._steps = True, LEAST
            self._wanted_at = monotonic()

    def _committed(self) -> None:
        """Says that all has been said that counts, if that was asked for."""
        if self._commits and not self.over:
            self._channel.send(Committed(self._commits))
            self._commits = 0

    def _takes(self, part: Given, begin: Callable[[], None]) -> None:
        self._received += 1
        self._diary.taken += 1
        self._part, self._wanted = part, False
        with self._diary.while_doing(Doing.REPLAYING):
            self._searched(begin)

    def _commit(self, said: Any) -> None:
        self._sent += 1
        self._all.add(said.done)
        self._channel.send(said)

    def _searched(self, go: Callable[[], T]) -> T | None:
        """What the search says; None if it is over, because of what it has found."""
        try:
            return go()
        except SearchOver:
            self._stop()
            return None

    def _stop(self) -> None:
        self.over = True
        self._channel.send(Over())
