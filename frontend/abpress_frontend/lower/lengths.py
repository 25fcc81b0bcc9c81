"""Variable lengths of array types: expressions that are evaluated where the type stands."""

from __future__ import annotations

import dataclasses

from pycparser import c_ast

from abpress.ir.expr import Const, Expr, Reg
from abpress.ir.program import Assign, Fault
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.ctypes import CArray, CPtr, CType
from abpress_frontend.lower.function import Function
from abpress_frontend.lower.scope import BoundSymbol, ObjectSymbol, RegisterSymbol
from abpress_frontend.lower.sequencing import Kind
from abpress_frontend.lower.values import Value, comparison


def evaluated(body: Body, type: CType) -> CType:
    """The type with its variable lengths in registers of their own: they stay as they are where it
    is reached (C11 6.7.6.2p5)."""
    if isinstance(type, CPtr):
        target = evaluated(body, type.target)
        return type if target is type.target else dataclasses.replace(type, target=target)
    if not isinstance(type, CArray):
        return type
    element = evaluated(body, type.element)
    if type.length is None:
        return type if element is type.element else dataclasses.replace(type, element=element)
    length = body.copied(Value(type.length, body.unit.model.llong)).expr
    if not isinstance(length, Const | Reg):
        register = body.graph.temporary(length.type)
        body.graph.emit(Assign(register, length))
        length = register
    _require_positive(body, length)
    return dataclasses.replace(type, element=element, length=length)


def _require_positive(body: Body, length: Expr) -> None:
    """The execution ends where an array gets no element (C11 6.7.6.2p5)."""
    good = comparison(">", length, Const(0, length.type))
    if isinstance(good, Const) and good.value:
        return
    with body.order.whole(Kind.BLOCK):
        longer, wrong = body.graph.location(), body.graph.location()
        body.graph.branch(good, longer, wrong)
        body.graph.at(wrong)
        body.graph.emit(Fault("variable-length array without elements"))
        body.graph.at(longer)


def evaluate_parameters(body: Body, function: Function) -> None:
    """Evaluates the lengths of parameters that are arrays, which is done on entry to the function
    (C11 6.9.1p10), although the parameters are pointers."""
    declarator = function.node.decl.type
    if declarator is None or declarator.args is None:  # a wrapper has none
        return
    for node in function.node.param_decls or declarator.args.params:
        type = getattr(node, "type", None)
        if isinstance(type, c_ast.ArrayDecl) and type.dim is not None:
            body.expressions.discard(type.dim)
        pointer = body.unit.types.parameter(node, body.scope)
        if pointer is not None:
            symbol = body.scope.names[node.name]
            assert isinstance(symbol, ObjectSymbol | RegisterSymbol | BoundSymbol)
            body.scope.names[node.name] = dataclasses.replace(symbol, type=evaluated(body, pointer))
