"""Bit-fields: their bits lie in a unit, an unsigned integer, that is read and written whole."""

from __future__ import annotations

from abpress.ir.expr import Const, Convert, Expr
from abpress.ir.types import INT, IntType
from frontend.lower.body import Body
from frontend.lower.ctypes import CInt, DataModel
from frontend.lower.values import MemoryPlace, Value, arithmetic, fold


def load_bits(body: Body, place: MemoryPlace) -> Value:
    """The value of the field at `place`."""
    field, first, width = _field(place)
    raw = body.load(place.address, _unit(body.unit.model, field))
    return _value(body.unit.model, raw, first, width, field)


def store_bits(body: Body, place: MemoryPlace, value: Value) -> None:
    """Writes `value` to the field: reads the unit, and writes it with these bits replaced."""
    field, first, width = _field(place)
    unit = _unit(body.unit.model, field)
    mask = ((1 << width) - 1) << first
    raw = body.load(place.address, unit)
    kept = arithmetic("&", raw, Const(unit.ir.maximum & ~mask, unit.ir))
    new = arithmetic("<<", fold(Convert(value.expr, unit.ir)), Const(first, INT))
    new = arithmetic("&", new, Const(mask, unit.ir))
    body.store(place.address, arithmetic("|", kept, new))


def stored_bits(model: DataModel, place: MemoryPlace, value: Value) -> Value:
    """What the field holds once `value` is stored in it."""
    field, _, width = _field(place)
    raw = fold(Convert(value.expr, IntType(field.ir.bits, False)))
    return _value(model, raw, 0, width, field)


def _field(place: MemoryPlace) -> tuple[CInt, int, int]:
    assert place.bits is not None and isinstance(place.type, CInt)
    return (place.type, *place.bits)


def _unit(model: DataModel, field: CInt) -> CInt:
    return field if field.is_bool else model.unsigned(field)


def _value(model: DataModel, raw: Expr, first: int, width: int, field: CInt) -> Value:
    """The bits of an unsigned `raw` from `first` on as the value of a field, promoted."""
    bits = field.ir.bits
    shifted = arithmetic("<<", raw, Const(bits - first - width, INT))
    signed = fold(Convert(shifted, IntType(bits, field.ir.signed)))
    moved = arithmetic(">>", signed, Const(bits - width, INT))
    type = model.promote_bits(field, width)
    return Value(fold(Convert(moved, type.ir)), type)
