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
from abpress.modular.valuation import Atoms, Part, Valuation, part_of
from abpress.modular.values import may_both_hold


class Sayings:
    """What states of threads of classes say of contested cells. Those who say it are bits of a
    number. Mutable while states are added."""

    def __init__(self, contested: Mapping[Spot, int]) -> None:
        self.contested = contested
        self._parts: dict[int, dict[tuple[int, int], tuple[Part, int]]] = {}
        self._of: dict[Spot, dict[tuple[int, Atoms], int]] = {}

    def add(self, cls: int, values: Valuation, bit: int) -> None:
        """Adds a state."""
        for k, part in enumerate(values.parts):
            if part:
                its = self._parts.setdefault(k, {})
                _, bits = its.get((cls, id(part)), (part, 0))
                its[cls, id(part)] = part, bits | bit

    def of(self, spot: Spot) -> Mapping[tuple[int, Atoms], int]:
        """What is said of a cell: class and value, and those who say it."""
        found = self._of.get(spot)
        if found is None:
            found = self._of[spot] = {}
            for (cls, _), (part, bits) in self._parts.get(part_of(spot), {}).items():
                atoms = part.get(spot)
                if atoms is not None:
                    found[cls, atoms] = found.get((cls, atoms), 0) | bits
        return found

    def otherwise(
        self, cls: int, spot: Spot, atoms: Atoms, unique: Callable[[int], bool]
    ) -> Iterator[int]:
        """Those who say something else of a cell than another thread, of a class."""
        for (other, its), bits in self.of(spot).items():
            same_thread = other == cls and unique(cls)
            if not same_thread and not both_may_hold(atoms, its, cls, other):
                yield bits


class Makers:
    """Those who make changes: what threads of classes know just before. Each has a bit. What is
    asked for often is remembered."""

    def __init__(self, classes: ThreadClasses, contested: Mapping[Spot, int]) -> None:
        self._unique = classes.unique
        self._sayings = Sayings(contested)
        self._bits: dict[tuple[int, ...], tuple[Known, int]] = {}
        self._of_class: dict[int, int] = {}
        self._spots: list[dict[Spot, None]] = []
        self._found: dict[tuple[int, int], tuple[Part, int]] = {}
        self._otherwise: dict[tuple[int, Spot, Atoms], int] = {}

    def add(self, spot: Spot, cls: int, known: Known) -> None:
        """Adds who makes a change."""
        key = _identity(cls, known)
        if key not in self._bits:
            bit = 1 << len(self._spots)
            self._bits[key] = known, bit
            self._spots.append({})
            self._of_class[cls] = self.of_class(cls) | bit
            self._sayings.add(cls, known.values, bit)
        self._spots[self.bit(cls, known).bit_length() - 1][spot] = None

    def bit(self, cls: int, known: Known) -> int:
        """The bit of one that was added."""
        return self._bits[_identity(cls, known)][1]

    def of_class(self, cls: int) -> int:
        """All of a class."""
        return self._of_class.get(cls, 0)

    def changed(self, makers: int) -> Iterator[Spot]:
        """What they change."""
        while makers:
            last = makers.bit_length() - 1
            yield from self._spots[last]
            makers ^= 1 << last

    def excluded(self, cls: int, known: Known) -> int:
        """Those who make no change while another thread, of a class, stands where this is known."""
        found = self.of_class(cls) if self._unique(cls) else 0
        for part in known.values.parts:
            if part:
                its = self._found.get((cls, id(part)))
                if its is None:
                    its = self._found[cls, id(part)] = part, self._excluded_by(cls, part)
                found |= its[1]
        return found

    def _excluded_by(self, cls: int, part: Part) -> int:
        found = 0
        for spot, atoms in part.items():
            if spot in self._sayings.contested:
                assert not isinstance(spot, str)
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
        for cls, known in states:
            self._sayings.add(cls, known.values, 0)

    def reason(self, first: int, a: Known, second: int, b: Known) -> Spot | int | None:
        """Why two different threads of these classes are never in these states at once: the cell
        of which they tell different things, or the class that has only one thread. None if they
        may be."""
        if first == second and self._unique(first):
            return first
        told = {spot for spot, _ in (*self.telling(first, a), *self.telling(second, b))}
        found = [spot for spot in told if not self._agree(spot, first, a, second, b)]
        return min(found, key=self._sayings.contested.__getitem__) if found else None

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
                assert not isinstance(spot, str)
                key = cls, spot, atoms
                tells = self._tells.get(key)
                if tells is None:
                    others = self._sayings.otherwise(cls, spot, atoms, self._unique)
                    known = (cls, atoms) in self._sayings.of(spot)
                    tells = self._tells[key] = not known or any(True for _ in others)
                if tells:
                    yield spot, atoms


@lru_cache(maxsize=1 << 16)
def both_may_hold(a: Atoms, b: Atoms, first: int, second: int) -> bool:
    """As `may_both_hold`; what it has found is remembered."""
    return may_both_hold(a, b, first, second)
