"""The policy *impact*: new nodes know nothing, and interpolants say more of the nodes on a path.

This is the policy of [Impact06]. The tree is kept. When an error is excluded, the k-th interpolant
goes into the label of the k-th node on the way there, unless that is implied already; covers by
these nodes may be lost, and others become possible (refine, close).

A cover is *forced* by such interpolants, too: if all states that are reached by the steps from the
nearest common ancestor to a node satisfy another node's label, that can be said along these steps.

A node is covered only by nodes that are older: else nodes could take turns in covering one another.
"""

from __future__ import annotations

from collections.abc import Sequence

from abpress.art.labels.policy import Labelling, Labels
from abpress.art.node import Label, Move, Node
from abpress.itp.methods import refinements
from abpress.itp.path import Infeasible, Path, feasibility
from abpress.logic.formula import FALSE, Formula, conj, conjuncts, neg
from abpress.symbolic.discrete import SymbolicStep

MOST_CANDIDATES = 2
"""Nodes by which a cover of one node is tried to be forced."""


class ImpactLabels(Labels):
    """Labels that interpolants strengthen along one path, in a tree that is kept ([Impact06])."""

    rebuilds = False

    def initial(self) -> Label:
        return 0

    def after(self, label: Label, move: Move) -> Label | None:
        return 0 if self.possible(label, move) else None

    def covers(self, other: Node, node: Node) -> bool:
        return other.number < node.number and not self._lacks(node.label, other.label)

    def refine(
        self, nodes: Sequence[Node], error: Move, formulas: Sequence[Formula]
    ) -> Labelling | None:
        if not _are_interpolants(formulas, len(nodes)):
            return None
        root = nodes[0].label
        for formula in conjuncts(formulas[0]):
            if not self.implies(root, formula):
                if not self.holds_initially(formula):
                    return None
                root |= 1 << self.pool.number(formula)
        found = self._along(nodes, root, formulas)
        if found is None or found.cut is not None:
            return found
        return None if self.possible(found.labels[-1][1], error) else found

    def candidates(self, node: Node) -> Sequence[Node]:
        older = [other for other in node.place.open if other.number < node.number]
        return older[: -MOST_CANDIDATES - 1 : -1]

    def force(self, node: Node, other: Node) -> Labelling | None:
        nodes = _from_common_ancestor(node, other)
        first = nodes[0]
        facts = (*self.formulas(first.label), *first.place.facts)
        steps = [n.move.step for n in nodes[1:] if n.move is not None]
        goal = conj(self._lacks(node.label, other.label))
        path = Path(facts, (*steps, _assume(node, neg(goal))))
        answer = feasibility(self._prover, path)
        if not isinstance(answer, Infeasible):
            return None
        for _, formulas in refinements(self._prover, path, answer.core):
            if _are_interpolants(formulas, len(nodes)):
                found = self._along(nodes, first.label, formulas)
                if found is not None:
                    label = found.labels[-1][1]
                    if found.cut is not None or not self._lacks(label, other.label):
                        return found
        return None

    def _lacks(self, label: Label, other: Label) -> list[Formula]:
        """The formulas of the other label that the label does not imply."""
        formulas = self.formulas(other & ~label)
        return [formula for formula in formulas if not self.implies(label, formula)]

    def _along(
        self, nodes: Sequence[Node], first: Label, formulas: Sequence[Formula]
    ) -> Labelling | None:
        """Takes the k-th formula into the label of the k-th node, for k > 0; `first` is given.

        None if a formula is not implied by the label before it and the move.
        """
        labels = [(nodes[0], first)]
        before = first
        for node, formula in zip(nodes[1:], formulas[1:], strict=False):
            assert node.move is not None
            if not self.possible(before, node.move):
                return Labelling(tuple(labels), node)
            label = node.label
            for part in conjuncts(formula):
                if part is FALSE:
                    return None
                if not self.implies(label, part):
                    i = self.pool.number(part)
                    if not self.transfer.implied(self.transfer.post(node.move), before, i):
                        return None
                    label |= 1 << i
            labels.append((node, label))
            before = label
        return Labelling(tuple(labels))


def _are_interpolants(formulas: Sequence[Formula], nodes: int) -> bool:
    """Whether there is one for each node, and FALSE at the end; else they are parts of some."""
    return len(formulas) == nodes + 1 and formulas[-1] is FALSE


def _from_common_ancestor(node: Node, other: Node) -> list[Node]:
    """The nodes from the nearest common ancestor of both to the first one, both included."""
    nodes = [node]
    a, b = node, other
    while a is not b:
        if a.depth >= b.depth:
            assert a.parent is not None
            a = a.parent
            nodes.append(a)
        else:
            assert b.parent is not None
            b = b.parent
    return nodes[::-1]


def _assume(node: Node, condition: Formula) -> SymbolicStep:
    """A step that does nothing at the node, where the condition holds."""
    none: frozenset[str] = frozenset()
    return SymbolicStep(0, (), (condition,), {}, (), none, node.place.discrete, none, none)
