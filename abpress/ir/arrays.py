"""Arrays in formulas, simplified: reads over writes, and writes over writes.

After [Arrays62]: what is read is the last value written at that index. Which write that is, is
known where indices are equal or differ by their looks.
"""

from __future__ import annotations

from abpress.ir.expr import Array, Const, Convert, Expr, Filled, Select, Update, operands
from abpress.ir.sums import number_apart
from abpress.ir.types import IntType


def selected(array: Array, index: Expr) -> Expr:
    """The number at an index."""
    while isinstance(array, Update):
        match equal(array.index, index):
            case True:
                return array.value
            case None:
                return Select(array, index)
            case False:
                array = array.array
    if isinstance(array, Filled) and isinstance(index, Const):
        return Const(dict(array.others).get(index.value, array.default), array.element)
    return Select(array, index)


def updated(array: Array, index: Expr, value: Expr) -> Array:
    """The array with a value at an index: an earlier one there is forgotten."""
    later: list[Update] = []
    below = array
    while isinstance(below, Update):
        same = equal(below.index, index)
        if same is not False:
            if same:
                array = below.array
                for update in reversed(later):
                    array = Update(array, update.index, update.value)
            break
        later.append(below)
        below = below.array
    if isinstance(array, Filled) and isinstance(index, Const) and isinstance(value, Const):
        others = dict(array.others)
        others[index.value] = value.value
        if value.value == array.default:
            del others[index.value]
        return Filled(array.default, tuple(sorted(others.items())), array.element)
    return Update(array, index, value)


def filled(array: Array, count: int) -> Filled | None:
    """An array with the same first elements, so many; None if an update is not known."""
    numbers = [e.value for e in operands(array) if isinstance(e, Const)]
    updates = dict(zip(numbers[::2], numbers[1::2], strict=False))
    if len(numbers) < len(operands(array)) or any(k not in updates for k in range(count)):
        return None
    default = updates[0]
    others = tuple((k, updates[k]) for k in range(count) if updates[k] != default)
    return Filled(default, others, array.element)


def equal(a: Expr, b: Expr) -> bool | None:
    """Whether two integers of one type are equal; None where that cannot be seen."""
    if a == b:
        return True
    match a, b:
        case Const(m), Const(n):
            return m == n
        case Convert(x, IntType() as t), Convert(y) if x.type == y.type:
            if isinstance(x.type, IntType) and x.type.bits <= t.bits:
                return equal(x, y)
            return None
        case _:
            pass
    (x, m), (y, n) = number_apart(a), number_apart(b)
    if x == y and isinstance(a.type, IntType):
        return (m - n) % (1 << a.type.bits) == 0
    return None
