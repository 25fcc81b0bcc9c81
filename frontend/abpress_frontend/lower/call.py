"""A call of a library function, as the entries of the library table see it."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from pycparser import c_ast

from abpress.errors import InputError, UnsupportedError, printable
from abpress.ir.expr import Const, Expr
from abpress.ir.program import Havoc
from abpress.ir.types import INT
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.ctypes import (
    VOID,
    CFloat,
    CInt,
    CPtr,
    CType,
    is_scalar,
    scalar,
)
from abpress_frontend.lower.sequencing import LibraryCall
from abpress_frontend.lower.syntax import has_effect
from abpress_frontend.lower.types import unatomic
from abpress_frontend.lower.values import MemoryPlace, Value, converted


class Call:
    """The arguments are evaluated when they are asked for: each entry asks in order, once. An
    operator in the form of a call has no `order`, which is that of arguments and call."""

    def __init__(
        self,
        body: Body,
        node: c_ast.FuncCall,
        name: str,
        hint: CType | None,
        order: LibraryCall | None,
    ) -> None:
        self.body = body
        self._order = order
        self.unit = body.unit
        self.model = body.unit.model
        self.graph = body.graph
        self.node = node
        self.name = name
        self.hint = hint
        self.arguments: list[c_ast.Node] = node.args.exprs if node.args else []

    # -- arguments ----------------------------------------------------------------------------

    def argument(self, index: int) -> c_ast.Node:
        if index >= len(self.arguments):
            raise InputError(f"too few arguments for {self.name}", self.body.position(self.node))
        return self.arguments[index]

    def value(self, index: int, type: CType | None = None) -> Value:
        """The value of an argument, converted to `type` if given."""
        argument = self.argument(index)
        with self._evaluation():
            value = self.body.expressions.value(argument, type)
        return value if type is None else converted(value, type)

    def target(self, index: int) -> MemoryPlace:
        """What a pointer argument points to."""
        value = self.value(index)
        if not isinstance(value.type, CPtr):
            raise InputError(
                f"argument {index + 1} of {self.name} is not a pointer",
                self.body.position(self.node),
            )
        return MemoryPlace(value.expr, value.type.target)

    def text(self, index: int) -> str:
        """The text of a string literal argument, for messages."""
        node = self.argument(index)
        return printable(node.value.strip('"')) if isinstance(node, c_ast.Constant) else ""

    def evaluate(self, first: int = 0) -> None:
        """Evaluates the arguments from `first` on for their effects only."""
        for node in self.arguments[first:]:
            while isinstance(node, c_ast.Cast):  # a cast of what is only shown looks at nothing
                node = node.expr
            if not self._is_pure_float(node):
                with self._evaluation():
                    self.body.expressions.discard(node)

    def _evaluation(self) -> AbstractContextManager[None]:
        """Where an argument is evaluated."""
        return nullcontext() if self._order is None else self._order.argument()

    def _is_pure_float(self, node: c_ast.Node) -> bool:
        pure = not has_effect(node)
        return pure and isinstance(self.body.expressions.typeof(node), CFloat)

    # -- results ------------------------------------------------------------------------------

    def nothing(self) -> Value:
        return Value(Const(0, INT), VOID)

    def constant(self, value: int, type: CInt | None = None) -> Value:
        type = type or self.model.int
        return Value(Const(value, type.ir), type)

    def arbitrary(
        self, type: CType, what: str, low: int | None = None, high: int | None = None
    ) -> Value:
        """A fresh arbitrary value of a scalar type."""
        if isinstance(type, CInt) and type.is_bool:
            low, high = 0, 1
        register = self.graph.temporary(scalar(type))
        self.graph.emit(Havoc(register, what, low, high))
        return Value(register, unatomic(type))

    # -- memory -------------------------------------------------------------------------------

    def load(self, place: MemoryPlace) -> Value:
        """An atomic read."""
        if not is_scalar(place.type):
            raise UnsupportedError(f"atomic access to an object of type {place.type}")
        register = self.body.load(place.address, place.type, atomic=True)
        return Value(register, unatomic(place.type))

    def store(self, place: MemoryPlace, value: Value) -> None:
        """An atomic write."""
        if not is_scalar(place.type):
            raise UnsupportedError(f"atomic access to an object of type {place.type}")
        self.body.store(place.address, converted(value, unatomic(place.type)).expr, atomic=True)

    def pinned(self, value: Value) -> Expr:
        return self.body.copied(value).expr
