"""Forms of guesses: how values are compared with numbers and with one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, Reg
from abpress.ir.types import IntType
from abpress.logic.formula import TRUE, Formula, holds
from abpress.modular.templates.counting import COUNT

_LONG = IntType(64, True)


def wide(v: Reg) -> Expr:
    """The value as one that counters are compared with."""
    return v if v.type == COUNT else Convert(v, COUNT)


def equal(a: Expr, b: Expr) -> Formula:
    """That two values are equal."""
    return holds(Compare("==", a, b))


def compared(v: Reg, numbers: Iterable[int]) -> Iterator[Formula]:
    """That a value is, is not, is at most, or is at least one of these numbers."""
    assert isinstance(v.type, IntType)
    for n in numbers:
        if v.type.contains(n):
            for op in ("==", "!=", "<=", ">="):
                f = holds(Compare(op, v, Const(n, v.type)))
                if f is not TRUE:
                    yield f


def limited(v: Reg, numbers: Iterable[int]) -> Iterator[Formula]:
    """That a value is at most, or at least, one of these numbers, or the one beside it."""
    assert isinstance(v.type, IntType)
    for n in numbers:
        for op, number in (("<=", n), ("<=", n + 1), (">=", n), (">=", n - 1)):
            if v.type.contains(number):
                yield holds(Compare(op, v, Const(number, v.type)))


def not_behind(a: Expr, b: Expr) -> Iterator[Formula]:
    """That a value is more than another one, or at least as much."""
    for op in (">=", ">"):
        yield holds(Compare(op, a, b))


def related(a: Reg, b: Reg, numbers: Iterable[int]) -> Iterator[Formula]:
    """How two values may be related; a counter may be one ahead, or have a sum with the other."""
    type = COUNT if COUNT in (a.type, b.type) else _LONG
    x, y = (v if v.type == type else Convert(v, type) for v in (a, b))
    for n in (-1, 0, 1):
        yield holds(Compare("==", x, Binary("+", y, Const(n, type))))
    for op in ("<=", ">=", "<", ">", "!="):
        yield holds(Compare(op, x, y))
    if type == COUNT:
        ahead, other = (x, y) if a.type == COUNT else (y, x)
        yield holds(Compare("<=", ahead, Binary("+", other, Const(1, type))))
        for n in numbers:
            yield holds(Compare("==", Binary("+", x, y), Const(n, type)))
