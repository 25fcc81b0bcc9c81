"""All interleavings: every enabled thread at every prefix."""

from __future__ import annotations

from abpress.reductions.stateless.algorithm import SearchPath
from abpress.reductions.stateless.node import ExecutionNode
from abpress.reductions.stateless.sequences import Items


class AllInterleavings:
    """Explores all threads. The measure of all others."""

    uses_sleep = False

    def begin(self, path: SearchPath) -> None:
        """Does nothing: the path does not matter."""

    def enter(self, node: ExecutionNode, parent: ExecutionNode | None) -> None:
        """Plans to explore all enabled threads; without sleep sets nothing sleeps."""
        node.plan = list(node.enabled())
        if not self.uses_sleep:
            node.sleep.clear()

    def choose(self, node: ExecutionNode) -> int | None:
        """The next thread of the plan; None if all are explored."""
        thread: int
        for thread in node.plan:
            if thread not in node.done and not (self.uses_sleep and thread in node.sleep):
                return thread
        return None

    def planned(self, node: ExecutionNode) -> int:
        """How many threads of the plan are left."""
        known = {*node.done, node.current, *(node.sleep if self.uses_sleep else ())}
        return sum(thread not in known for thread in node.plan)

    def reverse(self, node: ExecutionNode, v: Items) -> None:
        """Does nothing: both orders are explored anyway."""

    def leave(self, node: ExecutionNode) -> None:
        """Does nothing: nothing is kept of a node."""

    def statistics(self) -> dict[str, int]:
        return {}
