"""Terms of z3 over unbounded integers as formulas, in types that are wide enough.

What a term means as a formula is for whoever uses it to check: nothing rests on it here.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import z3

from abpress.ir.expr import ArrayReg, Binary, Compare, Const, Convert, Expr, Reg, Select, Variable
from abpress.ir.types import INDEX, IntType
from abpress.logic.formula import FALSE, TRUE, Formula, conj, disj, holds, neg

_WIDTHS = (64, 128, 256)
"""Bits of the types in which sums are said."""

_MOST_CASES = 64
"""An atom with more cases (if-then-else) than this is not read."""

_COMPARISONS = {
    z3.Z3_OP_LE: "<=",
    z3.Z3_OP_LT: "<",
    z3.Z3_OP_GE: ">=",
    z3.Z3_OP_GT: ">",
    z3.Z3_OP_EQ: "==",
}


_TRUE: Mapping[str, Callable[[int, int], bool]] = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
    "==": operator.eq,
}


class Unreadable(Exception):
    """There is no formula for a term."""


@dataclass(frozen=True, slots=True)
class _Sum:
    """A sum of expressions, each with a factor, and a number; they have values of their types."""

    factors: Mapping[Expr, int]
    number: int = 0

    def plus(self, other: _Sum, factor: int = 1) -> _Sum:
        """The sum of this one and another one so many times."""
        factors = dict(self.factors)
        for e, n in other.factors.items():
            factors[e] = factors.get(e, 0) + factor * n
        return _Sum({e: n for e, n in factors.items() if n}, self.number + factor * other.number)

    @property
    def most(self) -> int:
        """No partial sum is further from 0."""
        return abs(self.number) + sum(abs(n) * _most(e) for e, n in self.factors.items())


def _most(e: Expr) -> int:
    assert isinstance(e.type, IntType)
    return max(abs(e.type.minimum), e.type.maximum)


class Reading:
    """Reads terms in which constants of these names stand for variables."""

    def __init__(self, names: Mapping[str, Variable]) -> None:
        self._names = names

    def formula(self, term: Any) -> Formula:
        """The formula with the models of a Boolean term. Raises Unreadable."""
        if z3.is_quantifier(term) or not z3.is_app(term):
            raise Unreadable("a quantifier")
        if z3.is_true(term) or z3.is_false(term):
            return TRUE if z3.is_true(term) else FALSE
        kind, parts = term.decl().kind(), term.children()
        if kind == z3.Z3_OP_EQ and z3.is_bool(parts[0]):
            left, right = map(self.formula, parts)
            return disj((conj((left, right)), conj((neg(left), neg(right)))))
        match kind:
            case z3.Z3_OP_AND:
                return conj(map(self.formula, parts))
            case z3.Z3_OP_OR:
                return disj(map(self.formula, parts))
            case z3.Z3_OP_NOT:
                return neg(self.formula(parts[0]))
            case z3.Z3_OP_IMPLIES:
                return disj((neg(self.formula(parts[0])), self.formula(parts[1])))
            case z3.Z3_OP_ITE:
                condition, then, otherwise = map(self.formula, parts)
                return disj((conj((condition, then)), conj((neg(condition), otherwise))))
            case _:
                if kind in _COMPARISONS and z3.is_int(parts[0]):
                    return self._comparison(_COMPARISONS[kind], *parts)
                raise Unreadable(f"{term.decl().name()}")

    def _comparison(self, op: str, left: Any, right: Any) -> Formula:
        cases = [
            (conj((a, b)), x.plus(y, -1))
            for a, x in self._cases(left)
            for b, y in self._cases(right)
        ]
        if len(cases) > _MOST_CASES:
            raise Unreadable("an atom with many cases")
        return disj(conj((where, _compared(op, its))) for where, its in cases)

    def _cases(self, term: Any) -> list[tuple[Formula, _Sum]]:
        """The values of an integer term, each with the formula where it is that."""
        if z3.is_int_value(term):
            return [(TRUE, _Sum({}, term.as_long()))]
        if not z3.is_app(term):
            raise Unreadable("a bound variable")
        kind, parts = term.decl().kind(), term.children()
        if not parts:
            variable = self._names.get(str(term))
            if not isinstance(variable, Reg):
                raise Unreadable(f"{term} is no variable")
            return [(TRUE, _Sum({variable: 1}))]
        match kind:
            case z3.Z3_OP_ADD:
                return self._added([(self._cases(part), 1) for part in parts])
            case z3.Z3_OP_SUB:
                rest = [(self._cases(part), -1) for part in parts[1:]]
                return self._added([(self._cases(parts[0]), 1), *rest])
            case z3.Z3_OP_UMINUS:
                return self._added([(self._cases(parts[0]), -1)])
            case z3.Z3_OP_MUL if len(parts) == 2 and z3.is_int_value(parts[0]):
                return self._added([(self._cases(parts[1]), parts[0].as_long())])
            case z3.Z3_OP_MUL if len(parts) == 2 and z3.is_int_value(parts[1]):
                return self._added([(self._cases(parts[0]), parts[1].as_long())])
            case z3.Z3_OP_ITE:
                condition = self.formula(parts[0])
                then = [(conj((condition, f)), s) for f, s in self._cases(parts[1])]
                return then + [(conj((neg(condition), f)), s) for f, s in self._cases(parts[2])]
            case z3.Z3_OP_MOD | z3.Z3_OP_IDIV if z3.is_int_value(parts[1]):
                by = parts[1].as_long()
                read = _rest if kind == z3.Z3_OP_MOD else _quotient
                return [(f, _Sum({read(s, by): 1})) for f, s in self._cases(parts[0])]
            case z3.Z3_OP_SELECT:
                array = self._names.get(str(parts[0]))
                if isinstance(array, ArrayReg):
                    return [
                        (f, _Sum({Select(array, Convert(_said(s), INDEX)): 1}))
                        for f, s in self._cases(parts[1])
                    ]
        raise Unreadable(f"{term.decl().name()}")

    def _added(
        self, parts: list[tuple[list[tuple[Formula, _Sum]], int]]
    ) -> list[tuple[Formula, _Sum]]:
        """The values of a sum of terms, each with a factor."""
        found = [(TRUE, _Sum({}))]
        for cases, factor in parts:
            found = [(conj((f, g)), s.plus(its, factor)) for f, s in found for g, its in cases]
            if len(found) > _MOST_CASES:
                raise Unreadable("an atom with many cases")
        return found


# -- sums as expressions --------------------------------------------------------------------------


def _compared(op: str, s: _Sum) -> Formula:
    """The formula that the sum is in this relation to 0."""
    if not s.factors:
        return TRUE if _TRUE[op](s.number, 0) else FALSE
    terms = list(s.factors.items())
    if len(terms) == 2 and not s.number and {n for _, n in terms} == {1, -1}:
        (a, n), (b, _) = terms
        if a.type == b.type:
            return holds(Compare(op, a, b) if n == 1 else Compare(op, b, a))
    if len(terms) == 1 and terms[0][1] == 1:
        e, _ = terms[0]
        if isinstance(e.type, IntType) and e.type.contains(-s.number):
            return holds(Compare(op, e, Const(-s.number, e.type)))
    type = _wide(s)
    left = [(e, n) for e, n in terms if n > 0]
    right = [(e, -n) for e, n in terms if n < 0]
    left_number, right_number = max(s.number, 0), max(-s.number, 0)
    return holds(Compare(op, _total(left, left_number, type), _total(right, right_number, type)))


def _wide(s: _Sum) -> IntType:
    """A type in which no part of the sum overflows."""
    for bits in _WIDTHS:
        if s.most < 1 << (bits - 1):
            return IntType(bits, True)
    raise Unreadable("numbers that are too large")


def _total(terms: list[tuple[Expr, int]], number: int, type: IntType) -> Expr:
    total: Expr | None = None
    for e, n in terms:
        part: Expr = Convert(e, type)
        if n != 1:
            part = Binary("*", Const(n, type), part)
        total = part if total is None else Binary("+", total, part)
    if total is None:
        return Const(number, type)
    return Binary("+", total, Const(number, type)) if number else total


def _said(s: _Sum) -> Expr:
    """The sum as an expression."""
    return _total(list(s.factors.items()), s.number, _wide(s))


def _rest(s: _Sum, by: int) -> Expr:
    """The rest of a division, which is not negative."""
    if by <= 0:
        raise Unreadable("a division by what is not positive")
    type = _wide(_Sum(s.factors, abs(s.number) + 2 * by))
    e, divisor = _total(list(s.factors.items()), s.number, type), Const(by, type)
    return Binary("%", Binary("+", Binary("%", e, divisor), divisor), divisor)


def _quotient(s: _Sum, by: int) -> Expr:
    """The quotient of a division, rounded down."""
    rest = _rest(s, by)
    type = rest.type
    assert isinstance(type, IntType)
    e = _total(list(s.factors.items()), s.number, type)
    return Binary("/", Binary("-", e, rest), Const(by, type))
