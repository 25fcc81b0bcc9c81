"""Interpolants by weakest preconditions over the core.

Going back from the end, where nothing holds, the interpolant before a step says: if the conditions
of the core hold in the step's guard, then the interpolant after it holds for the updated values.
It mentions only what the rest of the path reads, and so generalises.

The value of an input is not known before its step: what is said must hold for all its values. The
quantifier is eliminated exactly where `abpress.itp.eliminate` can; else by test points, after
[LoosWeispfenning93]: a formula holds for all values if it holds for the bounds of the input's range
and next to the values at which one of its comparisons changes. Machine integers and formulas that
are not linear break that argument; so the instances are only a guess, and the prover has to confirm
that they imply the formula for any value.
"""

from __future__ import annotations

from collections.abc import Iterator

from abpress.ir.expr import Binary, Compare, Const, Expr, Select, Update, walk
from abpress.ir.types import IntType
from abpress.itp.eliminate import project, solutions
from abpress.itp.path import Core, Path, range_of
from abpress.logic.formula import (
    FALSE,
    TRUE,
    Formula,
    atoms,
    conj,
    conjuncts,
    disj,
    neg,
    substitute,
    variables,
)
from abpress.smt.answer import Answer
from abpress.smt.prover import Prover
from abpress.symbolic.discrete import Input

MOST_POINTS = 24
"""Test points of one input."""

MOST_VALUES = 8
"""An input with at most so many values is tried at each of them."""


def weakest_preconditions(prover: Prover, path: Path, core: Core) -> tuple[Formula, ...] | None:
    """The interpolants I_0, …, I_n; None if an input or array cannot be eliminated."""
    found = backward(prover, path, core)
    return tuple(found) if len(found) > len(path.steps) else None


def backward(prover: Prover, path: Path, core: Core) -> list[Formula]:
    """The last of the interpolants: all, or those after an input that cannot be eliminated."""
    found = [FALSE]
    for step, conditions in zip(reversed(path.steps), reversed(core.guards), strict=True):
        before = disj([*map(neg, conditions), substitute(found[-1], step.updates)])
        for input in step.inputs:
            if input.name in variables(before):
                eliminated = _for_all(prover, before, input)
                if eliminated is None:
                    return found[::-1]
                before = eliminated
        if before is not TRUE and prover.entails((), before) is Answer.YES:
            before = TRUE
        if not variables(before).isdisjoint(array.name for array in step.arrays):
            return found[::-1]
        found.append(before)
        if before is TRUE:
            found += [TRUE] * (len(path.steps) + 1 - len(found))
            break
    return found[::-1]


def _for_all(prover: Prover, f: Formula, input: Input) -> Formula | None:
    """A formula without the input: where `f` holds for all its values. None if none is found."""
    if prover.entails(range_of(input), f) is Answer.YES:
        return TRUE
    excluded = project(conj((*range_of(input), neg(f))), input.name, input.type)
    if excluded is not None:
        return neg(conj(_without_implied(prover, conjuncts(excluded))))
    needed: list[Formula] = []
    for point in _points(f, input):
        instance = substitute(f, {input.name: point})
        if prover.entails(needed, instance) is Answer.YES:
            continue
        needed.append(instance)
        if prover.entails((*needed, *range_of(input)), f) is Answer.YES:
            return conj(_irredundant(prover, needed, (*range_of(input), neg(f))))
    return None


def _irredundant(
    prover: Prover, needed: list[Formula], contradicting: tuple[Formula, ...]
) -> list[Formula]:
    """The instances without those that are not needed for the contradiction."""
    kept = list(needed)
    for instance in needed[:-1]:
        rest = [other for other in kept if other is not instance]
        if prover.satisfiable((*rest, *contradicting)) is Answer.NO:
            kept = rest
    return kept


def _without_implied(prover: Prover, parts: tuple[Formula, ...]) -> list[Formula]:
    """The parts of a conjunction without those that the others imply."""
    kept = list(parts)
    for part in parts:
        rest = [other for other in kept if other is not part]
        if rest and prover.entails(rest, part) is Answer.YES:
            kept = rest
    return kept


def _points(f: Formula, input: Input) -> Iterator[Expr]:
    """Values of the input at which `f` may become false first; the bounds of its range first."""
    type, low, high = input.type, input.low, input.high
    if high - low < MOST_VALUES:
        yield from (Const(v, type) for v in range(low, high + 1))
        return
    found: dict[Expr, None] = {Const(v, type): None for v in (low, high, 0, 1) if low <= v <= high}
    for atom in sorted(atoms(f), key=lambda atom: atom.order):
        for sub in walk(atom.expr) if atom.expr is not None else ():
            if isinstance(sub, Compare):
                for point in _boundary(sub, input.name, type):
                    found[point] = None
            elif isinstance(sub, Select):
                for same in _same_index(sub):
                    found.update((v, None) for v in solutions(same, input.name, type, False))
    yield from list(found)[:MOST_POINTS]


def _same_index(e: Select) -> Iterator[Compare]:
    """Where what is read changes: that an index is the one of an update."""
    array = e.array
    while isinstance(array, Update):
        yield Compare("==", array.index, e.index)
        array = array.array


def _boundary(e: Compare, name: str, type: IntType) -> Iterator[Expr]:
    """Where a comparison changes: a value that makes both sides equal, and its neighbours."""
    for value in solutions(e, name, type, injective=False):
        yield value
        yield Binary("+", value, Const(1, type))
        yield Binary("-", value, Const(1, type))
