"""Workers that search states together, level by level, and the hub between them.

NOTE(common-levels): messages may be late, come in any order, and more than once.

Each worker is a process forked from one that has begun the search, so that all have the same states
and numbers up to then. In each level a worker expands the states that it owns, sends what it has
found of others', and waits for what they have found of its own (`search.levels`).
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Protocol

from abpress.properties.ends import End
from abpress.result import Soundness
from abpress.search.ledger import Exploration, SearchOver
from abpress.search.levels import Arrival, LevelReduction, LevelSearch, Parcel, Ways
from abpress.search.limits import StopReason
from abpress.search.statistics import Statistics
from abpress.semantics.common_names import CommonNames, NameList
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.naming import NewName
from abpress.semantics.outcome import State

_PROGRESS = 0.2
"""Seconds after which a worker tells what it has done so far."""

FINISHED = StopReason("finished", "the search is over")


@dataclass(frozen=True, slots=True)
class LevelDone:
    """A worker has expanded what it owns of a level: a `Parcel` for each, pickled; how many states
    it has found, which properties are violated, and whether it has stopped at a limit.

    `level` is the number of the next level.
    """

    level: int
    parcels: tuple[bytes, ...]
    found: int
    violated: frozenset[str]
    stopped: bool
    statistics: Statistics


@dataclass(frozen=True, slots=True)
class NameMet:
    """A worker has met a name that has no number; it knows so many of the list."""

    known: int
    name: NewName


@dataclass(frozen=True, slots=True)
class LevelProgress:
    """What a worker has done so far."""

    statistics: Statistics


@dataclass(frozen=True, slots=True)
class NamesKnown:
    """The list of names from a place on."""

    first: int
    names: tuple[NewName, ...]


@dataclass(frozen=True, slots=True)
class NextLevel:
    """A level begins: what others have found of it for a worker, and the names in that."""

    level: int
    parcels: tuple[bytes, ...]
    names: NamesKnown


@dataclass(frozen=True, slots=True)
class LevelsEnd:
    """The search is over; the worker's report is wanted. `last` is what is still delivered."""

    exhausted: bool
    last: NextLevel | None = None


FromWorker = LevelDone | NameMet | LevelProgress
ToWorker = NamesKnown | NextLevel | LevelsEnd


class LevelChannel(Protocol):
    """How a worker talks to the hub: as `Channel`."""

    @property
    def send(self) -> Callable[[FromWorker], None]:
        """Sends a message."""

    @property
    def look(self) -> Callable[[], ToWorker | None]:
        """Returns the next message if there is one."""

    @property
    def wait(self) -> Callable[[], ToWorker]:
        """Returns the next message whenever it comes."""


Enough = Callable[[frozenset[str]], bool]
"""Whether a search may end when these properties are violated."""


class LevelHub:
    """Passes on what workers find at each level, and keeps the list of names. Mutable."""

    def __init__(self, workers: int, send: Callable[[int, ToWorker], None], enough: Enough) -> None:
        self._send = send
        self._enough = enough
        self._counted = [Statistics() for _ in range(workers)]
        self._done: dict[int, LevelDone] = {}
        self._known = [0] * workers
        self._violated: frozenset[str] = frozenset()
        self.over = False
        self.limited: StopReason | None = None  # reports tell it
        self._level = -1
        self._begun: set[int] = set()
        self.names = NameList()

    @property
    def present(self) -> int:
        """How many workers there are: all, from the beginning."""
        return len(self._counted)

    def arrives(self, worker: int) -> None:
        """A worker that comes later has nothing of what it would have to know."""
        raise AssertionError("internal error: workers that share levels are forked")

    def take(self, worker: int, came: FromWorker) -> None:
        """Takes in what a worker says."""
        match came:
            case LevelProgress(statistics):
                self._counted[worker] = statistics
            case NameMet(known, name):
                self.names.add(name)
                if not self.over:
                    self._send(worker, NamesKnown(known, self.names.since(known)))
            case LevelDone(level):
                if level <= self._level:
                    return  # it was taken in already
                self._counted[worker] = came.statistics
                self._done[worker] = came
                self._violated |= came.violated
                if came.stopped:
                    self.end()
                elif len(self._done) == len(self._counted) and not self.over:
                    self._go_on()

    def _go_on(self) -> None:
        done, self._done = self._done, {}
        self._level = done[0].level
        if not any(its.found for its in done.values()):
            self._end(exhausted=True)
            return
        self.over = self._enough(self._violated)
        for worker, known in enumerate(self._known):
            names = NamesKnown(known, self.names.since(known))
            parcels = tuple(
                done[other].parcels[worker] for other in sorted(done) if other != worker
            )
            level = NextLevel(self._level, parcels, names)
            self._send(worker, LevelsEnd(False, level) if self.over else level)
            self._known[worker] = len(self.names)

    def lost(self, worker: int) -> bool:
        """A worker does not come back, and what it stored is lost."""
        return False

    def heir(self, worker: int) -> tuple[None, list[ToWorker]] | None:
        """A worker begins with what it was forked with. Nobody can go on where one was that has
        died: what it stored is lost."""
        if worker in self._begun:
            return None
        self._begun.add(worker)
        return None, []

    def done(self) -> Statistics:
        """What all of them have done so far."""
        done = Statistics()
        for its in self._counted:
            done.add(its)
        return done

    def halt(self) -> bool:
        """Does nothing: nobody keeps such a search."""
        return False

    def frontier(self, last: bool = False) -> None:
        """What is kept: nothing."""

    def end(self) -> None:
        """Ends the search, unless it has ended."""
        self._end(exhausted=False)

    def _end(self, exhausted: bool) -> None:
        if not self.over:
            self.over = True
            for worker in range(len(self._counted)):
                self._send(worker, LevelsEnd(exhausted))


