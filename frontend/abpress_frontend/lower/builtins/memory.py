"""Filling and copying of memory: they need the types of what they work on."""

from __future__ import annotations

from pycparser import c_ast

from abpress.errors import InputError, UnsupportedError
from abpress.ir.expr import Addr, Const, Convert, Expr
from abpress.ir.program import Assign, Fault, Load, Store
from abpress.ir.types import Cell, IntType, Layout
from abpress_frontend.lower import thread_ids
from abpress_frontend.lower.aggregates import (
    byte_pattern,
    copy_cells,
    fill_cells,
    note_copy,
    pinned,
)
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.call import Call
from abpress_frontend.lower.ctypes import (
    VOID,
    CArray,
    CFunction,
    CPtr,
    CRecord,
    CType,
    CVoid,
    find_field,
    is_bytes,
    sizeof,
)
from abpress_frontend.lower.entries import Entry, Lowered
from abpress_frontend.lower.layout import layout
from abpress_frontend.lower.loops import UNROLLED, Loop, each_scalar, further
from abpress_frontend.lower.values import (
    OFFSET,
    Value,
    arithmetic,
    comparison,
    converted,
    fold,
    integer_value,
    pointer_add,
    scaled,
)

# -- filling and copying ---------------------------------------------------------------------


def pointee(body: Body, node: c_ast.Node) -> CType:
    """What a pointer argument points to, seen through casts to void * and char *."""
    while isinstance(node, c_ast.Cast):
        node = node.expr
    type = body.unit.types.decayed(body.expressions.typeof(node))
    return type.target if isinstance(type, CPtr) else VOID


