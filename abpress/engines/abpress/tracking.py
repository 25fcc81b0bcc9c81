"""When values are better enumerated than described: objects whose cells get tracked.

Formulas that fix the value of one cell after another describe what a concrete search would simply
know. When an object has many, its cells become part of the discrete part of the states, and the
search begins anew (after [ExplicitCegar13], where the precision grows by variables, too). That
never ends where values grow without a bound; so from then on the searches with and without take
turns, each twice as long as the one before. The one without keeps its formulas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf

from abpress.ir.expr import Compare, Const, Reg
from abpress.ir.program import Program
from abpress.logic.formula import Formula, atoms, variables
from abpress.symbolic.discrete import is_array

MOST_VALUES = 4
"""So many formulas may say which value a cell of an object has."""

MOST_FORMULAS = 32
"""So many formulas may mention an object."""

FIRST_TURN = 40_000
"""Nodes and questions of the first turn with tracked objects, at least."""


class Turn(Exception):
    """The search ends here without a result; another one is to begin."""


@dataclass(slots=True)
class Tracking:
    """Which objects are tracked, and how long. Mutable: lasts from one search to the next.

    `work` (nodes and questions to the solver) is what a search may do before the next turn.
    """

    program: Program
    chosen: frozenset[str] = frozenset()
    on: bool = False
    work: float = inf
    formulas: tuple[Formula, ...] = ()  # of the last search without

    @property
    def objects(self) -> frozenset[str]:
        """The objects that are tracked in this turn."""
        return self.chosen if self.on else frozenset()

    def consider(
        self,
        interpolants: Iterable[Formula],
        formulas: Iterable[Formula],
        done: int,
        gets_inputs: Callable[[str], bool],
    ) -> None:
        """Raises Turn if interpolants of this turn's search say too much of further objects.

        `gets_inputs` says whether an input may flow into an object: then it is never tracked.
        """
        more = crowded(interpolants, self.program) - self.chosen
        more = frozenset(name for name in more if not gets_inputs(name))
        if not more:
            return
        self.chosen |= more
        if self.on:
            raise Turn
        if self.work == inf:
            self.formulas, self.on = tuple(formulas), True
            self.work = max(FIRST_TURN, done)
            raise Turn

    def limit(self, formulas: Iterable[Formula], done: int) -> None:
        """Raises Turn if this turn's search has done its share."""
        if done <= self.work:
            return
        if not self.on:
            self.formulas = tuple(formulas)
        self.on = not self.on
        self.work *= 2
        raise Turn


def crowded(formulas: Iterable[Formula], program: Program) -> frozenset[str]:
    """The static objects of which the formulas say too much."""
    values: Counter[str] = Counter()
    mentions: Counter[str] = Counter()
    for formula in formulas:
        cells = (v for v in variables(formula) if "@" in v and not is_array(v))
        objects = {name.partition("@")[0] for name in cells}
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
