"""GNU C's operators in the form of calls: `a ?: b`, and choices that the compiler makes."""

from __future__ import annotations

from pycparser import c_ast

from abpress.errors import UnsupportedError
from abpress.ir.expr import Const, Convert, Expr
from abpress.ir.program import Assign
from abpress.ir.types import IntType
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.call import Call
from abpress_frontend.lower.ctypes import CArray, CFunction, CInt, CPtr, CType, is_scalar, scalar
from abpress_frontend.lower.entries import Entry, Lowered
from abpress_frontend.lower.static_types import composite
from abpress_frontend.lower.syntax import has_effect
from abpress_frontend.lower.types import unatomic
from abpress_frontend.lower.values import (
    Value,
    arithmetic,
    comparison,
    converted,
    fold,
    integer_value,
    truth,
)


def _elvis_type(body: Body, node: c_ast.FuncCall) -> CType:
    first, second = node.args.exprs
    return composite(
        body.unit.model, body.expressions.typeof(first), body.expressions.typeof(second)
    )


def _elvis(call: Call) -> Value:
    """`a ?: b`: a, evaluated once, if it is not zero, else b."""
    type = _elvis_type(call.body, call.node)
    if not is_scalar(type):
        raise UnsupportedError(f"?: without second operand on {type}")
    value = call.value(0)
    result = call.graph.temporary(scalar(type))
    call.graph.emit(Assign(result, converted(value, type).expr))
    otherwise, end = call.graph.location(), call.graph.location()
    test = truth(value)
    if isinstance(test, Const):
        call.graph.goto(end if test.value else otherwise)
    else:
        call.graph.branch(test, end, otherwise)
    call.graph.at(otherwise)
    other: Expr = call.value(1, type).expr
    call.graph.emit(Assign(result, other))
    call.graph.goto(end)
    call.graph.at(end)
    return Value(result, type)


def _chosen(body: Body, node: c_ast.FuncCall) -> int:
    """The index of the argument that `__builtin_choose_expr` chooses."""
    condition, _, _ = node.args.exprs
    return 1 if body.unit.types.constant(condition) else 2


def _chosen_type(body: Body, node: c_ast.FuncCall) -> CType:
    return body.expressions.typeof(node.args.exprs[_chosen(body, node)])


def _choose(call: Call) -> Value:
    chosen = _chosen(call.body, call.node)
    call.not_evaluated(0, 3 - chosen)
    return call.passed_on(chosen)


def _is_constant(call: Call) -> Value:
    """1 for an integer constant expression; for anything else compilers choose, by what they know
    when they optimise. Where a constant is required they say 0."""
    call.not_evaluated(0)
    node = call.argument(0)
    expressions = call.body.expressions
    if isinstance(node, c_ast.Constant) and node.type == "string":
        return call.constant(1)
    if expressions.is_constant(node) and isinstance(expressions.typeof(node), CInt):
        if isinstance(expressions.value(node).expr, Const):
            return call.constant(1)
    elif has_effect(node):
        return call.constant(0)
    if call.unit.types.is_constant_required or call.body.frame.function is None:
        return call.constant(0)
    return call.arbitrary(call.model.int, f"result of {call.name}", 0, 1)


def _compatible(call: Call) -> Value:
    """Whether two types are compatible; raises UnsupportedError where types here do not tell.

    These have no qualifiers (those of the types themselves do not matter), and an enumeration
    is the integer type that holds it.
    """
    call.not_evaluated(0, 1)
    a, b = (call.body.expressions.typeof(call.argument(i)) for i in (0, 1))
    if a != b and unatomic(a) == unatomic(b):
        raise UnsupportedError(f"{call.name} of an atomic type: GCC and Clang differ")
    inner = (a, b)
    while isinstance(inner[0], CArray) and isinstance(inner[1], CArray):
        counts = {inner[0].count, inner[1].count} - {None}
        if inner[0].length is not None or inner[1].length is not None:
            raise UnsupportedError(f"{call.name} of variable arrays")
        if len(counts) > 1:
            return call.constant(0)
        inner = (inner[0].element, inner[1].element)
    is_pointer = False
    while isinstance(inner[0], CPtr) and isinstance(inner[1], CPtr):
        inner, is_pointer = (inner[0].target, inner[1].target), True
    is_enum = any(isinstance(t, CInt) and t.is_enum for t in inner)
    is_same = inner[0] == inner[1]
    unclear = is_same and (is_pointer or is_enum)
    if unclear or all(isinstance(t, CArray | CFunction) for t in inner):
        raise UnsupportedError(f"{call.name} of enumerations, pointers or functions")
    return call.constant(int(is_same))


_WIDE = IntType(256, True)
"""Holds the exact result of an operation on two integers of any type."""


def _overflows(op: str, operands_are: str | None = None) -> Lowered:
    """Stores the exact result of an operation, wrapped around; the result is whether it was. The
    operands are converted first to a type of `DataModel`, if one is given."""

    def handler(call: Call) -> Value:
        operands = []
        for k in (0, 1):
            value = call.value(k, getattr(call.model, operands_are) if operands_are else None)
            integer_value(value, call.name)
            operands.append(fold(Convert(call.pinned(value), _WIDE)))
        target = call.target(2)
        type = target.type
        if not isinstance(type, CInt) or type.atomic or type.is_bool:
            raise UnsupportedError(f"{call.name} into an object of type {type}")
        register = call.graph.temporary(_WIDE)
        call.graph.emit(Assign(register, arithmetic(op, *operands)))
        wrapped = fold(Convert(register, type.ir))
        call.body.store(target.address, wrapped)
        lost = comparison("!=", register, fold(Convert(wrapped, _WIDE)))
        return converted(Value(lost, call.model.int), call.model.bool)

    return Lowered(handler, "bool")


_OVERFLOWS = {"add": "+", "sub": "-", "mul": "*"}
_OPERANDS = {
    "s": "int", "sl": "long", "sll": "llong", "u": "uint", "ul": "ulong", "ull": "ullong"
}  # fmt: skip

GNU: dict[str, Entry] = {
    **{f"__builtin_{name}_overflow": _overflows(op) for name, op in _OVERFLOWS.items()},
    **{
        f"__builtin_{prefix[0]}{name}{prefix[1:]}_overflow": _overflows(op, type)
        for prefix, type in _OPERANDS.items()
        for name, op in _OVERFLOWS.items()
    },
    "__abp_elvis": Lowered(_elvis, _elvis_type, operator=True),
    "__builtin_choose_expr": Lowered(_choose, _chosen_type, operator=True),
    "__builtin_constant_p": Lowered(_is_constant, "int"),
    "__builtin_types_compatible_p": Lowered(_compatible, "int"),
}
