"""Wakeup trees ([ODPOR14], section 6.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from abpress.reductions.stateless.sequences import Item, Items, without
from abpress.relations.footprint import Footprint

Without = Callable[[Items, int, Footprint | None], Items | None]
"""As `sequences.without`."""


@dataclass(slots=True, eq=False)
class WakeupTree:
    """An ordered tree of sequences that are still to be explored. Mutable.

    A node stands for the sequence of items on its way from the root; `certain` says that no step of
    it has a choice, so that the accesses of the items below are those that will be met.
    """

    certain: bool = True
    branches: list[tuple[Item, WakeupTree]] = field(default_factory=list)

    def insert(self, v: Items, certain: bool, without: Without = without) -> int:
        """insert(v, tree): returns how many nodes are new, 0 if a leaf covers v.

        `certain` says that no step of v has a choice, `without` what weak initials are.
        """
        tree, rest = self._reached(v, without)
        if not rest or (tree is not self and not tree.branches):
            return 0
        for item in rest:
            below = WakeupTree(certain)
            tree.branches.append((item, below))
            tree = below
        return len(rest)

    def has(self, v: Items, without: Without = without) -> bool:
        """Whether a leaf covers v, so that `insert` would add nothing."""
        tree, rest = self._reached(v, without)
        return not rest or not tree.branches

    def _reached(self, v: Items, without: Without) -> tuple[WakeupTree, Items]:
        """The last node of the way that v takes from the root, and what is left of v there."""
        tree = self
        while v:
            for item, below in tree.branches:
                rest = without(v, item.thread, item.access if tree.certain else None)
                if rest is not None:
                    tree, v = below, rest
                    break
            else:
                break
        return tree, v

    def copy(self) -> WakeupTree:
        """A tree that can be changed without changing this one."""
        branches = [(item, below.copy()) for item, below in self.branches]
        return WakeupTree(self.certain, branches)

    def size(self) -> int:
        """How many nodes it has below the root."""
        return sum(1 + below.size() for _, below in self.branches)


@dataclass(slots=True)
class Sizes:
    """How many nodes the wakeup trees of a search have: `new` ones because of races so far; `now`,
    and at `most` at a time, of all kinds. Mutable."""

    new: int = 0
    now: int = 0
    most: int = 0

    def inserted(self, nodes: int) -> None:
        """Counts the new nodes that a sequence has led to."""
        self.new += nodes
        self.now += nodes
        self.most = max(self.most, self.now)

    def extended(self, nodes: int = 1) -> None:
        """Counts nodes that were added for other reasons."""
        self.now += nodes
        self.most = max(self.most, self.now)

    def explored(self) -> None:
        """Counts off the first node of a branch that is taken; what is below it is handed down."""
        self.now -= 1

    def dropped(self, tree: WakeupTree) -> None:
        """Counts off what is left of a tree, which is not explored."""
        if tree.branches:
            self.now -= tree.size()
