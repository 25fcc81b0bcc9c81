"""The laws by which formulas I_0, …, I_n are a sequence interpolant of a path."""

from __future__ import annotations

from collections.abc import Sequence

from abpress.ir.expr import registers
from abpress.itp.path import Path
from abpress.logic.formula import FALSE, Formula, substitute, variables
from abpress.smt.answer import Answer
from abpress.smt.prover import Prover


def check_sequence(
    prover: Prover, path: Path, itps: Sequence[Formula], refuted_only: bool = False
) -> list[str]:
    """The laws that are violated, or not proved, in words; none if all hold.

    With `refuted_only` a law that the solver does not decide is taken to hold.

    Initiation: the facts imply I_0. Consecution: I_k and the guard of step k imply I_{k+1} for
    the updated values, whatever the inputs are. The last is FALSE. Vocabulary: I_k mentions no
    input, and only what is mentioned from step k on and not forgotten before.
    """
    steps = path.steps
    good = (Answer.YES, Answer.UNKNOWN) if refuted_only else (Answer.YES,)
    if len(itps) != len(steps) + 1:
        return [f"{len(itps)} formulas for {len(steps)} steps"]
    broken = []
    if itps[-1] is not FALSE:
        broken.append("the last formula is not false")
    if prover.entails(path.facts, itps[0]) not in good:
        broken.append("initiation")
    for k, step in enumerate(steps):
        goal = substitute(itps[k + 1], step.updates)
        if prover.entails((itps[k], *step.guard), goal) not in good:
            broken.append(f"consecution at step {k}")
    later: set[str] = set()
    for k in range(len(steps), -1, -1):
        if k < len(steps):
            later -= set(steps[k].updates)
            later.update(name for f in steps[k].guard for name in variables(f))
            later.update(name for e in steps[k].updates.values() for name in registers(e))
            later -= steps[k].fresh
        strange = variables(itps[k]) - later
        if strange:
            broken.append(f"vocabulary at stage {k}: {', '.join(sorted(strange))}")
        if k and variables(itps[k]) & steps[k - 1].forgotten:
            broken.append(f"forgotten variables at stage {k}")
    return broken
