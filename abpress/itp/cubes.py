"""Interpolants that are conjunctions of bounds, as few and as weak as possible.

Going forward, the strongest postcondition of the interpolant before a step is taken apart into
literals, an equality into two bounds; the interpolant after it is the conjunction of those in a
core of them with the rest of the path. So each follows from the one before it, and contradicts the
rest. (How IC3 generalises a cube, here towards the end of one path: [Pdr11].)
"""

from __future__ import annotations

from collections.abc import Iterator

from abpress.ir.expr import Compare
from abpress.itp.path import Core, Infeasible, Path, feasibility
from abpress.itp.slicing import sliced
from abpress.itp.sp import post, restricted
from abpress.logic.formula import FALSE, Formula, Kind, conj, conjuncts, holds, variables
from abpress.smt.answer import Answer
from abpress.smt.prover import Prover
from abpress.symbolic.discrete import SymbolicStep


def cubes(prover: Prover, path: Path, core: Core) -> tuple[Formula, ...] | None:
    """The interpolants I_0, …, I_n; None if what can be said of values one by one is too weak."""
    slice = sliced(path, core)
    steps, live = slice.path.steps, slice.live
    now = _weakest(prover, restricted(conj(slice.path.facts), live[0]), steps)
    if now is None:
        return None
    found = [now]
    for k, step in enumerate(steps):
        if step.guard and prover.satisfiable((now, *step.guard)) is Answer.NO:
            return (*found, *[FALSE] * (len(steps) - k))
        if step.guard or step.updates or not variables(now) <= live[k + 1]:
            rest = steps[k + 1 :]
            now = _weakest(prover, post(now, step, live[k + 1]), rest)
            if now is None:
                return None
        found.append(now)
    return None


def _weakest(prover: Prover, f: Formula, rest: tuple[SymbolicStep, ...]) -> Formula | None:
    """A conjunction of literals of `f` that makes the rest of the path infeasible; None if none."""
    answer = feasibility(prover, Path(tuple(_literals(f)), rest))
    if not isinstance(answer, Infeasible):
        return None
    return conj(answer.core.facts)


def _literals(f: Formula) -> Iterator[Formula]:
    """The conjuncts, of an equality the two bounds."""
    for part in conjuncts(f):
        if part.kind is Kind.HOLDS and isinstance(part.expr, Compare) and part.expr.op == "==":
            bounds = [holds(Compare(op, part.expr.left, part.expr.right)) for op in ("<=", ">=")]
            yield from dict.fromkeys(bounds)
        else:
            yield part
