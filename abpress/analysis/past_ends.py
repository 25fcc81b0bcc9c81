"""Comparisons of which the end of an object may be one side, and another object the other one.

NOTE(past-ends): no object of the program model begins where another one ends. In reality one may,
and the pointer past the end of the first is then equal to one to the second (C11 6.5.9p6).
"""

from __future__ import annotations

from collections.abc import Iterator

from abpress.analysis.points_to import (
    AbstractObject,
    Function,
    Heap,
    Local,
    PointsTo,
    Static,
    Target,
    leaves,
)
from abpress.analysis.touching import told_apart
from abpress.analysis.visibility import instances
from abpress.errors import Position
from abpress.ir.expr import Const, Expr
from abpress.ir.paths import reachable
from abpress.ir.program import (
    Alloc,
    Copy,
    Edge,
    Effect,
    Free,
    Load,
    Program,
    Store,
    edges,
    effect_operands,
)


def compared_ends(program: Program) -> Iterator[Position]:
    """Where pointers are compared for equality that differ in the model, and may be equal in
    reality, as one of them is past the end of its object and the other at the start of another."""
    compared = [
        (name, edge.position, sides)
        for name, template in program.templates.items()
        for _, edge in edges(template)
        for sides in told_apart(edge)
        if not any(isinstance(side, Const) for side in sides)
    ]
    if compared:
        ends = _Outreach(program)
        for name, position, sides in compared:
            if ends.may_meet(name, *sides):
                yield position


def _kept(edge: Edge) -> Iterator[Expr]:
    """The expressions of which the value is kept or compared, and not only accessed."""
    for effect in edge.effects:
        yield from _values(effect)
    for sides in told_apart(edge):
        yield from sides


def _values(effect: Effect) -> tuple[Expr, ...]:
    match effect:
        case Store(_, value):
            return (value,)
        case Load() | Free() | Copy():
            return ()
        case _:
            return effect_operands(effect)


class _Outreach:
    """Which pointers may be past the end of what they point to."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._points_to = PointsTo(program)
        self._instances = instances(program)
        self._moved = {
            o
            for name, template in program.templates.items()
            for _, edge in edges(template)
            for e in _kept(edge)
            for o in self._left(name, e)
        }

    def may_meet(self, template: str, one: Expr, other: Expr) -> bool:
        """Whether one side may be past the end of an object, and the other one at the start of
        another one."""
        left = self._points_to.targets(template, one)
        right = self._points_to.targets(template, other)
        return any(
            (a.object != b.object or not self._is_one(a.object))
            and ((self._is_past(a) and _may_begin(b)) or (self._is_past(b) and _may_begin(a)))
            for a in left
            for b in right
        )

    def _left(self, template: str, e: Expr) -> Iterator[Heap]:
        """The objects of the heap out of an element of which `e` may move a pointer, of which the
        offset is then one in the next element, if there is one."""
        for leaf, shift in leaves(e):
            for o, offset in self._points_to.targets(template, leaf) if shift != 0 else ():
                if isinstance(o, Heap):
                    inside = range(self._element(o))
                    if shift is None or offset is None or offset + shift not in inside:
                        yield o

    def _is_past(self, target: Target) -> bool:
        match target.object:
            case Function():
                return False
            case Heap():
                past = target.object in self._moved or self._element(target.object) == 0
            case Static(name):
                past = target.offset == self._program.objects[name].layout.size
            case Local(template, name):
                past = target.offset == self._program.templates[template].locals[name].layout.size
        return past or target.offset is None

    def _element(self, o: Heap) -> int:
        edge = self._program.templates[o.template].locations[o.location].edges[o.edge]
        effect = edge.effects[o.effect]
        assert isinstance(effect, Alloc)
        return effect.element.size

    def _is_one(self, o: AbstractObject) -> bool:
        """Whether an execution has one such object at most."""
        match o:
            case Local(template, _):
                return self._instances[template] <= 1
            case Heap(template, location, edge, _):
                graph = self._program.templates[template]
                again = reachable(graph, [graph.locations[location].edges[edge].target])
                return self._instances[template] <= 1 and location not in again
            case _:
                return True


def _may_begin(target: Target) -> bool:
    """Whether a pointer may be one to the start of an object."""
    return isinstance(target.object, Function) or target.offset in (None, 0)
