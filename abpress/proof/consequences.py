"""What follows for the states of a node from its label, and for those after a step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from abpress.ir.expr import Const, Term
from abpress.logic.formula import TRUE, Formula, substitute
from abpress.proof.judge import Judge
from abpress.proof.vocabulary import FRESH, Vocabulary, registers
from abpress.smt.answer import Answer
from abpress.symbolic.discrete import Discrete, SymbolicStep
from abpress.symbolic.system import SymbolicSystem


class Consequences:
    """Of the states of discrete parts of a system. Mutable: remembers what formulas say."""

    def __init__(self, system: SymbolicSystem, vocabulary: Vocabulary, judge: Judge) -> None:
        self.judge = judge
        self._system = system
        self._vocabulary = vocabulary
        self._numbers: dict[Discrete, Mapping[str, Const]] = {}
        self._goals: dict[tuple[SymbolicStep, Formula], Formula] = {}

    def settled(self, d: Discrete, formula: Formula) -> Formula:
        """What the formula says of states with the discrete part `d`."""
        return substitute(formula, self._number(d))

    def given(self, d: Discrete, formulas: Iterable[Formula]) -> frozenset[Formula]:
        """The same of several formulas."""
        return frozenset(self.settled(d, f) for f in formulas)

    def implied_after(
        self,
        d: Discrete,
        known: frozenset[Formula],
        step: SymbolicStep,
        label: tuple[Formula, ...],
    ) -> tuple[Answer, Formula]:
        """Whether all formulas hold after the step, and the first one that is not proved to.
        `known` holds before it, and is settled."""
        for formula in label:
            goal = self._goals.get((step, formula))
            if goal is None:
                goal = self.settled(d, substitute(formula, self._after(d, step, formula)))
                self._goals[step, formula] = goal
            answer = self.judge.implied(known, goal)
            if answer is not Answer.YES:
                return answer, formula
        return Answer.YES, TRUE

    def _after(self, d: Discrete, step: SymbolicStep, formula: Formula) -> dict[str, Term]:
        """What the variables of the formula are after the step, over those before it.

        What may have changed in an unknown way becomes a variable of which nothing is known.
        """
        values: dict[str, Term] = {}
        numbers = self._number(step.successor)
        exists = self._vocabulary.exists
        for variable in registers(formula):
            name = variable.name
            lost = name in step.forgotten or name in step.successor.values
            if name in numbers:
                values[name] = numbers[name]
            elif name in step.updates and not lost:
                values[name] = step.updates[name]
            elif lost or name in d.values or exists(name, step.successor) > exists(name, d):
                values[name] = replace(variable, name=name + FRESH)
        return values

    def _number(self, d: Discrete) -> Mapping[str, Const]:
        found = self._numbers.get(d)
        if found is None:
            found = self._numbers[d] = self._system.numbers(d)
        return found
