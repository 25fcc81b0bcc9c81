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

from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import heappop, heappush

from abpress.art.node import Node
from abpress.reductions.tree.alphabet import Alphabet, Bits

Summary = Mapping[int, Bits]
"""Access (see `Alphabet.access`) -> its past."""

Look = Callable[[], None]
"""Called now and then in long work; raises an exception to end it."""


class Summaries:
    """The summaries of a growing tree. Mutable."""

    def __init__(self, alphabet: Alphabet, nodes: Sequence[Node]) -> None:
        self._alphabet = alphabet
        self._nodes = nodes
        self._version = alphabet.version
        self._stale = False
        self._found: dict[int, Summary] = {}
        self._dirty: set[int] = set()

    def touch(self, node: Node) -> None:
        """The node has got children, or has come to be covered."""
        self._dirty.add(node.number)

    def restart(self) -> None:
        """Nodes are uncovered, or not live any more: all summaries have to be found anew.

        Smaller ones cannot be found from those that there are: on a cycle of tree and cover edges
        what does not happen any more may keep itself alive.
        """
        self._stale = True

    def of(self, node: Node) -> Summary:
        """The summary of a node, as far as it is known."""
        return self._found.get(node.representative().number) or {}

    def update(self, look: Look) -> Iterator[Node]:
        """Computes what has changed. Yields the nodes for whose children that is so."""
        if self._stale or self._version != self._alphabet.version:
            self._stale = False
            self._version = self._alphabet.version
            self._found.clear()
            self._dirty.update(node.number for node in self._nodes if node.live)
        heap: list[int] = []
        queued: set[int] = set()
        changed: set[int] = set()

        def push(number: int) -> None:
            if number not in queued:
                queued.add(number)
                heappush(heap, -number)

        for number in self._dirty:
            node = self._nodes[number]
            if not node.live:
                continue
            changed.add(number)
            push(number)
            if node.coverer is not None and node.parent is not None:
                changed.add(node.parent.number)
                push(node.parent.number)
        self._dirty.clear()
        while heap:
            look()
            number = -heappop(heap)
            queued.remove(number)
            node = self._nodes[number]
            if node.coverer is not None or not self._recompute(node):
                continue
            todo = [node]
            while todo:
                at = todo.pop()
                todo += at.covers
                if at.parent is not None:
                    changed.add(at.parent.number)
                    push(at.parent.number)
        for number in sorted(changed, reverse=True):
            yield self._nodes[number]

    def _recompute(self, node: Node) -> bool:
        """Whether the summary of the node has changed."""
        alphabet = self._alphabet
        found = dict(alphabet.base(node.place))
        get = found.get
        for children in node.expanded.values():
            for move, child in children:
                if child is None:
                    continue
                step = move.step
                own, clash = alphabet.masks(step.thread, step.reads, step.writes)
                for access, past in self.of(child).items():
                    if past & clash:
                        past |= own
                    known = get(access)
                    found[access] = past if known is None else known & past
        if self._found.get(node.number) == found:
            return False
        self._found[node.number] = found
        return True
