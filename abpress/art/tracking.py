"""When values are better enumerated than described: objects whose cells get tracked.

Formulas that fix the value of one cell after another describe what a concrete search would simply
know. When an object has many, its cells become part of the discrete part of the states, and the
search begins anew (after Beyer, Löwe, *Explicit-State Software Model Checking Based on CEGAR and
Interpolation*, FASE 2013, where the precision grows by variables, too).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from abpress.ir.expr import Compare, Const, Reg
from abpress.ir.formula import Formula, atoms, variables
from abpress.ir.program import Program

MOST_VALUES = 4
"""So many formulas may say which value a cell of an object has."""

MOST_FORMULAS = 32
"""So many formulas may mention an object."""


class Track(Exception):
    """The search is to begin anew, with the values of these static objects tracked."""

    def __init__(self, objects: frozenset[str]) -> None:
        super().__init__(", ".join(sorted(objects)))
        self.objects = objects


def crowded(formulas: Iterable[Formula], program: Program) -> frozenset[str]:
    """The static objects of which the formulas say too much."""
    values: Counter[str] = Counter()
    mentions: Counter[str] = Counter()
    for formula in formulas:
        objects = {name.partition("@")[0] for name in variables(formula) if "@" in name}
        mentions.update(objects)
        if all(_is_value(atom) for atom in atoms(formula)):
            values.update(objects)
    return frozenset(
        name
        for name in program.objects
        if values[name] > MOST_VALUES or mentions[name] > MOST_FORMULAS
    )


def _is_value(atom: Formula) -> bool:
    """Whether an atom compares a variable for equality with a number."""
    match atom.expr:
        case Compare("==" | "!=", Reg(), Const()):
            return True
        case _:
            return False
