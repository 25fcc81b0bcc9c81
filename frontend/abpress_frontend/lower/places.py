"""Lowering of lvalues: where an object lies, reading it and writing it."""

from __future__ import annotations

from pycparser import c_ast

from abpress.errors import InputError, UnsupportedError
from abpress.ir.expr import Addr, Const
from abpress.ir.program import AccessKind, Assign
from abpress_frontend.lower import thread_ids
from abpress_frontend.lower.aggregates import (
    copied_object,
    copy_object,
    initialise_object,
)
from abpress_frontend.lower.atomic_structs import load_struct, store_struct
from abpress_frontend.lower.bitfields import load_bits, store_bits, stored_bits
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.ctypes import (
    CArray,
    CFunction,
    CInt,
    CPtr,
    CRecord,
    CType,
    CVoid,
    find_field,
    has_array,
    is_atomic,
    scalar,
)
from abpress_frontend.lower.literals import string
from abpress_frontend.lower.misuse import SCALAR_OBJECTS
from abpress_frontend.lower.operators import element_offset, pointed_to
from abpress_frontend.lower.scope import (
    BoundSymbol,
    ConstantSymbol,
    FunctionSymbol,
    ObjectSymbol,
    RegisterSymbol,
    ThreadLocalSymbol,
    TypedefSymbol,
)
from abpress_frontend.lower.sequencing import Kind
from abpress_frontend.lower.syntax import is_rvalue
from abpress_frontend.lower.types import unatomic
from abpress_frontend.lower.unchecked import PAST_PART, may_pass_part
from abpress_frontend.lower.values import (
    OFFSET,
    MemoryPlace,
    Place,
    RegisterPlace,
    Value,
    integer_value,
    pointer_add,
)


