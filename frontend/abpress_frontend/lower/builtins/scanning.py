"""scanf and its kin, with formats that are literals: each directive by its model (models/scan.c),
but of streams only where more than numbers is read."""

from __future__ import annotations

from abpress.errors import UnsupportedError
from abpress.ir.expr import Const
from abpress.ir.program import Assign
from abpress.ir.types import INT, IntType
from abpress_frontend.lower.builtins.formats import Conversion, conversions, directives, scanned
from abpress_frontend.lower.builtins.output import literal
from abpress_frontend.lower.builtins.shown import (
    STREAM,
    Reads,
    evaluate_read,
    read_text,
    use_stream_value,
)
from abpress_frontend.lower.call import Call
from abpress_frontend.lower.ctypes import VOID, CFloat, CInt, CPtr, CType, DataModel, scalar
from abpress_frontend.lower.entries import Entry, Lowered
from abpress_frontend.lower.values import (
    OFFSET,
    MemoryPlace,
    Value,
    comparison,
    constant,
    converted,
    pointer_add,
)

FITS = "a number in a text that does not fit its type is read as by glibc"
UNCHECKED_NUMBERS = frozenset({"atoi", "atol", "atoll", "vfscanf", "vscanf", "vsscanf"})
"""Models that assume it; `strtol` and its kin tell."""

_NO_INPUT = -2
_SPACE = b" \t\n\v\f\r"


def _scan(format: int) -> Lowered:
    """scanf and fscanf, with the format as argument `format`: what is read is arbitrary, and the
    result says how many of the pointers after it received something."""

    def handler(call: Call) -> Value:
        text = literal(call, format)
        if text is not None and any(one.needs_model for one in conversions(text)):
            return _by_directives(call, format, is_text=False)
        return any_numbers(call, format, {0: STREAM})

    return Lowered(handler, "int")


def any_numbers(call: Call, format: int, reads: dict[int, Reads]) -> Value:
    """The result of a scan that finds any numbers, with the format as argument `format`; the
    arguments before it are read as `reads` says."""
    text = literal(call, format)
    evaluate_read(call, {**reads, format: Reads()}, format + 1)
    count = len(call.arguments) - format - 1
    of: list[Conversion | None] = [None] * count
    if text is not None:
        of = list(conversions(text)[:count])
    places = [_scanned_place(call, format + 1 + k, one) for k, one in enumerate(of)]
    call.evaluate(format + 1 + len(places))
    call.unit.assume(FITS, call.body.position(call.node))
    received = call.arbitrary(call.model.int, f"result of {call.name}", -1, len(places))
    for k, place in enumerate(places):
        _receive(
            call,
            place,
            of[k],
            Value(comparison(">", received.expr, Const(k, INT)), call.model.int),
        )
    return received


def _scan_text(call: Call) -> Value:
    """sscanf: known of literals, and else read by the model."""
    source, format = literal(call, 0), literal(call, 1)
    if call.name.startswith("__isoc23_") and _reads_any_base(format):
        raise UnsupportedError("%i of C23, which reads 0b", call.body.position(call.node))
    types = integers(call, 2)
    known = None
    if source is not None and format is not None and types is not None:
        known = scanned(source, format, types, lengths(call.model))
    if known is None or types is None:
        return _by_directives(call, 1, is_text=True)
    result, values = known
    places = [call.target(2 + k) for k in range(len(types))]
    for place, value in zip(places, values, strict=False):
        call.body.store(place.address, Const(value, scalar(place.type)))
    return call.constant(result)


def _reads_any_base(format: bytes | None) -> bool:
    return any(
        isinstance(one, Conversion) and one.letter == "i" for one in directives(format or b"")
    )


def lengths(model: DataModel) -> dict[str, int]:
    """Length modifier -> the bits of integers that it reads."""
    long, longest, size = (t.ir.bits for t in (model.long, model.llong, model.size_t))
    return {
        "hh": 8, "h": 16, "": 32, "l": long, "ll": longest, "L": longest, "j": longest,
        "z": size, "t": size,
    }  # fmt: skip


