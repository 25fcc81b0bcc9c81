"""Whether undefined behaviour is excluded where threads may stand, but for signed overflow.

What facts prove holds up to undefined behaviour. An error that the program marks is not reached in
the rest of an execution either, as there is none: but who asks for errors wants to hear of that. So
such a proof is given only where all steps are defined, as far as that is easy to see.
NOTE(defined-errors)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from abpress.ir.expr import Addr, Binary, Compare, Const, Convert, Expr, PtrAdd, PtrDiff, walk
from abpress.ir.program import (
    Copy,
    Effect,
    Fault,
    Free,
    Load,
    Program,
    Store,
    effect_operands,
)
from abpress.ir.types import IntType, PtrType

Place = tuple[str, int, int]
"""Template, location, and index of an edge."""


def doubtful(program: Program, reached: Collection[tuple[str, int]]) -> Iterator[Place]:
    """The edges of these locations whose steps may be undefined by what they compute, or as they
    free memory. Accesses, and faults that the program marks, are others' concern."""
    for name, location in sorted(reached):
        for k, edge in enumerate(program.templates[name].locations[location].edges):
            if _may_fault(edge.guard) or any(map(_is_doubtful, edge.effects)):
                yield name, location, k


def is_fault(effect: Effect) -> bool:
    """Whether it marks undefined behaviour."""
    return isinstance(effect, Fault)


def _is_doubtful(effect: Effect) -> bool:
    match effect:
        case Free(_, automatic):
            return not automatic
        case Load(_, address):
            return _address_may_fault(address)
        case Store(address, value):
            return _address_may_fault(address) or _may_fault(value)
        case Copy(target, source, _):
            return _address_may_fault(target) or _address_may_fault(source)
        case _:
            return any(map(_may_fault, effect_operands(effect)))


def _address_may_fault(e: Expr) -> bool:
    """As `_may_fault`, of what is accessed: there is no access beside an object."""
    if isinstance(e, PtrAdd):
        return _address_may_fault(e.pointer) or _may_fault(e.bytes)
    return _may_fault(e)


def _may_fault(e: Expr) -> bool:
    return any(map(_is_partial, walk(e)))


def _is_partial(e: Expr) -> bool:
    """Whether an operation is undefined for some operands, other than by overflow."""
    match e:
        case Binary("/" | "%", left, Const(value, _)):
            return value == 0 or (value == -1 and _is_signed(left))
        case Binary("<<" | ">>", left, Const(value, _)):
            return not 0 <= value < 8 * left.type.size
        case Binary("/" | "%" | "<<" | ">>") | PtrDiff():
            return True
        case Compare(op, left, right) if isinstance(left.type, PtrType):
            return op not in ("==", "!=") or not (_is_null(left) or _is_null(right))
        case Convert(Const(), _):
            return False
        case Convert(arg, type):
            return isinstance(arg.type, PtrType) is not isinstance(type, PtrType)
        case PtrAdd(pointer, moved):
            return not (isinstance(pointer, Addr) and isinstance(moved, Const))
        case _:
            return False


def _is_null(e: Expr) -> bool:
    return isinstance(e, Const) and e.value == 0


def _is_signed(e: Expr) -> bool:
    return isinstance(e.type, IntType) and e.type.signed
