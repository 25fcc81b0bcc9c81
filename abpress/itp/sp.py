"""Interpolants by strongest postconditions over the core.

Going forward from the facts of the core, the interpolant after a step says what is known of the
variables that the rest of the core depends on: the values before the step, the inputs, and what is
not needed any more are eliminated. Where that fails, conditions that mention them are forgotten.
"""

from __future__ import annotations

from abpress.ir.expr import Compare, Expr, Reg, walk
from abpress.ir.formula import FALSE, Formula, atoms, conj, conjuncts, holds, substitute, variables
from abpress.ir.types import IntType
from abpress.itp.eliminate import project_all
from abpress.itp.path import Core, Path, range_of, replace_registers
from abpress.itp.slicing import sliced
from abpress.semantics.discrete import SymbolicStep
from abpress.smt.prover import Answer, Prover


def strongest_postconditions(prover: Prover, path: Path, core: Core) -> tuple[Formula, ...] | None:
    """The interpolants I_0, …, I_n; None if what could not be eliminated was needed."""
    slice = sliced(path, core)
    now = restricted(conj(slice.path.facts), slice.live[0])
    found = [now]
    for step, live in zip(slice.path.steps, slice.live[1:], strict=True):
        if step.guard and prover.satisfiable((now, *step.guard)) is Answer.NO:
            return (*found, *[FALSE] * (len(path.steps) + 1 - len(found)))
        now = post(now, step, live)
        found.append(now)
    return None


def post(f: Formula, step: SymbolicStep, live: frozenset[str]) -> Formula:
    """What holds of the live variables after a step that begins where `f` holds."""
    if not step.guard and not step.updates:
        return restricted(f, live)
    old: dict[str, Expr] = {n: Reg(f"{n}~", e.type) for n, e in step.updates.items()}
    parts = [substitute(g, old) for g in (f, *step.guard)]
    for input in step.inputs:
        parts += range_of(input)
    for name, e in step.updates.items():
        value = replace_registers(e, old)
        parts.append(holds(Compare("==", Reg(name, e.type), value)))
    return restricted(conj(parts), live)


def restricted(f: Formula, live: frozenset[str]) -> Formula:
    """What `f` says of the live variables; less, if another one cannot be eliminated."""
    gone = {
        e.name: e.type
        for atom in sorted(atoms(f), key=lambda atom: atom.order)
        if atom.expr is not None
        for e in walk(atom.expr)
        if isinstance(e, Reg) and e.name not in live and isinstance(e.type, IntType)
    }
    projected = project_all(f, gone.items())
    return conj(part for part in conjuncts(projected) if variables(part) <= live)
