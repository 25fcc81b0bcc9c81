"""Loops over the scalars of objects that are too large to write each of them down."""

from __future__ import annotations

from collections.abc import Callable

from abpress.errors import UnsupportedError
from abpress.ir.expr import Const, Expr
from abpress.ir.program import Assign, Cut
from abpress.ir.types import Cell, Layout
from abpress_frontend.lower.ctypes import CArray, CField, CRecord, CType, sizeof
from abpress_frontend.lower.graph import GraphBuilder
from abpress_frontend.lower.layout import layout
from abpress_frontend.lower.values import OFFSET, arithmetic, comparison

UNROLLED = 4096
"""Objects of more scalars than this are not copied or filled scalar by scalar."""


def each_scalar(
    graph: GraphBuilder,
    what: str,
    type: CType,
    offset: Expr,
    action: Callable[[Expr, Cell], None],
    most: int = UNROLLED,
) -> None:
    """Does something with each scalar, given its offset, of an object at an offset: one after the
    other, or in loops over arrays where they are more than `most`."""
    cells = layout(type).cells
    if len(cells) <= most:
        for cell in cells:
            action(further(offset, cell.offset), cell)
        return
    if isinstance(type, CArray):
        size = Const(sizeof(type), OFFSET)
        loop = Loop(graph, what, size, layout(type.element))
        each_scalar(graph, what, type.element, arithmetic("+", offset, loop.offset), action, _MANY)
        loop.close()
        return
    large = [] if not isinstance(type, CRecord) or type.is_union else _large_members(type)
    inside = {k for f in large for k in range(f.offset, f.offset + sizeof(f.type))}
    others = [cell for cell in cells if cell.offset not in inside]
    if len(others) > UNROLLED:
        raise UnsupportedError(f"{what} of {type}, which has {len(cells)} scalars")
    for cell in others:
        action(further(offset, cell.offset), cell)
    for member in large:
        each_scalar(graph, what, member.type, further(offset, member.offset), action, _MANY)


_MANY = 64
"""Arrays of more scalars than this have loops, in objects that are too large without."""


def _large_members(record: CRecord) -> list[CField]:
    """The members that have many scalars."""
    return [
        f
        for f in record.fields or ()
        if isinstance(f.type, CArray | CRecord) and len(layout(f.type).cells) > _MANY
    ]


def further(offset: Expr, by: int) -> Expr:
    """An offset that is so much larger."""
    return arithmetic("+", offset, Const(by, OFFSET)) if by else offset


class Loop:
    """for (offset = 0; offset < size; offset += unit.size) around what is emitted until `close`."""

    def __init__(self, graph: GraphBuilder, what: str, size: Expr, unit: Layout) -> None:
        self.graph, self.step = graph, unit.size
        self.offset = graph.temporary(OFFSET)
        if not isinstance(size, Const) and unit.size > 1:
            self._refuse_rest(what, size)
        self.head, inside, self.end = (graph.location() for _ in range(3))
        graph.emit(Assign(self.offset, Const(0, OFFSET)))
        graph.goto(self.head)
        graph.at(self.head)
        graph.branch(comparison("<", self.offset, size), inside, self.end)
        graph.at(inside)

    def _refuse_rest(self, what: str, size: Expr) -> None:
        """A size that the elements do not fill is given up when it occurs."""
        rest = arithmetic("%", size, Const(self.step, OFFSET))
        partial, whole = self.graph.location(), self.graph.location()
        self.graph.branch(comparison("!=", rest, Const(0, OFFSET)), partial, whole)
        self.graph.at(partial)
        self.graph.emit(Cut(f"{what} of a part of an element"))
        self.graph.at(whole)

    def close(self) -> None:
        """Goes on with the next round, or behind the loop."""
        following = arithmetic("+", self.offset, Const(self.step, OFFSET))
        self.graph.emit(Assign(self.offset, following))
        self.graph.goto(self.head)
        self.graph.at(self.end)
