"""`_Atomic` structs: read and written in one step, by way of a copy that nobody else sees."""

from __future__ import annotations

from abpress.errors import UnsupportedError
from abpress.ir.expr import TRUE, Binary, Const, Expr
from abpress.ir.program import AccessKind, Load
from abpress.ir.types import IntType, PtrType
from abpress_frontend.lower.aggregates import copied_object, copy_cells, pinned
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.ctypes import CRecord, CType
from abpress_frontend.lower.layout import is_padding, layout, unused
from abpress_frontend.lower.types import unatomic
from abpress_frontend.lower.values import OFFSET, MemoryPlace, Value, comparison, fold, pointer_add


def load_struct(body: Body, place: MemoryPlace) -> Value:
    """The value of the struct in a step of its own."""
    kept = body.local_object("(atomic value)", place.type)
    _copy(body, kept, place.address, place)
    return Value(kept, unatomic(place.type))


def store_struct(body: Body, place: MemoryPlace, value: Value) -> None:
    """The struct := the value, in a step of its own."""
    _copy(body, place.address, copied_object(body, value).expr, place)


def _copy(body: Body, target: Expr, source: Expr, place: MemoryPlace) -> None:
    body.graph.atomic(+1)
    copy_cells(body, target, source, layout(place.type), AccessKind.ATOMIC)
    body.graph.atomic(-1)


def is_same(body: Body, a: Value, b: Value) -> Expr:
    """Whether two structs have equal members. What is compared is bytes (C11 7.17.7.4p2), so that
    others of padding may differ, too: see `has_padding`.

    Raises UnsupportedError where that is something else: of unions and floating-point numbers.
    """
    space = layout(a.type)
    members = [cell for cell in space.cells if not is_padding(cell)]
    plain = all(isinstance(cell.type, IntType | PtrType) for cell in members)
    if not plain or (isinstance(a.type, CRecord) and a.type.is_union):
        raise UnsupportedError(f"comparison of the bytes of {a.type}")
    same: Expr = TRUE
    left, right = pinned(body, a.expr), pinned(body, b.expr)
    for cell in members:
        values = []
        for base in (left, right):
            register = body.graph.temporary(cell.type)
            body.graph.emit(Load(register, pointer_add(base, Const(cell.offset, OFFSET))))
            values.append(register)
        same = fold(Binary("&", same, comparison("==", *values)))
    return same


def has_padding(type: CType) -> bool:
    """Whether an object of the type has bytes that belong to no member."""
    space = layout(type)
    members = [cell for cell in space.cells if not is_padding(cell)]
    return isinstance(type, CRecord) and bool(unused(space.size, members))
