"""Tracked objects: those whose values are better enumerated than described by formulas.

Formulas that fix the value of one cell after another describe what a concrete search would simply
know. When an object has many, its cells become part of the discrete part of the states, and the
search begins anew (after [ExplicitCegar13], where the precision grows by variables, too). That
never ends where values grow without a bound; so from then on attempts with and without alternate,
each twice as long as the one before. The one without keeps its formulas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf

from abpress.ir.expr import Compare, Const, Reg
from abpress.ir.program import Program
from abpress.logic.formula import Formula, atoms, variables
from abpress.symbolic.discrete import in_memory, is_array, object_of

MOST_VALUES = 4
"""So many formulas may say which value a cell of an object has."""

MOST_FORMULAS = 32
"""So many formulas may mention an object."""

FIRST_BUDGET = 40_000
"""Nodes and questions of the first attempt with tracked objects, at least."""


@dataclass(slots=True)
class Precision:
    """Which objects are tracked, and how long. Mutable: lasts from one attempt to the next.

    `chosen` are all objects that are tracked while that is `on`. `budget` is the work (nodes, and
    questions to the solver) that the attempt may do before the next one.
    """

    program: Program
    chosen: frozenset[str] = frozenset()
    on: bool = False
    budget: float = inf
    formulas: tuple[Formula, ...] = ()  # of the last attempt without tracked objects

    @property
    def objects(self) -> frozenset[str]:
        """The objects that are tracked in this attempt."""
        return self.chosen if self.on else frozenset()

    def refine(
        self,
        interpolants: Iterable[Formula],
        formulas: Iterable[Formula],
        work: int,
        gets_inputs: Callable[[str], bool],
    ) -> bool:
        """Takes note of interpolants that say too much of objects; whether to begin anew for that.

        `formulas` is the pool, `work` what this attempt has done. `gets_inputs` says whether an
        input may flow into an object: then it is never tracked.
        """
        more = enumerated(interpolants, self.program) - self.chosen
        more = frozenset(name for name in more if not gets_inputs(name))
        if not more:
            return False
        self.chosen |= more
        if self.on:
            return True
        if self.budget != inf:
            return False
        self.formulas, self.on = tuple(formulas), True
        self.budget = max(FIRST_BUDGET, work)
        return True

    def alternate(self, formulas: Iterable[Formula], work: int) -> bool:
        """Switches over if the attempt has spent its budget; whether it has.

        `formulas` is the pool, `work` what this attempt has done.
        """
        if work <= self.budget:
            return False
        if not self.on:
            self.formulas = tuple(formulas)
        self.on = not self.on
        self.budget *= 2
        return True


def enumerated(formulas: Iterable[Formula], program: Program) -> frozenset[str]:
    """The static objects of which the formulas say too much."""
    values: Counter[str] = Counter()
    mentions: Counter[str] = Counter()
    for formula in formulas:
        cells = (v for v in variables(formula) if in_memory(v) and not is_array(v))
        objects = {object_of(name) for name in cells}
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
