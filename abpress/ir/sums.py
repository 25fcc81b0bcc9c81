"""Sums: numbers that are added one after the other are added up; overflow wraps."""

from __future__ import annotations

from abpress.ir.expr import (
    Array,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    Float,
    PtrAdd,
    PtrDiff,
    Reg,
    SameArray,
    Select,
    Unary,
    Update,
)
from abpress.ir.types import IntType


def rewrite_sums(e: Expr) -> Expr:
    """An expression with the value of `e` in which no sum of a sum and a number occurs."""
    match e:
        case Unary(op, a):
            new = rewrite_sums(a)
            return e if new is a else Unary(op, new)
        case Convert(a, t):
            new = rewrite_sums(a)
            return e if new is a else Convert(new, t)
        case Binary() | Compare() | PtrAdd() | PtrDiff():
            return _operands(e)
        case Float(op, args, t):
            return Float(op, tuple(map(rewrite_sums, args)), t)
        case Select(array, index):
            return Select(_in_array(array), rewrite_sums(index))
        case SameArray(left, right):
            return SameArray(_in_array(left), _in_array(right))
        case _:
            return e


def _in_array(array: Array) -> Array:
    if isinstance(array, Update):
        return Update(_in_array(array.array), rewrite_sums(array.index), rewrite_sums(array.value))
    return array


def _operands(e: Binary | Compare | PtrAdd | PtrDiff) -> Expr:
    match e:
        case PtrAdd(a, b):
            x, y = rewrite_sums(a), rewrite_sums(b)
            return e if x is a and y is b else PtrAdd(x, y)
        case PtrDiff(a, b, t):
            x, y = rewrite_sums(a), rewrite_sums(b)
            return e if x is a and y is b else PtrDiff(x, y, t)
        case Compare(op, a, b):
            x, y = rewrite_sums(a), rewrite_sums(b)
            return e if x is a and y is b else Compare(op, x, y)
        case Binary(op, a, b):
            x, y = rewrite_sums(a), rewrite_sums(b)
            if op in ("+", "-"):
                return add_number(*_term(op, x, y), e)
            return e if x is a and y is b else Binary(op, x, y)


def _term(op: str, x: Expr, y: Expr) -> tuple[Expr, int]:
    """A sum as an expression and a number."""
    if isinstance(y, Const):
        inner, n = number_apart(x)
        return inner, n + (y.value if op == "+" else -y.value)
    if isinstance(x, Const) and op == "+":
        inner, n = number_apart(y)
        return inner, n + x.value
    (a, m), (b, n) = number_apart(x), number_apart(y)
    return Binary(op, a, b), m + (n if op == "+" else -n)


def number_apart(e: Expr) -> tuple[Expr, int]:
    """`e` as an expression and a number that is added to it."""
    match e:
        case Binary("+", a, Const(c, _)):
            return a, c
        case Binary("-", a, Const(c, _)):
            return a, -c
        case _:
            return e, 0


def add_number(e: Expr, n: int, same: Expr | None = None) -> Expr:
    """`e` plus a number, modulo its type; `same` itself where it is that expression."""
    t = e.type
    assert isinstance(t, IntType)
    n = IntType(t.bits, True).wrap(n)
    if n == 0:
        result = e
    else:
        result = Binary("+", e, Const(n, t)) if n > 0 else _minus(e, -n, t)
    return same if same == result and same is not None else result


def _minus(e: Expr, n: int, t: IntType) -> Expr:
    if t.contains(n):
        return Binary("-", e, Const(n, t))
    return Binary("+", e, Const(-n, t))  # of a signed type, the number -2 ** (bits - 1)


def register_and_number(value: Expr) -> tuple[str, int]:
    """The register and the number of which a value is the sum, whatever the types are that it is
    converted to; no name and 0 if it is no such sum."""
    match value:
        case Convert(arg):
            return register_and_number(arg)
        case Binary("+" | "-" as op, Reg(name), Const(number)):
            return name, number if op == "+" else -number
    return "", 0
