"""C11 atomics, and GCC's __atomic and __sync builtins: one atomic block each; memory orders and
fences have no effect under sequential consistency (which is assumed of weaker orders)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pycparser import c_ast

from abpress.errors import UnsupportedError
from abpress.ir.expr import Const, Convert, Expr, Reg
from abpress.ir.program import Assign, Havoc
from abpress.ir.types import INT, IntType
from abpress_frontend.lower.atomic_structs import has_padding, is_same
from abpress_frontend.lower.call import Call
from abpress_frontend.lower.ctypes import (
    CFloat,
    CInt,
    CPtr,
    CRecord,
    CType,
    is_scalar,
    scalar,
    sizeof,
)
from abpress_frontend.lower.entries import Entry, Lowered, NoEffect
from abpress_frontend.lower.types import unatomic
from abpress_frontend.lower.unchecked import WEAK_ORDER
from abpress_frontend.lower.values import (
    MemoryPlace,
    Value,
    arithmetic,
    comparison,
    converted,
    fold,
    pointer_add,
    scaled,
    unary,
)

Handler = Callable[[Call], Value]


_OF_STRUCTS = (
    *("atomic_load", "atomic_store", "atomic_init", "atomic_exchange", "atomic_compare_exchange"),
    *("__c11_atomic_init", "__atomic_load", "__atomic_store", "__atomic_exchange"),
    "__atomic_compare_exchange",
)
"""Beginnings of the names of functions for objects of any type."""


def _place(call: Call, index: int = 0) -> MemoryPlace:
    """The atomic object, its address computed once."""
    place = call.target(index)
    is_struct = isinstance(place.type, CRecord) and place.type.fields is not None
    if not (is_scalar(place.type) or (is_struct and call.name.startswith(_OF_STRUCTS))):
        raise UnsupportedError(f"{call.name} on an object of type {place.type}")
    padded = isinstance(place.type, CFloat) and place.type.size > place.type.ir.size
    if padded and "compare" in call.name:
        raise UnsupportedError(f"{call.name} on a {place.type}, which has padding")
    address = call.pinned(Value(place.address, call.model.pointer_to(place.type)))
    return MemoryPlace(address, place.type)


def _load(call: Call) -> Value:
    return call.load(_place(call))


def _load_into(call: Call) -> Value:
    value = call.load(_place(call))
    call.write(call.target(1), value)
    return call.nothing()


def _store(call: Call) -> Value:
    place = _place(call)
    call.store(place, call.value(1, unatomic(place.type)))
    return call.nothing()


def _store_from(call: Call) -> Value:
    place = _place(call)
    call.store(place, call.read(call.target(1)))
    return call.nothing()


def _initialise(call: Call) -> Value:
    place = _place(call)
    call.write(place, call.value(1, unatomic(place.type)))
    return call.nothing()


def _exchanged(call: Call, place: MemoryPlace, new: Value) -> Value:
    new = call.kept(converted(new, unatomic(place.type)))
    call.graph.atomic(+1)
    old = call.load(place)
    call.store(place, new)
    call.graph.atomic(-1)
    return old


def _exchange(call: Call) -> Value:
    place = _place(call)
    return _exchanged(call, place, call.value(1))


def _exchange_memory(call: Call) -> Value:
    place = _place(call)
    new = call.read(call.target(1))
    result = call.target(2)
    call.write(result, _exchanged(call, place, new))
    return call.nothing()


def _operated(op: str, old: Value, operand: Value, scale: bool) -> Value:
    """old op operand, wrapping around."""
    type = old.type
    if isinstance(type, CPtr):
        size = sizeof(type.target) if scale else 1
        offset = scaled(operand.expr, size)
        return Value(pointer_add(old.expr, offset if op == "+" else unary("-", offset)), type)
    if not isinstance(type, CInt):
        raise UnsupportedError(f"atomic operation on a {type}")
    wide = IntType(type.ir.bits, False)
    a, b = fold(Convert(old.expr, wide)), fold(Convert(converted(operand, type).expr, wide))
    result = arithmetic("&", a, b) if op == "nand" else arithmetic(op, a, b)
    if op == "nand":
        result = unary("~", result)
    if type.is_bool:
        result = fold(Convert(comparison("!=", result, Const(0, wide)), type.ir))
    return Value(fold(Convert(result, type.ir)), type)


def _update(op: str, new_value: bool, scale: bool = False) -> Handler:
    """fetch_<op> (yields the old value) and <op>_fetch (yields the new one)."""

    def handler(call: Call) -> Value:
        place = _place(call)
        operand = call.body.copied(call.value(1))
        call.graph.atomic(+1)
        old = call.load(place)
        new = call.body.copied(_operated(op, old, operand, scale))
        call.store(place, new)
        call.graph.atomic(-1)
        return new if new_value else old

    return handler


def _extreme(op: str, unsigned: bool = False) -> Handler:
    """fetch_max, fetch_min; fetch_umax and fetch_umin compare signed objects as unsigned ones."""

    def compared(value: Value) -> Expr:
        if unsigned and isinstance(value.expr.type, IntType):
            return fold(Convert(value.expr, IntType(value.expr.type.bits, False)))
        return value.expr

    def handler(call: Call) -> Value:
        place = _place(call)
        if isinstance(place.type, CFloat):
            raise UnsupportedError(f"{call.name} on a {place.type}")
        operand = call.body.copied(call.value(1, unatomic(place.type)))
        call.graph.atomic(+1)
        old = call.load(place)
        better, end = call.graph.location(), call.graph.location()
        call.graph.branch(comparison(op, compared(operand), compared(old)), better, end)
        call.graph.at(better)
        call.store(place, operand)
        call.graph.goto(end)
        call.graph.at(end)
        call.graph.atomic(-1)
        return old

    return handler


def _swapped(
    call: Call, place: MemoryPlace, expected: Value, new: Value, weak: Expr | None = None
) -> tuple[Reg, Value]:
    """Compare-and-swap: (whether it succeeded, the old value). A failing one only reads. It may
    fail for no reason where `weak` is given and not 0."""
    succeeded = call.graph.temporary(INT)
    call.graph.atomic(+1)
    old = call.load(place)
    same, differs, end = (call.graph.location() for _ in range(3))
    if isinstance(old.type, CRecord):
        equal = is_same(call.body, old, expected)
    else:
        equal = comparison("==", old.expr, expected.expr)
    call.graph.branch(equal, same, differs)
    call.graph.at(same)
    if weak is not None:
        weakly, fails, same = call.graph.temporary(INT), *(call.graph.location() for _ in range(2))
        call.graph.emit(Havoc(weakly, f"spurious failure of {call.name}", 0, 1))
        call.graph.branch(comparison("!=", weakly, Const(0, INT)), fails, same)
        call.graph.at(fails)
        call.graph.branch(comparison("!=", weak, Const(0, weak.type)), differs, same)
        call.graph.at(same)
    call.store(place, new)
    call.graph.emit(Assign(succeeded, Const(1, INT)))
    call.graph.goto(end)
    call.graph.at(differs)
    call.graph.emit(Assign(succeeded, Const(0, INT)))
    call.graph.goto(end)
    call.graph.at(end)
    call.graph.atomic(-1)
    return succeeded, old


def _compare_exchange(desired_is_pointer: bool = False, weak: bool = False) -> Handler:
    """compare_exchange(object, &expected, desired): on failure, expected := the old value."""

    def handler(call: Call) -> Value:
        place = _place(call)
        type = unatomic(place.type)
        slot = call.target(1)
        address = call.pinned(Value(slot.address, call.model.pointer_to(slot.type)))
        slot = MemoryPlace(address, slot.type)
        expected = converted(call.read(slot), type)
        new = call.read(call.target(2)) if desired_is_pointer else call.value(2, type)
        new = call.kept(converted(new, type))
        call.body.computed(new.expr)  # also if nothing is stored
        may_fail = _weak(call, weak)
        if may_fail is None and has_padding(type):
            may_fail = _differs(call)
        succeeded, old = _swapped(call, place, expected, new, may_fail)
        failed, end = call.graph.location(), call.graph.location()
        call.graph.branch(succeeded, end, failed)
        call.graph.at(failed)
        call.write(slot, old)
        call.graph.goto(end)
        call.graph.at(end)
        return Value(fold(Convert(succeeded, call.model.bool.ir)), call.model.bool)

    return handler


def _weak(call: Call, weak: bool) -> Expr | None:
    """Whether a compare-exchange may fail for no reason: an expression, or None where it may not.
    C11 says it by the function's name, the builtins of GNU C by their fourth argument."""
    if call.name.startswith("__atomic") and len(call.arguments) > 3:
        says = call.body.copied(call.value(3, call.model.bool)).expr
    else:
        says = Const(int(weak), INT)
    if isinstance(says, Const) and says.value == 0:
        return None
    if call.unit.options.spurious_failures == "on":
        return says
    call.unit.assumptions.setdefault("a weak compare-and-exchange does not fail spuriously")
    return None


