"""Allocation: what kind of object is asked for, and how many elements it has."""

from __future__ import annotations

from pycparser import c_ast

from abpress.ir.expr import Binary, Const, Convert, Expr, Reg, is_signed
from abpress.ir.program import Alloc, Assign, Copy, Free, Havoc, Store
from abpress.ir.types import INT, Cell, IntType, Layout, PtrType
from abpress_frontend.lower.aggregates import pinned
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.builtins.memory import pointee
from abpress_frontend.lower.call import Call
from abpress_frontend.lower.ctypes import (
    VOID,
    CArray,
    CPtr,
    CRecord,
    CType,
    for_people,
    is_bytes,
    sizeof,
)
from abpress_frontend.lower.entries import Entry, Lowered
from abpress_frontend.lower.features import READS_ERRNO
from abpress_frontend.lower.layout import layout
from abpress_frontend.lower.syntax import may_repeat
from abpress_frontend.lower.unchecked import ALLOCA
from abpress_frontend.lower.values import OFFSET, Value, arithmetic, comparison, fold

_AMOUNT = IntType(64, False)
"""The type of amounts of bytes, as wide as that of offsets."""

_MOST = (1 << 31) - 1
"""Bytes that an object has at most."""

_ENOMEM = 12

MOST_TYPED = 8
"""The most elements of a flexible array member in a struct that is allocated by a size that is not
known, and laid out as what it is."""


def sized_type(body: Body, node: c_ast.Node) -> CType | None:
    """T where the size expression is sizeof(T), or a product with it."""
    match node:
        case c_ast.UnaryOp(op="sizeof", expr=inner):
            return body.expressions.typeof(inner)
        case c_ast.BinaryOp(op="*", left=left, right=right):
            return sized_type(body, left) or sized_type(body, right)
        case c_ast.Cast(expr=inner):
            return sized_type(body, inner)
        case _:
            return None


def _element_type(call: Call, nodes: list[c_ast.Node]) -> CType | None:
    """What is allocated, by the size expression or by the pointer type that it becomes."""
    types = [sized_type(call.body, node) for node in nodes]
    types += [call.hint.target] if isinstance(call.hint, CPtr) else []
    for found in types:
        while isinstance(found, CArray) and found.count is None:  # its length may be variable
            found = found.element
        if found is not None and not is_bytes(found):
            return found
    return None


def _shape(call: Call, size: Expr, type: CType | None) -> tuple[Layout, Expr]:
    """Element layout and number of elements of an allocation of `size` bytes, which are a multiple
    of the size of the type if they are not known."""
    octets = layout(call.model.uchar)
    if type is None or _is_incomplete(type):
        return octets, size
    unit = sizeof(type)
    open_ended = isinstance(type, CRecord) and _is_open_ended(type)
    if unit == 0 or (open_ended and not isinstance(size, Const)):
        return octets, size
    if not isinstance(size, Const):
        return layout(type), _quotient(size, unit)
    if size.value % unit == 0 and not open_ended:
        return layout(type), Const(size.value // unit, OFFSET)
    if size.value >= unit and isinstance(type, CRecord):
        return _with_tail(type, size.value, octets), Const(1, OFFSET)
    return octets, size


def _quotient(size: Expr, unit: int) -> Expr:
    """How many units an amount of bytes has. The greatest amounts are negative offsets."""
    amount = fold(Convert(size, _AMOUNT))
    return fold(Convert(fold(Binary("/", amount, Const(unit, _AMOUNT))), OFFSET))


def _is_multiple(e: Expr, unit: int) -> bool:
    """Whether an amount of bytes is a multiple of the unit by its looks, even if it wraps around.

    What is computed in OFFSET does not wrap around.
    """
    exact = unit & (unit - 1) == 0 or e.type == OFFSET or is_signed(e)
    match e:
        case Const(value):
            return value % unit == 0
        case Binary("*", a, b):
            return exact and (_is_multiple(a, unit) or _is_multiple(b, unit))
        case Binary("+" | "-", a, b):
            return exact and _is_multiple(a, unit) and _is_multiple(b, unit)
        case Convert(a, IntType() as t) if isinstance(a.type, IntType):
            kept = t.contains(a.type.minimum) and t.contains(a.type.maximum)
            return (kept or unit & (unit - 1) == 0) and _is_multiple(a, unit)
        case _:
            return False


def _is_incomplete(type: CType) -> bool:
    return isinstance(type, CRecord) and type.fields is None


def _is_open_ended(record: CRecord) -> bool:
    """Whether the last member is an array of as many elements as there is space for."""
    last = record.fields[-1].type if record.fields else None
    return isinstance(last, CArray) and last.count in (None, 0)


def _typed_sizes(type: CType | None) -> list[int]:
    """The sizes of a struct that ends in a flexible array member for which it is laid out as such,
    where that matters: bytes cannot hold addresses."""
    if not isinstance(type, CRecord) or _is_incomplete(type) or not _is_open_ended(type):
        return []
    last = (type.fields or ())[-1]
    assert isinstance(last.type, CArray)
    element = layout(last.type.element)
    if not any(isinstance(c.type, PtrType) for c in (*layout(type).cells, *element.cells)):
        return []
    least, heads = sizeof(type), {sizeof(type), last.offset}
    sizes = {head + k * element.size for head in heads for k in range(MOST_TYPED + 1)}
    return sorted(size for size in sizes if size >= least)


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
        Cell(last.offset + c.offset, c.type, f".{last.name}{c.path}", c.users) for c in tail.cells
    )
    return Layout(size, cells)


