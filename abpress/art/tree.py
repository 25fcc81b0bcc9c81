"""The abstract reachability tree: a data structure with the operations of [Impact06].

expand, close, cover, uncover, force cover, strengthen, cut: each changes the tree at once and
says what it needs as assertions. Which node is expanded when, and in which threads, is not
decided here (see `abpress.engines.abpress.algorithm`). What covers what is decided by two
questions that change nothing: the labels' `covers`, and `may_cover`, with which the tree is made.
"""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from operator import attrgetter

from abpress.art.labels.policy import Labelling, Labels
from abpress.art.node import Label, Move, Node, Place, Places
from abpress.symbolic.discrete import EndShown
from abpress.symbolic.exchange import Moves

_NO_MOVES: Moves = {}

MayCover = Callable[[Node, Node], bool]
"""Whether the first node may cover the second one of its place, for all that labels do not say."""


@dataclass(frozen=True, slots=True)
class ErrorPath:
    """A move that is possible under the label of a node, and ends in a violation or a fault; or an
    end of executions in what a state shows."""

    node: Node
    move: Move

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves from the root to the error."""
        return (*self.node.path(), self.move)


@dataclass(slots=True)
class Changes:
    """What has happened to a tree. Mutable: the tree notes it here.

    `grown` are the numbers of nodes that have got children, or have come to be covered. `shrunk`:
    nodes have come to be uncovered, or are not live any more.
    """

    grown: set[int] = field(default_factory=set)
    shrunk: bool = False


class Tree:
    """An abstract reachability tree under construction. Mutable.

    `nodes` are all that were ever made, by number; `moves` counts the moves that were looked at,
    `uncovered` and `forced` the covers that were given up, or forced.
    """

    def __init__(self, root: Place, places: Places, labels: Labels, may_cover: MayCover) -> None:
        self._places = places
        self._labels = labels
        self._may_cover = may_cover
        self._queue: deque[Node] = deque()
        self._changes = Changes()
        self.nodes: list[Node] = []
        self.moves = 0
        self.uncovered = 0
        self.forced = 0
        places.clear()
        self._close_new(self._node(root, labels.initial(), None, None))

    # -- questions ------------------------------------------------------------------------------

    def pop(self) -> Node | None:
        """Takes the next node that is to be expanded from the queue; None if there is none."""
        queue = self._queue
        while queue:
            node = queue.popleft()
            if node.open and not node.expanded:
                return node
        return None

    def errors(self, node: Node, threads: tuple[int, ...]) -> Iterator[ErrorPath]:
        """The errors that are possible by a step of the threads.

        The tree may change between one and the next: each is possible under the label that the
        node has then, and there is none any more when it is not open.
        """
        assert node.open
        possible, moves = self._labels.possible, self._places.moves
        for thread in threads:
            for move in moves(node.place, thread):
                if move.fails and possible(node.label, move):
                    yield ErrorPath(node, move)
                    if not node.open:
                        return

    def shown(self, node: Node, what: EndShown) -> Iterator[ErrorPath]:
        """What states of the node may show under its label, as `errors`."""
        assert node.open
        for move in self._places.shown(node.place, what):
            if self._labels.possible(node.label, move):
                yield ErrorPath(node, move)
                if not node.open:
                    return

    def take_changes(self) -> Changes:
        """What has happened since this was asked last."""
        changes, self._changes = self._changes, Changes()
        return changes

    @property
    def live(self) -> int:
        """How many nodes are live."""
        return sum(node.live for node in self.nodes)

    @property
    def covers(self) -> int:
        """How many live nodes are covered."""
        return sum(node.coverer is not None for node in self.nodes)

    # -- operations -----------------------------------------------------------------------------

    def expand(self, node: Node, threads: tuple[int, ...]) -> None:
        """Gives the node a child for each move of the threads that is possible, but for errors.

        New nodes are covered if they can be; else they go to the end of the queue.
        """
        assert node.open
        labels, moves = self._labels, self._places.moves
        for thread in threads:
            assert thread not in node.expanded
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
                    self._close_new(child)
        self._changes.grown.add(node.number)

    def close(self, node: Node) -> bool:
        """Covers the node by the oldest open one that suits; whether there is one."""
        covers, may_cover = self._labels.covers, self._may_cover
        for other in node.place.open:
            if other is not node and covers(other, node) and may_cover(other, node):
                self.cover(node, other)
                return True
        return self._close_by_another(node)

    def _close_by_another(self, node: Node) -> bool:
        """Covers the node by the oldest open one that suits where threads that are alike are one
        another; whether there is one."""
        covers = self._labels.covers_moved
        names = self._places.names_moved
        for place, ways in self._places.peers(node.place):
            for other in place.open:
                if other is node:
                    continue
                for moves in ways:
                    if covers(other, node, names(moves)):
                        self.cover(node, other, moves)
                        return True
        return False

    def cover(self, node: Node, other: Node, moves: Moves = _NO_MOVES) -> None:
        """Covers the node by the other one, whose label its own implies, where its threads become
        others."""
        assert node is not other and (bool(moves) or node.place is other.place)
        assert node.open and other.open
        node.coverer = other
        node.moves = moves
        other.covers.append(node)
        self._changes.grown.add(node.number)
        if node in node.place.open:
            node.place.open.remove(node)
        self._exclude(node.descendants())

    def uncover(self, node: Node) -> None:
        """Ends the cover of the node, NOTE(lost-covers): it is covered by another one, or open."""
        assert node.coverer is not None
        node.coverer.covers.remove(node)
        node.coverer = None
        node.moves = _NO_MOVES
        self.uncovered += 1
        self._changes.shrunk = True
        if not self.close(node):
            self._reopen(node)

    def force_cover(self, node: Node, other: Node, labelling: Labelling) -> bool:
        """Covers the node by the other one, or cuts it off, if stronger labels lead to that."""
        assert node.open and node.place is other.place
        self.strengthen(labelling)
        if node.open and other.open and self._labels.covers(other, node):
            self.cover(node, other)
        if node.open:
            return False
        self.forced += 1
        return True

    def strengthen(self, labelling: Labelling) -> None:
        """Gives nodes stronger labels. Covers by them are checked, and covers of them tried."""
        stronger = []
        for node, label in labelling.labels:
            if label != node.label:
                node.label = label
                stronger.append(node)
        if labelling.cut is not None:
            self.cut(labelling.cut)
        for node in stronger:
            for covered in tuple(node.covers):
                if covered.coverer is node and not self._labels.covers(node, covered):
                    self.uncover(covered)
        for node in stronger:
            if node.open:
                self.close(node)

    def cut(self, node: Node) -> None:
        """Drops a node to which the move is impossible, and all below it."""
        assert node.live and node.parent is not None and node.move is not None
        thread = node.move.step.thread
        children = node.parent.expanded[thread]
        node.parent.expanded[thread] = [(m, None if n is node else n) for m, n in children]
        self._exclude([node, *node.descendants()])

    # -- their parts ----------------------------------------------------------------------------

    def _node(self, place: Place, label: Label, parent: Node | None, move: Move | None) -> Node:
        depth = 0 if parent is None else parent.depth + 1
        node = Node(len(self.nodes), place, label, parent, move, depth)
        self.nodes.append(node)
        return node

    def _close_new(self, node: Node) -> None:
        """Covers a new node, or puts it into the queue."""
        if not self.close(node):
            node.place.open.append(node)
            self._queue.append(node)

    def _exclude(self, nodes: list[Node]) -> None:
        """Makes the nodes not live any more; what they cover is open again."""
        if not nodes:
            return
        self._changes.shrunk = True
        for node in nodes:
            node.live = False
            if node.coverer is not None:
                node.coverer.covers.remove(node)
                node.coverer = None
                node.moves = _NO_MOVES
            else:
                node.place.open.remove(node)
        for node in nodes:
            for covered in tuple(node.covers):
                if covered.coverer is node:
                    self.uncover(covered)

    def _reopen(self, node: Node) -> None:
        """Makes the node, and all below it, live and not covered; queues what is not expanded."""
        todo = [node]
        while todo:
            node = todo.pop()
            node.live = True
            insort(node.place.open, node, key=attrgetter("number"))
            if not node.expanded:
                self._queue.append(node)
            for children in reversed(node.expanded.values()):
                todo += [child for _, child in reversed(children) if child is not None]
