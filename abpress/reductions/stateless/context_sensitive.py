"""DPOR_cs: source sets with context-sensitive independence.

After [ContextSensitive17] as told in [ContextSensitive19], section 3: as `source`; steps that lead
to the same state in both orders are independent in that context. NOTE(dont-do) says what is
different.
"""

from __future__ import annotations

from abpress.reductions.stateless.algorithm import Node
from abpress.reductions.stateless.source import SourceSets


class ContextSensitive(SourceSets):
    """As source sets; the search does not go on from what is known."""

    remembers = True

    def enter(self, node: Node, parent: Node | None) -> None:
        """Who sleeps, too."""
        super().enter(node, parent)
        node.sleepers = node.asleep()
