"""Reductions that never ask for further threads: none at all, and peephole."""

from __future__ import annotations

from abpress.art.node import Node
from abpress.art.tree import Tree
from abpress.reductions.tree.protocol import Expired, Request, TreeContext
from abpress.relations.conflict import in_conflict


class ExpandAll:
    """No reduction: all threads."""

    def __init__(self, context: TreeContext) -> None:
        self._context = context

    def choose(self, node: Node) -> tuple[int, ...]:
        """All threads of the place."""
        return node.place.threads

    def may_cover(self, other: Node, node: Node) -> bool:
        """True: nothing is left out at either node."""
        return True

    def backtrack(self, tree: Tree, expired: Expired) -> list[Request] | None:
        """No requests: nothing was left out."""
        return []


class Peephole(ExpandAll):
    """Leaves out threads with a smaller id than the one that has moved last, if independent of it.

    [Monotonic09], in a tree with covers [ThreadsImpact13]. Every execution has an equivalent one in
    which no two neighbours stand so; all of these are in the tree if a node is covered only by
    nodes that leave out no more than it does itself, NOTE(cover-sleep).
    """

    def choose(self, node: Node) -> tuple[int, ...]:
        left_out = self._left_out(node)
        return tuple(t for t in node.place.threads if t not in left_out)

    def may_cover(self, other: Node, node: Node) -> bool:
        return self._left_out(other) <= self._left_out(node)

    def _left_out(self, node: Node) -> frozenset[int]:
        if node.parent is None or node.move is None:
            return frozenset()
        step, before = node.move.step, node.parent.place
        system = self._context.system
        return frozenset(
            t
            for t in before.threads
            if t < step.thread
            and not any(in_conflict(step, other) for other in system.accesses(before.discrete, t))
        )
