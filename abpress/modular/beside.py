"""Accesses to one of many objects, or elements: what threads know of other cells of it, as of a
lock, tells that they are not there at once. NOTE(elements-by-address)"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd
from typing import NamedTuple

from abpress.modular.addresses import AddressedCell, NamedAddress
from abpress.modular.spots import Aimed
from abpress.modular.state import Known
from abpress.modular.values import Value, may_both_hold


class Beside(NamedTuple):
    """The cell of which two threads know different things: so many bytes behind what the first one
    accesses, and so many behind what the second one does."""

    first: int
    second: int


class Encounter(NamedTuple):
    """What two threads know where both would stand before their accesses. The `addresses` are those
    of the accesses; the second one is `distance` behind the first one, if that is known."""

    first: Known
    second: Known
    addresses: tuple[NamedAddress | None, NamedAddress | None] = (None, None)
    distance: int | None = None

    def beside(self, first: int, second: int) -> Beside | None:
        """What shows that two different threads, of these classes, are not there at once."""
        mine = _around(self.first, self.addresses[0])
        its = _around(self.second, self.addresses[1]) if mine else {}
        for by, size in mine:
            reason = Beside(by, 0 if self.distance is None else by - self.distance)
            if self._shows(reason, size, first, mine, second, its):
                return reason
        return None

    def shows(self, reason: Beside, first: int, second: int) -> bool:
        """Whether that is shown by a reason."""
        mine = _around(self.first, self.addresses[0])
        its = _around(self.second, self.addresses[1])
        sizes = {size for by, size in mine if by == reason.first}
        return any(self._shows(reason, size, first, mine, second, its) for size in sizes)

    def _shows(
        self, reason: Beside, size: int, first: int, mine: _Contents, second: int, its: _Contents
    ) -> bool:
        if self.distance is None or reason.first != self.distance + reason.second:
            return False
        a, b = mine.get((reason.first, size)), its.get((reason.second, size))
        return not may_both_hold(a, b, first, second)


_Contents = Mapping[tuple[int, int], Value]
"""By how far a cell is behind an address, and its size."""


def _around(known: Known, address: NamedAddress | None) -> _Contents:
    found: dict[tuple[int, int], Value] = {}
    for element, atoms in known.values.elements.items() if address is not None else ():
        assert isinstance(element, AddressedCell) and address is not None
        by = address.distance(element.address)
        if by is not None:
            found[by, element.size] = atoms
    return found


def distance(pairs: list[tuple[Aimed, Aimed]], first: int, second: int) -> int | None:
    """How far the second of two accesses of these sizes is behind the first one where they share a
    byte; None if that is not known. The places of each pair are in one object."""
    found: set[int] = set()
    for a, b in pairs:
        by, step = b.offset - a.offset, gcd(a.stride, b.stride)
        if not step:
            found.add(by)
        else:
            low = -second + 1
            its = range(low + (by - low) % step, first, step)
            if len(its) != 1:
                return None
            found.update(its)
    return next(iter(found)) if len(found) == 1 else None
