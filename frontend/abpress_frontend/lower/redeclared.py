"""Whether the declarations of one name in several files agree (C11 6.2.7)."""

from __future__ import annotations

from itertools import zip_longest

from abpress_frontend.lower.ctypes import (
    CArray,
    CFloat,
    CFunction,
    CInt,
    CPtr,
    CRecord,
    CType,
    CVoid,
    Definition,
)

_Pairs = frozenset[tuple[Definition, Definition]]


def compatible(a: CType, b: CType, assumed: _Pairs = frozenset()) -> bool:
    """Whether two types are compatible: one object or function may be declared with both.

    Records are taken for compatible inside of themselves. Qualifiers do not count.
    """
    match a, b:
        case CInt(), CInt():
            alike = a.rank == b.rank or a.is_enum or b.is_enum
            return a.ir == b.ir and a.atomic == b.atomic and alike
        case CFloat(), CFloat():
            return (a.name, a.atomic) == (b.name, b.atomic)
        case CVoid(), CVoid():
            return True
        case CPtr(), CPtr():
            return a.atomic == b.atomic and compatible(a.target, b.target, assumed)
        case CArray(), CArray():
            known = a.count is not None and b.count is not None
            return compatible(a.element, b.element, assumed) and (not known or a.count == b.count)
        case CFunction(), CFunction():
            if not compatible(a.result, b.result, assumed):
                return False
            if _unspecified(a) or _unspecified(b):
                return True
            return (
                a.variadic == b.variadic
                and len(a.parameters) == len(b.parameters)
                and all(map(lambda p, q: compatible(p, q, assumed), a.parameters, b.parameters))
            )
        case CRecord(), CRecord():
            return _same_record(a.definition, b.definition, assumed)
        case _:
            return False


def _unspecified(function: CFunction) -> bool:
    """Whether the declaration says nothing of parameters."""
    return function.variadic and not function.parameters


def _same_record(a: Definition, b: Definition, assumed: _Pairs) -> bool:
    if a is b or (a, b) in assumed:
        return True
    if a.is_union != b.is_union:
        return False
    if a.fields is None or b.fields is None:
        return _tag(a) == _tag(b)
    assumed |= {(a, b)}
    return a.size == b.size and all(
        f is not None
        and g is not None
        and (f.name, f.offset, f.bits) == (g.name, g.offset, g.bits)
        and compatible(f.type, g.type, assumed)
        for f, g in zip_longest(a.fields, b.fields)
    )


def _tag(definition: Definition) -> str:
    """The tag that the file has, whatever it is called by others."""
    return definition.tag.partition("$")[0]
