"""What counters leave as remainders, and bounds of what is never changed.

Both are guessed from models, NOTE(guessed-bounds). Of the values of a variable in a relation all
have one remainder modulo the greatest number that divides all their differences [Granger89]: where
a loop is unrolled, or takes turns of several rounds, its counter is a multiple of how far a turn
goes, which excludes that it ends in the middle of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import gcd

from abpress.engines.horn.octagons import WidenedBounds, limits_of
from abpress.engines.horn.widening import Guess, Widening
from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, Reg, Variable, walk
from abpress.ir.types import IntType
from abpress.logic.connectives import atoms
from abpress.logic.formula import FALSE, Formula, holds
from abpress.smt.clauses import Clause

_WIDE = IntType(64, True)
_NARROW = 32


def residues(
    relations: Sequence[tuple[Variable, ...]],
    clauses: Sequence[Clause],
    known: Sequence[tuple[Formula, ...]],
    expired: Callable[[], bool],
) -> list[tuple[Formula, ...]] | None:
    """For each relation, what the clauses keep of these, with what is `known`: FALSE for one that
    no clause leads to; None if time is up, or no guard multiplies or divides by a number."""
    if not any(map(_multiplies, (f for clause in clauses for f in clause.guard))):
        return None
    fixed = _fixed(clauses)
    limits = limits_of(clauses)
    numbers = [
        [
            v
            for v in its
            if isinstance(v, Reg) and isinstance(v.type, IntType) and v.type.bits <= _NARROW
        ]
        for its in relations
    ]
    guesses: list[list[Guess]] = [
        [WidenedBounds(v, limits) if v.name in fixed else _Residue(v) for v in its]
        for its in numbers
    ]
    looked_at = [{v.name: v for v in its} for its in numbers]
    return Widening(clauses, looked_at, guesses, known).run(expired)


def _multiplies(f: Formula) -> bool:
    return any(
        isinstance(part, Binary)
        and part.op in ("*", "%")
        and (isinstance(part.left, Const) or isinstance(part.right, Const))
        for atom in atoms(f)
        if atom.expr is not None
        for part in walk(atom.expr)
    )


def _fixed(clauses: Sequence[Clause]) -> set[str]:
    """The variables that are set to numbers and to other variables only, as inputs are."""
    names: set[str] = set()
    computed: set[str] = set()
    for clause in clauses:
        for name, value in clause.values.items():
            names.add(name)
            if not isinstance(value, Reg | Const):
                computed.add(name)
    return names - computed


@dataclass(slots=True)
class _Residue:
    """That all values of a variable have one remainder. Mutable; modulo 0 they are one value, and
    modulo 1 anything."""

    variable: Reg
    value: int | None = None
    modulus: int = 0

    def admit(self, values: Mapping[str, int]) -> None:
        """Divides the modulus, so that it divides the difference to a value."""
        its = values[self.variable.name]
        if self.value is None:
            self.value = its
        self.modulus = gcd(self.modulus, its - self.value)

    def formulas(self) -> Iterator[Formula]:
        """What it says."""
        if self.value is None:
            yield FALSE
        elif self.modulus != 1:
            type = self.variable.type
            if not self.modulus:
                yield holds(Compare("==", self.variable, Const(self.value, type)))
            else:
                far: Expr = Binary(
                    "-", Convert(self.variable, _WIDE), Const(self.value % self.modulus, _WIDE)
                )
                rest = Binary("%", far, Const(self.modulus, _WIDE))
                yield holds(Compare("==", rest, Const(0, _WIDE)))
