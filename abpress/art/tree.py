"""The abstract reachability tree: expand, close, cover, uncover, refine.

After [AbPress14], Algorithm 1.
"""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from abpress.art.labels.policy import Labelling, Labels
from abpress.art.node import ArtView, Label, Move, Node, NodeView, Place, Places
from abpress.logic.formula import Formula
from abpress.reductions.tree.table import REDUCTIONS, Ground, Request
from abpress.smt.prover import Answer, Prover
from abpress.symbolic.system import SymbolicSystem


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
    labels: Labels
    prover: Prover
    ground: Ground
    reduction: str


class _Stopped(Exception):
    """A limit is exceeded."""


OnError = Callable[[ErrorPath], bool]
"""Looks at an error; whether the tree is to be built on, without anything behind the error."""


class Tree:
    """A tree under construction. Mutable."""

    def __init__(self, of: Ingredients, root: Place, on_error: OnError) -> None:
        self._of = of
        self._on_error = on_error
        self._todo: deque[Node] = deque()
        self.nodes: list[Node] = []
        self._reduction = REDUCTIONS[of.reduction].make(of.ground, self.nodes)
        self._heard = len(of.labels.pool)
        self.moves = 0
        self.uncovered = 0
        self.forced = 0
        of.places.clear()
        of.ground.alphabet.begin()
        self._close(self._node(root, of.labels.initial(), None, None))

    def grow(self, poll: Callable[[], bool]) -> bool:
        """Expands until the tree is complete. False if an error or `poll` has ended it before."""
        while True:
            while self._todo:
                node = self._todo.popleft()
                if not _is_open(node) or node.expanded:
                    continue
                if poll():
                    return False
                if self._cover(node) or self._force_cover(node):
                    continue
                if not self._expand(node, self._reduction.first(node)):
                    return False
            try:
                requests = self._more(poll)
            except _Stopped:
                return False
            if not requests:
                return True
            for node, threads in requests:
                if _is_open(node) and (poll() or not self._expand(node, threads)):
                    return False

    def _more(self, poll: Callable[[], bool]) -> list[Request]:
        def look() -> None:
            if poll():
                raise _Stopped

        if self._heard < len(self._of.labels.pool):
            self._heard = len(self._of.labels.pool)
            self._of.ground.alphabet.hear()
        return self._reduction.more(look)

    # -- the operations of the paper ------------------------------------------------------------

    def _expand(self, node: Node, threads: tuple[int, ...]) -> bool:
        """Gives the node a child for each move of the threads that is possible. False: stop.

        Nothing happens if the refinement of an error finds the node covered, or cut off.
        """
        assert _is_open(node)
        labels, moves = self._of.labels, self._of.places.moves
        for thread in threads:
            for move in moves(node.place, thread):
                if move.fails and labels.possible(node.label, move):
                    if not self._on_error(ErrorPath(node, move)):
                        return False
                    if not _is_open(node):
                        return True
        for thread in threads:
            children = node.expanded[thread] = []
            for move in moves(node.place, thread):
                self.moves += 1
                if move.fails:
                    if not labels.possible(node.label, move):
                        children.append((move, None))
                    continue
                label = labels.after(node.label, move)
                if label is None:
                    children.append((move, None))
                else:
                    child = self._node(move.successor, label, node, move)
                    children.append((move, child))
                    self._close(child)
        self._reduction.touch(node)
        return True

    def _close(self, node: Node) -> None:
        """Covers the new node by another one, or notes that it is to be expanded."""
        if not self._cover(node):
            node.place.open.append(node)
            self._todo.append(node)

    def _cover(self, node: Node) -> bool:
        """Covers the node by another one that is not covered, if there is one that suits."""
        for other in node.place.open:
            if (
                other is not node
                and self._of.labels.covers(other, node)
                and self._reduction.may_cover(other, node)
            ):
                self._cover_by(other, node)
                return True
        return False

    def _cover_by(self, other: Node, node: Node) -> None:
        node.coverer = other
        other.covers.append(node)
        self._reduction.touch(node)
        if node in node.place.open:
            node.place.open.remove(node)
        self._exclude(node.below())

    def _force_cover(self, node: Node) -> bool:
        """Whether labels were found for nodes above with which the node is covered, or cut off."""
        labels = self._of.labels
        for other in labels.candidates(node):
            if self._reduction.may_cover(other, node):
                found = labels.force(node, other)
                if found is not None:
                    self._strengthen(found)
                    if _is_open(node) and _is_open(other) and labels.covers(other, node):
                        self._cover_by(other, node)
                    if not _is_open(node):
                        self.forced += 1
                        return True
        return False

    def refine(self, error: ErrorPath, formulas: Sequence[Formula]) -> bool:
        """Whether formulas that exclude an error are of use. If the policy does not rebuild, the
        error is impossible then, or its node is not live, or covered."""
        found = self._of.labels.refine(error.node.line(), error.move, formulas)
        if found is None:
            return False
        self._strengthen(found)
        return True

    def _strengthen(self, labelling: Labelling) -> None:
        """Gives nodes stronger labels. Covers by them are checked, and covers of them tried."""
        stronger = []
        for node, label in labelling.labels:
            if label != node.label:
                node.label = label
                stronger.append(node)
        if labelling.cut is not None:
            self._cut(labelling.cut)
        for node in stronger:
            for covered in tuple(node.covers):
                if covered.coverer is node and not self._of.labels.covers(node, covered):
                    self._uncover(covered)
        for node in stronger:
            if _is_open(node):
                self._cover(node)

    def _cut(self, node: Node) -> None:
        """Drops a node to which the move is impossible, and all below it."""
        assert node.parent is not None and node.move is not None
        thread = node.move.step.thread
        children = node.parent.expanded[thread]
        node.parent.expanded[thread] = [(m, None if n is node else n) for m, n in children]
        self._exclude([node, *node.below()])

    def _exclude(self, nodes: list[Node]) -> None:
        """The nodes are not live any more. What they cover is open again."""
        if not nodes:
            return
        self._reduction.restart()
        for node in nodes:
            node.live = False
            if node.coverer is not None:
                node.coverer.covers.remove(node)
                node.coverer = None
            else:
                node.place.open.remove(node)
        for node in nodes:
            for covered in tuple(node.covers):
                if covered.coverer is node:
                    self._uncover(covered)

    def _uncover(self, node: Node) -> None:
        """Ends the cover of the node: its children are live again, NOTE(lost-covers)."""
        assert node.coverer is not None
        node.coverer.covers.remove(node)
        node.coverer = None
        self.uncovered += 1
        self._reduction.restart()
        if not self._cover(node):
            self._reopen(node)

    def _reopen(self, node: Node) -> None:
        """The node, and all below it, is live and not covered. What is not expanded will be."""
        todo = [node]
        while todo:
            node = todo.pop()
            node.live = True
            insort(node.place.open, node, key=attrgetter("number"))
            if not node.expanded:
                self._todo.append(node)
            for children in reversed(node.expanded.values()):
                todo += [child for _, child in reversed(children) if child is not None]

    def _node(self, place: Place, label: Label, parent: Node | None, move: Move | None) -> Node:
        depth = 0 if parent is None else parent.depth + 1
        node = Node(len(self.nodes), place, label, parent, move, depth)
        self.nodes.append(node)
        return node

    # -- views of a complete tree ---------------------------------------------------------------

    @property
    def live(self) -> int:
        """How many nodes are live."""
        return sum(node.live for node in self.nodes)

    @property
    def covers(self) -> int:
        """How many live nodes are covered."""
        return sum(node.coverer is not None for node in self.nodes)

    def overflows(self) -> Iterator[tuple[Place, int]]:
        """Places, and threads of which an operation of the next step may overflow there."""
        of = self._of
        for node in filter(_is_open, self.nodes):
            label = of.labels.formulas(node.label)
            for thread in node.expanded:
                found = of.system.overflows(node.place.discrete, thread)
                if any(of.prover.satisfiable((*label, f)) is not Answer.NO for f in found):
                    yield node.place, thread

    def view(self, encoding: str) -> ArtView:
        """The tree, for certificates."""
        system = self._of.system
        ids = range(1, system.interpreter.views.threads_met() + 1)
        threads = tuple(map(system.name, ids))
        live = [node for node in self.nodes if node.live]
        numbers = {node.number: i for i, node in enumerate(live)}
        views = tuple(self._view(node, numbers) for node in live)
        tracked = tuple(sorted(system.tracked))
        abstract = REDUCTIONS[self._of.reduction].abstract
        spoken = tuple(self._of.labels.pool.formulas) if abstract else ()
        return ArtView(views, self._of.reduction, encoding, threads, tracked, spoken)

    def _view(self, node: Node, numbers: Mapping[int, int]) -> NodeView:
        covered_by, expansions = None, node.expanded
        if node.coverer is not None:
            covered_by, expansions = numbers[node.coverer.number], {}
        steps = tuple(
            (
                thread,
                tuple((m.step, None if c is None else numbers[c.number]) for m, c in children),
            )
            for thread, children in expansions.items()
        )
        label = self._of.labels.formulas(node.label)
        return NodeView(numbers[node.number], node.place.discrete, label, covered_by, steps)


def _is_open(node: Node) -> bool:
    """Whether the node is live and not covered."""
    return node.live and node.coverer is None
