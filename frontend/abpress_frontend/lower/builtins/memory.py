"""Allocation, and filling and copying of memory: they need the types of what they work on."""

from __future__ import annotations

from pycparser import c_ast

from abpress.errors import InputError, UnsupportedError
from abpress.ir.expr import Addr, Const, Convert, Expr
from abpress.ir.program import Alloc, Assign, Cut, Fault, Free, Havoc, Load, Store
from abpress.ir.types import INT, Cell, Layout
from abpress_frontend.lower.aggregates import (
    UNROLLED,
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
    CInt,
    CPtr,
    CRecord,
    CType,
    CVoid,
    find_field,
    sizeof,
)
from abpress_frontend.lower.entries import Entry, Lowered, Refused
from abpress_frontend.lower.layout import layout
from abpress_frontend.lower.sizes import check_size
from abpress_frontend.lower.syntax import may_repeat
from abpress_frontend.lower.unchecked import ALLOCA
from abpress_frontend.lower.values import OFFSET, Value, arithmetic, comparison, fold, pointer_add

# -- allocation -------------------------------------------------------------------------------


def _sized_type(body: Body, node: c_ast.Node) -> CType | None:
    """T where the size expression is sizeof(T), or a product with it."""
    match node:
        case c_ast.UnaryOp(op="sizeof", expr=inner):
            return body.expressions.typeof(inner)
        case c_ast.BinaryOp(op="*", left=left, right=right):
            return _sized_type(body, left) or _sized_type(body, right)
        case c_ast.Cast(expr=inner):
            return _sized_type(body, inner)
        case _:
            return None


def _element_type(call: Call, nodes: list[c_ast.Node]) -> CType | None:
    """What is allocated, by the size expression or by the pointer type that it becomes."""
    for node in nodes:
        found = _sized_type(call.body, node)
        if found is not None and not _is_bytes(found):
            return found
    if isinstance(call.hint, CPtr) and not _is_bytes(call.hint.target):
        return call.hint.target
    return None


def _is_bytes(type: CType) -> bool:
    return isinstance(type, CVoid | CFunction) or (isinstance(type, CInt) and type.rank == 1)


