"""Counters of threads: sums of what each of them weighs where it stands. NOTE(weighed-threads)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from abpress.ir.bounds import bounds
from abpress.ir.expr import Binary, Const, Expr
from abpress.ir.types import IntType
from abpress.modular.templates.paths import At

COUNT = IntType(128, True)
"""The type of counters: ids have 64 bits at most, and weights are less than `MOST_WEIGHT`."""

MOST_WEIGHT = 1 << 32
"""What a thread weighs is less, up or down."""

_NOTHING = Const(0, COUNT)


@dataclass(frozen=True, slots=True)
class ThreadCounter:
    """Adds up a weight for each thread that stands at a cut, of type COUNT, over the variables that
    belong to the thread and the numbers of chosen elements; other cuts weigh nothing."""

    weights: Mapping[At, Expr]

    def of(self, at: At | None) -> Expr:
        """The weight of a thread that stands somewhere, or is not there."""
        return _NOTHING if at is None else self.weights.get(at, _NOTHING)

    @property
    def positive(self) -> bool:
        """Whether no thread weighs less than nothing."""
        return all(bounds(weight)[0] >= 0 for weight in self.weights.values())


def added_up(begin: Expr, more: Sequence[Expr], less: Sequence[Expr]) -> Expr:
    """A sum with more and less, in which numbers are added up and what is equal is left out."""
    more, less = list(more), list(less)
    for e in tuple(more):
        if e in less:
            more.remove(e)
            less.remove(e)
    n = sum(e.value for e in more if isinstance(e, Const))
    n -= sum(e.value for e in less if isinstance(e, Const))
    for op, its in (("+", more), ("-", less)):
        for e in its:
            if not isinstance(e, Const):
                begin = Binary(op, begin, e)
    return Binary("+", begin, Const(n, COUNT)) if n else begin
