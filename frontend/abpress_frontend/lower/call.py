"""A call of a library function, as the entries of the library table see it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from pycparser import c_ast

from abpress.errors import InputError, UnsupportedError, printable
from abpress.ir.expr import Const, Expr
from abpress.ir.program import AccessKind, Havoc
from abpress.ir.types import INT
from abpress_frontend.lower.aggregates import copied_object, copy_object
from abpress_frontend.lower.atomic_structs import load_struct, store_struct
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.ctypes import (
    VOID,
    CFloat,
    CInt,
    CPtr,
    CRecord,
    CType,
    is_scalar,
    scalar,
)
from abpress_frontend.lower.sequencing import LibraryCall
from abpress_frontend.lower.syntax import has_effect
from abpress_frontend.lower.types import unatomic
from abpress_frontend.lower.values import MemoryPlace, Value, converted


class Call:
    """The arguments are evaluated when they are asked for: each entry asks in order, once, which
    `end` requires of those where it can be told. An operator in the form of a call has no `order`,
    which is that of arguments and call."""

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
        self._settled: set[int] = set()  # arguments that were evaluated, or that are not in C

    # -- arguments ----------------------------------------------------------------------------

    def argument(self, index: int) -> c_ast.Node:
        """The text of an argument, to look at."""
        if index >= len(self.arguments):
            raise InputError(f"too few arguments for {self.name}", self.body.position(self.node))
        return self.arguments[index]

    def value(self, index: int, type: CType | None = None) -> Value:
        """The value of an argument, converted to `type` if given."""
        with self._evaluation(index) as argument:
            value = self.body.expressions.value(argument, type)
        return value if type is None else converted(value, type)

    def passed_on(self, index: int) -> Value:
        """The value of an argument that becomes that of the call."""
        with self._evaluation(index) as argument:
            return self.body.expressions.value(argument, self.hint)

    def inner(self, node: c_ast.Node) -> Value:
        """The value of a part of an argument that is not evaluated as a whole."""
        with nullcontext() if self._order is None else self._order.argument():
            return self.body.expressions.value(node)

    def condition(self, index: int, then: int, otherwise: int) -> None:
        """Branches on an argument, as part of what the function does."""
        argument = self.argument(index)
        self._settle(index)
        self.body.expressions.condition(argument, then, otherwise)

    def discard(self, index: int) -> None:
        """Evaluates an argument for its effects, as part of what the function does."""
        argument = self.argument(index)
        self._settle(index)
        self.body.expressions.discard(argument)

    def not_evaluated(self, *indices: int) -> None:
        """Says of arguments that C does not evaluate them."""
        self._settled.update(indices)

    def end(self) -> None:
        """Raises UnsupportedError for an argument that was not evaluated and may matter."""
        for index, node in enumerate(self.arguments):
            matters = has_effect(node) or self.body.expressions.reads_memory(node)
            if index not in self._settled and matters:
                what = f"argument {index + 1} of {self.name}, which would not be evaluated"
                raise UnsupportedError(what, self.body.position(node))

    def _settle(self, index: int) -> None:
        node = self.arguments[index]
        if index in self._settled and has_effect(node):
            what = f"argument {index + 1} of {self.name}, which would be evaluated twice"
            raise UnsupportedError(what, self.body.position(node))
        self._settled.add(index)

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

    def evaluate(self, first: int = 0, end: int | None = None) -> None:
        """Evaluates the arguments from `first` on (before `end`) for their effects only."""
        for index in range(first, len(self.arguments) if end is None else end):
            with self._evaluation(index) as node:
                while isinstance(node, c_ast.Cast) and not has_effect(node.to_type):
                    node = node.expr  # a cast of what is only shown looks at nothing
                if not self._is_only_shown(node):
                    self.body.expressions.discard(node)

    @contextmanager
    def _evaluation(self, index: int) -> Iterator[c_ast.Node]:
        """Where an argument is evaluated."""
        argument = self.argument(index)
        self._settle(index)
        with nullcontext() if self._order is None else self._order.argument():
            yield argument

    def _is_only_shown(self, node: c_ast.Node) -> bool:
        """Whether it is a number of a type without values here, from what others cannot change."""
        seen = has_effect(node) or self.body.expressions.reads_memory(node)
        type = None if seen else self.body.expressions.typeof(node)
        return isinstance(type, CFloat) and not is_scalar(type)

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
        if isinstance(place.type, CRecord):
            return load_struct(self.body, place)
        if not is_scalar(place.type):
            raise UnsupportedError(f"atomic access to an object of type {place.type}")
        register = self.body.load(place.address, place.type, AccessKind.ATOMIC)
        return Value(register, unatomic(place.type))

    def store(self, place: MemoryPlace, value: Value) -> None:
        """An atomic write."""
        if isinstance(place.type, CRecord):
            store_struct(self.body, place, value)
            return
        if not is_scalar(place.type):
            raise UnsupportedError(f"atomic access to an object of type {place.type}")
        self.body.store(
            place.address, converted(value, unatomic(place.type)).expr, AccessKind.ATOMIC
        )

    def read(self, place: MemoryPlace) -> Value:
        """A plain read, of a value that stays."""
        if isinstance(place.type, CRecord):
            return copied_object(self.body, Value(place.address, unatomic(place.type)))
        return Value(self.body.load(place.address, place.type), unatomic(place.type))

    def write(self, place: MemoryPlace, value: Value) -> None:
        """A plain write."""
        if isinstance(place.type, CRecord):
            copy_object(self.body, place.address, value.expr, place.type)
        else:
            self.body.store(place.address, converted(value, unatomic(place.type)).expr)

    def kept(self, value: Value) -> Value:
        """The value as it is now."""
        if isinstance(value.type, CRecord):
            return copied_object(self.body, value)
        return self.body.copied(value)

    def pinned(self, value: Value) -> Expr:
        return self.body.copied(value).expr
