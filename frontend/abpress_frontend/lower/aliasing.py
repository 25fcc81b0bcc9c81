"""Objects that are accessed through pointers to other types (C11 6.5p7).

That is undefined, and compilers make use of it; here memory is accessed as with
`-fno-strict-aliasing`. So where the text converts a pointer to one whose type an access must not
have, a verdict says that it assumes none. (Conversions by way of a `void *` variable are not seen.)
"""

from __future__ import annotations

from pycparser import c_ast

from abpress_frontend.lower.body import Body
from abpress_frontend.lower.ctypes import CArray, CFunction, CInt, CPtr, CRecord, CType, CVoid
from abpress_frontend.lower.unchecked import (
    CONSTANT,
    MISALIGNED,
    OTHER_FUNCTION,
    is_called_otherwise,
    may_be_misaligned,
    takes_const_away,
)

_ASSUMPTION = "no access through a pointer that was converted to another type of object"


def note_conversion(body: Body, node: c_ast.Cast, type: CType, wanted: CType) -> None:
    """Notes what the conversion of a pointer means for the bytes and the types of what is accessed
    through it."""
    if reinterprets(type, wanted):
        body.unit.sees_bytes = True
    if takes_const_away(node, wanted, body.unit.constants):
        body.unit.assume(CONSTANT, body.position(node))
    through = node.expr
    while isinstance(type, CPtr) and isinstance(type.target, CVoid) and _is_cast(through):
        through = through.expr
        type = body.unit.types.decayed(body.expressions.typeof(through))
    if not isinstance(type, CPtr) or not isinstance(wanted, CPtr):
        return
    at = body.position(node)
    if reinterprets(type, wanted) and not may_alias(type.target, wanted.target):
        body.unit.assume(_ASSUMPTION, at)
    if may_be_misaligned(type, wanted):
        body.unit.assume(MISALIGNED, at)
    if isinstance(type.target, CFunction) and is_called_otherwise(type.target, wanted.target):
        body.unit.assume(OTHER_FUNCTION, at)


def _is_cast(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.Cast)


def reinterprets(type: CType, wanted: CType) -> bool:
    """Whether a pointer becomes one to an object of another kind (characters are noted where they
    are accessed)."""
    if not (isinstance(type, CPtr) and isinstance(wanted, CPtr)):
        return False
    of, to = type.target, wanted.target
    return of != to and not any(
        isinstance(t, CVoid | CFunction) or (isinstance(t, CInt) and t.ir.size == 1)
        for t in (of, to)
    )


def may_alias(one: CType, other: CType) -> bool:
    """Whether an object of one type can be accessed as one of the other, or as a part of it that
    stands where it begins."""
    return _alike(one, other) or _is_inside(one, other) or _is_inside(other, one)


def _alike(one: CType, other: CType) -> bool:
    """Whether the types differ in the sign at most. Pointers to void are taken for all pointers, as
    compilers do."""
    if isinstance(one, CInt) and isinstance(other, CInt):
        return one.rank == other.rank
    if isinstance(one, CPtr) and isinstance(other, CPtr):
        generic = isinstance(one.target, CVoid) or isinstance(other.target, CVoid)
        return generic or one.target == other.target
    return one == other


def _is_inside(part: CType, whole: CType) -> bool:
    """Whether a member or an element like the part stands where the whole begins."""
    if isinstance(whole, CArray):
        first = [whole.element]
    elif isinstance(whole, CRecord):
        first = [field.type for field in whole.fields or () if field.offset == 0]
    else:
        return False
    return any(_alike(part, inner) or _is_inside(part, inner) for inner in first)
