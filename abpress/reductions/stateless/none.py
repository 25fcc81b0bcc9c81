"""All interleavings: every enabled thread at every prefix."""

from __future__ import annotations

from abpress.reductions.stateless.algorithm import Node, Sequence


class AllInterleavings:
    """Explores all threads. The measure of all others."""

    races = False
    observers = False
    remembers = False
    certain = True
    uses_sleep = False

    def enter(self, node: Node, parent: Node | None) -> None:
        """All enabled threads are to be explored; nothing sleeps."""
        node.todo = list(node.enabled())
        if not self.uses_sleep:
            node.sleep.clear()

    def choose(self, node: Node) -> int | None:
        """The next one."""
        for thread in node.todo:
            if thread not in node.done and not (self.uses_sleep and thread in node.sleep):
                return thread
        return None

    def reverse(self, node: Node, v: Sequence) -> None:
        """Both orders are explored anyway."""

    def leave(self, node: Node) -> None:
        """Nothing is kept of a node."""

    def statistics(self) -> dict[str, int]:
        return {}
