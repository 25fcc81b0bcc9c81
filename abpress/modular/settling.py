"""How what is known at the locations of a template is followed until nothing changes.

Locations are visited again where less is known than before, and where something was read that
others tell, once they tell something else. All reads of what others tell go through `Watched`,
which notes who reads; so no reader is left out. NOTE(visits-again)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import TypeVar

from abpress.analysis.flow import loop_heads, loops_first
from abpress.ir.program import Program, Template, edges, effect_target


class TakesTooLong(Exception):
    """The analysis has given up, or its time is over."""


def steps_for(program: Program, least: int, of_edge: int) -> int:
    """How many edges an analysis may follow: so many for each edge of the program, and not less
    than `least`."""
    return max(least, of_edge * sum(1 for t in program.templates.values() for _ in edges(t)))


At = tuple[str, int]
"""Template and location."""

Heads = Mapping[int, frozenset[str]]
"""The heads of loops, with the registers that keep what they hold in the loop."""

Visit = Callable[[int, Heads], Iterator[int]]
"""Follows the edges of a location, given the heads of loops; tells the locations at which less is
known because of that."""


@dataclass(frozen=True, slots=True)
class LoopOrder:
    """The places of a template's locations in the order in which they are visited, loops first,
    inner ones before outer ones; and the heads of loops, with the registers that keep what they
    hold in the loop."""

    rank: Mapping[int, int]
    heads: Mapping[int, frozenset[str]]


class LoopOrders:
    """The orders of templates, by name; each is found once."""

    def __init__(self) -> None:
        self._found: dict[str, LoopOrder] = {}

    def of(self, template: Template) -> LoopOrder:
        """The order of a template."""
        found = self._found.get(template.name)
        if found is None:
            loops = loops_first(template)
            rank = {location: k for k, location in enumerate(loops)}
            heads = {
                head: _kept(template, loops.get(head, frozenset()))
                for head in loop_heads(template, [True] * len(template.locations))
            }
            found = self._found[template.name] = LoopOrder(rank, heads)
        return found


def _kept(template: Template, loop: frozenset[int]) -> frozenset[str]:
    """The registers that a loop does not write; none where it is not known which one it is."""
    if len(loop) < 2:
        return frozenset()
    targets = (
        effect_target(effect)
        for i in loop
        for edge in template.locations[i].edges
        for effect in edge.effects
    )
    return frozenset(template.registers) - {r.name for r in targets if r is not None}


T = TypeVar("T")


class Visits:
    """The locations of a program's templates that are to be visited. Mutable."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._orders = LoopOrders()
        self._due: dict[str, set[int]] = {}
        self._place: At | None = None
        self._rank: Mapping[int, int] = {}
        self._todo: list[tuple[int, int]] = []
        self._waiting: set[int] = set()
        self._last = -1

    @property
    def place(self) -> At | None:
        """The location that is being visited."""
        return self._place

    def is_due(self) -> bool:
        """Whether some location is to be visited."""
        return any(self._due.values())

    def due(self, places: Iterable[At]) -> None:
        """Has locations visited when it is the turn of their templates."""
        for name, location in places:
            self._due.setdefault(name, set()).add(location)

    def run(self, name: str, visit: Visit) -> None:
        """Visits the locations of a template that are due, and then those that visits tell, loops
        first, until none is left."""
        order = self._orders.of(self._program.templates[name])
        self._rank = rank = order.rank
        self._waiting = self._due.pop(name, set())
        self._todo = [(rank[i], i) for i in self._waiting]
        heapify(self._todo)
        self._last = -1
        try:
            while self._todo:
                k, i = heappop(self._todo)
                self._last = max(k, self._last)
                self._waiting.discard(i)
                self._due.get(name, set()).discard(i)
                self._place = name, i
                for target in visit(i, order.heads):
                    self._push(target)
        finally:
            self._place = None

    def _push(self, location: int) -> None:
        if location not in self._waiting:
            self._waiting.add(location)
            heappush(self._todo, (self._rank[location], location))

    def again(self, places: Iterable[At]) -> None:
        """Has locations visited that have read what others tell, as that has changed: in this turn
        if theirs would come later."""
        running = None if self._place is None else self._place[0]
        for name, location in places:
            if name == running and self._rank[location] > self._last:
                self._push(location)
            else:
                self._due.setdefault(name, set()).add(location)


class Watched(Mapping[str, T]):
    """What others tell, by name. Who reads it while a location is visited is noted."""

    def __init__(self, held: Mapping[str, T], visits: Visits) -> None:
        self._held = held
        self._visits = visits
        self._readers: dict[str, set[At]] = {}

    def __getitem__(self, name: str) -> T:
        self._read(name)
        return self._held[name]

    def __contains__(self, name: object) -> bool:
        if isinstance(name, str):
            self._read(name)
        return name in self._held

    def __iter__(self) -> Iterator[str]:
        raise TypeError("what is not named cannot be noted")

    def __len__(self) -> int:
        raise TypeError("what is not named cannot be noted")

    def _read(self, name: str) -> None:
        if self._visits.place is not None:
            self._readers.setdefault(name, set()).add(self._visits.place)

    def note(self, name: str, readers: Iterable[At]) -> None:
        """Notes that what is told of a name is read at these places as well."""
        self._readers.setdefault(name, set()).update(readers)

    def changed(self, name: str) -> None:
        """Something else is told of a name: who has read it is visited again."""
        self._visits.again(self._readers.get(name, ()))
