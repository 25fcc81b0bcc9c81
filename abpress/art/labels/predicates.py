"""The policy *predicates*: labels are what the parent's label and the step imply, of all formulas.

All interpolants of all refinements go into one pool, also with like threads in one another's place.
A child's label are those formulas of the pool that its parent's label and the step imply, one by
one (Cartesian predicate abstraction, [Cartesian01]). After a refinement the tree is built anew:
nearly all answers are known from the tree before. Weakest preconditions and strongest
postconditions are both taken: the former say what has to hold, the latter relate registers to what
they were loaded from, without which loops with counters do not converge.
"""

from __future__ import annotations

from collections.abc import Sequence

from abpress.art.labels.policy import Labelling, Labels
from abpress.art.labels.pool import bits
from abpress.art.labels.symmetry import for_all_threads
from abpress.art.node import Label, Move, Node
from abpress.itp.methods import parts
from abpress.logic.formula import Formula, variables
from abpress.symbolic.discrete import is_count


class PredicateLabels(Labels):
    """Labels by Cartesian abstraction over the pool; a refinement asks for a new tree."""

    rebuilds = True
    explanations = 2

    def initial(self) -> Label:
        formulas = enumerate(self.pool.formulas)
        return sum(1 << i for i, formula in formulas if self.holds_initially(formula))

    def after(self, label: Label, move: Move) -> Label | None:
        transfer, pool = self.transfer, self.pool
        post = transfer.post(move)
        if not transfer.possible(post, label):
            return None
        asked = post.changed
        if move.step.guard:
            known = pool.connected(label, post.about_guard)
            asked |= (post.about_guard | pool.neighbours(known)) & ~label
        found = label & ~post.changed & ~post.lost
        for i in bits(asked & ~post.lost):
            if transfer.implied(post, label, i):
                found |= 1 << i
        return found

    def covers(self, other: Node, node: Node) -> bool:
        return not other.label & ~node.label

    def refine(
        self, nodes: Sequence[Node], error: Move, formulas: Sequence[Formula]
    ) -> Labelling | None:
        before = len(self.pool)
        threads = nodes[-1].place.discrete.threads
        for formula in for_all_threads(formulas, threads, self._name):
            if variables(formula):  # else it is true or false everywhere
                self.pool.number(formula)
                if any(map(is_count, variables(formula))):
                    for part in parts((formula,)):
                        self.pool.number(part)
        return Labelling() if len(self.pool) > before else None
