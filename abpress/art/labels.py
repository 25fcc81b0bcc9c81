"""What nodes know: policies for their labels.

*predicates*: all interpolants of all refinements go into one pool. A label is a set of formulas of
the pool; a child's label are those that its parent's label and the step imply, one by one
(Cartesian predicate abstraction; Ball, Podelski, Rajamani, *Boolean and Cartesian Abstraction for
Model Checking C Programs*, 2001). After a refinement the tree is built anew: nearly all answers
are known from the tree before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from abpress.art.node import Label, Move
from abpress.ir.expr import Const, Expr
from abpress.ir.formula import TRUE, Formula, substitute, variables
from abpress.semantics.discrete import variable_type
from abpress.smt.prover import Answer, Prover


def bits(mask: int) -> Iterator[int]:
    """The indices of the bits that are set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class Pool:
    """Numbered formulas. Mutable: it grows. Sets of formulas are bit masks."""

    def __init__(self) -> None:
        self.formulas: list[Formula] = []
        self.near: list[int] = []  # per formula: those that share a variable with it, and itself
        self._numbers: dict[Formula, int] = {}
        self._about: dict[str, int] = {}
        self._sets: dict[int, tuple[Formula, ...]] = {}

    def __len__(self) -> int:
        return len(self.formulas)

    def add(self, formula: Formula) -> bool:
        """Whether the formula is new."""
        if formula in self._numbers:
            return False
        n = self._numbers[formula] = len(self.formulas)
        self.formulas.append(formula)
        near = 1 << n
        for name in sorted(variables(formula)):
            near |= self._about.get(name, 0)
            self._about[name] = self._about.get(name, 0) | 1 << n
        self.near.append(near)
        for i in bits(near):
            self.near[i] |= 1 << n
        return True

    def about(self, names: Iterable[str]) -> int:
        """The formulas that mention one of the variables."""
        found = 0
        for name in names:
            found |= self._about.get(name, 0)
        return found

    def mentions(self, name: str) -> bool:
        """Whether a formula mentions the variable."""
        return name in self._about

    def connected(self, mask: int, seed: int) -> int:
        """The formulas of `mask` that are linked to one of `seed` through shared variables."""
        found = todo = mask & seed
        while todo:
            low = todo & -todo
            new = self.near[low.bit_length() - 1] & mask & ~found
            found |= new
            todo = todo ^ low | new
        return found

    def neighbours(self, mask: int) -> int:
        """The formulas that share a variable with one of `mask`."""
        found = 0
        for i in bits(mask):
            found |= self.near[i]
        return found

    def set(self, mask: int) -> tuple[Formula, ...]:
        """The formulas of a set."""
        found = self._sets.get(mask)
        if found is None:
            found = self._sets[mask] = tuple(self.formulas[i] for i in bits(mask))
        return found


@dataclass(eq=False, slots=True)
class _Plan:
    """What there is to ask about a move; grows with the pool. Answers are kept for good."""

    guard: tuple[Formula, ...]
    values: Mapping[str, Expr]  # of variables that may have changed: in the state before
    forgotten: frozenset[str]  # variables whose value after the move is not known
    size: int = 0  # of the pool that the rest is about
    about_guard: int = 0  # formulas that share a variable with the guard
    changed: int = 0  # formulas that mention an updated variable
    lost: int = 0  # formulas that mention a forgotten variable
    goals: dict[int, tuple[Formula, int]] = field(default_factory=dict)
    possible: dict[int, bool] = field(default_factory=dict)
    implied: dict[tuple[int, int], bool] = field(default_factory=dict)


