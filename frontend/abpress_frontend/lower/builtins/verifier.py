"""Verification functions: errors, assertions, assumptions, inputs, atomic sections; program end."""

from __future__ import annotations

from dataclasses import replace

from abpress.errors import UnsupportedError
from abpress.ir.expr import FALSE, Const
from abpress.ir.program import UNREACH_CALL, Exit, Fail, Fault, GuardKind
from abpress_frontend.lower.builtins.primitives import PRIMITIVES, assume
from abpress_frontend.lower.call import Call
from abpress_frontend.lower.endings import run_handlers
from abpress_frontend.lower.entries import Entry, Input, Lowered, NoEffect, Refused
from abpress_frontend.lower.syntax import has_effect
from abpress_frontend.lower.values import Value, truth


def _fail(call: Call, message: str, function: str = "") -> None:
    """An error, unless the calls of another function are the only errors: then, as `abort`."""
    only = call.unit.options.error_function
    counts = only in ("any", function)
    if not counts:
        run_handlers(call.body, "abort", call.node)
    call.graph.emit(Fail(UNREACH_CALL, message) if counts else Exit("abort"))


def _error(call: Call) -> Value:
    call.evaluate()
    _fail(call, f"{call.name} is called", call.name)
    return call.nothing()


def _assert_fail(call: Call) -> Value:
    call.evaluate()
    _fail(call, f"assertion {call.text(0)} fails".replace("  ", " "))
    return call.nothing()


def _assert(call: Call) -> Value:
    """Any function that takes a condition first: fails where it is zero."""
    text = call.text(1) if len(call.arguments) > 1 else ""
    call.evaluate(1)
    _fail_unless(call, f"assertion {text} fails" if text else "assertion fails")
    return call.nothing()


def _acsl_assert(call: Call) -> Value:
    """What an annotation says of one state: it is looked at in one step, and accesses nothing that
    could race."""
    if has_effect(call.argument(0)):
        at = call.body.position(call.node)
        raise UnsupportedError("ACSL assertion with side effects or calls", at)
    call.graph.atomic(+1)
    with call.body.annotation():
        _fail_unless(call, "assertion fails")
    call.graph.atomic(-1)
    return call.nothing()


def _fail_unless(call: Call, message: str) -> None:
    """An error where the first argument is zero."""
    fails, holds = call.graph.location(), call.graph.location()
    call.condition(0, holds, fails)
    call.graph.at(fails)
    call.body.visit(call.node)
    _fail(call, message)
    call.graph.at(holds)


def _exit(how: str, handled: bool = True) -> Lowered:
    """The end of the program, before which handlers run if it is one that is `handled`."""

    def handler(call: Call) -> Value:
        call.evaluate()
        call.body.visit(call.node)
        if handled:
            run_handlers(call.body, how, call.node)
        call.graph.emit(Exit(how))
        return call.nothing()

    return Lowered(handler)


def _unreachable(call: Call) -> Value:
    call.evaluate()
    call.graph.emit(Fault("__builtin_unreachable is reached"))
    return call.nothing()


def _expect(call: Call) -> Value:
    """A call as any other: gcc and clang evaluate its arguments in different orders."""
    value = call.value(0, call.model.long)
    folded = call.body.expressions.is_constant(call.argument(0))
    if not (folded and has_effect(call.argument(1))):  # which compilers then do not evaluate
        call.evaluate(1)
    return value


def _builtin_assume(call: Call) -> Value:
    if has_effect(call.argument(0)):
        at = call.body.position(call.node)
        raise UnsupportedError(f"{call.name} with side effects, which compilers leave out", at)
    fails, holds = call.graph.location(), call.graph.location()
    test = truth(call.value(0))
    if isinstance(test, Const):
        call.graph.goto(holds if test.value else fails)
    else:
        call.graph.branch(test, holds, fails)
    call.graph.at(fails)
    call.graph.emit(Fault("the condition of __builtin_assume is false"))
    call.graph.at(holds)
    return call.nothing()


def _stop(call: Call) -> Value:
    """An execution that is silently given up."""
    call.graph.require(FALSE, GuardKind.ASSUME)
    return call.nothing()


