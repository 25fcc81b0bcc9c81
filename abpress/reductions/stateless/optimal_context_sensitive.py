"""ODPOR_cs: optimal DPOR with context-sensitive independence.

After [ContextSensitive19], Algorithm 1: as `optimal`; steps that lead to the same state in both
orders are independent in that context. NOTE(dont-do) says what is different.
"""

from __future__ import annotations

from abpress.reductions.stateless.algorithm import Node
from abpress.reductions.stateless.optimal import OptimalDpor


class OptimalContextSensitive(OptimalDpor):
    """As optimal DPOR; the search does not go on from what is known."""

    remembers = True

    def enter(self, node: Node, parent: Node | None) -> None:
        """Who sleeps, too."""
        super().enter(node, parent)
        node.sleepers = node.asleep()
