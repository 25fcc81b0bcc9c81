"""A sequential C program, run to its end: whether its exit status and output are as expected.

The program is not changed. While it is loaded, the calls that print to the standard output are
lowered to C functions that stand behind its text and add each printed byte to a hash, and another
function calls `main` and compares status, length and hash.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from abpress.config import ProgramOptions
from abpress.errors import InputError, UnsupportedError
from abpress.ir.passes.pipeline import simplify
from abpress.ir.program import Program
from abpress.result import Soundness
from abpress.semantics.interpreter import Interpreter
from abpress_frontend.library import LIBRARY, Entry
from abpress_frontend.load import load_program
from abpress_frontend.lower.call import Call
from abpress_frontend.lower.ctypes import CInt, CPtr
from abpress_frontend.lower.entries import Lowered
from abpress_frontend.lower.literals import string
from abpress_frontend.lower.values import Value, converted

RIGHT, WRONG = "__VERIFIER_error is called", "reach_error is called"

_FACTOR = 1099511628211
_MODULUS = 1 << 64

_OBSERVER = Path(__file__).with_name("observer.c").read_text(encoding="utf-8")

_ENDING = """
static void __observe_end(int status) {
  if ((unsigned char)status == STATUS
      && (STATUS == ABORTED || (__observe_length == LENGTH && __observe_hash == HASHull)))
    __VERIFIER_error();
  else
    reach_error();
}
int __observe(void) {
  (void)sizeof(__observe_char(0), __observe_literal(0, 0, 0), __observe_text("", 0, 0, 0),
               __observe_decimal(0), __observe_signed(0, 0, 0, 0, 0, 0), __observe_print(),
               __observe_printed());
  START;
  return 0;
}
"""

FORMS = ("lowered", "simplified")

ABORTED = 134
"""The exit status of `abort()` and a failing assertion; what was printed may be lost."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What an execution of a program does: its exit status, and what it prints."""

    status: int
    output: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """What our execution says: "right", "wrong", "refused", "undecided" or "crash", and why.

    `lines` of the text are to blame if it is refused.
    """

    kind: str
    reason: str = ""
    lines: tuple[int, ...] = ()


def observed(text: str, expected: Observation) -> str:
    """The program's text between what observes an execution and what compares it."""
    hash = 0
    for byte in expected.output:
        hash = (hash * _FACTOR + byte) % _MODULUS
    ending = _ENDING.replace("STATUS", str(expected.status)).replace("HASH", str(hash))
    ending = ending.replace("LENGTH", str(len(expected.output))).replace("ABORTED", str(ABORTED))
    before = _OBSERVER.replace("FACTOR", f"{_FACTOR}ull")
    return f"{before}#line 1\n{text}\n{ending.replace('START', _start(text))}"


def answer(
    text: str,
    expected: Observation,
    data_model: str,
    file: Path,
    seconds: float,
    include: tuple[Path, ...] = (),
    forms: tuple[str, ...] = FORMS,
) -> Answer:
    """Runs a program as it is lowered and as it is simplified, or in one form only. `file` is
    written anew, and loaded."""
    file.write_text(observed(text, expected), encoding="utf-8", errors="surrogateescape")
    options = ProgramOptions(
        file, include_dirs=include, data_model=data_model, entry="__observe", signed_overflow="end"
    )
    deadline = time.monotonic() + seconds
    try:
        with _observing():
            lowered = load_program(options).program
    except (UnsupportedError, InputError) as error:
        lines = (error.position.origin.line,) if error.position else ()
        unsupported = isinstance(error, UnsupportedError)
        return Answer("refused", ("" if unsupported else "not C: ") + error.message, lines)
    aborts = expected.status == ABORTED
    its = _ended(lowered, aborts, deadline) if "lowered" in forms else Answer("right")
    if its.kind == "right" and "simplified" in forms:
        its = _ended(simplify(lowered), aborts, deadline)
        return its if its.kind == "right" else Answer(its.kind, f"simplified: {its.reason}")
    return its


