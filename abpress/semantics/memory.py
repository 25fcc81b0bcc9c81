"""Memory accesses off the fast path: dynamic objects, other sizes, lifetimes, copies.

Generated code handles cells at fixed places of the state itself and comes here for the rest. A
running step works on `s`, the state as a list. Cells of objects in dynamic memory stand in one
component of the state: a tuple of (object number, cells), ascending.

NOTE(reuse): objects never get the address of one that has ended, but in reality they do. So an
execution that tells apart the addresses of two objects of which one has ended withholds "true".
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, MutableSequence, Sequence
from typing import Any

from abpress.errors import Position
from abpress.ir.program import ENDS_IN_USE, NO_MISUSE, VALID_DEREF, VALID_FREE
from abpress.ir.types import OFFSET_BITS, SET, WAITING, Layout, in_use, lock_of
from abpress.result import Soundness
from abpress.semantics.naming import (
    HALF,
    NEGATIVE_PLAIN,
    OFFSET_MASK,
    PLAIN_LIMIT,
    ObjectInfo,
    Objects,
    ScalarKind,
)
from abpress.semantics.outcome import ExecutionEnds, undefined


class _Dead:
    """The content of a cell with a fixed place whose object is not alive."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "dead"

    def __reduce__(self) -> str:
        return "DEAD"

    def __hash__(self) -> int:
        return 0x6465_6164


DEAD = _Dead()

MAX_CELLS = 1 << 20
"""The most cells of one heap object."""

MOST_LOCKS = 1_000
"""Objects with locks that are looked at where a thread ends."""

PLACED = "objects lie in memory as was tried ({}): in C they may lie otherwise"
"""What a violation assumes that may rest on where they lie; nothing is proved of it."""


