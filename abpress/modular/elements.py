"""What a thread knows of cells by their addresses, where it writes. NOTE(elements-by-address)"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from abpress.ir.expr import Expr, registers
from abpress.ir.types import Scalar
from abpress.modular.addresses import (
    MOST_FOLLOWED,
    AddressedCell,
    NamedAddress,
    address_of,
    depth,
    is_plain,
)
from abpress.modular.spots import Aimed, Spot, Spots
from abpress.modular.state import Known
from abpress.modular.valuation import Variable
from abpress.modular.values import Value, may_be_same, union


class ElementSteps:
    """The addresses of threads of one class."""

    def __init__(self, spots: Spots, cls: int) -> None:
        self._spots = spots
        self._cls = cls
        self._template = spots.classes.template(cls)

    def address(self, e: Expr, known: Known) -> NamedAddress | None:
        """What the value of a pointer is made of; None if that is not known."""
        if not self._spots.by_address:
            return None
        found = address_of(e, known.moved, known.copies, self._template.locals)
        if found is None or depth(found) > MOST_FOLLOWED or not is_plain(found):
            return None
        unset = self._spots.unset(self._template.name) if found.by else frozenset()
        return found if all(registers(d).isdisjoint(unset) for d in found.by) else None

    def assigned(self, register: str, e: Expr, known: Known) -> NamedAddress | None:
        """What a register holds behind its assignment, made of what others hold."""
        found = self.address(e, known)
        return None if found is None or register in found.names else found

    def element(
        self, e: Expr, aims: Sequence[Aimed], type: Scalar, known: Known
    ) -> AddressedCell | None:
        """The cell that an access covers, if it is told apart by its address, and has no name."""
        if not self._spots.by_address:
            return None
        spots: set[Spot] = set()
        if (
            len(aims) == 1
            and not aims[0].stride
            and self._spots.followed(aims[0].origin, aims[0].own)
        ):
            return None
        for aim in aims:
            followed = self._spots.followed(aim.origin, self._is_mine(aim))
            touched = self._spots.touched(aim, type.size, not followed)
            if not touched or not self._spots.covers(aim, type.size):
                return None
            for spot, cell, exact in touched:
                apart = self._spots.told_apart(spot.origin, cell)
                if not exact or cell.type != type or not apart:
                    return None
                spots.add(self._spots.each(spot))
        address = self.address(e, known) if spots else None
        return None if address is None else AddressedCell(address, type.size, frozenset(spots))

    def _is_mine(self, aim: Aimed) -> bool:
        return aim.own or (aim.origin.kind == "local" and aim.origin.owner == self._cls)


@dataclass(slots=True)
class Overwriting:
    """What one effect writes to cells of which something may be known by their addresses. Mutable:
    it is at one of the `spots`; it is `at` an address, if that is known. What the cell held
    `before`, and holds then."""

    at: AddressedCell | None = None
    spots: set[Spot] = field(default_factory=set)
    before: Value = frozenset()
    new: Value = frozenset()

    def add(self, spot: Spot, before: Value, new: Value) -> None:
        """Adds where it may be, with what holds if it is there."""
        self.spots.add(spot)
        self.before, self.new = union(self.before, before), union(self.new, new)

    def changes(self, known: Known) -> Iterator[tuple[Variable, Value]]:
        """What cells hold then that are known by their addresses."""
        if not self.spots:
            return
        if self.at is not None:
            yield self.at, self.new
        for element in known.elements:
            if element != self.at and not self.spots.isdisjoint(element.spots):
                mine = known.get(element)
                overlaps = None if self.at is None else element.overlaps(self.at)
                if overlaps:
                    yield element, None
                elif overlaps is None and may_be_same(mine, self.before):
                    yield element, union(mine, self.new)
