"""Lowering of statements and declarations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pycparser import c_ast

from abpress.errors import AbPressError, InputError, UnsupportedError
from abpress.ir.expr import TRUE, Const, Reg
from abpress.ir.program import Enter, Fault
from abpress_frontend.lower import thread_ids
from abpress_frontend.lower.aggregates import copy_object
from abpress_frontend.lower.body import Body, Frame
from abpress_frontend.lower.ctypes import (
    VOID,
    CRecord,
    CType,
)
from abpress_frontend.lower.declarations import DeclarationLowering
from abpress_frontend.lower.features import decision
from abpress_frontend.lower.lifetimes import Goto, Point, Target, pass_over, point
from abpress_frontend.lower.scope import (
    Scope,
)
from abpress_frontend.lower.syntax import cases, is_expression, is_jumped_into
from abpress_frontend.lower.values import (
    RegisterPlace,
    Value,
    comparison,
    converted,
    integer_value,
)


@dataclass(frozen=True, slots=True)
class _Block:
    """A block that is open: its scope and the one around it, the location before it (None where
    code is dead), and its first own location."""

    outer: Scope
    inner: Scope
    entry: int | None
    start: int


@dataclass(frozen=True, slots=True)
class _Cases:
    """The labels of a switch, with their locations, and its place."""

    labels: dict[c_ast.Node, int]
    point: Point


class StatementLowering:
    """Lowers the statements of one template."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.unit = body.unit
        self.graph = body.graph
        self._declarations = DeclarationLowering(body)
        self._cases: list[_Cases] = []

    def function_body(self, node: c_ast.Compound) -> None:
        """The body of the frame's function, up to where the frame ends."""
        frame = self.body.frame
        self._items(node)
        self._end()
        self.body.no_result()
        self.graph.goto(frame.exit)
        for jump in frame.gotos:
            self.graph.position = jump.position
            self.graph.at(jump.start)
            pass_over(self.graph, jump.point, frame.points[jump.label])
            self.graph.goto(self._labelled(jump.label))

    def _items(self, node: c_ast.Compound) -> None:
        for item in node.block_items or ():
            self.statement(item)

    def statement_expression(self, node: c_ast.Compound, hint: CType | None) -> Value:
        """The value of a GNU statement expression: that of its last item."""
        block = self._open()
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
        if isinstance(result.type, CRecord) and block.inner.objects:  # it may be one of them
            self.body.frame.scope = block.outer
            kept = self.body.local_object("(value)", result.type)
            copy_object(self.body, kept, result.expr, result.type)
            result = Value(kept, result.type)
        self._close(block)
        return result

    def statement(self, node: c_ast.Node) -> None:
        self.body.visit(node)
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        try:
            if method is not None:
                method(node)
            elif is_expression(node):
                with self.body.full_expression():
                    self.body.expressions.discard(node)
            else:
                raise UnsupportedError(f"statement of kind {type(node).__name__}")
        except AbPressError as e:
            if e.position is None:
                e.position = self.body.position(node)
            raise

    def _open(self) -> _Block:
        """Opens a block."""
        frame = self.body.frame
        block = _Block(frame.scope, Scope(frame.scope), self.graph.here, self.graph.location())
        frame.scope = block.inner
        self.graph.at(block.start)
        return block

    def _close(self, block: _Block) -> None:
        """Closes the block that was opened last."""
        end = self.graph.here
        self.graph.at(block.entry)
        for object in block.inner.early:
            self.graph.emit(Enter(object))
        self.graph.goto(block.start)
        self.graph.at(end)
        self.body.frame.scope = block.inner
        pass_over(self.graph, point(block.inner), point(block.outer))
        self.body.frame.scope = block.outer

    @contextmanager
    def _block(self) -> Iterator[None]:
        """A block around what is lowered inside."""
        block = self._open()
        yield
        self._close(block)

    # -- blocks and declarations --------------------------------------------------------------

    def _compound(self, node: c_ast.Compound) -> None:
        with self._block():
            self._items(node)

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
        self._declarations.typedef(node)

    def _funcdef(self, node: c_ast.FuncDef) -> None:
        raise UnsupportedError(f"nested function {node.decl.name}")

    def _decl(self, node: c_ast.Decl) -> None:
        with self.body.full_expression():
            self._declarations.declare(node)

    # -- control flow -------------------------------------------------------------------------

    def _if(self, node: c_ast.If) -> None:
        never, always = node.iftrue, node.iffalse
        decided = decision(node.cond, self.unit.features)
        if decided:
            never, always = always, never
        with self._block():
            if decided is not None and not is_jumped_into(never):
                self.statement_in_scope(always)
                return
            then, otherwise, end = (self.graph.location() for _ in range(3))
            self.body.full_condition(node.cond, then, otherwise)
            self.graph.at(then)
            self.statement_in_scope(node.iftrue)
            self.graph.goto(end)
            self.graph.at(otherwise)
            self.statement_in_scope(node.iffalse)
            self.graph.goto(end)
            self.graph.at(end)

    def statement_in_scope(self, node: c_ast.Node | None) -> None:
        if node is None:
            return
        with self._block():
            self.statement(node)

    def _loop(self, node: c_ast.Node, breaks: int, continues: int) -> None:
        """A loop's body, with the targets of its jumps."""
        frame, here = self.body.frame, point(self.body.scope)
        frame.breaks.append(Target(breaks, here))
        frame.continues.append(Target(continues, here))
        self.statement_in_scope(node)
        frame.breaks.pop()
        frame.continues.pop()

    def _while(self, node: c_ast.While) -> None:
        with self._block():
            head, inside, end = (self.graph.location() for _ in range(3))
            self.graph.goto(head)
            self.graph.at(head)
            self.body.full_condition(node.cond, inside, end)
            self.graph.at(inside)
            self._loop(node.stmt, end, head)
            self.body.visit(node)
            self.graph.goto(head)
            self.graph.at(end)

    def _dowhile(self, node: c_ast.DoWhile) -> None:
        with self._block():
            head, test, end = (self.graph.location() for _ in range(3))
            self.graph.goto(head)
            self.graph.at(head)
            self._loop(node.stmt, end, test)
            self.graph.goto(test)
            self.graph.at(test)
            self.body.full_condition(node.cond, head, end)
            self.graph.at(end)

    def _for(self, node: c_ast.For) -> None:
        with self._block():
            if node.init is not None:
                self.statement(node.init)
            head, inside, step, end = (self.graph.location() for _ in range(4))
            self.graph.goto(head)
            self.graph.at(head)
            if node.cond is not None:
                self.body.full_condition(node.cond, inside, end)
            else:
                self.graph.goto(inside)
            if node.next is not None:  # it stands before the body
                self.unit.types.tags.read_inside(node.next, self.body.scope)
            self.graph.at(inside)
            self._loop(node.stmt, end, step)
            self.graph.goto(step)
            self.graph.at(step)
            if node.next is not None:
                with self.body.full_expression():
                    self.body.expressions.discard(node.next)
            self.graph.goto(head)
            self.graph.at(end)

    def _leave_cleanup(self, node: c_ast.Node) -> None:
        """Ends the execution where a jump leaves a cleanup handler behind."""
        function = self.body.frame.function
        if function is not None and node in function.leaving:
            self.graph.emit(Fault("a jump leaves what pthread_cleanup_push begins"))

    def _break(self, node: c_ast.Break) -> None:
        self._leave_cleanup(node)
        self._jump(self.body.frame.breaks, "break outside of a loop or switch")

    def _continue(self, node: c_ast.Continue) -> None:
        self._leave_cleanup(node)
        self._jump(self.body.frame.continues, "continue outside of a loop")

    def _jump(self, targets: list[Target], message: str) -> None:
        if not targets:
            raise InputError(message)
        pass_over(self.graph, point(self.body.scope), targets[-1].point)
        self.graph.goto(targets[-1].location)

    def _label(self, node: c_ast.Label) -> None:
        self._enter_label(node)
        if node.stmt is not None:
            self.statement(node.stmt)

    def _enter_label(self, node: c_ast.Label) -> None:
        location = self._labelled(node.name)
        self.body.frame.points[node.name] = point(self.body.scope)
        self.graph.goto(location)
        self.graph.at(location)

    def _goto(self, node: c_ast.Goto) -> None:
        self._leave_cleanup(node)
        self._labelled(node.name)
        start, here = self.graph.location(), point(self.body.scope)
        self.body.frame.gotos.append(Goto(start, node.name, here, self.graph.position))
        self.graph.goto(start)

    def _labelled(self, name: str) -> int:
        frame = self.body.frame
        if name not in frame.labels:
            known = frame.function is not None and name in frame.function.labels
            if not known:
                raise InputError(f"label '{name}' is not defined")
            frame.labels[name] = self.graph.location()
        return frame.labels[name]

    def _switch(self, node: c_ast.Switch) -> None:
        with self._block():
            with self.body.full_expression():
                value = self.body.expressions.value(node.cond)
                thread_ids.taken_as_number(self.body, value)
            type = self.unit.model.promote(integer_value(value, "switch"))
            subject = self.body.copied(converted(value, type)).expr
            if not any(isinstance(case, c_ast.Case) for case in cases(node.stmt)):
                self.body.computed(subject)
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
            here = point(self.body.scope)
            self._cases.append(_Cases(labels, here))
            self.body.frame.breaks.append(Target(end, here))
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
        if not self._cases or node not in self._cases[-1].labels:
            raise InputError("case label outside of a switch")
        switch, inside = self._cases[-1], self.graph.location()
        self.graph.goto(inside)
        self.graph.at(switch.labels[node])
        pass_over(self.graph, switch.point, point(self.body.scope))
        self.graph.goto(inside)
        self.graph.at(inside)
        for item in node.stmts or ():
            self.statement(item)

    _default = _case

    def _return(self, node: c_ast.Return) -> None:
        frame = self.body.frame
        function = frame.function
        assert function is not None
        result = function.type.result
        if node.expr is not None:
            with self.body.full_expression():
                self._result(node.expr, frame, result)
        else:
            self.body.no_result()
        self._leave_cleanup(node)
        self._end()
        self.graph.goto(frame.exit)

    def _result(self, node: c_ast.Node, frame: Frame, type: CType) -> None:
        """Evaluates what the frame returns."""
        if frame.result is None:
            self.body.expressions.discard(node)
            return
        value = self.body.expressions.value(node, frame.hint if frame.hint is not None else type)
        if isinstance(frame.result, Reg):
            value = converted(value, type)
            self.body.places.assign(RegisterPlace(frame.result, type), value)
        else:
            copy_object(self.body, frame.result, value.expr, type)

    def _end(self) -> None:
        """Ends the lifetimes of inner blocks, where the frame ends; those of a thread's own
        function end with the thread."""
        if len(self.body.frames) > 2:
            pass_over(self.graph, point(self.body.scope), Point(self.body.frame.outermost, ()))
