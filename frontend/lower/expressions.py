"""Lowering of expressions to three-address form: each access to memory becomes its own action.

Evaluation is left to right; side effects and calls happen where they stand; the right operand of
an assignment is evaluated before the place on its left is read. C leaves most of this open.
"""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from abpress.errors import AbPressError, InputError, UnsupportedError
from abpress.ir.expr import Const, Convert, Expr, FuncAddr, PtrDiff, Reg
from abpress.ir.program import Assign
from abpress.ir.types import INT, IntType
from frontend.lower.aggregates import copy_object, initialise_object
from frontend.lower.body import Body
from frontend.lower.ctypes import (
    VOID,
    CArray,
    CFunction,
    CInt,
    CPtr,
    CRecord,
    CType,
    CVoid,
    alignof,
    find_field,
    is_atomic,
    is_scalar,
    scalar,
    sizeof,
)
from frontend.lower.literals import character, integer, string
from frontend.lower.scope import (
    BoundSymbol,
    ConstantSymbol,
    FunctionSymbol,
    ObjectSymbol,
    RegisterSymbol,
    ThreadLocalSymbol,
    TypedefSymbol,
)
from frontend.lower.static_types import StaticTypes, composite
from frontend.lower.types import unatomic
from frontend.lower.values import (
    OFFSET,
    MemoryPlace,
    Place,
    RegisterPlace,
    Value,
    arithmetic,
    comparison,
    constant,
    converted,
    fold,
    integer_value,
    logical_not,
    pointer_add,
    scaled,
    truth,
    unary,
)

COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})


