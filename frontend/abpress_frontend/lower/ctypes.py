"""C types and their sizes in the two data models."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeGuard

from abpress.errors import UnsupportedError
from abpress.ir.expr import Expr
from abpress.ir.types import DOUBLE, EXTENDED, FLOAT, SET_BITS, IntType, Layout, PtrType, Scalar
from abpress_frontend.lower.unions import MembersInUse


@dataclass(frozen=True, slots=True)
class CVoid:
    """`void`."""

    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True, slots=True)
class CInt:
    """An integer type. `rank` orders the conversions; `_Bool` and enums are of this kind, too.

    `natural` is the alignment in bytes, if it is not the size. `align` is the alignment that a
    typedef gives; like those of other types it belongs to no comparison of types. `is_enum` and
    `field_width` (of a value that comes from a bit-field) tell apart what compilers may.
    """

    name: str
    ir: IntType
    rank: int
    atomic: bool = False
    natural: int | None = field(default=None, compare=False)
    align: int | None = field(default=None, compare=False)
    is_enum: bool = field(default=False, compare=False)
    field_width: int | None = field(default=None, compare=False)
    is_thread: bool = field(default=False, compare=False)  # ids of threads, which have no number
    users: bool = field(default=False, compare=False)  # tells which threads use its object

    @property
    def is_bool(self) -> bool:
        return self.rank == 0

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class CFloat:
    """A floating-point type. One of an unknown `format` can be declared, and has no values."""

    name: str
    size: int
    format: IntType | None = field(default=None, compare=False)
    atomic: bool = False
    natural: int | None = field(default=None, compare=False)
    align: int | None = field(default=None, compare=False)

    @property
    def ir(self) -> IntType:
        """The type of the patterns of its values; raises UnsupportedError if there are none."""
        if self.format is None:
            raise UnsupportedError(f"floating-point value (type {self})")
        return self.format

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class CPtr:
    """A pointer."""

    target: CType
    ir: PtrType
    atomic: bool = False
    align: int | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.target} *"


@dataclass(frozen=True, slots=True)
class CArray:
    """An array; `count` is None when incomplete, `length` is given when it is variable (a VLA)."""

    element: CType
    count: int | None
    length: Expr | None = None
    align: int | None = field(default=None, compare=False)

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
    begins at `offset`. `alignment` is its own in bytes, None where compilers differ."""

    name: str | None
    type: CType
    offset: int
    bits: Bits | None = None
    alignment: int | None = None


@dataclass(eq=False, slots=True)
class Definition:
    """What is known of a struct or union. Mutable: completed when its body is seen."""

    tag: str
    is_union: bool
    fields: tuple[CField, ...] | None = None
    size: int = 0
    alignment: int = 1
    layout: Layout | None = field(default=None, repr=False)
    every_byte: bool = False  # its padding has cells, too
    used: MembersInUse | None = None  # of a union; None: all of its members
    alias: str = ""  # of what has no tag, the first name that a typedef gives it


@dataclass(frozen=True, slots=True)
class CRecord:
    """A struct or union, compared by its definition."""

    definition: Definition
    align: int | None = field(default=None, compare=False)
    atomic: bool = field(default=False, compare=False)

    @property
    def tag(self) -> str:
        return self.definition.tag

    @property
    def is_union(self) -> bool:
        return self.definition.is_union

    @property
    def fields(self) -> tuple[CField, ...] | None:
        return self.definition.fields

    def __str__(self) -> str:
        return f"{'union' if self.is_union else 'struct'} {self.tag}"


NO_TAG = "<anonymous"
"""How the tags begin of structs and unions that have none."""


def give_alias(type: CType, name: str) -> None:
    """A typedef names a type: that is what people call a struct or union without a tag."""
    if isinstance(type, CRecord) and type.tag.startswith(NO_TAG) and not type.definition.alias:
        type.definition.alias = name


