"""Names that do not depend on the interleaving: of threads and of memory objects.

NOTE(canonical-names): a thread is named by (creator, its n-th creation), a heap object by (thread,
its n-th allocation), a local object by (thread, name). Names are interned: within one `Interpreter`
the same name always gives the same number, whatever was explored before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from abpress.errors import NOWHERE, Position
from abpress.ir.floats import shown
from abpress.ir.program import VALID_DEREF
from abpress.ir.types import OFFSET_BITS, Cell, IntType, Layout, PtrType, Scalar
from abpress.semantics.outcome import FIRST_PAGE, null_dereferenced, undefined

MAIN = 1
"""The id of the first thread."""

FIRST_OBJECT = 2
"""The first object number: a pointer before the start of an object must not look plain."""

OFFSET_MASK = (1 << OFFSET_BITS) - 1
HALF = 1 << (OFFSET_BITS - 1)
PLAIN_LIMIT = (FIRST_OBJECT << OFFSET_BITS) - HALF
"""Pointer values below are plain integers."""

NEGATIVE_PLAIN = 1 << 63
"""Pointer values from here on are plain integers, too (negative ones of 64 bits)."""


WILD = 0xA5A5A5A0
"""A number that is the address of nothing, for pointers that were never written."""

NewName = tuple[Any, ...]
"""What is about to get a number; see `Context.meet`."""

OnNew = Callable[[NewName], None]
"""Told a name that has no number yet; when it returns, the name has one."""


class Threads:
    """Interned thread ids: `main` is 1; 0 is never an id. `on_new` is told of new names first."""

    def __init__(self) -> None:
        self.on_new: OnNew | None = None
        self._ids: dict[tuple[int, int], int] = {}
        self._names = ["", "main"]
        self._creators = [0, 0]

    def child(self, creator: int, n: int) -> int:
        """The id of the n-th thread (from 1) that `creator` creates."""
        thread = self._ids.get((creator, n))
        if thread is None and self.on_new is not None:
            self.on_new(("thread", creator, n))
            thread = self._ids[creator, n]
        if thread is None:
            thread = self._ids[creator, n] = len(self._names)
            self._names.append(f"{self._names[creator]}.{n}")
            self._creators.append(creator)
        return thread

    def creator(self, thread: int) -> int:
        """The thread that has created a thread; 0 for `main`."""
        return self._creators[thread]

    def name(self, thread: int) -> str:
        """`main`, `main.2`, `main.2.1`: the creator's name and the number of the creation."""
        return self._names[thread]

    @property
    def count(self) -> int:
        """The number of ids so far."""
        return len(self._names) - 1


class ScalarKind:
    """An interned scalar type: compared by identity."""

    __slots__ = ("pointer", "size", "type")

    def __init__(self, type: Scalar) -> None:
        self.type = type
        self.size = type.size
        self.pointer = isinstance(type, PtrType)

    def wrap(self, value: int) -> int:
        """The plain integer `value` as a value of this type."""
        if isinstance(self.type, PtrType):
            return value & ((1 << 8 * self.size) - 1)
        return self.type.wrap(value)


class ScalarKinds:
    """The kinds of one interpreter."""

    def __init__(self) -> None:
        self._kinds: dict[Scalar, ScalarKind] = {}

    def of(self, type: Scalar) -> ScalarKind:
        kind = self._kinds.get(type)
        if kind is None:
            kind = self._kinds[type] = ScalarKind(type)
        return kind


Kin = tuple[str, str] | Layout


class ObjectInfo:
    """What never changes about a memory object.

    `slot` is the index of its first cell in a state, None for objects in dynamic memory. A
    `mortal` object has a lifetime that ends before the program's. `kin` is what all objects of one
    declaration share: (template, name), the template "" for static ones; for heap objects, the
    layout of their elements. An `automatic` one was allocated by its `owner` as a variable.
    `place` is where a heap object is allocated in all executions met so far, NOWHERE if that
    differs.
    """

    __slots__ = (
        "automatic",
        "index",
        "initial",
        "kin",
        "kinds",
        "layout",
        "mortal",
        "name",
        "number",
        "owner",
        "place",
        "readonly",
        "slot",
    )

    def __init__(
        self,
        number: int,
        name: str,
        layout: Layout,
        initial: tuple[int | None, ...],
        kinds: ScalarKinds,
        kin: Kin,
        *,
        slot: int | None = None,
        readonly: bool = False,
        mortal: bool = False,
        automatic: bool = False,
        owner: int = 0,
        place: Position = NOWHERE,
    ) -> None:
        self.place = place
        self.number = number
        self.name = name
        self.layout = layout
        self.initial = initial
        self.index = layout.index
        self.kinds = tuple(kinds.of(cell.type) for cell in layout.cells)
        self.slot = slot
        self.readonly = readonly
        self.mortal = mortal
        self.kin = kin
        self.automatic = automatic
        self.owner = owner

    @property
    def heap(self) -> bool:
        """Whether it was allocated."""
        return isinstance(self.kin, Layout)

    @property
    def shown(self) -> str:
        """A name for people, where there is no execution that tells what it is: by the line of its
        allocation, if there is only one."""
        if not self.heap or self.automatic or self.place is NOWHERE:
            return self.name
        return f"memory@{self.place.origin.line}"

    @property
    def base(self) -> int:
        """The address of the first byte."""
        return self.number << OFFSET_BITS

    @property
    def life(self) -> int:
        """The key of its lifetime in footprints: no cell has this address."""
        return self.base + OFFSET_MASK

    def covering(self, offset: int, size: int) -> list[tuple[int, Cell]]:
        """The cells that overlap a range of bytes, with their indices."""
        return [
            (j, cell)
            for j, cell in enumerate(self.layout.cells)
            if cell.offset < offset + size and offset < cell.offset + cell.type.size
        ]

    def describe(self, offset: int) -> str:
        """A name for people of the byte at `offset`."""
        j = self.index.get(offset)
        if j is not None:
            return self.name + self.layout.cells[j].path
        return f"{self.name}{offset:+}" if offset else self.name

    def pointed(self, offset: int) -> str:
        """The same for where a pointer points: at offset 0 to a structure, not to its member, and
        elsewhere to a lock, not to what its model keeps there."""
        whole = offset == 0 and self.layout.cells and self.layout.cells[0].path.startswith(".")
        if whole:
            return self.name
        lock = self.layout.locks.get(offset)
        return self.describe(offset) if lock is None else self.name + lock


