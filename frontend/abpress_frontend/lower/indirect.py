"""Calls through function pointers, and starts of threads.

A pointer that is not known when the code is lowered is compared with every function that it may
point to; where it equals none, or one of another type, the behaviour is undefined.
"""

from __future__ import annotations

from pycparser import c_ast

from abpress.errors import InputError, Position, UnsupportedError
from abpress.ir.expr import Addr, Const, FuncAddr, Reg
from abpress.ir.program import Assign, Cut, Fault, Spawn
from abpress.ir.types import INT
from abpress_frontend.lower.aggregates import copy_object
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.ctypes import (
    VOID,
    CArray,
    CFloat,
    CFunction,
    CPtr,
    CRecord,
    CType,
    CVoid,
    is_scalar,
    scalar,
)
from abpress_frontend.lower.function import Function
from abpress_frontend.lower.unchecked import OTHER_FUNCTION, is_called_otherwise
from abpress_frontend.lower.values import Value, comparison, converted, truth


def function_type(pointer: Value) -> CFunction:
    """The type of the function that a value points to."""
    type = pointer.type.target if isinstance(pointer.type, CPtr) else pointer.type
    if not isinstance(type, CFunction):
        raise InputError(f"call of a value of type {pointer.type}")
    return type


def call_through(
    body: Body, pointer: Value, arguments: list[Value], node: c_ast.Node, hint: CType | None
) -> Value:
    """The value of a call of what `pointer` points to."""
    type = function_type(pointer)
    graph = body.graph
    if isinstance(pointer.expr, FuncAddr):
        return _known(body, pointer.expr.function, type, arguments, node, hint)
    pointer = body.copied(pointer)
    end = graph.location()
    result: Reg | Addr | None = None
    if is_scalar(type.result):
        result = graph.temporary(scalar(type.result))
    elif isinstance(type.result, CRecord):
        result = body.local_object("()", type.result)
    for name in body.unit.pointed_to:
        function = body.calls.pointee(name)
        if function is None and body.calls.is_library(name):
            following = _if_equal(body, pointer, name)
            graph.emit(Cut(f"call of {name} through a pointer"))
            graph.at(following)
        if function is None or not _fits(function, type, len(arguments)):
            continue
        if is_called_otherwise(function.type, type):
            body.unit.assume(OTHER_FUNCTION, body.position(node))
        following = _if_equal(body, pointer, name)
        value = body.calls.inline(function, arguments, node, hint)
        if isinstance(result, Reg):
            graph.emit(Assign(result, converted(value, type.result).expr))
        elif isinstance(result, Addr):
            copy_object(body, result, value.expr, type.result)
        graph.goto(end)
        graph.at(following)
    body.visit(node)
    _invalid(body, pointer, "call through an invalid function pointer")
    graph.at(end)
    return Value(Const(0, INT), VOID) if result is None else Value(result, type.result)


def _known(
    body: Body,
    name: str,
    type: CFunction,
    arguments: list[Value],
    node: c_ast.Node,
    hint: CType | None,
) -> Value:
    """A call of this function as one of type `type`."""
    function = body.calls.pointee(name)
    if function is None:
        raise UnsupportedError(f"call of the undefined function '{name}' through a pointer")
    if len(arguments) < len(function.parameters):
        body.graph.emit(Fault(f"call of {name} with too few arguments"))
        return body.dead_value(type.result)
    if is_called_otherwise(function.type, type):
        body.unit.assume(OTHER_FUNCTION, body.position(node))
    value = body.calls.inline(function, arguments, node, hint)
    if is_scalar(type.result) and is_scalar(value.type):
        return converted(value, type.result)
    if isinstance(type.result, CVoid):
        return Value(Const(0, INT), VOID)
    if value.type is not type.result:
        body.graph.emit(Fault(f"call of {name} with another type of result"))
        return body.dead_value(type.result)
    return value


def spawn(body: Body, entry: Value, argument: Value) -> Value:
    """Creates a thread that runs the function `entry`; the value is its id."""
    unit, graph = body.unit, body.graph
    target = graph.temporary(unit.model.ulong.ir)
    passed = converted(argument, unit.model.pointer_to(VOID)).expr
    if isinstance(entry.expr, FuncAddr):
        name = entry.expr.function
        function = body.calls.runnable(name)
        if function is None:
            raise UnsupportedError(f"creation of a thread that runs the undefined '{name}'")
        generic = unit.model.pointer_to(VOID)
        result = unit.model.int if _is_of_c11(graph.position) else generic
        if is_called_otherwise(function.type, CFunction(result, (generic,))):
            unit.assume(OTHER_FUNCTION, graph.position.origin)
        graph.emit(Spawn(target, unit.template(name), passed))
        return Value(target, unit.model.ulong)
    entry = body.copied(entry)
    end = graph.location()
    for name in unit.pointed_to:
        function = body.calls.runnable(name)
        if function is not None and _can_be_entry(function):
            following = _if_equal(body, entry, name)
            graph.emit(Spawn(target, unit.template(name), passed))
            graph.goto(end)
            graph.at(following)
    _invalid(body, entry, "creation of a thread with an invalid function pointer")
    graph.at(end)
    return Value(target, unit.model.ulong)


def _is_of_c11(place: Position) -> bool:
    """Whether a thread is created by thrd_create, of which the function returns a number."""
    return any(call.in_model and call.function == "thrd_create" for call in place.stack)


def _invalid(body: Body, pointer: Value, kind: str) -> None:
    """What follows where a pointer is none of the functions: a null pointer is dereferenced."""
    null, other = body.graph.location(), body.graph.location()
    body.graph.branch(truth(pointer), other, null)
    body.graph.at(null)
    body.load(Const(0, body.pointer), body.unit.model.char)
    body.graph.goto(other)
    body.graph.at(other)
    body.graph.emit(Fault(kind))


def _if_equal(body: Body, pointer: Value, name: str) -> int:
    """Guards what follows by the comparison with a function; returns where to go on else."""
    chosen, following = body.graph.location(), body.graph.location()
    address = FuncAddr(name, body.pointer)
    body.unit.compared.setdefault(name)
    body.graph.branch(comparison("==", pointer.expr, address), chosen, following)
    body.graph.at(chosen)
    return following


def _fits(function: Function, type: CFunction, arguments: int) -> bool:
    """Whether a call with this type of function may reach the function."""
    own = function.type
    return (
        len(own.parameters) <= arguments
        and (isinstance(type.result, CVoid) or _kind(own.result) == _kind(type.result))
        and all(_kind(p) == _kind(q) for p, q in zip(own.parameters, type.parameters, strict=False))
    )


def _can_be_entry(function: Function) -> bool:
    """Whether a thread may run the function: void *f(void *), or with nothing for a pointer."""
    kinds = {_kind(t) for t in (function.type.result, *function.type.parameters)}
    return len(function.type.parameters) <= 1 and kinds <= {"pointer", "void"}


def _kind(type: CType) -> str:
    """What must agree between a function and the type through which it is called."""
    match type:
        case CPtr() | CArray() | CFunction():
            return "pointer"
        case CVoid():
            return "void"
        case CRecord() | CFloat():
            return str(type)
        case _:
            return "number"
