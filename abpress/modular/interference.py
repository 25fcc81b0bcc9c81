"""What other threads may do to what one thread knows.

A write is kept with all that its thread knows of memory when it writes. Two sets of states of two
different threads *exclude* each other if they belong to one class of which there is one thread, or
if they tell different things of one cell: then no state of the program has both. So a write changes
nothing for a thread whose knowledge excludes it, and no two threads stand where it does.
NOTE(thread-modular), NOTE(elements-by-address)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from abpress.modular.addresses import AddressedCell
from abpress.modular.classes import ThreadClasses
from abpress.modular.spots import Spot, Spots
from abpress.modular.state import Known, implies, joined
from abpress.modular.telling import Makers
from abpress.modular.valuation import ImpliedParts, JoinedParts, Variable
from abpress.modular.values import (
    Atom,
    Holds,
    Number,
    Value,
    included,
    may_be_same,
    seen_by_other,
    translated,
    union,
)

Point = tuple[int, int, int, int]
"""Class, location, edge, effect."""


@dataclass(frozen=True, slots=True)
class Change:
    """Writes of a class at one point to a spot. `known` is what the thread knows just before.

    `value` is what it writes, as it sees it. `bit`: only its own bit of the number changes.
    `before` is what the cell holds just before; the spot is a summary then.
    """

    spot: Spot
    cls: int
    known: Known
    value: Value
    bit: bool
    before: Value = None

    def is_part(self, other: Change, compared: ImpliedParts | None = None) -> bool:
        """Whether another one, of the same point and spot, does all that this one does. `compared`
        is as for `implies`."""
        return (
            self.bit == other.bit
            and included(self.value, other.value)
            and included(self.before, other.before)
            and implies(self.known, other.known, compared)
        )


ChangeKey = tuple[Point, Spot, tuple[object, ...]]


@dataclass(slots=True)
class Globals:
    """What all threads together may do, and what they leave behind. Mutable.

    `summaries` are what was ever written to cells that nobody follows; `entries` what is known
    where threads of a class begin; `ends` where they have ended (and the result).
    """

    changes: dict[ChangeKey, Change] = field(default_factory=dict)
    summaries: dict[Spot, Value] = field(default_factory=dict)
    entries: dict[int, Known] = field(default_factory=dict)
    ends: dict[int, tuple[Known, Value]] = field(default_factory=dict)
    _by_spot: dict[Spot, list[Change]] | None = None

    def by_spot(self) -> Mapping[Spot, list[Change]]:
        """The changes of each spot."""
        if self._by_spot is None:
            found: dict[Spot, list[Change]] = {}
            for change in self.changes.values():
                found.setdefault(change.spot, []).append(change)
            self._by_spot = found
        return self._by_spot

    def change(self, key: ChangeKey, change: Change, joins: JoinedParts | None = None) -> bool:
        """Adds a change; returns whether it is new. `joins` is as for `joined`."""
        old = self.changes.get(key)
        if old is not None:
            change = Change(
                change.spot,
                change.cls,
                joined(old.known, change.known, joins),
                union(old.value, change.value),
                old.bit and change.bit,
                union(old.before, change.before),
            )
            if change == old:
                return False
        self.changes[key] = change
        self._by_spot = None
        return True

    def summarise(self, spot: Spot, value: Value) -> bool:
        """Adds a value that a cell may have; returns whether it is new."""
        if spot not in self.summaries:
            self.summaries[spot] = value
            return True
        old = self.summaries[spot]
        self.summaries[spot] = union(old, value)
        return self.summaries[spot] != old

    def begin(self, cls: int, known: Known) -> bool:
        """Adds what is known where a thread of the class begins; returns whether that is less."""
        old = self.entries.get(cls)
        self.entries[cls] = known if old is None else joined(old, known)
        return old is None or self.entries[cls] != old

    def end(self, cls: int, known: Known, result: Value) -> bool:
        """Adds what is known where a thread of the class has ended; returns if that is less."""
        old = self.ends.get(cls)
        both = (known, result)
        if old is not None:
            both = (joined(old[0], known), union(old[1], result))
        self.ends[cls] = both
        return both != old

    def include(self, cls: int, told: Globals) -> bool:
        """Adds what threads of a class have told now, but for where others begin; returns whether
        anything is new. Its changes of states that it does not tell apart any more are left out,
        where a wider one does what they do."""
        joins: JoinedParts = {}
        new = [self.change(key, change, joins) for key, change in told.changes.items()]
        self._leave_out_old(cls, told)
        new += [self.summarise(spot, value) for spot, value in told.summaries.items()]
        new += [self.end(c, known, result) for c, (known, result) in told.ends.items()]
        return any(new)

    def _leave_out_old(self, cls: int, told: Globals) -> None:
        old = [k for k in self.changes if k[0][0] == cls and k not in told.changes]
        if not old:
            return
        now: dict[tuple[Point, Spot], list[Change]] = {}
        for key in told.changes:
            now.setdefault(key[:2], []).append(self.changes[key])
        compared: ImpliedParts = {}
        for key in old:
            change = self.changes[key]
            if any(change.is_part(other, compared) for other in now.get(key[:2], ())):
                del self.changes[key]
        self._by_spot = None


@dataclass(slots=True)
class ChangesOfCell:
    """Changes of a cell that holds some value to another one, as threads of a class see it.
    `makers` are those who make them, as bits of a number. Mutable while it is made."""

    value: Value
    bit: bool
    before: Value
    makers: int = 0


@dataclass(frozen=True, slots=True)
class Closed:
    """What a thread knows that no change by others makes wrong. `excluded` are the makers of
    changes who make none where that is known."""

    known: Known
    excluded: int


class Interference:
    """What the changes of `Globals` do to the knowledge of threads.

    Cells that somebody changes are contested: of all others, all threads know the same.
    """

    def __init__(self, classes: ThreadClasses, spots: Spots, given: Globals) -> None:
        self._classes = classes
        self._listed = tuple(given.changes.values())
        self._changes = given.by_spot()
        singular = (spot for spot in self._changes if spots.singular(spot.origin))
        self.contested: Mapping[Spot, int] = {spot: k for k, spot in enumerate(singular)}
        self._seen: dict[tuple[int, Spot], list[ChangesOfCell]] = {}

    @cached_property
    def makers(self) -> Makers:
        """Those who make changes."""
        found = Makers(self._classes, self.contested)
        for change in self._listed:
            found.add(change.spot, change.cls, change.known)
        return found

    def closed(self, cls: int, known: Known) -> Known:
        """What is left of what a thread knows when others may have moved."""
        return self.closing(cls, known).known

    def closing(self, cls: int, known: Known, since: Closed | None = None) -> Closed:
        """What is left of what a thread knows when others may have moved. `since` is anything that
        a thread of the class knows when others may have moved: the less differs, the quicker.

        What `known` says as `since` does is made wrong only by who makes no change then, and may
        make one now: all other changes were looked at. It is the same with what was known before
        the last look, whose changes are in what is known now. NOTE(closed-states)
        """
        looked = since or Closed(Known(), self.makers.excluded(cls, Known()))
        while True:
            excluded = self.makers.excluded(cls, known)
            asked: dict[Variable, None] = dict.fromkeys(known.values.differing(looked.known.values))
            asked |= dict.fromkeys(self.makers.changed(looked.excluded & ~excluded))
            changes = list(self._disturbed(cls, known, asked, excluded))
            changes += self._elements_disturbed(cls, known, excluded)
            gone = self._may_change(cls, known, excluded)
            looked = Closed(known, excluded)
            if gone or changes:
                known = Known(known.values.but(changes), known.copies, known.moved)
                known = known.changed(gone | {variable for variable, _ in changes})
            if not changes and (not gone or known == looked.known or not known.bases):
                return Closed(known, excluded)

    def _disturbed(
        self, cls: int, known: Known, asked: Iterable[Variable], excluded: int
    ) -> Iterator[tuple[Variable, Value]]:
        """The values that others may have written, of the variables that are asked for."""
        for variable in asked:
            mine = known.get(variable)
            if mine is None or not isinstance(variable, Spot) or variable not in self._changes:
                continue
            after: Value = mine
            for change in self._of_others(cls, variable):
                new = _kept_bits(mine) if change.bit else change.value
                if change.makers & ~excluded and not included(new, after):
                    after = union(after, new)
            if after != mine:
                yield variable, after

    def _elements_disturbed(
        self, cls: int, known: Known, excluded: int
    ) -> Iterator[tuple[Variable, Value]]:
        """The values that others may have written to cells that are known by their addresses."""
        for element, mine in known.values.elements.items():
            after: Value = mine
            for change in self._of_element(cls, element, mine, excluded):
                new = _kept_bits(mine) if change.bit else change.value
                if not included(new, after):
                    after = union(after, new)
            if after != mine:
                yield element, after

    def _may_change(self, cls: int, known: Known, excluded: int) -> set[Variable]:
        """The cells that others may have changed of those that registers are copies of, or that
        addresses are made of."""
        found: set[Variable] = set()
        for cell in dict.fromkeys((*known.copies.values(), *known.bases)):
            if isinstance(cell, Spot):
                if any(c.makers & ~excluded for c in self._of_others(cls, cell)):
                    found.add(cell)
            elif isinstance(cell, AddressedCell):
                its = self._of_element(cls, cell, known.get(cell), excluded)
                if any(True for _ in its):
                    found.add(cell)
        return found

    def _of_element(
        self, cls: int, element: AddressedCell, mine: Value, excluded: int
    ) -> Iterator[ChangesOfCell]:
        """The changes that others may make to a cell of which a thread knows this."""
        for spot in element.spots:
            for change in self._of_others(cls, spot):
                if change.makers & ~excluded and may_be_same(mine, change.before):
                    yield change

    def _of_others(self, cls: int, spot: Spot) -> list[ChangesOfCell]:
        """The changes of a cell as threads of a class see them."""
        key = cls, spot
        if key not in self._seen:
            found: dict[tuple[Value, bool, Value], ChangesOfCell] = {}
            for change in self._changes.get(spot, ()):
                translate = seen_by_other(change.cls, cls, self._classes.unique)
                value = translated(change.value, translate)
                its = value, change.bit, translated(change.before, translate)
                same = found.setdefault(its, ChangesOfCell(*its))
                same.makers |= self.makers.bit(change.cls, change.known)
            self._seen[key] = list(found.values())
        return self._seen[key]


def _kept_bits(mine: Value) -> Value:
    """What a thread may see where another one has changed its own bit of a number."""
    found: list[Atom] = []
    for atom in mine or ():
        match atom:
            case Holds():
                found.append(atom)
            case Number(0):
                found += [atom, Holds(False, begun=True)]
            case _:
                return None
    return frozenset(found) if mine is not None else None
