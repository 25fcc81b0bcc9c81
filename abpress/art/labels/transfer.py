"""Abstract post: the formulas of the pool that hold after a move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from abpress.art.labels.pool import Pool
from abpress.art.node import Label, Move
from abpress.ir.expr import Term
from abpress.logic.formula import TRUE, Formula, substitute, variables
from abpress.smt.answer import Answer
from abpress.smt.prover import Prover


@dataclass(eq=False, slots=True)
class PostOperator:
    """What there is to ask about moves of one shape. Mutable: it grows with the pool."""

    guard: tuple[Formula, ...]
    values: Mapping[str, Term]  # of variables that may have changed: in the state before
    forgotten: frozenset[str]  # variables whose value after the move is not known
    size: int = 0  # of the pool that the rest is about
    about_guard: int = 0  # formulas that share a variable with the guard
    changed: int = 0  # formulas that mention an updated variable
    lost: int = 0  # formulas that mention a forgotten variable
    goals: dict[int, tuple[Formula, int]] = field(default_factory=dict)
    possible: dict[int, bool] = field(default_factory=dict)
    implied: dict[tuple[int, int], bool] = field(default_factory=dict)


class Transfer:
    """Answers questions about moves. Mutable: answers are kept for good.

    Where the solver does not know, the move is possible, and a formula is not implied.
    """

    def __init__(self, prover: Prover, pool: Pool) -> None:
        self._prover = prover
        self._pool = pool
        self._operators: dict[int, PostOperator] = {}
        self.questions = 0
        self.remembered = 0

    def post(self, move: Move) -> PostOperator:
        """What there is to ask about the move, with the pool as it is."""
        step = move.step
        post = self._operators.get(step.shape)
        if post is None:
            post = self._operators[step.shape] = PostOperator(
                step.guard, step.updates, step.forgotten
            )
        if post.size < len(self._pool):
            post.size = len(self._pool)
            post.changed = self._pool.about(post.values)
            post.lost = self._pool.about(post.forgotten)
            post.about_guard = self._pool.about(name for f in post.guard for name in variables(f))
            post.goals = {
                i: (goal, post.about_guard | self._pool.about(variables(goal)))
                for i, (goal, _) in post.goals.items()
            }
        return post

    def possible(self, post: PostOperator, label: Label) -> bool:
        """Whether the move is possible under the label."""
        known = self._pool.connected(label, post.about_guard)
        answer = post.possible.get(known)
        if answer is None:
            formulas = (*self._pool.set(known), *post.guard)
            answer = self._prover.satisfiable(formulas) is not Answer.NO
            post.possible[known] = answer
            self.questions += 1
        else:
            self.remembered += 1
        return answer

    def implied(self, post: PostOperator, label: Label, i: int) -> bool:
        """Whether formula i holds after the move, because the label does before it."""
        bit = 1 << i
        if post.lost & bit:
            return False
        if label & bit and not post.changed & bit:
            return True
        goal, about = self._goal(post, i)
        if goal is TRUE:
            return True
        known = self._pool.connected(label, about)
        answer = post.implied.get((i, known))
        if answer is None:
            formulas = (*self._pool.set(known), *post.guard)
            answer = self._prover.entails(formulas, goal) is Answer.YES
            post.implied[i, known] = answer
            self.questions += 1
        else:
            self.remembered += 1
        return answer

    def _goal(self, post: PostOperator, i: int) -> tuple[Formula, int]:
        """What has to hold before the move for formula i to hold after it; what may imply that."""
        found = post.goals.get(i)
        if found is None:
            goal = substitute(self._pool.formulas[i], post.values)
            found = goal, post.about_guard | self._pool.about(variables(goal))
            post.goals[i] = found
        return found
