"""What a worker says and is told, so that an heir can do the same: NOTE(replayed-workers)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from abpress.parallel.load import Diary, Doing
from abpress.parallel.messages import (
    Address,
    Batch,
    Continuation,
    Counted,
    Insertion,
    Lease,
    LeaseName,
    Message,
    Moment,
    Numbered,
)
from abpress.parallel.parts import Heritage, KeptPart, Told
from abpress.reductions.stateless.sequences import Items
from abpress.search.named import Met, Sender
from abpress.search.statistics import ExecutionStatistics

_GATHERED = 8
"""Looks for messages between two batches, if nobody waits for one."""


@dataclass(slots=True)
class Channel:
    """How a worker talks to the hub. `look` returns the next message if there is one, `wait` the
    next one whenever it comes."""

    send: Callable[[Batch | Counted | Told], None]
    look: Callable[[], Numbered | None]
    wait: Callable[[], Numbered]


class Post:
    """Gathers what a worker says into batches, and notes what it takes in when. Mutable.

    An heir is given what the dead worker took in at the same looks, and the batches that are known
    of that one are not sent again. `sent` and `taken` are how many messages of the search it has
    sent, and has taken in.
    """

    def __init__(self, channel: Channel, life: Heritage, diary: Diary) -> None:
        self._channel = channel
        self._diary = diary
        self._known = life.batches
        self._script = deque(life.taken)
        self._batches = self._moment = 0
        self._noted: list[tuple[Moment, int]] = []
        self._leaving: list[Message] = []
        self._inserted: dict[int, list[tuple[tuple[int, int], Items]]] = {}
        self._left: dict[LeaseName, list[Items]] = {}
        self.sent = self.taken = 0

    # -- out ------------------------------------------------------------------------------------

    def say(self, message: Message) -> None:
        """Says something that is no part of the search itself, with the next batch."""
        self._leaving.append(message)

    def hand_over(self, lease: Lease) -> None:
        """Hands a part of the tree over, with the next batch."""
        self.sent += 1
        self._leaving.append(lease)

    def insert(self, address: Address, after: int, v: Items) -> None:
        """Tells the owner of a node of a sequence that was found below its branch `after`."""
        if address.worker not in self._inserted:
            self._inserted[address.worker] = []
            self.sent += 1
        self._inserted[address.worker].append(((address.node, after), v))

    def go_on(self, lease: LeaseName, v: Items) -> None:
        """Tells who has a part of the tree of a sequence that goes on there."""
        if lease not in self._left:
            self._left[lease] = []
            self.sent += 1
        self._left[lease].append(v)

    def flush(self, sender: Sender, met: Met) -> None:
        """Sends what has been told since the last time, in the names of a sender; `met` is what all
        know who have had a part in that."""
        for worker, its in self._inserted.items():
            found = sender.sequences(v for _, v in its)
            nodes = tuple(where for where, _ in its)
            self._leaving.append(Insertion(worker, nodes, found, met))
        for lease, rests in self._left.items():
            left = sender.sequences(rests)
            self._leaving.append(Continuation(lease, left, met))
        self._inserted, self._left = {}, {}
        if not self._leaving:
            return
        if self._batches >= self._known:
            batch = Batch(self._batches, tuple(self._noted), tuple(self._leaving))
            self._channel.send(batch)
        self._batches += 1
        self._noted, self._leaving = [], []

    def count(self, statistics: ExecutionStatistics) -> None:
        """Says at once how much is done; it need not be heard."""
        self._channel.send(Counted(statistics))

    def tell(self, n: int, part: KeptPart) -> None:
        """Says at once what the worker knows, asked for the n-th time."""
        self._channel.send(Told(n, part))

    # -- in -------------------------------------------------------------------------------------

    @property
    def gathered(self) -> bool:
        """Whether it is time for the next batch."""
        return self._moment % _GATHERED == 0

    def come(self, waits: bool) -> Iterator[Message]:
        """Yields what has come; if it `waits`, that is something. Each counts as taken in when it
        is asked for."""
        self._moment += 1
        if self._batches < self._known:
            while self._script and self._script[0][0] == self._moment:
                _, number, message = self._script.popleft()
                yield self._note(number, message)
            return
        if waits:
            with self._diary.while_doing(Doing.WAITING):
                came: Numbered | None = self._channel.wait()
        else:
            came = self._channel.look()
        while came is not None:
            yield self._note(*came)
            came = self._channel.look()

    def _note(self, number: int, message: Message) -> Message:
        self._noted.append((self._moment, number))
        return message
