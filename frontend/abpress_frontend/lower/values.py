"""Values and places of expressions, and the smart constructors that fold constants."""

from __future__ import annotations

from dataclasses import dataclass

from abpress.errors import InputError, UnsupportedError
from abpress.ir.expr import (
    Addr,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    FuncAddr,
    PtrAdd,
    Reg,
    Unary,
    is_condition,
    negate,
    walk,
)
from abpress.ir.passes.fold import Folder
from abpress.ir.program import MemoryObject, Overflow
from abpress.ir.types import INT, IntType, PtrType
from abpress_frontend.lower import floating
from abpress_frontend.lower.ctypes import Bits, CFloat, CInt, CPtr, CType, is_scalar, scalar
from abpress_frontend.lower.types import unatomic

OFFSET = IntType(64, True)
"""The type in which byte offsets are computed: wide enough never to overflow."""


_FOLDER = Folder(Overflow.END, {}, keeps_ends=True)
_STRICT = Folder(Overflow.ERROR, {}, keeps_ends=True)


def fold(e: Expr) -> Expr:
    """`e`, whose operands are folded, computed if it is constant; what may overflow or fault
    stays."""
    return _FOLDER.fold_top(e)


@dataclass(frozen=True, slots=True)
class Value:
    """A value: of scalar type, the expression that yields it; of record type, where it lies."""

    expr: Expr
    type: CType


@dataclass(frozen=True, slots=True)
class RegisterPlace:
    register: Reg
    type: CType


@dataclass(frozen=True, slots=True)
class MemoryPlace:
    """`bits` of a bit-field, in the unit at `address`. `library`: it is part of an object that the
    thread library works on."""

    address: Expr
    type: CType
    bits: Bits | None = None
    library: bool = False


Place = RegisterPlace | MemoryPlace


def constant(value: int, type: CInt) -> Value:
    return Value(Const(value, type.ir), type)


def pointer_add(pointer: Expr, offset: Expr) -> Expr:
    """`pointer` moved by `offset` bytes; constant addresses stay constant."""
    if isinstance(offset, Const):
        if offset.value == 0:
            return pointer
        match pointer:
            case Addr(name, base, t) if base + offset.value >= 0:
                return Addr(name, base + offset.value, t)
            case PtrAdd(inner, Const(value, t)) if isinstance(t, IntType):
                return PtrAdd(inner, Const(value + offset.value, OFFSET))
            case Const(value, t) if value + offset.value >= 0:
                return Const(value + offset.value, t)
    return PtrAdd(pointer, offset)


def scaled(index: Expr, size: int) -> Expr:
    """`index` elements of `size` bytes, as an offset."""
    wide = fold(index if index.type == OFFSET else Convert(index, OFFSET))
    return wide if size == 1 else fold(Binary("*", wide, Const(size, OFFSET)))


def converted(value: Value, type: CType) -> Value:
    """`value` converted to a scalar type (C11 6.3); to `void` anything goes."""
    if type == value.type or not is_scalar(type):
        if is_scalar(type) or type == value.type:
            same = not isinstance(type, CInt) or type.is_thread == _is_thread(value)
            return value if same else Value(value.expr, type)
        if str(type) == "void":
            return Value(value.expr, type)
        if isinstance(type, CFloat):
            scalar(type)
        raise UnsupportedError(f"conversion of {value.type} to {type}")
    target = unatomic(type)
    source = scalar(value.type)
    assert is_scalar(target)
    if isinstance(target, CInt) and target.is_bool:
        return Value(fold(Convert(truth(value), target.ir)), target)
    if isinstance(target, CFloat) or isinstance(value.type, CFloat):
        if isinstance(target, CPtr) or not isinstance(value.type, CInt | CFloat):
            raise InputError(f"conversion of {value.type} to {target}")
        return Value(fold(floating.converted(value.expr, value.type, target)), target)
    if source == target.ir:
        return Value(value.expr, target)
    if isinstance(source, PtrType) and isinstance(target.ir, PtrType):
        return Value(value.expr, target)
    if isinstance(target.ir, PtrType):
        moved = _moved_address(value.expr)
        if moved is not None:
            return Value(moved, target)
    return Value(fold(Convert(value.expr, target.ir)), target)