class ExpressionLowering:
    """Lowers the expressions of one template."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.unit = body.unit
        self.model = body.unit.model
        self.graph = body.graph
        self.types = StaticTypes(body)

    # -- entry points -------------------------------------------------------------------------

    def value(self, node: c_ast.Node, hint: CType | None = None) -> Value:
        """The value of `node`; arrays and functions decay. `hint` is the type that the context
        converts the value to, from which an allocation learns what it allocates."""
        self.body.visit(node)
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
        return result

    def scalar_value(self, node: c_ast.Node, hint: CType | None = None) -> Value:
        value = self.value(node, hint)
        scalar(value.type)
        return value

    def discard(self, node: c_ast.Node) -> None:
        """Evaluates `node` for its side effects."""
        if isinstance(node, c_ast.UnaryOp) and node.op in ("p++", "p--"):
            self._step(node, keep_old=False)
        else:
            self.value(node)

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

    # -- places -------------------------------------------------------------------------------

    def place(self, node: c_ast.Node) -> Place:
        """Where the lvalue `node` lies."""
        self.body.visit(node)
        match node:
            case c_ast.ID(name=name):
                return self._variable(node, name)
            case c_ast.UnaryOp(op="*", expr=operand):
                pointer = self.value(operand)
                return MemoryPlace(pointer.expr, self._target(pointer, node))
            case c_ast.ArrayRef(name=base, subscript=subscript):
                return self._element(node, self.value(base), self.value(subscript))
            case c_ast.StructRef():
                return self._member(node)
            case c_ast.CompoundLiteral():
                return self._compound_place(node)
            case c_ast.Constant(type="string", value=text):
                at = self.body.position(node)
                codes = string(text, at)
                address = self.unit.string_literal(codes, at)
                return MemoryPlace(address, CArray(self.model.char, len(codes)))
            case c_ast.ExprList(exprs=[*before, last]):
                for e in before:
                    self.discard(e)
                return self.place(last)
            case _:
                value = self.value(node)
                if isinstance(value.type, CRecord):
                    return MemoryPlace(value.expr, value.type)
                raise InputError("an lvalue is expected here", self.body.position(node))

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

    def _target(self, pointer: Value, node: c_ast.Node) -> CType:
        if not isinstance(pointer.type, CPtr):
            raise InputError(
                f"a pointer is expected here, not {pointer.type}", self.body.position(node)
            )
        return pointer.type.target

    def _element(self, node: c_ast.Node, base: Value, index: Value) -> MemoryPlace:
        if isinstance(index.type, CPtr):
            base, index = index, base
        element = self._target(base, node)
        integer_value(index, "an array subscript")
        return MemoryPlace(pointer_add(base.expr, self._bytes(index.expr, element, node)), element)

    def _bytes(self, index: Expr, element: CType, node: c_ast.Node) -> Expr:
        """`index` elements in bytes."""
        if isinstance(element, CArray) and element.length is not None:
            size = self._variable_size(element)
            return arithmetic("*", scaled(index, 1), size)
        try:
            return scaled(index, sizeof(element))
        except UnsupportedError as e:
            raise UnsupportedError(e.message, self.body.position(node)) from None

    def _variable_size(self, t: CType) -> Expr:
        """The size of a type that may be variable, as an offset."""
        if isinstance(t, CArray) and t.length is not None:
            return arithmetic("*", scaled(t.length, 1), self._variable_size(t.element))
        return Const(sizeof(t), OFFSET)

    def _member(self, node: c_ast.StructRef) -> MemoryPlace:
        if node.type == "->":
            pointer = self.value(node.name)
            base, record = pointer.expr, self._target(pointer, node)
        else:
            place = self.place(node.name)
            if not isinstance(place, MemoryPlace):
                raise InputError(f"{place.type} has no members", self.body.position(node))
            base, record = place.address, place.type
        name = node.field.name
        if not isinstance(record, CRecord):
            raise InputError(f"{record} has no members", self.body.position(node))
        if record.fields is None:
            raise UnsupportedError(f"member of the incomplete {record}", self.body.position(node))
        field = find_field(record, name)
        if field is None:
            raise InputError(f"{record} has no member '{name}'", self.body.position(node))
        address = pointer_add(base, Const(field.offset, OFFSET))
        return MemoryPlace(address, field.type, field.bits)

    def _compound_place(self, node: c_ast.CompoundLiteral) -> MemoryPlace:
        type = self.unit.types.declared(node.type, self.body.scope)
        type = self.unit.initialisers.completed(type, node.init)
        if self.body.frame.function is None:  # outside of functions: a static object
            address = self.unit.static_literal(type, node.init, self.body.position(node))
            return MemoryPlace(address, type)
        place = MemoryPlace(self.body.local_object("(literal)", type), type)
        self.initialise(place, node.init)
        return place

    # -- reading and writing places -----------------------------------------------------------

    def load(self, place: Place) -> Value:
        """The value at `place`; arrays and functions decay to pointers."""
        if isinstance(place, RegisterPlace):
            return Value(place.register, unatomic(place.type))
        match place.type:
            case CArray(element):
                return Value(place.address, self.model.pointer_to(element))
            case CFunction():
                return Value(place.address, self.model.pointer_to(place.type))
            case CRecord() | CVoid():
                return Value(place.address, place.type)
        if place.bits is not None:
            return self._load_bits(place)
        return Value(self.body.load(place.address, place.type), unatomic(place.type))

    def _load_bits(self, place: MemoryPlace) -> Value:
        assert place.bits is not None and isinstance(place.type, CInt)
        first, width = place.bits
        unit = self.model.unsigned(place.type) if not place.type.is_bool else place.type
        return self._bits(self.body.load(place.address, unit), first, width, place.type)

    def _bits(self, raw: Expr, first: int, width: int, field: CInt) -> Value:
        """The value of the bits of an unsigned `raw` from `first` on, as a field's, promoted."""
        bits = field.ir.bits
        shifted = arithmetic("<<", raw, Const(bits - first - width, INT))
        signed = fold(Convert(shifted, IntType(bits, field.ir.signed)))
        moved = arithmetic(">>", signed, Const(bits - width, INT))
        type = self.model.promote_bits(field, width)
        return Value(fold(Convert(moved, type.ir)), type)

    def _assigned(self, place: Place, value: Value) -> Value:
        """The value of an assignment of `value` to `place` as an expression (C11 6.5.16)."""
        if isinstance(place, RegisterPlace):
            return Value(place.register, unatomic(place.type))
        if place.bits is None or not isinstance(place.type, CInt):
            return value
        raw = fold(Convert(value.expr, IntType(place.type.ir.bits, False)))
        return self._bits(raw, 0, place.bits[1], place.type)

    def assign(self, place: Place, value: Value) -> None:
        """Writes `value`, already of the place's type, to `place`."""
        if isinstance(place, RegisterPlace):
            self.graph.emit(Assign(place.register, value.expr))
        elif isinstance(place.type, CRecord):
            copy_object(self.body, place.address, value.expr, place.type)
        elif place.bits is not None:
            self._store_bits(place, value)
        else:
            self.body.store(place.address, value.expr, is_atomic(place.type))

    def _store_bits(self, place: MemoryPlace, value: Value) -> None:
        assert place.bits is not None and isinstance(place.type, CInt)
        first, width = place.bits
        unit = self.model.unsigned(place.type) if not place.type.is_bool else place.type
        mask = ((1 << width) - 1) << first
        raw = self.body.load(place.address, unit)
        kept = arithmetic("&", raw, Const(unit.ir.maximum & ~mask, unit.ir))
        new = arithmetic("<<", fold(Convert(value.expr, unit.ir)), Const(first, INT))
        new = arithmetic("&", new, Const(mask, unit.ir))
        self.body.store(place.address, arithmetic("|", kept, new))

    def initialise(self, place: MemoryPlace, node: c_ast.Node) -> None:
        initialise_object(self.body, place.address, place.type, node)

    # -- kinds of expressions: called by `value`, one per class of the syntax tree ------------

    def _constant(self, node: c_ast.Constant, hint: CType | None) -> Value:
        at = self.body.position(node)
        if node.type == "string":
            return self.load(self.place(node))
        if "char" in node.type:
            return constant(*character(node.value, self.model, at))
        if "float" in node.type or "double" in node.type:
            raise UnsupportedError(f"floating-point constant {node.value}", at)
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
        return self.load(self.place(node))

    def _special(self, node: c_ast.ID) -> Value | None:
        options = self.unit.options
        match node.name:
            case "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__":
                codes = [*self.body.frame.name.encode(), 0]
                address = self.unit.string_literal(codes, self.body.position(node))
                return Value(address, self.model.pointer_to(self.model.char))
            case "__abp_spurious_wakeups":
                return constant(int(options.spurious_wakeups), self.model.int)
            case "__abp_malloc_may_fail":
                return constant(int(options.malloc_may_fail), self.model.int)
        if node.name in self.unit.functions:
            return Value(self.unit.function_address(node.name), self.model.pointer_to(VOID))
        return None

    def _arrayref(self, node: c_ast.ArrayRef, hint: CType | None) -> Value:
        return self.load(self.place(node))

    def _structref(self, node: c_ast.StructRef, hint: CType | None) -> Value:
        return self.load(self.place(node))

    def _compoundliteral(self, node: c_ast.CompoundLiteral, hint: CType | None) -> Value:
        type = self.unit.types.declared(node.type, self.body.scope)
        if is_scalar(type):
            items = node.init.exprs
            return converted(self.value(items[0], type), type)
        return self.load(self.place(node))

    def _compound(self, node: c_ast.Compound, hint: CType | None) -> Value:
        return self.body.statements.statement_expression(node, hint)

    def _funccall(self, node: c_ast.FuncCall, hint: CType | None) -> Value:
        return self.body.calls.call(node, hint)

    def _exprlist(self, node: c_ast.ExprList, hint: CType | None) -> Value:
        for e in node.exprs[:-1]:
            self.discard(e)
        return self.value(node.exprs[-1], hint)

    def _cast(self, node: c_ast.Cast, hint: CType | None) -> Value:
        type = self.unit.types.declared(node.to_type, self.body.scope)
        if isinstance(type, CVoid):
            self.discard(node.expr)
            return Value(Const(0, INT), VOID)
        value = self.value(node.expr, type if type != self.model.pointer_to(VOID) else hint)
        if isinstance(type, CRecord) and value.type is type:
            return value
        return converted(value, unatomic(type))

    def _genericselection(self, node: c_ast.GenericSelection, hint: CType | None) -> Value:
        return self.value(self.types.selected(node), hint)

    def _ternaryop(self, node: c_ast.TernaryOp, hint: CType | None) -> Value:
        result = composite(self.model, self.typeof(node.iftrue), self.typeof(node.iffalse))
        if self.is_constant(node.cond):
            test = truth(self.scalar_value(node.cond))
            if isinstance(test, Const):
                arm = node.iftrue if test.value else node.iffalse
                return converted(self.value(arm, hint), result)
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
            return self._simple_assignment(node)
        op = node.op[:-1]
        right = self.value(node.rvalue)
        place = self.place(node.lvalue)
        return self._update(place, lambda old: self.binary(op, old, right, node), node)[1]

    def _simple_assignment(self, node: c_ast.Assignment) -> Value:
        target = self.typeof(node.lvalue)
        value = self.value(node.rvalue, target)
        place = self.place(node.lvalue)
        self.body.visit(node)
        value = converted(value, place.type)
        self.assign(place, value)
        return self._assigned(place, value)

    def _update(
        self, place: Place, change: Callable[[Value], Value], node: c_ast.Node
    ) -> tuple[Value, Value]:
        """Replaces the value at `place` by `change` of it, atomically if it is `_Atomic`; returns
        the old and the new value."""
        atomic = isinstance(place, MemoryPlace) and is_atomic(place.type)
        if atomic:
            self.graph.atomic(+1)
        old = self.load(place)
        new = converted(change(old), unatomic(place.type))
        self.body.visit(node)
        self.assign(place, new)
        if atomic:
            self.graph.atomic(-1)
        return old, self._assigned(place, new)

    def _step(self, node: c_ast.UnaryOp, keep_old: bool) -> Value:
        """`++` and `--`."""
        place = self.place(node.expr)
        op = "+" if "+" in node.op else "-"
        one = constant(1, self.model.int)
        kept: list[Value] = []

        def change(old: Value) -> Value:
            if keep_old:
                kept.append(self.body.copied(old))
            return self.binary(op, old, one, node)

        _, new = self._update(place, change, node)
        return kept[0] if keep_old else new

    def _unaryop(self, node: c_ast.UnaryOp, hint: CType | None) -> Value:
        match node.op:
            case "p++" | "p--":
                return self._step(node, keep_old=True)
            case "++" | "--":
                return self._step(node, keep_old=False)
            case "sizeof":
                return self._sizeof(node)
            case "_Alignof":
                t = self.typeof(node.expr)
                return constant(alignof(t), self.model.size_t)
            case "&":
                return self._address(node)
            case "*":
                return self.load(self.place(node))
            case "!":
                return Value(logical_not(self.scalar_value(node.expr)), self.model.int)
            case "+" | "-" | "~":
                value = self.scalar_value(node.expr)
                type = self.model.promote(integer_value(value, f"unary {node.op}"))
                promoted = converted(value, type)
                if node.op == "+":
                    return promoted
                return Value(unary(node.op, promoted.expr), type)
            case _:
                raise UnsupportedError(f"operator {node.op}", self.body.position(node))

    def _sizeof(self, node: c_ast.UnaryOp) -> Value:
        t = self.typeof(node.expr)
        if isinstance(t, CArray) and t.length is not None:
            size = self._variable_size(t)
            return Value(fold(Convert(size, self.model.size_t.ir)), self.model.size_t)
        return constant(sizeof(t), self.model.size_t)

    def _address(self, node: c_ast.UnaryOp) -> Value:
        place = self.place(node.expr)
        if isinstance(place, RegisterPlace):
            raise InputError("the address of a register is taken", self.body.position(node))
        if place.bits is not None:
            raise InputError("the address of a bit-field is taken", self.body.position(node))
        return Value(place.address, self.model.pointer_to(place.type))

    def _binaryop(self, node: c_ast.BinaryOp, hint: CType | None) -> Value:
        if node.op in ("&&", "||"):
            return self._logical(node)
        left = self.value(node.left)
        right = self.value(node.right)
        self.body.visit(node)
        return self.binary(node.op, left, right, node)

    def _logical(self, node: c_ast.BinaryOp) -> Value:
        """`&&` and `||` as a value."""
        if self.is_constant(node.left):
            test = truth(self.scalar_value(node.left))
            if isinstance(test, Const) and bool(test.value) == (node.op == "||"):
                return Value(test, self.model.int)
            if isinstance(test, Const):
                return Value(truth(self.scalar_value(node.right)), self.model.int)
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
            case c_ast.UnaryOp(op="sizeof" | "_Alignof"):
                return True
            case c_ast.UnaryOp(op="+" | "-" | "~" | "!") | c_ast.Cast():
                return self.is_constant(node.expr)
            case c_ast.BinaryOp(left=left, right=right):
                return self.is_constant(left) and self.is_constant(right)
            case c_ast.TernaryOp(cond=a, iftrue=b, iffalse=c):
                return all(self.is_constant(part) for part in (a, b, c))
            case _:
                return False

    # -- operators ----------------------------------------------------------------------------

    def binary(self, op: str, left: Value, right: Value, node: c_ast.Node) -> Value:
        """A binary operator that evaluates both operands."""
        pointers = isinstance(left.type, CPtr) + isinstance(right.type, CPtr)
        if pointers:
            return self._pointer_operator(op, left, right, pointers, node)
        a, b = integer_value(left, f"operator {op}"), integer_value(right, f"operator {op}")
        if op in ("<<", ">>"):
            promoted = converted(left, self.model.promote(a))
            count = converted(right, self.model.promote(b))
            return Value(arithmetic(op, promoted.expr, count.expr), promoted.type)
        common = self.model.usual(a, b)
        x, y = converted(left, common).expr, converted(right, common).expr
        if op in COMPARISONS:
            return Value(comparison(op, x, y), self.model.int)
        return Value(arithmetic(op, x, y), common)

    def _pointer_operator(
        self, op: str, left: Value, right: Value, pointers: int, node: c_ast.Node
    ) -> Value:
        if op in COMPARISONS:
            generic = self.model.pointer_to(VOID)
            x, y = converted(left, generic).expr, converted(right, generic).expr
            if op in ("==", "!=") and isinstance(x, FuncAddr) and isinstance(y, FuncAddr):
                return constant(int((x == y) == (op == "==")), self.model.int)
            return Value(comparison(op, x, y), self.model.int)
        if op == "-" and pointers == 2:
            size = max(1, sizeof(self._target(left, node)))
            difference: Expr = PtrDiff(left.expr, right.expr, OFFSET)
            if size > 1:
                difference = arithmetic("/", difference, Const(size, OFFSET))
            ptrdiff = self.model.ptrdiff_t
            return Value(fold(Convert(difference, ptrdiff.ir)), ptrdiff)
        if op in ("+", "-") and pointers == 1:
            if isinstance(right.type, CPtr):
                if op == "-":
                    raise InputError("a pointer is subtracted from an integer")
                left, right = right, left
            integer_value(right, f"operator {op}")
            offset = self._bytes(right.expr, self._target(left, node), node)
            if op == "-":
                offset = unary("-", offset)
            return Value(pointer_add(left.expr, offset), left.type)
        raise InputError(f"operator {op} on a pointer", self.body.position(node))
