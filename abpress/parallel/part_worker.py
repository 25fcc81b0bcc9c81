"""A worker that explores parts of a tree which a `dealer.Dealer` gives out: NOTE(native-parts)."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any, Protocol

from abpress.parallel.dealer import Deal, FromPartWorker, PartSaid, ToPartWorker
from abpress.parallel.load import Diary, Doing, WorkerLoad
from abpress.parallel.messages import Counted, Over, TheEnd, Wanted
from abpress.search.ledger import SearchOver
from abpress.search.limits import StopReason
from abpress.search.part import Missing, PartSplit, TreePart
from abpress.search.statistics import ExecutionStatistics

_PROGRESS = 0.5
"""Seconds after which a worker tells what it has done so far."""


class PartChannel(Protocol):
    """How a worker talks to the dealer: as `Channel`."""

    @property
    def send(self) -> Callable[[FromPartWorker], None]:
        """Sends a message."""

    @property
    def look(self) -> Callable[[], ToPartWorker | None]:
        """Returns the next message if there is one."""

    @property
    def wait(self) -> Callable[[], ToPartWorker]:
        """Returns the next message whenever it comes."""


class PartSearch(Protocol):
    """What explores parts: as `abpress.core.parts.CoreParts`."""

    missing: list[Missing]

    def begin(self, part: TreePart) -> None:
        """Goes to where a part begins."""

    def go_on(self) -> bool:
        """Explores some of it; returns whether that is all. Raises SearchOver."""

    def split(self) -> tuple[PartSplit, ExecutionStatistics] | None:
        """Hands over what others can have, and what is done for good."""

    def done(self) -> ExecutionStatistics:
        """What was done, and is not told yet."""

    def not_told(self) -> ExecutionStatistics:
        """The same, which is still not told then."""


class PartWorker:
    """A worker at work. Mutable: `stopped` is the limit that it has met; `over` once it has nothing
    more to do, because of that, of what it has found, or as it was told so.

    `share` is asked for all that is to be kept of what the search has found, None if that is as
    before. `begun`: the search has begun with the whole tree, and is in the middle of it.
    """

    def __init__(
        self,
        search: PartSearch,
        channel: PartChannel,
        poll: Callable[[ExecutionStatistics], StopReason | None],
        share: Callable[[], Any],
        begun: bool = False,
    ) -> None:
        self._search = search
        self._channel = channel
        self._poll = poll
        self._share = share
        self._diary = Diary()
        self._next = 0.0
        self._part: TreePart | None = () if begun else None
        self._wanted = self._ended = False
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

    def take(self, message: ToPartWorker) -> None:
        """Takes in a message."""
        match message:
            case TheEnd():
                self.over = self._ended = True
            case Wanted():
                self._wanted = True
            case Deal(part):
                self._received += 1
                self._diary.taken += 1
                self._diary.replayed += max(0, len(part) - 1)
                self._part, self._wanted = part, False
                with self._diary.while_doing(Doing.REPLAYING):
                    self._searched(lambda: self._search.begin(part))

    def turn(self) -> None:
        """Explores some of its part, and says what is to be said."""
        ends = self._searched(self._search.go_on)
        if ends is None:
            return
        missing, self._search.missing = tuple(self._search.missing), []
        if ends:
            self._part = None
            self._say(missing, self._search.done(), ends=True)
            return
        if self._wanted and (found := self._search.split()) is not None:
            with self._diary.while_doing(Doing.HANDING_OVER):
                self._wanted = False
                split, done = found
                self._given += len(split.rest) + (split.given is not None)
                self._say(missing, done, split)
        elif missing:
            self._channel.send(PartSaid(missing))
        statistics = self._search.not_told()
        now = monotonic()
        if now >= self._next:
            self._next = now + _PROGRESS
            self._channel.send(Counted(statistics))
        self.stopped = self._poll(statistics)
        if self.stopped is not None:
            self._stop()

    def _searched(self, go: Callable[[], bool | None]) -> bool | None:
        """What the search says; None if it is over, because of what it has found."""
        try:
            return go()
        except SearchOver:
            self._stop()
            return None

    def _stop(self) -> None:
        self.over = True
        self._channel.send(Over())

    def _say(
        self,
        missing: tuple[Missing, ...],
        done: ExecutionStatistics,
        split: PartSplit | None = None,
        ends: bool = False,
    ) -> None:
        self._sent += 1
        self._all.add(done)
        self._channel.send(PartSaid(missing, done, self._share(), split, ends))
