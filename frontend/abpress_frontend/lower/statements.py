"""Lowering of statements and declarations."""

from __future__ import annotations

import dataclasses

from pycparser import c_ast

from abpress.errors import AbPressError, InputError, UnsupportedError
from abpress.ir.expr import TRUE, Const, Expr, Reg
from abpress.ir.program import Alloc, Assign, Havoc
from abpress_frontend.lower.aggregates import copy_object, initialise_object
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.ctypes import (
    VOID,
    CArray,
    CFloat,
    CFunction,
    CInt,
    CPtr,
    CRecord,
    CType,
    is_scalar,
    sizeof,
)
from abpress_frontend.lower.layout import layout
from abpress_frontend.lower.scope import (
    FunctionSymbol,
    ObjectSymbol,
    RegisterSymbol,
    Scope,
    TypedefSymbol,
)
from abpress_frontend.lower.syntax import cases, innermost, is_expression, mentions
from abpress_frontend.lower.types import unatomic
from abpress_frontend.lower.values import (
    OFFSET,
    RegisterPlace,
    Value,
    arithmetic,
    comparison,
    converted,
    integer_value,
    scaled,
)


class StatementLowering:
    """Lowers the statements of one template."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.unit = body.unit
        self.graph = body.graph
        self._cases: list[dict[c_ast.Node, int]] = []

    def function_body(self, node: c_ast.Compound) -> None:
        for item in node.block_items or ():
            self.statement(item)

    def statement_expression(self, node: c_ast.Compound, hint: CType | None) -> Value:
        """The value of a GNU statement expression: that of its last item."""
        outer = self._open()
        result = Value(TRUE, VOID)
        items = node.block_items or []
        for i, item in enumerate(items):
            last = i == len(items) - 1
            while last and isinstance(item, c_ast.Label):
                self._enter_label(item)
                item = item.stmt
            if last and is_expression(item):
                result = self.body.copied(self.body.expressions.value(item, hint))
            else:
                self.statement(item)
        self.body.frame.scope = outer
        return result

    def statement(self, node: c_ast.Node) -> None:
        self.body.visit(node)
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        try:
            if method is not None:
                method(node)
            elif is_expression(node):
                self.body.expressions.discard(node)
            else:
                raise UnsupportedError(f"statement of kind {type(node).__name__}")
        except AbPressError as e:
            if e.position is None:
                e.position = self.body.position(node)
            raise

    def _open(self) -> Scope:
        """Opens a block scope; returns the one to go back to."""
        outer = self.body.frame.scope
        self.body.frame.scope = Scope(outer)
        return outer

    # -- blocks and declarations --------------------------------------------------------------

    def _compound(self, node: c_ast.Compound) -> None:
        outer = self._open()
        self.function_body(node)
        self.body.frame.scope = outer

    def _emptystatement(self, node: c_ast.Node) -> None:
        pass

    def _pragma(self, node: c_ast.Node) -> None:
        pass

    def _staticassert(self, node: c_ast.StaticAssert) -> None:
        self.unit.check(node)

    def _attributedstatement(self, node: c_ast.AttributedStatement) -> None:
        self.statement(node.stmt)

    def _decllist(self, node: c_ast.DeclList) -> None:
        for decl in node.decls:
            self.statement(decl)

    def _typedef(self, node: c_ast.Typedef) -> None:
        scope = self.body.scope
        type = self._pinned(self.unit.types.declared(node, scope))
        scope.names[node.name] = TypedefSymbol(type)

    def _funcdef(self, node: c_ast.FuncDef) -> None:
        raise UnsupportedError(f"nested function {node.decl.name}")

    def _decl(self, node: c_ast.Decl) -> None:
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
        inferred = isinstance(innermost(node.type), c_ast.InferredType)
        if inferred:
            type = unatomic(self.unit.types.decayed(self.body.expressions.typeof(node.init)))
        else:
            type = self._pinned(self.unit.types.declared(node, scope))
        if node.name is None:
            return
        if isinstance(type, CFunction):
            scope.names[node.name] = FunctionSymbol(node.name, type)
            return
        if node.init is not None:
            type = self.unit.initialisers.completed(type, node.init)
        self._variable(node, type)
        self.unit.align(node, scope)

    def _variable(self, node: c_ast.Decl, type: CType) -> None:
        scope, name = self.body.scope, node.name
        if isinstance(type, CArray) and type.count is None:
            self._variable_array(node, type)
            return
        function = self.body.frame.function
        addressed = function is not None and name in function.addressed
        if is_scalar(type) and not addressed:
            place = self.body.register_place(name, type)
            scope.names[name] = RegisterSymbol(place.register, type)
            if node.init is None or mentions(node.init, name):
                low, high = (0, 1) if isinstance(type, CInt) and type.is_bool else (None, None)
                what = f"uninitialised variable {name}"
                self.graph.emit(Havoc(place.register, what, low, high))
            if node.init is not None:
                init = node.init
                if isinstance(init, c_ast.InitList) and init.exprs:
                    init = init.exprs[0]
                value = converted(self.body.expressions.value(init, type), type)
                self.body.visit(node)
                self.graph.emit(Assign(place.register, value.expr))
            return
        if isinstance(type, CFloat) and node.init is not None:
            raise UnsupportedError(f"floating-point variable {name}")
        if isinstance(type, CRecord) and type.fields is None:
            raise InputError(f"variable {name} of the incomplete type {type}")
        address = self.body.local_object(name, type)
        scope.names[name] = ObjectSymbol(address, type)
        if function is not None and node in self.unit.jumped_over(function):
            self.body.frame.early.append(address.object)
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
        self.graph.emit(Alloc(register, layout(element), total, False, node.name))
        self.body.scope.names[node.name] = ObjectSymbol(register, type)

    def _pinned(self, type: CType) -> CType:
        """The type with its variable lengths in registers of their own: they stay as they are at
        the declaration (C11 6.7.6.2p5)."""
        if isinstance(type, CPtr):
            target = self._pinned(type.target)
            return type if target is type.target else dataclasses.replace(type, target=target)
        if not isinstance(type, CArray):
            return type
        element = self._pinned(type.element)
        if type.length is None:
            return type if element is type.element else dataclasses.replace(type, element=element)
        length = self.body.copied(Value(type.length, self.unit.model.llong)).expr
        if not isinstance(length, Const | Reg):
            register = self.graph.temporary(length.type)
            self.graph.emit(Assign(register, length))
            length = register
        return dataclasses.replace(type, element=element, length=length)

    # -- control flow -------------------------------------------------------------------------

    def _if(self, node: c_ast.If) -> None:
        then, otherwise, end = (self.graph.location() for _ in range(3))
        self.body.expressions.condition(node.cond, then, otherwise)
        self.graph.at(then)
        self.statement_in_scope(node.iftrue)
        self.graph.goto(end)
        self.graph.at(otherwise)
        if node.iffalse is not None:
            self.statement_in_scope(node.iffalse)
        self.graph.goto(end)
        self.graph.at(end)

    def statement_in_scope(self, node: c_ast.Node | None) -> None:
        if node is None:
            return
        outer = self._open()
        self.statement(node)
        self.body.frame.scope = outer

    def _loop(self, node: c_ast.Node, breaks: int, continues: int) -> None:
        """A loop's body, with the targets of its jumps."""
        frame = self.body.frame
        frame.breaks.append(breaks)
        frame.continues.append(continues)
        self.statement_in_scope(node)
        frame.breaks.pop()
        frame.continues.pop()

    def _while(self, node: c_ast.While) -> None:
        head, inside, end = (self.graph.location() for _ in range(3))
        self.graph.goto(head)
        self.graph.at(head)
        self.body.expressions.condition(node.cond, inside, end)
        self.graph.at(inside)
        self._loop(node.stmt, end, head)
        self.body.visit(node)
        self.graph.goto(head)
        self.graph.at(end)

    def _dowhile(self, node: c_ast.DoWhile) -> None:
        head, test, end = (self.graph.location() for _ in range(3))
        self.graph.goto(head)
        self.graph.at(head)
        self._loop(node.stmt, end, test)
        self.graph.goto(test)
        self.graph.at(test)
        self.body.expressions.condition(node.cond, head, end)
        self.graph.at(end)

    def _for(self, node: c_ast.For) -> None:
        outer = self._open()
        if node.init is not None:
            self.statement(node.init)
        head, inside, step, end = (self.graph.location() for _ in range(4))
        self.graph.goto(head)
        self.graph.at(head)
        if node.cond is not None:
            self.body.expressions.condition(node.cond, inside, end)
        else:
            self.graph.goto(inside)
        self.graph.at(inside)
        self._loop(node.stmt, end, step)
        self.graph.goto(step)
        self.graph.at(step)
        if node.next is not None:
            self.body.expressions.discard(node.next)
        self.graph.goto(head)
        self.graph.at(end)
        self.body.frame.scope = outer

    def _break(self, node: c_ast.Break) -> None:
        self._jump(self.body.frame.breaks, "break outside of a loop or switch")

    def _continue(self, node: c_ast.Continue) -> None:
        self._jump(self.body.frame.continues, "continue outside of a loop")

    def _jump(self, targets: list[int], message: str) -> None:
        if not targets:
            raise InputError(message)
        self.graph.goto(targets[-1])

    def _label(self, node: c_ast.Label) -> None:
        self._enter_label(node)
        if node.stmt is not None:
            self.statement(node.stmt)

    def _enter_label(self, node: c_ast.Label) -> None:
        location = self._labelled(node.name)
        self.graph.goto(location)
        self.graph.at(location)

    def _goto(self, node: c_ast.Goto) -> None:
        self.graph.goto(self._labelled(node.name))

    def _labelled(self, name: str) -> int:
        frame = self.body.frame
        if name not in frame.labels:
            known = frame.function is not None and name in self.unit.labels(frame.function)
            if not known:
                raise InputError(f"label '{name}' is not defined")
            frame.labels[name] = self.graph.location()
        return frame.labels[name]

    def _switch(self, node: c_ast.Switch) -> None:
        value = self.body.expressions.value(node.cond)
        type = self.unit.model.promote(integer_value(value, "switch"))
        subject = self.body.copied(converted(value, type)).expr
        end = self.graph.location()
        labels = {case: self.graph.location() for case in cases(node.stmt)}
        default = end
        for case, location in labels.items():
            if isinstance(case, c_ast.Default):
                default = location
                continue
            low, high = self._range(case.expr)
            following = self.graph.location()
            low_value = Const(type.ir.wrap(low), type.ir)
            if low == high:
                self.graph.branch(comparison("==", subject, low_value), location, following)
            else:
                middle = self.graph.location()
                high_value = Const(type.ir.wrap(high), type.ir)
                self.graph.branch(comparison(">=", subject, low_value), middle, following)
                self.graph.at(middle)
                self.graph.branch(comparison("<=", subject, high_value), location, following)
            self.graph.at(following)
        self.graph.goto(default)
        self._cases.append(labels)
        self.body.frame.breaks.append(end)
        self.statement_in_scope(node.stmt)
        self.body.frame.breaks.pop()
        self._cases.pop()
        self.graph.goto(end)
        self.graph.at(end)

    def _range(self, node: c_ast.Node) -> tuple[int, int]:
        if isinstance(node, c_ast.FuncCall) and getattr(node.name, "name", "") == "__abp_range":
            low, high = node.args.exprs
            return self.unit.types.constant(low), self.unit.types.constant(high)
        value = self.unit.types.constant(node)
        return value, value

    def _case(self, node: c_ast.Case | c_ast.Default) -> None:
        if not self._cases or node not in self._cases[-1]:
            raise InputError("case label outside of a switch")
        location = self._cases[-1][node]
        self.graph.goto(location)
        self.graph.at(location)
        for item in node.stmts or ():
            self.statement(item)

    _default = _case

    def _return(self, node: c_ast.Return) -> None:
        frame = self.body.frame
        function = frame.function
        assert function is not None
        result = function.type.result
        if node.expr is not None:
            if frame.result is None:
                self.body.expressions.discard(node.expr)
            else:
                value = self.body.expressions.value(
                    node.expr, frame.hint if frame.hint is not None else result
                )
                if isinstance(frame.result, Reg):
                    value = converted(value, result)
                    self.body.places.assign(RegisterPlace(frame.result, result), value)
                else:
                    copy_object(self.body, frame.result, value.expr, result)
        else:
            self.body.no_result()
        self.graph.goto(frame.exit)
