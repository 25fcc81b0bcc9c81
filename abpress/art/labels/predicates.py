"""The policy *predicates*: labels are what the parent's label and the step imply, of all formulas.

All interpolants of all refinements go into one pool, also with like threads in one another's place.
A child's label are those formulas of the pool that its parent's label and the step imply, one by
one (Cartesian predicate abstraction, [Cartesian01]). After a refinement the tree is built anew:
nearly all answers are known from the tree before. Weakest preconditions and strongest
postconditions are both taken: the former say what has to hold, the latter relate registers to what
they were loaded from, without which loops with counters do not converge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from abpress.art.labels.policy import Labelling, Labels
from abpress.art.labels.pool import bits
from abpress.art.labels.symmetry import for_all_threads
from abpress.art.node import Label, Move, Node
from abpress.itp.methods import parts
from abpress.logic.formula import Formula, variables
from abpress.smt.prover import Prover
from abpress.symbolic.discrete import is_count
from abpress.symbolic.exchange import renamed


class PredicateLabels(Labels):
    """Labels by Cartesian abstraction over the pool; a refinement asks for a new tree."""

    rebuilds = True
    explanations = 2

    def __init__(
        self, prover: Prover, facts: tuple[Formula, ...], name: Callable[[int], str]
    ) -> None:
        super().__init__(prover, facts, name)
        self._taken_back: dict[
            tuple[Label, tuple[tuple[str, str], ...]], tuple[int, Label | None]
        ] = {}

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

    def covers_moved(self, other: Node, node: Node, threads: Mapping[str, str]) -> bool:
        key = other.label, tuple(threads.items())
        known = self._taken_back.get(key)
        if known is None or (known[1] is None and known[0] < len(self.pool)):
            back = {its: mine for mine, its in threads.items()}
            known = self._taken_back[key] = len(self.pool), self._renamed(other.label, back)
        label = known[1]
        return label is not None and not label & ~node.label

    def _renamed(self, label: Label, threads: Mapping[str, str]) -> Label | None:
        """The label with the threads taken for others; None if the pool does not have all of it."""
        found = 0
        for formula in self.pool.set(label):
            k = self.pool.known(renamed(formula, threads))
            if k is None:
                return None
            found |= 1 << k
        return found

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
