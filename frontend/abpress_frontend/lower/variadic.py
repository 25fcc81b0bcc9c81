"""Variable arguments: an object of the called function holds those without a parameter."""

from __future__ import annotations

from collections.abc import Sequence

from abpress.errors import UnsupportedError
from abpress.ir.expr import Addr
from abpress_frontend.gnu import SLOT
from abpress_frontend.lower.aggregates import copy_object
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.ctypes import (
    CField,
    CFloat,
    CInt,
    CPtr,
    CRecord,
    CType,
    Definition,
    is_scalar,
    sizeof,
)
from abpress_frontend.lower.types import unatomic
from abpress_frontend.lower.values import Value, converted


def variable_arguments(body: Body, arguments: Sequence[Value]) -> Addr:
    """A fresh object with the promoted arguments (C11 6.5.2.2p6), each in a slot of its own."""
    promoted = [
        v if isinstance(v.type, CRecord) else converted(v, _promoted(body, v.type))
        for v in arguments
    ]
    fields: list[CField] = []
    offset = 0
    for k, value in enumerate(promoted):
        fields.append(CField(f"argument {k + 1}", value.type, offset))
        offset += -(-sizeof(value.type) // SLOT) * SLOT
    record = Definition("(variable arguments)", False, tuple(fields), offset, SLOT)
    address = body.local_object("(variable arguments)", CRecord(record))
    for field, value in zip(fields, promoted, strict=True):
        place = Addr(address.object, field.offset, address.type)
        if isinstance(value.type, CRecord):
            copy_object(body, place, value.expr, value.type)
        else:
            body.store(place, value.expr)
    return address


def _promoted(body: Body, type: CType) -> CType:
    match type:
        case CInt():
            return body.unit.model.promote(type)
        case CFloat(size=size) if is_scalar(type):
            double = body.unit.model.double
            return double if size <= double.size else unatomic(type)
        case CPtr():
            return type
        case _:
            raise UnsupportedError(f"variable argument of type {type}")
