"""Threads, keys of accesses, and states in names that mean the same in another process.

Numbers are given to threads and objects in the order in which a process meets them. A name says
what they are: a thread its creations from `main` on, a heap object (thread, n-th allocation), a
local object (thread, template, declaration). All of this is of strings, integers and tuples of
them, and can be pickled or written as JSON. It holds for the same program with the same options.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from abpress.analysis.control import Control
from abpress.analysis.points_to import Heap, Local, Static
from abpress.errors import NOWHERE
from abpress.ir.program import Alloc, edges
from abpress.ir.types import OFFSET_BITS, IntType, Layout, PtrType, Scalar
from abpress.semantics.context import DONE, Context
from abpress.semantics.memory import DEAD
from abpress.semantics.naming import HALF, MAIN, OFFSET_MASK, ObjectInfo
from abpress.semantics.outcome import State

Name = tuple[str | int | bool, ...]
"""What a thread's life or an object is, its kind first."""

Key = tuple[Name, int]
"""A name, and an offset in the object."""

_SET = 256
"""Bits of the type whose values are sets of threads, one bit for each id."""


def numbered(name: str, child: Callable[[int, int], int]) -> int:
    """The number of a thread of that name; `child` has that of the n-th that another makes."""
    number = MAIN
    for n in name.split(".")[1:]:
        number = child(number, int(n))
    return number


class CanonicalNames:
    """Translates between the numbers of one interpreter and names."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._elements: list[Layout] = list(
            dict.fromkeys(
                effect.element
                for template in context.program.templates.values()
                for _, edge in edges(template)
                for effect in edge.effects
                if isinstance(effect, Alloc)
            )
        )

    # -- threads --------------------------------------------------------------------------------

    def thread(self, number: int) -> str:
        """The name of a thread: `main`, `main.2`, `main.2.1`."""
        return self._context.threads.name(number)

    def thread_number(self, name: str) -> int:
        """The number of a thread here; it need not have been met."""
        return numbered(name, self._context.threads.child)

    # -- keys -----------------------------------------------------------------------------------

    def key(self, key: int) -> Key:
        """The name of a key of `recording.Recorded`: of a cell, or of a thread's life."""
        if key < 0:
            return ("thread", self.thread(-key)), 0
        info = self._context.objects.numbered(key >> OFFSET_BITS)
        assert info is not None, "internal error: a key of no object"
        return self._object(info), key & OFFSET_MASK

    def key_number(self, key: Key) -> int:
        """The key with a name, here."""
        name, offset = key
        if name[0] == "thread":
            return -self.thread_number(str(name[1]))
        return self._found(name).base + offset

    def _object(self, info: ObjectInfo) -> Name:
        kin = info.kin
        if isinstance(kin, Layout):
            owner, _, n = info.name.removeprefix("heap ").rpartition("#")
            count = info.layout.size // kin.size if kin.size else 1
            zeroed = bool(info.initial) and info.initial[0] == 0
            return "heap", owner, int(n), self._elements.index(kin), count, zeroed
        template, name = kin
        if not template:
            return "static", name
        return "local", info.name.partition(":")[0], template, name

    def _found(self, name: Name) -> ObjectInfo:
        match name:
            case ("static", str(declared)):
                return self._statics[declared]
            case ("local", str(owner), str(template), str(declared)):
                return self._context.local(self.thread_number(owner), template, declared)
            case ("heap", str(owner), int(n), int(element), int(count), zeroed):
                layout = self._context.element(self._elements[element])
                thread = self.thread_number(owner)
                return self._context.heap(thread, n, layout, count, bool(zeroed), NOWHERE)
        raise ValueError(f"no name of an object: {name}")

    @functools.cached_property
    def _statics(self) -> dict[str, ObjectInfo]:
        return {i.kin[1]: i for i in self._context.objects.placed() if i.kin[0] == ""}  # type: ignore[index]

    # -- states ---------------------------------------------------------------------------------

    def state(self, s: State) -> tuple[Any, ...]:
        """The state, equal for the same states in two processes.

        What is not a pointer is translated if it is a set of threads (by its type), or the id of
        one (where the analysis of control says that one may be there). An integer that is computed
        from an id otherwise may make the same states differ.
        """
        context = self._context
        fixed = tuple(
            (self._object(info), self._cells(info, s[info.slot : info.slot + len(info.kinds)]))
            for info in context.objects.placed()
            if info.slot is not None
        )
        dynamic = []
        for number, cells in s[context.dynamic]:
            info = context.objects.numbered(number)
            assert info is not None
            dynamic.append((self._object(info), self._cells(info, cells)))
        threads = sorted(self._thread(thread) for thread in s[context.base :])
        return fixed, tuple(sorted(dynamic, key=repr)), s[context.status], tuple(threads)

    def _thread(self, thread: tuple[Any, ...]) -> tuple[Any, ...]:
        number, pc, *values = thread
        pointer = self._context.program.pointer
        if pc == DONE:
            return self.thread(number), pc, tuple(self._value(v, pointer, True) for v in values)
        code, location = self._context.locate(pc)
        types = code.template.registers
        named = (
            self._value(
                value,
                types.get(name, pointer if name == "$arg" else None),
                (code.template.name, name) in self._ids,
            )
            for name, value in zip(code.frames[location], values, strict=True)
        )
        return self.thread(number), pc, tuple(named)

    def _cells(self, info: ObjectInfo, cells: tuple[Any, ...]) -> tuple[Any, ...]:
        kin = info.kin
        if isinstance(kin, Layout):
            ids = any(isinstance(o, Heap) for o in self._with_ids)
        else:
            ids = (Local(*kin) if kin[0] else Static(kin[1])) in self._with_ids
        typed = zip(cells, info.layout.cells, strict=True)
        return tuple(self._value(value, cell.type, ids) for value, cell in typed)

    def _value(self, value: Any, type: Scalar | None, id: bool) -> Any:
        """A value; `id`: it may be the id of a thread."""
        if value is None or type is None:
            return value
        if value is DEAD:
            return "dead"
        if isinstance(type, PtrType):
            return self._pointer(value)
        threads = self._context.threads
        if isinstance(type, IntType) and type.bits == _SET:
            members = [t for t in range(1, threads.count + 1) if value >> t & 1]
            return "set", value & 1, tuple(sorted(map(self.thread, members)))
        if id and MAIN <= value <= threads.count:
            return "id", self.thread(value)
        return value

    def _pointer(self, value: int) -> Any:
        objects = self._context.objects
        if not objects.is_address(value):
            return value
        number = (value + HALF) >> OFFSET_BITS
        info = objects.numbered(number)
        if info is None:
            return "function", objects.text(value, self._context.program.pointer)
        return self._object(info), value - (number << OFFSET_BITS)

    @functools.cached_property
    def _ids(self) -> frozenset[Any]:
        return Control(self._context.program, self._context.facts.points_to).ids

    @functools.cached_property
    def _with_ids(self) -> frozenset[Any]:
        """The objects that may hold the id of a thread."""
        return frozenset(o for o, _ in self._ids)