def integers(call: Call, first: int) -> list[IntType] | None:
    """The integer types that the arguments from `first` on point to; None if others are there."""
    types = []
    for argument in call.arguments[first:]:
        pointer = call.unit.types.decayed(call.body.expressions.typeof(argument))
        if not isinstance(pointer, CPtr) or not isinstance(pointer.target, CInt):
            return None
        types.append(pointer.target.ir)
    return types


def _by_directives(call: Call, format: int, is_text: bool) -> Value:
    """What a text, or a stream, has for a format, which is taken apart if it is known."""
    text = literal(call, format)
    if text is None or not _is_known(text):
        return _by_model(call)
    values = [call.body.copied(call.value(k)) for k in range(len(call.arguments))]
    if len(values) - format - 1 < len(conversions(text)):
        raise UnsupportedError(f"{call.name} with too few arguments", call.body.position(call.node))
    if is_text:
        read_text(call, values[0])
    elif format and call.unit.options.reads_text:
        use_stream_value(call, values[0])
    if any(isinstance(one, Conversion) and one.is_integer for one in directives(text)):
        call.unit.assume(FITS, call.body.position(call.node))
    return _Scan(call, is_text, values, format).run(text)


def _is_known(format: bytes) -> bool:
    return all(
        isinstance(one, int)
        or one.is_known
        or (one.letter == "n" and (one.length, one.width, one.hidden) == ("", 0, False))
        for one in directives(format)
    )


class _Scan:
    """A scan while it is lowered. `place` is what is left to read, as in models/scan.c."""

    def __init__(self, call: Call, is_text: bool, values: list[Value], format: int) -> None:
        self._call = call
        self._model = call.model
        self._text = converted(values[0], self._model.pointer_to(self._model.char))
        self._is_text = is_text
        self._format = values[format]
        self._targets = iter(values[format + 1 :])
        self._result = call.graph.temporary(INT)
        self._end = call.graph.location()
        self._place = constant(0, self._model.long)
        if not is_text:
            self._text = converted(self._int(0), self._text.type)
            self._place = call.arbitrary(self._model.long, f"character of {call.name}", -1, 255)

    def run(self, format: bytes) -> Value:
        """The result of the call."""
        done, after_space = 0, False
        for one in directives(format):
            is_space = isinstance(one, int) and one in _SPACE
            skips = isinstance(one, Conversion) and one.letter not in "c[n"
            if (is_space or skips) and not after_space:
                self._step("spaces")
            after_space = is_space
            if is_space:
                continue
            if isinstance(one, int):
                self._step("character", self._int(one))
            elif one.letter == "n":
                self._store_place()
                continue
            else:
                self._convert(one)
            self._leave_if_failed(done)
            done += isinstance(one, Conversion) and not one.hidden
        self._call.graph.emit(Assign(self._result, Const(done, INT)))
        self._call.graph.goto(self._end)
        self._call.graph.at(self._end)
        return Value(self._result, self._model.int)

    def _convert(self, one: Conversion) -> None:
        target = self._int(0) if one.hidden else next(self._targets)
        target = converted(target, self._model.pointer_to(VOID))
        longs = self._int(max(one.longs, 0))
        if one.is_integer:
            letter, shorts = self._int(ord(one.letter)), self._int(max(-one.longs, 0))
            self._step("integer", letter, self._int(one.width), longs, shorts, target)
        elif one.is_real:
            self._step("real", longs, target)
        else:
            width = max(one.width, one.letter == "c")
            characters = pointer_add(self._format.expr, Const(one.at, OFFSET))
            self._step(
                "characters",
                self._int(ord(one.letter)),
                Value(characters, self._format.type),
                constant(len(one.set), self._model.size_t),
                self._int(int(one.inverted)),
                self._int(width),
                converted(target, self._model.pointer_to(self._model.char)),
            )

    def _step(self, directive: str, *arguments: Value) -> None:
        calls = self._call.body.calls
        function = calls.pointee(f"__abp_scan_{directive}")
        assert function is not None
        is_text = self._int(int(self._is_text))
        left = [is_text, self._text, self._place]
        self._place = calls.inline(function, [*left, *arguments], self._call.node)

    def _store_place(self) -> None:
        """%n."""
        read = converted(self._place, self._model.int)
        if not self._is_text:
            read = self._call.arbitrary(self._model.int, self._call.name, 0, INT.maximum)
        self._call.body.store(next(self._targets).expr, read.expr)

    def _leave_if_failed(self, done: int) -> None:
        """The end of the call, where the directive found nothing."""
        graph = self._call.graph
        no_input = comparison("==", self._place.expr, Const(_NO_INPUT, self._long))
        failed = comparison("<", self._place.expr, Const(-1, self._long))
        fails, empty, rest, goes_on = (graph.location() for _ in range(4))
        graph.branch(failed, fails, goes_on)
        graph.at(fails)
        if done:
            graph.goto(rest)
        else:
            graph.branch(no_input, empty, rest)
        for at, result in ((empty, -1), (rest, done)):
            graph.at(at)
            graph.emit(Assign(self._result, Const(result, INT)))
            graph.goto(self._end)
        graph.at(goes_on)

    @property
    def _long(self) -> IntType:
        return self._model.long.ir

    def _int(self, value: int) -> Value:
        return constant(value, self._model.int)