def _differs(call: Call) -> Expr | None:
    """Whether a compare-exchange of structs with padding may fail because of that."""
    if call.unit.options.spurious_failures == "on":
        return Const(1, INT)
    call.unit.assumptions.setdefault("no compare-and-exchange fails because of padding")
    return None


def _sync_swap(result: str) -> Handler:
    """__sync_bool_compare_and_swap, __sync_val_compare_and_swap."""

    def handler(call: Call) -> Value:
        place = _place(call)
        type = unatomic(place.type)
        expected = call.body.copied(call.value(1, type))
        new = call.body.copied(call.value(2, type))
        call.body.computed(new.expr)
        succeeded, old = _swapped(call, place, expected, new)
        return Value(succeeded, call.model.int) if result == "bool" else old

    return handler


def _flag(call: Call) -> MemoryPlace:
    """The scalar of an atomic_flag (a struct of one), or of what stands for one."""
    place = call.target(0)
    type: CType = place.type if is_scalar(place.type) else call.model.bool
    if not is_scalar(place.type) and sizeof(place.type) != 1:
        type = call.model.int
    scalar(type)
    return MemoryPlace(call.pinned(Value(place.address, call.model.pointer_to(type))), type)


def _test_and_set(call: Call) -> Value:
    place = _flag(call)
    old = _exchanged(call, place, call.constant(1))
    return converted(old, call.model.bool)


