"""Copying, filling and initialising objects, scalar by scalar: each access is its own action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import nullcontext

from pycparser import c_ast

from abpress.errors import UnsupportedError
from abpress.ir.expr import Addr, Const, Expr
from abpress.ir.program import AccessKind, Assign, Copy, Havoc, Load, Store
from abpress.ir.types import Cell, IntType, Layout, PtrType, Scalar
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.ctypes import (
    Bits,
    CArray,
    CFloat,
    CRecord,
    CType,
    is_scalar,
    scalar,
    sizeof,
)
from abpress_frontend.lower.initialisers import Entry
from abpress_frontend.lower.layout import is_padding, layout
from abpress_frontend.lower.loops import UNROLLED, each_scalar
from abpress_frontend.lower.misuse import contains
from abpress_frontend.lower.sequencing import Kind
from abpress_frontend.lower.values import OFFSET, MemoryPlace, Value, converted, pointer_add


def pinned(body: Body, address: Expr) -> Expr:
    """`address`, or any value, in a register unless it is constant, so that it is computed once."""
    if isinstance(address, Addr | Const):
        return address
    register = body.graph.temporary(address.type)
    body.graph.emit(Assign(register, address))
    return register


def copy_cells(
    body: Body, target: Expr, source: Expr, space: Layout, kind: AccessKind = AccessKind.PLAIN
) -> None:
    """target := source, for every scalar of the layout."""
    if len(space.cells) > UNROLLED:
        raise UnsupportedError(f"copy of an object of {len(space.cells)} scalars")
    target, source = pinned(body, target), pinned(body, source)
    for cell in space.cells:
        offset = Const(cell.offset, OFFSET)
        temporary = body.graph.temporary(cell.type)
        body.graph.emit(Load(temporary, pointer_add(source, offset)), access=kind)
        body.graph.emit(Store(pointer_add(target, offset), temporary), access=kind)


def copy_object(body: Body, target: Expr, source: Expr, type: CType) -> None:
    """Assignment of a struct or union. It leaves padding unspecified (C11 6.2.6.1p6)."""
    if target == source:
        return
    note_copy(body, type)
    space = layout(type)
    padding = [cell for cell in space.cells if is_padding(cell)]
    target = pinned(body, target)
    members = tuple(cell for cell in space.cells if not is_padding(cell))
    library = isinstance(type, CRecord) and type.definition in body.unit.library_objects
    kind = AccessKind.LIBRARY if library else AccessKind.PLAIN
    copy_cells(body, target, source, Layout(space.size, members), kind)
    if padding:
        nothing = body.local_object("(padding)", body.unit.model.uchar)
        for cell in padding:
            body.graph.emit(Copy(pointer_add(target, Const(cell.offset, OFFSET)), nothing, 1))


def note_copy(body: Body, type: CType) -> None:
    """Notes that an object of the type is copied."""
    if contains(type, body.unit.synchronisation):
        at = body.graph.position.described
        body.unit.assumptions.setdefault(
            f"no copy of a mutex, condition variable, lock, barrier or semaphore is used ({at})"
        )


def copied_object(body: Body, value: Value) -> Value:
    """The value of a struct or union as it is now, in an object of its own."""
    target = body.local_object("(copy)", value.type)
    copy_object(body, target, value.expr, value.type)
    return Value(target, value.type)


def any_object(body: Body, type: CType, what: str) -> Value:
    """A struct or union of any contents, in an object of its own."""
    space = layout(type)
    if len(space.cells) > UNROLLED:
        raise UnsupportedError(f"any object of {len(space.cells)} scalars")
    target = body.local_object("(any)", type)
    for cell in space.cells:
        register = body.graph.temporary(cell.type)
        address = pointer_add(target, Const(cell.offset, OFFSET))
        body.graph.emit(Havoc(register, what))
        body.graph.emit(Store(address, register))
    return Value(target, type)


def byte_pattern(type: Scalar, byte: int) -> Const:
    """The scalar all of whose bytes are `byte`."""
    value = int.from_bytes(bytes([byte & 255]) * type.size, "little")
    return Const(type.wrap(value) if isinstance(type, IntType) else value, type)


def fill_cells(body: Body, target: Expr, space: Layout, byte: int) -> None:
    """Every byte of the object := `byte`."""
    if len(space.cells) > UNROLLED:
        raise UnsupportedError(f"filling of an object of {len(space.cells)} scalars")
    target = pinned(body, target)
    for cell in space.cells:
        address = pointer_add(target, Const(cell.offset, OFFSET))
        body.graph.emit(Store(address, byte_pattern(cell.type, byte)))


def initialise_object(body: Body, address: Expr, type: CType, node: c_ast.Node) -> None:
    """Initialises a local object: the entries in order, what none is for is zero."""
    if isinstance(type, CFloat):
        scalar(type)
    if is_scalar(type) and not isinstance(node, c_ast.InitList):
        value = body.expressions.value(node, type)
        body.store(address, converted(value, type).expr)
        return
    if isinstance(type, CRecord) and not isinstance(node, c_ast.InitList | c_ast.CompoundLiteral):
        value = body.expressions.value(node, type)
        copy_object(body, address, value.expr, type)
        return
    if isinstance(node, c_ast.CompoundLiteral):
        node = node.init
    mark = body.order.mark
    space = layout(type)
    entries = body.unit.initialisers.entries(type, node)
    covered = {
        (e.offset, scalar(e.type).size) for e in entries if e.bits is None and is_scalar(e.type)
    }
    if isinstance(type, CRecord) and type.is_union and entries:
        _assume_cleared(body, type, node)
    implicit = list(_implicit(type, 0, {e.offset for e in entries}))
    large = len(space.cells) > UNROLLED
    if large:
        _clear(body, address, type)
    for cell in () if large else space.cells:
        if is_padding(cell) and not any(low <= cell.offset < high for low, high in implicit):
            continue
        if (cell.offset, cell.type.size) not in covered:
            body.graph.emit(
                Store(pointer_add(address, Const(cell.offset, OFFSET)), _zero(cell.type))
            )
    last = {(e.offset, e.bits): e for e in entries if e.bits is not None or is_scalar(e.type)}
    values: dict[int | c_ast.Node, list[Entry]] = {}  # a range has one value, computed once
    for i, e in enumerate(entries):
        values.setdefault(-i - 1 if isinstance(e.value, int) else e.value, []).append(e)
    overridden = any(
        e.offset <= other.offset < e.offset + sizeof(e.type)
        for e in entries
        if not is_scalar(e.type)
        for other in entries
        if other is not e
    )
    with body.expressions.full(), body.order.operands() as operands:
        for same in values.values():
            # what overrides a part of a struct has to come after it
            one = nullcontext() if overridden else operands.one()
            with one:
                _initialise_parts(body, address, same, last)
    body.order.point(mark)  # it is used when it is complete


def _clear(body: Body, address: Expr, type: CType) -> None:
    """Every byte of a large object := 0."""

    def clear(offset: Expr, cell: Cell) -> None:
        body.graph.emit(Store(pointer_add(address, offset), byte_pattern(cell.type, 0)))

    each_scalar(body.graph, "an initialiser", type, Const(0, OFFSET), clear)


def _initialise_parts(
    body: Body, address: Expr, same: list[Entry], last: Mapping[tuple[int, Bits | None], Entry]
) -> None:
    """Initialises parts that have their value in common. Of the entries for one scalar only the
    last one counts, and the others are evaluated only."""
    known: Value | None = None
    for e in same:
        place = MemoryPlace(pointer_add(address, Const(e.offset, OFFSET)), e.type, e.bits)
        counts = last.get((e.offset, e.bits), e) is e
        if isinstance(e.value, int):
            t = scalar(e.type)
            assert isinstance(t, IntType)
            if counts:
                body.store(place.address, Const(t.wrap(e.value), t))
        elif is_scalar(e.type):
            if known is None:
                with body.order.whole(Kind.CALL):
                    known = converted(body.expressions.value(e.value, e.type), e.type)
                    if len(same) > 1:
                        known = Value(pinned(body, known.expr), known.type)
            if counts:
                body.places.assign(place, converted(known, e.type))
        elif e is same[0]:
            with body.order.whole(Kind.CALL):
                initialise_object(body, place.address, place.type, e.value)
        else:
            first = pointer_add(address, Const(same[0].offset, OFFSET))
            copy_object(body, place.address, first, place.type)


def _assume_cleared(body: Body, type: CRecord, init: c_ast.InitList) -> None:
    """Notes that bytes behind the initialised member of a union are taken for zero: C leaves them
    open, and GCC does since version 15."""
    first = init.exprs[0]
    named = isinstance(first, c_ast.NamedInitializer)
    members = [f for f in type.fields or () if not named or f.name == first.name[0].name]
    if members and members[0].bits is None and sizeof(members[0].type) < sizeof(type):
        at = body.graph.position.described
        body.unit.assumptions.setdefault(f"the initialiser of a {type} clears all of it ({at})")


def _implicit(type: CType, start: int, initialised: set[int]) -> Iterator[tuple[int, int]]:
    """The ranges of bytes of parts that an initialiser leaves out: there padding is zero, as in
    static objects (C11 6.7.9p21)."""
    match type:
        case CArray(element, int(count)) if isinstance(element, CArray | CRecord):
            size = sizeof(element)
            parts: list[tuple[CType, int]] = [(element, start + k * size) for k in range(count)]
        case CRecord() if not type.is_union:
            parts = [(f.type, start + f.offset) for f in type.fields or ()]
        case _:
            return
    for part, offset in parts:
        if isinstance(part, CArray | CRecord) and sizeof(part) > 0:
            end = offset + sizeof(part)
            if any(offset <= at < end for at in initialised):
                yield from _implicit(part, offset, initialised)
            else:
                yield offset, end


def _zero(type: Scalar) -> Const:
    return Const(0, type if isinstance(type, IntType) else PtrType(type.size))
