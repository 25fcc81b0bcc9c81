"""Input and output: no effect on the program's memory but what is read into it."""

from __future__ import annotations

import re

from pycparser import c_ast

from abpress.errors import UnsupportedError
from abpress_frontend.lower.call import Call
from abpress_frontend.lower.ctypes import CInt, CPtr, is_scalar
from abpress_frontend.lower.entries import Entry, Lowered, NoEffect, Refused
from abpress_frontend.lower.literals import string
from abpress_frontend.lower.values import Value


def _scan(first: int) -> Lowered:
    """scanf and its kin: the pointers from argument `first` on receive arbitrary integers."""

    def handler(call: Call) -> Value:
        for index in range(len(call.arguments)):
            if index < first:
                call.value(index)
                continue
            place = call.target(index)
            if not (is_scalar(place.type) and isinstance(place.type, CInt)) or place.type.rank == 1:
                raise UnsupportedError(
                    f"{call.name} into an object of type {place.type}",
                    call.body.position(call.node),
                )
            call.body.store(place.address, call.arbitrary(place.type, call.name).expr)
        return call.arbitrary(call.model.int, f"result of {call.name}")

    return Lowered(handler, "int")


def _print(call: Call) -> Value:
    """Evaluates the arguments; the number of characters is arbitrary."""
    _check_format(call)
    call.evaluate()
    return call.arbitrary(call.model.int, f"result of {call.name}")


def _log(call: Call) -> Value:
    """Evaluates the arguments; the result is none."""
    _check_format(call)
    call.evaluate()
    return call.nothing()


def _check_format(call: Call) -> None:
    """Raises UnsupportedError for a format that writes to memory, or may do so: one that is no
    literal, with an argument that points to something."""
    index = _FORMATS.get(call.name)
    if index is None:
        return
    at = call.body.position(call.node)
    texts = _literals(call.argument(index))
    if texts is None:
        after = call.arguments[index + 1 :]
        types = [call.unit.types.decayed(call.body.expressions.typeof(node)) for node in after]
        if any(isinstance(type, CPtr) for type in types):
            what = f"{call.name} of pointers with a format that is no literal: it may have %n"
            raise UnsupportedError(what, at)
    for text in texts or ():
        if _stores(bytes(string(text, at)).decode("latin-1")):
            raise UnsupportedError(f"%n in the format of {call.name}", at)


def _literals(node: c_ast.Node) -> list[str] | None:
    """The literals that the expression may be; None if it may be something else."""
    match node:
        case c_ast.Constant(type="string", value=text) if not text.startswith(("L", "u", "U")):
            return [text]
        case c_ast.Cast(expr=inner):
            return _literals(inner)
        case c_ast.TernaryOp(iftrue=a, iffalse=b):
            yes, no = _literals(a), _literals(b)
            return None if yes is None or no is None else yes + no
    return None


def _stores(format: str) -> bool:
    """Whether a format of printf writes to memory."""
    return (
        re.search(r"%[-+ #0-9.*\'$I]*(hh|h|ll|l|j|z|t|w[f0-9]*)?n", format.replace("%%", ""))
        is not None
    )


_FORMATS = {
    "printf": 0, "__builtin_printf": 0, "vprintf": 0, "wprintf": 0,
    "fprintf": 1, "vfprintf": 1, "dprintf": 1, "syslog": 1,
}  # fmt: skip
"""Function -> the place of its format among the arguments."""

_PRINTING = (
    "printf", "fprintf", "vprintf", "vfprintf", "dprintf", "puts", "putchar", "fputs", "fputc",
    "putc", "fflush", "perror", "putchar_unlocked", "__builtin_printf", "__builtin_puts",
    "wprintf",
)  # fmt: skip

OUTPUT: dict[str, Entry] = {
    **{name: Lowered(_print, "int") for name in _PRINTING},
    "perror": NoEffect("void"),
    "syslog": Lowered(_log),
    "getchar": NoEffect("int"),
    "scanf": _scan(1),
    "fscanf": _scan(2),
    "sscanf": _scan(2),
    "__isoc99_scanf": _scan(1),
    "__isoc99_fscanf": _scan(2),
    "__isoc99_sscanf": _scan(2),
    **{
        name: Refused("formatting into memory is not supported")
        for name in ("sprintf", "snprintf", "vsprintf", "vsnprintf", "asprintf")
    },
}
