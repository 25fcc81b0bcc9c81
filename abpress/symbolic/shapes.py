"""Shapes: all of a step but its successor, and how that is made; many discrete parts share them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from abpress.errors import Position
from abpress.ir.expr import ArrayReg, Term
from abpress.logic.formula import Formula
from abpress.semantics.outcome import Violation
from abpress.symbolic.discrete import (
    Access,
    Discrete,
    EndShown,
    Input,
    Known,
    ObjectRef,
    SymbolicStep,
    ThreadPart,
)
from abpress.symbolic.objects import SymbolicObjects

_NAME = itemgetter(0)


@dataclass(frozen=True, slots=True)
class DiscreteChange:
    """How a path changes the discrete part, over which nothing else need be known.

    The contents `known` are set, those of the names in `lost` are not known any more; the objects
    in `begun` live (again), those named in `over` do not. The program goes on with `part` for the
    thread and with the `spawned` ones; or `part` is None, and it ends: with the status, without
    threads and registers.
    """

    part: ThreadPart | None
    spawned: tuple[ThreadPart, ...] = ()
    known: tuple[tuple[str, Known], ...] = ()
    lost: tuple[str, ...] = ()
    begun: tuple[ObjectRef, ...] = ()
    over: frozenset[str] = frozenset()
    status: str | None = None

    def after(self, d: Discrete, objects: SymbolicObjects) -> Discrete:
        """The discrete part after the path."""
        lost = self.lost
        if self.part is None:
            keys = (key for part in d.threads for key, _, _ in objects.registers(part))
            lost = (*lost, *keys)
        known = self._known(d.known, lost)
        alive = self._alive(d) if self.begun or self.over else d.objects
        return objects.interned(Discrete(self._threads(d.threads), known, alive, self.status))

    def _threads(self, threads: tuple[ThreadPart, ...]) -> tuple[ThreadPart, ...]:
        mine = self.part
        if mine is None:
            return ()
        after = [mine if part.id == mine.id else part for part in threads]
        return tuple(sorted((*after, *self.spawned)) if self.spawned else after)

    def _known(
        self, before: tuple[tuple[str, Known], ...], lost: tuple[str, ...]
    ) -> tuple[tuple[str, Known], ...]:
        if not lost and not self.known:
            return before
        items = list(before)
        for name in lost:
            k = bisect_left(items, name, key=_NAME)
            if k < len(items) and items[k][0] == name:
                del items[k]
        for item in self.known:
            k = bisect_left(items, item[0], key=_NAME)
            if k < len(items) and items[k][0] == item[0]:
                items[k] = item
            else:
                items.insert(k, item)
        return tuple(items)

    def _alive(self, d: Discrete) -> tuple[ObjectRef, ...]:
        alive = {name: o for name, o in d.alive.items() if name not in self.over}
        alive.update((o.name, o) for o in self.begun)
        return tuple(alive[name] for name in sorted(alive))


@dataclass(frozen=True, slots=True)
class Shape:
    """A step without its successor; see `SymbolicStep`. The change is None where it has none:
    after an error, or a fault, there is always the same."""

    thread: int
    edges: tuple[tuple[int, int], ...]
    guard: tuple[Formula, ...]
    updates: tuple[tuple[str, Term], ...]
    inputs: tuple[Input, ...]
    forgotten: frozenset[str]
    change: DiscreteChange | None
    reads: frozenset[str]
    writes: frozenset[str]
    violation: Violation | None = None
    fault: str | None = None
    arrays: tuple[ArrayReg, ...] = ()
    preferred: tuple[Formula, ...] = ()


@dataclass(frozen=True, slots=True)
class Numbered:
    """A shape with its number, and `updates` as a mapping."""

    number: int
    shape: Shape
    updates: Mapping[str, Term]

    def step(self, d: Discrete, objects: SymbolicObjects) -> SymbolicStep:
        """The step of this shape from a discrete part."""
        shape = self.shape
        if shape.change is not None:
            successor = shape.change.after(d, objects)
        elif shape.violation is not None and shape.fault is None:
            how = f"violates {shape.violation.property}: {shape.violation.message}"
            successor = objects.interned(Discrete((), (), (), how))
        else:
            successor = objects.interned(Discrete((), (), (), "undefined"))
        return SymbolicStep(
            shape.thread,
            shape.edges,
            shape.guard,
            self.updates,
            shape.inputs,
            shape.forgotten,
            successor,
            shape.reads,
            shape.writes,
            shape.violation,
            shape.fault,
            self.number,
            shape.arrays,
            preferred=shape.preferred,
        )


class Shapes:
    """Numbers shapes: equal ones have one number."""

    def __init__(self) -> None:
        self._numbered: dict[Shape, Numbered] = {}

    def numbered(self, shape: Shape) -> Numbered:
        """The shape with its number, a new one if it was not met."""
        found = self._numbered.get(shape)
        if found is None:
            found = Numbered(len(self._numbered), shape, dict(shape.updates))
            self._numbered[shape] = found
        return found

    def shown(
        self,
        what: EndShown,
        d: Discrete,
        guard: tuple[Formula, ...],
        inputs: tuple[Input, ...],
        arrays: tuple[ArrayReg, ...],
    ) -> SymbolicStep:
        """The end of executions in states of a discrete part that show something."""
        none: frozenset[str] = frozenset()
        shape = Shape(0, (), guard, (), inputs, none, None, none, none, arrays=arrays)
        return SymbolicStep(
            0,
            (),
            guard,
            {},
            inputs,
            none,
            d,
            none,
            none,
            shape=self.numbered(shape).number,
            arrays=arrays,
            shows=what,
        )


class Wait(NamedTuple):
    """A path to where the thread waits for others: it is there where the guard holds. `joins` is
    the thread for the end of which it waits, if it waits for one."""

    guard: tuple[Formula, ...]
    inputs: tuple[Input, ...]
    arrays: tuple[ArrayReg, ...]
    joins: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class NextStep:
    """All about the next step of a thread: what `SymbolicSystem` answers, but for successors."""

    shapes: tuple[Numbered, ...]
    accesses: tuple[Access, ...]
    overflows: Mapping[Formula, Position]
    waits: tuple[Wait, ...] = ()
    touched: tuple[Access, ...] = ()  # before it waits