def _clear(call: Call) -> Value:
    call.store(_flag(call), call.constant(0))
    return call.nothing()


def _fence(call: Call) -> Value:
    return call.nothing()


_OPERATORS = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^", "nand": "nand"}


def _both(name: str, entry: Entry) -> dict[str, Entry]:
    """A C11 function, its _explicit variant, and what Clang's header makes of that."""
    return {name: entry, f"{name}_explicit": entry, f"__c11_{name}": entry}


ATOMICS: dict[str, Entry] = {
    **_both("atomic_load", Lowered(_load, "*0")),
    **_both("atomic_store", Lowered(_store)),
    "atomic_init": Lowered(_initialise),
    "__c11_atomic_init": Lowered(_initialise),
    **_both("atomic_exchange", Lowered(_exchange, "*0")),
    **_both("atomic_compare_exchange_strong", Lowered(_compare_exchange(), "bool")),
    **_both("atomic_compare_exchange_weak", Lowered(_compare_exchange(weak=True), "bool")),
    **_both("atomic_flag_test_and_set", Lowered(_test_and_set, "bool")),
    **_both("atomic_flag_clear", Lowered(_clear)),
    "__atomic_load_n": Lowered(_load, "*0"),
    "__atomic_load": Lowered(_load_into),
    "__atomic_store_n": Lowered(_store),
    "__atomic_store": Lowered(_store_from),
    "__atomic_exchange_n": Lowered(_exchange, "*0"),
    "__atomic_exchange": Lowered(_exchange_memory),
    "__atomic_compare_exchange_n": Lowered(_compare_exchange(), "bool"),
    "__atomic_compare_exchange": Lowered(_compare_exchange(desired_is_pointer=True), "bool"),
    "__atomic_test_and_set": Lowered(_test_and_set, "bool"),
    "__atomic_clear": Lowered(_clear),
    "__sync_bool_compare_and_swap": Lowered(_sync_swap("bool"), "int"),
    "__sync_val_compare_and_swap": Lowered(_sync_swap("val"), "*0"),
    "__sync_lock_test_and_set": Lowered(_exchange, "*0"),
    "__sync_lock_release": Lowered(_clear),
    "__sync_fetch_and_max": Lowered(_extreme(">"), "*0"),
    "__sync_fetch_and_umax": Lowered(_extreme(">", unsigned=True), "*0"),
    "__sync_fetch_and_min": Lowered(_extreme("<"), "*0"),
    "__sync_fetch_and_umin": Lowered(_extreme("<", unsigned=True), "*0"),
    **{
        name: Lowered(_fence)
        for name in (
            "atomic_thread_fence", "atomic_signal_fence", "__atomic_thread_fence",
            "__atomic_signal_fence", "__sync_synchronize", "__c11_atomic_thread_fence",
            "__c11_atomic_signal_fence",
        )
    },
    **{
        name: NoEffect("bool", 1)
        for name in (
            "atomic_is_lock_free", "__atomic_is_lock_free", "__atomic_always_lock_free",
            "__c11_atomic_is_lock_free",
        )
    },
}  # fmt: skip

