"""A worker that explores parts of a tree which a `dealer.Dealer` gives out: NOTE(native-parts)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from abpress.parallel.dealer import Deal, PartSaid, ToPartWorker
from abpress.parallel.forked_worker import CountedSearch, ForkedChannel, ForkedWorker
from abpress.parallel.load import Doing
from abpress.search.limits import StopReason
from abpress.search.part import Missing, PartSplit, TreePart
from abpress.search.statistics import ExecutionStatistics


class PartSearch(CountedSearch, Protocol):
    """What explores parts: as `abpress.core.parts.CoreParts`."""

    missing: list[Missing]

    def begin(self, part: TreePart) -> None:
        """Goes to where a part begins."""

    def split(self) -> tuple[PartSplit, ExecutionStatistics] | None:
        """Hands over what others can have, and what is done for good."""


class PartWorker(ForkedWorker[PartSearch, TreePart]):
    """Such a worker. `begun`: the search has begun with the whole tree, and is in the middle of
    it."""

    def __init__(
        self,
        search: PartSearch,
        channel: ForkedChannel,
        poll: Callable[[ExecutionStatistics], StopReason | None],
        share: Callable[[], Any],
        begun: bool = False,
    ) -> None:
        super().__init__(search, channel, poll, share)
        self._part = () if begun else None

    def take(self, message: ToPartWorker) -> None:
        if isinstance(message, Deal):
            part = message.part
            self._diary.replayed += max(0, len(part) - 1)
            self._takes(part, lambda: self._search.begin(part))
        else:
            self._told(message)

    def _say(self, ends: bool) -> None:
        missing, self._search.missing = tuple(self._search.missing), []
        if ends:
            self._part = None
            self._commit(PartSaid(missing, self._search.done(), self._share(), ends=True))
            return
        while (self._wanted or self._commits) and (found := self._search.split()) is not None:
            with self._diary.while_doing(Doing.HANDING_OVER):
                self._wanted = False
                split, done = found
                self._given += len(split.rest) + (split.given is not None)
                self._commit(PartSaid(missing, done, self._share(), split))
                missing = ()
        if missing:
            self._channel.send(PartSaid(missing))
