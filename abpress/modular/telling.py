"""What threads tell of contested cells: two threads that tell different things of a cell, of which
there is one, are not there at the same time.

Most states share most of the parts of which what they know consists (`Valuation`); so what is found
of a part is remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from abpress.modular.classes import ThreadClasses
from abpress.modular.spots import Spot, Spots
from abpress.modular.state import Known
from abpress.modular.valuation import NOTHING, Atoms, Part, Valuation
from abpress.modular.values import SELF, Value, may_both_hold


class Sayings:
    """What states of threads of classes say of contested cells. Those who say it are bits of a
    number. Mutable while states are added.

    States are numbered as they are added. Of a cell that is kept which the first one of a class
    says, and each one that says something else than the one of the class before it: states that
    follow one another differ in a few cells.
    """

    def __init__(self, contested: Mapping[Spot, int]) -> None:
        self.contested = contested
        self._count = 0
        self._last: dict[int, Valuation] = {}
        self._classes: dict[int, int] = {}
        self._turns: dict[Spot, dict[int, list[tuple[int, Value]]]] = {}

    def add(self, cls: int, values: Valuation) -> int:
        """Adds a state; returns its number."""
        number, self._count = self._count, self._count + 1
        for variable in values.differing(self._last.get(cls, NOTHING)):
            if variable in self.contested:
                assert isinstance(variable, Spot)
                turns = self._turns.setdefault(variable, {}).setdefault(cls, [])
                turns.append((number, values.value(variable)))
        self._last[cls] = values
        self._classes[cls] = self.of_class(cls) | 1 << number
        return number

    def of_class(self, cls: int) -> int:
        """All of a class."""
        return self._classes.get(cls, 0)

    def is_said(self, cls: int, spot: Spot, atoms: Atoms) -> bool:
        """Whether a state of a class says this of a cell."""
        return any(its == atoms for _, its in self._turns.get(spot, {}).get(cls, ()))

    def otherwise(
        self, cls: int, spot: Spot, atoms: Atoms, unique: Callable[[int], bool]
    ) -> Iterator[int]:
        """Those who say something else of a cell than another thread, of a class."""
        for other, turns in self._turns.get(spot, {}).items():
            if other == cls and unique(cls):
                continue
            ends = (*(begin for begin, _ in turns[1:]), self._count)
            for (begin, its), end in zip(turns, ends, strict=True):
                if its is not None and not both_may_hold(atoms, its, cls, other):
                    yield ((1 << end) - (1 << begin)) & self.of_class(other)


class Makers:
    """Those who make changes: what threads of classes know just before. Each has a bit. What is
    asked for often is remembered."""

    def __init__(self, classes: ThreadClasses, contested: Mapping[Spot, int]) -> None:
        self._unique = classes.unique
        self._sayings = Sayings(contested)
        self._numbers: dict[tuple[int, ...], tuple[Known, int]] = {}
        self._spots: list[dict[Spot, None]] = []
        self._found: dict[int, dict[int, tuple[Part, int]]] = {}
        self._otherwise: dict[tuple[int, Spot, Atoms], int] = {}

    def add(self, spot: Spot, cls: int, known: Known) -> None:
        """Adds who makes a change."""
        key = _identity(cls, known)
        its = self._numbers.get(key)
        if its is None:
            its = self._numbers[key] = known, self._sayings.add(cls, known.values)
            self._spots.append({})
        self._spots[its[1]][spot] = None

    def bit(self, cls: int, known: Known) -> int:
        """The bit of one that was added."""
        return 1 << self._numbers[_identity(cls, known)][1]

    def changed(self, makers: int) -> Iterator[Spot]:
        """What they change."""
        while makers:
            last = makers.bit_length() - 1
            yield from self._spots[last]
            makers ^= 1 << last

    def excluded(self, cls: int, known: Known) -> int:
        """Those who make no change while another thread, of a class, stands where this is known."""
        found = self._sayings.of_class(cls) if self._unique(cls) else 0
        before = self._found.setdefault(cls, {})
        parts = known.values.cells
        for part, its in zip(parts, map(before.get, map(id, parts)), strict=True):
            if its is None:
                its = before[id(part)] = part, self._excluded_by(cls, part)
            if its[1]:
                found |= its[1]
        return found

    def _excluded_by(self, cls: int, part: Part) -> int:
        found = 0
        for spot, atoms in part.items():
            if spot in self._sayings.contested:
                assert isinstance(spot, Spot)
                key = cls, spot, atoms
                bits = self._otherwise.get(key)
                if bits is None:
                    bits = 0
                    for some in self._sayings.otherwise(cls, spot, atoms, self._unique):
                        bits |= some
                    self._otherwise[key] = bits
                found |= bits
        return found


def _identity(cls: int, known: Known) -> tuple[int, ...]:
    """What is the same for states that say the same of cells, if they share their parts."""
    return cls, *map(id, known.values.cells)


Telling = tuple[tuple[Spot, Atoms], ...]
"""What a state of a thread says of cells of which some other one says something else."""


_OWN: Atoms = frozenset({SELF})


class Exclusion:
    """Which states of two threads exclude each other, by what they tell. What is asked for often is
    remembered, for the given states above all."""

    def __init__(
        self,
        classes: ThreadClasses,
        spots: Spots,
        contested: Mapping[Spot, int],
        states: Iterable[tuple[int, Known]],
    ) -> None:
        self._unique = classes.unique
        self._spots = spots
        self._sayings = Sayings(contested)
        self._tells: dict[tuple[int, Spot, Atoms], bool] = {}
        self._found: dict[tuple[int, int], tuple[Part, Telling]] = {}
        self._mine: dict[int, tuple[Part, Telling]] = {}
        for cls, known in states:
            self._sayings.add(cls, known.values)

    def reason(self, first: int, a: Known, second: int, b: Known) -> Spot | int | None:
        """Why two different threads of these classes are never in these states at once: the cell
        of which they tell different things, or the class that has only one thread. None if they
        may be."""
        if first == second and self._unique(first):
            return first
        for listed in (self._held, self.telling):  # mostly it is a lock, of which there are few
            told = {spot for spot, _ in (*listed(first, a), *listed(second, b))}
            found = [spot for spot in told if not self._agree(spot, first, a, second, b)]
            if found:
                return min(found, key=self._sayings.contested.__getitem__)
        return None

    def _agree(self, spot: Spot, first: int, a: Known, second: int, b: Known) -> bool:
        mine, its = a.get(spot), b.get(spot)
        return mine is None or its is None or both_may_hold(mine, its, first, second)

    def shows(self, reason: Spot | int, first: int, a: Known, second: int, b: Known) -> bool:
        """Whether a reason for two threads to exclude each other is right."""
        if isinstance(reason, int):
            return first == second == reason and self._unique(reason)
        mine, its = a.get(reason), b.get(reason)
        if mine is None or its is None or not self._spots.singular(reason.origin):
            return False
        return not may_both_hold(mine, its, first, second)

    def may_meet(self, first: int, told: Telling, second: int, its: Telling) -> bool:
        """Whether two different threads of these classes may tell this at once."""
        if first == second and self._unique(first):
            return False
        others = dict(its)
        return all(
            spot not in others or both_may_hold(atoms, others[spot], first, second)
            for spot, atoms in told
        )

    def _held(self, cls: int, known: Known) -> Telling:
        """What a state says of contested cells that hold the thread's own id."""
        found: list[tuple[Spot, Atoms]] = []
        for part in known.values.parts:
            if part:
                its = self._mine.get(id(part))
                if its is None:
                    its = self._mine[id(part)] = part, tuple(self._held_by(part))
                found += its[1]
        return tuple(found)

    def _held_by(self, part: Part) -> Iterator[tuple[Spot, Atoms]]:
        for spot, atoms in part.items():
            if atoms == _OWN and spot in self._sayings.contested:
                assert isinstance(spot, Spot)
                yield spot, atoms

    def telling(self, cls: int, known: Known) -> Telling:
        """What a state of a thread says of cells of which one of the given states says something
        else; and all that none of these says, as others may contradict that."""
        found: list[tuple[Spot, Atoms]] = []
        for part in known.values.parts:
            if part:
                its = self._found.get((cls, id(part)))
                if its is None:
                    its = self._found[cls, id(part)] = part, tuple(self._telling_of(cls, part))
                found += its[1]
        return tuple(found)

    def _telling_of(self, cls: int, part: Part) -> Iterator[tuple[Spot, Atoms]]:
        for spot, atoms in part.items():
            if spot in self._sayings.contested:
                assert isinstance(spot, Spot)
                key = cls, spot, atoms
                tells = self._tells.get(key)
                if tells is None:
                    others = self._sayings.otherwise(cls, spot, atoms, self._unique)
                    said = self._sayings.is_said(cls, spot, atoms)
                    tells = self._tells[key] = not said or any(True for _ in others)
                if tells:
                    yield spot, atoms


@lru_cache(maxsize=1 << 16)
def both_may_hold(a: Atoms, b: Atoms, first: int, second: int) -> bool:
    """As `may_both_hold`; what it has found is remembered."""
    return may_both_hold(a, b, first, second)
