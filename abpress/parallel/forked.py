"""What those have in common who give native workers something to do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from abpress.parallel.messages import Counted, Over, TheEnd
from abpress.search.limits import StopReason
from abpress.search.statistics import ExecutionStatistics


@dataclass(frozen=True, slots=True)
class PartRefused:
    """A worker cannot explore what it has, and nobody can who searches like this."""

    why: str


class KnownWorker(Protocol):
    """What is known of a worker: `progress` is what it has done beyond what counts. Mutable."""

    progress: ExecutionStatistics


Its = TypeVar("Its", bound=KnownWorker)


class ForkedDesk(ABC, Generic[Its]):
    """A desk, `office.Desk`, of workers that are forked: all are there from the beginning, and
    nobody keeps the search. Mutable: `committed` is what is done for good, `shares` are the last
    ones of workers that have died, `refused` says why nobody can search like this."""

    _workers: list[Its]

    def __init__(self, workers: int, send: Callable[[int, Any], None]) -> None:
        self._send = send
        self._starting: tuple[int, list[Any]] = -1, []
        self._born: set[int] = set()
        self.present = workers
        self.over = False
        self.limited: StopReason | None = None  # reports tell it
        self.refused = ""
        self.committed = ExecutionStatistics()
        self.shares: list[Any] = []

    @property
    @abstractmethod
    def finished(self) -> bool:
        """Whether nothing is left to explore."""

    def arrives(self, worker: int) -> None:
        """All are there from the beginning."""
        raise AssertionError("internal error: workers of the native core are forked")

    def take(self, worker: int, came: Any) -> None:
        """Takes in what a worker says; in the order in which it says it."""
        match came:
            case Counted(statistics):
                self._workers[worker].progress = statistics
            case Over():
                self.end()
            case PartRefused(why):
                self.refuse(why)
            case _:
                self._hear(worker, came)
                self._distribute()

    @abstractmethod
    def _hear(self, worker: int, said: Any) -> None:
        """Takes in what a worker says of what it explores."""

    @abstractmethod
    def heir(self, worker: int) -> tuple[bool, list[Any]]:
        """A worker begins, or begins again: what it had is to be explored anew. Returns whether it
        goes on with what was begun, and what it will be told."""

    def done(self) -> ExecutionStatistics:
        """How much of the search is done: what is for good, and what is beyond."""
        done = ExecutionStatistics()
        done.add(self.committed)
        for its in self._workers:
            done.add(its.progress)
        return done

    def halt(self) -> bool:
        """Does nothing: nobody keeps such a search."""
        return False

    def frontier(self, last: bool = False) -> None:
        """What is kept: nothing."""
        return

    def end(self) -> None:
        """Ends the search, unless it has ended."""
        if self.over:
            return
        self.over = True
        for worker in range(self.present):
            self._tell(worker, TheEnd())

    def refuse(self, why: str) -> None:
        """Ends the search, which is not for such workers."""
        self.refused = self.refused or why
        self.end()

    @abstractmethod
    def _distribute(self) -> None:
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
