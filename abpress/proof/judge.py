"""Questions about formulas whose answer has to be yes: what is not decided counts as no."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from abpress.errors import UnsupportedError
from abpress.logic.formula import FALSE, TRUE, Formula, variables
from abpress.smt.encoding import NotExact
from abpress.smt.prover import Answer, Prover


class Judge:
    """Answers under one encoding first; where that is not exact, under bit-vectors."""

    def __init__(self, encoding: str) -> None:
        self._provers = [Prover(e) for e in dict.fromkeys((encoding, "bv"))]

    def implied(self, known: frozenset[Formula], goal: Formula) -> bool:
        """Whether `goal` was proved to hold wherever all of `known` hold."""
        if goal is TRUE or goal in known or FALSE in known:
            return True
        near = _linked(known, (goal,))
        return self._entails(near, goal) or (near != known and self._entails(known, goal))

    def impossible(self, known: frozenset[Formula], guard: frozenset[Formula]) -> bool:
        """Whether `known` and `guard` were proved never to hold at once."""
        if FALSE in known or FALSE in guard:
            return True
        near, every = _linked(known, guard) | guard, known | guard
        return self._excludes(near) or (near != every and self._excludes(every))

    def _entails(self, known: frozenset[Formula], goal: Formula) -> bool:
        return self._proved(lambda prover: prover.entails(known, goal) is Answer.YES)

    def _excludes(self, formulas: frozenset[Formula]) -> bool:
        return self._proved(lambda prover: prover.satisfiable(formulas) is Answer.NO)

    def _proved(self, question: Callable[[Prover], bool]) -> bool:
        """The answer of the first prover whose encoding is exact; False if none can say it."""
        for prover in self._provers:
            try:
                return question(prover)
            except NotExact:
                continue
            except UnsupportedError:
                return False
        return False


def _linked(formulas: frozenset[Formula], to: Iterable[Formula]) -> frozenset[Formula]:
    """The formulas that share variables with the others, directly or through one another."""
    reached = {name for f in to for name in variables(f)}
    found: set[Formula] = set()
    grown = True
    while grown:
        grown = False
        for f in formulas - found:
            if not reached.isdisjoint(variables(f)):
                found.add(f)
                reached |= variables(f)
                grown = True
    return frozenset(found)
