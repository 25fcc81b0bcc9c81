"""Lifetimes of local objects: they end with the block that declares them (C11 6.2.4).

A declaration begins the lifetime of its object, with an indeterminate value each time it is
reached. Where a jump can leave the declaration out, the lifetime begins with the block, too. A
variable-length array lives until its scope is left, be it by a jump backwards over its declaration.
What the function of a thread declares outside of inner blocks lives until the thread ends.
"""

from __future__ import annotations

from dataclasses import dataclass

from abpress.errors import InputError, Position
from abpress.ir.expr import Reg
from abpress.ir.program import Enter, Free, Leave
from abpress_frontend.lower.graph import GraphBuilder
from abpress_frontend.lower.scope import Scope


@dataclass(frozen=True, slots=True)
class Point:
    """A place in the text of a function: its scope, and the variable-length arrays that it sees."""

    scope: Scope
    arrays: tuple[Reg, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """Where a jump leads."""

    location: int
    point: Point


@dataclass(frozen=True, slots=True)
class Goto:
    """A jump to a label that may stand further down; `start` is a location from which nothing leads
    on yet."""

    start: int
    label: str
    point: Point
    position: Position


def point(scope: Scope) -> Point:
    """The place that lowering has come to in `scope`."""
    return Point(scope, scope.visible_arrays())


def pass_over(graph: GraphBuilder, source: Point, target: Point) -> None:
    """Emits what a way from one place to another does to lifetimes: blocks that it leaves, and
    blocks that it enters past their beginning. Raises InputError where it enters the scope of a
    variable-length array (a constraint, C11 6.8.6.1)."""
    if set(target.arrays) - set(source.arrays):
        raise InputError("jump into the scope of a variable-length array", graph.position)
    for array in source.arrays:
        if array not in target.arrays:
            graph.emit(Free(array, True))
    left, entered = _apart(source.scope, target.scope)
    for scope in left:
        for object in scope.objects:
            graph.emit(Leave(object))
    for scope in entered:
        for object in scope.early:
            graph.emit(Enter(object))


def _apart(source: Scope, target: Scope) -> tuple[list[Scope], list[Scope]]:
    """The scopes around one but not around the other, from the inside."""
    left: list[Scope] = []
    entered: list[Scope] = []
    while source is not target:
        inner, found = (source, left) if source.depth >= target.depth else (target, entered)
        assert inner.parent is not None
        found.append(inner)
        source, target = (inner.parent, target) if inner is source else (source, inner.parent)
    return left, entered
