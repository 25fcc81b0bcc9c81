"""Formulas under which a step commutes with what another thread does next, NOTE(commuting-steps).

Nothing rests on them: the checker asks whether they suffice.
"""

from __future__ import annotations

from abpress.errors import UnsupportedError
from abpress.logic.formula import FALSE, TRUE, Formula, conj, disj, neg, size, substitute, variables
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
        numbers = self._system.numbers(d)
        known = frozenset(substitute(f, numbers) for f in step.guard)
        needed: dict[Formula, None] = {}
        for swap in self._commuting.swaps(d, step, u):
            needed[self._where(known, swap)] = None
            if FALSE in needed:
                return FALSE
        found = conj(needed)
        if found is TRUE or found is FALSE:
            return found
        useful = size(found) <= _LARGEST and not any(ARBITRARY in v for v in variables(found))
        if not useful or self._prover.satisfiable({*known, found}) is not Answer.YES:
            return FALSE
        return found

    def _where(self, known: frozenset[Formula], swap: Swap) -> Formula:
        """A formula that implies the goal of a swap where what is known holds."""
        if self._prover.entails(known, swap.goal) is Answer.YES:
            return TRUE
        after = known.union(swap.after)
        ways = [way for way in (self._way(after, way) for way in swap.ways) if way is not FALSE]
        if not ways:
            return FALSE
        never = (neg(f) for f in swap.after if not any(ARBITRARY in v for v in variables(f)))
        return disj((*never, *ways))

    def _way(self, after: frozenset[Formula], way: OtherOrder) -> Formula:
        """Where a way is open, and ends as it should."""
        open = [f for f in way.before if self._prover.entails(after, f) is not Answer.YES]
        so_far = after.union(open)
        if all(self._prover.entails(so_far, f) is Answer.YES for f in way.same):
            return conj(open)
        return FALSE
