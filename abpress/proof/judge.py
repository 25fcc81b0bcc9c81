"""Questions about formulas that a certificate has to answer with yes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from abpress.errors import UnsupportedError
from abpress.later import later
from abpress.logic.formula import FALSE, TRUE, Formula, variables
from abpress.smt.answer import OPPOSITE, Answer, Floating, NotExact

if TYPE_CHECKING:
    from abpress.smt.prover import Prover

_PROVER: Callable[[str], Prover] = later("abpress.smt.prover", "Prover")


class Judge:
    """Answers under one encoding first; where that is not exact, under bit-vectors, unless the
    question is one about floating-point numbers.

    A prover takes 16 MB, of which the collector of cycles knows nothing: it is begun by the first
    question that needs it, and the end of a `with` frees it, whoever still knows the judge.
    """

    def __init__(self, encoding: str) -> None:
        self._encodings = tuple(dict.fromkeys((encoding, "bv")))
        self._provers: dict[str, Prover] = {}

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, *_: object) -> None:
        self._provers.clear()

    def implied(self, known: frozenset[Formula], goal: Formula) -> Answer:
        """Whether `goal` holds wherever all of `known` hold."""
        if goal is TRUE or goal in known or FALSE in known:
            return Answer.YES
        near = _linked(known, (goal,))
        answer = self._entails(near, goal)
        return answer if answer is Answer.YES or near == known else self._entails(known, goal)

    def impossible(self, known: frozenset[Formula], guard: frozenset[Formula]) -> Answer:
        """Whether `known` and `guard` never hold at once."""
        if FALSE in known or FALSE in guard:
            return Answer.YES
        near, every = _linked(known, guard) | guard, known | guard
        answer = self._excludes(near)
        return answer if answer is Answer.YES or near == every else self._excludes(every)

    def _entails(self, known: frozenset[Formula], goal: Formula) -> Answer:
        return self._answer(lambda prover: prover.entails(known, goal))

    def _excludes(self, formulas: frozenset[Formula]) -> Answer:
        return OPPOSITE[self._answer(lambda prover: prover.satisfiable(formulas))]

    def _answer(self, question: Callable[[Prover], Answer]) -> Answer:
        """The answer of the first prover whose encoding is exact; UNKNOWN if none can say it."""
        for encoding in self._encodings:
            if encoding not in self._provers:
                self._provers[encoding] = _PROVER(encoding)
            try:
                return question(self._provers[encoding])
            except (Floating, UnsupportedError):
                break
            except NotExact:
                continue
        return Answer.UNKNOWN


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
