"""fewest: of weakest preconditions and strongest postconditions, those with fewer formulas."""

from __future__ import annotations

from abpress.itp.sp import strongest_postconditions
from abpress.itp.wp import weakest_preconditions


def fewest(prover, path, core):
    """The interpolants I_0, …, I_n of an infeasible path with this core; None if there are none."""
    both = (
        method(prover, path, core) for method in (weakest_preconditions, strongest_postconditions)
    )
    return min(filter(None, both), key=lambda its: len(set(its)), default=None)
