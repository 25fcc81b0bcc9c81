"""Spaces that points span, and the linear equations that hold in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, Reg
from abpress.ir.types import IntType
from abpress.logic.formula import Formula, holds

_WIDE = IntType(64, True)
_NARROW = 32
_LARGEST = 1_000
"""Equations with greater coefficients are of no use."""


@dataclass(slots=True)
class AffineSpace:
    """All sums of a point and multiples of rows, which are in reduced echelon form. Mutable."""

    point: list[Fraction]
    rows: dict[int, list[Fraction]] = field(default_factory=dict)

    def add(self, row: list[Fraction]) -> bool:
        """Adds a direction; returns whether it was not there."""
        row = self._reduced(row)
        pivot = next((k for k, x in enumerate(row) if x), None)
        if pivot is None:
            return False
        row = [x / row[pivot] for x in row]
        for k, other in self.rows.items():
            if other[pivot]:
                self.rows[k] = minus(other, other[pivot], row)
        self.rows[pivot] = row
        return True

    def _reduced(self, row: list[Fraction]) -> list[Fraction]:
        for pivot, its in self.rows.items():
            if row[pivot]:
                row = minus(row, row[pivot], its)
        return row


def minus(row: list[Fraction], factor: Fraction, other: list[Fraction]) -> list[Fraction]:
    """A row without so many times another one."""
    return [x - factor * y if y else x for x, y in zip(row, other, strict=True)]


def equations_of(space: AffineSpace | None, variables: Sequence[Reg]) -> tuple[Formula, ...]:
    """The equations that hold in a space."""
    if space is None:
        return ()
    found = []
    for k, v in enumerate(variables):
        if k not in space.rows:
            factors = {v.name: Fraction(1)}
            factors |= {
                variables[pivot].name: -row[k] for pivot, row in space.rows.items() if row[k]
            }
            of = dict(zip((one.name for one in variables), space.point, strict=True))
            right = sum((x * of[name] for name, x in factors.items()), Fraction(0))
            f = _formula(factors, right, {one.name: one for one in variables})
            if f is not None:
                found.append(f)
    return tuple(found)


def _formula(
    factors: Mapping[str, Fraction], right: Fraction, variables: Mapping[str, Reg]
) -> Formula | None:
    """That a sum of variables is a number; None if it cannot be said simply."""
    scale = lcm(right.denominator, *(x.denominator for x in factors.values()))
    whole = {name: int(x * scale) for name, x in factors.items()}
    number = int(right * scale)
    if any(abs(x) > _LARGEST for x in whole.values()) or number.bit_length() > _NARROW:
        return None
    types = {variables[name].type for name in whole}
    first = next(iter(types))
    if not all(isinstance(t, IntType) for t in types):
        return None
    assert isinstance(first, IntType)
    plain = sorted(whole.values()) == [-1, 1] and not number
    if len(types) == 1 and (not first.signed or plain):
        type = first
    elif all(isinstance(t, IntType) and t.bits <= _NARROW for t in types):
        type = _WIDE
    else:
        return None
    positive = {name: x for name, x in whole.items() if x > 0}
    negative = {name: -x for name, x in whole.items() if x < 0}
    left = _term(positive, max(0, -number), variables, type)
    return holds(Compare("==", left, _term(negative, max(0, number), variables, type)))


def _term(
    factors: Mapping[str, int], number: int, variables: Mapping[str, Reg], type: IntType
) -> Expr:
    """A sum in a type."""
    parts: list[Expr] = []
    for name, x in sorted(factors.items()):
        v: Expr = variables[name]
        e = v if variables[name].type == type else Convert(v, type)
        parts.append(e if x == 1 else Binary("*", Const(x, type), e))
    if number or not parts:
        parts.append(Const(number % (1 << type.bits), type))
    total = parts[0]
    for part in parts[1:]:
        total = Binary("+", total, part)
    return total
