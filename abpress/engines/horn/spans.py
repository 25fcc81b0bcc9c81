"""Labels that rest on what holds in all models: equations, first of all states, then by cases, and
which of an element and what is compared with it is not the lesser.

Of which programs that is done says `abpress.verify.choice`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from time import process_time

from abpress.config import EQUATIONS, ORDERS_OF_ELEMENTS
from abpress.engines.horn.encoding import ClauseSystem
from abpress.engines.horn.hulls import hulls
from abpress.engines.horn.induction import inductive
from abpress.engines.horn.relevance import bearing_on_errors
from abpress.engines.horn.slicing import sliced
from abpress.engines.horn.widening import Widening
from abpress.logic.formula import Formula, conj

_SECONDS, _SHARE = 4.0, 0.4
"""For equations: this part of the time that there is for an order, in processor time; where cases
are not told apart it may be so many seconds."""

_MOST_RELATIONS = 2_000
"""Where there are more, nothing is looked for."""


class Spans:
    """What is known of clauses so far. Mutable: goes on where time was up. `seconds` were used."""

    def __init__(self, problem: ClauseSystem, guesses: Collection[str]) -> None:
        self._problem = bearing_on_errors(problem)
        self._ordered = ORDERS_OF_ELEMENTS in guesses
        few = len(problem.relations) <= _MOST_RELATIONS
        cases = [False, True] if EQUATIONS in guesses else [False] if self._ordered else []
        self._left = cases if few else []
        self._widening: Widening | None = None
        self.seconds = 0.0

    def labels(self, seconds: float, expired: Callable[[], bool]) -> tuple[Formula, ...] | None:
        """A solution of the clauses; None if what was found so far excludes not all errors."""
        begun = process_time()

        def late() -> bool:
            most = _SHARE * seconds
            if not self._left[0]:
                most = max(most, _SECONDS)
            return expired() or process_time() > begun + most

        labels = None
        while self._left and labels is None and not late():
            labels = self._try(late)
        self.seconds += process_time() - begun
        return labels

    def _try(self, late: Callable[[], bool]) -> tuple[Formula, ...] | None:
        """A solution by the equations that are next; they are not looked for again."""
        relations, clauses = self._problem.relations, self._problem.clauses
        if self._widening is None:
            self._widening = hulls(relations, clauses, self._left[0], self._ordered)
        found = self._widening.run(late)
        if found is None:
            return None
        said = inductive(relations, clauses, found, late)
        if said is not None:
            labels = [(*its, f) for its, f in zip(found, said, strict=True)]
            return tuple(map(conj, sliced(clauses, labels)))
        if not late():
            self._widening = None
            del self._left[0]
        return None
