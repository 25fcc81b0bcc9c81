"""Accesses of memory by the edges of a graph, and which of them may be to the same scalar."""

from __future__ import annotations

from dataclasses import dataclass

from abpress.ir.expr import Addr, Const, Expr, PtrAdd
from abpress.ir.program import Copy, Free, Load, Store
from abpress.ir.types import PtrType, Scalar
from abpress_frontend.lower.graph import Draft
from abpress_frontend.lower.pointing import Object, Pointing


@dataclass(frozen=True, slots=True)
class Access:
    """One scalar at `address`, which lies in one of the objects, is read or written; `type` is None
    for all of an object."""

    address: Expr
    type: Scalar | None
    writes: bool
    objects: frozenset[Object]


def accesses(template: str, draft: Draft, pointing: Pointing) -> list[Access]:
    """The accesses of an edge of the template."""
    found: list[tuple[Expr, Scalar | None, bool]] = []
    for effect in draft.effects:
        match effect:
            case Load(target, address):
                found.append((address, target.type, False))
            case Store(address, value):
                found.append((address, value.type, True))
            case Copy(target_address, source, _):
                found += [(source, None, False), (target_address, None, True)]
            case Free(address):
                found.append((address, None, True))
            case _:
                pass
    return [Access(a, t, w, pointing.objects(template, a)) for a, t, w in found]


def may_alias(a: Access, b: Access) -> bool:
    """Whether both may be to the same bytes."""
    if not a.objects & b.objects:
        return False
    if a.type is None or b.type is None:
        return True
    (base, offset), (other, second) = split(a.address), split(b.address)
    if base != other:
        return True
    return offset < second + b.type.size and second < offset + a.type.size


def same_scalar(a: Access, b: Access) -> bool | None:
    """Whether both are to the same scalar; None where it depends on the execution."""
    if a.type is None or b.type is None or not may_alias(a, b):
        return False
    if split(a.address)[0] == split(b.address)[0]:  # parts of a scalar are parts of it
        return True
    if a.type.size != b.type.size or isinstance(a.type, PtrType) != isinstance(b.type, PtrType):
        return False
    return None


def split(address: Expr) -> tuple[Expr, int]:
    """An address as one without constant offset, and that offset."""
    match address:
        case Addr(name, offset, type):
            return Addr(name, 0, type), offset
        case PtrAdd(base, Const(offset)):
            inner, more = split(base)
            return inner, offset + more
        case PtrAdd(base, index):
            inner, more = split(base)
            return PtrAdd(inner, index), more
        case _:
            return address, 0
