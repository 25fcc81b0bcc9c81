"""Input and output: no effect on the program's memory but what is read into it."""

from __future__ import annotations

import re

from pycparser import c_ast

from abpress.errors import UnsupportedError
from abpress.ir.expr import Binary, Const, Convert
from abpress.ir.program import Exit
from abpress.ir.types import INT, IntType
from abpress_frontend.lower.builtins.formats import printed_length, printed_texts
from abpress_frontend.lower.builtins.shown import (
    STREAM,
    Reads,
    evaluate_read,
    read_variable,
    reads_of,
    use_stream,
)
from abpress_frontend.lower.call import Call
from abpress_frontend.lower.ctypes import CPtr
from abpress_frontend.lower.endings import run_handlers
from abpress_frontend.lower.entries import Entry, Lowered
from abpress_frontend.lower.literals import string
from abpress_frontend.lower.values import Value, fold

NO_STORE = "the formats that vprintf and its kin are given have no %n"


def literal(call: Call, index: int) -> bytes | None:
    """The text of an argument that is a string literal."""
    texts = _literals(call.argument(index))
    if texts is None or len(texts) != 1:
        return None
    codes = string(texts[0], call.body.position(call.node))
    return bytes(codes).split(b"\0")[0]


def _print(call: Call) -> Value:
    """Evaluates the arguments. The result is -1 (ISO C: negative), or the number of characters:
    arbitrary, where it depends on arguments."""
    _evaluate_printed(call, Reads())
    index = _FORMATS[call.name]
    text = None if call.name == _WIDE else literal(call, index)
    length = None if text is None else printed_length(text)
    if length is not None:
        return _or_error(call, call.constant(length))
    return call.arbitrary(call.model.int, f"result of {call.name}", -1, INT.maximum)


def _evaluate_printed(call: Call, format: Reads) -> None:
    """Evaluates the arguments of printf or its kin, and reads what is shown; wide characters are
    not."""
    _check_format(call)
    index = _FORMATS[call.name]
    if call.name == _WIDE:
        call.evaluate()
    elif call.name.startswith("v") and call.unit.options.reads_text:
        evaluate_read(call, _stream_of(call), index)
        read_variable(call, call.value(index), call.value(index + 1))
        call.evaluate(index + 2)
    else:
        text = literal(call, index)
        texts = () if text is None else printed_texts(text)
        reads = {index: format, **reads_of(texts, index + 1)}
        evaluate_read(call, {**_stream_of(call), **reads})


def _stream_of(call: Call) -> dict[int, Reads]:
    """That the first argument is read as a stream, where it is one."""
    return {0: STREAM} if call.name in ("fprintf", "vfprintf") else {}


def _or_error(call: Call, value: Value) -> Value:
    """`value`, or -1; without a branch, so that nothing is chosen where nobody asks."""
    works = call.arbitrary(call.model.int, f"success of {call.name}", 0, 1).expr
    one_more = fold(Binary("+", value.expr, Const(1, INT)))
    return Value(fold(Binary("-", fold(Binary("*", works, one_more)), Const(1, INT))), value.type)


def _put(call: Call) -> Value:
    """putchar and its kin: the character as an unsigned char, or EOF."""
    byte = fold(Convert(call.value(0, call.model.int).expr, IntType(8, False)))
    if len(call.arguments) > 1:
        use_stream(call, 1)
    pinned = call.pinned(Value(fold(Convert(byte, INT)), call.model.int))
    return _or_error(call, Value(pinned, call.model.int))


def _between(low: int, high: int, *reads: Reads) -> Lowered:
    """Evaluates the arguments, the first of which are read so; the result lies between numbers."""

    def handler(call: Call) -> Value:
        evaluate_read(call, dict(enumerate(reads)))
        return call.arbitrary(call.model.int, f"result of {call.name}", low, high)

    return Lowered(handler, "int")


def _log(call: Call) -> Value:
    """Evaluates the arguments, of which the format may be none; the result is none."""
    _evaluate_printed(call, Reads(may_be_null=True))
    return call.nothing()


def _name_error(call: Call) -> Value:
    """perror: its text may be none."""
    evaluate_read(call, {0: Reads(may_be_null=True)})
    return call.nothing()


def _log_and_exit(call: Call) -> Value:
    """Evaluates the arguments and ends the program, as `exit` does."""
    _log(call)
    call.body.visit(call.node)
    run_handlers(call.body, "exit", call.node)
    call.graph.emit(Exit("exit"))
    return call.nothing()


def _check_format(call: Call) -> None:
    """Raises UnsupportedError for a format that writes to memory, or may do so: one that is no
    literal, with an argument that points to something."""
    index = _FORMATS.get(call.name)
    if index is None:
        return
    at = call.body.position(call.node)
    texts = _literals(call.argument(index))
    if texts is None and call.name.startswith("v"):
        call.unit.assume(NO_STORE, at)
    elif texts is None:
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
    "fprintf": 1, "vfprintf": 1, "dprintf": 1, "vdprintf": 1, "syslog": 1, "vsyslog": 1,
    "warn": 0, "warnx": 0, "vwarn": 0, "vwarnx": 0, "err": 1, "errx": 1, "verr": 1, "verrx": 1,
}  # fmt: skip
"""Function -> the place of its format among the arguments."""

_WIDE = "wprintf"
"""Its format is not a text."""

_PRINTING = (
    "printf", "fprintf", "vprintf", "vfprintf", "dprintf", "vdprintf", "__builtin_printf",
    "wprintf",
)  # fmt: skip

OUTPUT: dict[str, Entry] = {
    **{name: Lowered(_print, "int") for name in _PRINTING},
    **{name: _between(-1, INT.maximum, Reads()) for name in ("puts", "__builtin_puts")},
    "fputs": _between(-1, INT.maximum, Reads(), STREAM),
    **{
        name: Lowered(_put, "int")
        for name in (
            "putchar",
            "fputc",
            "putc",
            "putchar_unlocked",
            "putc_unlocked",
            "__builtin_putchar",
        )
    },
    "fflush": _between(-1, 0),
    **{name: _between(-1, 255) for name in ("getchar", "getchar_unlocked")},
    **{name: _between(-1, 255, STREAM) for name in ("fgetc", "getc", "getc_unlocked")},
    "perror": Lowered(_name_error),
    **{name: Lowered(_log) for name in ("syslog", "vsyslog", "warn", "warnx", "vwarn", "vwarnx")},
    **{name: Lowered(_log_and_exit) for name in ("err", "errx", "verr", "verrx")},
}
