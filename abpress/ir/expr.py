"""Expressions: pure, over the registers of one thread; memory is read by `Load` effects only.

Operators are strict and bit-precise. `/` and `%` truncate toward zero. Where an operator is
undefined (see `Fault` in `abpress.ir.program`) the execution ends at the action that evaluates it.

Arrays, and the expressions that read and compare them, occur in formulas only, not in programs: an
array has an integer of one type for each number of the type INDEX.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from abpress.ir.types import INT, IntType, PtrType, Scalar

ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"})
COMPARISON = frozenset({"==", "!=", "<", "<=", ">", ">="})
UNARY = frozenset({"-", "~"})
RELATIONS = frozenset({"eq", "lt", "le"})
"""Comparisons of floating-point numbers."""

NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
"""What holds exactly where a comparison does not."""

MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
"""The same comparison with its sides exchanged."""


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

    Signed `+ - * / %` may overflow (`%` where `/` does; wrapping gives 0). `<<` loses bits; of a
    signed value that is not negative that overflows, too, but only where overflow is an ERROR.
    `>>` of a signed value is arithmetic; a shift by a negative amount or by the width or more is a
    fault.
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


@dataclass(frozen=True, slots=True)
class Float:
    """IEEE 754 arithmetic on the patterns of floating-point numbers: an operator of
    `abpress.ir.floats`, which says what it yields.

    `to` of a number that the integer type cannot hold is a fault (in formulas it yields 0).
    """

    op: str
    args: tuple[Expr, ...]
    type: IntType


@dataclass(frozen=True, slots=True)
class ArrayReg:
    """A variable that is an array."""

    name: str
    element: IntType


@dataclass(frozen=True, slots=True)
class Filled:
    """An array of known numbers: `default`, but `others` (index, number) by ascending index."""

    default: int
    others: tuple[tuple[int, int], ...]
    element: IntType


@dataclass(frozen=True, slots=True)
class Update:
    """An array that is `array` but at one index (of the type INDEX)."""

    array: Array
    index: Expr
    value: Expr

    @property
    def element(self) -> IntType:
        return self.array.element


@dataclass(frozen=True, slots=True)
class Select:
    """The number at an index (of the type INDEX) of an array."""

    array: Array
    index: Expr

    @property
    def type(self) -> IntType:
        return self.array.element


@dataclass(frozen=True, slots=True)
class SameArray:
    """Whether two arrays have the same numbers."""

    left: Array
    right: Array

    @property
    def type(self) -> Scalar:
        return INT


Array = ArrayReg | Filled | Update

Variable = Reg | ArrayReg
"""What has a value in a formula."""

Expr = (
    Const
    | Reg
    | Addr
    | FuncAddr
    | Unary
    | Binary
    | Compare
    | Convert
    | PtrAdd
    | PtrDiff
    | Float
    | Select
    | SameArray
)

Term = Expr | Array
"""What a variable in a formula may stand for."""

TRUE = Const(1, INT)
FALSE = Const(0, INT)


def children(e: Expr) -> tuple[Expr, ...]:
    """Direct subexpressions, left to right; of an array all indices and values."""
    return _CHILDREN[type(e)](e)


def _none(_: Expr) -> tuple[Expr, ...]:
    return ()


_CHILDREN: dict[type[Expr], Callable[[Any], tuple[Expr, ...]]] = {
    Const: _none,
    Reg: _none,
    Addr: _none,
    FuncAddr: _none,
    Unary: lambda e: (e.arg,),
    Convert: lambda e: (e.arg,),
    Binary: lambda e: (e.left, e.right),
    Compare: lambda e: (e.left, e.right),
    PtrAdd: lambda e: (e.pointer, e.bytes),
    PtrDiff: lambda e: (e.left, e.right),
    Float: lambda e: e.args,
    Select: lambda e: (*operands(e.array), e.index),
    SameArray: lambda e: (*operands(e.left), *operands(e.right)),
}
"""By the class of the expression: the passes ask for millions."""


def operands(array: Array) -> tuple[Expr, ...]:
    """The indices and values of the updates of an array, the first update first."""
    found: list[Expr] = []
    while isinstance(array, Update):
        found += (array.value, array.index)
        array = array.array
    return tuple(reversed(found))


def walk(e: Expr) -> Iterator[Expr]:
    """All subexpressions, `e` first."""
    yield e
    todo = [*reversed(children(e))]
    while todo:
        e = todo.pop()
        yield e
        parts = children(e)
        if parts:
            todo.extend(reversed(parts))


def array_variables(e: Expr) -> Iterator[ArrayReg]:
    """The variables in `e` that are arrays."""
    for sub in walk(e):
        match sub:
            case Select(array, _):
                yield from _base(array)
            case SameArray(left, right):
                yield from _base(left)
                yield from _base(right)
            case _:
                pass


def _base(array: Array) -> Iterator[ArrayReg]:
    while isinstance(array, Update):
        array = array.array
    if isinstance(array, ArrayReg):
        yield array


def registers(e: Term) -> frozenset[str]:
    """Names of the registers that `e` reads, arrays included."""
    if isinstance(e, ArrayReg | Filled | Update):
        names = [registers(operand) for operand in operands(e)]
        return frozenset(array.name for array in _base(e)).union(*names)
    if isinstance(e, Reg):
        return frozenset((e.name,))
    found: set[str] = set()
    todo: list[Expr] = [e]
    while todo:
        e = todo.pop()
        if isinstance(e, Reg):
            found.add(e.name)
        else:
            todo += children(e)
            if isinstance(e, Select | SameArray):
                found.update(array.name for array in array_variables(e))
    return frozenset(found)


def _itself(array: ArrayReg) -> Array:
    return array


def rewrite(
    e: Expr, leaf: Callable[[Expr], Expr], variable: Callable[[ArrayReg], Array] = _itself
) -> Expr:
    """`e` rebuilt bottom-up, with `leaf` applied to every leaf, `variable` to array variables."""
    match e:
        case Unary(op, a):
            return Unary(op, rewrite(a, leaf, variable))
        case Convert(a, t):
            return Convert(rewrite(a, leaf, variable), t)
        case Binary(op, a, b):
            return Binary(op, rewrite(a, leaf, variable), rewrite(b, leaf, variable))
        case Compare(op, a, b):
            return Compare(op, rewrite(a, leaf, variable), rewrite(b, leaf, variable))
        case PtrAdd(a, b):
            return PtrAdd(rewrite(a, leaf, variable), rewrite(b, leaf, variable))
        case PtrDiff(a, b, t):
            return PtrDiff(rewrite(a, leaf, variable), rewrite(b, leaf, variable), t)
        case Float(op, args, t):
            return Float(op, tuple(rewrite(a, leaf, variable) for a in args), t)
        case Select(array, index):
            return Select(rewrite_array(array, leaf, variable), rewrite(index, leaf, variable))
        case SameArray(left, right):
            return SameArray(
                rewrite_array(left, leaf, variable), rewrite_array(right, leaf, variable)
            )
        case _:
            return leaf(e)


def rewrite_array(
    array: Array, leaf: Callable[[Expr], Expr], variable: Callable[[ArrayReg], Array] = _itself
) -> Array:
    """As `rewrite`, for an array."""
    match array:
        case ArrayReg():
            return variable(array)
        case Update(of, index, value):
            return Update(
                rewrite_array(of, leaf, variable),
                rewrite(index, leaf, variable),
                rewrite(value, leaf, variable),
            )
        case Filled():
            return array


def negate(e: Expr) -> Expr:
    """An expression that is non-zero exactly where `e` is zero."""
    if isinstance(e, Compare):
        return Compare(NEGATED[e.op], e.left, e.right)
    return Compare("==", e, Const(0, e.type))


def named_objects(e: Expr) -> Iterator[str]:
    """The objects whose addresses `e` names."""
    return (sub.object for sub in walk(e) if isinstance(sub, Addr))


def is_signed(e: Expr) -> bool:
    """Whether the value of `e` is a signed integer."""
    return isinstance(e.type, IntType) and e.type.signed


def is_condition(e: Expr) -> bool:
    """Whether the value of `e` is known to be 0 or 1."""
    if isinstance(e, Float):
        return e.op in RELATIONS
    return isinstance(e, Compare) or (isinstance(e, Const) and e.value in (0, 1))
