"""Where the reports of workers come in, however they are reached."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Any, Protocol

from abpress.errors import AbPressError
from abpress.parallel.hub import Hub
from abpress.parallel.messages import Heritage, Numbered
from abpress.parallel.parts import Frontier
from abpress.parallel.worker import Channel
from abpress.search.statistics import ExecutionStatistics

LOOK = 0.1
"""Seconds between two looks at the limits."""

_LAST = 20.0
"""Seconds that workers have for their reports when a limit or the user ends the search."""

_DEATHS = 10
"""Of each worker, on average, before the search is given up."""

COMMIT = 10.0
_SELDOM = 50.0
"""Seconds between two looks at what all know, at least; and so many times as long as one takes."""

OLD = 2.0
"""If workers are older than the last such look by this factor, then all go back to it when one
dies."""


class WorkerError(AbPressError):
    """A worker has died, or has failed."""


@dataclass(frozen=True, slots=True)
class LastWord:
    """The last that a worker says; `error` is what it has failed with, as text."""

    found: Any
    error: str = ""


Work = Callable[[int, Channel, Heritage], Any]
"""What a worker does, by its number, after what it is known to have done; its result is its report,
which can be pickled."""

Ends = Callable[[ExecutionStatistics], bool]
"""Asked every now and then whether to end the search, of which this much is done."""


class Keeper(Protocol):
    """Keeps what a search knows, every now and then, and when it ends before its time."""

    def due(self) -> bool:
        """Whether it is time."""

    def write(self, frontier: Frontier, /) -> None:
        """Keeps this."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """What was kept of the search that the workers go on with, and who keeps this one. `work` is
    what workers do who go on from another frontier of it."""

    frontier: Frontier | None = None
    keeper: Keeper | None = None
    work: Callable[[Frontier], Work] | None = None


NOTHING_KEPT = Keeping()


class Office(ABC):
    """The hub's side of the connections to workers. Mutable."""

    def __init__(
        self,
        workers: int,
        ends: Ends,
        hub: type[Hub] = Hub,
        present: bool = True,
        keeping: Keeping = NOTHING_KEPT,
    ) -> None:
        self._workers = workers
        self._ends = ends
        self._make_hub = hub
        self._hub = hub(workers, self._send, present, keeping.frontier)
        self._keeping = keeping
        self._last = False
        self._began = self._committed_at = monotonic()
        self._commit_at = self._began + COMMIT
        self._asked_at = 0.0
        self._committed: Frontier | None = None
        self._deaths = 0
        self._reports: dict[int, Any] = {}

    def reports(self) -> list[Any]:
        """Passes messages on until each worker has reported. Raises WorkerError."""
        last = inf
        while not self._complete():
            self._look()
            if self._ends(self._done()) or self._last or self._hub.limited is not None:
                self._stop()
                last = min(last, monotonic() + _LAST)
            elif self._due() or (self._keeping.work is not None and monotonic() >= self._commit_at):
                self._halt()
            self._keep()
            if monotonic() > last:
                raise WorkerError("a worker does not end")
        return [self._reports[w] for w in sorted(self._reports)]

    def _complete(self) -> bool:
        """Whether all have reported; also if nobody has come before the search was ended."""
        present = self._hub.present
        return len(self._reports) == present and (present > 0 or self._hub.over)

    def _due(self) -> bool:
        return self._keeping.keeper is not None and self._keeping.keeper.due()

    def _stop(self) -> None:
        """Ends the search, as soon as what it knows is kept, if somebody keeps that."""
        self._last = True
        if self._keeping.keeper is None:
            self._hub.end()
        else:
            self._halt()

    def _halt(self) -> None:
        if self._hub.halt():
            self._asked_at = monotonic()

    def _keep(self) -> None:
        """Keeps what the search knows, if that was asked for and has come."""
        frontier = self._hub.frontier(self._last)
        if frontier is None:
            return
        now = self._committed_at = monotonic()
        self._commit_at = now + max(COMMIT, _SELDOM * (now - self._asked_at))
        self._committed = frontier
        if self._keeping.keeper is not None and (self._last or self._due()):
            self._keeping.keeper.write(frontier)

    def _to_restart(self) -> Work | None:
        """What all do who begin again at the last frontier when a worker has died, if that is
        better than an heir that does again all that the dead one has done."""
        frontier, work = self._committed, self._keeping.work
        if frontier is None or work is None or self._hub.over:
            return None
        now = monotonic()
        if now - self._began < OLD * (now - self._committed_at):
            return None
        self._count_death()
        self._hub = self._make_hub(self._workers, self._send, True, frontier)
        self._reports.clear()
        self._began = self._committed_at = monotonic()
        return work(frontier)

    def _count_death(self) -> None:
        self._deaths += 1
        if self._deaths > _DEATHS * self._workers:
            raise WorkerError("workers die again and again")

    @abstractmethod
    def close(self) -> None:
        """Ends all workers."""

    @abstractmethod
    def _look(self) -> None:
        """Takes in what has come; waits for it, but not longer than `LOOK`."""

    @abstractmethod
    def _send(self, worker: int, message: Numbered) -> None:
        """Sends a message, unless the worker is dead."""

    def _take(self, worker: int, came: Any) -> None:
        if not isinstance(came, LastWord):
            self._hub.take(worker, came)
        elif came.error:
            raise WorkerError(f"worker {worker} has failed:\n{came.error}")
        else:
            self._reports[worker] = came.found

    def _heir(self, worker: int) -> tuple[Heritage, list[Numbered]]:
        """What the heir of a worker that has died has to know, and what it will be told."""
        self._count_death()
        return self._hub.heir(worker)

    def _done(self) -> ExecutionStatistics:
        done = ExecutionStatistics()
        for its in self._hub.counted.values():
            done.add(its)
        return done
