"""Where the reports of workers come in, however they are reached."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Any, Protocol

from abpress.errors import AbPressError
from abpress.parallel.hub import Hub
from abpress.parallel.kept import KeptDesk
from abpress.parallel.parts import Frontier
from abpress.search.limits import StopReason

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


class WorkerDiedError(WorkerError):
    """A worker has died, and nobody can go on where it was."""


@dataclass(frozen=True, slots=True)
class LastWord:
    """The last that a worker says; `error` is what it has failed with, as text."""

    found: Any
    error: str = ""


@dataclass(frozen=True, slots=True)
class WorkerLife:
    """A worker begins, or begins again, with what its desk lets it know, until it dies or all go
    back. Its epoch is that of no other life of any worker: NOTE(epochs)."""

    epoch: int
    heritage: Any


@dataclass(frozen=True, slots=True)
class Said:
    """What a worker says in a life."""

    epoch: int
    what: Any


Work = Callable[[int, Any, Any], Any]
"""What a worker does: by its number, by a `Channel` of the messages of its hub, after what it is
known to have done; its result is its report, which can be pickled."""

Ends = Callable[[Any], bool]
"""Asked every now and then whether to end the search, of which this much is done (`Desk.done`)."""


class Desk(Protocol):
    """What a hub does, whatever is searched: as `Hub`.

    `limited` is the limit that a worker has met.
    """

    over: bool
    limited: StopReason | None

    @property
    def present(self) -> int:
        """How many workers have a part in the search."""

    def arrives(self, worker: int, /) -> None:
        """A worker has come, which need not be for the first time."""

    def take(self, worker: int, came: Any, /) -> None:
        """Takes in what a worker says; in the order in which it says it."""

    def heir(self, worker: int, /) -> tuple[Any, list[Any]] | None:
        """What a worker has to know to begin, or to go on where a dead one was, and what it will be
        told; None if nobody can."""

    def done(self) -> Any:
        """How much of the search is done, in numbers."""

    def lost(self, worker: int, /) -> bool:
        """A worker does not come back. Returns whether others do its part; else all have to go
        back."""

    def halt(self) -> bool:
        """Asks for the frontier, unless it has been asked for, or the search is over; returns
        whether it has done so."""

    def frontier(self, last: bool = False, /) -> Any | None:
        """What was asked for, once it is there; then all go on, or end if it is the `last` one."""

    def end(self) -> None:
        """Ends the search, unless it has ended."""


MakeDesk = Callable[[int, Callable[[int, Any], None], Sequence[int] | None, Any], Desk]
"""Makes the hub of so many workers, which sends messages by a function: which of them are present
(None: all), and from where the search goes on."""


class Keeper(Protocol):
    """Keeps what a search knows, every now and then, and when it ends before its time."""

    def due(self) -> bool:
        """Whether it is time."""

    def write(self, frontier: Any, /) -> None:
        """Keeps this."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """What was kept of the search that the workers go on with, and who keeps this one. If it
    `commits`, all tell every now and then what they know, to go back to that."""

    frontier: Frontier | KeptDesk | None = None
    keeper: Keeper | None = None
    commits: bool = False


NOTHING_KEPT = Keeping()


class Office(ABC):
    """The hub's side of the connections to workers. Mutable."""

    def __init__(
        self,
        workers: int,
        ends: Ends,
        hub: MakeDesk = Hub,
        present: Sequence[int] | None = None,
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
        self._committed = keeping.frontier
        self._deaths = 0
        self._epoch = 0
        self._epochs: dict[int, int] = {}
        self._reports: dict[int, Any] = {}

    def reports(self) -> list[Any]:
        """Passes messages on until each worker has reported. Raises WorkerError; then, too, what
        all were known to know is kept."""
        try:
            return self._until_the_end()
        except AbPressError:
            if self._committed is not None and self._keeping.keeper is not None:
                self._keeping.keeper.write(self._committed)
            raise

    def _until_the_end(self) -> list[Any]:
        last = inf
        while not self._complete():
            self._look()
            if self._ends(self._hub.done()) or self._last or self._hub.limited is not None:
                self._stop()
                last = min(last, monotonic() + _LAST)
            elif self._due() or (self._keeping.commits and monotonic() >= self._commit_at):
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
        if self._keeping.keeper is None or not self._hub.present:
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

    def _better_back(self) -> bool:
        """Whether it is better that all go back to the last frontier, now that a worker has died,
        than that an heir does again all that the dead one has done."""
        if self._committed is None or not self._keeping.commits or self._hub.over:
            return False
        now = monotonic()
        return now - self._began >= OLD * (now - self._committed_at)

    def _go_back(self, present: Sequence[int]) -> None:
        """Makes a hub for these workers, who begin again at the last frontier; what all have done
        since is void."""
        self._count_death()
        self._hub = self._make_hub(self._workers, self._send, present, self._committed)
        self._epochs.clear()
        self._reports.clear()
        self._began = self._committed_at = now = monotonic()
        self._commit_at = now + COMMIT

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
    def _send(self, worker: int, message: Any) -> None:
        """Sends a message, unless the worker is dead."""

    def _take(self, worker: int, came: Said) -> None:
        """Takes in what a worker says, unless that life of it is over."""
        if self._epochs.get(worker) != came.epoch:
            return
        last = came.what
        if not isinstance(last, LastWord):
            self._hub.take(worker, last)
        elif last.error:
            raise WorkerError(f"worker {worker} has failed:\n{last.error}")
        else:
            self._reports[worker] = last.found

    def _end_life(self, worker: int) -> None:
        """Nothing of what a worker says is taken in any more."""
        self._epochs.pop(worker, None)

    def _born(self, worker: int) -> tuple[WorkerLife, list[Any]]:
        """The next life of a worker, and what it will be told; the one before is over."""
        heritage = self._hub.heir(worker)
        if heritage is None:
            raise WorkerDiedError(f"worker {worker} has died")
        self._epoch += 1
        self._epochs[worker] = self._epoch
        known, messages = heritage
        return WorkerLife(self._epoch, known), messages
