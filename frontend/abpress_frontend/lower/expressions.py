"""Lowering of expressions to three-address form: each access to memory becomes its own action.

Evaluation is left to right; side effects and calls happen where they stand; the right operand of
an assignment is evaluated before the place on its left is read. C leaves most of this open: what
it does say is noted by `Body.order`, and `abpress_frontend.lower.orders` adds the other orders.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from pycparser import c_ast

from abpress.errors import AbPressError, InputError, UnsupportedError
from abpress.ir.expr import Const, Convert, Reg
from abpress.ir.program import Assign
from abpress.ir.types import INT
from abpress_frontend.lower import floating, thread_ids
from abpress_frontend.lower.aliasing import note_conversion
from abpress_frontend.lower.assignments import AssignmentLowering
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.ctypes import (
    VOID,
    CArray,
    CFloat,
    CPtr,
    CRecord,
    CType,
    CVoid,
    is_scalar,
    scalar,
    sizeof,
)
from abpress_frontend.lower.lengths import evaluated
from abpress_frontend.lower.literals import character, integer
from abpress_frontend.lower.operators import binary, variable_size, with_other_sign
from abpress_frontend.lower.scope import (
    BoundSymbol,
    ConstantSymbol,
    ObjectSymbol,
    ThreadLocalSymbol,
)
from abpress_frontend.lower.sequencing import Kind
from abpress_frontend.lower.static_types import StaticTypes, composite
from abpress_frontend.lower.syntax import has_effect, label_names
from abpress_frontend.lower.types import unatomic
from abpress_frontend.lower.unchecked import MISALIGNED, PRETTY, is_packed
from abpress_frontend.lower.values import (
    RegisterPlace,
    Value,
    constant,
    converted,
    fold,
    integer_value,
    logical_not,
    settled,
    truth,
    unary,
)
from abpress_frontend.tree import subtrees


class ExpressionLowering:
    """Lowers the expressions of one template."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.unit = body.unit
        self.model = body.unit.model
        self.graph = body.graph
        self.types = StaticTypes(body)
        self._assignments = AssignmentLowering(body)

    # -- entry points -------------------------------------------------------------------------

    def value(self, node: c_ast.Node, hint: CType | None = None) -> Value:
        """The value of `node`; arrays and functions decay. `hint` is the type that the context
        converts the value to, from which an allocation learns what it allocates."""
        self.body.visit(node)
        with self.full():
            return self._value(node, hint)

    def full(self) -> AbstractContextManager[None]:
        """What is lowered inside is evaluated between two sequence points, unless it is a part of
        something that is. The order in our own models is not open."""
        function = self.body.frame.function
        if function is None or function.model or self.body.order.active:
            return nullcontext()
        return self.body.order.evaluation()

    def _value(self, node: c_ast.Node, hint: CType | None) -> Value:
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise UnsupportedError(
                f"expression of kind {type(node).__name__}", self.body.position(node)
            )
        try:
            result: Value = method(node, hint)
        except AbPressError as e:
            if e.position is None:
                e.position = self.body.position(node)
            raise
        thread_ids.converts(self.body, result, hint, node)
        if isinstance(result.type, CFloat):
            self.unit.assumptions.setdefault(floating.EXACT)
        return result

    def scalar_value(self, node: c_ast.Node, hint: CType | None = None) -> Value:
        value = self.value(node, hint)
        scalar(value.type)
        return value

    def discard(self, node: c_ast.Node) -> None:
        """Evaluates `node` for its side effects."""
        match node:
            case c_ast.UnaryOp(op="p++" | "p--"):
                with self.full():
                    self._assignments.step(node, keep_old=False)
            case c_ast.Assignment(op="="):
                self.body.visit(node)
                with self.full():
                    self._assignments.assign(node, used=False)
            case _:
                self.body.computed(self.value(node).expr)

    def condition(self, node: c_ast.Node, then: int, otherwise: int) -> None:
        """Goes to `then` if `node` is non-zero, else to `otherwise`; code after it is dead."""
        match node:
            case c_ast.BinaryOp(op="&&", left=left, right=right):
                middle = self.graph.location()
                self.condition(left, middle, otherwise)
                self.graph.at(middle)
                self.condition(right, then, otherwise)
            case c_ast.BinaryOp(op="||", left=left, right=right):
                middle = self.graph.location()
                self.condition(left, then, middle)
                self.graph.at(middle)
                self.condition(right, then, otherwise)
            case c_ast.UnaryOp(op="!", expr=inner):
                self.condition(inner, otherwise, then)
            case _:
                test = truth(self.scalar_value(node))
                if isinstance(test, Const):
                    self.graph.goto(then if test.value else otherwise)
                else:
                    self.graph.branch(test, then, otherwise)

    def typeof(self, node: c_ast.Node) -> CType:
        return self.types.of(node)

    # -- kinds of expressions: called by `value`, one per class of the syntax tree ------------

    def _constant(self, node: c_ast.Constant, hint: CType | None) -> Value:
        at = self.body.position(node)
        if node.type == "string":
            return self.body.places.load(self.body.places.of(node))
        if "char" in node.type:
            return constant(*character(node.value, self.model, at))
        if "float" in node.type or "double" in node.type:
            pattern, real = floating.constant(node.value, self.model, at)
            return Value(Const(pattern, real.ir), real)
        return constant(*integer(node.value, self.model, at))

    def _id(self, node: c_ast.ID, hint: CType | None) -> Value:
        symbol = self.body.scope.lookup(node.name)
        if isinstance(symbol, ConstantSymbol):
            return Value(Const(symbol.value, scalar(symbol.type)), symbol.type)
        if isinstance(symbol, BoundSymbol):
            return Value(symbol.value, unatomic(symbol.type))
        if symbol is None:
            special = self._special(node)
            if special is not None:
                return special
        return self.body.places.load(self.body.places.of(node))

    def _special(self, node: c_ast.ID) -> Value | None:
        if node.name in ("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"):
            if node.name == "__PRETTY_FUNCTION__":
                self.unit.assume(PRETTY, self.body.position(node))
            codes = [*self.body.frame.name.encode(), 0]
            address = self.unit.objects.string(codes, self.body.position(node))
            return Value(address, self.model.pointer_to(self.model.char))
        if node.name in self.unit.features:
            return constant(self.unit.features[node.name], self.model.int)
        if node.name in self.unit.functions:
            return Value(self.unit.function_address(node.name), self.model.pointer_to(VOID))
        return None

    def _arrayref(self, node: c_ast.ArrayRef, hint: CType | None) -> Value:
        return self.body.places.load(self.body.places.of(node))

    def _structref(self, node: c_ast.StructRef, hint: CType | None) -> Value:
        return self.body.places.load(self.body.places.of(node))

    def _compoundliteral(self, node: c_ast.CompoundLiteral, hint: CType | None) -> Value:
        type = self.unit.types.declared(node.type, self.body.scope)
        if is_scalar(type):
            items = node.init.exprs
            return converted(self.value(items[0], type), type)
        return self.body.places.load(self.body.places.of(node))

    def _compound(self, node: c_ast.Compound, hint: CType | None) -> Value:
        labels, inside = self.body.frame.labels, label_names(node)

        def outside() -> frozenset[int]:
            return frozenset(at for label, at in labels.items() if label not in inside)

        with self.body.order.whole(Kind.BRANCHING, outside):
            return self.body.statements.statement_expression(node, hint)

    def _funccall(self, node: c_ast.FuncCall, hint: CType | None) -> Value:
        return self.body.calls.call(node, hint)

    def _exprlist(self, node: c_ast.ExprList, hint: CType | None) -> Value:
        mark = self.body.order.mark
        for e in node.exprs[:-1]:
            self.discard(e)
            self.body.order.point(mark)
        return self.value(node.exprs[-1], hint)

    def _cast(self, node: c_ast.Cast, hint: CType | None) -> Value:
        type = evaluated(self.body, self.unit.types.declared(node.to_type, self.body.scope))
        type = thread_ids.kept(type, node.expr, self.typeof)
        if isinstance(type, CVoid):
            self.discard(node.expr)
            return Value(Const(0, INT), VOID)
        generic = type == self.model.pointer_to(VOID)
        thread_ids.moved(self.body, node, type, hint)
        value = self.value(node.expr, hint if generic else type)
        if generic:
            thread_ids.converts(self.body, value, type, node)
        if isinstance(type, CRecord) and value.type == type:
            return value
        note_conversion(self.body, node, value.type, type)
        return converted(value, unatomic(type))

    def _genericselection(self, node: c_ast.GenericSelection, hint: CType | None) -> Value:
        return self.value(self.types.selected(node), hint)

    def _ternaryop(self, node: c_ast.TernaryOp, hint: CType | None) -> Value:
        result = composite(self.model, self.typeof(node.iftrue), self.typeof(node.iffalse))
        if self.is_constant(node.cond):
            test = settled(truth(self.scalar_value(node.cond)))
            if isinstance(test, Const):
                arm = node.iftrue if test.value else node.iffalse
                return converted(self.value(arm, hint), result)
        with self.body.order.whole(Kind.BRANCHING):
            return self._conditional(node, result, hint)

    def _conditional(self, node: c_ast.TernaryOp, result: CType, hint: CType | None) -> Value:
        """`?:` with a condition that is not constant."""
        then, otherwise, end = (self.graph.location() for _ in range(3))
        self.condition(node.cond, then, otherwise)
        register: Reg | None = None
        if is_scalar(result):
            register = self.graph.temporary(scalar(result))
        elif isinstance(result, CRecord):
            register = self.graph.temporary(self.body.pointer)
        for start, arm in ((then, node.iftrue), (otherwise, node.iffalse)):
            self.graph.at(start)
            if register is None:
                self.discard(arm)
            else:
                self.graph.emit(Assign(register, converted(self.value(arm, hint), result).expr))
            self.graph.goto(end)
        self.graph.at(end)
        return Value(register if register is not None else Const(0, INT), result)

    def _assignment(self, node: c_ast.Assignment, hint: CType | None) -> Value:
        if node.op == "=":
            return self._assignments.assign(node, used=True)
        return self._assignments.compound(node)

    def _unaryop(self, node: c_ast.UnaryOp, hint: CType | None) -> Value:
        match node.op:
            case "p++" | "p--":
                return self._assignments.step(node, keep_old=True)
            case "++" | "--":
                return self._assignments.step(node, keep_old=False)
            case "sizeof":
                return self._sizeof(node)
            case "_Alignof" | "__alignof__" | "__alignof":
                return constant(self.types.alignment(node), self.model.size_t)
            case "&":
                return self._address(node)
            case "*":
                return self.body.places.load(self.body.places.of(node))
            case "!":
                return Value(logical_not(self.scalar_value(node.expr)), self.model.int)
            case "+" | "-" | "~":
                value = self.scalar_value(node.expr)
                if isinstance(value.type, CFloat) and node.op != "~":
                    return value if node.op == "+" else with_other_sign(value)
                thread_ids.taken_as_number(self.body, value)
                type = self.model.promote(integer_value(value, f"unary {node.op}"))
                promoted = converted(value, type)
                if node.op == "+":
                    return promoted
                if type.field_width is not None:
                    what = f"unary {node.op} on a bit-field wider than int: compilers differ"
                    raise UnsupportedError(what)
                return Value(unary(node.op, promoted.expr), type)
            case _:
                raise UnsupportedError(f"operator {node.op}", self.body.position(node))

    def _sizeof(self, node: c_ast.UnaryOp) -> Value:
        t = self.typeof(node.expr)
        if isinstance(t, CArray) and t.length is not None:
            if not isinstance(node.expr, c_ast.Typename) and has_effect(node.expr):
                types = (t for t in subtrees(node.expr) if isinstance(t, c_ast.Typename))
                if any(has_effect(type) for type in types):
                    raise UnsupportedError("sizeof with side effects in a type in its operand")
                self.discard(node.expr)  # it is evaluated (C11 6.5.3.4)
            size = variable_size(t)
            return Value(fold(Convert(size, self.model.size_t.ir)), self.model.size_t)
        return constant(sizeof(t), self.model.size_t)

    def _address(self, node: c_ast.UnaryOp) -> Value:
        place = self.body.places.of(node.expr)
        if isinstance(place, RegisterPlace):
            raise InputError("the address of a register is taken", self.body.position(node))
        if place.bits is not None:
            raise InputError("the address of a bit-field is taken", self.body.position(node))
        if isinstance(node.expr, c_ast.StructRef):
            whole = self.typeof(node.expr.name)
            whole = whole.target if isinstance(whole, CPtr) else whole
            if is_packed(whole, place.type):
                self.unit.assume(MISALIGNED, self.body.position(node))
        return Value(place.address, self.model.pointer_to(place.type))

    def _binaryop(self, node: c_ast.BinaryOp, hint: CType | None) -> Value:
        if node.op in ("&&", "||"):
            return self._logical(node)
        with self.body.order.operands() as operands:
            with operands.one():
                left = self.value(node.left)
            with operands.one():
                right = self.value(node.right)
        self.body.visit(node)
        known = thread_ids.compared(self.body, node.op, left, right, node)
        return known or binary(self.model, node.op, left, right, self.unit.overflow)

    def _logical(self, node: c_ast.BinaryOp) -> Value:
        """`&&` and `||` as a value."""
        if self.is_constant(node.left):
            test = settled(truth(self.scalar_value(node.left)))
            if isinstance(test, Const) and bool(test.value) == (node.op == "||"):
                return Value(test, self.model.int)
            if isinstance(test, Const):
                return Value(truth(self.scalar_value(node.right)), self.model.int)
        with self.body.order.whole(Kind.BRANCHING):
            return self._short_circuit(node)

    def _short_circuit(self, node: c_ast.BinaryOp) -> Value:
        result = self.graph.temporary(INT)
        then, otherwise, end = (self.graph.location() for _ in range(3))
        self.condition(node, then, otherwise)
        for start, outcome in ((then, 1), (otherwise, 0)):
            self.graph.at(start)
            self.graph.emit(Assign(result, Const(outcome, INT)))
            self.graph.goto(end)
        self.graph.at(end)
        return Value(result, self.model.int)

    def is_constant(self, node: c_ast.Node) -> bool:
        """Whether the expression consists of constants and operators only."""
        match node:
            case c_ast.Constant(type=kind):
                return str(kind) != "string"
            case c_ast.ID(name=name):
                return isinstance(self.body.scope.lookup(name), ConstantSymbol)
            case c_ast.FuncCall(name=c_ast.ID(name="__builtin_constant_p"), args=args) if args:
                return self.body.unit.types.is_constant_required or self.is_constant(args.exprs[0])
            case c_ast.FuncCall(name=c_ast.ID(name="__builtin_types_compatible_p")):
                return True
            case c_ast.FuncCall(name=c_ast.ID(name="offsetof" | "__builtin_offsetof"), args=args):
                places = [n for n in subtrees(args) if isinstance(n, c_ast.ArrayRef)]
                return all(self.is_constant(place.subscript) for place in places)
            case c_ast.UnaryOp(op="sizeof" | "_Alignof" | "__alignof__" | "__alignof"):
                return True
            case c_ast.UnaryOp(op="+" | "-" | "~" | "!") | c_ast.Cast():
                return self.is_constant(node.expr)
            case c_ast.BinaryOp(left=left, right=right):
                return self.is_constant(left) and self.is_constant(right)
            case c_ast.TernaryOp(cond=a, iftrue=b, iffalse=c):
                return all(self.is_constant(part) for part in (a, b, c))
            case _:
                return False

    def reads_memory(self, node: c_ast.Node) -> bool:
        """Whether evaluating the expression may read an object in memory."""
        for n in subtrees(node):
            if isinstance(n, c_ast.ArrayRef | c_ast.StructRef):
                return True
            if isinstance(n, c_ast.UnaryOp) and n.op == "*":
                return True
            if isinstance(n, c_ast.ID) and isinstance(
                self.body.scope.lookup(n.name), ObjectSymbol | ThreadLocalSymbol
            ):
                return True
        return False