def _shape(call: Call, size: Expr, type: CType | None) -> tuple[Layout, Expr]:
    """Element layout and number of elements of an allocation of `size` bytes."""
    octets = layout(call.model.uchar)
    if type is None or (isinstance(type, CRecord) and type.fields is None):
        return octets, size
    unit = sizeof(type)
    if unit == 0:
        return octets, size
    if not isinstance(size, Const):
        return layout(type), arithmetic("/", size, Const(unit, OFFSET))
    open_ended = isinstance(type, CRecord) and _is_open_ended(type)
    if size.value % unit == 0 and not open_ended:
        return layout(type), Const(size.value // unit, OFFSET)
    if size.value > unit and isinstance(type, CRecord):
        return _with_tail(type, size.value, octets), Const(1, OFFSET)
    return octets, size


def _is_open_ended(record: CRecord) -> bool:
    """Whether the last member is an array of as many elements as there is space for."""
    last = record.fields[-1].type if record.fields else None
    return isinstance(last, CArray) and last.count in (None, 0)


def _with_tail(record: CRecord, size: int, octets: Layout) -> Layout:
    """A struct that ends in a flexible array member, with `size` bytes in all."""
    last = (record.fields or ())[-1]
    head = layout(record)
    if not (isinstance(last.type, CArray) and last.type.count in (None, 0, 1)):
        return octets.repeat(size)
    element = layout(last.type.element)
    count = (size - last.offset) // max(1, element.size)
    tail = element.repeat(count)
    cells = tuple(c for c in head.cells if c.offset < last.offset) + tuple(
        Cell(last.offset + c.offset, c.type, f".{last.name}{c.path}") for c in tail.cells
    )
    return Layout(size, cells)


def _allocate(
    call: Call, size: Expr, type: CType | None, zeroed: bool, automatic: bool = False
) -> Value:
    element, count = _shape(call, size, type)
    result = call.model.pointer_to(VOID)
    target = call.graph.temporary(call.body.pointer)
    label = str(type) if type is not None else "bytes"
    end = call.graph.location()
    if not automatic and call.unit.options.malloc_may_fail:
        fails = call.graph.temporary(INT)
        failed, succeeds = call.graph.location(), call.graph.location()
        call.graph.emit(Havoc(fails, f"failure of {call.name}", 0, 1))
        call.graph.branch(comparison("!=", fails, Const(0, INT)), failed, succeeds)
        call.graph.at(failed)
        call.graph.emit(Assign(target, Const(0, call.body.pointer)))
        call.graph.goto(end)
        call.graph.at(succeeds)
    call.graph.emit(Alloc(target, element, count, zeroed, label, automatic))
    call.graph.goto(end)
    call.graph.at(end)
    return Value(target, result)


def _offset(call: Call, index: int) -> Expr:
    """A size argument, as an offset."""
    return fold(Convert(call.value(index, call.model.size_t).expr, OFFSET))


def _malloc(call: Call) -> Value:
    type = _element_type(call, [call.argument(0)])
    return _allocate(call, _offset(call, 0), type, zeroed=False)


def _alloca(call: Call) -> Value:
    """Memory that lives until the function returns; that of a thread, until the thread ends."""
    type = _element_type(call, [call.argument(0)])
    value = _allocate(call, _offset(call, 0), type, zeroed=False, automatic=True)
    frame = call.body.frame
    if frame.function is None or len(call.body.frames) <= 2:
        return value
    if may_repeat(frame.function.node.body, call.node):
        call.unit.assume(ALLOCA, call.body.position(call.node))
        return value
    kept = call.graph.variable("alloca", call.body.pointer)
    call.graph.emit(Assign(kept, value.expr))
    frame.allocated.append(kept)
    return value


def _calloc(call: Call) -> Value:
    type = _element_type(call, [call.argument(0), call.argument(1)])
    size = arithmetic("*", _offset(call, 0), _offset(call, 1))
    return _allocate(call, size, type, zeroed=True)


def _aligned_alloc(call: Call) -> Value:
    call.value(0)
    type = _element_type(call, [call.argument(1)])
    return _allocate(call, _offset(call, 1), type, zeroed=False)


def _free(call: Call) -> Value:
    call.graph.emit(Free(call.value(0, call.model.pointer_to(VOID)).expr))
    return call.nothing()


# -- filling and copying ---------------------------------------------------------------------


def _pointee(body: Body, node: c_ast.Node) -> CType:
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
        object = body.graph.locals.get(pointer.object) or body.unit.objects[pointer.object]
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


def _memset(call: Call) -> Value:
    type = _pointee(call.body, call.argument(0))
    pointer = call.value(0, call.model.pointer_to(VOID))
    byte = call.value(1, call.model.int).expr
    size = _offset(call, 2)
    target = pinned(call.body, pointer.expr)
    space = _cells(call.body, target, size, type)
    if isinstance(byte, Const) and space is not None and len(space.cells) <= UNROLLED:
        fill_cells(call.body, target, space, byte.value)
        return Value(target, pointer.type)
    unit = _loop_unit(call, type, size)
    loop = _Loop(call, size, unit)
    for cell in unit.cells:
        if isinstance(byte, Const):
            value: Expr = byte_pattern(cell.type, byte.value)
        elif cell.type.size == 1:
            value = fold(Convert(byte, cell.type))
        else:
            raise UnsupportedError(f"{call.name} of {type} with a variable byte")
        call.graph.emit(Store(loop.address(target, cell), value))
    loop.close()
    return Value(target, pointer.type)


def _memcpy(call: Call) -> Value:
    types = [_pointee(call.body, call.argument(i)) for i in (0, 1)]
    generic = call.model.pointer_to(VOID)
    target = pinned(call.body, call.value(0, generic).expr)
    source = pinned(call.body, call.value(1, generic).expr)
    size = _offset(call, 2)
    for copied in types:
        note_copy(call.body, copied)
    if not call.name.endswith("move"):
        _require_apart(call, target, source, size)
    type = types[1] if _is_bytes(types[0]) else types[0]
    for pointer, seen in ((target, types[0]), (source, types[1]), (target, types[1])):
        space = None if _is_bytes(seen) else _cells(call.body, pointer, size, seen)
        if space is not None and len(space.cells) <= UNROLLED:
            if call.name.endswith("move"):
                _move_cells(call.body, target, source, space)
            else:
                copy_cells(call.body, target, source, space)
            return Value(target, generic)
    if call.name.endswith("move"):
        return _move_bytes(call, type, Value(target, generic), Value(source, generic), size)
    unit = _loop_unit(call, type, size)
    loop = _Loop(call, size, unit)
    for cell in unit.cells:
        moved = call.graph.temporary(cell.type)
        call.graph.emit(Load(moved, loop.address(source, cell)))
        call.graph.emit(Store(loop.address(target, cell), moved))
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


def _move_bytes(call: Call, type: CType, target: Value, source: Value, size: Expr) -> Value:
    """memmove of a size that is not known here, by its model, which works on bytes."""
    if not _is_bytes(type):
        raise UnsupportedError(f"{call.name} of a variable number of {type}")
    call.unit.load_model("string.c")
    number = Value(fold(Convert(size, call.model.size_t.ir)), call.model.size_t)
    model = call.unit.models["__abp_memmove"]
    return call.body.calls.inline(model, [target, source, number], call.node)


def _loop_unit(call: Call, type: CType, size: Expr) -> Layout:
    """What one round of a loop over `size` bytes works on: an element, if the elements fill them,
    else a byte."""
    octet = layout(call.model.uchar)
    generic = isinstance(type, CVoid | CFunction) or sizeof(type) == 0
    if generic or (isinstance(size, Const) and size.value % sizeof(type)):
        call.unit.sees_bytes = True
        return octet
    unit = layout(type)
    if len(unit.cells) > UNROLLED:
        raise UnsupportedError(f"{call.name} of a variable number of {type}")
    return unit


class _Loop:
    """for (offset = 0; offset < size; offset += unit.size) around what is emitted until `close`."""

    def __init__(self, call: Call, size: Expr, unit: Layout) -> None:
        graph = call.graph
        self.graph, self.step = graph, unit.size
        self.offset = graph.temporary(OFFSET)
        if not isinstance(size, Const) and unit.size > 1:
            self._refuse_rest(call, size)
        self.head, inside, self.end = (graph.location() for _ in range(3))
        graph.emit(Assign(self.offset, Const(0, OFFSET)))
        graph.goto(self.head)
        graph.at(self.head)
        graph.branch(comparison("<", self.offset, size), inside, self.end)
        graph.at(inside)

    def _refuse_rest(self, call: Call, size: Expr) -> None:
        """A size that the elements do not fill is given up when it occurs."""
        rest = arithmetic("%", size, Const(self.step, OFFSET))
        partial, whole = self.graph.location(), self.graph.location()
        self.graph.branch(comparison("!=", rest, Const(0, OFFSET)), partial, whole)
        self.graph.at(partial)
        self.graph.emit(Cut(f"{call.name} of a part of an element"))
        self.graph.at(whole)

    def address(self, base: Expr, cell: Cell) -> Expr:
        """The address of a scalar of this round's element."""
        return pointer_add(pointer_add(base, self.offset), Const(cell.offset, OFFSET))

    def close(self) -> None:
        following = arithmetic("+", self.offset, Const(self.step, OFFSET))
        self.graph.emit(Assign(self.offset, following))
        self.graph.goto(self.head)
        self.graph.at(self.end)


def _offsetof(call: Call) -> Value:
    """offsetof(type, member.path[constant])."""
    call.not_evaluated(0, 1)
    type = call.body.expressions.typeof(call.argument(0))
    offset = _member_offset(call, type, call.argument(1))[0]
    if offset:
        check_size(call.unit, call.node, type, call.body.position(call.node))
    return call.constant(offset, call.model.size_t)


def _member_offset(call: Call, record: CType, node: c_ast.Node) -> tuple[int, CType]:
    """Offset and type of a member designator within `record`."""
    match node:
        case c_ast.ID(name=name):
            base, inside = 0, record
        case c_ast.StructRef(name=outer, field=c_ast.ID(name=name)):
            base, inside = _member_offset(call, record, outer)
        case c_ast.ArrayRef(name=outer, subscript=index):
            base, inside = _member_offset(call, record, outer)
            if not isinstance(inside, CArray):
                raise InputError("a subscript of a member that is no array")
            at = call.unit.types.constant(index)
            return base + at * sizeof(inside.element), inside.element
        case _:
            raise UnsupportedError("this form of offsetof")
    field = find_field(inside, name) if isinstance(inside, CRecord) else None
    if field is None:
        raise InputError(f"{inside} has no member '{name}'")
    return base + field.offset, field.type


MEMORY: dict[str, Entry] = {
    "malloc": Lowered(_malloc, "void*"),
    "valloc": Lowered(_malloc, "void*"),
    "alloca": Lowered(_alloca, "void*"),
    "__builtin_alloca": Lowered(_alloca, "void*"),
    "__builtin_malloc": Lowered(_malloc, "void*"),
    "calloc": Lowered(_calloc, "void*"),
    "__builtin_calloc": Lowered(_calloc, "void*"),
    "aligned_alloc": Lowered(_aligned_alloc, "void*"),
    "memalign": Lowered(_aligned_alloc, "void*"),
    "free": Lowered(_free),
    "__builtin_free": Lowered(_free),
    "realloc": Refused("reallocation is not supported"),
    "offsetof": Lowered(_offsetof, "size_t"),
    "__builtin_offsetof": Lowered(_offsetof, "size_t"),
    "memset": Lowered(_memset, "void*"),
    "__builtin_memset": Lowered(_memset, "void*"),
    "memcpy": Lowered(_memcpy, "void*"),
    "__builtin_memcpy": Lowered(_memcpy, "void*"),
    "memmove": Lowered(_memcpy, "void*"),
    "__builtin_memmove": Lowered(_memcpy, "void*"),
}