class Objects:
    """All objects of a program, and those of its executions as far as they were met.

    `inspected`: an address has become an integer.
    """

    def __init__(self, kinds: ScalarKinds) -> None:
        self._kinds = kinds
        self._infos: dict[int, ObjectInfo] = {}
        self._functions: dict[int, str] = {}
        self._next = FIRST_OBJECT
        self._readable: dict[ScalarKind, dict[int, int]] = {}
        self._writable: dict[ScalarKind, dict[int, int]] = {}
        self._mortal_kinds: set[ScalarKind] = set()
        self.inspected = False
        self.used: list[ObjectInfo] = []
        """The objects of which cells tell which threads use them."""

    def reserve(self) -> int:
        """A new object number."""
        number = self._next
        if number >= HALF:
            raise MemoryError("more objects than numbers")
        self._next += 1
        return number

    @property
    def count(self) -> int:
        """The first number that no object has yet."""
        return self._next

    def add(self, info: ObjectInfo) -> None:
        self._infos[info.number] = info
        if info.layout.users:
            self.used.append(info)
        if info.slot is None:
            return
        for j, (cell, kind) in enumerate(zip(info.layout.cells, info.kinds, strict=True)):
            address = info.base + cell.offset
            self.readable(kind)[address] = info.slot + j
            if not info.readonly:
                self.writable(kind)[address] = info.slot + j
            if info.mortal:
                self._mortal_kinds.add(kind)

    def add_function(self, name: str) -> int:
        number = self.reserve()
        self._functions[number] = name
        return number << OFFSET_BITS

    def readable(self, kind: ScalarKind) -> dict[int, int]:
        """Address -> index in the state, of all cells with a fixed place and exactly this type."""
        return self._readable.setdefault(kind, {})

    def writable(self, kind: ScalarKind) -> dict[int, int]:
        """As `readable`, without read-only cells."""
        return self._writable.setdefault(kind, {})

    def has_mortal(self, kind: ScalarKind) -> bool:
        """Whether a cell in `readable(kind)` can be dead."""
        return kind in self._mortal_kinds

    def placed(self) -> Iterator[ObjectInfo]:
        """The objects with a fixed place."""
        return (info for info in self._infos.values() if info.slot is not None)

    def numbered(self, number: int) -> ObjectInfo | None:
        """The object with a number, if it was added."""
        return self._infos.get(number)

    def find(self, pointer: int) -> ObjectInfo | None:
        """The object that a pointer points into (or past); None for functions and integers."""
        return self._infos.get(pointer >> OFFSET_BITS)

    def is_address(self, pointer: int) -> bool:
        """Whether a pointer value is the address of (or near) an object or a function."""
        if pointer < PLAIN_LIMIT or pointer >= NEGATIVE_PLAIN:
            return False
        return (pointer + HALF) >> OFFSET_BITS < self._next

    def must_find(self, pointer: int, size: int, where: Position) -> ObjectInfo:
        """The object of an access to `size` bytes, which must lie within it."""
        info = self._infos.get(pointer >> OFFSET_BITS)
        if info is None:
            raise undefined(self._invalid(pointer), where, VALID_DEREF)
        if (pointer & OFFSET_MASK) + size > info.layout.size:
            raise undefined(f"access out of the bounds of {info.name}", where, VALID_DEREF)
        return info

    def _invalid(self, pointer: int) -> str:
        if 0 <= pointer < FIRST_PAGE:
            return null_dereferenced(pointer)
        if abs(pointer - WILD) < FIRST_PAGE:
            return "a pointer that was never written is dereferenced"
        if pointer >> OFFSET_BITS in self._functions:
            return "function accessed as data"
        if self.is_address(pointer):
            return "access out of bounds"
        return "integer dereferenced"

    def text(self, value: int | None, type: Scalar) -> str:
        """A value for people: `42`, `0.5`, `&s.f[2]`, `NULL`, `undefined`."""
        if value is None:
            return "undefined"
        if isinstance(type, IntType) and type.real:
            return shown(value, type.bits)
        if not isinstance(type, PtrType) or not self.is_address(value):
            return "NULL" if value == 0 and isinstance(type, PtrType) else str(value)
        number = (value + HALF) >> OFFSET_BITS
        offset = value - (number << OFFSET_BITS)
        if number in self._infos:
            return f"&{self._infos[number].pointed(offset)}"
        name = self._functions.get(number, f"&object {number}")
        return name + (f"{offset:+}" if offset else "")
