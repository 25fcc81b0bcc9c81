"""Optimal DPOR with observers: ODPOR^ob.

After [Observers18], as told in [ContextSensitive19], Algorithm 1 without what is blue, and Figure
1. Exactly one execution is explored per class of the happens-before of `por.observers`, and none
that turns out to be redundant. Where that fails, `choose` stops the search: it is a bug.

Races are looked at in whole executions (`observed_races`), since an event may be observed late.

NOTE(observed-redundancy): v is redundant after E' if a prefix w of E' = w.w' has a thread p in
done(w) that is a weak initial of w'.v (line 9). A sleep set cannot say that: whether p, which has
written x, is one after another write of x, depends on who reads x. So a *sleeper* remembers of p
what has come of it since w.

Final states that differ only in what nobody reads any more are not told apart: in cells that
several threads write blindly. Violations depend on what is read; of deadlocks it is known that
there is one, and where its threads wait.

NOTE(waiting): who waits has not read, so that of two orders of writes one may let a thread
move, and the other not, although nobody observes them. [Observers18] assumes that this does not
happen. So a cell that some thread has been seen to wait for is never written blindly
(`dependence.Accesses`), and the search begins again when that is noticed late.
"""

from __future__ import annotations

from abpress.reductions.stateless.algorithm import Item, Node, Sequence, Sleeper
from abpress.reductions.stateless.optimal import OptimalDpor
from abpress.relations.dependence import Access


class ObserversDpor(OptimalDpor):
    """See the module's docstring."""

    observers = True

    def enter(self, node: Node, parent: Node | None) -> None:
        """Who has slept until the parent, and who is done there."""
        super().enter(node, parent)
        if parent is not None:
            assert parent.current is not None
            item = Item(parent.current, parent.next_of(parent.current).access)
            still = (sleeper.after(item) for sleeper in _asleep(parent))
            node.sleepers = tuple(sleeper for sleeper in still if sleeper is not None)

    def any_asleep(self, node: Node) -> bool:
        """Whether something must not be explored after the node."""
        return bool(node.sleepers)

    def redundant(self, node: Node, v: Sequence) -> bool:
        """Line 9: whether what begins with v has been explored, from here or from a prefix."""
        return any(sleeper.sleeps(v) for sleeper in _asleep(node))

    def without(self, v: Sequence, thread: int, access: Access | None) -> Sequence | None:
        """As `algorithm.without`, with observers."""
        for k, (other, its) in enumerate(v):
            if other == thread:
                return (*v[:k], *v[k + 1 :]) if Sleeper(thread, its).sleeps(v) else None
        return v if access is not None and Sleeper(thread, access).sleeps(v) else None


def _asleep(node: Node) -> tuple[Sleeper, ...]:
    done = tuple(Sleeper(thread, node.next_of(thread).access) for thread in node.done)
    return node.sleepers + done
