"""Summaries: what may be accessed from a node on, and what has to happen before it.

The summary of a node maps the accesses of the events that lie on paths from it to their *past*: the
threads and accesses that certainly happen before such an event on a path from the node, the event
included, in the sense of happens-before. The past is a lower bound, over all paths and all events.
Next steps of threads that wait are events, too.

Summaries are the least fixpoint over child and cover edges: a node's has what its threads do next,
and what its children's have; the step to the child belongs to the past of what it conflicts with
(or what is, or comes after, a later event of its thread). While the tree grows, accesses are added
and pasts shrink, NOTE(summaries-grow). [AbPress14], Definition 7, keeps accesses of different
threads to one variable apart in the same way, but drops those after a read, NOTE(hiding-writes):
here a later access is told from an earlier one by its past alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from abpress.art.node import Node
from abpress.art.tree import Changes
from abpress.reductions.tree.footprints import Footprints, Summary
from abpress.reductions.tree.protocol import Expired
from abpress.symbolic.exchange import inverse


class Summaries:
    """The summaries of a growing tree: S(v) of the paper. Mutable."""

    def __init__(self, footprints: Footprints) -> None:
        self._footprints = footprints
        self._version = footprints.version
        self._found: dict[int, Summary] = {}

    def of(self, node: Node) -> Summary:
        """The summary of a node, as far as it is known."""
        found = self._found.get(node.representative().number) or {}
        moves = node.through()
        return self._footprints.renamed(found, inverse(moves)) if moves else found

    def update(
        self, nodes: Sequence[Node], changes: Changes, expired: Expired
    ) -> list[Node] | None:
        """Brings the summaries of a tree's nodes up to date with its changes.

        Returns the nodes for whose children they have changed, the last one first; None if the time
        is over before that is known. When the tree has shrunk, or more keys count, all summaries
        are found anew: smaller ones cannot be found from those that there are, for on a cycle of
        tree and cover edges what does not happen any more may keep itself alive.
        """
        dirty = changes.grown
        if changes.shrunk or self._version != self._footprints.version:
            self._version = self._footprints.version
            self._found.clear()
            dirty = dirty.union(node.number for node in nodes if node.live)
        heap: list[int] = []
        queued: set[int] = set()
        changed: set[int] = set()

        def push(number: int) -> None:
            if number not in queued:
                queued.add(number)
                heappush(heap, -number)

        for number in dirty:
            node = nodes[number]
            if not node.live:
                continue
            changed.add(number)
            push(number)
            if node.coverer is not None and node.parent is not None:
                changed.add(node.parent.number)
                push(node.parent.number)
        while heap:
            if expired():
                return None
            number = -heappop(heap)
            queued.remove(number)
            node = nodes[number]
            if node.coverer is not None or not self._recompute(node):
                continue
            todo = [node]
            while todo:
                at = todo.pop()
                todo += at.covers
                if at.parent is not None:
                    changed.add(at.parent.number)
                    push(at.parent.number)
        return [nodes[number] for number in sorted(changed, reverse=True)]

    def _recompute(self, node: Node) -> bool:
        """Whether the summary of the node has changed."""
        footprints = self._footprints
        found = dict(footprints.next_accesses(node.place))
        get = found.get
        for children in node.expanded.values():
            for move, child in children:
                if child is None:
                    continue
                step = move.step
                own, conflicts = footprints.event(step.thread, step.reads, step.writes)
                for access, past in self.of(child).items():
                    if past & conflicts:
                        past |= own
                    known = get(access)
                    found[access] = past if known is None else known & past
        if self._found.get(node.number) == found:
            return False
        self._found[node.number] = found
        return True
