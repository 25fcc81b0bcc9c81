"""What a program is told by its surroundings."""

from __future__ import annotations

from abpress.errors import UnsupportedError
from abpress.ir.expr import Addr, Const
from abpress.ir.program import Assign
from abpress_frontend.lower.builtins.output import literal
from abpress_frontend.lower.call import Call
from abpress_frontend.lower.ctypes import CArray
from abpress_frontend.lower.entries import Entry, Lowered
from abpress_frontend.lower.layout import layout
from abpress_frontend.lower.values import Value, truth

LENGTH = 16

SHORT = f"variables of the environment have fewer than {LENGTH} characters, and are not written"


def _getenv(call: Call) -> Value:
    """NULL, or a string that is arbitrary and always the same for one name."""
    at = call.body.position(call.node)
    name = literal(call, 0)
    if name is None:
        raise UnsupportedError("getenv of a name that is no literal", at)
    call.value(0)
    unit, char = call.unit, call.model.char
    object = f'environment "{name.decode("latin-1")}"'
    if object not in unit.objects.by_name:
        values = (*(None for _ in range(LENGTH - 1)), Const(0, char.ir))
        space = layout(CArray(char, LENGTH))
        unit.objects.add(object, space, values, at)
    unit.assume(SHORT, at)
    there = call.arbitrary(call.model.int, f"whether {object} is set", 0, 1)
    result = call.graph.temporary(call.body.pointer)
    known, unknown, end = (call.graph.location() for _ in range(3))
    call.graph.branch(truth(there), known, unknown)
    for place, value in (
        (known, Addr(object, 0, call.body.pointer)),
        (unknown, Const(0, call.body.pointer)),
    ):
        call.graph.at(place)
        call.graph.emit(Assign(result, value))
        call.graph.goto(end)
    call.graph.at(end)
    return Value(result, call.model.pointer_to(char))


ENVIRONMENT: dict[str, Entry] = {
    name: Lowered(_getenv, lambda body, node: body.unit.model.pointer_to(body.unit.model.char))
    for name in ("getenv", "secure_getenv")
}