def _ended(program: Program, aborts: bool, deadline: float) -> Answer:
    """How all executions of a program with one thread end, which is expected to abort or not."""
    soundness = Soundness()
    system = Interpreter(program, soundness=soundness)
    todo, ends, steps = [system.initial()], set(), 0
    while todo:
        state = todo.pop()
        threads = system.threads(state)
        if len(threads) > 1:
            return Answer("undecided", "threads")
        following = system.steps(state, threads[0]) if threads else ()
        if not following:
            ends.add("it ends otherwise")
        for step in following:
            if step.violation is None:
                todo.append(step.successor)
            else:
                message = step.violation.message
                ends.add(RIGHT if aborts and message.startswith("assertion ") else message)
        steps += 1
        if not steps % 256 and time.monotonic() > deadline:
            return Answer("undecided", "time")
    if soundness.reasons:
        return Answer("undecided", next(iter(soundness.reasons)))
    if soundness.assumptions:
        return Answer("undecided", next(iter(soundness.assumptions)))
    if ends == {RIGHT}:
        return Answer("right")
    if RIGHT in ends:
        return Answer("undecided", "several outcomes")
    return Answer("wrong", ", ".join(sorted(ends)))


# -- calls that can be observed ---------------------------------------------------------------


@contextlib.contextmanager
def _observing() -> Iterator[None]:
    """The library table with calls that are observed."""
    kept = dict(LIBRARY)
    LIBRARY.update(_OBSERVED)
    try:
        yield
    finally:
        LIBRARY.clear()
        LIBRARY.update(kept)


def _inline(call: Call, name: str, *arguments: Value) -> Value:
    function = call.unit.function(name, False)
    assert function is not None
    return call.body.calls.inline(function, list(arguments), call.node)


def _number(call: Call, n: int, wide: bool = False) -> Value:
    return call.constant(n, call.model.ullong if wide else call.model.int)


def _standard_output(call: Call, stream: int) -> bool:
    """Whether the stream is the standard output; False if it is the standard error."""
    name = getattr(call.argument(stream), "name", None)
    if name in ("stdout", "stderr"):
        call.not_evaluated(stream)
        return bool(name == "stdout")
    raise UnsupportedError("output not compared: a stream that is computed")


def _printf(stream: int | None) -> Lowered:
    """printf, or fprintf with its stream at that position."""

    def handler(call: Call) -> Value:
        if stream is not None and not _standard_output(call, stream):
            call.evaluate(stream + 1)
            return call.arbitrary(call.model.int, f"result of {call.name}")
        at = 0 if stream is None else stream + 1
        node = call.argument(at)
        literal = getattr(node, "value", None)
        if getattr(node, "type", None) != "string" or not isinstance(literal, str):
            raise UnsupportedError("output not compared: a format that is computed")
        format = bytes(string(literal, call.body.position(node))[:-1]).decode("latin-1")
        values = []
        for k in range(at + 1, len(call.arguments)):
            value = call.value(k)
            values.append(Value(call.pinned(value), value.type))
        _inline(call, "__observe_print")
        _formatted(call, format, values)
        return _inline(call, "__observe_printed")

    return Lowered(handler, "int")


_CONVERSION = re.compile(r"%([-+ #0]*)(\*|\d*)(?:(\.)(\*|\d*))?(hh|h|ll|l|j|z|t|q)?(.)", re.S)


def _formatted(call: Call, format: str, values: list[Value]) -> None:
    """Prints the values by a format."""
    ints = iter(values)

    def following() -> Value:
        value = next(ints, None)
        if value is None:
            raise UnsupportedError("output not compared: too few arguments")
        return value

    def size(given: str | None) -> Value:
        if given == "*":
            return converted(following(), call.model.int)
        return _number(call, int(given or 0))

    done = 0
    for match in _CONVERSION.finditer(format):
        _literal(call, format[done : match.start()])
        done = match.end()
        flags, width_text, dot, precision_text, length, letter = match.groups()
        if letter == "%":
            _literal(call, "%")
            continue
        if width_text == "*":
            raise UnsupportedError("output not compared: a width that is computed")
        width = size(width_text)
        precision = size(precision_text) if dot else _number(call, -1)
        left, zero = (_number(call, int(c in flags)) for c in "-0")
        value = following()
        match letter:
            case "c":
                char = converted(value, call.model.int)
                if width_text:
                    raise UnsupportedError("output not compared: %c with a width")
                _inline(call, "__observe_char", char)
            case "s" if isinstance(value.type, CPtr) and length is None:
                _inline(call, "__observe_text", value, left, width, precision)
            case "d" | "i" | "u" | "x" | "X" | "o":
                value = _integer(call, value, length, letter in "di")
                plus = 43 if "+" in flags else 32 if " " in flags else 0
                if letter in "di" and not (flags or width_text or dot):
                    _inline(call, "__observe_decimal", converted(value, call.model.llong))
                elif letter in "di":
                    value, sign = converted(value, call.model.llong), _number(call, plus)
                    _inline(call, "__observe_signed", value, left, zero, sign, width, precision)
                else:
                    base = {"u": 10, "o": 8}.get(letter, 16)
                    how = (0, base, letter == "X")
                    _inline(
                        call,
                        "__observe_number",
                        converted(value, call.model.ullong),
                        *(_number(call, int(n)) for n in how),
                        *(left, zero, _number(call, 0), _number(call, int("#" in flags))),
                        *(width, precision),
                    )
            case _:
                raise UnsupportedError(f"output not compared: %{letter}")
    _literal(call, format[done:])


