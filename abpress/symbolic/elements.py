"""Elements of arrays: the index that an address means."""

from __future__ import annotations

from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, is_signed
from abpress.ir.intervals import Interval, combined
from abpress.ir.types import INDEX, IntType
from abpress.logic.connectives import between
from abpress.logic.formula import Formula, conj, holds


def element(distance: Expr, offset: int, size: int, count: int) -> tuple[Expr, Formula]:
    """The index of the element at `offset + distance` bytes, and a condition for it.

    Where the condition holds, the address is that of an element, and of no other one. Where it does
    not hold, the address is not that of an element, or has wrapped around.
    """
    inner, factor, number = _scaled(distance)
    first = offset + number
    if factor > 0 and factor % size == 0 and first % size == 0:
        step, start = factor // size, first // size
        within = (-(start // step), (count - 1 - start) // step)
        if within[0] <= within[1] and _is_exact(distance, inner, within):
            index: Expr = Convert(inner, INDEX)
            if step != 1:
                index = Binary("*", index, Const(step, INDEX))
            if start != 0:
                index = Binary("+", index, Const(start, INDEX))
            return index, between(inner, *within)
    wide = Binary("+", Convert(distance, INDEX), Const(offset, INDEX))
    aligned = Compare("==", Binary("%", wide, Const(size, INDEX)), Const(0, INDEX))
    condition = conj((between(wide, 0, (count - 1) * size), holds(aligned)))
    return Binary("/", wide, Const(size, INDEX)), condition


def _is_exact(e: Expr, x: Expr, values: Interval) -> bool:
    """Whether nothing wraps in `e` where x is in a range; nor where it leaves that by its type."""
    t = x.type
    assert isinstance(t, IntType)
    if not (t.contains(values[0]) and t.contains(values[1])):
        values = t.minimum, t.maximum
    return _range(e, x, values) is not None


def _scaled(e: Expr) -> tuple[Expr, int, int]:
    """An expression x, a factor and a number: `e` is `x * factor + number` if nothing wraps."""
    match e:
        case Binary("*", a, Const(c)) if is_signed(e):
            x, factor, number = _scaled(a)
            return x, factor * c, number * c
        case Binary("+", a, Const(c)) if is_signed(e):
            x, factor, number = _scaled(a)
            return x, factor, number + c
        case Binary("-", a, Const(c)) if is_signed(e):
            x, factor, number = _scaled(a)
            return x, factor, number - c
        case Convert(a) if isinstance(a.type, IntType):
            x, factor, number = _scaled(a)
            if (factor, number) != (1, 0) or _keeps(a.type, e.type):
                return x, factor, number
        case _:
            pass
    return e, 1, 0


def _keeps(of: IntType, to: object) -> bool:
    """Whether all values of one type are of the other."""
    return isinstance(to, IntType) and to.contains(of.minimum) and to.contains(of.maximum)


def _range(e: Expr, x: Expr, values: Interval) -> Interval | None:
    """The range of `e` where x is in a range; None if something may wrap there."""
    if e == x:
        low, high = values
    else:
        match e:
            case Const(n):
                low = high = n
            case Convert(a):
                inner = _range(a, x, values)
                if inner is None:
                    return None
                low, high = inner
            case Binary("+" | "-" | "*" as op, a, Const(c)):
                inner = _range(a, x, values)
                if inner is None:
                    return None
                low, high = combined(op, inner, (c, c))
            case _:
                return None
    t = e.type
    assert isinstance(t, IntType)
    if e == x:
        return max(low, t.minimum), min(high, t.maximum)
    return (low, high) if t.contains(low) and t.contains(high) else None
