"""Symmetry: what a formula says of some threads, said of all threads with the same code.

Threads of one template are refined alike again and again: what is learned about one of them, or
about a pair, is taken for all. (Any formula may be in the pool; whether it holds is proved.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from abpress.ir.expr import Reg, Term, Variable, array_variables, walk
from abpress.logic.formula import Formula, atoms, substitute, variables
from abpress.symbolic.discrete import ThreadPart, owner_of

MOST_THREADS = 2
"""Formulas about more threads are taken as they are."""


def for_all_threads(
    formulas: Iterable[Formula], threads: Sequence[ThreadPart], name: Callable[[int], str]
) -> Iterator[Formula]:
    """The formulas, and what they become when threads of one template change places."""
    templates = {name(part.id): part.template for part in threads}
    for formula in formulas:
        yield formula
        mentioned = sorted(
            {owner for v in variables(formula) if (owner := owner_of(v)) in templates}
        )
        if not 0 < len(mentioned) <= MOST_THREADS:
            continue
        wanted = [templates[thread] for thread in mentioned]
        for others in permutations(sorted(templates), len(mentioned)):
            if list(others) != mentioned and [templates[t] for t in others] == wanted:
                yield _renamed(formula, dict(zip(mentioned, others, strict=True)))


def _renamed(formula: Formula, threads: dict[str, str]) -> Formula:
    values: dict[str, Term] = {}
    for atom in atoms(formula):
        if atom.expr is not None:
            found: list[Variable] = [e for e in walk(atom.expr) if isinstance(e, Reg)]
            for variable in (*found, *array_variables(atom.expr)):
                owner = owner_of(variable.name)
                if owner in threads:
                    name = threads[owner] + variable.name.removeprefix(owner)
                    values[variable.name] = replace(variable, name=name)
    return substitute(formula, values)
