"""Expressions: pure, over the registers of one thread; memory is read by `Load` effects only.

Operators are strict and bit-precise. `/` and `%` truncate toward zero. Where an operator is
undefined (see `Fault` in `abpress.ir.program`) the execution ends at the action that evaluates it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from abpress.ir.types import INT, IntType, PtrType, Scalar

ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"})
COMPARISON = frozenset({"==", "!=", "<", "<=", ">", ">="})
UNARY = frozenset({"-", "~"})
NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


@dataclass(frozen=True, slots=True)
class Const:
    """A number of the type; of pointer type: NULL or an integer in a pointer."""

    value: int
    type: Scalar


@dataclass(frozen=True, slots=True)
class Reg:
    """A register of the thread. Ambient: `$tid` (the thread's own id), `$arg` (its argument)."""

    name: str
    type: Scalar


@dataclass(frozen=True, slots=True)
class Addr:
    """The address of a byte of a static object of the program or a local object of the template."""

    object: str
    offset: int
    type: PtrType


@dataclass(frozen=True, slots=True)
class FuncAddr:
    """The address of a function."""

    function: str
    type: PtrType


@dataclass(frozen=True, slots=True)
class Unary:
    """`-` (signed overflow possible) or `~`, in the operand's type."""

    op: str
    arg: Expr

    @property
    def type(self) -> Scalar:
        return self.arg.type


@dataclass(frozen=True, slots=True)
class Binary:
    """Integer arithmetic in the type of `left`. `right` has the same type, but any in a shift.

    Signed `+ - * / %` may overflow (`%` where `/` does; wrapping gives 0); `<<` never does (bits
    are lost); `>>` of a signed value is arithmetic; a shift by a negative amount or by the width
    or more is a fault.
    """

    op: str
    left: Expr
    right: Expr

    @property
    def type(self) -> Scalar:
        return self.left.type


@dataclass(frozen=True, slots=True)
class Compare:
    """Comparison of two operands of one type (both integers of one type, or both pointers)."""

    op: str
    left: Expr
    right: Expr

    @property
    def type(self) -> Scalar:
        return INT


@dataclass(frozen=True, slots=True)
class Convert:
    """Conversion to another scalar type.

    Integer to integer wraps. A plain integer goes into a pointer and back by wrapping to the
    pointer's size; the integer value of an object's address is the fault `address-inspected`
    unless the target is at least 64 bits wide (then the model's own value is kept and the
    verdict "true" is withheld).
    """

    arg: Expr
    type: Scalar


@dataclass(frozen=True, slots=True)
class PtrAdd:
    """`pointer` moved by `bytes` (an integer expression); bounds are checked on dereference."""

    pointer: Expr
    bytes: Expr

    @property
    def type(self) -> Scalar:
        return self.pointer.type


@dataclass(frozen=True, slots=True)
class PtrDiff:
    """`left - right` in bytes; both must point into one object (or both be plain integers)."""

    left: Expr
    right: Expr
    type: IntType


Expr = Const | Reg | Addr | FuncAddr | Unary | Binary | Compare | Convert | PtrAdd | PtrDiff

TRUE = Const(1, INT)
FALSE = Const(0, INT)


def children(e: Expr) -> tuple[Expr, ...]:
    """Direct subexpressions, left to right."""
    match e:
        case Unary(_, a) | Convert(a, _):
            return (a,)
        case Binary(_, a, b) | Compare(_, a, b) | PtrAdd(a, b) | PtrDiff(a, b, _):
            return (a, b)
        case _:
            return ()


def walk(e: Expr) -> Iterator[Expr]:
    """All subexpressions, `e` first."""
    yield e
    for child in children(e):
        yield from walk(child)


def registers(e: Expr) -> frozenset[str]:
    """Names of the registers that `e` reads."""
    return frozenset(sub.name for sub in walk(e) if isinstance(sub, Reg))


def rewrite(e: Expr, leaf: Callable[[Expr], Expr]) -> Expr:
    """`e` rebuilt bottom-up, with `leaf` applied to every leaf."""
    match e:
        case Unary(op, a):
            return Unary(op, rewrite(a, leaf))
        case Convert(a, t):
            return Convert(rewrite(a, leaf), t)
        case Binary(op, a, b):
            return Binary(op, rewrite(a, leaf), rewrite(b, leaf))
        case Compare(op, a, b):
            return Compare(op, rewrite(a, leaf), rewrite(b, leaf))
        case PtrAdd(a, b):
            return PtrAdd(rewrite(a, leaf), rewrite(b, leaf))
        case PtrDiff(a, b, t):
            return PtrDiff(rewrite(a, leaf), rewrite(b, leaf), t)
        case _:
            return leaf(e)


def negate(e: Expr) -> Expr:
    """An expression that is non-zero exactly where `e` is zero."""
    if isinstance(e, Compare):
        return Compare(NEGATED[e.op], e.left, e.right)
    return Compare("==", e, Const(0, e.type))


def is_condition(e: Expr) -> bool:
    """Whether the value of `e` is known to be 0 or 1."""
    return isinstance(e, Compare) or (isinstance(e, Const) and e.value in (0, 1))
