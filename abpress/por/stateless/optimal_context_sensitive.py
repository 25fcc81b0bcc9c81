"""ODPOR_cs: optimal DPOR with context-sensitive independence.

After *Optimal Context-Sensitive Dynamic Partial Order Reduction with Observers*, Algorithm 1. As
`optimal`; where both orders of a race lead to the same state, the other one is inserted into the
wakeup tree (line 41) and excluded by a don't-do sequence (line 42), so that it is explored up to
the last step of that sequence only. Every final state, deadlock and violation is met, and no two
complete executions have the same happens-before, so that there are never more than of `optimal`.

v is all that does not happen after the earlier event, as in `optimal`, not only the ancestors of
the later one and future initials (line 37): NOTE(whole-executions). What is excluded is as short as
the paper wants it: the ancestors and the race.

NOTE(refused-branches): a branch of a wakeup tree stands for all sequences that it is an initial of
(line 41 inserts nothing then). If it is refused, it is not followed by them. So they are inserted
once more, each with an initial first that is not refused; and if all that a node was entered for is
refused, something else is explored there. Otherwise executions are lost.

NOTE(weak-initials): that v need not be explored where a thread sleeps that is not in v, but is a
weak initial of it, relies on the sequences that reverse the races of that thread in the executions
in which it comes first. Races of what is refused are not reversed by whole sequences. So once
something is excluded, only what is in v counts as an initial of it, as in source sets. Neither note
is from the paper; without them random programs (tests) lose final states. With them the search may
end in executions that their sleep sets block: that there are none is only asserted before.
"""

from __future__ import annotations

from abpress.por.dependence import Access
from abpress.por.stateless.algorithm import Node, Sequence, initials, without
from abpress.por.stateless.dont_do import DontDo
from abpress.por.stateless.optimal import OptimalDpor


class OptimalContextSensitive(OptimalDpor):
    """As optimal DPOR, without what is excluded."""

    def __init__(self) -> None:
        super().__init__()
        self.dont_do: DontDo = DontDo()

    @property
    def exact(self) -> bool:
        """NOTE(weak-initials)."""
        return not self.dont_do.found

    def enter(self, node: Node, parent: Node | None) -> None:
        """Line 12."""
        self.dont_do.enter(node, parent)
        super().enter(node, parent)

    def choose(self, node: Node) -> int | None:
        """Lines 24 to 27."""
        thread = self.dont_do.fresh(node)
        if thread is not None:
            return thread
        if self.dont_do.covered(node):
            self.give_up(node)
        while (thread := super().choose(node)) is not None:
            known = thread in node.refused
            if not self.dont_do.refuse(node, thread):
                return thread
            for v in self.under_way(node):
                other = _led_otherwise(node, v)
                if other is not None:
                    self.reverse(node, other)
            if not known:
                return thread
        self.dont_do.leave(node)
        return None

    def without(self, v: Sequence, thread: int, access: Access | None) -> Sequence | None:
        """NOTE(weak-initials)."""
        return without(v, thread, access if self.exact else None)

    def reverse(self, node: Node, v: Sequence) -> None:
        """Line 41, unless all is covered."""
        if not self.dont_do.covered(node):
            super().reverse(node, v)

    def demand(self, node: Node, thread: int) -> None:
        """The thread becomes a branch, unless all is covered."""
        if not self.dont_do.covered(node):
            super().demand(node, thread)

    def free(self, node: Node) -> list[int]:
        """Lines 17 to 21."""
        return self.dont_do.free(node)

    def statistics(self) -> dict[str, int]:
        """Of the wakeup trees and the don't-do sequences."""
        return {**super().statistics(), **self.dont_do.statistics()}


def _led_otherwise(node: Node, v: Sequence) -> Sequence | None:
    """v with an initial first that is not refused; None if there is none."""
    for thread in initials(v):
        if not node.excluded(thread):
            k = next(k for k, item in enumerate(v) if item.thread == thread)
            return (v[k], *v[:k], *v[k + 1 :])
    return None
