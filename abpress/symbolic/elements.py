"""Elements of arrays: the index that an address means."""

from __future__ import annotations

from typing import NamedTuple

from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, is_signed
from abpress.ir.intervals import Interval, combined
from abpress.ir.types import INDEX, IntType, Scalar
from abpress.logic.connectives import between
from abpress.logic.formula import TRUE, Formula, conj, holds


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


class ElementPlace(NamedTuple):
    """Where an address is in an array: that it is `inside`; that it has not wrapped around where it
    is not; that it is one of an element where it is inside, and the `number` of that."""

    inside: Formula
    near: Formula
    aligned: Formula
    number: Expr


def element_of_many(
    distance: Expr, offset: int, width: int, size: int, count: Expr, pointer: Scalar
) -> ElementPlace:
    """The place of `width` bytes at `offset + distance` in an array of `count` elements.

    Nothing wraps around here, NOTE(unbounded-objects): distances are taken for what they are before
    they are cut to the size of a pointer.
    """
    inner, factor, number = _scaled_index(distance)
    first = offset + number
    half = 1 << 8 * pointer.size - 1
    if factor > 0 and factor % size == 0 and first % size == 0 and width <= size:
        step, start = factor // size, first // size
        low, high = -(start // step), (INDEX.maximum - start) // step
        index = linear(inner, step, start)
        inside = conj((between(inner, low, high), holds(Compare("<", index, count))))
        near = between(inner, -((half + number) // factor), (half - 1 - number) // factor)
        return ElementPlace(inside, near, TRUE, index)
    wide = Binary("+", Convert(distance, INDEX), Const(offset, INDEX))
    last = Binary("/", Binary("+", wide, Const(width - 1, INDEX)), Const(size, INDEX))
    inside = conj((between(wide, 0, INDEX.maximum - width), holds(Compare("<", last, count))))
    aligned = holds(Compare("==", Binary("%", wide, Const(size, INDEX)), Const(0, INDEX)))
    near = between(distance, -half, half - 1)
    return ElementPlace(inside, near, aligned, Binary("/", wide, Const(size, INDEX)))


def linear(x: Expr, factor: int, number: int) -> Expr:
    """`x * factor + number`, of the type INDEX."""
    e: Expr = Convert(x, INDEX)
    if factor != 1:
        e = Binary("*", e, Const(factor, INDEX))
    return e if number == 0 else Binary("+", e, Const(number, INDEX))


def as_linear(e: Expr, times: int = 1) -> tuple[Expr, Formula] | None:
    """A number (of the type INDEX) and a condition: where that holds, it is `e * times`, and not
    negative.

    It multiplies and adds numbers only, even where `e` divides: None if there is no such number.
    """
    match e:
        case Binary("/", a, Const(divisor)) if divisor > 0:
            x, factor, number, values = _unwrapped(a)
        case _:
            divisor = 1
            x, factor, number, values = _unwrapped(e)
    if factor <= 0 or factor % divisor or number % divisor:
        return None
    factor, number = factor // divisor * times, number // divisor * times
    low = max(values[0], -(number // factor))
    high = min(values[1], (INDEX.maximum - number) // factor)
    return linear(x, factor, number), between(x, low, high)


def _unwrapped(e: Expr) -> tuple[Expr, int, int, Interval]:
    """An expression x, a factor and a number: `e` is `x * factor + number` where x is in a range.

    The factor is positive.
    """
    t = e.type
    assert isinstance(t, IntType)
    match e:
        case Convert(a) if isinstance(a.type, IntType):
            x, factor, number, values = _unwrapped(a)
        case Binary("*", a, Const(c)) | Binary("*", Const(c), a) if c > 0:
            x, factor, number, values = _unwrapped(a)
            factor, number = factor * c, number * c
        case Binary("+", a, Const(c)) | Binary("+", Const(c), a):
            x, factor, number, values = _unwrapped(a)
            number += c
        case Binary("-", a, Const(c)):
            x, factor, number, values = _unwrapped(a)
            number -= c
        case _:
            return e, 1, 0, (t.minimum, t.maximum)
    low = -((number - t.minimum) // factor)
    high = (t.maximum - number) // factor
    values = max(values[0], low), min(values[1], high)
    return x, factor, number, values


def _scaled_index(e: Expr) -> tuple[Expr, int, int]:
    """An expression x, a factor and a number: `e` is `x * factor + number`, if what is as wide as
    INDEX does not wrap around."""
    t = e.type
    assert isinstance(t, IntType)
    if t.signed and t.bits >= INDEX.bits:
        match e:
            case Binary("*", a, Const(c)) | Binary("*", Const(c), a):
                x, factor, number = _scaled_index(a)
                return x, factor * c, number * c
            case Binary("+", a, Const(c)) | Binary("+", Const(c), a):
                x, factor, number = _scaled_index(a)
                return x, factor, number + c
            case Binary("-", a, Const(c)):
                x, factor, number = _scaled_index(a)
                return x, factor, number - c
            case Convert(a) if _keeps(a.type, t):  # type: ignore[arg-type]
                return _scaled_index(a)
            case _:
                pass
    return e, 1, 0


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
