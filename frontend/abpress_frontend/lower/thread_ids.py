"""Ids of threads (`pthread_t`, `thrd_t`) in programs: POSIX gives them no number and no order.

In the model they are the numbers in which threads are created, which is one of the possible ways to
give them out. So an execution that looks at the number goes on with it and can violate a property,
but another one is cut there: no verdict "true" rests on the numbers. A local number that begins as
one, `unsigned long me = pthread_self()`, is an id itself. Ids are told apart by their types, and
behind a `void *` by what it may point to: see `abpress_frontend.lower.hidden_ids`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pycparser import c_ast

from abpress.errors import UnsupportedError
from abpress.ir.expr import Const, Expr
from abpress.ir.program import Cut, Havoc
from abpress.ir.types import INT, Cell, IntType, Layout
from abpress_frontend.lower.body import Body, Revealed
from abpress_frontend.lower.ctypes import (
    CArray,
    CField,
    CFloat,
    CFunction,
    CInt,
    CPtr,
    CRecord,
    CType,
    CVoid,
    is_bytes,
)
from abpress_frontend.lower.layout import layout
from abpress_frontend.lower.sequencing import Kind
from abpress_frontend.lower.values import Value, comparison, fold, logical_not, truth


class NeedsFeature(Exception):
    """The program has to be lowered again, with what the models do for this feature."""

    def __init__(self, feature: str) -> None:
        super().__init__(feature)
        self.feature = feature


HIDDEN = "ids are read as numbers at "
"""The feature, with a place behind it, that there a pointer to ids becomes one to numbers."""


COMPARED = "__abp_ids_compared"
"""The feature that lifetimes of ids are kept, so that comparisons can look at them."""


def is_thread(type: CType | None) -> bool:
    """Whether values of the type are ids of threads."""
    return isinstance(type, CInt) and type.is_thread


def converts(body: Body, value: Value, wanted: CType | None, node: c_ast.Node) -> None:
    """A value becomes one of type `wanted` (None: of which nothing is known)."""
    match value.type, wanted:
        case CInt(is_thread=True), CInt(is_thread=False, is_bool=False) | CFloat() | CPtr():
            inspected(body)
        case CPtr(target=of), CPtr(target=to) if _scalars(of) and not _scalars(to):
            if isinstance(to, CVoid):
                body.hidden_ids.append(value.expr)
            else:
                inspected(body)
        case CPtr(target=of), CPtr(target=to) if contains(of) and not contains(to):
            if not isinstance(to, CVoid) and node not in body.moved and is_read(to, layout(of)):
                inspected(body)
        case (CPtr() | CInt(is_thread=False)) as type, CPtr(target=to) if type != wanted:
            told = not isinstance(type, CPtr) or is_bytes(type.target)
            if told and not isinstance(to, CVoid | CFunction) and node not in body.moved:
                revealed(body, value.expr, to, node)
        case _:
            pass


def moved(body: Body, node: c_ast.Cast, type: CType, wanted: CType | None) -> None:
    """A cast to characters after which nobody reads these: it becomes a pointer to anything again,
    or its sum or difference one to something else."""
    match node.expr:
        case c_ast.BinaryOp(op="+" | "-", left=left, right=right):
            body.moved.update(side.expr for side in (left, right) if isinstance(side, c_ast.Cast))
        case _:
            pass
    match type, wanted:
        case CPtr(target=to), CPtr(target=CVoid()) if is_bytes(to):
            body.moved.add(node.expr)
        case _:
            pass


def ids_of(space: Layout) -> list[Cell]:
    """The ids in an object."""
    return [c for c in space.cells if isinstance(c.type, IntType) and c.type.thread]


def is_read(type: CType, space: Layout, anywhere: bool = False) -> bool:
    """Whether a number of an object of the type may lie where the object has an id: if the type's
    object begins where this one does, or `anywhere`."""
    try:
        cells = layout(type).cells
    except UnsupportedError:  # of no known size: a pointer to it reads nothing
        return False
    numbers = [c for c in cells if isinstance(c.type, IntType)]
    if anywhere or is_bytes(type):
        return bool(numbers)
    return any(
        a.offset < b.offset + b.type.size and b.offset < a.offset + a.type.size
        for a in numbers
        for b in ids_of(space)
    )


def revealed(body: Body, pointer: Expr, type: CType, node: c_ast.Node) -> None:
    """What a pointer to memory of which nothing was known points to has this type from now on."""
    if body.in_model or contains(type) or isinstance(pointer, Const):
        return
    at = body.position(node)
    if f"{HIDDEN}{at}" in body.unit.needed:
        inspected(body)
    else:
        body.revealed.append(Revealed(pointer, type, at))


def kept(type: CType, node: c_ast.Node, typeof: Callable[[c_ast.Node], CType]) -> CType:
    """The type of a number that an expression becomes, which is that of ids if an id keeps all of
    its bits there: who only shows it, or compares it with others, does not look at it."""
    if not isinstance(type, CInt) or type.is_bool or type.atomic or is_thread(type):
        return type
    if not isinstance(node, c_ast.ID | c_ast.FuncCall | c_ast.Cast):
        return type
    of = typeof(node)
    if isinstance(of, CInt) and of.is_thread and of.ir.bits == type.ir.bits:
        return replace(type, is_thread=True)
    return type


def _scalars(type: CType) -> bool:
    """Whether the type is that of ids or of an array of them."""
    while isinstance(type, CArray):
        type = type.element
    return is_thread(type)


def is_pointer(type: CType | None) -> bool:
    """Whether values of the type point to ids, or to what contains one."""
    return isinstance(type, CPtr) and contains(type.target)


def contains(type: CType) -> bool:
    """Whether objects of the type are ids, or have some in them."""
    match type:
        case CArray(element=element):
            return contains(element)
        case CRecord(fields=fields):
            return any(contains(field.type) for field in fields or ())
        case _:
            return is_thread(type)


def inspected(body: Body) -> None:
    """What follows depends on the number of an id."""
    function = body.frame.function
    if body.graph.here is None or (function is not None and function.model):
        return
    with body.order.whole(Kind.BLOCK):
        cut = body.graph.temporary(INT)
        ends, goes_on = body.graph.location(), body.graph.location()
        body.graph.emit(Havoc(cut, "whether the number of a thread id matters", 0, 1))
        body.graph.branch(comparison("!=", cut, Const(0, INT)), ends, goes_on)
        body.graph.at(ends)
        body.graph.emit(Cut("the number of a thread id may matter"))
        body.graph.at(goes_on)


def taken_as_number(body: Body, value: Value) -> None:
    """A value is a subscript, a case of a switch, or is computed with."""
    if is_thread(value.type):
        inspected(body)


def copied(body: Body, a: CType, b: CType) -> None:
    """What an object of one type holds is copied to one of the other: ids become numbers, or these
    ids, if one type has ids, and the other is known to have none."""
    if contains(a) != contains(b) and not (is_bytes(a) or is_bytes(b)):
        inspected(body)


def member(body: Body, record: CRecord, field: CField) -> None:
    """A member of a record is named: of a union, others may be ids."""
    if record.is_union and not contains(field.type) and contains(record):
        inspected(body)


def compared(body: Body, op: str, left: Value, right: Value, node: c_ast.Node) -> Value | None:
    """`left op right` where that is a question about ids that only the library can answer.

    None for all other operations; they are noted if they look at the number of an id. 0 is never an
    id (as in glibc), so comparing with it is harmless.
    """
    function = body.frame.function
    if not (is_thread(left.type) or is_thread(right.type)) or (function and function.model):
        return None
    if op in ("==", "!="):
        if any(isinstance(side.expr, Const) and side.expr.value == 0 for side in (left, right)):
            return None
        if is_thread(left.type) and is_thread(right.type):
            if not body.unit.features[COMPARED]:
                raise NeedsFeature(COMPARED)
            body.unit.load_model("thread.c")
            model = body.unit.models["pthread_equal"]
            with body.order.whole(Kind.CALL):
                equal = body.calls.inline(model, [left, right], node)
            if op == "==":
                return equal
            return Value(fold(logical_not(Value(truth(equal), body.unit.model.int))), equal.type)
    inspected(body)
    return None