def _asm(call: Call) -> Value:
    """What is not translated to C (`clean/x86`)."""
    raise UnsupportedError(f'inline assembly "{call.text(0)}"', call.body.position(call.node))


INPUTS = {
    "bool": "bool", "char": "char", "uchar": "uchar", "unsigned_char": "uchar", "u8": "uchar",
    "short": "short", "ushort": "ushort", "u16": "ushort", "int": "int", "uint": "uint",
    "unsigned": "uint", "unsigned_int": "uint", "u32": "uint", "long": "long", "ulong": "ulong",
    "longlong": "llong", "ulonglong": "ullong", "int128": "int128", "uint128": "uint128",
    "size_t": "size_t", "loff_t": "llong", "sector_t": "ulong", "pthread_t": "ulong",
    "_Bool": "bool", "float": "float", "double": "double",
}  # fmt: skip
"""Suffix of an input function -> the type that it returns, an attribute of `DataModel`."""

UNSUPPORTED_INPUTS = (
    "pointer", "charp", "pchar", "const_char_pointer", "memory",
)  # fmt: skip

VERIFIER: dict[str, Entry] = {
    "reach_error": Lowered(_error, forced=True),
    "__VERIFIER_error": Lowered(_error, forced=True),
    "__assert_fail": Lowered(_assert_fail, forced=True),
    "__assert_rtn": Lowered(_assert_fail, forced=True),
    "__assert": Lowered(_assert_fail),
    "assert": Lowered(_assert),
    "__abp_assert": Lowered(_assert),
    "__abp_acsl_assert": Lowered(_acsl_assert),
    "__VERIFIER_assert": Lowered(_assert),
    "__ESBMC_assert": Lowered(_assert, forced=True),
    "__CPROVER_assert": Lowered(_assert, forced=True),
    "__VERIFIER_assume": Lowered(assume, forced=True),
    "__ESBMC_assume": Lowered(assume, forced=True),
    "__CPROVER_assume": Lowered(assume, forced=True),
    "__builtin_assume": Lowered(_builtin_assume),
    "assume_abort_if_not": Lowered(assume),
    "__VERIFIER_silent_exit": Lowered(_stop),
    "__VERIFIER_atomic_begin": replace(PRIMITIVES["__abp_atomic_begin"], forced=True),
    "__VERIFIER_atomic_end": replace(PRIMITIVES["__abp_atomic_end"], forced=True),
    "__ESBMC_atomic_begin": PRIMITIVES["__abp_atomic_begin"],
    "__ESBMC_atomic_end": PRIMITIVES["__abp_atomic_end"],
    "__CPROVER_atomic_begin": PRIMITIVES["__abp_atomic_begin"],
    "__CPROVER_atomic_end": PRIMITIVES["__abp_atomic_end"],
    "abort": _exit("abort"),
    "exit": _exit("exit"),
    "__builtin_exit": _exit("exit"),
    "_exit": _exit("_exit"),
    "_Exit": _exit("_Exit"),
    "quick_exit": _exit("quick_exit"),
    "__builtin_abort": _exit("abort"),
    "__builtin_trap": _exit("abort", handled=False),
    "__builtin_unreachable": Lowered(_unreachable),
    "__builtin_expect": Lowered(_expect, "long"),
    **{
        name: NoEffect("void")
        for name in ("__builtin_prefetch", "__builtin_ia32_pause", "_mm_pause")
    },
    "__abp_asm": Lowered(_asm),
    **{f"__VERIFIER_nondet_{name}": Input(type) for name, type in INPUTS.items()},
    **{f"nondet_{name}": Input(type, forced=False) for name, type in INPUTS.items()},
    **{
        f"__VERIFIER_nondet_{name}": Refused("inputs of this type are not supported", forced=True)
        for name in UNSUPPORTED_INPUTS
    },
}

CALLS_FAIL = frozenset(
    name
    for name, entry in VERIFIER.items()
    if isinstance(entry, Lowered) and entry.handler in (_error, _assert_fail)
)
CALLS_TEST = frozenset(
    name
    for name, entry in VERIFIER.items()
    if isinstance(entry, Lowered) and entry.handler in (_assert, _acsl_assert)
)
"""Functions of which each call is an error (unless that of another one alone is), and of which a
call is one where its argument is zero."""
