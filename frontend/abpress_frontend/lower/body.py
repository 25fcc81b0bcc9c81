"""The state of lowering one template, and the interfaces of the parts that do it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from pycparser import c_ast

from abpress.errors import Position
from abpress.ir.expr import TRUE, Addr, Const, Expr, PtrAdd, Reg
from abpress.ir.passes.rewrite import may_fault
from abpress.ir.program import (
    AccessKind,
    Assign,
    Enter,
    Havoc,
    Leave,
    Load,
    MemoryObject,
    Overflow,
    Store,
)
from abpress.ir.types import PtrType
from abpress_frontend.lower.ctypes import CType, is_atomic, is_scalar, scalar
from abpress_frontend.lower.function import Function
from abpress_frontend.lower.graph import GraphBuilder
from abpress_frontend.lower.layout import layout
from abpress_frontend.lower.lifetimes import Goto, Point, Target
from abpress_frontend.lower.positions import position
from abpress_frontend.lower.scope import Scope, ThreadLocal
from abpress_frontend.lower.sequencing import Sequencing
from abpress_frontend.lower.syntax import makes_temporary
from abpress_frontend.lower.unit import Unit
from abpress_frontend.lower.values import Place, RegisterPlace, Value


class Expressions(Protocol):
    """`abpress_frontend.lower.expressions`."""

    def value(self, node: c_ast.Node, hint: CType | None = None) -> Value: ...
    def discard(self, node: c_ast.Node) -> None: ...
    def condition(self, node: c_ast.Node, then: int, otherwise: int) -> None: ...
    def typeof(self, node: c_ast.Node) -> CType: ...
    def is_constant(self, node: c_ast.Node) -> bool: ...
    def reads_memory(self, node: c_ast.Node) -> bool: ...
    def full(self) -> AbstractContextManager[None]: ...


class Places(Protocol):
    """`abpress_frontend.lower.places`."""

    def of(self, node: c_ast.Node) -> Place: ...
    def load(self, place: Place) -> Value: ...
    def assign(self, place: Place, value: Value) -> None: ...
    def assigned(self, place: Place, value: Value) -> Value: ...


class Statements(Protocol):
    """`abpress_frontend.lower.statements`."""

    def function_body(self, node: c_ast.Compound) -> None: ...
    def statement_expression(self, node: c_ast.Compound, hint: CType | None) -> Value: ...


class Calls(Protocol):
    """`abpress_frontend.lower.calls`."""

    def call(self, node: c_ast.FuncCall, hint: CType | None) -> Value: ...
    def result_type(self, node: c_ast.FuncCall) -> CType: ...
    def pointee(self, name: str) -> Function | None: ...
    def runnable(self, name: str) -> Function | None: ...
    def is_library(self, name: str) -> bool: ...
    def inline(
        self,
        function: Function,
        arguments: list[Value],
        at: c_ast.Node | None,
        hint: CType | None = None,
    ) -> Value: ...


@dataclass(eq=False, slots=True)
class Frame:
    """One inlined call. Mutable. `outermost` is the scope of its parameters and body, `gotos` are
    completed when all labels are known, whose places are the `points`. `allocated` is what is to be
    freed at the end, `variable` where arguments without a parameter are."""

    function: Function | None
    scope: Scope
    result: Reg | Addr | None
    exit: int
    stack: tuple[Position, ...]
    hint: CType | None = None
    labels: dict[str, int] = field(default_factory=dict)
    points: dict[str, Point] = field(default_factory=dict)
    gotos: list[Goto] = field(default_factory=list)
    breaks: list[Target] = field(default_factory=list)
    continues: list[Target] = field(default_factory=list)
    allocated: list[Reg] = field(default_factory=list)
    variable: Addr | None = None
    outermost: Scope = field(init=False)

    def __post_init__(self) -> None:
        self.outermost = self.scope

    @property
    def name(self) -> str:
        return self.function.name if self.function else ""


class Revealed(NamedTuple):
    """A pointer to memory that becomes one to objects of a type without ids of threads."""

    pointer: Expr
    type: CType
    at: Position


class Body:
    """Lowers one template. The four collaborators are set by `abpress_frontend.lower.program`."""

    expressions: Expressions
    places: Places
    statements: Statements
    calls: Calls

    def __init__(self, unit: Unit, frame: Frame) -> None:
        self.unit = unit
        self.graph = GraphBuilder(unit.most_edges)
        self.order = Sequencing(self.graph)
        self.frames = [frame]
        self.thread_locals: dict[str, str] = {}
        self.temporaries: list[str] = []
        self.hidden_ids: list[Expr] = []  # pointers to ids that become ones to anything
        self.revealed: list[Revealed] = []
        self.moved: set[c_ast.Node] = set()  # see `thread_ids.moved`
        self._in_annotation = False
        self.finish = self.graph.location()
        self.result = self.graph.temporary(unit.model.pointer)

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    @property
    def scope(self) -> Scope:
        return self.frame.scope

    @property
    def pointer(self) -> PtrType:
        return self.unit.model.pointer

    def position(self, node: c_ast.Node) -> Position:
        return position(node, self.frame.name, self.frame.stack)

    def visit(self, node: c_ast.Node) -> None:
        """The actions that follow belong to `node`."""
        if node.coord is not None:
            self.graph.position = self.position(node)

    # -- variables ----------------------------------------------------------------------------

    def local_object(self, name: str, type: CType) -> Addr:
        """A fresh undefined object of this block; its lifetime begins here."""
        unique = self._object_name(name)
        space = layout(type)
        self.graph.locals[unique] = MemoryObject(
            unique, space, (None,) * len(space.cells), False, self.graph.position
        )
        self.scope.objects.append(unique)
        self.graph.emit(Enter(unique))
        return Addr(unique, 0, self.pointer)

    @contextmanager
    def full_expression(self) -> Iterator[None]:
        """What is lowered inside is a full expression: temporary objects that it makes live until
        it ends (C11 6.2.4p8), or until their block does where a jump leaves it."""
        first = len(self.temporaries)
        yield
        for name in self.temporaries[first:]:
            self.graph.emit(Leave(name))
        del self.temporaries[first:]

    def full_condition(self, node: c_ast.Node, then: int, otherwise: int) -> None:
        """Goes to `then` if the full expression `node` is non-zero, else to `otherwise`."""
        if not makes_temporary(node):
            self.expressions.condition(node, then, otherwise)
            return
        ends = self.graph.location(), self.graph.location()
        first = len(self.temporaries)
        self.expressions.condition(node, *ends)
        for end, target in zip(ends, (then, otherwise), strict=True):
            self.graph.at(end)
            for name in self.temporaries[first:]:
                self.graph.emit(Leave(name))
            self.graph.goto(target)
        del self.temporaries[first:]

    def _object_name(self, name: str) -> str:
        """A fresh name for a local object, unlike that of any static one."""
        unique = self.graph.unique(name)
        while unique in self.unit.objects.by_name:
            unique = self.graph.unique(name)
        self.unit.objects.local_names.add(unique)
        return unique

    def thread_local(self, variable: ThreadLocal) -> Addr:
        """This template's object for a thread-local variable; it lives as long as the thread."""
        if variable.name not in self.thread_locals:
            unique = self._object_name(variable.name)
            self.graph.locals[unique] = MemoryObject(
                unique, layout(variable.type), variable.initial, False, variable.position
            )
            self.thread_locals[variable.name] = unique
        return Addr(self.thread_locals[variable.name], 0, self.pointer)

    def copied(self, value: Value) -> Value:
        """`value` in a register of its own, so that later assignments do not change it."""
        if not is_scalar(value.type) or not isinstance(value.expr, Reg):
            return value
        temporary = self.graph.temporary(value.expr.type)
        self.graph.emit(Assign(temporary, value.expr))
        return Value(temporary, value.type)

    def computed(self, expr: Expr) -> None:
        """Where overflow is an error, `expr` is computed here, whether or not its value is used."""
        if self.unit.overflow is Overflow.ERROR and may_fault(expr, Overflow.ERROR):
            self.graph.emit(Assign(self.graph.temporary(expr.type), expr))

    # -- memory -------------------------------------------------------------------------------

    def load(self, address: Expr, type: CType, kind: AccessKind = AccessKind.PLAIN) -> Reg:
        """One read of a scalar."""
        temporary = self.graph.temporary(scalar(type))
        if is_atomic(type):
            kind = AccessKind.ATOMIC
        self.graph.emit(Load(temporary, address), access=self._kind(address, kind))
        return temporary

    def store(self, address: Expr, value: Expr, kind: AccessKind = AccessKind.PLAIN) -> None:
        """One write of a scalar."""
        self.graph.emit(Store(address, value), access=self._kind(address, kind))

    @property
    def in_model(self) -> bool:
        """Whether the code is that of a model of the library."""
        return self.frame.function is not None and self.frame.function.model

    @contextmanager
    def annotation(self) -> Iterator[None]:
        """What is read within is read by nobody who runs the program."""
        self._in_annotation = True
        yield
        self._in_annotation = False

    def _kind(self, address: Expr, kind: AccessKind) -> AccessKind:
        """What a model accesses is a variable of the library, or its caller's."""
        if self._in_annotation:
            return AccessKind.LIBRARY
        if kind is not AccessKind.PLAIN or not self.in_model:
            return kind
        while isinstance(address, PtrAdd):
            address = address.pointer
        own = isinstance(address, Addr) and address.object.startswith("__abp_")
        return AccessKind.LIBRARY if own else AccessKind.EXPOSED

    def register_place(self, name: str, type: CType) -> RegisterPlace:
        return RegisterPlace(self.graph.variable(name, scalar(type)), type)

    def self_id(self) -> Expr:
        return self.graph.ambient("$tid", self.unit.model.ulong.ir)

    def no_result(self) -> None:
        """Here the call ends without a value; one that is used all the same is arbitrary, but for
        that of `main`, which is 0 (C11 5.1.2.2.3)."""
        frame = self.frame
        if isinstance(frame.result, Reg) and frame.name == "main":
            self.graph.emit(Assign(frame.result, Const(0, frame.result.type)))
        elif isinstance(frame.result, Reg):
            self.graph.emit(Havoc(frame.result, f"missing result of {frame.name}"))

    def dead_value(self, type: CType) -> Value:
        """What an expression yields whose evaluation does not end."""
        if is_scalar(type):
            return Value(Const(0, scalar(type)), type)
        return Value(TRUE, type)
