"""Bounds of variables, of their sums and differences, and what is the greater of two of them.

They are guessed from models, NOTE(guessed-bounds), so each bound is the least one that samples
allow; one that grows again and again is the next number that clauses compare with, or none. *Flags*
are variables that clauses set to 0 and 1 only: bounds are also those of the states in which one is
0, or is not. What is left is kept by all clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from abpress.engines.horn.widening import Guess, Widening
from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, Reg, Variable, walk
from abpress.ir.types import IntType
from abpress.logic.connectives import atoms
from abpress.logic.formula import FALSE, Formula, disj, holds, neg
from abpress.smt.clauses import Clause

_WIDE = IntType(64, True)
_NARROW = 32

_MOST_RELATED, _MOST_CHOSEN, _MOST_FLAGS = 8, 6, 3
"""Variables of a relation of which sums and differences are bounded; of which some may be the
greater or the lesser of two others; and flags. Where there are more, nothing of that is said."""

_MOST_GROWTH = 2
"""How often a bound grows to what a sample has."""

_MOST_LIMITS = 16
"""Numbers of the clauses that may be bounds."""


def octagons(
    relations: Sequence[tuple[Variable, ...]],
    clauses: Sequence[Clause],
    known: Sequence[tuple[Formula, ...]],
    expired: Callable[[], bool],
) -> list[tuple[Formula, ...]] | None:
    """For each relation, bounds that the clauses keep, with what is `known`; None if time is up."""
    numbers = [
        tuple(
            v
            for v in its
            if isinstance(v, Reg) and isinstance(v.type, IntType) and v.type.bits <= _NARROW
        )
        for its in relations
    ]
    flags, limits = _flags(clauses), limits_of(clauses)
    guesses: list[list[Guess]] = [list(_guesses(its, flags, limits)) for its in numbers]
    looked_at = [{v.name: v for v in its} for its in numbers]
    found = Widening(clauses, looked_at, guesses, known).run(expired)
    return found and [() if its == (FALSE,) else its for its in found]


@dataclass(slots=True)
class WidenedBounds:
    """Bounds of a variable, or of its sum with another one, or its difference (sign -1), in the
    states in which a flag is 0, or is not (no flag: in all). Mutable; None: no bound. A bound that
    grows again and again becomes one of the limits, in ascending order."""

    variable: Reg
    limits: Sequence[int]
    other: Reg | None = None
    sign: int = 1
    flag: Reg | None = None
    zero: bool = True
    low: int | None = None
    high: int | None = None
    grown: tuple[int, int] = (0, 0)
    met: bool = False

    def admit(self, values: Mapping[str, int]) -> None:
        """Widens the bounds for a state."""
        if self.flag is not None and (values[self.flag.name] == 0) is not self.zero:
            return
        value = values[self.variable.name]
        if self.other is not None:
            value += self.sign * values[self.other.name]
        if not self.met:
            self.met, self.low, self.high = True, value, value
        low, high = self.grown
        if self.low is not None and value < self.low:
            lower = (n for n in reversed(self.limits) if n <= value)
            self.low, low = (value if low < _MOST_GROWTH else next(lower, None)), low + 1
        if self.high is not None and value > self.high:
            higher = (n for n in self.limits if n >= value)
            self.high, high = (value if high < _MOST_GROWTH else next(higher, None)), high + 1
        self.grown = low, high

    def formulas(self) -> Iterator[Formula]:
        """What the bounds say."""
        for f in self._unconditional():
            if self.flag is None:
                yield f
            else:
                is_zero = holds(Compare("==", self.flag, Const(0, self.flag.type)))
                yield disj((neg(is_zero) if self.zero else is_zero, f))

    def _unconditional(self) -> Iterator[Formula]:
        if not self.met:
            yield FALSE
        elif self.low is not None and self.low == self.high:
            yield self._compared("==", self.low)
        else:
            if self.low is not None:
                yield self._compared(">=", self.low)
            if self.high is not None:
                yield self._compared("<=", self.high)

    def _compared(self, op: str, bound: int) -> Formula:
        v, w = self.variable, self.other
        if w is None:
            return holds(Compare(op, v, Const(bound, v.type)))
        if self.sign < 0 and bound == 0 and v.type == w.type:
            return holds(Compare(op, v, w))
        left: Expr = Convert(v, _WIDE)
        right: Expr = Const(bound, _WIDE)
        if self.sign > 0:
            left = Binary("+", left, Convert(w, _WIDE))
        else:
            right = Binary("+", Convert(w, _WIDE), right)
        return holds(Compare(op, left, right))


@dataclass(slots=True)
class _Choice:
    """That a variable is one of two others: with bounds, the greater or the lesser one. Mutable."""

    variable: Reg
    others: tuple[Reg, Reg]
    holds: bool = True

    def admit(self, values: Mapping[str, int]) -> None:
        """Drops it where a state says something else."""
        self.holds &= values[self.variable.name] in (values[v.name] for v in self.others)

    def formulas(self) -> Iterator[Formula]:
        """What it says."""
        if self.holds:
            yield disj(holds(Compare("==", self.variable, other)) for other in self.others)


def _guesses(
    variables: Sequence[Reg], flags: frozenset[str], limits: Sequence[int]
) -> Iterator[WidenedBounds | _Choice]:
    """What may be said of a relation."""
    its = [v for v in variables if v.name in flags]
    if len(its) > _MOST_FLAGS:
        its = []
    cases = [(None, True), *product(its, (True, False))]
    numbers = [v for v in variables if v.name not in flags]
    yield from (WidenedBounds(v, limits) for v in variables if v.name in flags)
    for flag, zero in cases:
        yield from (WidenedBounds(v, limits, None, 1, flag, zero) for v in numbers)
        if len(numbers) <= _MOST_RELATED:
            for (v, w), sign in product(combinations(numbers, 2), (-1, 1)):
                yield WidenedBounds(v, limits, w, sign, flag, zero)
    if len(numbers) <= _MOST_CHOSEN:
        for v in numbers:
            for a, b in combinations([w for w in numbers if w != v and w.type == v.type], 2):
                yield _Choice(v, (a, b))


def _flags(clauses: Sequence[Clause]) -> frozenset[str]:
    """The variables to which clauses assign 0 and 1 only."""
    found: set[str] = set()
    others: set[str] = set()
    for clause in clauses:
        for name, value in clause.values.items():
            match value:
                case Reg(same) if same == name:
                    pass
                case Const(0 | 1):
                    found.add(name)
                case _:
                    others.add(name)
    return frozenset(found - others)


def limits_of(clauses: Sequence[Clause]) -> tuple[int, ...]:
    """The smallest numbers in guards, and their neighbours: in ascending order."""
    found: set[int] = set()
    for f in {f for clause in clauses for whole in clause.guard for f in atoms(whole)}:
        for e in () if f.expr is None else walk(f.expr):
            if isinstance(e, Const) and isinstance(e.type, IntType):
                found |= {e.value - 1, e.value, e.value + 1}
    return tuple(sorted(sorted(found, key=lambda n: (abs(n), n))[:_MOST_LIMITS]))
