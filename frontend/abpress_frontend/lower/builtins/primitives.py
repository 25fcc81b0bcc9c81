"""The `__abp_*` primitives of the C models."""

from __future__ import annotations

from abpress.errors import InputError
from abpress.ir.expr import Addr, Const
from abpress.ir.program import (
    NO_MISUSE,
    Assign,
    ChooseBit,
    Cut,
    Exit,
    Fail,
    Fault,
    GuardKind,
    Join,
)
from abpress_frontend.gnu import LABEL_ADDRESS, VARIABLE_ARGUMENTS
from abpress_frontend.lower.call import Call
from abpress_frontend.lower.ctypes import VOID
from abpress_frontend.lower.entries import Entry, Lowered
from abpress_frontend.lower.indirect import spawn
from abpress_frontend.lower.layout import layout
from abpress_frontend.lower.values import Value, truth


def _atomic_begin(call: Call) -> Value:
    call.graph.atomic(+1, call.body.in_model)
    return call.nothing()


def _atomic_end(call: Call) -> Value:
    call.graph.atomic(-1, call.body.in_model)
    return call.nothing()


def _await(call: Call) -> Value:
    call.graph.require(truth(call.value(0)), GuardKind.AWAIT)
    return call.nothing()


def assume(call: Call) -> Value:
    """Restricts the executions to those in which the argument is non-zero."""
    call.graph.require(truth(call.value(0)), GuardKind.ASSUME)
    return call.nothing()


def _self(call: Call) -> Value:
    return Value(call.body.self_id(), call.model.ulong)


def _identity(call: Call) -> Value:
    """The id of a thread as a number, of which nothing is asked but whether it is that of another:
    so it does not count that numbers may be given out otherwise."""
    return Value(call.value(0).expr, call.model.ulong)


def _spawn(call: Call) -> Value:
    entry = call.value(0)
    return spawn(call.body, entry, call.value(1))


def _join(call: Call) -> Value:
    thread = call.value(0, call.model.ulong)
    target = call.graph.temporary(call.body.pointer)
    call.graph.emit(Join(target, thread.expr))
    return Value(target, call.model.pointer_to(VOID))


def _finish(call: Call) -> Value:
    result = call.value(0, call.model.pointer_to(VOID))
    call.graph.emit(Assign(call.body.result, result.expr))
    call.graph.goto(call.body.finish)
    return call.nothing()


def _exit(call: Call) -> Value:
    call.graph.emit(Exit(call.text(0)))
    return call.nothing()


def _fail(call: Call) -> Value:
    call.graph.emit(Fail(call.text(0), call.text(1)))
    return call.nothing()


def _fault(call: Call) -> Value:
    call.graph.emit(Fault(call.text(0)))
    return call.nothing()


def _misuse(call: Call) -> Value:
    call.graph.emit(Fault(call.text(0), NO_MISUSE))
    return call.nothing()


def _cut(call: Call) -> Value:
    call.graph.emit(Cut(call.text(0)))
    return call.nothing()


def _choose_bit(call: Call) -> Value:
    mask = call.value(0, call.model.set)
    target = call.graph.temporary(call.model.set.ir)
    call.graph.emit(ChooseBit(target, mask.expr))
    return Value(target, call.model.set)


def _nondet(type: str) -> Lowered:
    def handler(call: Call) -> Value:
        return call.arbitrary(getattr(call.model, type), "choice of a library function")

    return Lowered(handler, type)


def _nondet_between(call: Call) -> Value:
    """An arbitrary long between two constants."""
    low, high = (call.value(i, call.model.long).expr for i in (0, 1))
    assert isinstance(low, Const) and isinstance(high, Const)
    return call.arbitrary(call.model.long, "choice of a library function", low.value, high.value)


def _variable_arguments(call: Call) -> Value:
    """Where the arguments without a parameter are, of the function that is executed."""
    address = call.body.frame.variable
    if address is None:
        where = call.body.position(call.node)
        raise InputError("va_start in a function without variable arguments", where)
    return Value(address, call.model.pointer_to(VOID))


def _label_address(call: Call) -> Value:
    """The address of a label, of which only equality is of use: that of an object of its own."""
    call.not_evaluated(0)
    unit, name = call.unit, f"label {call.text(0)}"
    if name not in unit.objects.by_name:
        unit.objects.add(name, layout(unit.model.char), (None,), call.body.position(call.node))
    return Value(Addr(name, 0, call.body.pointer), unit.model.pointer_to(VOID))


PRIMITIVES: dict[str, Entry] = {
    LABEL_ADDRESS: Lowered(_label_address, "void*", operator=True),
    "__abp_atomic_begin": Lowered(_atomic_begin),
    "__abp_atomic_end": Lowered(_atomic_end),
    "__abp_await": Lowered(_await),
    "__abp_assume": Lowered(assume),
    "__abp_self": Lowered(_self, "ulong"),
    "__abp_identity": Lowered(_identity, "ulong"),
    "__abp_spawn": Lowered(_spawn, "ulong"),
    "__abp_join": Lowered(_join, "void*"),
    "__abp_finish": Lowered(_finish),
    "__abp_exit": Lowered(_exit),
    "__abp_fail": Lowered(_fail),
    "__abp_fault": Lowered(_fault),
    "__abp_misuse": Lowered(_misuse),
    "__abp_cut": Lowered(_cut),
    VARIABLE_ARGUMENTS: Lowered(_variable_arguments, "void*"),
    "__abp_choose_bit": Lowered(_choose_bit, "set"),
    "__abp_nondet_int": _nondet("int"),
    "__abp_nondet_uint": _nondet("uint"),
    "__abp_nondet_bool": _nondet("bool"),
    "__abp_nondet_between": Lowered(_nondet_between, "long"),
}