for _name, _op in _OPERATORS.items():
    ATOMICS.update(_both(f"atomic_fetch_{_name}", Lowered(_update(_op, False, True), "*0")))
    ATOMICS[f"__atomic_fetch_{_name}"] = Lowered(_update(_op, False), "*0")
    ATOMICS[f"__atomic_{_name}_fetch"] = Lowered(_update(_op, True), "*0")
    ATOMICS[f"__sync_fetch_and_{_name}"] = Lowered(_update(_op, False), "*0")
    ATOMICS[f"__sync_{_name}_and_fetch"] = Lowered(_update(_op, True), "*0")


def _is_literal(call: Call, node: c_ast.Node) -> bool:
    """Whether an argument is a number, or the name of one: evaluating it does nothing."""
    literal = isinstance(node, c_ast.Constant | c_ast.ID)
    return literal and call.body.expressions.is_constant(node)


def _is_strongest(call: Call, node: c_ast.Node) -> bool:
    """Whether a memory order is the literal `memory_order_seq_cst`."""
    return _is_literal(call, node) and call.body.expressions.value(node).expr == Const(5, INT)


def _ordered(name: str, entry: Lowered) -> Lowered:
    """The entry, with its memory orders evaluated, its last arguments, unless they are literals.
    Weaker ones are taken for the strongest, which verdicts assume; a fence of one is nothing."""
    explicit = name.endswith(("_explicit", "_fence"))
    explicit |= name.startswith(("__atomic", "__c11")) and not name.endswith("_init")
    orders = (2 if "compare_exchange" in name else 1) if explicit else 0
    weak = name in ("__sync_lock_test_and_set", "__sync_lock_release")

    def handler(call: Call) -> Value:
        given = call.arguments[max(len(call.arguments) - orders, 0) :] if orders else []
        strong = not weak and all(_is_strongest(call, node) for node in given)
        if not strong and not name.endswith("_fence"):
            call.unit.assume(WEAK_ORDER, call.body.position(call.node))
        if not all(_is_literal(call, node) for node in given):
            call.evaluate(len(call.arguments) - len(given))
        return entry.handler(call)

    return replace(entry, handler=handler) if orders or weak else entry


for _name, _entry in ATOMICS.items():
    if isinstance(_entry, Lowered):
        ATOMICS[_name] = _ordered(_name, _entry)
