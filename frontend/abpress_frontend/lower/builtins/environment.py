"""What a program is told by its surroundings."""

from __future__ import annotations

from dataclasses import replace

from abpress.ir.expr import Addr, Const, Expr
from abpress.ir.program import Assign, Havoc
from abpress_frontend.lower.builtins.output import literal
from abpress_frontend.lower.builtins.shown import Reads, evaluate_read
from abpress_frontend.lower.call import Call
from abpress_frontend.lower.ctypes import CArray
from abpress_frontend.lower.entries import Entry, Lowered
from abpress_frontend.lower.layout import layout
from abpress_frontend.lower.values import MemoryPlace, Value, arithmetic, comparison

LENGTH = 16

SHORT = f"variables of the environment have fewer than {LENGTH} characters, and are not written"
ONE = "getenv is asked by names that are no literals for one variable, which no literal names"


def _getenv(call: Call) -> Value:
    """NULL, or a string; it is arbitrary which, and always the same for one name."""
    at = call.body.position(call.node)
    name = literal(call, 0)
    evaluate_read(call, {0: Reads()})
    unit, char = call.unit, call.model.char
    text = "environment, a name that is computed"
    if name is None:
        unit.assume(ONE, at)
    else:
        text = f'environment "{name.decode("latin-1")}"'
    if text not in unit.objects.by_name:
        values = (*(None for _ in range(LENGTH - 1)), Const(0, char.ir))
        unit.objects.add(text, layout(CArray(char, LENGTH)), values, at)
    unit.assume(SHORT, at)
    is_set = _is_set(call, text)
    result = call.graph.temporary(call.body.pointer)
    known, unknown, end = (call.graph.location() for _ in range(3))
    call.graph.branch(is_set, known, unknown)
    for place, value in (
        (known, Addr(text, 0, call.body.pointer)),
        (unknown, Const(0, call.body.pointer)),
    ):
        call.graph.at(place)
        call.graph.emit(Assign(result, value))
        call.graph.goto(end)
    call.graph.at(end)
    return Value(result, call.model.pointer_to(char))


def _is_set(call: Call, text: str) -> Expr:
    """Whether there is the variable: chosen by the first call that asks, for all others, too. What
    secure_getenv finds is chosen by itself, as it may answer NULL where getenv does not."""
    unit, graph, int = call.unit, call.graph, call.model.int
    object = f"whether {call.name} finds {text} (1 no, 2 yes)"
    if object not in unit.objects.by_name:
        unchosen = Const(0, int.ir)
        unit.objects.add(object, layout(int), (unchosen,), call.body.position(call.node))
    place = MemoryPlace(Addr(object, 0, call.body.pointer), replace(int, atomic=True))
    choice, state = graph.temporary(int.ir), graph.temporary(int.ir)
    graph.atomic(+1)
    graph.emit(Assign(state, call.load(place).expr))
    first, end = graph.location(), graph.location()
    graph.branch(comparison("==", state, Const(0, int.ir)), first, end)
    graph.at(first)
    graph.emit(Havoc(choice, f"whether {text} is set", 0, 1))
    graph.emit(Assign(state, arithmetic("+", choice, Const(1, int.ir))))
    call.store(place, Value(state, int))
    graph.goto(end)
    graph.at(end)
    graph.atomic(-1)
    return comparison("==", state, Const(2, int.ir))


ENVIRONMENT: dict[str, Entry] = {
    name: Lowered(_getenv, lambda body, node: body.unit.model.pointer_to(body.unit.model.char))
    for name in ("getenv", "secure_getenv")
}
