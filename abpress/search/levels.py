"""Breadth-first search with stored states, level by level: by one searcher, or by several.

NOTE(common-levels): each state has one owner, who stores and expands it; a level is over when all
have expanded what they own of it, and have exchanged what they found for one another. What is
explored, and what is told of it, does not depend on how many there are: the states of a level are a
set, and of several ways to a state the one from the state of the least *rank* is kept, a hash of
the steps to it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, Protocol

from abpress.properties import VISITED, Property
from abpress.properties.ends import End, classify
from abpress.reductions.static.returning import Returning
from abpress.search.ledger import (
    POLL_INTERVAL,
    Exploration,
    Found,
    Ledger,
    Poll,
    SearchOver,
    told_of_faults,
)
from abpress.search.statistics import Statistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from abpress.semantics.protocols import Step

_OWNER_BITS = 8

MOST_SEARCHERS = 1 << _OWNER_BITS
"""Of one search."""


class LevelReduction(Protocol):
    """A static reduction: what it explores depends on the state alone."""

    thread_choices: int

    def alone(self, state: State, threads: Sequence[int], /) -> tuple[Step[State], ...] | None:
        """The steps of one of its threads that suffice if others are not put off for ever."""

    def all(self, state: State, threads: Sequence[int], /) -> Iterator[Step[State]]:
        """All steps of its threads."""

    def stays(self, state: State, /) -> bool:
        """As `StatefulReduction.stays`."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A state that was met, in the place of the steps that lead to it: `way` tells where they are
    noted."""

    level: int
    rank: int
    way: int
    successor: State
    thread: int = 0
    choices: tuple[int, ...] = ()
    violation: None = None


@dataclass(slots=True)
class Ways:
    """How states were met, by their numbers. Mutable.

    Of all ways to a state the one is kept that comes from the state of the least rank (`above`), by
    the least move: `origins` are the owners of these states and their numbers there, `moves` the
    numbers of the steps (`_Codes`).
    """

    above: array[int] = field(default_factory=lambda: array("q"))
    moves: array[int] = field(default_factory=lambda: array("q"))
    origins: array[int] = field(default_factory=lambda: array("q"))

    def rank(self, place: int) -> int:
        """A hash of the steps to a state."""
        return hash((self.above[place], self.moves[place]))


_BEGINNING = -1
"""The origin of the initial state."""


@dataclass(slots=True)
class Parcel:
    """States for their owner, and how they were met. Mutable."""

    states: list[State] = field(default_factory=list)
    ways: Ways = field(default_factory=Ways)


def owner(state: State, searchers: int) -> int:
    """Who stores a state: by its last two components, so that most steps of other threads stay with
    their owner. The same in forked processes."""
    return hash(state[-2:]) % searchers


class LevelSearch:
    """One of the searchers. Mutable.

    The ledger goes on beyond violations; whoever asks for the levels decides when it is enough.
    """

    def __init__(
        self,
        system: Interpreter,
        reduction: LevelReduction,
        property: Property,
        poll: Poll[Statistics] | None = None,
        on_end: Callable[[Arrival, End], None] | None = None,
    ) -> None:
        self._system = system
        self._property = property
        looks = not property.looks_at.isdisjoint(VISITED)
        suspicious = property.suspects(system) if looks else None
        self._suspicious = (suspicious or (lambda _: True)) if looks else None
        initial = system.initial()
        self._known: dict[State, int] = {initial: 0}
        self._ways = Ways(array("q", [0]), array("q", [0]), array("q", [_BEGINNING]))
        self._frontier, self._places = [initial], [0]
        self.level = 0
        self._place, self._state = 0, initial
        self._codes = _Codes(system)
        self._parcels: list[Parcel] = []
        self.begin(reduction, 0, 1, poll, on_end)
        self._inherited = 0

    def begin(
        self,
        reduction: LevelReduction,
        number: int,
        searchers: int,
        poll: Poll[Statistics] | None,
        on_end: Callable[[Arrival, End], None] | None,
    ) -> None:
        """Goes on as one of several, in a process of its own. Counts begin anew."""
        self._reduction = reduction
        self._number, self._searchers = number, searchers
        self._inherited, self._steps = len(self._ways.above), 0
        self._on_end = on_end
        self.statistics = Statistics()
        self._ledger: Ledger[State, Statistics] = Ledger(
            self._property,
            self.statistics,
            True,
            poll,
            None if on_end is None else self._ended,
            rank=self._rank,
        )
        self._returning = Returning(
            lambda state: reduction.alone(state, self._system.threads(state)),
            self._system.advances,
            self._look,
        )
        own = [
            (n, s)
            for n, s in zip(self._places, self._frontier, strict=True)
            if owner(s, searchers) == number
        ]
        self._places, self._frontier = [n for n, _ in own], [s for _, s in own]

    @property
    def width(self) -> int:
        """How many states of its own the next level has so far."""
        return len(self._frontier)

    @property
    def ways(self) -> Ways:
        """How its states were met."""
        return self._ways

    def found(self, exhausted: bool = False) -> Exploration[State, Statistics]:
        """What was found so far; executions begin with an `Arrival`."""
        self._count()
        return self._ledger.closed(exhausted)

    def expand(self) -> list[Parcel]:
        """Expands its states of the level; returns what it has found for each searcher.

        Raises SearchOver at a limit.
        """
        frontier, places = self._frontier, self._places
        self._frontier, self._places = [], []
        self.level += 1
        if frontier:
            self.statistics.max_depth = self.level - 1
        parcels = self._parcels = [Parcel() for _ in range(self._searchers)]
        first = len(self._ways.above)
        with told_of_faults(self._system, self._attempted):
            self._expand(frontier, places)
        self._places = list(range(first, len(self._ways.above)))
        for parcel in parcels:
            for state in parcel.states:
                del self._known[state]
        self._count()
        return parcels

    def _expand(self, frontier: list[State], places: Sequence[int]) -> None:
        reduction, known, parcels = self._reduction, self._known, self._parcels
        ways, following = self._ways, self._frontier
        above, moves, origins = ways.above, ways.moves, ways.origins
        alone, everything, threads_of = reduction.alone, reduction.all, self._system.threads
        asks_for_all, suspicious = self._returning.asks_for_all, self._suspicious
        number, searchers, code = self._number, self._searchers, self._codes.of
        count = first = len(above)  # from here on, states are of the next level
        steps = self._steps
        for place, state in zip(places, frontier, strict=True):
            self._place, self._state = place, state
            rank = hash((above[place], moves[place]))  # as in `Ways.rank`
            if suspicious is not None and suspicious(state):
                self._ledger.visit(self._system, state, (self._at,))
            threads = threads_of(state)
            chosen: Any = alone(state, threads)
            if chosen is None or asks_for_all(state, chosen):
                chosen = everything(state, threads)
            before = steps
            for step in chosen:
                thread, choices, successor, violation = step
                steps += 1
                if not steps & (POLL_INTERVAL - 1):
                    self._steps = steps
                    self._look()
                if violation is not None:
                    self._ledger.violation((self._at,), step)
                    continue
                found = known.setdefault(successor, count)
                if found >= first:
                    if found == count:
                        whose = owner(successor, searchers) if searchers > 1 else number
                        if whose == number:
                            count += 1
                            following.append(successor)
                            mine = ways
                        else:
                            parcel = parcels[whose]
                            mine = parcel.ways
                            known[successor] = ~(len(parcel.states) * searchers + whose)
                            parcel.states.append(successor)
                        mine.above.append(rank)
                        mine.moves.append(code(thread, choices))
                        mine.origins.append(place << _OWNER_BITS | number)
                    elif rank <= above[found]:
                        move = code(thread, choices)
                        if rank < above[found] or move < moves[found]:
                            above[found], moves[found] = rank, move
                            origins[found] = place << _OWNER_BITS | number
                elif found < 0:
                    found, whose = divmod(~found, searchers)
                    mine = parcels[whose].ways
                    if rank <= mine.above[found]:
                        move = code(thread, choices)
                        if rank < mine.above[found] or move < mine.moves[found]:
                            mine.above[found], mine.moves[found] = rank, move
                            mine.origins[found] = place << _OWNER_BITS | number
            if steps == before and not reduction.stays(state):
                end = classify(self._system, state)
                self._ledger.end(self._system, state, end, (self._at,))
        self._steps = steps

    def take_in(self, parcel: Parcel) -> None:
        """Takes in what another one has found of the next level."""
        known, its, mine = self._known, self._ways, parcel.ways
        first = self._places[0] if self._places else len(its.above)
        sent = zip(parcel.states, mine.above, mine.moves, mine.origins, strict=True)
        for state, above, move, origin in sent:
            count = len(its.above)
            found = known.setdefault(state, count)
            if found == count:
                self._system.admit(state)
                self._frontier.append(state)
                self._places.append(found)
                its.above.append(above)
                its.moves.append(move)
                its.origins.append(origin)
            elif found >= first and (above, move) < (its.above[found], its.moves[found]):
                its.above[found], its.moves[found], its.origins[found] = above, move, origin

    @property
    def _at(self) -> Arrival:
        """The state that is being expanded."""
        place = self._place
        way = place << _OWNER_BITS | self._number
        return Arrival(self.level - 1, self._ways.rank(place), way, self._state)

    def _count(self) -> None:
        self.statistics.states = len(self._ways.above) - self._inherited
        self.statistics.steps = self._steps
        self.statistics.thread_choices = self._reduction.thread_choices

    def _look(self) -> None:
        self._count()
        if self._ledger.polled():
            raise SearchOver

    def _attempted(self, state: State, attempt: Step[State]) -> None:
        if state == self._state:
            self._ledger.attempt((self._at,), attempt)

    def _ended(self, state: State, end: End) -> None:
        assert self._on_end is not None
        self._on_end(self._at, end)

    def _rank(self, path: tuple[Any, ...]) -> Any:
        return rank_of(path, self._codes)


class _Codes:
    """Numbers for steps that are the same in every run."""

    def __init__(self, system: Interpreter) -> None:
        self._name = system.views.thread_name
        self._threads: dict[int, int] = {}

    def of(self, thread: int, choices: tuple[int, ...]) -> int:
        """The number of a step of the thread with these choices."""
        code = self._threads.get(thread)
        if code is None:
            name = self._name(thread).encode()
            code = int.from_bytes(blake2b(name, digest_size=7).digest(), "big")
            self._threads[thread] = code
        return hash((code, choices)) if choices else code


def rank_of(path: Sequence[Any], codes: _Codes) -> tuple[Any, ...]:
    """Where an execution stands that begins with an `Arrival`: the shorter before the longer."""
    first, *rest = path
    return first.level, first.rank, [codes.of(step.thread, step.choices) for step in rest]


class WholePaths:
    """Makes executions of what searchers have found; `ways` are those of all, by their numbers."""

    def __init__(self, system: Interpreter, ways: Sequence[Ways]) -> None:
        self._system = system
        self._ways = ways
        self._codes = _Codes(system)

    def rank(self, found: Found[State]) -> tuple[Any, ...]:
        """The lesser the earlier an execution is told."""
        return rank_of(found.path, self._codes)

    def whole(self, found: Found[State]) -> Found[State]:
        """The same with the steps from the initial state on in the place of the `Arrival`."""
        first: Any
        first, *rest = found.path
        return replace(found, path=(*self._to(first), *rest))

    def _to(self, arrival: Arrival) -> list[Step[State]]:
        moves: list[int] = []
        way = arrival.way
        while way != _BEGINNING:
            place, number = divmod(way, MOST_SEARCHERS)
            moves.append(self._ways[number].moves[place])
            way = self._ways[number].origins[place]
        moves.pop()  # that of the initial state
        steps: list[Step[State]] = []
        state = self._system.initial()
        while moves:
            step = self._step(state, moves.pop())
            steps.append(step)
            state = step.successor
        if state != arrival.successor:
            raise AssertionError("internal error: two steps of the same number")
        return steps

    def _step(self, state: State, move: int) -> Step[State]:
        for thread in self._system.threads(state):
            for step in self._system.steps(state, thread):
                if self._codes.of(thread, step.choices) == move and step.violation is None:
                    return step
        raise AssertionError("internal error: no step of this number")
