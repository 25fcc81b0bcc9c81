"""GNU C's operators in the form of calls: `a ?: b`, and choices that the compiler makes."""

from __future__ import annotations

from pycparser import c_ast

from abpress.errors import UnsupportedError
from abpress.ir.expr import Const, Expr
from abpress.ir.program import Assign
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.call import Call
from abpress_frontend.lower.ctypes import CPtr, CType, is_scalar, scalar
from abpress_frontend.lower.entries import Entry, Lowered
from abpress_frontend.lower.static_types import composite
from abpress_frontend.lower.values import Value, converted, truth


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


def _chosen(body: Body, node: c_ast.FuncCall) -> c_ast.Node:
    condition, yes, no = node.args.exprs
    return yes if body.unit.types.constant(condition) else no


def _choose(call: Call) -> Value:
    return call.body.expressions.value(_chosen(call.body, call.node), call.hint)


def _is_constant(call: Call) -> Value:
    """1 for what consists of constants; for anything else 0 is always a right answer."""
    return call.constant(int(call.body.expressions.is_constant(call.argument(0))))


def _compatible(call: Call) -> Value:
    """Whether two types, here the operands of `sizeof`, are the same."""
    a, b = (call.body.expressions.typeof(call.argument(i).expr) for i in (0, 1))
    if isinstance(a, CPtr) and a == b:  # types here have no qualifiers
        raise UnsupportedError(f"{call.name} of pointer types")
    return call.constant(int(a == b))


GNU: dict[str, Entry] = {
    "__abp_elvis": Lowered(_elvis, _elvis_type),
    "__builtin_choose_expr": Lowered(
        _choose, lambda body, node: body.expressions.typeof(_chosen(body, node))
    ),
    "__builtin_constant_p": Lowered(_is_constant, "int"),
    "__builtin_types_compatible_p": Lowered(_compatible, "int"),
}
