"""Alignments of types, and how structs, unions and arrays lie in memory (System V ABI for x86).

What attributes and pragmas do to it is what GCC and Clang agree on; where they differ the
definition is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from abpress.errors import UnsupportedError
from abpress.ir.types import Cell, IntType, Layout, PtrType, scalar_layout
from abpress_frontend.lower.ctypes import (
    Bits,
    CArray,
    CField,
    CFloat,
    CFunction,
    CInt,
    CPtr,
    CRecord,
    CType,
    CVoid,
    Definition,
    is_scalar,
    sizeof,
)

PADDING = ".(padding)"
"""How the paths of bytes of padding end."""

PADDED = "padding"
"""The feature that padding has cells: the program sees bytes of structs that have some."""

MAX_CELLS = 1 << 20
"""Objects with more scalars than this are refused."""


def alignof(t: CType) -> int:
    """The alignment of the type in bytes, as in aggregates and of `_Alignof`."""
    if not isinstance(t, CVoid | CFunction) and t.align is not None:
        return t.align
    match t:
        case CArray(element):
            return alignof(element)
        case CRecord():
            return t.definition.alignment
        case CVoid() | CFunction():
            return 1
        case CInt() | CFloat() if t.natural is not None and not t.atomic:
            return t.natural
        case _:
            return sizeof(t)


def preferred_alignof(t: CType) -> int:
    """The alignment of `__alignof__`: that of variables, which i386 gives wider types."""
    match t:
        case CArray(element, align=None):
            return preferred_alignof(element)
        case CInt() | CFloat() if t.align is None and sizeof(t) == 8:
            return 8
        case _:
            return alignof(t)


@dataclass(frozen=True, slots=True)
class Member:
    """A member as declared: `width` of a bit-field in bits, `aligned` what it asks for in bytes."""

    name: str | None
    type: CType
    width: int | None = None
    aligned: int | None = None
    packed: bool = False


def complete(
    record: Definition,
    members: list[Member],
    packed: bool = False,
    packing: int = 0,
    aligned: int = 1,
) -> None:
    """Gives a record its members.

    `packed` and `aligned` are the attributes of the definition, `packing` the number of
    `#pragma pack`, 0 without. Raises UnsupportedError where compilers differ.
    """
    end = 0  # bits used so far
    alignment = aligned
    size = 0
    fields: list[CField] = []
    run: list[tuple[Member, int]] = []  # adjacent bit-fields, with their first bits
    for member in members:
        if record.is_union:
            end = 0
        if record.is_union or not member.width:
            fields += _bit_fields(run)
            run = []
        if member.width is None:
            wanted = _member_alignment(member, packed)
            align = min(wanted, packing) if packing else wanted
            start = _up(end, 8 * align)
            told = align if align == wanted and align >= preferred_alignof(member.type) else None
            told = 1 if (packed or member.packed) and wanted == 1 else told
            fields.append(CField(member.name, member.type, start // 8, None, told))
            flexible = isinstance(member.type, CArray) and member.type.count is None
            end = start + 8 * (0 if flexible else sizeof(member.type))
            alignment = max(alignment, align)
        elif member.width == 0:
            end = _up(end, 8 * max(alignof(member.type), member.aligned or 1))
        else:
            start, align = _bit_field_start(member, end, packed or member.packed, packing)
            run.append((member, start))
            end = start + member.width
            if member.name is not None:
                alignment = max(alignment, align)
        size = max(size, end)
    fields += _bit_fields(run)
    record.alignment = alignment
    record.size = _up(_up(size, 8) // 8, alignment)
    record.fields = tuple(fields)


def _member_alignment(member: Member, packed: bool) -> int:
    """The alignment that a member that is no bit-field asks for, in bytes."""
    align = 1 if packed or member.packed else alignof(member.type)
    return max(align, member.aligned or 1)


def _bit_field_start(member: Member, end: int, packed: bool, packing: int) -> tuple[int, int]:
    """The first bit of a bit-field after `end` bits, and the alignment it asks for in bytes.

    It does not cross a boundary of its type's alignment more often than an object of the type,
    unless it is packed.
    """
    assert member.width is not None
    if packing and member.aligned:
        raise UnsupportedError("aligned bit-field under #pragma pack: compilers differ")
    if member.aligned and member.aligned < alignof(member.type):
        raise UnsupportedError("bit-field aligned to less than its type: compilers differ")
    natural = max(alignof(member.type), member.aligned or 1)
    align = 8 * natural  # in bits
    if packed:
        align = 8 * member.aligned if member.aligned else 1
    if packing:
        align = min(8 * natural if packed else align, 8 * packing)
    elif end % align + member.width > 8 * sizeof(member.type):
        end = _up(end, align)
    if member.aligned:
        end = _up(end, 8 * member.aligned)
    return end, max(1, align // 8)


def _up(n: int, multiple: int) -> int:
    return -(-n // multiple) * multiple


def _bit_fields(run: list[tuple[Member, int]]) -> list[CField]:
    """The members for adjacent bit-fields, given with their first bits."""
    if not run:
        return []
    base = run[0][1] // 8
    last = max(start + (member.width or 0) for member, start in run)
    size = _up(last, 8) // 8 - base
    return [
        CField(member.name, member.type, base, Bits(start - 8 * base, member.width or 0, size))
        for member, start in run
    ]


def layout(t: CType) -> Layout:
    """The scalars of an object of the type."""
    match t:
        case CInt(ir=ir, users=users):
            return Layout(ir.size, (Cell(0, ir, "", users),))
        case CPtr(ir=p):
            return scalar_layout(p)
        case CFloat(size=size) if is_scalar(t):
            return Layout(size, (Cell(0, t.ir),))
        case CFloat(size=size):
            return Layout(size, (Cell(0, IntType(size * 8, False)),))
        case CArray(element, count) if count is not None:
            inner = layout(element)
            if count * max(1, len(inner.cells)) > MAX_CELLS:
                raise UnsupportedError(f"array of more than {MAX_CELLS} scalars ({t})")
            return inner.repeat(count)
        case CArray(_, None):
            return Layout(0, ())
        case CRecord() if t.fields is not None:
            if t.definition.layout is None:
                t.definition.layout = _record_layout(t)
            return t.definition.layout
        case CVoid():
            return scalar_layout(IntType(8, False))
        case _:
            raise UnsupportedError(f"object of the incomplete type {t}")


def _record_layout(record: CRecord) -> Layout:
    assert record.fields is not None
    parts = [
        (f, scalar_layout(IntType(8 * f.bits.size, False)) if f.bits else layout(f.type))
        for f in record.fields
    ]
    if record.is_union:
        # The member with the most bytes gives the cells; the others see them byte-wise.
        used = record.definition.used
        if used is not None:
            uses = used.of([f.name for f in record.fields])
            parts = [part for part, is_used in zip(parts, uses, strict=True) if is_used]
        parts = sorted(parts, key=lambda p: (-p[1].size, not _has_pointer(p[1])))[:1]
    cells: dict[int, Cell] = {}
    for f, inner in parts:
        name = "" if f.name is None else f".{f.name}"
        for cell in inner.cells:
            offset = f.offset + cell.offset
            path = f".({offset})" if record.is_union and is_padding(cell) else cell.path
            cells.setdefault(offset, Cell(offset, cell.type, name + path, cell.users))
    end = parts[0][1].size if record.is_union and parts else 0
    for byte in unused(record.definition.size, cells.values()):
        if byte < end:  # of another member
            cells[byte] = Cell(byte, IntType(8, False), f".({byte})")
        elif record.definition.every_byte:
            cells[byte] = Cell(byte, IntType(8, False), PADDING)
    return Layout(record.definition.size, tuple(cells[offset] for offset in sorted(cells)))


def unused(size: int, cells: Iterable[Cell]) -> list[int]:
    """The offsets below `size` of bytes that no cell holds."""
    used = {cell.offset + k for cell in cells for k in range(cell.type.size)}
    return [byte for byte in range(size) if byte not in used]


def is_padding(cell: Cell) -> bool:
    """Whether the cell is a byte of padding of a struct or union."""
    return cell.path.endswith(PADDING)


def _has_pointer(inner: Layout) -> bool:
    return any(isinstance(cell.type, PtrType) for cell in inner.cells)
