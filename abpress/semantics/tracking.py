"""Memory that is lost, and memory that is left: what valid-memtrack and valid-memcleanup ask.

A heap object is *lost* when no pointer into it (one past its end included) is left in a static
object, in a local object whose lifetime lasts, in a register that may still be read, in the result
of a finished thread that nobody has joined, or in an object that is not lost. Automatic objects
(`Alloc.automatic`) are variables: they hold pointers as long as their thread runs, and cannot be
lost. Once lost, always lost: an address that no thread has cannot be made, NOTE(lost-is-stable).

Generated code asks after each action that may lose something, before the program ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from abpress.errors import Position
from abpress.ir.types import OFFSET_BITS, PtrType
from abpress.semantics.context import DONE, Context
from abpress.semantics.naming import HALF, NEGATIVE_PLAIN, PLAIN_LIMIT, ObjectInfo
from abpress.semantics.outcome import LEFTOVER, LOSS, Violation

ABORTED = "abort"
"""How the program ends where nobody has to clean up."""


class Tracking:
    """Which heap objects the threads of a state keep track of."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._dynamic, self._base = context.dynamic, context.base
        self._statics = tuple(
            info.slot + j
            for info in context.objects.placed()
            if info.slot is not None
            for j in _pointers(info)
        )
        self._cells: dict[int, tuple[ObjectInfo, tuple[int, ...]]] = {}
        self._registers: dict[int, tuple[int, ...]] = {DONE: (2,)}

    def lost(
        self, s: Sequence[Any], i: int, held: Sequence[Any], thread: int, position: Position
    ) -> Violation | None:
        """The violation by a thread that has just lost an object.

        The component `i` of the state is that of a thread in the middle of a step, whose registers
        hold what is `held`; -1 if there is none.
        """
        objects = self._context.objects
        if objects.inspected:
            return None  # a pointer may be hidden in an integer; "true" is withheld already
        heap: dict[int, Sequence[Any]] = {}
        roots: list[Any] = [*held]
        for number, cells in self._objects(s):
            info, pointers = self._shape(number)
            if info.heap and not info.automatic:
                heap[number] = cells
            elif not info.automatic or self._runs(s, info.owner):
                roots += [cells[j] for j in pointers]
        if not heap:
            return None
        roots += [s[slot] for slot in self._statics]
        for k in range(self._base, len(s)):
            if k != i:
                component = s[k]
                roots += [component[j] for j in self._held_at(component[1])]
        beside = self._reach(heap, roots)
        if not heap:
            return None
        if beside:
            self._reach(heap, [number << OFFSET_BITS for number in beside])
            if not heap:
                self._context.soundness.lose(
                    f"only a pointer beyond its bounds leads to an object at {position.described}"
                )
                return None
        return Violation(LOSS, self._described(heap), position, thread)

    def left(self, s: Sequence[Any], thread: int, position: Position) -> Violation | None:
        """The violation by a thread that ends the program while an object is allocated."""
        infos = (self._shape(number)[0] for number, _ in self._objects(s))
        names = [info.name for info in infos if info.heap and not info.automatic]
        if not names:
            return None
        message = f"{min(names)} is allocated when the program ends"
        return Violation(LEFTOVER, message, position, thread)

    def left_at_last(self, s: Sequence[Any], thread: int, position: Position) -> Violation | None:
        """As `left`, if all threads have finished."""
        if any(s[k][1] != DONE for k in range(self._base, len(s))):
            return None
        return self.left(s, thread, position)

    # -- states ---------------------------------------------------------------------------------

    def _objects(self, s: Sequence[Any]) -> Iterable[tuple[int, Sequence[Any]]]:
        dynamic = s[self._dynamic]
        return dynamic.items() if isinstance(dynamic, Mapping) else dynamic

    def _shape(self, number: int) -> tuple[ObjectInfo, tuple[int, ...]]:
        """An object, and which of its cells hold pointers."""
        found = self._cells.get(number)
        if found is None:
            info = self._context.objects.numbered(number)
            assert info is not None
            found = self._cells[number] = info, tuple(_pointers(info))
        return found

    def _held_at(self, pc: int) -> tuple[int, ...]:
        """The indices of the pointers in the component of a thread at `pc`."""
        found = self._registers.get(pc)
        if found is None:
            code, location = self._context.locate(pc)
            registers = code.template.registers
            found = self._registers[pc] = tuple(
                2 + j
                for j, name in enumerate(code.frames[location])
                if isinstance(registers.get(name), PtrType)
            )
        return found

    def _runs(self, s: Sequence[Any], thread: int) -> bool:
        return any(s[k][0] == thread and s[k][1] != DONE for k in range(self._base, len(s)))

    # -- pointers -------------------------------------------------------------------------------

    def _reach(self, heap: dict[int, Sequence[Any]], todo: list[Any]) -> list[int]:
        """Takes the objects out of `heap` that pointers lead to; returns those that only pointers
        beyond their bounds lead to, maybe among others. Ends early when `heap` is empty."""
        beside: list[int] = []
        todo = [v for v in todo if v.__class__ is int and PLAIN_LIMIT <= v < NEGATIVE_PLAIN]
        while todo and heap:
            v = todo.pop()
            number = v + HALF >> OFFSET_BITS
            cells = heap.get(number)
            if cells is None:
                continue
            info, pointers = self._shape(number)
            if not 0 <= v - info.base <= info.layout.size:
                beside.append(number)
                continue
            del heap[number]
            for j in pointers:
                v = cells[j]
                if v.__class__ is int and PLAIN_LIMIT <= v < NEGATIVE_PLAIN:
                    todo.append(v)
        return beside

    def _described(self, heap: Mapping[int, Sequence[Any]]) -> str:
        """Tells which object is lost: of several one to which none of the others points."""
        pointed: set[int] = set()
        for number, cells in heap.items():
            values = [cells[j] for j in self._shape(number)[1]]
            targets = {v + HALF >> OFFSET_BITS for v in values if v.__class__ is int}
            pointed |= targets - {number}
        first = [number for number in heap if number not in pointed] or list(heap)
        names = [self._shape(number)[0].name for number in first]
        return f"the last pointer to {min(names)} is lost"


def _pointers(info: ObjectInfo) -> Iterator[int]:
    return (j for j, kind in enumerate(info.kinds) if kind.pointer)
