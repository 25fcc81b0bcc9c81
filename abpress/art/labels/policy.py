"""The interface of policies for labels. `abpress.art.labels.table` lists them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from abpress.art.labels.pool import Pool, linked
from abpress.art.labels.transfer import Transfer
from abpress.art.node import Label, Move, Node
from abpress.logic.formula import Formula, variables
from abpress.smt.answer import Answer
from abpress.smt.prover import Prover


@dataclass(frozen=True, slots=True)
class Labelling:
    """What a refinement makes of a path: labels, none weaker than before, from the root's side on.

    `cut` is a node to which the move is impossible under them.
    """

    labels: tuple[tuple[Node, Label], ...] = ()
    cut: Node | None = None


class Labels(ABC):
    """A policy. Labels are sets of formulas of the pool. Mutable: the pool grows.

    `facts` are what holds initially, `name` tells the names of threads. Whatever is in a label was
    proved: of the root from the facts, of other nodes from the parent's label and the move.
    """

    rebuilds: bool
    """Whether the tree has to be built anew to make use of a refinement."""

    def __init__(
        self, prover: Prover, facts: tuple[Formula, ...], name: Callable[[int], str]
    ) -> None:
        self._prover = prover
        self._facts = facts
        self._name = name
        self.pool = Pool()
        self.transfer = Transfer(prover, self.pool)

    explanations: int = 1
    """So many methods of interpolation are asked about an error, if they are of use."""

    @abstractmethod
    def initial(self) -> Label:
        """The label of a new root."""

    @abstractmethod
    def after(self, label: Label, move: Move) -> Label | None:
        """The label of a new child by the move; None if the move is impossible."""

    @abstractmethod
    def covers(self, other: Node, node: Node) -> bool:
        """Whether the other node of the place may cover the node, by its label."""

    def covers_moved(self, other: Node, node: Node, threads: Mapping[str, str]) -> bool:
        """Whether the other node may cover the node where threads of this one are those of that
        one, by names. False: no policy needs to know that."""
        return False

    @abstractmethod
    def refine(
        self, nodes: Sequence[Node], error: Move, formulas: Sequence[Formula]
    ) -> Labelling | None:
        """Takes formulas that exclude an error into account; None if they are of no use.

        `nodes` lead from the root to the node before the error. The formulas are a sequence of
        interpolants, or parts of them in any order (see `abpress.itp.methods.refinements`).
        """

    def candidates(self, node: Node) -> Sequence[Node]:
        """Nodes that are worth the attempt to force a cover, the best first."""
        return ()

    def force(self, node: Node, other: Node) -> Labelling | None:
        """Labels under which the other node covers the node, or is cut off; None if none is found.

        Nothing changes but labels behind the nearest common ancestor, on the way to the node.
        """
        return None

    # -- questions ------------------------------------------------------------------------------

    def possible(self, label: Label, move: Move) -> bool:
        """Whether the move is possible under the label. Where the solver gives up, it is."""
        return self.transfer.possible(self.transfer.post(move), label)

    def formulas(self, label: Label) -> tuple[Formula, ...]:
        """The label as formulas."""
        return self.pool.set(label)

    def implies(self, label: Label, formula: Formula) -> bool:
        """Whether the label was proved to imply a formula."""
        near = self.pool.connected(label, self.pool.about(variables(formula)))
        return self._prover.entails(self.pool.set(near), formula) is Answer.YES

    def holds_initially(self, formula: Formula) -> bool:
        """Whether the facts were proved to imply a formula."""
        near = linked(self._facts, variables(formula))
        return self._prover.entails(near, formula) is Answer.YES