def _moved_address(e: Expr) -> Expr | None:
    """The pointer that an integer is converted to which is an address and numbers beside it: the
    pointer of the address, moved. It may only point into the object where it came from."""
    match e:
        case Convert(inner, IntType() as type):
            if isinstance(inner.type, PtrType):
                return inner if type.size == inner.type.size else None
            return _moved_address(inner) if type.size == inner.type.size else None
        case Binary("+" | "-" as op, left, right):
            pairs = ((left, right), (right, left)) if op == "+" else ((left, right),)
            for base, number in pairs:
                pointer = None if _has_address(number) else _moved_address(base)
                if pointer is not None:
                    signed = Convert(number, IntType(8 * number.type.size, True))
                    offset = fold(Convert(signed, OFFSET))
                    return pointer_add(pointer, offset if op == "+" else unary("-", offset))
        case _:
            pass
    return None


def _has_address(e: Expr) -> bool:
    return any(isinstance(part.type, PtrType) for part in walk(e))


def _is_thread(value: Value) -> bool:
    return isinstance(value.type, CInt) and value.type.is_thread


def truth(value: Value) -> Expr:
    """An expression of C type int that is 1 if the scalar `value` is non-zero, else 0."""
    e = value.expr
    if isinstance(value.type, CFloat):
        return real_comparison("!=", e, Const(0, e.type))
    match e:
        case Compare():
            return e
        case Convert(inner, IntType()) if is_condition(inner) and isinstance(inner, Compare):
            return inner
        case Addr() | FuncAddr():
            return Const(1, INT)
    return comparison("!=", e, Const(0, scalar(value.type)))


def real_comparison(op: str, left: Expr, right: Expr) -> Expr:
    """A comparison of floating-point numbers of one type; with a NaN only `!=` holds."""
    if op == "!=":
        return fold(negate(real_comparison("==", left, right)))
    return fold(floating.compared(op, left, right))


def logical_not(value: Value) -> Expr:
    return fold(negate(truth(value)))


def arithmetic(op: str, left: Expr, right: Expr, *, losing_bits: bool = False) -> Expr:
    """`left op right`, computed if that is constant. With `losing_bits` a `<<` of a signed number
    that loses bits stays as it is."""
    e = Binary(op, left, right)
    return _STRICT.fold_top(e) if losing_bits else fold(e)


def settled(e: Expr, folder: Folder = _FOLDER) -> Expr:
    """`e`, computed if it is constant, with what `<<` of signed numbers loses."""
    return folder.fold(e)


def folder_with(objects: dict[str, MemoryObject]) -> Folder:
    """What also settles comparisons of addresses that are inside of these objects."""
    return Folder(Overflow.END, objects, keeps_ends=True)


def comparison(op: str, left: Expr, right: Expr) -> Expr:
    """`left op right`, computed if that is constant. Numbers of addresses are equal if these are,
    and no type has what is less or greater than all its numbers."""
    if op in ("==", "!="):
        for number, other in ((left, right), (right, left)):
            pointer, same = _address(number), _address(other)
            if pointer is not None and other == Const(0, other.type):
                same = Const(0, pointer.type)
            if pointer is not None and same is not None:
                return fold(Compare(op, pointer, same))
    elif (known := _at_a_bound(op, left, right)) is not None:
        return known
    return fold(Compare(op, left, right))


def _address(number: Expr) -> Expr | None:
    """The pointer whose number this is, all of it; None for other numbers."""
    match number:
        case Convert(pointer, IntType(bits)) if isinstance(pointer.type, PtrType):
            return pointer if bits == 8 * pointer.type.size else None
    return None


def _at_a_bound(op: str, left: Expr, right: Expr) -> Expr | None:
    """The value of a comparison with a number of a pointer that no number fails or satisfies."""
    if isinstance(left, Const):
        left, right, op = right, left, op.translate(_TURNED)
    type = right.type
    if not isinstance(right, Const) or not isinstance(type, IntType) or _address(left) is None:
        return None
    bound = type.maximum if op in (">", "<=") else type.minimum
    return Const(int(op in ("<=", ">=")), INT) if right.value == bound else None


_TURNED = str.maketrans("<>", "><")


def unary(op: str, arg: Expr) -> Expr:
    return fold(Unary(op, arg))


def integer_value(value: Value, what: str) -> CInt:
    """The type of an integer value; raises where it is none."""
    if isinstance(value.type, CInt):
        return value.type
    scalar(value.type)
    raise InputError(f"{what} needs an integer, not {value.type}")
