"""DPOR_cs: source sets with context-sensitive independence.

After *Context Sensitive Dynamic Partial Order Reduction* (Albert et al., CAV 2017) as told in
*Optimal Context-Sensitive Dynamic Partial Order Reduction with Observers*, section 3: races are
reversed as in Source-DPOR; where both orders lead to the same state, the other one is excluded by a
don't-do sequence. Every final state, deadlock and violation is met; not every happens-before class.

NOTE(refused-initials): what is refused is known to lead nowhere else, but the rest of v does not
follow it. So it is none of the initials of v, unless all others are refused, too.
"""

from __future__ import annotations

from abpress.por.stateless.algorithm import Node, Sequence
from abpress.por.stateless.dont_do import DontDo
from abpress.por.stateless.source import SourceSets


class ContextSensitive(SourceSets):
    """As source sets, without what is excluded."""

    def __init__(self) -> None:
        self.dont_do: DontDo = DontDo()

    def enter(self, node: Node, parent: Node | None) -> None:
        """Some enabled thread that neither sleeps nor is refused."""
        self.dont_do.enter(node, parent)
        node.todo = self.dont_do.free(node)

    def choose(self, node: Node) -> int | None:
        """A thread of the backtrack set that does not sleep."""
        fresh = self.dont_do.fresh(node)
        if fresh is not None:
            return fresh
        for thread in node.todo:
            if thread not in node.sleep and thread not in node.refused:
                self.dont_do.refuse(node, thread)
                return thread
        self.dont_do.leave(node)
        return None

    def reverse(self, node: Node, v: Sequence) -> None:
        """Lines 8 and 9, unless all is covered."""
        if not self.dont_do.covered(node):
            super().reverse(node, v)

    def demand(self, node: Node, thread: int) -> None:
        """The thread joins the backtrack set, unless all is covered."""
        if not self.dont_do.covered(node):
            super().demand(node, thread)

    def leading(self, node: Node, v: Sequence) -> list[int]:
        """NOTE(refused-initials)."""
        first = super().leading(node, v)
        return [t for t in first if not node.excluded(t)] or first

    def statistics(self) -> dict[str, int]:
        """Of the don't-do sequences."""
        return self.dont_do.statistics()