def for_people(type: CType) -> str:
    """The name of a type, of a struct or union without a tag that of its typedef; without what the
    linker has added where files have several types of one name."""
    alias = type.definition.alias if isinstance(type, CRecord) else ""
    return (alias or str(type)).partition("$")[0]


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


class DataModel:
    """Sizes of the basic types: ILP32 or LP64. With `misuse`, cells of `users` are marked so."""

    def __init__(self, name: str, misuse: bool = False) -> None:
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
        wide = 4 if name == "ILP32" else 8  # of 8 bytes, in aggregates
        self.llong = CInt("long long", IntType(64, True), 5, natural=wide)
        self.ullong = CInt("unsigned long long", IntType(64, False), 5, natural=wide)
        self.float = CFloat("float", 4, FLOAT)
        self.double = CFloat("double", 8, DOUBLE, natural=wide)
        size = 12 if name == "ILP32" else 16
        self.long_double = CFloat("long double", size, EXTENDED, natural=4 if size == 12 else 16)
        self.thread = CInt("unsigned long", IntType(long, False, thread=True), 4, is_thread=True)
        self.int128 = CInt("__int128", IntType(128, True), 6)
        self.uint128 = CInt("unsigned __int128", IntType(128, False), 6)
        self.set = CInt("__abp_set_t", IntType(SET_BITS, False), 7, natural=4)
        self.users = {
            "__abp_user_t": replace(self.ulong, users=misuse),
            "__abp_users_t": replace(self.set, users=misuse),
            "__abp_spin_t": replace(self.uint, users=misuse),
        }
        """The types of cells that tell who uses an object, by name."""
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
        if t.rank < self.int.rank:
            return self.int
        plain = not (t.atomic or t.align or t.is_enum or t.is_thread or t.users)
        if plain:
            return t
        return replace(t, atomic=False, align=None, is_enum=False, is_thread=False, users=False)

    def promote_bits(self, t: CInt, width: int) -> CInt:
        """Integer promotion of a bit-field (C11 6.3.1.1).

        One that is wider than int keeps its width in GCC, and has its declared type in Clang.
        """
        if width < self.int.ir.bits:
            return self.int
        promoted = self.promote(t)
        narrower = self.int.ir.bits < width < t.ir.bits
        return replace(promoted, field_width=width) if narrower else promoted

    def usual_real(self, a: CType, b: CType) -> CFloat:
        """Usual arithmetic conversions where one type is a floating-point type."""
        widest = max((t for t in (a, b) if isinstance(t, CFloat)), key=sizeof)
        return replace(widest, atomic=False, align=None)

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


def is_scalar(t: CType) -> TypeGuard[CInt | CFloat | CPtr]:
    """Whether values of the type fit one register."""
    return isinstance(t, CInt | CPtr) or (isinstance(t, CFloat) and t.format is not None)


def is_atomic(t: CType) -> bool:
    return isinstance(t, CInt | CPtr | CFloat) and t.atomic


def scalar(t: CType) -> Scalar:
    """The IR type of a scalar C type."""
    if isinstance(t, CInt | CFloat | CPtr):
        return t.ir
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
            return t.definition.size
        case CVoid() | CFunction():
            return 1  # as GNU C
        case _:
            raise UnsupportedError(f"size of the incomplete or variable-length type {t}")


def is_bytes(type: CType) -> bool:
    """Whether the type says only that there are bytes."""
    return isinstance(type, CVoid | CFunction) or (isinstance(type, CInt) and type.rank == 1)


def has_array(type: CType) -> bool:
    """Whether the type is a struct or union with an array in it, at whatever depth."""
    members = type.fields or () if isinstance(type, CRecord) else ()
    return any(isinstance(f.type, CArray) or has_array(f.type) for f in members)


def find_field(record: CRecord, name: str) -> CField | None:
    """The member `name`, looked up through anonymous members, with its offset in `record`."""
    for f in record.fields or ():
        if f.name == name:
            return f
        if f.name is None and isinstance(f.type, CRecord):
            inner = find_field(f.type, name)
            if inner is not None:
                return replace(inner, offset=f.offset + inner.offset)
    return None
