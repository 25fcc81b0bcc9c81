"""A worker that explores leaves which a `planner.Planner` gives out: NOTE(native-leaves)."""

from __future__ import annotations

from typing import Any, Protocol

from abpress.parallel.forked_worker import CountedSearch, ForkedWorker
from abpress.parallel.load import Doing
from abpress.parallel.planner import GiveLeaves, LeavesSaid, ToLeafWorker
from abpress.search.leaves import Leaves, LeavesBack, Sequences
from abpress.search.statistics import ExecutionStatistics


class LeafSearch(CountedSearch, Protocol):
    """What explores leaves: as `abpress.core.leaves.CoreLeaves`."""

    def begin(self, leaves: Leaves) -> None:
        """Goes to the first leaf."""

    def follow(self, leaves: Leaves) -> None:
        """Learns what has become of the tree, as is told with leaves."""

    def back(self) -> LeavesBack:
        """Leaves that are explored, when all are."""

    def rest(self) -> LeavesBack:
        """Gives back what is left. Raises SearchOver."""

    def divide(self) -> tuple[LeavesBack, ExecutionStatistics] | None:
        """Gives some back, if it can, with what was done of what is explored."""

    @property
    def stale(self) -> bool:
        """Whether it does not go on, as all have to begin again once it has told what it knows."""

    @property
    def tells(self) -> bool:
        """Whether so much is to be told that nobody should wait."""

    def sequences(self) -> Sequences:
        """What is to be told by now, and was not."""

    @property
    def code(self) -> str:
        """A hash of what is searched."""


class LeafWorker(ForkedWorker[LeafSearch, Leaves]):
    """Such a worker. Mutable: `_ahead` are leaves for when it has explored those that it has."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._ahead: Leaves | None = None

    def take(self, message: ToLeafWorker) -> None:
        if not isinstance(message, GiveLeaves):
            self._told(message)
            return
        self._search.follow(message.leaves)
        if not message.leaves.numbers:
            return
        if self._part is None:
            self._begin(message.leaves)
        else:
            self._ahead = message.leaves

    def _begin(self, leaves: Leaves) -> None:
        self._takes(leaves, lambda: self._search.begin(leaves))

    def _say(self, ends: bool) -> None:
        search = self._search
        if search.stale:
            self.over = True
            self._channel.send(LeavesSaid(search.sequences()))
        elif ends:
            self._back(search.back())
        elif self._commits:
            with self._diary.while_doing(Doing.HANDING_OVER):
                back = self._searched(search.rest)
                if back is not None:
                    self._given += bool(back.rest)
                    self._back(back)
        elif self._wanted and (divided := self._divided()) is not None:
            self._wanted = False
            self._given += 1
            self._commit(said(search, *divided, self._share()))
        elif search.tells:
            self._channel.send(LeavesSaid(search.sequences()))

    def _divided(self) -> tuple[LeavesBack, ExecutionStatistics] | None:
        with self._diary.while_doing(Doing.HANDING_OVER):
            return self._search.divide()

    def _back(self, back: LeavesBack) -> None:
        self._part = None
        self._commit(said(self._search, back, self._search.done(), self._share()))
        ahead, self._ahead = self._ahead, None
        if ahead is not None:
            self._begin(ahead)


def said(
    search: LeafSearch, back: LeavesBack, done: ExecutionStatistics, share: object
) -> LeavesSaid:
    """What is said of leaves that come back, and what was done of them."""
    return LeavesSaid(search.sequences(), back, done, share, search.code)