class PlaceLowering:
    """Lowers the lvalues of one template."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.unit = body.unit
        self.model = body.unit.model
        self.graph = body.graph

    def of(self, node: c_ast.Node) -> Place:
        """Where the lvalue `node` lies."""
        self.body.visit(node)
        match node:
            case c_ast.ID(name=name):
                return self._variable(node, name)
            case c_ast.UnaryOp(op="*", expr=operand):
                pointer = self.body.expressions.value(operand)
                self._note_access(operand, pointed_to(pointer))
                library = self.body.in_model and self.body.frame.name.startswith(SCALAR_OBJECTS)
                return MemoryPlace(pointer.expr, pointed_to(pointer), library=library)
            case c_ast.ArrayRef(name=base, subscript=subscript):
                with self.body.order.operands() as operands:
                    with operands.one():
                        left = self.body.expressions.value(base)
                    with operands.one():
                        right = self.body.expressions.value(subscript)
                place = self._element(left, right)
                self._note_access(base, place.type)
                if isinstance(base, c_ast.StructRef | c_ast.ArrayRef):
                    array = self.body.expressions.typeof(base)
                    if may_pass_part(array, right.expr, right.type):
                        self.unit.assume(PAST_PART, self.body.position(node), everywhere=True)
                return place
            case c_ast.StructRef():
                return self._member(node)
            case c_ast.CompoundLiteral():
                return self._compound_place(node)
            case c_ast.Constant(type="string", value=text):
                at = self.body.position(node)
                codes = string(text, at)
                address = self.unit.objects.string(codes, at)
                return MemoryPlace(address, CArray(self.model.char, len(codes)))
            case c_ast.ExprList(exprs=[*before, last]):
                mark = self.body.order.mark
                for e in before:
                    self.body.expressions.discard(e)
                    self.body.order.point(mark)
                return self.of(last)
            case _:
                value = self.body.expressions.value(node)
                if isinstance(value.type, CRecord):
                    return MemoryPlace(value.expr, value.type)
                raise InputError("an lvalue is expected here", self.body.position(node))

    def _note_access(self, pointer: c_ast.Node, type: CType) -> None:
        """Bytes of any object can be seen through a pointer to characters that is no array."""
        if isinstance(type, CInt) and type.ir.size == 1 and not self.unit.sees_bytes:
            self.unit.sees_bytes = not isinstance(self.body.expressions.typeof(pointer), CArray)

    def _variable(self, node: c_ast.Node, name: str) -> Place:
        match self.body.scope.lookup(name):
            case RegisterSymbol(register, type):
                return RegisterPlace(register, type)
            case ObjectSymbol(address, type):
                return MemoryPlace(address, type)
            case ThreadLocalSymbol(variable):
                return MemoryPlace(self.body.thread_local(variable), variable.type)
            case FunctionSymbol(name=function, type=type):
                return MemoryPlace(self.unit.function_address(function), type)
            case BoundSymbol(value, type):
                # Never assigned, its address never taken: only its value is ever asked for.
                register = self.graph.temporary(scalar(type))
                self.graph.emit(Assign(register, value))
                return RegisterPlace(register, type)
            case ConstantSymbol() | TypedefSymbol():
                raise InputError(f"'{name}' is not a variable", self.body.position(node))
            case _:
                raise InputError(f"'{name}' is not declared", self.body.position(node))

    def _element(self, base: Value, index: Value) -> MemoryPlace:
        if isinstance(index.type, CPtr):
            base, index = index, base
        element = pointed_to(base)
        integer_value(index, "an array subscript")
        thread_ids.taken_as_number(self.body, index)
        return MemoryPlace(pointer_add(base.expr, element_offset(index.expr, element)), element)

    def _member(self, node: c_ast.StructRef) -> MemoryPlace:
        if node.type == "->":
            pointer = self.body.expressions.value(node.name)
            base, record = pointer.expr, pointed_to(pointer)
        else:
            place = self._temporary(node.name) if is_rvalue(node.name) else self.of(node.name)
            if not isinstance(place, MemoryPlace):
                raise InputError(f"{place.type} has no members", self.body.position(node))
            base, record = place.address, place.type
        name = node.field.name
        if not isinstance(record, CRecord):
            raise InputError(f"{record} has no members", self.body.position(node))
        if record.fields is None:
            raise UnsupportedError(f"member of the incomplete {record}", self.body.position(node))
        if record.atomic:  # C11 6.5.2.3p5
            raise UnsupportedError(f"member of an _Atomic {record}", self.body.position(node))
        field = find_field(record, name)
        if field is None:
            raise InputError(f"{record} has no member '{name}'", self.body.position(node))
        thread_ids.member(self.body, record, field)
        address = pointer_add(base, Const(field.offset, OFFSET))
        library = record.definition in self.unit.library_objects
        return MemoryPlace(address, field.type, field.bits, library)

    def _temporary(self, node: c_ast.Node) -> MemoryPlace:
        """The object that the value of a struct is in, one of its own if that has an array, which
        is used by its address."""
        known = len(self.graph.locals)
        value = self.body.expressions.value(node)
        if not isinstance(value.type, CRecord):
            raise InputError(f"{value.type} has no members", self.body.position(node))
        if has_array(value.type):
            results = list(self.graph.locals)[known:] if isinstance(node, c_ast.FuncCall) else []
            address = value.expr
            if not (isinstance(address, Addr) and address.object in results):
                value = copied_object(self.body, value)
                address = value.expr
            assert isinstance(address, Addr)
            self.body.temporaries.append(address.object)
        return MemoryPlace(value.expr, value.type)

    def _compound_place(self, node: c_ast.CompoundLiteral) -> MemoryPlace:
        type = self.unit.types.declared(node.type, self.body.scope)
        type = self.unit.initialisers.completed(type, node.init)
        if self.body.frame.function is None:  # outside of functions: a static object
            address = self.unit.objects.literal(type, node.init, self.body.position(node))
            return MemoryPlace(address, type)
        place = MemoryPlace(self.body.local_object("(literal)", type), type)
        initialise_object(self.body, place.address, type, node.init)
        return place

    def load(self, place: Place) -> Value:
        """The value at `place`; arrays and functions decay to pointers."""
        if isinstance(place, RegisterPlace):
            self.body.order.read(place.register)
            return Value(place.register, unatomic(place.type))
        match place.type:
            case CArray(element):
                return Value(place.address, self.model.pointer_to(element))
            case CFunction():
                return Value(place.address, self.model.pointer_to(place.type))
            case CRecord(atomic=True):
                with self.body.order.whole(Kind.BLOCK):
                    return load_struct(self.body, place)
            case CRecord() | CVoid():
                return Value(place.address, place.type)
        if place.bits is not None:
            with self.body.order.bit_field(place.bits):
                return load_bits(self.body, place)
        kind = AccessKind.LIBRARY if place.library else AccessKind.PLAIN
        return Value(self.body.load(place.address, place.type, kind), unatomic(place.type))

    def assign(self, place: Place, value: Value) -> None:
        """Writes `value`, already of the place's type, to `place`."""
        order = self.body.order
        if isinstance(place, RegisterPlace):
            with order.effect(register=True):
                self.graph.emit(Assign(place.register, value.expr))
        elif isinstance(place.type, CRecord):
            with order.effect(), order.whole(Kind.BLOCK):
                if place.type.atomic:
                    store_struct(self.body, place, value)
                    return
                copy_object(self.body, place.address, value.expr, place.type)
        elif place.bits is not None:
            with order.effect(place.bits), order.whole(Kind.BLOCK):
                store_bits(self.body, place, value)
        else:
            with order.effect():
                kind = AccessKind.ATOMIC if is_atomic(place.type) else AccessKind.PLAIN
                kind = AccessKind.LIBRARY if place.library else kind
                self.body.store(place.address, value.expr, kind)

    def assigned(self, place: Place, value: Value) -> Value:
        """The value of an assignment of `value` to `place` as an expression (C11 6.5.16)."""
        if isinstance(place, RegisterPlace):
            return Value(place.register, unatomic(place.type))
        return value if place.bits is None else stored_bits(self.model, place, value)
