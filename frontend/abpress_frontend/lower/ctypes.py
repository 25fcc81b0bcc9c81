"""C types, their sizes and alignments in the two data models, and how they lie in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeGuard

from abpress.errors import UnsupportedError
from abpress.ir.expr import Expr
from abpress.ir.types import Cell, IntType, Layout, PtrType, Scalar, scalar_layout


@dataclass(frozen=True, slots=True)
class CVoid:
    """`void`."""

    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True, slots=True)
class CInt:
    """An integer type. `rank` orders the conversions; `_Bool` and enums are of this kind, too."""

    name: str
    ir: IntType
    rank: int
    atomic: bool = False

    @property
    def is_bool(self) -> bool:
        return self.rank == 0

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class CFloat:
    """A floating-point type: it can be declared, its values are not supported."""

    name: str
    size: int
    atomic: bool = False

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class CPtr:
    """A pointer."""

    target: CType
    ir: PtrType
    atomic: bool = False

    def __str__(self) -> str:
        return f"{self.target} *"


@dataclass(frozen=True, slots=True)
class CArray:
    """An array; `count` is None when incomplete, `length` is given when it is variable (a VLA)."""

    element: CType
    count: int | None
    length: Expr | None = None

    def __str__(self) -> str:
        return f"{self.element} [{'' if self.count is None else self.count}]"


@dataclass(frozen=True, slots=True)
class Bits:
    """A bit-field: `width` bits from `first` on, counted from the least significant one of a unit
    of `size` bytes. Adjacent bit-fields share a unit: they are one memory location (C11 3.14)."""

    first: int
    width: int
    size: int


@dataclass(frozen=True, slots=True)
class CField:
    """A member of a struct or union; anonymous members have no name. The unit of a bit-field
    begins at `offset`."""

    name: str | None
    type: CType
    offset: int
    bits: Bits | None = None


@dataclass(eq=False, slots=True)
class CRecord:
    """A struct or union, compared by identity. Mutable: completed when its body is seen."""

    tag: str
    is_union: bool
    packed: bool = False
    fields: tuple[CField, ...] | None = None
    size: int = 0
    alignment: int = 1
    _layout: Layout | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return f"{'union' if self.is_union else 'struct'} {self.tag}"


@dataclass(frozen=True, slots=True)
class CFunction:
    """A function type."""

    result: CType
    parameters: tuple[CType, ...]
    variadic: bool = False

    def __str__(self) -> str:
        return f"{self.result} ({', '.join(map(str, self.parameters))})"


CType = CVoid | CInt | CFloat | CPtr | CArray | CRecord | CFunction
VOID = CVoid()

MAX_CELLS = 1 << 20
"""Objects with more scalars than this are refused."""


class DataModel:
    """Sizes of the basic types: ILP32 or LP64."""

    def __init__(self, name: str) -> None:
        long = 32 if name == "ILP32" else 64
        self.name = name
        self.pointer = PtrType(long // 8)
        self.bool = CInt("_Bool", IntType(8, False), 0)
        self.char = CInt("char", IntType(8, True), 1)
        self.schar = CInt("signed char", IntType(8, True), 1)
        self.uchar = CInt("unsigned char", IntType(8, False), 1)
        self.short = CInt("short", IntType(16, True), 2)
        self.ushort = CInt("unsigned short", IntType(16, False), 2)
        self.int = CInt("int", IntType(32, True), 3)
        self.uint = CInt("unsigned int", IntType(32, False), 3)
        self.long = CInt("long", IntType(long, True), 4)
        self.ulong = CInt("unsigned long", IntType(long, False), 4)
        self.llong = CInt("long long", IntType(64, True), 5)
        self.ullong = CInt("unsigned long long", IntType(64, False), 5)
        self.int128 = CInt("__int128", IntType(128, True), 6)
        self.uint128 = CInt("unsigned __int128", IntType(128, False), 6)
        self.set = CInt("__abp_set_t", IntType(256, False), 7)
        self.size_t = self.uint if name == "ILP32" else self.ulong
        self.ptrdiff_t = self.int if name == "ILP32" else self.long

    def pointer_to(self, target: CType) -> CPtr:
        return CPtr(target, self.pointer)

    def unsigned(self, t: CInt) -> CInt:
        """The unsigned type of the same rank."""
        table = (self.uchar, self.ushort, self.uint, self.ulong, self.ullong, self.uint128)
        return t if not t.ir.signed else table[t.rank - 1]

    def promote(self, t: CInt) -> CInt:
        """Integer promotion (C11 6.3.1.1)."""
        return self.int if t.rank < self.int.rank else CInt(t.name, t.ir, t.rank)

    def promote_bits(self, t: CInt, width: int) -> CInt:
        """Integer promotion of a bit-field (C11 6.3.1.1; of wider types as compilers do)."""
        return self.int if width < self.int.ir.bits else self.promote(t)

    def usual(self, a: CInt, b: CInt) -> CInt:
        """Usual arithmetic conversions of two integer types (C11 6.3.1.8)."""
        a, b = self.promote(a), self.promote(b)
        if a.ir.signed == b.ir.signed:
            return a if a.rank >= b.rank else b
        u, s = (b, a) if a.ir.signed else (a, b)
        if u.rank >= s.rank:
            return u
        if s.ir.bits > u.ir.bits:
            return s
        return self.unsigned(s)


def is_scalar(t: CType) -> TypeGuard[CInt | CPtr]:
    """Whether values of the type fit one register."""
    return isinstance(t, CInt | CPtr)


def is_atomic(t: CType) -> bool:
    return isinstance(t, CInt | CPtr | CFloat) and t.atomic


def scalar(t: CType) -> Scalar:
    """The IR type of a scalar C type."""
    if isinstance(t, CInt | CPtr):
        return t.ir
    if isinstance(t, CFloat):
        raise UnsupportedError(f"floating-point value (type {t})")
    raise UnsupportedError(f"value of type {t} where a scalar is expected")


def sizeof(t: CType) -> int:
    """Size in bytes; raises UnsupportedError for incomplete and variable-length types."""
    match t:
        case CInt(ir=ir):
            return ir.size
        case CFloat(size=size):
            return size
        case CPtr(ir=p):
            return p.size
        case CArray(element, count) if count is not None:
            return sizeof(element) * count
        case CRecord() if t.fields is not None:
            return t.size
        case CVoid() | CFunction():
            return 1  # as GNU C
        case _:
            raise UnsupportedError(f"size of the incomplete or variable-length type {t}")


def alignof(t: CType) -> int:
    match t:
        case CArray(element):
            return alignof(element)
        case CRecord():
            return t.alignment
        case CVoid() | CFunction():
            return 1
        case CInt(ir=ir) if ir.bits > 128:
            return 8
        case _:
            return sizeof(t)


def complete(
    record: CRecord, members: list[tuple[str | None, CType, int | None, int]], packed: bool
) -> None:
    """Gives a record its members (name, type, bit-field width, extra alignment), laid out as
    the System V ABI does."""
    end = 0  # bits used so far
    alignment = 1
    size = 0
    fields: list[CField] = []
    run: list[tuple[str | None, CType, int, int]] = []  # adjacent bit-fields: first bit, width
    for name, type, width, extra in members:
        align = max(1 if packed else alignof(type), extra)
        if record.is_union or width is None or width == 0:
            fields += _bit_fields(run)
            run = []
        start = 0 if record.is_union else end
        if width is None:
            start = _up(start, 8 * align)
            fields.append(CField(name, type, start // 8))
            end = start + 8 * (
                0 if isinstance(type, CArray) and type.count is None else sizeof(type)
            )
        elif width == 0:
            end = _up(start, 8 * alignof(type))  # in packed structs, too
        else:
            unit = 8 * align
            spans = -(-(start % unit + width) // unit)
            if not packed and spans > 8 * sizeof(type) // unit:
                start = _up(start, unit)
            run.append((name, type, start, width))
            end = start + width
        size = max(size, end)
        if name is not None or width is None:
            alignment = max(alignment, align)
    fields += _bit_fields(run)
    record.alignment = alignment
    record.size = _up(_up(size, 8) // 8, alignment)
    record.packed = packed
    record.fields = tuple(fields)


def _up(n: int, multiple: int) -> int:
    return -(-n // multiple) * multiple


def _bit_fields(run: list[tuple[str | None, CType, int, int]]) -> list[CField]:
    """The members for adjacent bit-fields (name, type, first bit, width)."""
    if not run:
        return []
    base = run[0][2] // 8
    size = _up(max(start + width for _, _, start, width in run), 8) // 8 - base
    return [
        CField(name, type, base, Bits(start - 8 * base, width, size))
        for name, type, start, width in run
    ]


def find_field(record: CRecord, name: str) -> CField | None:
    """The member `name`, looked up through anonymous members, with its offset in `record`."""
    for f in record.fields or ():
        if f.name == name:
            return f
        if f.name is None and isinstance(f.type, CRecord):
            inner = find_field(f.type, name)
            if inner is not None:
                return CField(name, inner.type, f.offset + inner.offset, inner.bits)
    return None


def layout(t: CType) -> Layout:
    """The scalars of an object of the type."""
    match t:
        case CInt(ir=ir):
            return scalar_layout(ir)
        case CPtr(ir=p):
            return scalar_layout(p)
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
            if t._layout is None:
                t._layout = _record_layout(t)
            return t._layout
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
        parts = sorted(parts, key=lambda p: (-p[1].size, not _has_pointer(p[1])))[:1]
    cells: dict[int, Cell] = {}
    for f, inner in parts:
        name = "" if f.name is None else f".{f.name}"
        for cell in inner.cells:
            offset = f.offset + cell.offset
            cells.setdefault(offset, Cell(offset, cell.type, name + cell.path))
    return Layout(record.size, tuple(cells[offset] for offset in sorted(cells)))


def _has_pointer(inner: Layout) -> bool:
    return any(isinstance(cell.type, PtrType) for cell in inner.cells)
