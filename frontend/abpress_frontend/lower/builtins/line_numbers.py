"""Numbers of lines that were just read and are scanned once (`line_scans`): any that a line can
hold, as if they came from the stream, where the line has room for all of them."""

from __future__ import annotations

from pycparser import c_ast

from abpress.ir.expr import Const
from abpress_frontend.lower.builtins.formats import Conversion, conversions, directives
from abpress_frontend.lower.builtins.output import literal
from abpress_frontend.lower.builtins.scanning import (
    FITS,
    SCANNING,
    any_numbers,
    integers,
    lengths,
)
from abpress_frontend.lower.call import Call
from abpress_frontend.lower.entries import Entry, Lowered
from abpress_frontend.lower.features import READS_ERRNO
from abpress_frontend.lower.line_scans import SCANS
from abpress_frontend.lower.values import Value

_ROOM = 25
"""More characters than a number takes: a space, a sign and 22 octal digits, or a prefix and 16."""

_ROOM_OF_REALS = 40
_BASES = (0, 8, 10, 16)


def _scan(call: Call) -> Value:
    """sscanf."""
    format = literal(call, 1)
    if format is None or not _is_any(call, format):
        entry = SCANNING[call.name]
        assert isinstance(entry, Lowered)
        return entry.handler(call)
    return any_numbers(call, 1, {})


def _is_any(call: Call, format: bytes) -> bool:
    """Whether any numbers, and any number of them, can stand in the line."""
    room, before, found = 2, False, list(directives(format))
    stored = conversions(format)
    for one in found:
        if isinstance(one, int):
            if (before and chr(one).isalnum()) or one == ord("."):
                return False  # which could belong to the number
            room += 1
        elif (one.is_integer or one.is_real) and one.is_known and not one.needs_model:
            room += _ROOM if one.is_integer else _ROOM_OF_REALS
        else:
            return False
        before = isinstance(one, Conversion)
    return bool(stored) and _has_room(call, room) and _are_of_size(call, stored)


def _are_of_size(call: Call, stored: list[Conversion]) -> bool:
    """Whether integers are stored in objects of their size; of others the type is looked at where
    they are stored."""
    bits = lengths(call.model)
    types = integers(call, 2)
    return len(call.arguments) == 2 + len(stored) and (
        all(one.is_real for one in stored)
        if types is None
        else all(
            one.is_integer and bits[one.length] == type.bits
            for one, type in zip(stored, types, strict=True)
        )
    )


def _has_room(call: Call, characters: int) -> bool:
    """Whether the line can have so many characters, its end included."""
    size: c_ast.Node = call.unit.lines[call.node].args.exprs[1]
    if not call.body.expressions.is_constant(size):
        return False
    value = call.body.expressions.value(size).expr
    return isinstance(value, Const) and value.value > characters


def _number(call: Call) -> Value:
    """atoi, strtol and their kin, of which nobody asks where the number ends, or for `errno`."""
    function = call.body.calls.pointee(call.name)
    assert function is not None
    rest = call.arguments[1:]
    any = not call.unit.features[READS_ERRNO] and _has_room(call, _ROOM)
    if rest:
        end, base = (
            call.body.expressions.value(node).expr
            if call.body.expressions.is_constant(node)
            else None
            for node in rest
        )
        any &= isinstance(base, Const) and base.value in _BASES
        any &= isinstance(end, Const) and end.value == 0
    if not any:
        values = [call.value(k) for k in range(len(call.arguments))]
        return call.body.calls.inline(function, values, call.node)
    call.evaluate()
    call.unit.assume(FITS, call.body.position(call.node))
    return call.arbitrary(function.type.result, call.name)


LINE_NUMBERS: dict[str, Entry] = {
    name: Lowered(_scan if name in SCANNING else _number, "int") for name in SCANS
}
"""Function that scans -> how it scans a line that was just read and is scanned once."""
