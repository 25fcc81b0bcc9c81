"""All interleavings: every enabled thread at every prefix."""

from __future__ import annotations

from abpress.reductions.stateless.algorithm import SearchPath
from abpress.reductions.stateless.node import ExecutionNode
from abpress.reductions.stateless.sequences import Items


class AllInterleavings:
    """Explores all threads. The measure of all others."""

    uses_sleep = False

    def begin(self, path: SearchPath) -> None:
        """Nothing of the path matters."""

    def enter(self, node: ExecutionNode, parent: ExecutionNode | None) -> None:
        """All enabled threads are to be explored; nothing sleeps. That is the node's plan."""
        node.plan = list(node.enabled())
        if not self.uses_sleep:
            node.sleep.clear()

    def choose(self, node: ExecutionNode) -> int | None:
        """The next one."""
        thread: int
        for thread in node.plan:
            if thread not in node.done and not (self.uses_sleep and thread in node.sleep):
                return thread
        return None

    def reverse(self, node: ExecutionNode, v: Items) -> None:
        """Both orders are explored anyway."""

    def leave(self, node: ExecutionNode) -> None:
        """Nothing is kept of a node."""

    def statistics(self) -> dict[str, int]:
        return {}
