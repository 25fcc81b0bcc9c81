"""Input and output: no effect on the program's memory but what is read into it."""

from __future__ import annotations

import re

from pycparser import c_ast

from abpress.errors import UnsupportedError
from abpress_frontend.lower.call import Call
from abpress_frontend.lower.ctypes import CInt, is_scalar
from abpress_frontend.lower.entries import Entry, Lowered, NoEffect, Refused
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
    for node in call.arguments if "printf" in call.name else ():
        if isinstance(node, c_ast.Constant) and node.type == "string" and _stores(node.value):
            raise UnsupportedError(
                f"%n in the format of {call.name}", call.body.position(call.node)
            )
    call.evaluate()
    return call.arbitrary(call.model.int, f"result of {call.name}")


def _stores(format: str) -> bool:
    """Whether a format of printf writes to memory."""
    return re.search(r"%[-+ #0-9.*\']*(hh|h|ll|l|j|z|t)?n", format.replace("%%", "")) is not None


_PRINTING = (
    "printf", "fprintf", "vprintf", "vfprintf", "dprintf", "puts", "putchar", "fputs", "fputc",
    "putc", "fflush", "perror", "putchar_unlocked", "__builtin_printf", "__builtin_puts",
    "syslog", "wprintf",
)  # fmt: skip

OUTPUT: dict[str, Entry] = {
    **{name: Lowered(_print, "int") for name in _PRINTING},
    "perror": NoEffect("void"),
    "syslog": NoEffect("void"),
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
