"""ODPOR^ob_cs: optimal DPOR with observers and context-sensitive independence.

After *Optimal Context-Sensitive Dynamic Partial Order Reduction with Observers*, Algorithm 2: as
`observers`; where the reversed order of a race leads to a state that is equal, modulo
observability, to one from which everything has been explored, the search does not go on.

NOTE(remembered): the paper says what is equal by don't-do sequences, which are found race by race
and handed down (lines 61, 62, 72 to 81), and gives up an execution where one ends, after a look at
the races of what has been executed (lines 51 and 58). As published that loses executions: races
with what would still follow are not looked at (`contexts`, NOTE(races-beyond)), and who reads the
cell after the observers of a race (Example 4.1) sees a difference. Here states are remembered
(`remembered`), and where one is met again, *all* executions that would follow are put together from
what has been explored there, and their races reversed as if they had been executed. So this
explores as `observers` does, class by class; but of a class whose end is known to be met otherwise
only the first part is executed. Two states may differ in cells that several threads write and that
are not read any more, which is the refined check for write-write races. Future initials are not
needed, since v is whole; and there is nothing to be handed down.

The number of executions is that of different ends, but the time grows with the number of classes.

Where threads have choices, or loops are cut off at a bound, nothing is remembered.
"""

from __future__ import annotations

from abpress.por.stateless.algorithm import Node
from abpress.por.stateless.observers import ObserversDpor


class OptimalCsObservers(ObserversDpor):
    """As `ObserversDpor`; the search does not go on from what is known."""

    remembers = True

    def choose(self, node: Node) -> int | None:
        """As `OptimalDpor.choose`, but for nodes from which everything is known."""
        if not node.met:
            return super().choose(node)
        self.forget(node)
        return None