_ENDS_KEPT = 3
"""Of each kind: the places where executions end are told if none completes."""


@dataclass(slots=True)
class FirstEnds:
    """The first states in which executions end, of each kind: level, rank, state. Mutable."""

    kept: dict[End, list[tuple[int, int, State]]] = field(default_factory=dict)

    def note(self, arrival: Arrival, end: End) -> None:
        """Takes in a state in which an execution ends."""
        kept = self.kept.get(end, [])
        if len(kept) < _ENDS_KEPT or (arrival.level, arrival.rank) < kept[-1][:2]:
            self._keep(end, [(arrival.level, arrival.rank, arrival.successor)])

    def take_in(self, other: FirstEnds) -> None:
        """Takes in what another worker has met."""
        for end in End:
            if end in other.kept:
                self._keep(end, other.kept[end])

    def _keep(self, end: End, more: list[tuple[int, int, State]]) -> None:
        kept = sorted([*self.kept.get(end, ()), *more], key=lambda its: its[:2])
        self.kept[end] = kept[:_ENDS_KEPT]


@dataclass(frozen=True, slots=True)
class LevelReport:
    """The last that a worker says."""

    outcome: Exploration[State, Statistics]
    ways: Ways
    ends: FirstEnds
    soundness: Soundness


class LevelWorker:
    """One of the workers, which goes on with a search that was begun. Mutable."""

    def __init__(
        self,
        number: int,
        workers: int,
        system: Interpreter,
        search: LevelSearch,
        reduction: LevelReduction,
        channel: LevelChannel,
        poll: Callable[[Statistics], StopReason | None],
    ) -> None:
        self._number = number
        self._channel = channel
        self._limit = poll
        self._search = search
        self._ended: LevelsEnd | None = None
        self._next = 0.0
        self.ends = FirstEnds()
        search.begin(reduction, number, workers, self._poll, self.ends.note)
        self._names = CommonNames(system.context, self._ask)

    def run(self) -> Exploration[State, Statistics]:
        """Works until the search is over; returns what it has found."""
        while self._ended is None:
            self._level()
        return self._search.found(self._ended.exhausted)

    def _level(self) -> None:
        search, stopped = self._search, False
        parcels: Sequence[Parcel] = ()
        try:
            parcels = search.expand()
        except SearchOver:
            stopped = True
        if self._ended is not None:
            return
        found = search.found()
        packed = tuple(
            packed_states(parcel) if to != self._number else b""
            for to, parcel in enumerate(parcels)
        )
        own = search.width + sum(len(parcel.states) for parcel in parcels)
        violated = frozenset(its.violates for its in found.found)
        del parcels
        done = LevelDone(search.level, packed, own, violated, stopped, found.statistics)
        self._channel.send(done)
        while self._ended is None:
            match self._channel.wait():
                case LevelsEnd(_, last) as end:
                    self._ended = end
                    if last is not None:
                        self._take_in(last)
                case NextLevel(search.level) as level:
                    self._take_in(level)
                    return

    def _take_in(self, level: NextLevel) -> None:
        self._names.take_in(level.names.first, level.names.names)
        for parcel in level.parcels:
            self._search.take_in(unpacked_states(parcel))

    def _poll(self, statistics: Statistics) -> StopReason | None:
        message = self._channel.look()
        if isinstance(message, LevelsEnd):
            self._ended = message
            return FINISHED
        now = monotonic()
        if now >= self._next:
            self._next = now + _PROGRESS
            self._channel.send(LevelProgress(statistics))
        return self._limit(statistics)

    def _ask(self, known: int, name: NewName) -> Sequence[NewName]:
        self._channel.send(NameMet(known, name))
        while True:
            match self._channel.wait():
                case LevelsEnd() as end:
                    self._ended = end
                    raise SearchOver
                case NamesKnown(first, names) if name in names:
                    return names[known - first :]


def packed_states(parcel: Parcel) -> bytes:
    """The parcel as bytes; what states have in common is in it once."""
    return pickle.dumps(parcel, 5)


def unpacked_states(packed: bytes) -> Parcel:
    """A parcel that another worker has packed."""
    parcel: Parcel = pickle.loads(packed)
    return parcel
