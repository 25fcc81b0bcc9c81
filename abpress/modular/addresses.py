"""Addresses by what they are made of, and cells by their addresses. NOTE(elements-by-address)

Of many objects, or elements, it is not known which one a pointer points to; but two pointers that
are made of the same content of the same register in the same way point to the same byte. So a
thread may know what the cell at `p + 8` holds, whichever cell that is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from abpress.ir.expr import Addr, Const, Convert, Expr, PtrAdd, Reg, registers, walk
from abpress.ir.types import IntType
from abpress.modular.spots import Spot

_OFFSETS = 1 << 32
"""Offsets in an object are from -2 GiB on, and so many."""


@dataclass(frozen=True, slots=True)
class NamedAddress:
    """`offset` bytes, and distances `by`, behind what `base` holds now, or behind the begin of a
    static object."""

    base: Base
    offset: int
    by: tuple[Expr, ...] = ()

    @property
    def names(self) -> Iterator[Base]:
        """Whose content it is made of."""
        yield self.base
        if isinstance(self.base, AddressedCell):
            yield from self.base.address.names
        for e in self.by:
            yield from registers(e)

    def moved(self, offset: int) -> NamedAddress:
        """So many bytes behind it."""
        return NamedAddress(self.base, self.offset + offset, self.by)

    def distance(self, other: NamedAddress) -> int | None:
        """How far another one is behind it; None if that is not known."""
        if self.base != other.base or self.by != other.by:
            return None
        by = (other.offset - self.offset) % _OFFSETS
        return by if by < _OFFSETS // 2 else by - _OFFSETS


@dataclass(frozen=True, slots=True)
class AddressedCell:
    """The cell of `size` bytes at an address. `spots` are those of which it may be one, in any
    object or element."""

    address: NamedAddress
    size: int
    spots: frozenset[Spot]

    def overlaps(self, other: AddressedCell) -> bool | None:
        """Whether both share a byte; None if that is not known."""
        by = self.address.distance(other.address)
        if by is None:
            return None if self.spots & other.spots else False
        return -other.size < by < self.size


Base = str | Spot | AddressedCell | Addr
"""A register, a cell, or a static object."""

Renaming = Mapping[Base, NamedAddress | None]
"""By what else the content of something is known, or None."""


def renamed(address: NamedAddress, to: Renaming) -> NamedAddress | None:
    """The same address by other names; None if there is none."""
    if any(name in to for e in address.by for name in registers(e)):
        return None
    base = address.base
    if base in to:
        other = to[base]
        if other is None:
            return None
        return NamedAddress(other.base, other.offset + address.offset, (*other.by, *address.by))
    if isinstance(base, AddressedCell):
        inner = element_renamed(base, to)
        return None if inner is None else NamedAddress(inner, address.offset, address.by)
    return address


def element_renamed(element: AddressedCell, to: Renaming) -> AddressedCell | None:
    """The same cell by other names; None if there is none."""
    address = renamed(element.address, to)
    return None if address is None else AddressedCell(address, element.size, element.spots)


def depth(address: NamedAddress) -> int:
    """How many pointers in memory are followed."""
    return 1 + depth(address.base.address) if isinstance(address.base, AddressedCell) else 0


MOST_FOLLOWED = 2
"""Pointers in memory that an address is made of, one in the object of the other."""


def address_of(
    e: Expr,
    moved: Mapping[str, NamedAddress],
    copies: Mapping[str, Spot | AddressedCell],
    locals: Mapping[str, object],
) -> NamedAddress | None:
    """What a pointer is made of; None if that is not known. `moved` and `copies` are what registers
    hold; the address of a local object is none of these, as it may be that of several."""
    match e:
        case Reg(name):
            if name in moved:
                return moved[name]
            return NamedAddress(copies.get(name, name), 0)
        case Addr(name, offset, type) if name not in locals:
            return NamedAddress(Addr(name, 0, type), offset)
        case PtrAdd(pointer, distance):
            base = address_of(pointer, moved, copies, locals)
            if base is None:
                return None
            if isinstance(distance, Const):
                return base.moved(distance.value)
            return NamedAddress(base.base, base.offset, (*base.by, distance))
        case Convert(arg, to) if arg.type == to:
            return address_of(arg, moved, copies, locals)
        case _:
            return None


def is_plain(address: NamedAddress) -> bool:
    """Whether only numbers are in its distances."""
    return all(isinstance(sub.type, IntType) for e in address.by for sub in walk(e))
