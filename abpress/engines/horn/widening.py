"""What is said of relations is widened by models [Symbolic04], NOTE(guessed-bounds).

A state to which a clause leads, and that what is said of its target does not admit, widens that,
until no clause leads to such a state. Then all clauses keep what is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from abpress.errors import UnsupportedError
from abpress.ir.expr import Compare, Expr, Reg
from abpress.logic.formula import FALSE, TRUE, Formula, conj, holds, substitute
from abpress.logic.replace import replace as replace_in
from abpress.smt.answer import NotExact
from abpress.smt.clauses import Clause, by_source
from abpress.smt.prover import Prover, Undecided

_RLIMIT = 200_000
"""Steps of z3 that a question may take."""

_AFTER = "'"


class Guess(Protocol):
    """What may be said of a relation. Mutable: it is true of all states that were admitted."""

    def admit(self, values: Mapping[str, int]) -> None:
        """Says less, so that it is true of a state."""

    def formulas(self) -> Iterator[Formula]:
        """What it says, over the names of what is looked at."""


class Widening:
    """What is said so far. Mutable. Of each relation values are looked at that have names, and are
    of 32 bits at most; what is `known` of it is kept by all clauses."""

    def __init__(
        self,
        clauses: Sequence[Clause],
        looked_at: Sequence[Mapping[str, Expr]],
        guesses: Sequence[list[Guess]],
        known: Sequence[tuple[Formula, ...]],
    ) -> None:
        self._known = known
        self._prover = Prover("int", rlimit=_RLIMIT)
        self._looked_at = looked_at
        self._after = [{n: Reg(n + _AFTER, e.type) for n, e in its.items()} for its in looked_at]
        self._said = guesses
        self._memo: dict[tuple[Formula, int, bool], Formula] = {}
        self._goals: list[tuple[Formula, ...]] = [(FALSE,)] * len(looked_at)
        self._formulas = list(self._goals)
        self._clauses = by_source(clauses)
        self._todo = list(self._clauses.get(None, ()))

    def run(self, expired: Callable[[], bool]) -> list[tuple[Formula, ...]] | None:
        """The formulas that are left when no clause leads out of them: FALSE for a relation that no
        clause leads to; None if time is up before: another call goes on then."""
        todo = self._todo
        while todo:
            if expired():
                return None
            clause = todo.pop()
            target = clause.target
            if target is None:
                continue
            if clause.source is not None and self._formulas[clause.source] == (FALSE,):
                continue
            changed = False
            for values in self._escaping(clause, target):
                changed = True
                self._admit(target, values)
                if expired():
                    todo.append(clause)
                    break
            if changed:
                said = (self._of(target, f, False) for f in self._goals[target])
                self._formulas[target] = tuple(f for f in said if f is not TRUE)
                todo += (its for its in self._clauses.get(target, ()) if its not in todo)
        return self._formulas

    def _admit(self, target: int, values: Mapping[str, int]) -> None:
        """Widens what is said of a relation for a state of which these are values; where there are
        none, or that is of no use, nothing is said any more."""
        said = self._said[target]
        for its in said if values else ():
            its.admit(values)
        found = dict.fromkeys(f for its in said for f in its.formulas())
        goals = tuple(f for f in found if f is not TRUE)
        if not values or goals == self._goals[target]:
            said.clear()
            goals = ()
        self._goals[target] = goals

    def _of(self, n: int, f: Formula, after: bool) -> Formula:
        """What is said of a relation, over its variables, or over values after a clause."""
        found = self._memo.get((f, n, after))
        if found is None:
            values = self._after[n] if after else self._looked_at[n]
            found = self._memo[f, n, after] = substitute(f, values)
        return found

    def _escaping(self, clause: Clause, target: int) -> Iterator[Mapping[str, int]]:
        """Values after a clause that what is said does not admit, and none of any name where the
        solver does not know."""
        known = list(clause.guard)
        if clause.source is not None:
            known += (*self._known[clause.source], *self._formulas[clause.source])
        after = self._after[target]
        for name, e in self._looked_at[target].items():
            known.append(holds(Compare("==", after[name], replace_in(e, clause.values))))
        assumed = frozenset(known)
        while self._goals[target]:
            goal = conj(self._of(target, f, True) for f in self._goals[target])
            try:
                model = self._prover.counterexample(assumed, goal)
            except (Undecided, NotExact, UnsupportedError):
                yield {}
                return
            if model is None:
                return
            yield {name: model.get(v.name, 0) for name, v in after.items()}
