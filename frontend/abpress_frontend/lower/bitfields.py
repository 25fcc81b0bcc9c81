"""Bit-fields: their bits lie in a unit, an unsigned integer, that is read and written whole."""

from __future__ import annotations

from abpress.ir.expr import Const, Convert, Expr
from abpress.ir.types import INT, IntType
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.ctypes import Bits, CInt, DataModel
from abpress_frontend.lower.values import MemoryPlace, Value, arithmetic, fold


def load_bits(body: Body, place: MemoryPlace) -> Value:
    """The value of the field at `place`."""
    field, bits = _field(place)
    raw = body.load(place.address, _unit(bits))
    return _value(body.unit.model, raw, bits, field)


def store_bits(body: Body, place: MemoryPlace, value: Value) -> None:
    """Writes `value` to the field: reads the unit, and writes it with these bits replaced."""
    _, bits = _field(place)
    unit = _unit(bits)
    mask = ((1 << bits.width) - 1) << bits.first
    raw = body.load(place.address, unit)
    kept = arithmetic("&", raw, Const(unit.ir.maximum & ~mask, unit.ir))
    new = arithmetic("<<", fold(Convert(value.expr, unit.ir)), Const(bits.first, INT))
    new = arithmetic("&", new, Const(mask, unit.ir))
    body.store(place.address, arithmetic("|", kept, new))


def stored_bits(model: DataModel, place: MemoryPlace, value: Value) -> Value:
    """What the field holds once `value` is stored in it."""
    field, bits = _field(place)
    raw = fold(Convert(value.expr, IntType(field.ir.bits, False)))
    return _value(model, raw, Bits(0, bits.width, field.ir.size), field)


def _field(place: MemoryPlace) -> tuple[CInt, Bits]:
    assert place.bits is not None and isinstance(place.type, CInt)
    return place.type, place.bits


def _unit(bits: Bits) -> CInt:
    """The type of the unit as a whole."""
    return CInt("unit of bit-fields", IntType(8 * bits.size, False), rank=3)


def _value(model: DataModel, raw: Expr, bits: Bits, field: CInt) -> Value:
    """The value of a field of an unsigned unit `raw`, promoted."""
    size = 8 * bits.size
    shifted = arithmetic("<<", raw, Const(size - bits.first - bits.width, INT))
    signed = fold(Convert(shifted, IntType(size, field.ir.signed)))
    moved = arithmetic(">>", signed, Const(size - bits.width, INT))
    type = model.promote_bits(field, bits.width)
    return Value(fold(Convert(moved, type.ir)), type)
