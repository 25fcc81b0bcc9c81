"""k-induction [KInduction00]: that errors are not near, if that is inductive, NOTE(k-induction).

The weakest precondition of "no error is next" is said of each relation from which a clause leads
there, and so on backwards; what is said already, or known, is not said again. Where nothing new is
left to be said, that no error is within k clauses is kept by all clauses, for the least k for which
it is (with what is known), and what was said is a solution.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from abpress.ir.expr import Term, Variable
from abpress.logic.formula import FALSE, Formula, conj, disj, neg, substitute
from abpress.smt.answer import Answer, NotExact
from abpress.smt.clauses import Clause, by_target, mentioned_in
from abpress.smt.prover import Prover

_MOST_SAID = 100
"""Formulas; properties that take more are seldom inductive at all."""

_DEEPEST = 24
"""Clauses before an error of which is said that they do not lead to it."""

_RLIMIT = 200_000
"""Steps of z3 that a question may take."""


def inductive(
    relations: Sequence[tuple[Variable, ...]],
    clauses: Sequence[Clause],
    known: Sequence[tuple[Formula, ...]],
    expired: Callable[[], bool],
) -> list[Formula] | None:
    """A formula for each relation, which with what is `known` (and kept by all clauses) is a
    solution; None if that errors are not near is not inductive, or time is up."""
    try:
        return _Backwards(relations, clauses, known).run(expired)
    except NotExact:
        return None


class _Backwards:
    """What was said. Mutable."""

    def __init__(
        self,
        relations: Sequence[tuple[Variable, ...]],
        clauses: Sequence[Clause],
        known: Sequence[tuple[Formula, ...]],
    ) -> None:
        self._names = [{v.name for v in its} for its in relations]
        self._said = [dict.fromkeys(its) for its in known]
        self._known = [len(its) for its in self._said]
        self._into = by_target(clauses)
        self._prover = Prover("int", rlimit=_RLIMIT)

    def run(self, expired: Callable[[], bool]) -> list[Formula] | None:
        """The formulas that were said, if they are a solution."""
        todo: deque[tuple[int | None, Formula, int]] = deque([(None, FALSE, 0)])
        count = 0
        while todo:
            target, goal, depth = todo.popleft()
            for clause in self._into.get(target, ()):
                if expired():
                    return None
                before = self._before(clause, goal)
                if before is None:
                    continue
                if clause.source is None or depth == _DEEPEST:
                    return None
                count += 1
                if count > _MOST_SAID:
                    return None
                self._said[clause.source][before] = None
                todo.append((clause.source, before, depth + 1))
        return [
            conj(tuple(its)[known:]) for its, known in zip(self._said, self._known, strict=True)
        ]

    def _before(self, clause: Clause, goal: Formula) -> Formula | None:
        """What has to hold before a clause for the goal to hold after it; None if it does anyway.
        Where arbitrary values would count, it is that the clause is not taken."""
        values: dict[str, Term] = dict(clause.values)
        after = substitute(goal, values) if clause.target is not None else goal
        said = () if clause.source is None else self._said[clause.source]
        if self._prover.entails(frozenset((*clause.guard, *said)), after) is Answer.YES:
            return None
        names = set() if clause.source is None else self._names[clause.source]
        taken = conj(f for f in clause.guard if {v.name for v in mentioned_in(f)} <= names)
        if {v.name for v in mentioned_in(after)} <= names:
            return disj((neg(taken), after))
        return neg(taken)
