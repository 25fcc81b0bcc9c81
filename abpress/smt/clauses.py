"""Constrained Horn clauses, and what solves them (`smt.spacer` does).

A relation stands for the states of a place; a clause says that states of one lead to states of
another, or to an error. A solution gives each relation a formula that all clauses keep and that
excludes errors. It is not to be trusted: nothing here shows that it is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from abpress.ir.expr import (
    ArrayReg,
    Filled,
    Reg,
    Term,
    Update,
    Variable,
    array_variables,
    walk,
)
from abpress.logic.formula import Formula


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """Where the guard holds, states of `source` (None: nothing, as executions begin) lead to states
    of `target` (None: an error), with these values of its variables.

    Guard and values are over the variables of the source, and names that mean arbitrary values.
    The relations in `others` hold, too, each of variables that are named there.
    """

    source: int | None
    target: int | None
    guard: tuple[Formula, ...]
    values: Mapping[str, Term]
    others: tuple[tuple[int, tuple[Variable, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Invariants:
    """The formulas of the relations, over their variables."""

    labels: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Derivation:
    """An error can be derived: by these clauses, one after the other."""

    clauses: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unsolved:
    """There is no answer, or none that can be used."""

    reason: str


Solved = Invariants | Derivation | Unsolved


def by_source(clauses: Iterable[Clause]) -> dict[int | None, list[Clause]]:
    """The clauses that lead from each relation (None: from nothing), in their order."""
    found: dict[int | None, list[Clause]] = {}
    for clause in clauses:
        found.setdefault(clause.source, []).append(clause)
    return found


def by_target(clauses: Iterable[Clause]) -> dict[int | None, list[Clause]]:
    """The clauses that lead to each relation (None: to an error), in their order."""
    found: dict[int | None, list[Clause]] = {}
    for clause in clauses:
        found.setdefault(clause.target, []).append(clause)
    return found


def mentioned_in(f: Formula) -> frozenset[Variable]:
    """The variables of a formula."""
    if f.expr is None:
        return frozenset().union(*map(mentioned_in, f.parts))
    return variables_of(f.expr)


def variables_of(value: Term) -> frozenset[Variable]:
    """The variables of an expression or an array."""
    if isinstance(value, ArrayReg):
        return frozenset({value})
    if isinstance(value, Filled):
        return frozenset()
    if isinstance(value, Update):
        parts = map(variables_of, (value.array, value.index, value.value))
        return frozenset().union(*parts)
    integers = frozenset(e for e in walk(value) if isinstance(e, Reg))
    return integers.union(array_variables(value))
