"""Initial values of static objects: constants written into the scalars of a layout."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from abpress.errors import InputError, Position, UnsupportedError
from abpress.ir.expr import Addr, Const, Expr, FuncAddr
from abpress.ir.program import Initial
from abpress.ir.types import IntType, Layout, PtrType
from abpress_frontend.lower.ctypes import Bits


@dataclass(frozen=True, slots=True)
class StaticEntry:
    """`value` initialises `size` bytes at `offset`, or the `bits` of a unit there."""

    offset: int
    size: int
    value: Expr
    bits: Bits | None = None


def initial_values(
    space: Layout, entries: Iterable[StaticEntry], at: Position
) -> tuple[Initial, ...]:
    """One value per scalar of the layout: zero, overwritten by the entries in order.

    Raises InputError for an entry that is not constant, UnsupportedError for an address, or a
    member of a union, that the scalars of the layout cannot hold.
    """
    zeros = {type: Const(0, type) for type in {cell.type for cell in space.cells}}
    values: list[Initial] = [zeros[cell.type] for cell in space.cells]
    for entry in entries:
        if isinstance(entry.value, Const):
            _write(values, space, entry, entry.value.value, at)
        elif isinstance(entry.value, Addr | FuncAddr):
            index = space.index.get(entry.offset)
            if index is None or not isinstance(space.cells[index].type, PtrType):
                raise UnsupportedError("address in a static initialiser of a union member", at)
            values[index] = entry.value
        else:
            raise InputError("the initialiser is not constant", at)
    return tuple(values)


def _write(
    values: list[Initial], space: Layout, entry: StaticEntry, number: int, at: Position
) -> None:
    """The integer `number`, little endian, into the scalars that the entry overlaps."""
    bits = entry.bits or Bits(0, 8 * entry.size, entry.size)
    first, width = bits.first, bits.width
    mask = (1 << width) - 1 << first
    number = number << first & mask
    left = mask
    for i, cell in enumerate(space.cells):
        shift = 8 * (cell.offset - entry.offset)
        inside = _shifted(mask, shift) & (1 << 8 * cell.type.size) - 1
        if not inside:
            continue
        old = values[i]
        if isinstance(old, Const):
            rest = old.value & ~inside & (1 << 8 * cell.type.size) - 1
        elif inside == (1 << 8 * cell.type.size) - 1:
            rest = 0
        else:
            raise UnsupportedError("static initialiser of a part of an address", at)
        new = rest | _shifted(number, shift) & inside
        values[i] = Const(cell.type.wrap(new) if isinstance(cell.type, IntType) else new, cell.type)
        left &= ~_shifted(inside, -shift)
    if left:
        raise UnsupportedError("static initialiser of a union member between other scalars", at)


def _shifted(n: int, right: int) -> int:
    return n >> right if right >= 0 else n << -right