def _cells(body: Body, pointer: Expr, size: Expr, type: CType) -> Layout | None:
    """The scalars that the first `size` bytes at `pointer` consist of; None if that is not known
    statically, or if they end inside a scalar."""
    if not isinstance(size, Const):
        return None
    if isinstance(pointer, Addr):
        object = body.graph.locals.get(pointer.object) or body.unit.objects.by_name[pointer.object]
        start, end = pointer.offset, pointer.offset + size.value
        inside = _between(object.layout, start, end)
        if inside is not None:
            return Layout(size.value, tuple(Cell(c.offset - start, c.type, c.path) for c in inside))
    if not isinstance(type, CVoid | CFunction) and not (
        isinstance(type, CRecord) and type.fields is None
    ):
        unit = sizeof(type)
        if unit and size.value % unit == 0:
            return layout(type).repeat(size.value // unit)
    return None


def _between(space: Layout, start: int, end: int) -> list[Cell] | None:
    """The scalars between two offsets; None where the range cuts one or leaves the object."""
    if end > space.size:
        return None
    touched = [c for c in space.cells if c.offset < end and c.offset + c.type.size > start]
    whole = all(start <= c.offset and c.offset + c.type.size <= end for c in touched)
    return touched if whole else None


def _offset(call: Call, index: int) -> Expr:
    """A size argument, as an offset."""
    return fold(Convert(call.value(index, call.model.size_t).expr, OFFSET))


def _memset(call: Call) -> Value:
    type = pointee(call.body, call.argument(0))
    pointer = call.value(0, call.model.pointer_to(VOID))
    byte = call.value(1, call.model.int).expr
    size = _offset(call, 2)
    target = pinned(call.body, pointer.expr)
    space = _cells(call.body, target, size, type)
    if isinstance(byte, Const) and space is not None and len(space.cells) <= UNROLLED:
        fill_cells(call.body, target, space, byte.value)
        return Value(target, pointer.type)
    unit = _loop_unit(call, type, size)

    def fill(offset: Expr, cell: Cell) -> None:
        if isinstance(byte, Const):
            value: Expr = byte_pattern(cell.type, byte.value)
        elif isinstance(cell.type, IntType):
            value = _repeated(byte, cell.type)
        else:
            raise UnsupportedError(f"{call.name} of {type} with a variable byte")
        call.graph.emit(Store(pointer_add(target, offset), value))

    loop = Loop(call.graph, call.name, size, layout(unit))
    each_scalar(call.graph, call.name, unit, loop.offset, fill)
    loop.close()
    return Value(target, pointer.type)


def _repeated(byte: Expr, type: IntType) -> Expr:
    """The integer all of whose bytes are the last byte of `byte`."""
    if type.size == 1:
        return fold(Convert(byte, type))
    wide = IntType(type.bits, signed=False)
    octet = Convert(Convert(byte, IntType(8, signed=False)), wide)
    ones = int.from_bytes(b"\1" * type.size, "little")
    return fold(Convert(arithmetic("*", octet, Const(ones, wide)), type))


def _memcpy(call: Call) -> Value:
    types = [pointee(call.body, call.argument(i)) for i in (0, 1)]
    generic = call.model.pointer_to(VOID)
    target = pinned(call.body, call.value(0, generic).expr)
    source = pinned(call.body, call.value(1, generic).expr)
    size = _offset(call, 2)
    thread_ids.copied(call.body, *types)
    if is_bytes(types[1]) and not is_bytes(types[0]):
        thread_ids.revealed(call.body, source, types[0], call.node)
    for copied in types:
        note_copy(call.body, copied)
    if not call.name.endswith("move"):
        _require_apart(call, target, source, size)
    type = types[1] if is_bytes(types[0]) else types[0]
    for pointer, seen in ((target, types[0]), (source, types[1]), (target, types[1])):
        space = None if is_bytes(seen) else _cells(call.body, pointer, size, seen)
        if space is not None and len(space.cells) <= UNROLLED:
            if call.name.endswith("move"):
                _move_cells(call.body, target, source, space)
            else:
                copy_cells(call.body, target, source, space)
            return Value(target, generic)
    unit = _loop_unit(call, type, size)
    if call.name.endswith("move"):
        if len(layout(unit).cells) > UNROLLED:
            raise UnsupportedError(f"{call.name} of {unit}")
        _move(call, target, source, size, layout(unit), 1 if any(map(is_bytes, types)) else None)
        return Value(target, generic)

    def copy(offset: Expr, cell: Cell) -> None:
        moved = call.graph.temporary(cell.type)
        call.graph.emit(Load(moved, pointer_add(source, offset)))
        call.graph.emit(Store(pointer_add(target, offset), moved))

    loop = Loop(call.graph, call.name, size, layout(unit))
    each_scalar(call.graph, call.name, unit, loop.offset, copy)
    loop.close()
    return Value(target, generic)


def _require_apart(call: Call, target: Expr, source: Expr, size: Expr) -> None:
    """Ends the execution where the areas of memcpy are known to overlap (C11 7.24.2.1p2); where
    that is not known, an assumption says that they do not."""
    if isinstance(target, Addr) and isinstance(source, Addr):
        distance = abs(target.offset - source.offset)
        if target.object != source.object or (isinstance(size, Const) and distance >= size.value):
            return
        if isinstance(size, Const):
            call.graph.emit(Fault(f"{call.name} between areas that overlap"))
            return
    if isinstance(size, Const) and size.value <= 1:
        return
    at = call.graph.position.described
    call.unit.assumptions.setdefault(f"the areas of {call.name} do not overlap ({at})")


def _move_cells(body: Body, target: Expr, source: Expr, space: Layout) -> None:
    """As copy_cells, for areas that may overlap: everything is read before anything is written."""
    read = []
    for cell in space.cells:
        register = body.graph.temporary(cell.type)
        body.graph.emit(Load(register, pointer_add(source, Const(cell.offset, OFFSET))))
        read.append((cell, register))
    for cell, register in read:
        body.graph.emit(Store(pointer_add(target, Const(cell.offset, OFFSET)), register))


def _move(
    call: Call, target: Expr, source: Expr, size: Expr, unit: Layout, apart: int | None
) -> None:
    """memmove of a size that is not known here, unit by unit: backwards if the target begins inside
    of the source, which is looked for in steps of `apart` bytes (None: of the least scalar, as
    areas of whole scalars are apart by whole ones)."""
    graph = call.graph
    at, step = graph.temporary(OFFSET), graph.temporary(OFFSET)
    graph.emit(Assign(at, Const(0, OFFSET)))
    graph.emit(Assign(step, Const(unit.size, OFFSET)))
    least = apart or min(cell.type.size for cell in unit.cells)
    search = Loop(call.graph, call.name, size, Layout(least, ()))
    inside, other = graph.location(), graph.location()
    begin = pointer_add(source, search.offset)
    graph.branch(comparison("==", target, begin), inside, other)
    graph.at(inside)
    graph.emit(Assign(at, arithmetic("-", size, Const(unit.size, OFFSET))))
    graph.emit(Assign(step, Const(-unit.size, OFFSET)))
    graph.goto(other)
    graph.at(other)
    search.close()
    loop = Loop(call.graph, call.name, size, unit)
    _move_cells(call.body, pointer_add(target, at), pointer_add(source, at), unit)
    graph.emit(Assign(at, arithmetic("+", at, step)))
    loop.close()


def _loop_unit(call: Call, type: CType, size: Expr) -> CType:
    """What one round of a loop over `size` bytes works on: an element, if the elements fill them,
    else a byte."""
    generic = isinstance(type, CVoid | CFunction) or sizeof(type) == 0
    if generic or (isinstance(size, Const) and size.value % sizeof(type)):
        call.unit.sees_bytes = call.unit.moves_bytes = True
        return call.model.uchar
    return type


def _offsetof(call: Call) -> Value:
    """offsetof(type, member.path[index])."""
    call.not_evaluated(0, 1)
    type = call.body.expressions.typeof(call.argument(0))
    offset = _member_offset(call, type, call.argument(1))[0]
    return converted(Value(offset, call.model.llong), call.model.size_t)


def _member_offset(call: Call, record: CType, node: c_ast.Node) -> tuple[Expr, CType]:
    """Offset and type of a member designator within `record`."""
    base: Expr
    match node:
        case c_ast.ID(name=name):
            base, inside = Const(0, OFFSET), record
        case c_ast.StructRef(name=outer, field=c_ast.ID(name=name)):
            base, inside = _member_offset(call, record, outer)
        case c_ast.ArrayRef(name=outer, subscript=index):
            base, inside = _member_offset(call, record, outer)
            if not isinstance(inside, CArray):
                raise InputError("a subscript of a member that is no array")
            at = call.inner(index)
            integer_value(at, "subscript")
            return arithmetic("+", base, scaled(at.expr, sizeof(inside.element))), inside.element
        case _:
            raise UnsupportedError("this form of offsetof")
    field = find_field(inside, name) if isinstance(inside, CRecord) else None
    if field is None:
        raise InputError(f"{inside} has no member '{name}'")
    return further(base, field.offset), field.type


MEMORY: dict[str, Entry] = {
    "offsetof": Lowered(_offsetof, "size_t"),
    "__builtin_offsetof": Lowered(_offsetof, "size_t"),
    "memset": Lowered(_memset, "void*"),
    "__builtin_memset": Lowered(_memset, "void*"),
    "memcpy": Lowered(_memcpy, "void*"),
    "__builtin_memcpy": Lowered(_memcpy, "void*"),
    "memmove": Lowered(_memcpy, "void*"),
    "__builtin_memmove": Lowered(_memcpy, "void*"),
}