class Memory:
    """Operations on the memory of a state; faults are raised as `ExecutionEnds`."""

    def __init__(
        self, objects: Objects, dynamic: int, pointer: ScalarKind, soundness: Soundness
    ) -> None:
        self._objects = objects
        self._dynamic = dynamic
        self._pointer = pointer
        self._soundness = soundness

    # -- accesses -------------------------------------------------------------------------------

    def load(self, s: Sequence[Any], p: int, kind: ScalarKind, where: Position) -> int | None:
        """The scalar of type `kind` at `p`; None if it is undefined."""
        info = self._objects.must_find(p, kind.size, where)
        j = info.index.get(p & OFFSET_MASK)
        if j is not None:
            cell_kind = info.kinds[j]
            if cell_kind is kind:
                return self._cell(s, info, j, where)
            if cell_kind.size == kind.size:
                value = self._cell(s, info, j, where)
                return value if value is None else self.convert(value, cell_kind, kind, where)
        _require_cells(info, p & OFFSET_MASK, kind.size, where)
        data = self._bytes(s, info, p & OFFSET_MASK, kind.size, where)
        return self._compose(data, kind, where)

    def store(
        self, s: MutableSequence[Any], p: int, kind: ScalarKind, value: int | None, where: Position
    ) -> None:
        """The scalar of type `kind` at `p` := value."""
        info = self._objects.must_find(p, kind.size, where)
        if info.readonly:
            raise undefined(f"write to the read-only {info.name}", where)
        self.settle(s, p, kind, value, where)

    def settle(
        self, s: MutableSequence[Any], p: int, kind: ScalarKind, value: int | None, where: Position
    ) -> None:
        """As `store`, also in a read-only object: what an undefined scalar holds is chosen."""
        info = self._objects.must_find(p, kind.size, where)
        offset = p & OFFSET_MASK
        j = info.index.get(offset)
        if j is not None and info.kinds[j].size == kind.size:
            cell_kind = info.kinds[j]
            if cell_kind is not kind and value is not None:
                value = self.convert(value, kind, cell_kind, where)
            self._put(s, info, {j: value}, where)
        else:
            _require_cells(info, offset, kind.size, where)
            data = self._decompose(value, kind, where)
            self._put(s, info, self._overlay(s, info, offset, data, where), where)

    def copy(
        self, s: MutableSequence[Any], target: int, source: int, size: int, where: Position
    ) -> None:
        """Copies bytes; cell by cell where the layouts agree, so that any value can be copied."""
        if size == 0:
            return
        to = self._objects.must_find(target, size, where)
        of = self._objects.must_find(source, size, where)
        if to.readonly:
            raise undefined(f"write to the read-only {to.name}", where)
        t, f = target & OFFSET_MASK, source & OFFSET_MASK
        cells = self._cells(s, of, where)
        shape = [(c.offset - f, k.size, j) for j, c, k in _between(of, f, size)]
        goal = [(c.offset - t, k.size, j) for j, c, k in _between(to, t, size)]
        whole = all(start >= 0 and start + length <= size for start, length, _ in shape)
        if whole and [x[:2] for x in shape] == [x[:2] for x in goal]:
            values = {}
            for (_, _, a), (_, _, b) in zip(shape, goal, strict=True):
                value = cells[a]
                if value is not None and of.kinds[a] is not to.kinds[b]:
                    value = self.convert(value, of.kinds[a], to.kinds[b], where)
                values[b] = value
        else:
            values = self._overlay(s, to, t, self._bytes(s, of, f, size, where), where)
        self._put(s, to, values, where)

    def moved(
        self, s: MutableSequence[Any], target: int, source: int, most: int, where: Position
    ) -> int:
        """How many bytes the heap object at `source`, which is to be freed, and the one at `target`
        both have; at most so many."""
        of = self._freed(s, source, where, automatic=False)
        to = self._objects.must_find(target, 0, where)
        return min(most, of.layout.size, to.layout.size)

    # -- lifetimes ------------------------------------------------------------------------------

    def enter(self, s: MutableSequence[Any], info: ObjectInfo) -> None:
        """Begins the lifetime of an object, with its initial values."""
        if info.slot is not None:
            s[info.slot : info.slot + len(info.initial)] = info.initial
            return
        dynamic = s[self._dynamic]
        k = bisect_left(dynamic, (info.number,))
        after = k + 1 if k < len(dynamic) and dynamic[k][0] == info.number else k
        s[self._dynamic] = (*dynamic[:k], (info.number, info.initial), *dynamic[after:])

    def leave(self, s: MutableSequence[Any], info: ObjectInfo) -> None:
        """Ends the lifetime of an object; nothing if it has ended."""
        if info.slot is not None:
            s[info.slot : info.slot + len(info.initial)] = [DEAD] * len(info.initial)
            return
        dynamic = s[self._dynamic]
        k = bisect_left(dynamic, (info.number,))
        if k < len(dynamic) and dynamic[k][0] == info.number:
            s[self._dynamic] = dynamic[:k] + dynamic[k + 1 :]

    def require_unused(self, s: Sequence[Any], info: ObjectInfo, where: Position) -> None:
        """Ends the execution if threads use a part of the object, which ends now."""
        if not info.layout.users:
            return
        cells = self.alive(s, info)
        if cells is None:
            return
        for j in info.layout.users:
            if in_use(info.layout.cells[j].type, cells[j]):
                name = info.name + lock_of(info.layout.cells[j].path)
                raise undefined(ENDS_IN_USE.format(name), where, NO_MISUSE)

    def warn_of_held(self, s: Sequence[Any], t: int, where: Position) -> None:
        """Notes which locks thread t holds, which ends now. Locks in more than `MOST_LOCKS` objects
        are not looked at."""
        for info in self._objects.used[:MOST_LOCKS]:
            cells = self.alive(s, info)
            for j in info.layout.users if cells is not None else ():
                cell = info.layout.cells[j]
                value = cells[j] if cells is not None else None
                if value is None or cell.path.endswith(WAITING):
                    continue
                if (value >> t & 1 if cell.type == SET else value == t) == 1:
                    lock = info.shown + lock_of(cell.path)
                    self._soundness.warn(f"a thread ends that holds {lock} ({where.described})")

    def free(
        self, s: MutableSequence[Any], p: int, where: Position, automatic: bool = False
    ) -> ObjectInfo | None:
        """Ends the lifetime of the heap object at `p`, and returns it; None for NULL."""
        if p == 0:
            return None
        info = self._freed(s, p, where, automatic)
        self.require_unused(s, info, where)
        self.leave(s, info)
        return info

    def _freed(
        self, s: MutableSequence[Any], p: int, where: Position, automatic: bool
    ) -> ObjectInfo:
        """The heap object at `p`, which is to be freed."""
        info = self._objects.find(p)
        if info is None or not info.heap or p & OFFSET_MASK or info.automatic != automatic:
            raise undefined("free of what is no heap object", where, VALID_FREE)
        if self.alive(s, info) is None:
            raise undefined(f"double free of {info.name}", where, VALID_FREE)
        return info

    def alive(self, s: Sequence[Any], info: ObjectInfo) -> Sequence[Any] | None:
        """The cells of an object; None if its lifetime has ended or not begun."""
        if info.slot is not None:
            cells = s[info.slot : info.slot + len(info.initial)]
            return None if info.mortal and cells and cells[0] is DEAD else cells
        dynamic = s[self._dynamic]
        if dynamic.__class__ is not tuple:
            return dynamic.get(info.number)  # type: ignore[no-any-return]
        k = bisect_left(dynamic, (info.number,))
        if k < len(dynamic) and dynamic[k][0] == info.number:
            found: tuple[Any, ...] = dynamic[k][1]
            return found
        return None

    # -- integers and pointers ------------------------------------------------------------------

    def convert(self, value: int, of: ScalarKind, to: ScalarKind, where: Position) -> int:
        """`value` of one type as one of another: integers wrap, addresses are kept or fault."""
        if of.pointer:
            return value if to.pointer else to.wrap(self.inspect(value, to, where))
        return self.to_pointer(value, where) if to.pointer else to.wrap(value)

    def to_pointer(self, value: int, where: Position) -> int:
        """The pointer with an integer's value."""
        if self._objects.is_address(value):
            self._soundness.lose(f"integer used as an address at {where.described}")
            return value
        return self._pointer.wrap(value)

    def inspect(self, pointer: int, to: ScalarKind, where: Position) -> int:
        """The integer in a pointer, not yet wrapped to the type `to`."""
        if self._objects.is_address(pointer):
            if to.size < 8:
                raise undefined("address-inspected", where)
            self._objects.inspected = True
            self._soundness.lose(f"address of an object inspected at {where.described}")
            self._soundness.assume(PLACED.format(where.described))
        return pointer

    def move(self, pointer: int, distance: int, where: Position) -> int:
        """`pointer + distance` where that may leave the range of one object's addresses."""
        if pointer < PLAIN_LIMIT or pointer >= NEGATIVE_PLAIN:
            return self.to_pointer(self._pointer.wrap(pointer + distance), where)
        bits = 8 * self._pointer.size
        moved = pointer + (distance + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)
        if (moved + HALF) >> OFFSET_BITS != (pointer + HALF) >> OFFSET_BITS:
            raise undefined("pointer arithmetic out of bounds", where)
        return moved

    def difference(self, left: int, right: int, where: Position) -> int:
        """`left - right` in bytes."""
        unrelated = (left + HALF) >> OFFSET_BITS != (right + HALF) >> OFFSET_BITS
        if unrelated and (self._objects.is_address(left) or self._objects.is_address(right)):
            raise undefined("difference of pointers to different objects", where)
        return left - right

    def order(self, left: int, right: int, where: Position) -> None:
        """Notes where the order of two pointers is observed that are not into one object."""
        if (left + HALF) >> OFFSET_BITS == (right + HALF) >> OFFSET_BITS:
            return
        if self._objects.is_address(left) or self._objects.is_address(right):
            self._soundness.lose(f"order of unrelated addresses observed at {where.described}")
            self._soundness.assume(PLACED.format(where.described))

    def told_apart(
        self, s: Sequence[Any], left: int, right: int, where: Position
    ) -> tuple[ObjectInfo, ...]:
        """The objects whose lifetimes the comparison of different pointers observes (it notes if
        one has ended): those of both, if both have one that ends."""
        a, b = self._objects.find(left), self._objects.find(right)
        if a is None or b is None or a is b or not (a.mortal and b.mortal):
            return ()
        if self.alive(s, a) is None or self.alive(s, b) is None:
            self._soundness.lose(
                f"address of an object that has ended compared at {where.described}"
            )
        return a, b

    # -- cells and bytes ------------------------------------------------------------------------

    def _cells(self, s: Sequence[Any], info: ObjectInfo, where: Position) -> Sequence[Any]:
        cells = self.alive(s, info)
        if cells is None:
            raise undefined(f"{info.name} accessed outside its lifetime", where, VALID_DEREF)
        return cells

    def _cell(self, s: Sequence[Any], info: ObjectInfo, j: int, where: Position) -> int | None:
        value = s[info.slot + j] if info.slot is not None else self._cells(s, info, where)[j]
        if value is DEAD:
            raise undefined(f"{info.name} accessed outside its lifetime", where, VALID_DEREF)
        return value  # type: ignore[no-any-return]

    def _put(
        self,
        s: MutableSequence[Any],
        info: ObjectInfo,
        values: Mapping[int, int | None],
        where: Position,
    ) -> None:
        if info.slot is not None:
            for j, value in values.items():
                if s[info.slot + j] is DEAD:
                    raise undefined(
                        f"{info.name} accessed outside its lifetime", where, VALID_DEREF
                    )
                s[info.slot + j] = value
            return
        cells = list(self._cells(s, info, where))
        for j, value in values.items():
            cells[j] = value
        dynamic = s[self._dynamic]
        k = bisect_left(dynamic, (info.number,))
        s[self._dynamic] = (*dynamic[:k], (info.number, tuple(cells)), *dynamic[k + 1 :])

    def _bytes(
        self, s: Sequence[Any], info: ObjectInfo, offset: int, size: int, where: Position
    ) -> list[int | None]:
        """The bytes of a range; padding and undefined bytes are None."""
        cells = self._cells(s, info, where)
        data: list[int | None] = [None] * size
        for j, cell in info.covering(offset, size):
            for n, byte in enumerate(self._decompose(cells[j], info.kinds[j], where)):
                if 0 <= cell.offset + n - offset < size:
                    data[cell.offset + n - offset] = byte
        return data

    def _decompose(self, value: int | None, kind: ScalarKind, where: Position) -> list[int | None]:
        """A scalar as bytes, little end first."""
        if value is None:
            return [None] * kind.size
        if kind.pointer and self._objects.is_address(value):
            raise undefined("pointer accessed in parts", where)
        return list((value & ((1 << 8 * kind.size) - 1)).to_bytes(kind.size, "little"))

    def _compose(self, data: Sequence[int | None], kind: ScalarKind, where: Position) -> int | None:
        known = [byte for byte in data if byte is not None]
        if not known:
            return None
        if len(known) < len(data):
            raise undefined("partly undefined value read", where)
        return kind.wrap(int.from_bytes(bytes(known), "little"))

    def _overlay(
        self,
        s: Sequence[Any],
        info: ObjectInfo,
        offset: int,
        data: Sequence[int | None],
        where: Position,
    ) -> dict[int, int | None]:
        """The new values of the cells under `data` written at `offset`."""
        cells = self._cells(s, info, where)
        values = {}
        for j, cell in info.covering(offset, len(data)):
            kind = info.kinds[j]
            start = cell.offset - offset
            if start >= 0 and start + kind.size <= len(data):
                new = data[start : start + kind.size]
            else:
                old = self._decompose(cells[j], kind, where)
                new = [
                    data[start + n] if 0 <= start + n < len(data) else old[n]
                    for n in range(kind.size)
                ]
            values[j] = self._compose(new, kind, where)
        return values


def _require_cells(info: ObjectInfo, offset: int, size: int, where: Position) -> None:
    """Ends the execution where bytes are accessed that no cell holds."""
    held = sum(
        min(cell.offset + cell.type.size, offset + size) - max(cell.offset, offset)
        for _, cell in info.covering(offset, size)
    )
    if held < size:
        raise undefined(f"padding of {info.name} accessed", where)


def _between(info: ObjectInfo, offset: int, size: int) -> list[tuple[int, Any, ScalarKind]]:
    """The cells that overlap a range of bytes."""
    return [(j, cell, info.kinds[j]) for j, cell in info.covering(offset, size)]


def heap_layout(element: Layout, count: int, where: Position) -> Layout:
    """The layout of `count` elements; ends the execution where it is too large to be explored."""
    if count * len(element.cells) > MAX_CELLS or count * element.size >= HALF:
        raise ExecutionEnds(f"allocation of {count * element.size} bytes at {where.described}")
    return element if count == 1 else element.repeat(count)
