"""Steps of large states: the same code, with other words for a state that is being changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableSequence, Sequence
from typing import Any

from abpress.errors import Position
from abpress.semantics.codegen.compile import Compiler, memory_operations
from abpress.semantics.context import Context
from abpress.semantics.memory import Memory
from abpress.semantics.naming import ObjectInfo
from abpress.semantics.outcome import ConcreteStep, State
from abpress.semantics.sharing import Draft, LargeState
from abpress.semantics.trees import SharedObjects


class SharedMemory(Memory):
    """Operations on the memory of a large state; objects in dynamic memory are `SharedObjects`."""

    def enter(self, s: MutableSequence[Any], info: ObjectInfo) -> None:
        """Begins the lifetime of an object, with its initial values."""
        if info.slot is not None:
            super().enter(s, info)
        else:
            s[self._dynamic] = self._objects_of(s).put(info.number, info.initial)

    def leave(self, s: MutableSequence[Any], info: ObjectInfo) -> None:
        """Ends the lifetime of an object; nothing if it has ended."""
        if info.slot is not None:
            super().leave(s, info)
        else:
            s[self._dynamic] = self._objects_of(s).drop(info.number)

    def _put(
        self,
        s: MutableSequence[Any],
        info: ObjectInfo,
        values: Mapping[int, int | None],
        where: Position,
    ) -> None:
        if info.slot is not None:
            super()._put(s, info, values, where)
            return
        cells = list(self._cells(s, info, where))
        for j, value in values.items():
            cells[j] = value
        s[self._dynamic] = self._objects_of(s).put(info.number, tuple(cells))

    def _objects_of(self, s: Sequence[Any]) -> SharedObjects:
        found: SharedObjects = s[self._dynamic]
        return found


def sharing_compiler(
    context: Context, alternatives: Callable[[int, State, int], tuple[ConcreteStep, ...]]
) -> Compiler:
    """Makes functions of steps of large states, for `semantics.interpreter`."""
    base = context.base

    def find_thread(s: LargeState | Draft, thread: int) -> tuple[Any, ...] | None:
        i = context.first + thread
        if i < len(s) and s[i][0] == thread:
            there: tuple[Any, ...] = s[i]
            return there
        found = (s[k] for k in range(base, len(s)))
        return next((other for other in found if other[0] == thread), None)

    def insert_thread(s: Draft, i: int, thread: tuple[Any, ...]) -> int:
        k = len(s)
        while k > base and s[k - 1][0] > thread[0]:
            k -= 1
        s.insert(k, thread)
        return i if k > i else i + 1

    def draft(state: LargeState) -> Draft:
        return Draft(state, base)

    def made(s: Draft | list[Any]) -> State:
        return s.state() if isinstance(s, Draft) else tuple(s)

    memory = SharedMemory(
        context.objects,
        context.dynamic,
        context.kinds.of(context.program.pointer),
        context.soundness,
    )
    return Compiler(
        context,
        **memory_operations(memory),
        alternatives=alternatives,
        find_thread=find_thread,
        insert_thread=insert_thread,
        list=draft,
        tuple=made,
        grown=made,
    )
