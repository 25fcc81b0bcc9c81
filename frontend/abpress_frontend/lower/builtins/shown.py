"""Texts that the system reads, to show them or as names: accesses, where those count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pycparser import c_ast

from abpress.ir.expr import Addr, Const, Expr
from abpress_frontend.gnu import SLOT
from abpress_frontend.lower.builtins.formats import PrintedText, printed_texts
from abpress_frontend.lower.call import Call
from abpress_frontend.lower.ctypes import VOID, CArray, CPtr
from abpress_frontend.lower.entries import Entry, Lowered
from abpress_frontend.lower.values import OFFSET, Value, constant, converted, pointer_add


@dataclass(frozen=True, slots=True)
class Reads:
    """How an argument is read: to its end, or no further than another argument or a number says;
    not at all, if it `may_be_null` and is. A `stream` is there, or not: it has no text."""

    most: int | None = None
    most_argument: int | None = None
    may_be_null: bool = False
    stream: bool = False


STREAM = Reads(stream=True)


def evaluate_read(call: Call, reads: Mapping[int, Reads], end: int | None = None) -> None:
    """Evaluates the arguments (before `end`), and reads what some of them point to."""
    its = reads if call.unit.options.reads_text else {}
    counts = {one.most_argument for one in its.values()}
    values = {}
    for index, argument in enumerate(call.arguments[:end]):
        text = isinstance(argument, c_ast.Constant) and argument.type == "string"
        if text or (index not in its and index not in counts):
            call.evaluate(index, index + 1)
        else:
            values[index] = call.value(index)
    for index, one in its.items():
        if index in values and one.stream:
            use_stream_value(call, values[index])
        elif index in values:
            count = None if one.most is None else constant(one.most, call.model.int)
            if one.most_argument is not None:
                count = values[one.most_argument]
            read_text(call, values[index], count, one.may_be_null)


def use_stream(call: Call, index: int) -> None:
    """Evaluates an argument that is a stream, and looks whether it is there, where that counts."""
    if call.unit.options.reads_text:
        use_stream_value(call, call.value(index))
    else:
        call.evaluate(index, index + 1)


def use_stream_value(call: Call, stream: Value) -> None:
    """Looks whether a stream is there, where that counts."""
    _inline(call, "__abp_use_stream", converted(stream, call.model.pointer_to(VOID)))


def read_text(
    call: Call, pointer: Value, most: Value | None = None, may_be_null: bool = False
) -> None:
    """Reads a text, where that counts: to its end, or no further than `most` characters, if that is
    not negative. Literals, which are there and never change, need not be read."""
    if pointer.expr == Const(0, call.model.int.ir):
        pointer = converted(pointer, call.model.pointer_to(call.model.char))
    if not call.unit.options.reads_text or not isinstance(pointer.type, CPtr | CArray):
        return
    if known_text(call, pointer.expr) is None:
        if may_be_null:
            _inline(call, "__abp_read_text_if_any", pointer)
        elif most is None:
            _inline(call, "strlen", pointer)
        else:
            _inline(call, "strnlen", pointer, converted(most, call.model.size_t))


def read_variable(call: Call, format: Value, variable: Value) -> None:
    """Reads the format of vprintf or its kin, and the texts among the variable arguments."""
    text = known_text(call, format.expr)
    if text is None:
        _inline(call, "__abp_read_printed", format, variable)
        return
    for one in printed_texts(text):
        count = None if one.most is None else constant(one.most, call.model.int)
        if one.most_argument is not None:
            place = _slot(variable, one.most_argument)
            count = Value(call.body.load(place, call.model.int), call.model.int)
        type = call.model.pointer_to(call.model.char)
        read_text(call, Value(call.body.load(_slot(variable, one.argument), type), type), count)


def _slot(variable: Value, number: int) -> Expr:
    return pointer_add(variable.expr, Const(SLOT * number, OFFSET))


def reads_of(texts: Iterable[PrintedText], first: int) -> dict[int, Reads]:
    """How printf reads its arguments, of which number `first` is that of the first conversion."""
    return {
        first + one.argument: Reads(
            one.most, None if one.most_argument is None else first + one.most_argument
        )
        for one in texts
    }


def known_text(call: Call, pointer: Expr) -> bytes | None:
    """The text that a pointer points to for ever; None if that is not known."""
    if not isinstance(pointer, Addr):
        return None
    object = call.unit.objects.by_name.get(pointer.object)
    if object is None or not object.readonly or object.layout.size != len(object.initial):
        return None
    codes = [e.value & 0xFF for e in object.initial[pointer.offset :] if isinstance(e, Const)]
    return bytes(codes).split(b"\0")[0]


def _inline(call: Call, name: str, *values: Value) -> None:
    function = call.body.calls.pointee(name)
    assert function is not None
    call.body.calls.inline(function, list(values), call.node)


def _read_argument(call: Call) -> Value:
    evaluate_read(call, {0: Reads()})
    return call.nothing()


SHOWN: dict[str, Entry] = {"__abp_read_text": Lowered(_read_argument)}
