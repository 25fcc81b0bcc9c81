"""Whether undefined behaviour is excluded where threads may stand, but for signed overflow.

What facts prove holds up to undefined behaviour. An error that the program marks is not reached in
the rest of an execution either, as there is none: but who asks for errors wants to hear of that. So
such a proof is given only where all steps are defined, as far as that is easy to see.
NOTE(defined-errors)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial

from abpress.analysis.facts import Facts
from abpress.analysis.points_to import Target
from abpress.config import Place
from abpress.ir.bounds import bounds
from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, Float, PtrAdd, PtrDiff, Reg, walk
from abpress.ir.intervals import Interval, within
from abpress.ir.program import (
    Copy,
    Edge,
    Effect,
    Fault,
    Free,
    Load,
    Program,
    Store,
    effect_operands,
    effect_target,
)
from abpress.ir.types import INT, IntType, PtrType

_NO_ADDRESS = (-(1 << 63), INT.maximum)
"""Numbers that no object has as its address, where pointers have 64 bits."""


@dataclass(frozen=True, slots=True)
class _Values:
    """What is known where a thread stands: the values of an integer expression, or None; and where
    a pointer may point to, wherever it stands."""

    of: Callable[[Expr], Interval | None]
    targets: Callable[[Expr], tuple[Target, ...]]


def doubtful(
    program: Program,
    reached: Collection[tuple[str, int]],
    values: Callable[[str, int, Expr], Interval | None],
) -> Iterator[Place]:
    """The edges of these locations whose steps may be undefined by what they compute, or as they
    free memory; `values` are those of an expression where a thread of a template stands. Others
    look at accesses, pointers that are moved or told apart, joins, and faults that are marked."""
    points_to = Facts.of(program).points_to
    for name, location in sorted(reached):
        known = _Values(partial(values, name, location), partial(points_to.targets, name))
        for k, edge in enumerate(program.templates[name].locations[location].edges):
            if _may_be_undefined(edge, known):
                yield name, location, k


def computed(effect: Effect) -> Iterator[Expr]:
    """What an effect computes but for the addresses that it accesses, which have distances only."""
    match effect:
        case Load(_, address):
            yield from _distances(address)
        case Store(address, value):
            yield from _distances(address)
            yield value
        case Copy(target, source, _):
            yield from (*_distances(target), *_distances(source))
        case _:
            yield from effect_operands(effect)


def _distances(address: Expr) -> Iterator[Expr]:
    """By how much an address is moved; the pointer that is moved, unless it is moved itself."""
    while isinstance(address, PtrAdd):
        yield address.bytes
        address = address.pointer
    yield address


def _may_be_undefined(edge: Edge, values: _Values) -> bool:
    """Whether operations of an edge may be undefined: by what is known before it of registers that
    it has not written yet."""
    if _may_fault(edge.guard, values):
        return True
    written: set[str] = set()
    known = _Values(partial(_unless_written, written, values.of), values.targets)
    for effect in edge.effects:
        if isinstance(effect, Free) and not effect.automatic:
            return True
        if any(_may_fault(e, known) for e in computed(effect)):
            return True
        target = effect_target(effect)
        if target is not None:
            written.add(target.name)
    return False


def _unless_written(
    written: Collection[str], of: Callable[[Expr], Interval | None], e: Expr
) -> Interval | None:
    """The values of an expression; None if it reads a register that has been written."""
    reads = (sub.name for sub in walk(e) if isinstance(sub, Reg))
    return None if any(name in written for name in reads) else of(e)


def _of_number(e: Expr) -> Interval | None:
    return (e.value, e.value) if isinstance(e, Const) else None


def is_fault(effect: Effect) -> bool:
    """Whether it marks undefined behaviour."""
    return isinstance(effect, Fault)


def _may_fault(e: Expr, values: _Values) -> bool:
    return any(_is_partial(sub, values) for sub in walk(e))


def _is_partial(e: Expr, values: _Values) -> bool:
    """Whether an operation is undefined for some operands, other than by overflow."""
    match e:
        case Binary("/" | "%", left, right):
            by = _of_number(right) or values.of(right)
            least = -1 if isinstance(left.type, IntType) and left.type.signed else 0
            return by is None or (by[0] <= 0 and by[1] >= least)
        case Binary("<<" | ">>", left, right):
            by = _of_number(right) or values.of(right)
            return by is None or by[0] < 0 or by[1] >= left.type.bits
        case PtrDiff() | Float("to"):
            return True
        case Compare(op, left, _) if isinstance(left.type, PtrType):
            return op not in ("==", "!=")
        case Convert(Const(), _):
            return False
        case Convert(arg, PtrType(size)) if isinstance(arg.type, IntType):
            return not _is_no_address(arg, size, values)
        case Convert(arg, IntType()) if isinstance(arg.type, PtrType):
            return bool(values.targets(arg))
        case _:
            return False


def _is_no_address(e: Expr, size: int, values: _Values) -> bool:
    """Whether an integer is no address, as a pointer of `size` bytes."""
    least, most = _NO_ADDRESS if size == 8 else (0, INT.maximum)
    known = (bounds(e), values.of(e))
    return any(its is not None and within(its, (least, most)) for its in known)
