"""Optimal DPOR ([ODPOR14], Algorithm 2): wakeup trees.

Exactly one execution is explored per happens-before class, and none that its sleep set blocks.
Where it could not but explore such an execution, `choose` stops the search: it is a bug.

NOTE(whole-executions): races are looked at when an execution has ended (line 6), and v has all that
does not happen after the earlier event. With what there is when the later event is met, v is too
short: t1: x = 1; t2: if (z == 0) read x; t3: z = 1. After t3, t2 does not read x. Of t3.t2.t1, t2
alone would be inserted, and of t2.t3.t1 then t1, which t3 is a weak initial of: t1.t2.t3 is lost.
The longer t1.t2 is inserted for t3.t2.t1.

NOTE(branching-threads): the paper has no choices, threads here may. A tree holds threads, and all
steps of a thread are explored; below a choice a thread that is not in v is never taken for a weak
initial. Then executions may be redundant, and nothing is asserted from the first choice on.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from abpress.reductions.stateless.algorithm import Item, Node, Sequence, any_weak_initial, without
from abpress.reductions.stateless.wakeup import Sizes, WakeupTree
from abpress.relations.dependence import Access


@dataclass(slots=True)
class _Plan:
    """wut(E') without what is done or under way, and the part that belongs below the latter."""

    tree: WakeupTree
    below: WakeupTree = field(default_factory=WakeupTree)


class OptimalDpor:
    """See the module's docstring."""

    races = True
    observers = False
    remembers = False

    def __init__(self) -> None:
        self.certain = True
        self._plans: dict[Node, _Plan] = {}
        self._sequences = 0
        self._wakeup = Sizes()

    def enter(self, node: Node, parent: Node | None) -> None:
        """Lines 15 to 20: wut(E) is what is handed down."""
        if parent is None:
            self._plans.clear()
        tree = WakeupTree() if parent is None else self._plans[parent].below
        if not self.certain:
            tree = tree.copy()
            self._wakeup.extended(tree.size())
        self._plans[node] = _Plan(tree)

    def choose(self, node: Node) -> int | None:
        """Line 22: the first branch; of an empty tree any enabled thread, if nothing is done."""
        plan = self._plans[node]
        branches = plan.tree.branches
        if not (branches or node.done):
            self._extend(node, plan.tree)
        while branches:
            self._wakeup.dropped(plan.below)
            item, plan.below = branches.pop(0)
            self._wakeup.explored()
            thread = item.thread
            # Below a choice the thread may be unable to move, or sleep.
            if thread in node.threads and node.next_of(thread).steps and thread not in node.sleep:
                return thread
            assert not self.certain, "internal error: a wakeup sequence that cannot be executed"
            if not (branches or node.done):
                self._extend(node, plan.tree)
        return None

    def leave(self, node: Node) -> None:
        """Nothing of the node's wakeup tree is left to explore."""
        plan = self._plans.pop(node)
        self._wakeup.dropped(plan.tree)
        self._wakeup.dropped(plan.below)

    def _extend(self, node: Node, tree: WakeupTree) -> None:
        """The node is a leaf: what is explored there is free."""
        if self.certain and self.any_asleep(node):
            enabled = next(node.enabled(), None) is not None
            assert not enabled, "internal error: optimal DPOR is about to explore something twice"
        thread = node.awake()
        if thread is not None:
            tree.branches.append((Item(thread, node.next_of(thread).access), WakeupTree()))
            self._wakeup.extended()

    def reverse(self, node: Node, v: Sequence) -> None:
        """Lines 7 and 8, with the branches that are done (asleep) or under way."""
        if self.redundant(node, v):
            return
        current = node.current
        if current is not None:
            access = node.next_of(current).access
            if self.without(v, current, access) is not None:
                return
        new = self._plans[node].tree.insert(v, self.certain, self.without)
        if new:
            self._sequences += 1
            self._wakeup.inserted(new)

    def any_asleep(self, node: Node) -> bool:
        """Whether there is something that must not be explored after the node."""
        return bool(node.sleep)

    def redundant(self, node: Node, v: Sequence) -> bool:
        """Whether v has a weak initial that sleeps: what begins with v has been explored."""
        return any_weak_initial(v, node.sleep)

    def without(self, v: Sequence, thread: int, access: Access | None) -> Sequence | None:
        """As `algorithm.without`."""
        return without(v, thread, access)

    def statistics(self) -> dict[str, int]:
        """How many sequences were inserted into wakeup trees, and how many nodes for them; how many
        nodes there were at most at a time in all trees, with those of free choices."""
        return {
            "wakeup_sequences": self._sequences,
            "wakeup_nodes": self._wakeup.new,
            "wakeup_nodes_at_most": self._wakeup.most,
        }
