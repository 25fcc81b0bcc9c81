"""Clauses are solved by what is cheapest first: equations, k-induction with these, then Spacer."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from abpress.engines.horn.affine import equations
from abpress.engines.horn.apart import solve_apart
from abpress.engines.horn.encoding import ClauseSystem
from abpress.engines.horn.induction import inductive
from abpress.logic.formula import conj
from abpress.smt.clauses import Invariants, Solved

_GUESSING = 0.2
"""Of the time, for the proof of linear equations."""

_SAYING = 0.3
"""Of the time, until what is said backwards from errors has to be inductive."""


def solution(
    single: ClauseSystem,
    problem: ClauseSystem,
    seconds: float,
    memory: float | None,
    expired: Callable[[], bool],
) -> Solved:
    """What solves the problem, whose clauses are those for single moves and some that these imply;
    within so many MiB, and until `expired`.

    Raises NotExact.
    """
    begun = monotonic()

    def late(share: float) -> Callable[[], bool]:
        return lambda: expired() or monotonic() > begun + share * seconds

    relations = single.relations
    known = equations(relations, single.clauses, late(_GUESSING))
    said = inductive(relations, single.clauses, known, late(_SAYING))
    solved: Solved
    if said is not None:
        solved = Invariants(tuple(said))
    else:
        left = max(0.0, seconds - (monotonic() - begun))
        solved = solve_apart(
            relations, problem.clauses, left, memory, expired, problem.heads, known
        )
    if isinstance(solved, Invariants):
        pairs = zip(solved.labels, known, strict=True)
        solved = Invariants(tuple(conj((label, *its)) for label, its in pairs))
    return solved
