"""The abstract reachability tree: expand, close, cover (AbPress, Algorithm 1)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from abpress.art.labels import PredicateLabels
from abpress.art.node import ArtView, Label, Move, Node, NodeView, Place, Places
from abpress.art.reductions import REDUCTIONS, Ground
from abpress.semantics.symbolic import SymbolicSystem
from abpress.smt.prover import Answer, Prover


@dataclass(frozen=True, slots=True)
class ErrorPath:
    """A move that is possible under the label of a node, and ends in a violation or a fault."""

    node: Node
    move: Move

    @property
    def moves(self) -> tuple[Move, ...]:
        """From the root to the error."""
        return (*self.node.path(), self.move)


@dataclass(frozen=True, slots=True)
class Ingredients:
    """What all trees of a search share."""

    system: SymbolicSystem
    places: Places
    labels: PredicateLabels
    prover: Prover
    ground: Ground
    reduction: str


OnError = Callable[[ErrorPath], bool]
"""Looks at an error; whether the tree is to be built on, without anything behind the error."""


class Tree:
    """A tree under construction. Mutable."""

    def __init__(self, of: Ingredients, root: Place, label: Label, on_error: OnError) -> None:
        self._of = of
        self._on_error = on_error
        self._todo: deque[Node] = deque()
        self.nodes: list[Node] = []
        self._reduction = REDUCTIONS[of.reduction].make(of.ground, self.nodes)
        self.covers = 0
        self.moves = 0
        of.places.clear()
        self._close(self._node(root, label, None, None))

    def grow(self, poll: Callable[[], bool]) -> bool:
        """Expands until the tree is complete. False if an error or `poll` has ended it before."""
        while True:
            while self._todo:
                node = self._todo.popleft()
                if poll():
                    return False
                self._cover(node)
                if node.coverer is None and not self._expand(node, self._reduction.first(node)):
                    return False
            requests = self._reduction.more()
            if not requests:
                return True
            for node, threads in requests:
                if poll() or not self._expand(node, threads):
                    return False

    # -- the operations of the paper ------------------------------------------------------------

    def _expand(self, node: Node, threads: tuple[int, ...]) -> bool:
        """Gives the node a child for each move of the threads that is possible. False: stop."""
        assert node.coverer is None
        for thread in threads:
            children = node.expanded[thread] = []
            for move in self._of.places.moves(node.place, thread):
                self.moves += 1
                label = self._of.labels.after(node.label, move)
                if label is None:
                    children.append((move, None))
                elif move.step.violation is not None or move.step.fault is not None:
                    if not self._on_error(ErrorPath(node, move)):
                        return False
                else:
                    child = self._node(move.successor, label, node, move)
                    children.append((move, child))
                    self._close(child)
        self._reduction.touch(node)
        return True

    def _close(self, node: Node) -> None:
        """Covers the node by an earlier one, or notes that it is to be expanded."""
        self._cover(node)
        if node.coverer is None:
            node.place.open.append(node)
            self._todo.append(node)

    def _cover(self, node: Node) -> None:
        """Covers the node if another one that is not covered knows no more than it."""
        for other in node.place.open:
            if (
                other is not node
                and not other.label & ~node.label
                and self._reduction.may_cover(other, node)
            ):
                node.coverer = other
                other.covers.append(node)
                self.covers += 1
                self._reduction.touch(node)
                if node in node.place.open:
                    node.place.open.remove(node)
                return

    def _node(self, place: Place, label: Label, parent: Node | None, move: Move | None) -> Node:
        depth = 0 if parent is None else parent.depth + 1
        node = Node(len(self.nodes), place, label, parent, move, depth)
        self.nodes.append(node)
        return node

    # -- views of a complete tree ---------------------------------------------------------------

    def overflows(self) -> Iterator[tuple[Place, int]]:
        """Places, and threads of which an operation of the next step may overflow there."""
        of = self._of
        for node in self.nodes:
            label = of.labels.formulas(node.label)
            for thread in node.expanded:
                found = of.system.overflows(node.place.discrete, thread)
                if any(of.prover.satisfiable((*label, f)) is not Answer.NO for f in found):
                    yield node.place, thread

    def view(self, encoding: str) -> ArtView:
        """The tree, for certificates."""
        system = self._of.system
        ids = range(1, system.interpreter.threads_met() + 1)
        threads = tuple(map(system.name, ids))
        nodes = tuple(map(self._view, self.nodes))
        tracked = tuple(sorted(system.tracked))
        return ArtView(nodes, self._of.reduction, encoding, threads, tracked)

    def _view(self, node: Node) -> NodeView:
        covered_by = None if node.coverer is None else node.representative().number
        expansions = tuple(
            (
                thread,
                tuple((move.step, None if c is None else c.number) for move, c in children),
            )
            for thread, children in node.expanded.items()
        )
        label = self._of.labels.formulas(node.label)
        return NodeView(node.number, node.place.discrete, label, covered_by, expansions)
