"""What `main` is called with: what the user gives, any within bounds, or anything."""

from __future__ import annotations

import shlex

from abpress.errors import InputError, Position
from abpress.ir.expr import Const, Expr
from abpress.ir.program import Assign, Havoc
from abpress.ir.types import INT
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.ctypes import CArray, CInt, CRecord, CType, scalar
from abpress_frontend.lower.function import Function
from abpress_frontend.lower.layout import layout
from abpress_frontend.lower.positions import position
from abpress_frontend.lower.values import Value, comparison


def arguments_of_main(body: Body, function: Function) -> list[Value]:
    """The arguments of the function that the program begins with.

    Raises InputError if arguments are given or bounded, and its parameters are others (C11
    5.1.2.2.1).
    """
    options = body.unit.options
    given: list[Value] = []
    if function.parameters and (options.arguments is not None or options.argument_bounds):
        at = position(function.node.decl, function.name)
        _require_strings(body, function, at)
        given = _words(body, function, at) if options.arguments is not None else _any(body, at)
    types = function.type.parameters
    rest = list(zip(function.parameters, types, strict=False))[len(given) :]
    return [*given[: len(types)], *(_anything(body, name, type) for name, type in rest)]


def _require_strings(body: Body, function: Function, at: Position) -> None:
    model, types = body.unit.model, function.type.parameters
    strings = model.pointer_to(model.pointer_to(model.char))
    if types[0] != model.int or any(t != strings for t in types[1:3]):
        raise InputError(f"arguments for {function.name}, whose parameters are others", at)


def _words(body: Body, function: Function, at: Position) -> list[Value]:
    """The number of arguments that the user gives, and where they are."""
    unit = body.unit
    words = (unit.options.file.stem, *(unit.options.arguments or ()))
    unit.assumptions.setdefault(
        f"{function.name} is called with the arguments {' '.join(map(shlex.quote, words))}"
    )
    count = Value(Const(len(words), INT), unit.model.int)
    strings = [unit.objects.argument(word, at) for word in words]
    return [count, _strings(body, unit.objects.arguments(strings, at))]


def _any(body: Body, at: Position) -> list[Value]:
    """Any number of arguments within the bounds, each with any characters: for each number the
    program has an array of its own, so that nothing is beyond its end."""
    unit, graph = body.unit, body.graph
    assert unit.options.argument_bounds is not None
    most, length = unit.options.argument_bounds
    unit.assumptions.setdefault(
        f"main is called with at most {most} arguments of at most {length} characters"
        " (--any-arguments)"
    )
    strings = [unit.objects.argument(unit.options.file.stem, at)]
    char = unit.model.char
    for number in range(1, most + 1):
        values = (*(None for _ in range(length)), Const(0, char.ir))
        space = layout(CArray(char, length + 1))
        name = unit.objects.fresh_name(f"argument {number}")
        strings.append(unit.objects.add(name, space, values, at))
    count = graph.variable("argc", INT)
    graph.emit(Havoc(count, "number of arguments", 1, most + 1))
    place = graph.temporary(unit.model.pointer)
    end = graph.location()
    for number in range(1, most + 2):
        array: Expr = unit.objects.arguments(strings[:number], at)
        following = graph.location()
        if number <= most:
            chosen = graph.location()
            graph.branch(comparison("==", count, Const(number, INT)), chosen, following)
            graph.at(chosen)
        graph.emit(Assign(place, array))
        graph.goto(end)
        graph.at(following)
    graph.at(end)
    return [Value(count, unit.model.int), _strings(body, place)]


def _strings(body: Body, place: Expr) -> Value:
    model = body.unit.model
    return Value(place, model.pointer_to(model.pointer_to(model.char)))


def _anything(body: Body, name: str, type: CType) -> Value:
    """A parameter of which nothing is known; what is in one of record type has no value yet."""
    if isinstance(type, CRecord):
        return Value(body.local_object(name, type), type)
    register = body.graph.variable(name, scalar(type))
    if isinstance(type, CInt):
        body.graph.emit(Havoc(register, f"parameter {name} of main", 1, type.ir.maximum))
    return Value(register, type)
