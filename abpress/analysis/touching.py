"""The memory that an edge may touch, whoever takes it: an over-approximation by `points_to`.

The end of a lifetime (Free, Leave; Finish, for the local objects) and the beginning of a local
object's (Enter) write all its cells: a pointer from an earlier lifetime may be left. Reading memory
that may be undefined writes it (see `abpress.analysis.undefined`). Telling apart addresses of
objects with lifetimes reads their lifetimes (NOTE(reuse)). Alloc touches nothing: nobody has the
address of what it creates, and its name is the thread's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from abpress.analysis.points_to import AbstractObject, Function, Heap, Local, PointsTo
from abpress.analysis.undefined import may_be_chosen
from abpress.ir.expr import Compare, Expr, walk
from abpress.ir.program import (
    Copy,
    Edge,
    Effect,
    Enter,
    Finish,
    Free,
    Leave,
    Load,
    Program,
    Store,
    effect_operands,
)
from abpress.ir.types import PtrType

LIFE = -1
"""Stands beside the offsets of an object's cells for its lifetime."""


@dataclass(frozen=True, slots=True)
class Touched:
    """Cells of an object that an edge may touch: by their offsets, or `LIFE`; None is all of it."""

    object: AbstractObject
    cells: tuple[int, ...] | None
    writes: bool


class Touching:
    """What the edges of a program may touch."""

    def __init__(
        self, program: Program, points_to: PointsTo, undefined: frozenset[AbstractObject]
    ) -> None:
        self._points_to = points_to
        self._locals = {name: tuple(t.locals) for name, t in program.templates.items()}
        self._undefined = undefined

    def touched(self, template: str, edge: Edge) -> Iterator[Touched]:
        """The memory that the edge touches when a thread of the template takes it."""
        for effect in edge.effects:
            match effect:
                case Enter(o) | Leave(o):
                    yield Touched(Local(template, o), None, True)
                case Finish():
                    for o in self._locals[template]:
                        yield Touched(Local(template, o), None, True)
                case _:
                    pass
            chooses = isinstance(effect, Load) and may_be_chosen(effect.target.type)
            for address, size, writes in addresses(effect):
                for target in self._points_to.targets(template, address):
                    if not isinstance(target.object, Function):
                        cells = None if size is None else self._points_to.cells(target, size)
                        chosen = chooses and target.object in self._undefined
                        yield Touched(target.object, cells, writes or chosen)
        yield from (Touched(o, (LIFE,), False) for o in self.told_apart(template, edge))

    def told_apart(self, template: str, edge: Edge) -> Iterator[AbstractObject]:
        """The objects of which the edge reads the lifetimes, as it compares their addresses."""
        for sides in told_apart(edge):
            mortal = [list(self._mortal(template, side)) for side in sides]
            if all(mortal):
                yield from (o for side in mortal for o in side)

    def chooses(self, template: str, load: Load) -> bool:
        """Whether a load may choose the value of what it reads, as that has none; also one that
        cannot be enumerated."""
        targets = self._points_to.targets(template, load.address)
        return any(target.object in self._undefined for target in targets)

    def _mortal(self, template: str, address: Expr) -> Iterator[AbstractObject]:
        """The objects it may point to whose lifetimes end."""
        for target in self._points_to.targets(template, address):
            if isinstance(target.object, Local | Heap):
                yield target.object


def addresses(effect: Effect) -> Iterator[tuple[Expr, int | None, bool]]:
    """The addresses that an effect accesses: size (None: the whole object), and if it writes."""
    match effect:
        case Load(target, address):
            yield address, target.type.size, False
        case Store(address, value):
            yield address, value.type.size, True
        case Copy(to, of, size):
            yield to, size, True
            yield of, size, False
        case Free(address):
            yield address, None, True
        case _:
            pass


def told_apart(edge: Edge) -> Iterator[tuple[Expr, Expr]]:
    """The addresses that the edge compares for equality."""
    for e in (edge.guard, *(e for effect in edge.effects for e in effect_operands(effect))):
        for part in walk(e):
            match part:
                case Compare("==" | "!=", left, right) if isinstance(left.type, PtrType):
                    yield left, right
                case _:
                    pass
