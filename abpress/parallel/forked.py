"""What those have in common who give native workers something to do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from abpress.parallel.kept import KeptDesk
from abpress.parallel.messages import Counted, Limited, Over, TheEnd
from abpress.search.limits import StopReason
from abpress.search.statistics import ExecutionStatistics


@dataclass(frozen=True, slots=True)
class PartRefused:
    """A worker cannot explore what it has, and nobody can who searches like this."""

    why: str


@dataclass(frozen=True, slots=True)
class Commit:
    """For the n-th time all are to say what counts by now, as the search is kept."""

    n: int


@dataclass(frozen=True, slots=True)
class Committed:
    """A worker has said that for the n-th time."""

    n: int


class KnownWorker(Protocol):
    """What is known of a worker: `share` is the last of its life, `progress` what it has done
    beyond what counts. Mutable."""

    share: Any
    progress: ExecutionStatistics


Its = TypeVar("Its", bound=KnownWorker)


class ForkedDesk(ABC, Generic[Its]):
    """A desk, `office.Desk`, of workers that search with the native core. Mutable: `committed` is
    what is done for good, `shares` are the last ones of workers that have died, and of a search
    that is gone on with, `refused` says why nobody can search like this.

    What it knows can be kept at any time, NOTE(kept-desks); who has not committed for long would
    have to do much again.
    """

    _workers: list[Its]

    def __init__(
        self,
        workers: int,
        send: Callable[[int, Any], None],
        present: Sequence[int] | None = None,
        kept: KeptDesk | None = None,
    ) -> None:
        """Workers that are not `present` (None: all are) have no part in the search before
        `arrives` is called. The search goes on with what was kept."""
        self._send = send
        self._starting: tuple[int, list[Any]] = -1, []
        self._born: set[int] = set()
        self._present = set(range(workers) if present is None else present)
        self._commits = 0
        self._committing = False
        self._uncommitted: set[int] = set()  # of whom it is not known yet what counts
        self.over = False
        self.limited: StopReason | None = None  # reports tell it
        self.refused = ""
        self.committed = ExecutionStatistics()
        self.shares: list[Any] = []
        if kept is not None:
            self.committed.add(kept.done)
            self.shares += kept.shares

    @property
    def present(self) -> int:
        """How many workers have a part in the search."""
        return len(self._present)

    @property
    @abstractmethod
    def finished(self) -> bool:
        """Whether nothing is left to explore."""

    def arrives(self, worker: int) -> None:
        """A worker has come, which need not be for the first time."""
        self._present.add(worker)

    def lost(self, worker: int) -> bool:
        """A worker does not come back: others explore what it had. Returns that this is so."""
        self._bury(worker)
        self._born.discard(worker)
        self._present.discard(worker)
        self._distribute()
        return True

    def take(self, worker: int, came: Any) -> None:
        """Takes in what a worker says; in the order in which it says it."""
        match came:
            case Counted(statistics):
                self._workers[worker].progress = statistics
            case Over():
                self.end()
            case Limited(reason):
                self.limited = self.limited or reason
            case PartRefused(why):
                self.refuse(why)
            case Committed(n):
                if n == self._commits:
                    self._uncommitted.discard(worker)
            case _:
                self._hear(worker, came)
                self._distribute()

    @abstractmethod
    def _hear(self, worker: int, said: Any) -> None:
        """Takes in what a worker says of what it explores."""

    @abstractmethod
    def _reopen(self, its: Its) -> None:
        """What a worker had is to be explored anew."""

    @abstractmethod
    def _nobody(self) -> Its:
        """Of whom nothing is known."""

    def _bury(self, worker: int) -> None:
        """A life of a worker is over, if it had one."""
        its = self._workers[worker]
        self._reopen(its)
        if its.share is not None:
            self.shares.append(its.share)
        self._workers[worker] = self._nobody()
        self._uncommitted.discard(worker)

    def heir(self, worker: int) -> tuple[bool, list[Any]]:
        """A worker begins, or begins again. Returns whether it goes on with what was begun, and
        what it will be told."""
        self._bury(worker)
        return False, self._first_messages(worker)

    def done(self) -> ExecutionStatistics:
        """How much of the search is done: what is for good, and what is beyond."""
        done = ExecutionStatistics()
        done.add(self.committed)
        for its in self._workers:
            done.add(its.progress)
        return done

    def halt(self) -> bool:
        """Asks all to commit, unless they have been asked, or the search is over; returns whether
        it does. Nothing is given out before the search is kept."""
        if self.over or self._committing:
            return False
        self._committing = True
        self._commits += 1
        self._uncommitted = set(self._born)
        for worker in sorted(self._uncommitted):
            self._tell(worker, Commit(self._commits))
        return True

    def frontier(self, last: bool = False) -> KeptDesk | None:
        """What is to be kept, once all have committed who were asked; then all go on, or end if it
        is the `last` one."""
        if self.over or not self._committing or self._uncommitted:
            return None
        self._committing = False
        kept = self.kept()
        if last:
            self.end()
        else:
            self._distribute()
        return kept

    @abstractmethod
    def kept(self) -> KeptDesk:
        """All that is known."""

    def _all_shares(self) -> tuple[Any, ...]:
        living = (its.share for its in self._workers if its.share is not None)
        return (*self.shares, *living)

    def end(self) -> None:
        """Ends the search, unless it has ended."""
        if self.over:
            return
        self.over = True
        for worker in sorted(self._born):
            self._tell(worker, TheEnd())

    def refuse(self, why: str) -> None:
        """Ends the search, which is not for such workers."""
        self.refused = self.refused or why
        self.end()

    def _distribute(self) -> None:
        """Gives something to who has nothing, unless all are to commit."""
        if not self.over and not self._committing:
            self._give_out()

    @abstractmethod
    def _give_out(self) -> None:
        """Gives something to who has nothing."""

    def _first_messages(self, worker: int) -> list[Any]:
        """What a worker is told that begins."""
        self._starting = worker, []
        self._born.add(worker)
        self._distribute()
        (_, messages), self._starting = self._starting, (-1, [])
        return [TheEnd()] if self.over else messages

    def _tell(self, worker: int, message: Any) -> None:
        starting, messages = self._starting
        if worker == starting:
            messages.append(message)
        elif worker in self._born:
            self._send(worker, message)