def _by_model(call: Call) -> Value:
    """The same with a format that is read while the program runs, or has what is not known."""
    name = call.name.removeprefix("__isoc99_").removeprefix("__isoc23_")
    function = call.body.calls.pointee("__abp_" + ("stdin_scanf" if name == "scanf" else name))
    assert function is not None
    arguments = [call.value(k) for k in range(len(call.arguments))]
    return call.body.calls.inline(function, arguments, call.node)


def _receive(call: Call, place: MemoryPlace, of: Conversion | None, received: Value) -> None:
    """Stores what was read, if something was. Where nobody asks, the arbitrary value that is stored
    stands for the old one, too."""
    stores, following = call.graph.location(), call.graph.location()
    if call.node in call.unit.ignored:
        call.graph.goto(stores)
    else:
        call.graph.branch(received.expr, stores, following)
    call.graph.at(stores)
    call.body.store(place.address, _read_number(call, place.type, of).expr)
    call.graph.goto(following)
    call.graph.at(following)


def _read_number(call: Call, type: CType, of: Conversion | None) -> Value:
    """An arbitrary number of as many characters as are read, which the type can hold (else it is
    undefined, ISO C 7.21.6.2p10). A minus sign is read for unsigned types, too."""
    low, high = (None, None) if of is None else of.bounds()
    if low is None or high is None or not isinstance(type, CInt):
        return call.arbitrary(type, call.name)
    if type.ir.signed:
        low, high = max(low, type.ir.minimum), min(high, type.ir.maximum)
        return call.arbitrary(type, call.name, low, high)
    low, high = max(low, -type.ir.maximum), min(high, type.ir.maximum)
    return converted(call.arbitrary(call.model.llong, call.name, low, high), type)


def _scanned_place(call: Call, index: int, of: Conversion | None) -> MemoryPlace:
    """The number that a pointer argument points to, its address computed once."""
    place = call.target(index)
    type = place.type
    fits = isinstance(type, CInt) or (of is not None and of.length == _REALS.get(str(type)))
    if of is not None and isinstance(type, CInt | CFloat):
        fits &= (of.letter in "aefgAEFG") is isinstance(type, CFloat)
    if isinstance(type, CInt) and type.rank == 1:
        fits = of is not None and of.fits_char
    if not fits or (of is not None and of.letter == "n"):
        what = "%n" if of is not None and of.letter == "n" else f"an object of type {type}"
        raise UnsupportedError(f"{call.name} into {what}", call.body.position(call.node))
    return MemoryPlace(call.pinned(Value(place.address, call.model.pointer_to(type))), type)


_REALS = {"float": "", "double": "l", "long double": "L"}
"""Type -> the length modifier of conversions that read it."""


_PREFIXES = ("", "__isoc99_", "__isoc23_")

SCANNING: dict[str, Entry] = {
    **{f"{prefix}scanf": _scan(0) for prefix in _PREFIXES},
    **{f"{prefix}fscanf": _scan(1) for prefix in _PREFIXES},
    **{f"{prefix}sscanf": Lowered(_scan_text, "int") for prefix in _PREFIXES},
}
