"""Lowering of `=`, compound assignments, `++` and `--`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pycparser import c_ast

from abpress.ir.program import Overflow
from abpress_frontend.lower import thread_ids
from abpress_frontend.lower.aggregates import copied_object
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.ctypes import CArray, CRecord, is_atomic
from abpress_frontend.lower.operators import binary, without_width, wrapping
from abpress_frontend.lower.sequencing import Kind
from abpress_frontend.lower.syntax import has_effect
from abpress_frontend.lower.types import unatomic
from abpress_frontend.lower.unchecked import OVERLAP, may_overlap
from abpress_frontend.lower.values import MemoryPlace, Place, Value, constant, converted


class AssignmentLowering:
    """Lowers what changes an object, in the expressions of one template."""

    def __init__(self, body: Body) -> None:
        self.body = body

    def compound(self, node: c_ast.Assignment) -> Value:
        """`+=` and its kin."""
        op, order = node.op[:-1], self.body.order
        first = order.mark
        with order.operands() as operands:
            with operands.one():
                right = self.body.expressions.value(node.rvalue)
            read = order.mark
            with operands.one():
                place, old = self._updated(node.lvalue)
        thread_ids.taken_as_number(self.body, right)
        change = partial(self._changed, op, right, is_atomic(place.type))
        return self._update(place, old, change, node, range(first, read))[1]

    def _changed(self, op: str, right: Value, atomic: bool, old: Value) -> Value:
        """`old op right`. Where overflow is an error, it is none of an atomic update."""
        model, overflow = self.body.unit.model, self.body.unit.overflow
        if atomic and overflow is Overflow.ERROR:
            return wrapping(model, op, old, right)
        return binary(model, op, old, right, overflow)

    def assign(self, node: c_ast.Assignment, used: bool) -> Value:
        """`=`; whether its value is `used`."""
        target = self.body.expressions.typeof(node.lvalue)
        with self.body.order.operands() as operands:
            with operands.one():
                value = self.body.expressions.value(node.rvalue, target)
                source = value.expr
                if isinstance(value.type, CRecord) and (used or self._place_is_read(node.lvalue)):
                    value = copied_object(self.body, value)  # read once
            with operands.one():
                place = self.body.places.of(node.lvalue)
        self.body.visit(node)
        value = converted(value, place.type)
        if isinstance(place, MemoryPlace) and isinstance(place.type, CRecord):
            records = self.body.unit.types.tags.definitions
            if may_overlap(place.address, source, place.type, records):
                self.body.unit.assume(OVERLAP, self.body.position(node))
        self.body.places.assign(place, value)
        return self.body.places.assigned(place, value)

    def _place_is_read(self, node: c_ast.Node) -> bool:
        """Whether finding out where an lvalue lies may do something, or read memory."""
        match node:
            case c_ast.ID():
                return False
            case c_ast.StructRef(type=".", name=base):
                return self._place_is_read(base)
            case c_ast.ArrayRef(name=base, subscript=index):
                return (
                    has_effect(index)
                    or self.body.expressions.reads_memory(index)
                    or not isinstance(self.body.expressions.typeof(base), CArray)
                    or self._place_is_read(base)
                )
            case c_ast.UnaryOp(op="*", expr=pointer) | c_ast.StructRef(name=pointer):
                return has_effect(pointer) or self.body.expressions.reads_memory(pointer)
            case _:
                return True

    def _updated(self, node: c_ast.Node) -> tuple[Place, Value | None]:
        """What `++` or a compound assignment changes, and its value, unless it is `_Atomic` and is
        read and written in one step."""
        place = self.body.places.of(node)
        if isinstance(place, MemoryPlace) and is_atomic(place.type):
            return place, None
        return place, self.body.places.load(place)

    def _update(
        self,
        place: Place,
        read: Value | None,
        change: Callable[[Value], Value],
        node: c_ast.Node,
        right: range,
    ) -> tuple[Value, Value]:
        """Replaces the value at `place`, which was `read`, by `change` of it; returns the old and
        the new value. `right` are the parts of the right side."""
        if read is None:
            with self.body.order.whole(Kind.BLOCK):
                self.body.graph.atomic(+1)
                old = self.body.places.load(place)
                new = self._changed_value(place, change, old)
                self.body.visit(node)
                self.body.places.assign(place, new)
                self.body.graph.atomic(-1)
            return old, self.body.places.assigned(place, new)
        loaded = self.body.order.mark - 1
        new = self._changed_value(place, change, read)
        self.body.visit(node)
        self.body.order.update(loaded, right)
        self.body.places.assign(place, new)
        return read, self.body.places.assigned(place, new)

    def _changed_value(self, place: Place, change: Callable[[Value], Value], old: Value) -> Value:
        if thread_ids.is_thread(place.type):
            thread_ids.inspected(self.body)
        return converted(change(without_width(old)), unatomic(place.type))

    def step(self, node: c_ast.UnaryOp, keep_old: bool) -> Value:
        """`++` and `--`: the old value, if it is kept, else the new one."""
        place, read = self._updated(node.expr)
        op = "+" if "+" in node.op else "-"
        one = constant(1, self.body.unit.model.int)
        kept: list[Value] = []

        def change(old: Value) -> Value:
            if keep_old:
                kept.append(self.body.copied(old))
            return self._changed(op, one, is_atomic(place.type), old)

        _, new = self._update(place, read, change, node, range(0))
        return kept[0] if keep_old else new
