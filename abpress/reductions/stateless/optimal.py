"""Optimal DPOR ([ODPOR14], Algorithm 2): wakeup trees.

Exactly one execution is explored per happens-before class, and none that its sleep set blocks.
Where it could not but explore such an execution, `choose` stops the search: it is a bug.

NOTE(whole-executions): races are looked at when an execution has ended (line 6), and v has all that
does not happen after the earlier event. With what there is when the later event is met, v is too
short: t1: x = 1; t2: if (z == 0) read x; t3: z = 1. After t3, t2 does not read x. Of t3.t2.t1, t2
alone would be inserted, and of t2.t3.t1 then t1, which t3 is a weak initial of: t1.t2.t3 is lost.
The longer t1.t2 is inserted for t3.t2.t1.

One order: who goes on where nothing is planned does not change how many executions there are, but
how much they share. Where it is always the first thread, executions are alike, and what reverses
their races begins late. Where the thread of the last event goes on, as long as it can, it does so
in other orders each time, and what reverses them begins early. Of five workers in a ring (`pgsql`
of our tests) that took 34,650 events for 781 executions, instead of 13,090; with source sets it is
13,426.

NOTE(branching-threads): the paper has no choices, threads here may. A tree holds threads, and all
steps of a thread are explored; below a choice a thread that is not in v is never taken for a weak
initial. Then executions may be redundant, and nothing is asserted from the first choice on. Such
executions may be blocked, and v is too short (NOTE(whole-executions)): what would have followed may
conflict with the step of a thread that is not in v. So no thread sleeps or is under way but as an
initial of v.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from abpress.reductions.stateless.algorithm import SearchPath
from abpress.reductions.stateless.node import ExecutionNode
from abpress.reductions.stateless.sequences import Item, Items, initials
from abpress.reductions.stateless.wakeup import Sizes, WakeupTree


@dataclass(slots=True)
class Plan:
    """wut(E') without what is done or under way, and the part that belongs below the latter.
    Mutable."""

    tree: WakeupTree
    below: WakeupTree = field(default_factory=WakeupTree)


class OptimalDpor:
    """Explores what the wakeup trees hold. What is redundant, the nodes say: that depends on
    whether writes count only where they are observed."""

    _path: SearchPath

    def __init__(self) -> None:
        self._sequences = 0
        self._wakeup = Sizes()

    def begin(self, path: SearchPath) -> None:
        """Notes the path: it says whether threads have had choices."""
        self._path = path

    def enter(self, node: ExecutionNode, parent: ExecutionNode | None) -> None:
        """Takes wut(E) as it is handed down (lines 15 to 20)."""
        tree: WakeupTree = WakeupTree() if parent is None else parent.plan.below
        if not self._path.certain:
            tree = tree.copy()
            self._wakeup.extended(tree.size())
        node.plan = Plan(tree)

    def choose(self, node: ExecutionNode) -> int | None:
        """The first branch (line 22); of an empty tree any enabled thread, if nothing is done."""
        plan: Plan = node.plan
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
            assert not self._path.certain, (
                "internal error: a wakeup sequence that cannot be executed"
            )
            if not (branches or node.done):
                self._extend(node, plan.tree)
        return None

    def planned(self, node: ExecutionNode) -> int:
        """How many branches the wakeup tree has."""
        return len(node.plan.tree.branches)

    def leave(self, node: ExecutionNode) -> None:
        """Drops what is left of the node's wakeup tree."""
        plan: Plan = node.plan
        self._wakeup.dropped(plan.tree)
        plan.tree.branches.clear()  # it may be the one below a branch of the parent, too
        self._wakeup.dropped(plan.below)

    def _extend(self, node: ExecutionNode, tree: WakeupTree) -> None:
        """Adds a branch to a leaf: what is explored there is free, and the first thread goes on."""
        if self._path.certain and node.any_asleep():
            enabled = next(node.enabled(), None) is not None
            assert not enabled, "internal error: optimal DPOR is about to explore something twice"
        thread = node.awake()
        if thread is not None:
            tree.branches.append((Item(thread, node.next_of(thread).access), WakeupTree()))
            self._wakeup.extended()

    def reverse(self, node: ExecutionNode, v: Items) -> None:
        """Inserts v, unless a branch that is done (asleep) or under way has it (lines 7 and 8)."""
        current = node.current
        if not self._path.certain:
            if any(t in node.sleep or t == current for t in initials(v)):
                return
        elif node.redundant(v):
            return
        elif current is not None:
            access = node.next_of(current).access
            if node.without(v, current, access) is not None:
                return
        self.insert(node, v)

    def insert(self, node: ExecutionNode, v: Items) -> bool:
        """Inserts v into the wakeup tree of the node; returns whether that did not have it."""
        new: int = node.plan.tree.insert(v, self._path.certain, node.without)
        if new:
            self._sequences += 1
            self._wakeup.inserted(new)
        return new > 0

    @property
    def counted(self) -> tuple[int, int, int, int]:
        """How many sequences were inserted; nodes that are new, there now, and there at most."""
        return self._sequences, self._wakeup.new, self._wakeup.now, self._wakeup.most

    @counted.setter
    def counted(self, numbers: tuple[int, int, int, int]) -> None:
        self._sequences, *sizes = numbers
        self._wakeup = Sizes(*sizes)

    def statistics(self) -> dict[str, int]:
        """How many sequences were inserted into wakeup trees, and how many nodes for them; how many
        nodes there were at most at a time in all trees, with those of free choices."""
        return {
            "wakeup_sequences": self._sequences,
            "wakeup_nodes": self._wakeup.new,
            "wakeup_nodes_at_most": self._wakeup.most,
        }
