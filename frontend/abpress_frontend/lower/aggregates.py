"""Copying, filling and initialising objects, scalar by scalar: each access is its own action."""

from __future__ import annotations

from collections import Counter

from pycparser import c_ast

from abpress.errors import UnsupportedError
from abpress.ir.expr import Addr, Const, Expr
from abpress.ir.program import Assign, Load, Store
from abpress.ir.types import IntType, Layout, PtrType, Scalar
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.ctypes import CFloat, CRecord, CType, is_scalar, scalar
from abpress_frontend.lower.layout import layout
from abpress_frontend.lower.values import OFFSET, MemoryPlace, Value, converted, pointer_add

UNROLLED = 4096
"""Objects of more scalars than this are not copied or filled scalar by scalar."""


def pinned(body: Body, address: Expr) -> Expr:
    """`address`, or any value, in a register unless it is constant, so that it is computed once."""
    if isinstance(address, Addr | Const):
        return address
    register = body.graph.temporary(address.type)
    body.graph.emit(Assign(register, address))
    return register


def copy_cells(body: Body, target: Expr, source: Expr, space: Layout) -> None:
    """target := source, for every scalar of the layout."""
    if len(space.cells) > UNROLLED:
        raise UnsupportedError(f"copy of an object of {len(space.cells)} scalars")
    target, source = pinned(body, target), pinned(body, source)
    for cell in space.cells:
        offset = Const(cell.offset, OFFSET)
        temporary = body.graph.temporary(cell.type)
        body.graph.emit(Load(temporary, pointer_add(source, offset)))
        body.graph.emit(Store(pointer_add(target, offset), temporary))


def copy_object(body: Body, target: Expr, source: Expr, type: CType) -> None:
    """Assignment of a struct or union."""
    if target != source:
        copy_cells(body, target, source, layout(type))


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
    space = layout(type)
    entries = body.unit.initialisers.entries(type, node)
    covered = {
        (e.offset, scalar(e.type).size) for e in entries if e.bits is None and is_scalar(e.type)
    }
    shared = Counter(e.value for e in entries)
    if len(space.cells) > UNROLLED:
        raise UnsupportedError(f"initialiser of a local object of {len(space.cells)} scalars")
    for cell in space.cells:
        if (cell.offset, cell.type.size) not in covered:
            body.graph.emit(
                Store(pointer_add(address, Const(cell.offset, OFFSET)), _zero(cell.type))
            )
    repeated: dict[c_ast.Node, Value] = {}  # a range has one value, computed once
    for e in entries:
        place = MemoryPlace(pointer_add(address, Const(e.offset, OFFSET)), e.type, e.bits)
        if isinstance(e.value, int):
            t = scalar(e.type)
            assert isinstance(t, IntType)
            body.store(place.address, Const(t.wrap(e.value), t))
        elif is_scalar(e.type):
            if e.value not in repeated:
                value = converted(body.expressions.value(e.value, e.type), e.type)
                if shared[e.value] > 1:
                    value = Value(pinned(body, value.expr), value.type)
                repeated[e.value] = value
            body.places.assign(place, converted(repeated[e.value], e.type))
        else:
            initialise_object(body, place.address, place.type, e.value)


def _zero(type: Scalar) -> Const:
    return Const(0, type if isinstance(type, IntType) else PtrType(type.size))
