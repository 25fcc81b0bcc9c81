"""What other threads may do to what one thread knows.

A write is kept with all that its thread knows of memory when it writes. Two sets of states of two
different threads *exclude* each other if they belong to one class of which there is one thread, or
if they tell different things of one cell: then no state of the program has both. So a write changes
nothing for a thread whose knowledge excludes it, and no two threads stand where it does.
NOTE(thread-modular)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from abpress.modular.classes import ThreadClasses
from abpress.modular.spots import Spot, Spots
from abpress.modular.state import Known, Variable, joined
from abpress.modular.values import (
    Atom,
    Holds,
    Number,
    Value,
    included,
    may_both_hold,
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
    """

    spot: Spot
    cls: int
    known: Known
    value: Value
    bit: bool


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

    def change(self, key: ChangeKey, change: Change) -> bool:
        """Adds a change; returns whether it is new."""
        old = self.changes.get(key)
        if old is not None:
            change = Change(
                change.spot,
                change.cls,
                joined(old.known, change.known),
                union(old.value, change.value),
                old.bit and change.bit,
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

    def include(self, other: Globals) -> bool:
        """Adds all of another one; returns whether anything is new."""
        new = [self.change(key, change) for key, change in other.changes.items()]
        new += [self.summarise(spot, value) for spot, value in other.summaries.items()]
        new += [self.begin(cls, known) for cls, known in other.entries.items()]
        new += [self.end(cls, known, result) for cls, (known, result) in other.ends.items()]
        return any(new)


CellFacts = tuple[frozenset[Atom] | None, ...]
"""What is known of the contested cells, in their order."""


@dataclass(slots=True)
class ChangesOfCell:
    """Changes of a cell to one value, as threads of a class see it. `makers` are those who make
    them, as bits of a number. Mutable while it is made."""

    value: Value
    bit: bool
    makers: int = 0


class Makers:
    """Those who make changes: classes, with what their threads know of contested cells. Each has a
    bit. What is asked for often is remembered."""

    def __init__(self, makers: Iterable[tuple[int, CellFacts]]) -> None:
        self.bits = {maker: 1 << k for k, maker in enumerate(dict.fromkeys(makers))}
        self._of_class: dict[int, int] = {}
        self._telling: dict[int, dict[tuple[int, frozenset[Atom]], int]] = {}
        self._otherwise: dict[tuple[int, int, frozenset[Atom]], int] = {}
        for (cls, facts), bit in self.bits.items():
            self._of_class[cls] = self._of_class.get(cls, 0) | bit
            for k, atoms in enumerate(facts):
                if atoms is not None:
                    telling = self._telling.setdefault(k, {})
                    telling[cls, atoms] = telling.get((cls, atoms), 0) | bit

    def of_class(self, cls: int) -> int:
        """All of a class."""
        return self._of_class.get(cls, 0)

    def excluded(self, cls: int, facts: CellFacts) -> int:
        """Those who tell something else of a cell than another thread, of a class, that knows
        these facts."""
        found = 0
        for k, atoms in enumerate(facts):
            if atoms is not None:
                key = cls, k, atoms
                if key not in self._otherwise:
                    self._otherwise[key] = self._telling_otherwise(*key)
                found |= self._otherwise[key]
        return found

    def _telling_otherwise(self, cls: int, k: int, atoms: frozenset[Atom]) -> int:
        found = 0
        for (other, its), bits in self._telling.get(k, {}).items():
            if not _may_both_hold(atoms, its, cls, other):
                found |= bits
        return found


class Interference:
    """What the changes of `Globals` do to the knowledge of threads.

    Cells that somebody changes are contested: of all others, all threads know the same.
    """

    def __init__(self, classes: ThreadClasses, spots: Spots, given: Globals) -> None:
        self._classes = classes
        self._spots = spots
        self._changes = given.by_spot()
        self._contested = tuple(s for s in self._changes if spots.singular(s.origin))
        self._seen: dict[tuple[int, Spot], list[ChangesOfCell]] = {}

    @cached_property
    def _makers(self) -> Makers:
        changes = (change for its in self._changes.values() for change in its)
        return Makers((change.cls, self.facts(change.known)) for change in changes)

    def reason(self, first: int, a: Known, second: int, b: Known) -> Spot | int | None:
        """Why two different threads of these classes are never in these states at once: the cell
        of which they tell different things, or the class that has only one thread. None if they
        may be."""
        if first == second and self._classes.unique(first):
            return first
        x, y = a.values, b.values
        for spot in self._contested:
            mine, its = x.get(spot), y.get(spot)
            if mine is None or its is None:
                continue
            if not _may_both_hold(mine, its, first, second):
                return spot
        return None

    def shows(self, reason: Spot | int, first: int, a: Known, second: int, b: Known) -> bool:
        """Whether a reason for two threads to exclude each other is right."""
        if isinstance(reason, int):
            return first == second == reason and self._classes.unique(reason)
        mine, its = a.values.get(reason), b.values.get(reason)
        if mine is None or its is None or not self._spots.singular(reason.origin):
            return False
        return not may_both_hold(mine, its, first, second)

    def closed(self, cls: int, known: Known) -> Known:
        """What is left of what a thread knows when others may have moved."""
        while True:
            changes, ended = self._disturbed(cls, known)
            if changes:
                known = known.but(changes)
            if ended:
                copies = {r: s for r, s in known.copies.items() if s not in ended}
                known = Known(known.values, copies)
            if not changes:
                return known

    def _disturbed(self, cls: int, known: Known) -> tuple[list[tuple[Variable, Value]], set[Spot]]:
        """The values that others may have written, and the cells that they may have written to
        of which there are copies."""
        found: list[tuple[Variable, Value]] = []
        written: set[Spot] = set()
        copied = set(known.copies.values())
        excluded = self._excluded(cls, known)
        for variable, mine in known.values.items():
            if isinstance(variable, str) or variable not in self._changes:
                continue
            after: Value = mine
            for change in self._of_others(cls, variable):
                new = _kept_bits(mine) if change.bit else change.value
                if variable not in copied and included(new, after):
                    continue
                if change.makers & ~excluded:
                    written.add(variable)
                    after = union(after, new)
                    if after is None:
                        break
            if after != mine:
                found.append((variable, after))
        for spot in copied - written:
            if spot not in known.values and any(
                change.makers & ~excluded for change in self._of_others(cls, spot)
            ):
                written.add(spot)
        return found, written & copied

    def facts(self, known: Known) -> CellFacts:
        """What is known of the contested cells: all that tells threads apart."""
        values = known.values
        return tuple([values.get(spot) for spot in self._contested])

    def may_meet(self, first: int, facts: CellFacts, second: int, its: CellFacts) -> bool:
        """Whether two different threads of these classes may know these facts at once."""
        if first == second and self._classes.unique(first):
            return False
        return not any(
            a is not None and b is not None and not _may_both_hold(a, b, first, second)
            for a, b in zip(facts, its, strict=True)
        )

    def _excluded(self, cls: int, known: Known) -> int:
        """Those who make no change while a thread of a class stands where this is known."""
        found = self._makers.excluded(cls, self.facts(known))
        return found | self._makers.of_class(cls) if self._classes.unique(cls) else found

    def _of_others(self, cls: int, spot: Spot) -> list[ChangesOfCell]:
        """The changes of a cell as threads of a class see them."""
        key = cls, spot
        if key not in self._seen:
            found: dict[tuple[Value, bool], ChangesOfCell] = {}
            for change in self._changes.get(spot, ()):
                translate = seen_by_other(change.cls, cls, self._classes.unique)
                value = translated(change.value, translate)
                same = found.setdefault((value, change.bit), ChangesOfCell(value, change.bit))
                same.makers |= self._makers.bits[change.cls, self.facts(change.known)]
            self._seen[key] = list(found.values())
        return self._seen[key]


def _kept_bits(mine: Value) -> Value:
    """What a thread may see where another one has changed its own bit of a number."""
    found: list[Atom] = []
    for atom in mine or ():
        match atom:
            case Holds(bit):
                found.append(Holds(bit))
            case Number(0):
                found += [atom, Holds(False)]
            case _:
                return None
    return frozenset(found) if mine is not None else None


@lru_cache(maxsize=1 << 16)
def _may_both_hold(a: frozenset[Atom], b: frozenset[Atom], first: int, second: int) -> bool:
    return may_both_hold(a, b, first, second)
