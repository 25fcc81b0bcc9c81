"""Operators on values (C11 6.5.5 to 6.5.14): operands are converted, pointers moved by elements."""

from __future__ import annotations

from dataclasses import replace

from abpress.errors import InputError, UnsupportedError
from abpress.ir.expr import Const, Convert, Expr, FuncAddr, PtrDiff
from abpress.ir.program import Overflow
from abpress.ir.types import IntType
from abpress_frontend.lower import floating
from abpress_frontend.lower.ctypes import VOID, CArray, CFloat, CInt, CPtr, CType, DataModel, sizeof
from abpress_frontend.lower.values import (
    OFFSET,
    Value,
    arithmetic,
    comparison,
    constant,
    converted,
    fold,
    integer_value,
    pointer_add,
    real_comparison,
    scaled,
    unary,
)

COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})


def binary(
    model: DataModel, op: str, left: Value, right: Value, overflow: Overflow = Overflow.END
) -> Value:
    """A binary operator that evaluates both operands; raises InputError where they do not fit.

    Where overflow is an ERROR, a `<<` of numbers that loses bits is not computed.
    """
    if isinstance(left.type, CPtr) or isinstance(right.type, CPtr):
        return _on_pointers(model, op, left, right)
    if isinstance(left.type, CFloat) or isinstance(right.type, CFloat):
        return _on_reals(model, op, left, right)
    a, b = integer_value(left, f"operator {op}"), integer_value(right, f"operator {op}")
    check_widths(op, a, b, left.expr, right.expr)
    if op in ("<<", ">>"):
        promoted = converted(left, model.promote(a))
        count = converted(right, model.promote(b))
        shifted = arithmetic(op, promoted.expr, count.expr, losing_bits=overflow is Overflow.ERROR)
        return Value(shifted, promoted.type)
    common = model.usual(a, b)
    x, y = converted(left, common).expr, converted(right, common).expr
    if op in COMPARISONS:
        return Value(comparison(op, x, y), model.int)
    return Value(arithmetic(op, x, y), common)


def wrapping(model: DataModel, op: str, left: Value, right: Value) -> Value:
    """As `binary`, but what overflows wraps around."""
    on_reals = isinstance(left.type, CFloat) or isinstance(right.type, CFloat)
    if op not in ("+", "-", "*", "<<") or isinstance(left.type, CPtr) or on_reals:
        return binary(model, op, left, right)
    a, b = integer_value(left, f"operator {op}"), integer_value(right, f"operator {op}")
    check_widths(op, a, b, left.expr, right.expr)
    type = model.promote(a) if op == "<<" else model.usual(a, b)
    unsigned = IntType(type.ir.bits, False)
    count = model.promote(b) if op == "<<" else type
    x, y = converted(left, type).expr, converted(right, count).expr
    result = arithmetic(
        op, fold(Convert(x, unsigned)), y if op == "<<" else fold(Convert(y, unsigned))
    )
    return Value(fold(Convert(result, type.ir)), type)


def check_widths(op: str, a: CInt, b: CInt, left: Expr, right: Expr) -> None:
    """Raises UnsupportedError for an operator on a bit-field wider than int on whose result GCC,
    which computes in the width of the bit-field, and Clang, which does not, disagree."""
    for field, other, value in ((a, b, right), (b, a, left)):
        if field.field_width is None or (op in ("<<", ">>") and field is b):
            continue
        if other.field_width is None and other.ir.bits >= field.ir.bits and op != "<<":
            continue
        kept = op in COMPARISONS or op in ("/", "%", "&", "|", "^")
        is_natural = isinstance(value, Const) and value.value >= 0
        same = is_natural or not other.ir.signed or field.ir.signed
        if op != ">>" and not (kept and same):
            raise UnsupportedError(f"{op} on a bit-field wider than int: compilers differ")


def without_width(value: Value) -> Value:
    """The old value of a bit-field that is updated: the result is cut to its width anyway."""
    if isinstance(value.type, CInt) and value.type.field_width is not None:
        return Value(value.expr, replace(value.type, field_width=None))
    return value


def _on_reals(model: DataModel, op: str, left: Value, right: Value) -> Value:
    common = model.usual_real(left.type, right.type)
    x, y = converted(left, common).expr, converted(right, common).expr
    if op in COMPARISONS:
        return Value(real_comparison(op, x, y), model.int)
    if op not in floating.OPERATORS:
        raise InputError(f"operator {op} on {left.type} and {right.type}")
    return Value(fold(floating.operated(op, x, y)), common)


def with_other_sign(value: Value) -> Value:
    """`-` of a floating-point number."""
    return Value(fold(floating.negated(value.expr)), value.type)


def _on_pointers(model: DataModel, op: str, left: Value, right: Value) -> Value:
    if op in COMPARISONS:
        generic = model.pointer_to(VOID)
        x, y = converted(left, generic).expr, converted(right, generic).expr
        if op in ("==", "!=") and isinstance(x, FuncAddr) and isinstance(y, FuncAddr):
            return constant(int((x == y) == (op == "==")), model.int)
        return Value(comparison(op, x, y), model.int)
    if op == "-" and isinstance(left.type, CPtr) and isinstance(right.type, CPtr):
        size = max(1, sizeof(left.type.target))
        difference = fold(PtrDiff(left.expr, right.expr, OFFSET))
        if size > 1:
            difference = arithmetic("/", difference, Const(size, OFFSET))
        return Value(fold(Convert(difference, model.ptrdiff_t.ir)), model.ptrdiff_t)
    if op == "+" and isinstance(right.type, CPtr):
        left, right = right, left
    if op in ("+", "-") and not isinstance(right.type, CPtr):
        integer_value(right, f"operator {op}")
        offset = element_offset(right.expr, pointed_to(left))
        if op == "-":
            offset = unary("-", offset)
        return Value(pointer_add(left.expr, offset), left.type)
    raise InputError(f"operator {op} on {left.type} and {right.type}")


def pointed_to(pointer: Value) -> CType:
    """What a pointer points to; raises InputError where the value is none."""
    if isinstance(pointer.type, CPtr):
        return pointer.type.target
    raise InputError(f"a pointer is expected here, not {pointer.type}")


def element_offset(index: Expr, element: CType) -> Expr:
    """`index` elements in bytes."""
    if isinstance(element, CArray) and element.length is not None:
        return arithmetic("*", scaled(index, 1), variable_size(element))
    return scaled(index, sizeof(element))


def variable_size(t: CType) -> Expr:
    """The size of a type that may be variable, as an offset."""
    if isinstance(t, CArray) and t.length is not None:
        return arithmetic("*", scaled(t.length, 1), variable_size(t.element))
    return Const(sizeof(t), OFFSET)