def _integer(call: Call, value: Value, length: str | None, signed: bool) -> Value:
    """The value as its conversion reads it."""
    m = call.model
    if not isinstance(value.type, CInt):
        raise UnsupportedError("output not compared: a number that is no integer")
    names = {None: m.int, "hh": m.schar, "h": m.short, "l": m.long, "z": m.long, "t": m.long}
    type = names.get(length, m.llong)
    if max(value.type.ir.bits, 32) != max(type.ir.bits, 32):
        raise UnsupportedError("output not compared: a number of another size")
    return converted(value, type if signed else m.unsigned(type))


def _literal(call: Call, text: str) -> None:
    if text:
        term = 0
        for byte in text.encode("latin-1"):
            term = (term * _FACTOR + byte) % _MODULUS
        factor = pow(_FACTOR, len(text), _MODULUS)
        values = _number(call, factor, wide=True), _number(call, term, wide=True)
        _inline(call, "__observe_literal", *values, _number(call, len(text)))


def _put_text(newline: bool, stream: int | None) -> Lowered:
    """puts and fputs."""

    def handler(call: Call) -> Value:
        if stream is not None and not _standard_output(call, stream):
            call.evaluate()
            return call.arbitrary(call.model.int, f"result of {call.name}")
        none = _number(call, 0), _number(call, 0), _number(call, -1)
        text = call.value(0)
        _inline(call, "__observe_print")
        _inline(call, "__observe_text", text, *none)
        _literal(call, "\n" if newline else "")
        printed = _inline(call, "__observe_printed")  # what glibc returns
        return printed if newline else _number(call, 1)

    return Lowered(handler, "int")


def _put_char(stream: int | None) -> Lowered:
    """putchar and putc."""

    def handler(call: Call) -> Value:
        value = call.value(0, call.model.int)
        if stream is not None and not _standard_output(call, stream):
            return value
        value = Value(call.pinned(value), value.type)
        _inline(call, "__observe_char", value)
        return converted(converted(value, call.model.uchar), call.model.int)

    return Lowered(handler, "int")


def _exit(call: Call) -> Value:
    _inline(call, "__observe_end", call.value(0, call.model.int))
    return call.nothing()


def _abort(call: Call) -> Value:
    _inline(call, "__observe_end", _number(call, ABORTED))
    return call.nothing()


_OBSERVED: dict[str, Entry] = {
    "printf": _printf(None),
    "__builtin_printf": _printf(None),
    "fprintf": _printf(0),
    "puts": _put_text(True, None),
    "__builtin_puts": _put_text(True, None),
    "fputs": _put_text(False, 1),
    "putchar": _put_char(None),
    "__builtin_putchar": _put_char(None),
    "putc": _put_char(1),
    "fputc": _put_char(1),
    **{name: Lowered(_exit) for name in ("exit", "_exit", "_Exit", "__builtin_exit")},
    **{name: Lowered(_abort) for name in ("abort", "__builtin_abort", "__builtin_trap")},
}

_MAIN = re.compile(r"\b(\w+)?\s*\bmain\s*\(([^()]*)\)\s*(?:[\w\s,;*\[\]]*)\{")


def _start(text: str) -> str:
    """The call of `main`."""
    match = _MAIN.search(text)
    result, parameters = (match.group(1), match.group(2)) if match else (None, "")
    count = 0 if parameters.strip() in ("", "void") else parameters.count(",") + 1
    given = ", ".join(["1", '(char *[]){"program", 0}', "(char *[]){0}"][:count])
    call = f"main({given})"
    return f"{call}; __observe_end(0)" if result == "void" else f"__observe_end({call})"
