"""Formulas under which a step commutes with what another thread does next, NOTE(commuting-steps).

Nothing rests on them: the checker asks whether they suffice.
"""

from __future__ import annotations

from abpress.errors import UnsupportedError
from abpress.logic.formula import (
    FALSE,
    TRUE,
    Formula,
    conj,
    conjuncts,
    disj,
    neg,
    size,
    substitute,
    variables,
)
from abpress.proof.commuting import Commuting, OtherOrder, Swap
from abpress.smt.answer import Answer, NotExact
from abpress.smt.prover import Prover
from abpress.symbolic.discrete import ARBITRARY, Discrete, SymbolicStep
from abpress.symbolic.system import SymbolicSystem

_LARGEST = 40
"""Larger formulas are of no use."""

_RLIMIT = 200_000
"""Steps of z3 that a question may take: there are many, and "no" is a good answer to each."""


class Conditions:
    """Finds these formulas. Mutable: remembers them."""

    def __init__(self, system: SymbolicSystem, seed: int) -> None:
        self._system = system
        self._commuting = Commuting(system)
        self._prover = Prover("int", rlimit=_RLIMIT, seed=seed)
        self._found: dict[tuple[Discrete, SymbolicStep, int], Formula] = {}

    def of(self, d: Discrete, step: SymbolicStep, u: int) -> Formula:
        """A formula over the variables before a step from `d`: where it holds, u commutes."""
        found = self._found.get((d, step, u))
        if found is None:
            try:
                found = self._condition(d, step, u)
            except (NotExact, UnsupportedError):
                found = FALSE
            self._found[d, step, u] = found
        return found

    def _condition(self, d: Discrete, step: SymbolicStep, u: int) -> Formula:
        """That u can do before the step what it could do after it, if that can be said and be so;
        else it is enough that u could not do it after it."""
        numbers = self._system.numbers(d)
        known = frozenset(substitute(f, numbers) for f in step.guard)
        swaps = [swap for swap in self._commuting.swaps(d, step, u) if self._is_open(known, swap)]
        before = [self._before(known, swap) for swap in swaps]
        if FALSE in before:
            return FALSE
        never = [
            disj(neg(f) for f in swap.after if not any(ARBITRARY in v for v in variables(f)))
            for swap in swaps
        ]
        for found in (
            conj(before),
            conj(disj(its) for its in zip(never, before, strict=True)),
        ):
            if found is TRUE or self._is_useful(known, found):
                return found
        return FALSE

    def _is_useful(self, known: frozenset[Formula], found: Formula) -> bool:
        useful = size(found) <= _LARGEST and not any(ARBITRARY in v for v in variables(found))
        return useful and self._prover.satisfiable({*known, found}) is Answer.YES

    def _is_open(self, known: frozenset[Formula], swap: Swap) -> bool:
        """Whether the goal of a swap may not hold where what is known does."""
        return self._prover.entails(known, swap.goal) is not Answer.YES

    def _before(self, known: frozenset[Formula], swap: Swap) -> Formula:
        """Where one of the ways of a swap is open, if it can be done after the step."""
        after = known.union(swap.after)
        ways = [way for way in (self._way(after, way) for way in swap.ways) if way is not None]
        return disj(conj(way) for way in ways if not any(other < way for other in ways))

    def _way(self, after: frozenset[Formula], way: OtherOrder) -> frozenset[Formula] | None:
        """What has to hold for a way to be open; None if it may not end as it should."""
        needed = conjuncts(conj(way.before))
        open = [f for f in needed if self._prover.entails(after, f) is not Answer.YES]
        so_far = after.union(open)
        if all(self._prover.entails(so_far, f) is Answer.YES for f in way.same):
            return frozenset(open)
        return None
