"""Interpolants from both ends: strongest postconditions up to a step, weakest preconditions after.

Weakest preconditions stop where what must hold for all values of an input is no formula without
quantifiers; with arrays that is common ("all elements are …"). What is known before the step may
imply it all the same: that an array has its initial contents, say. So both sequences fit together
there. (Only for paths about arrays: others have better ways.)
"""

from __future__ import annotations

from abpress.itp.path import Core, Path, range_of
from abpress.itp.slicing import sliced
from abpress.itp.sp import post, restricted
from abpress.itp.wp import backward
from abpress.logic.formula import Formula, conj, substitute, variables
from abpress.smt.answer import Answer
from abpress.smt.prover import Prover
from abpress.symbolic.discrete import is_array


def meeting(prover: Prover, path: Path, core: Core) -> tuple[Formula, ...] | None:
    """The interpolants I_0, …, I_n; None if the two sequences do not fit together."""
    slice = sliced(path, core)
    if not any(is_array(name) for live in slice.live for name in live):
        return None
    last = backward(prover, path, core)
    first = len(path.steps) - len(last)
    if first < 0:
        return None
    now = restricted(conj(slice.path.facts), slice.live[0])
    found = [now]
    for step, live in zip(slice.path.steps[:first], slice.live[1:], strict=False):
        now = post(now, step, live)
        found.append(now)
    step = slice.path.steps[first]
    ranges = [f for input in step.inputs for f in range_of(input)]
    goal = substitute(last[0], path.steps[first].updates)
    if prover.entails((now, *step.guard, *ranges), goal) is not Answer.YES:
        return None
    assert variables(now) <= slice.live[first]
    return (*found, *last)
