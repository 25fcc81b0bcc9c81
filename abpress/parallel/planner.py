"""Who gives leaves of a wakeup tree out to searches that explore them: NOTE(native-leaves).

It has the one tree into which all sequences are inserted. Searches say what is to be explored from
nodes on the ways to their leaves, and give back what they have not explored if somebody is idle.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from abpress.parallel.forked import Commit, Committed, ForkedDesk, PartRefused
from abpress.parallel.kept import KeptLeaves
from abpress.parallel.messages import Counted, Limited, Over, TheEnd, Wanted
from abpress.search.leaves import (
    Leaves,
    LeavesBack,
    NamedAccess,
    NamedKey,
    Sequences,
    TreeNews,
)
from abpress.search.named_accesses import NamedAccesses
from abpress.search.statistics import ExecutionStatistics

_MOST = 2000
"""Leaves that are given out together."""

_MANY = 50
"""So many together may be given ahead to who has some, so that nobody has to wait for more."""

_COPIES = range(5, 65)
"""How many workers have copies of the tree: of fewer none has one, as who gives leaves out has time
to find out what is there already, and of more, as news for all take longer to make and to read than
they save (docs/scaling.md)."""

_LEAST_NEWS = 1 << 12
"""Bytes of what is new that are told to who tells something, and gets no leaves."""

_MOST_NEWS = 1 << 26
"""Bytes of what is new to a worker that are kept until it gets leaves; if it is more, it gets the
whole tree."""


WAITED = "workers, where a thread was seen to wait for what is written blindly"
"""Why all begin again, with `Planner.waited`."""


@dataclass(frozen=True, slots=True)
class GiveLeaves:
    """A worker is to explore leaves; or there are none, and it is told what is new."""

    leaves: Leaves


@dataclass(frozen=True, slots=True)
class LeavesSaid:
    """What a worker says: sequences; and with leaves that come `back` what was done of them, all
    that its user wants to be kept by now, None if that is as before, and a hash of what it
    searches."""

    sequences: Sequences
    back: LeavesBack | None = None
    done: ExecutionStatistics | None = None
    share: Any = None
    code: str = ""


FromLeafWorker = LeavesSaid | PartRefused | Counted | Limited | Committed | Over
ToLeafWorker = GiveLeaves | Wanted | Commit | TheEnd


class LeafTree(Protocol):
    """The tree: as `abpress.core.wakeup.SharedWakeupTree`."""

    def access(self, thread: int, touched: list[int], written: list[int], blind: list[int]) -> int:
        """The number of an access."""

    def insert(self, sequences: bytes, accesses: array[int]) -> None:
        """Takes in what is to be explored."""

    def explored(self, leaves: Collection[int], rest: bytes, accesses: array[int]) -> None:
        """Leaves are explored, but for the rest of the last one."""

    def divided(self, leaf: int, rest: bytes, accesses: array[int]) -> None:
        """A leaf that was given out begins further below from now on; the rest is above."""

    def news(self) -> bytes:
        """What has become of it since this was asked for last."""

    def keeps_no_news(self) -> None:
        """Nobody is going to ask for news."""

    def whole(self) -> bytes:
        """All of it, as news; before, there was nothing to be asked for."""

    def open(self, leaf: int) -> None:
        """A leaf is to be given out again."""

    def give(self, most: int) -> bytes:
        """Leaves that are given out."""

    @property
    def counts(self) -> tuple[int, int]:
        """How many leaves are to be given out, and how many are not explored yet."""

    def kept(self) -> bytes:
        """All of it; leaves that are given out are to be given out again."""

    def load(self, kept: bytes) -> None:
        """Becomes what was kept, in place of a tree of which nothing is explored."""

    @property
    def bad(self) -> str:
        """What is wrong."""


@dataclass(slots=True)
class _Explorer:
    """What is known of a worker. Mutable: the leaves that it has, those that it has got `ahead`,
    the accesses of its life, by its numbers, what it has done beyond what counts, up to where it
    knows the news of the tree (None: it needs all of the tree), and how many accesses it knows."""

    leaves: tuple[int, ...] = ()
    ahead: tuple[int, ...] = ()
    accesses: array[int] = field(default_factory=lambda: array("i", [0]))
    asked: bool = False
    share: Any = None
    progress: ExecutionStatistics = field(default_factory=ExecutionStatistics)
    news: int | None = None
    known: int = 0


class Planner(ForkedDesk[_Explorer]):
    """Gives leaves out; the first one is the whole tree, of which somebody may have `begun` to
    explore, and say so much; or the search goes on with what was kept. Mutable: `waited` are cells
    for which threads are known to wait."""

    def __init__(
        self,
        workers: int,
        send: Callable[[int, ToLeafWorker], None],
        tree: LeafTree,
        begun: LeavesSaid | None = None,
        present: Sequence[int] | None = None,
        kept: KeptLeaves | None = None,
        waited: frozenset[NamedKey] = frozenset(),
    ) -> None:
        super().__init__(workers, send, present, kept)
        self._workers = [_Explorer() for _ in range(workers)]
        self._tree = tree
        self._names = NamedAccesses(tree.access)
        self._code = ""
        self.waited = waited if kept is None else waited.union(kept.waited)
        self._blind: set[NamedKey] = set()
        self._tells_news = workers in _COPIES
        self._log, self._forgotten = bytearray(), 0  # news, but for the first ones, which all know
        if not self._tells_news:
            tree.keeps_no_news()
        if begun is not None:
            its = _Explorer()
            self._gives(its, 1)
            back = LeavesBack(1, begun.back.rest if begun.back else b"")
            self._say(its, replace(begun, back=back))
        if kept is not None:
            self._code = kept.code
            for name in kept.threads:
                self._names.thread(name)
            for access in kept.accesses:
                self._number(access)
            tree.load(kept.tree)

    @property
    def finished(self) -> bool:
        return self._tree.counts[1] == 0

    def _hear(self, worker: int, said: LeavesSaid) -> None:
        its = self._workers[worker]
        self._say(its, said)
        if its.leaves and its.news is not None and self._now - its.news >= _LEAST_NEWS:
            self._tell(worker, GiveLeaves(Leaves(b"", self._names.created, self._news(its))))

    def _nobody(self) -> _Explorer:
        return _Explorer()

    def _reopen(self, its: _Explorer) -> None:
        for leaf in (*its.leaves, *its.ahead):
            self._tree.open(leaf)

    def kept(self) -> KeptLeaves:
        threads, accesses = self._names.threads, self._names.since(0)
        done, shares = replace(self.committed), self._all_shares()
        tree, waited = self._tree.kept(), tuple(sorted(self.waited, key=str))
        return KeptLeaves(threads, accesses, tree, self._code, done, shares, waited)

    # -- the tree -------------------------------------------------------------------------------

    def _say(self, its: _Explorer, said: LeavesSaid) -> None:
        its.accesses.extend(map(self._number, said.sequences.accesses))
        self.waited |= {*said.sequences.waited}
        if not self.waited.isdisjoint(self._blind):
            self.refuse(WAITED)
            return
        self._tree.insert(said.sequences.numbers, its.accesses)
        if said.back is not None:
            if self._code not in ("", said.code):
                self.refuse("internal error: workers search different code")
            self._code = said.code
            self._back(its, said.back)
            if said.done is not None:
                self.committed.add(said.done)
            if said.share is not None:
                its.share = said.share
        self._spread()

    def _number(self, access: NamedAccess) -> int:
        self._blind.update(access.blind)
        return self._names.number(access)

    def _back(self, its: _Explorer, back: LeavesBack) -> None:
        """Leaves come back, or some of them."""
        explored, others = its.leaves[: back.explored], its.leaves[back.explored :]
        self._tree.explored(explored, b"" if back.kept else back.rest, its.accesses)
        if back.kept and back.rest:
            self._tree.divided(others[0], back.rest, its.accesses)
        for leaf in others[back.kept :]:
            self._tree.open(leaf)
        its.leaves = others[: back.kept]
        if not its.leaves:
            its.leaves, its.ahead = its.ahead, ()
        its.asked, its.progress = False, ExecutionStatistics()

    @property
    def _now(self) -> int:
        """Where the news of the tree end."""
        return self._forgotten + len(self._log)

    def _spread(self) -> None:
        """Lets those who know the tree know what has become of it."""
        if not self._tells_news:
            return
        self._log += self._tree.news()
        needed = now = self._now
        for its in self._workers:
            if its.news is not None and now - its.news > _MOST_NEWS:
                its.news = None
            needed = needed if its.news is None else min(needed, its.news)
        if 2 * (needed - self._forgotten) >= len(self._log):
            del self._log[: needed - self._forgotten]
            self._forgotten = needed

    def _news(self, its: _Explorer) -> TreeNews | None:
        if not self._tells_news:
            return None
        whole, known = its.news is None, its.known
        since = 0 if its.news is None else its.news - self._forgotten
        changes = self._tree.whole() if whole else bytes(memoryview(self._log)[since:])
        its.news, its.known = self._now, len(self._names)
        return TreeNews(whole, self._names.since(0 if whole else known), changes)

    # -- workers --------------------------------------------------------------------------------

    def _gives(self, its: _Explorer, most: int) -> Leaves:
        numbers, threads = self._tree.give(most), self._names.created
        leaves = Leaves(numbers, threads, self._news(its), self.waited)
        if its.leaves:
            its.ahead = leaves.each
        else:
            its.leaves = leaves.each
        return leaves

    def _share(self) -> int:
        """How many leaves somebody gets."""
        waiting = self._tree.counts[0]
        return min(max(waiting and 1, waiting // (2 * self.present)), _MOST)

    def _give_out(self) -> None:
        """Gives leaves to who has none; if there are many, some ahead to who has; or wants some of
        who has."""
        if self._tree.bad:
            self.refuse(self._tree.bad)
            return
        idle = [w for w in sorted(self._born) if not self._workers[w].leaves]
        while idle and (most := self._share()):
            worker = idle.pop(0)
            self._tell(worker, GiveLeaves(self._gives(self._workers[worker], most)))
        for worker in sorted(self._born) if self._share() >= _MANY else ():
            its = self._workers[worker]
            if its.leaves and not its.ahead and (most := self._share()) >= _MANY:
                self._tell(worker, GiveLeaves(self._gives(its, most)))
        if self.finished:
            self.end()
            return
        busy = [its for its in self._workers if its.leaves]
        if idle and not any(its.asked for its in busy):
            for worker, its in enumerate(self._workers):
                if its.leaves:
                    its.asked = True
                    self._tell(worker, Wanted())
