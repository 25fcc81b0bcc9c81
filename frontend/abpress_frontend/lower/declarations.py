"""Lowering of declarations inside of functions."""

from __future__ import annotations

from pycparser import c_ast

from abpress.errors import InputError, UnsupportedError
from abpress.ir.expr import Const, Expr
from abpress.ir.program import Alloc, Assign, Havoc
from abpress_frontend.lower import thread_ids
from abpress_frontend.lower.aggregates import initialise_object
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.ctypes import (
    CArray,
    CFloat,
    CFunction,
    CInt,
    CRecord,
    CType,
    give_alias,
    is_scalar,
    sizeof,
)
from abpress_frontend.lower.layout import layout
from abpress_frontend.lower.lengths import evaluated
from abpress_frontend.lower.scope import (
    FunctionSymbol,
    ObjectSymbol,
    RegisterSymbol,
    TypedefSymbol,
)
from abpress_frontend.lower.syntax import innermost, mentions
from abpress_frontend.lower.types import unatomic
from abpress_frontend.lower.unchecked import UNINITIALISED
from abpress_frontend.lower.values import (
    OFFSET,
    arithmetic,
    converted,
    scaled,
)


class DeclarationLowering:
    """Lowers the declarations of one template."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.unit = body.unit
        self.graph = body.graph

    def typedef(self, node: c_ast.Typedef) -> None:
        scope = self.body.scope
        type = evaluated(self.body, self.unit.types.declared(node, scope))
        give_alias(type, node.name)
        scope.names[node.name] = TypedefSymbol(type)

    def declare(self, node: c_ast.Decl) -> None:
        """Declares a name in the scope that is open, and begins the lifetime of its variable."""
        scope = self.body.scope
        lasting = {"static", "extern", "_Thread_local", "__thread"} & set(node.storage)
        if lasting and node.name is not None:
            if node not in self.unit.statics:
                where = self.unit.scope if "extern" in node.storage else scope
                self.unit.declare(node, scope, f"{self.body.frame.name}.{node.name}")
                found = scope.names.get(node.name) or where.names.get(node.name)
                if found is None:
                    raise UnsupportedError(f"extern declaration of '{node.name}'")
                self.unit.statics[node] = found
            scope.names[node.name] = self.unit.statics[node]
            self.unit.align(node, scope)
            return
        if node.name is None:
            self.unit.types.tags.declare(node, scope)
        inferred = isinstance(innermost(node.type), c_ast.InferredType)
        if inferred:
            type = unatomic(self.unit.types.decayed(self.body.expressions.typeof(node.init)))
        else:
            type = evaluated(self.body, self.unit.types.declared(node, scope))
        if node.name is None:
            return
        if isinstance(type, CFunction):
            scope.names[node.name] = FunctionSymbol(node.name, type)
            return
        if node.init is not None:
            type = self.unit.initialisers.completed(type, node.init)
            if not mentions(node.init, node.name):
                type = thread_ids.kept(type, node.init, self.body.expressions.typeof)
        self._variable(node, type)
        self.unit.align(node, scope)

    def _variable(self, node: c_ast.Decl, type: CType) -> None:
        scope, name = self.body.scope, node.name
        if isinstance(type, CArray) and type.count is None:
            self._variable_array(node, type)
            return
        function = self.body.frame.function
        if is_scalar(type) and not self.unit.is_object(function, name, type):
            place = self.body.register_place(name, type)
            scope.names[name] = RegisterSymbol(place.register, type)
            if node.init is None or mentions(node.init, name):
                low, high = (0, 1) if isinstance(type, CInt) and type.is_bool else (None, None)
                what = f"{UNINITIALISED}{name}"
                self.graph.emit(Havoc(place.register, what, low, high))
            if node.init is not None:
                init = node.init
                if isinstance(init, c_ast.InitList) and init.exprs:
                    init = init.exprs[0]
                value = converted(self.body.expressions.value(init, type), type)
                self.body.visit(node)
                self.graph.emit(Assign(place.register, value.expr))
            return
        if isinstance(type, CFloat) and not is_scalar(type) and node.init is not None:
            raise UnsupportedError(f"variable {name} of type {type}")
        if isinstance(type, CRecord) and type.fields is None:
            raise InputError(f"variable {name} of the incomplete type {type}")
        address = self.body.local_object(name, type)
        scope.names[name] = ObjectSymbol(address, type)
        if function is not None and node in function.jumped_over:
            scope.early.append(address.object)
        if node.init is not None:
            initialise_object(self.body, address, type, node.init)

    def _variable_array(self, node: c_ast.Decl, type: CArray) -> None:
        if type.length is None:
            raise InputError(f"array {node.name} has no length")
        element: CType = type
        total: Expr = Const(1, OFFSET)
        while isinstance(element, CArray) and element.length is not None:
            total = arithmetic("*", total, scaled(element.length, 1))
            element = element.element
        sizeof(element)
        register = self.graph.variable(node.name, self.body.pointer)
        self.graph.emit(Alloc(register, layout(element), total, False, node.name, True))
        self.body.scope.names[node.name] = ObjectSymbol(register, type)
        self.body.scope.arrays.append(register)
