"""Scalar types and the layout of memory objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True, slots=True)
class IntType:
    """A two's complement integer of `bits` bits; any width of whole bytes.

    `real` is for people: the integer is the pattern of a floating-point number. `thread` says for
    the lowering that it is the id of a thread. Types that differ in these alone are equal.
    """

    bits: int
    signed: bool
    real: bool = field(default=False, compare=False, repr=False)
    thread: bool = field(default=False, compare=False, repr=False)

    @property
    def size(self) -> int:
        """Size in bytes of a cell of this type. A set of threads has less than its bits need, so
        that objects with sets in them are as large as on the machine: nobody reads its bytes."""
        return _SET_SIZE if self.bits == SET_BITS else self.bits // 8

    @property
    def minimum(self) -> int:
        """The least value."""
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def maximum(self) -> int:
        """The greatest value."""
        return (1 << (self.bits - 1)) - 1 if self.signed else (1 << self.bits) - 1

    def contains(self, value: int) -> bool:
        """Whether the number is a value of the type."""
        return self.minimum <= value <= self.maximum

    def wrap(self, value: int) -> int:
        """The value of this type that equals `value` modulo 2**bits."""
        value &= (1 << self.bits) - 1
        return value - (1 << self.bits) if self.signed and value >> (self.bits - 1) else value

    def __str__(self) -> str:
        return f"{'i' if self.signed else 'u'}{self.bits}"


@dataclass(frozen=True, slots=True)
class PtrType:
    """An address: (object, byte offset), or a plain integer (object number 0).

    In the model a pointer value is the integer `object << OFFSET_BITS | offset`; NULL is 0.
    `size` is what the C program sees (4 in ILP32, 8 in LP64).
    """

    size: int

    @property
    def bits(self) -> int:
        """Width in bits, as the C program sees it."""
        return 8 * self.size

    def __str__(self) -> str:
        return "ptr"


Scalar = IntType | PtrType

OFFSET_BITS = 32
"""Bits of a pointer value that hold the byte offset; the object's number stands above them."""

SET_BITS = 256
"""Bits of a set of threads, which models keep: bit k stands for the thread with the id k."""

_SET_SIZE = 3  # as no type of C: whoever reads it with another reads a part of it

INT = IntType(32, True)
"""C's `int`: the type of comparisons."""

FLOAT, DOUBLE = IntType(32, False, True), IntType(64, False, True)
EXTENDED = IntType(80, False, True)
"""The patterns of floating-point numbers; see `abpress.ir.floats`."""

INDEX = IntType(64, True)
"""The type of the indices of arrays in formulas."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One scalar of an object: offset, type, and its path for people (`.next`, `[2]`).

    Where `users` is set it tells which threads hold the object or wait for it, or a part of it; see
    `in_use`. The object must not end before them: that violates `no-misuse`.
    """

    offset: int
    type: Scalar
    path: str = field(default="", compare=False)
    users: bool = False


SET = IntType(256, False)
"""The type of sets of threads: bit k stands for the thread with id k, bit 0 for none."""


def unused(type: Scalar) -> tuple[int, int]:
    """The values with which a cell of this type tells of no users: of a set, that it is empty, or
    has the mark of a destroyed object; of the id of a thread, nobody's, or that mark."""
    assert isinstance(type, IntType)
    return (0, 1 if type == SET else type.maximum)


def in_use(type: Scalar, value: int | None) -> bool:
    """Whether a cell that tells of users has some with this value."""
    return value is not None and value not in unused(type)


_OWNER = ".owner"


def owned(path: str) -> str | None:
    """What the thread has whose id the cell with this path holds; None for all other cells.

    A member `owner` of a structure says which thread has the structure; 0 is nobody. The models of
    mutexes keep to that.
    """
    return path.removesuffix(_OWNER) if path.endswith(_OWNER) else None


WAITING = ".waiting"
"""The member that tells which threads wait; all others tell who holds the object."""

_TELLING = (_OWNER, ".writer", ".readers", WAITING)
"""Members of locks and the like that tell of users. A spin lock has none: it is one number."""


def lock_of(path: str) -> str:
    """The path of the lock, or what threads wait for, of which the cell with this path is a part
    that tells of users."""
    for member in _TELLING:
        if path.endswith(member):
            return path.removesuffix(member)
    return path


PARTS = {"owner", "kind", "count", "writer", "readers", "again", "waiting", "total", "arrived"}
PARTS |= {"serial", "leaving", "mutex"}
"""The members of mutexes and the like, in the models."""

_OF_USERS = ("owner", "writer", "readers", "waiting", "count")
"""Those that tell who uses them."""


@dataclass(frozen=True)
class Layout:
    """The scalars of an object, by ascending offset, and its size in bytes (padding included)."""

    size: int
    cells: tuple[Cell, ...]

    @cached_property
    def index(self) -> dict[int, int]:
        """Offset of a cell -> its index in `cells`."""
        return {cell.offset: i for i, cell in enumerate(self.cells)}

    @cached_property
    def locks(self) -> dict[int, str]:
        """Offset of a cell of a lock or the like -> the lock's path: `.jobs.mutex` of a cell
        `.jobs.mutex.owner`."""
        parts = {cell.offset: cell.path.rpartition(".") for cell in self.cells}
        members: dict[str, set[str]] = {}
        for whole, _, member in parts.values():
            members.setdefault(whole, set()).add(member)
        kept = {w for w, its in members.items() if its <= PARTS and not its.isdisjoint(_OF_USERS)}
        return {offset: whole for offset, (whole, *_) in parts.items() if whole in kept}

    @cached_property
    def users(self) -> tuple[int, ...]:
        """The indices of the cells that tell which threads use the object."""
        return tuple(i for i, cell in enumerate(self.cells) if cell.users)

    def repeat(self, count: int) -> Layout:
        """The layout of an array of `count` such elements."""
        return Layout(self.size * count, tuple(self._repeated(count)))

    def _repeated(self, count: int) -> Iterator[Cell]:
        for i in range(count):
            for cell in self.cells:
                yield Cell(i * self.size + cell.offset, cell.type, f"[{i}]{cell.path}", cell.users)


def scalar_layout(type: Scalar) -> Layout:
    """The layout of an object that is one scalar."""
    return Layout(type.size, (Cell(0, type),))
