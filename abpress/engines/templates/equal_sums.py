"""Linear equations between what a thread counts and cells that it alone writes: guesses.

They are those of the affine hull of the thread's own steps [Karr76]. Of a template of which there
is one thread, cells count that no other one writes once there are others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from abpress.engines.horn.affine import hull_equations
from abpress.engines.templates.tested import Taken, ways
from abpress.ir.expr import Reg
from abpress.ir.types import IntType
from abpress.logic.formula import Formula
from abpress.modular.templates.paths import At
from abpress.modular.templates.steps import TemplateSteps
from abpress.smt.clauses import Clause

_MOST_VARIABLES = 12
"""Where a thread has more, nothing is looked for."""

_NARROW = 32


def linear_equations(steps: TemplateSteps, taken: Taken) -> Mapping[At, tuple[Formula, ...]]:
    """The equations at each cut."""
    ats = {at: n for n, at in enumerate(taken)}
    relations = [tuple(_related(steps, at, taken)) for at in ats]
    found = hull_equations(relations, tuple(_clauses(steps, taken, ats)))
    return dict(zip(ats, found, strict=True))


def _related(steps: TemplateSteps, at: At, taken: Taken) -> Iterator[Reg]:
    """What a thread alone changes: its registers, and cells that only it writes."""
    written = {
        name
        for (other, i), its in taken.items()
        if (other != at[0] or other not in steps.threads.single)
        and not steps.threads.is_alone(other, i)
        for step in its
        for name in step.values
    }
    if steps.threads.is_alone(*at):
        written = set()
    its = [*steps.private(*at), *(v for v in steps.shared if v.name not in written)]
    its = [v for v in its if isinstance(v.type, IntType) and v.type.bits <= _NARROW]
    if len(its) <= _MOST_VARIABLES:
        yield from its


def _clauses(steps: TemplateSteps, taken: Taken, ats: Mapping[At, int]) -> Iterator[Clause]:
    program = steps.program
    main = program.main, program.templates[program.main].entry
    if main in ats:
        yield Clause(None, ats[main], (), dict(steps.initial()))
    for at, step, to, values in ways(steps, taken):
        yield Clause(ats[at], ats[to], step.guard, dict(values))