def _allocate(
    call: Call,
    size: Expr,
    type: CType | None,
    zeroed: bool,
    automatic: bool = False,
    sure: bool = False,
) -> Value:
    """New memory, or maybe NULL; not if that is `sure` not to be."""
    result = call.model.pointer_to(VOID)
    target = call.graph.temporary(call.body.pointer)
    end = call.graph.location()
    if not (automatic or sure) and call.unit.options.malloc_may_fail:
        fails = call.graph.temporary(INT)
        call.graph.emit(Havoc(fails, f"failure of {call.name}", 0, 1))
        _null_if(call, comparison("!=", fails, Const(0, INT)), target, end)
    label = for_people(type) if type is not None else "bytes"
    unit = 1 if type is None or _is_incomplete(type) else sizeof(type)
    for known in () if isinstance(size, Const) else _typed_sizes(type):
        chosen, others = call.graph.location(), call.graph.location()
        known_size = Const(known, OFFSET)
        call.graph.branch(comparison("==", size, known_size), chosen, others)
        call.graph.at(chosen)
        call.graph.emit(Alloc(target, *_shape(call, known_size, type), zeroed, label, automatic))
        call.graph.goto(end)
        call.graph.at(others)
    if unit > 1 and not isinstance(size, Const) and not _is_multiple(size, unit):
        whole, bytes = call.graph.location(), call.graph.location()
        rest = arithmetic("%", size, Const(unit, OFFSET))
        call.graph.branch(comparison("==", rest, Const(0, OFFSET)), whole, bytes)
        call.graph.at(bytes)
        call.graph.emit(Alloc(target, *_shape(call, size, None), zeroed, label, automatic))
        call.graph.goto(end)
        call.graph.at(whole)
    call.graph.emit(Alloc(target, *_shape(call, size, type), zeroed, label, automatic))
    call.graph.goto(end)
    call.graph.at(end)
    return Value(target, result)


def _null_if(call: Call, condition: Expr, target: Reg, end: int) -> None:
    """Goes to `end` with NULL, and ENOMEM in `errno`, where the condition holds."""
    failed, succeeds = call.graph.location(), call.graph.location()
    call.graph.branch(condition, failed, succeeds)
    call.graph.at(failed)
    if call.unit.features[READS_ERRNO]:
        call.unit.load_model("errno.c")
        call.body.calls.inline(call.unit.models["__abp_no_memory"], [], None)
    call.graph.emit(Assign(target, Const(0, call.body.pointer)))
    call.graph.goto(end)
    call.graph.at(succeeds)


def _offset(call: Call, index: int) -> Expr:
    """A size argument, as an offset."""
    return _as_offset(call.value(index, call.model.size_t).expr)


def _as_offset(size: Expr) -> Expr:
    return fold(Convert(size, OFFSET))


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
    """Zeroed memory for an array; none if its size is more than the type of sizes can say."""
    type = _element_type(call, [call.argument(0), call.argument(1)])
    sizes = call.model.size_t
    factors = [call.value(i, sizes).expr for i in (0, 1)]
    if all(isinstance(factor, Const) for factor in factors):
        size = arithmetic("*", _as_offset(factors[0]), _as_offset(factors[1]))
        return _allocate(call, size, type, zeroed=True)
    target, end = call.graph.temporary(call.body.pointer), call.graph.location()
    count, each = factors if isinstance(factors[1], Const) else factors[::-1]
    _null_if_too_much(call, count, each, target, end)
    made = _allocate(call, _as_offset(arithmetic("*", count, each)), type, zeroed=True)
    call.graph.emit(Assign(target, made.expr))
    call.graph.goto(end)
    call.graph.at(end)
    return Value(target, made.type)


