"""Clauses are solved by what is cheapest first: k-induction with equations that follow from how
variables are updated, then with those that hold in all models, then Spacer, then k-induction with
bounds, too. (Spacer is told of no bounds: most of them are of no use to it. Where guards multiply
or divide it is told of remainders, which it seldom finds.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from abpress.engines.horn.affine import equations
from abpress.engines.horn.apart import solve_apart
from abpress.engines.horn.encoding import ClauseSystem
from abpress.engines.horn.induction import inductive
from abpress.engines.horn.octagons import octagons
from abpress.engines.horn.residues import residues
from abpress.engines.horn.slicing import sliced
from abpress.engines.horn.spans import Spans
from abpress.logic.formula import Formula, conj
from abpress.search.processor import processor_time
from abpress.smt.clauses import Invariants, Solved, Unsolved

_GUESSING = 0.2
"""Of the time, for the proof of linear equations."""

_SAYING = 0.3
"""Of the time, until what is said backwards from errors has to be inductive."""

_SPACER = 0.75
"""Of what is left then, for Spacer."""

_BOUNDING = 0.9
"""Of the time, until bounds have to be found."""


@dataclass(slots=True)
class SoFar:
    """What was found of clauses when they were tried before. Mutable. Equations that are `known`,
    and that with them alone errors are excluded by nothing that is `refuted` to be inductive."""

    known: list[tuple[Formula, ...]] | None = None
    refuted: bool = False


def solution(
    single: ClauseSystem,
    problem: ClauseSystem,
    seconds: float,
    memory: float | None,
    expired: Callable[[], bool],
    spans: Spans | None = None,
    so_far: SoFar | None = None,
) -> Solved:
    """What solves the problem, whose clauses are those for single moves and some that these imply;
    in so many seconds of processor time and MiB, and until `expired`. What `spans` of the former
    take is not counted. What is known `so_far` is not looked for again.

    Raises NotExact.
    """
    begun = processor_time()

    def late(share: float) -> Callable[[], bool]:
        return lambda: expired() or processor_time() > begun + share * seconds

    relations, clauses = single.relations, single.clauses
    so_far = so_far or SoFar()
    known = so_far.known
    if known is None:
        known = equations(relations, clauses, late(_GUESSING))
        more = residues(relations, clauses, known, late(_GUESSING))
        if more is not None:
            known = [(*a, *b) for a, b in zip(known, more, strict=True)]
        if not late(_GUESSING)():
            so_far.known = known
    if not so_far.refuted:
        said = inductive(relations, clauses, known, late(_SAYING))
        if said is not None:
            return Invariants(_together(known, said))
        so_far.refuted = so_far.known is not None and not late(_SAYING)()
    if spans is not None:
        before = processor_time()
        spanned = spans.labels(seconds, expired)
        if spanned is not None:
            return Invariants(spanned)
        begun += processor_time() - before
    left = _SPACER * max(0.0, seconds - (processor_time() - begun))
    solved = solve_apart(relations, problem.clauses, left, memory, expired, problem.heads, known)
    if isinstance(solved, Invariants):
        return Invariants(_together(known, solved.labels))
    if isinstance(solved, Unsolved):
        bounds = octagons(relations, clauses, known, late(_BOUNDING))
        if bounds is not None:
            more = [(*a, *b) for a, b in zip(known, bounds, strict=True)]
            said = inductive(relations, clauses, more, late(1.0))
            if said is not None:
                labels = [(*its, f) for its, f in zip(more, said, strict=True)]
                return Invariants(tuple(map(conj, sliced(clauses, labels))))
    return solved


def _together(
    known: Sequence[tuple[Formula, ...]], labels: Sequence[Formula]
) -> tuple[Formula, ...]:
    return tuple(conj((f, *its)) for its, f in zip(known, labels, strict=True))
