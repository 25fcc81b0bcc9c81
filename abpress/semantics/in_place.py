"""Executions that are never taken back: one state, which changes from step to step.

The code is generated for the same effects as that of `semantics.interpreter`, with which this is
compared. The state is a list: the static cells, dynamic memory as a dictionary from object numbers
to lists of cells, the status, and the threads in the order of their creation. The *place* of a
thread is its index there, which it keeps. A step that may find out that it is none after it has
written works on a copy of the state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableSequence, Sequence
from typing import Any, Protocol

from abpress.errors import Position
from abpress.ir.program import VALID_DEREF
from abpress.semantics.choices import Chooser, Domain, note
from abpress.semantics.codegen.compile import Compiler, memory_operations
from abpress.semantics.codegen.emitter import Mode
from abpress.semantics.context import DONE, Context
from abpress.semantics.memory import Memory
from abpress.semantics.naming import MAIN, ObjectInfo
from abpress.semantics.outcome import (
    ConcreteStep,
    ExecutionEnds,
    NoSteps,
    State,
    Violation,
    undefined,
)


class Chooses(Protocol):
    """Answers the choice points of steps; `choices.Chooser` is one."""

    def edge(self, open: Sequence[int], /) -> int:
        """One of the edges whose guards hold."""

    def pick(self, domain: Domain, /) -> int:
        """A value between the bounds of the domain."""

    def bit(self, mask: int, /) -> int:
        """One set bit of a non-negative mask, as a number; 0 if there is none."""


class MemoryInPlace(Memory):
    """Operations on the memory of a state that changes."""

    def enter(self, s: MutableSequence[Any], info: ObjectInfo) -> None:
        """Begins the lifetime of an object, with its initial values."""
        if info.slot is not None:
            super().enter(s, info)
        else:
            s[self._dynamic][info.number] = list(info.initial)

    def leave(self, s: MutableSequence[Any], info: ObjectInfo) -> None:
        """Ends the lifetime of an object; nothing if it has ended."""
        if info.slot is not None:
            super().leave(s, info)
        else:
            s[self._dynamic].pop(info.number, None)

    def alive(self, s: Sequence[Any], info: ObjectInfo) -> Sequence[Any] | None:
        """The cells of an object; None if its lifetime has ended or not begun."""
        if info.slot is not None:
            return super().alive(s, info)
        cells: list[Any] | None = s[self._dynamic].get(info.number)
        return cells

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
        cells: list[Any] | None = s[self._dynamic].get(info.number)
        if cells is None:
            raise undefined(f"{info.name} accessed outside its lifetime", where, VALID_DEREF)
        for j, value in values.items():
            cells[j] = value


class InPlace:
    """Executes one program forward. Mutable: `state` is where the execution stands.

    `places` has the place of every thread that was created; `filled` counts the cells of memory
    that were filled, as a measure of work. `made` makes the state of its components
    that the interpreter has.
    """

    def __init__(self, context: Context, made: Callable[[Sequence[Any]], State]) -> None:
        self._context = context
        self._made = made
        self.places: dict[int, int] = {}
        self._dynamic = context.dynamic
        memory = MemoryInPlace(
            context.objects,
            context.dynamic,
            context.kinds.of(context.program.pointer),
            context.soundness,
        )
        self._compiler = Compiler(
            context,
            **memory_operations(memory),
            draft=self._draft,
            find_thread=self._find_thread,
            insert_thread=self._insert_thread,
        )
        self.functions = self._compiler.table(Mode.IN_PLACE)
        self.first = context.base
        self.state: list[Any] = []
        self.filled = 0
        self.restart()

    def restart(self) -> None:
        """Goes back to the initial state."""
        initial = self._context.initial
        self.state = list(initial)
        self.state[self._dynamic] = {
            number: list(cells) for number, cells in initial[self._dynamic]
        }
        self.filled += len(self.state)
        self.places.clear()
        self.places[MAIN] = self.first

    @property
    def compiled(self) -> int:
        """How many functions were made so far."""
        return self._compiler.compiled

    def step(self, place: int, choose: Chooses) -> Violation | NoSteps | None:
        """Lets the thread at a place take its step with the choices that are asked for.

        Returns the violation that it commits, why there is no such step, or None if it is taken.
        Raises ExecutionEnds where the execution ends without a violation; the state is of no
        meaning then.
        """
        outcome: Violation | NoSteps | None
        outcome = self.functions[self.state[place][1]](self.state, place, choose)
        return outcome

    def run_through(self, schedule: Iterable[tuple[int, tuple[int, ...]]]) -> ConcreteStep | None:
        """The last step of the execution of these steps, threads with their choices, from the
        initial state; None if there is no such execution, or it is empty. What one commits is the
        last one; its successor is of no meaning then."""
        self.restart()
        last: ConcreteStep | None = None
        for thread, choices in schedule:
            place = self.places.get(thread, len(self.state))
            if (last is not None and last.violation) or place >= len(self.state):
                return None
            if self.state[place][0] != thread or self.finished(place):
                return None
            chooser = Chooser(choices, self._context.soundness)
            try:
                outcome = self.step(place, chooser)
            except ExecutionEnds as end:
                self.note(end)
                outcome = end.violation(thread)
                if outcome is None:
                    return None
            if isinstance(outcome, NoSteps) or tuple(chooser.taken) != choices:
                return None
            last = ConcreteStep(thread, choices, (), outcome)
        if last is None or last.violation is not None:
            return last
        return last._replace(successor=self.snapshot())

    def note(self, end: ExecutionEnds) -> None:
        """Records what the end of the execution means for a verdict "true"."""
        note(end, self._context.soundness)

    def finished(self, place: int) -> bool:
        """Whether the thread at a place has finished."""
        return bool(self.state[place][1] == DONE)

    @property
    def ended(self) -> bool:
        """Whether the program has ended."""
        return len(self.state) == self.first

    def snapshot(self) -> State:
        """The state as `Interpreter` understands it."""
        s = self.state
        dynamic = tuple(
            [(number, tuple(cells)) for number, cells in sorted(s[self._dynamic].items())]
        )
        static, status = s[: self._dynamic], s[self._dynamic + 1 : self.first]
        return self._made([*static, dynamic, *status, *sorted(s[self.first :])])

    # -- what generated code calls --------------------------------------------------------------

    def _draft(self, s: list[Any]) -> list[Any]:
        draft = s.copy()
        draft[self._dynamic] = {number: cells.copy() for number, cells in s[self._dynamic].items()}
        return draft

    def _find_thread(self, s: Sequence[Any], thread: int) -> tuple[Any, ...] | None:
        place = self.places.get(thread)
        if place is None or place >= len(s) or s[place][0] != thread:
            return None  # a draft in which it was created came to nothing
        found: tuple[Any, ...] = s[place]
        return found

    def _insert_thread(self, s: MutableSequence[Any], i: int, thread: tuple[Any, ...]) -> int:
        self.places[thread[0]] = len(s)
        s.append(thread)
        return i