def _null_if_too_much(call: Call, count: Expr, each: Expr, target: Reg, end: int) -> None:
    """Goes to `end` with NULL where the product is more than the type of sizes can say."""
    sizes = call.model.size_t
    most = Const(sizes.ir.maximum, sizes.ir)
    if not isinstance(each, Const):
        some, none = call.graph.location(), call.graph.location()
        call.graph.branch(comparison("!=", each, Const(0, sizes.ir)), some, none)
        call.graph.at(some)
        _null_if(call, comparison(">", count, arithmetic("/", most, each)), target, end)
        call.graph.goto(none)
        call.graph.at(none)
    elif each.value > 1:
        most = Const(sizes.ir.maximum // each.value, sizes.ir)
        _null_if(call, comparison(">", count, most), target, end)


def _aligned_alloc(call: Call) -> Value:
    call.value(0)
    type = _element_type(call, [call.argument(1)])
    return _allocate(call, _offset(call, 1), type, zeroed=False)


def _realloc(call: Call) -> Value:
    """Another object with what both have in common, and the old one is freed; of size 0, the old
    one is freed and there is no other (glibc)."""
    pointed = pointee(call.body, call.argument(0))
    type = _element_type(call, [call.argument(1)]) or (None if is_bytes(pointed) else pointed)
    old = pinned(call.body, call.value(0, call.model.pointer_to(VOID)).expr)
    size = pinned(call.body, _offset(call, 1))
    return _moved(call, old, size, type)


def _reallocarray(call: Call) -> Value:
    """As realloc; it fails if the size is more than the type of sizes can say."""
    pointed = pointee(call.body, call.argument(0))
    type = _element_type(call, [call.argument(1), call.argument(2)])
    type = type or (None if is_bytes(pointed) else pointed)
    old = pinned(call.body, call.value(0, call.model.pointer_to(VOID)).expr)
    target, end = call.graph.temporary(call.body.pointer), call.graph.location()
    count, each = (pinned(call.body, call.value(i, call.model.size_t).expr) for i in (1, 2))
    _null_if_too_much(call, count, each, target, end)
    size = pinned(call.body, _as_offset(arithmetic("*", count, each)))
    call.graph.emit(Assign(target, _moved(call, old, size, type).expr))
    call.graph.goto(end)
    call.graph.at(end)
    return Value(target, call.model.pointer_to(VOID))


def _moved(call: Call, old: Expr, size: Expr, type: CType | None) -> Value:
    """What realloc returns."""
    graph, null = call.graph, Const(0, call.body.pointer)
    target, end = graph.temporary(call.body.pointer), graph.location()
    if not isinstance(size, Const) or size.value == 0:
        empty, more = graph.location(), graph.location()
        freed, made = comparison("==", size, Const(0, OFFSET)), comparison("!=", old, null)
        graph.branch(fold(Binary("&", freed, made)), empty, more)
        graph.at(empty)
        graph.emit(Free(old))
        graph.emit(Assign(target, null))
        graph.goto(end)
        graph.at(more)
    graph.emit(Assign(target, _allocate(call, size, type, zeroed=False).expr))
    for none in (old, target) if call.unit.options.malloc_may_fail else (old,):
        some = graph.location()
        graph.branch(comparison("==", none, null), end, some)
        graph.at(some)
    graph.emit(Copy(target, old, _MOST, moves=True))
    graph.emit(Free(old))
    graph.goto(end)
    graph.at(end)
    return Value(target, call.model.pointer_to(VOID))


def _posix_memalign(call: Call) -> Value:
    """Alignments do not matter; where it fails, nothing is stored (glibc)."""
    call.value(1)
    pointer = pointee(call.body, call.argument(0))
    pointed = pointer.target if isinstance(pointer, CPtr) else VOID
    type = _element_type(call, [call.argument(2)]) or (None if is_bytes(pointed) else pointed)
    place = pinned(call.body, call.value(0, call.model.pointer_to(VOID)).expr)
    made = _allocate(call, _offset(call, 2), type, zeroed=False)
    if not call.unit.options.malloc_may_fail:
        call.graph.emit(Store(place, made.expr))
        return call.constant(0, call.model.int)
    result, end = call.graph.temporary(INT), call.graph.location()
    call.graph.emit(Assign(result, Const(_ENOMEM, INT)))
    some = call.graph.location()
    call.graph.branch(comparison("==", made.expr, Const(0, call.body.pointer)), end, some)
    call.graph.at(some)
    call.graph.emit(Store(place, made.expr))
    call.graph.emit(Assign(result, Const(0, INT)))
    call.graph.goto(end)
    call.graph.at(end)
    return Value(result, call.model.int)


def _free(call: Call) -> Value:
    call.graph.emit(Free(call.value(0, call.model.pointer_to(VOID)).expr))
    return call.nothing()


def _map(call: Call) -> Value:
    """Zeroed memory, which the model of mmap notes."""
    size = call.value(0, call.model.size_t)
    made = _allocate(call, _as_offset(size.expr), _element_type(call, []), zeroed=True, sure=True)
    call.unit.load_model("mman.c")
    call.body.calls.inline(call.unit.models["__abp_note_map"], [made, size], None)
    return made


ALLOCATION: dict[str, Entry] = {
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
    "realloc": Lowered(_realloc, "void*"),
    "__builtin_realloc": Lowered(_realloc, "void*"),
    "reallocarray": Lowered(_reallocarray, "void*"),
    "__abp_map": Lowered(_map, "void*"),
    "__abp_unmap": Lowered(_free),
    "posix_memalign": Lowered(_posix_memalign, "int"),
}
