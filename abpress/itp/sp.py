"""Interpolants by strongest postconditions over the core.

Going forward from the facts of the core, the interpolant after a step says what is known of the
variables that the rest of the core depends on: the values before the step, the inputs, and what is
not needed any more are eliminated. Where that fails, conditions that mention them are forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping

from abpress.ir.expr import (
    ArrayReg,
    Compare,
    Filled,
    Reg,
    SameArray,
    Term,
    Update,
    registers,
    walk,
)
from abpress.ir.types import IntType
from abpress.itp.eliminate import project_all
from abpress.itp.path import Core, Path, range_of, replace_in_array, replace_registers
from abpress.itp.slicing import sliced
from abpress.logic.formula import (
    FALSE,
    Formula,
    atoms,
    conj,
    conjuncts,
    holds,
    same_array,
    substitute,
    variables,
)
from abpress.smt.answer import Answer
from abpress.smt.prover import Prover
from abpress.symbolic.discrete import SymbolicStep


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
    """A formula that holds of the live variables after a step that begins where `f` holds."""
    if not step.guard and not step.updates:
        return restricted(f, live)
    old = {n: _renamed(n, e) for n, e in step.updates.items()}
    parts = [substitute(g, old) for g in (f, *step.guard)]
    for input in step.inputs:
        parts += range_of(input)
    for name, e in step.updates.items():
        parts.append(_equal(name, e, old))
    return restricted(conj(parts), live)


def _renamed(name: str, e: Term) -> Term:
    """The variable that stands for the value before an update."""
    if isinstance(e, ArrayReg | Filled | Update):
        return ArrayReg(f"{name}~", e.element)
    return Reg(f"{name}~", e.type)


def _equal(name: str, e: Term, old: Mapping[str, Term]) -> Formula:
    """The formula that a variable has the value of its update."""
    if isinstance(e, ArrayReg | Filled | Update):
        return same_array(ArrayReg(name, e.element), replace_in_array(e, old))
    return holds(Compare("==", Reg(name, e.type), replace_registers(e, old)))


def restricted(f: Formula, live: frozenset[str]) -> Formula:
    """What `f` says of the live variables; less, if another one cannot be eliminated."""
    f = _without_arrays(f, live)
    gone = {
        e.name: e.type
        for atom in sorted(atoms(f), key=lambda atom: atom.order)
        if atom.expr is not None
        for e in walk(atom.expr)
        if isinstance(e, Reg) and e.name not in live and isinstance(e.type, IntType)
    }
    projected = project_all(f, gone.items())
    return conj(part for part in conjuncts(projected) if variables(part) <= live)


def _without_arrays(f: Formula, live: frozenset[str]) -> Formula:
    """The formula without the arrays that are not live, as far as it says what they are."""
    for part in conjuncts(f):
        if not isinstance(part.expr, SameArray):
            continue
        left, right = part.expr.left, part.expr.right
        for array, value in ((left, right), (right, left)):
            gone = isinstance(array, ArrayReg) and array.name not in live
            if isinstance(array, ArrayReg) and gone and array.name not in registers(value):
                return _without_arrays(substitute(f, {array.name: value}), live)
    return f