class PredicateLabels:
    """The policy *predicates*. Labels are sets of formulas of the pool."""

    def __init__(self, prover: Prover) -> None:
        self._prover = prover
        self.pool = Pool()
        self._plans: dict[int, _Plan] = {}
        self.questions = 0
        self.remembered = 0

    def initial(self, facts: tuple[Formula, ...]) -> Label:
        """The label of the root: what the facts imply."""
        label = 0
        for i, formula in enumerate(self.pool.formulas):
            near = _linked(facts, variables(formula))
            if self._prover.entails(near, formula) is Answer.YES:
                label |= 1 << i
        return label

    def after(self, label: Label, move: Move) -> Label | None:
        """The label of the child by the move; None if the move is impossible.

        Where the solver does not know, the move is possible, and a formula is not implied.
        """
        plan = self._plan(move)
        pool = self.pool
        known = pool.connected(label, plan.about_guard)
        if not self._possible(plan, known):
            return None
        asked = plan.changed
        if plan.guard:
            asked |= (plan.about_guard | pool.neighbours(known)) & ~label
        found = label & ~plan.changed & ~plan.lost
        for i in bits(asked & ~plan.lost):
            goal, about = self._goal(plan, move, i)
            if goal is TRUE or self._implied(plan, i, goal, pool.connected(label, about)):
                found |= 1 << i
        return found

    def formulas(self, label: Label) -> tuple[Formula, ...]:
        """The label as formulas."""
        return self.pool.set(label)

    def implies(self, label: Label, formula: Formula) -> bool:
        """Whether the label was proved to imply a formula."""
        near = self.pool.connected(label, self.pool.about(variables(formula)))
        return self._prover.entails(self.pool.set(near), formula) is Answer.YES

    def refine(self, interpolants: Iterable[Formula]) -> bool:
        """Takes interpolants into the pool. Whether one of them was new."""
        before = len(self.pool)
        for formula in interpolants:
            if variables(formula):  # else it is true or false everywhere
                self.pool.add(formula)
        return len(self.pool) > before

    def _plan(self, move: Move) -> _Plan:
        plan = self._plans.get(move.number)
        if plan is None:
            plan = self._plans[move.number] = _Plan(move.step.guard, *_transfer(move))
        if plan.size < len(self.pool):
            plan.size = len(self.pool)
            plan.changed = self.pool.about(plan.values)
            plan.lost = self.pool.about(plan.forgotten)
            plan.about_guard = self.pool.about(name for f in plan.guard for name in variables(f))
            plan.goals = {
                i: (goal, plan.about_guard | self.pool.about(variables(goal)))
                for i, (goal, _) in plan.goals.items()
            }
        return plan

    def _goal(self, plan: _Plan, move: Move, i: int) -> tuple[Formula, int]:
        """What has to hold before the move for formula i to hold after it; what may imply that."""
        found = plan.goals.get(i)
        if found is None:
            goal = substitute(self.pool.formulas[i], plan.values)
            found = goal, plan.about_guard | self.pool.about(variables(goal))
            plan.goals[i] = found
        return found

    def _possible(self, plan: _Plan, known: int) -> bool:
        answer = plan.possible.get(known)
        if answer is None:
            formulas = (*self.pool.set(known), *plan.guard)
            answer = self._prover.satisfiable(formulas) is not Answer.NO
            plan.possible[known] = answer
            self.questions += 1
        else:
            self.remembered += 1
        return answer

    def _implied(self, plan: _Plan, i: int, goal: Formula, known: int) -> bool:
        answer = plan.implied.get((i, known))
        if answer is None:
            formulas = (*self.pool.set(known), *plan.guard)
            answer = self._prover.entails(formulas, goal) is Answer.YES
            plan.implied[i, known] = answer
            self.questions += 1
        else:
            self.remembered += 1
        return answer


def _transfer(move: Move) -> tuple[Mapping[str, Expr], frozenset[str]]:
    """What the move changes: new values, and the variables that have none after it.

    What is known in the successor's discrete part counts as changed, unless it was known before.
    """
    step, before, after = move.step, move.source.discrete.values, move.successor.discrete.values
    values = dict(step.updates)
    forgotten = set(step.forgotten)
    for name, known in after.items():
        if name not in before or before[name] != known:
            if isinstance(known, Const):
                values[name] = Const(known.value, variable_type(known.type))
            else:
                forgotten.add(name)
    forgotten.update(name for name in before if name not in after and name not in values)
    return values, frozenset(forgotten)


def _linked(formulas: tuple[Formula, ...], names: frozenset[str]) -> tuple[Formula, ...]:
    """The formulas that are linked to the variables through shared ones."""
    reached = set(names)
    rest = list(formulas)
    found: list[Formula] = []
    while True:
        new = [f for f in rest if variables(f) & reached]
        if not new:
            return tuple(found)
        found += new
        reached.update(name for f in new for name in variables(f))
        rest = [f for f in rest if f not in set(new)]
