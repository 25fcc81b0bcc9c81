"""Variables in expressions replaced, all at once, by expressions and arrays of their types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from abpress.ir.expr import (
    Array,
    ArrayReg,
    Expr,
    Filled,
    Reg,
    Term,
    Update,
    rewrite,
    rewrite_array,
)


def replace(e: Expr, values: Mapping[str, Term]) -> Expr:
    """The expression with the values in place of its variables; nothing is simplified."""
    replacement = _Replacement(values)
    return rewrite(e, replacement.leaf, replacement.array)


def replace_in_array(array: Array, values: Mapping[str, Term]) -> Array:
    """As `replace`, for an array."""
    replacement = _Replacement(values)
    return rewrite_array(array, replacement.leaf, replacement.array)


@dataclass(frozen=True, slots=True)
class _Replacement:
    values: Mapping[str, Term]

    def leaf(self, e: Expr) -> Expr:
        value = self.values.get(e.name, e) if isinstance(e, Reg) else e
        assert not isinstance(value, ArrayReg | Filled | Update)
        return value

    def array(self, array: ArrayReg) -> Array:
        value = self.values.get(array.name, array)
        assert isinstance(value, ArrayReg | Filled | Update)
        return value
