"""The interface of reductions of the reachability tree: Choose and Backtrack of the paper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from abpress.art.node import Label, Node, Places
from abpress.art.tree import Tree
from abpress.logic.formula import Formula
from abpress.reductions.tree.footprints import Footprints
from abpress.symbolic.system import SymbolicSystem

Request = tuple[Node, tuple[int, ...]]
"""A node, and threads in which it has to be expanded, too."""

Expired = Callable[[], bool]
"""Whether the time is over; asked now and then in long work."""


@dataclass(frozen=True, slots=True)
class TreeContext:
    """What the reductions of all trees of one attempt share.

    `implies` says whether a label was proved to imply a formula.
    """

    system: SymbolicSystem
    places: Places
    footprints: Footprints
    implies: Callable[[Label, Formula], bool]


class TreeReduction(Protocol):
    """Chooses threads for the nodes of one tree."""

    def choose(self, node: Node) -> tuple[int, ...]:
        """Choose: the threads in which a node is expanded at first."""

    def may_cover(self, other: Node, node: Node) -> bool:
        """Whether the other node may cover the node, for all that labels do not say."""

    def backtrack(self, tree: Tree, expired: Expired) -> list[Request] | None:
        """Backtrack: what is missing in a tree whose nodes are all covered or expanded.

        Without requests the tree is complete. None: the time is over before that is known.
        """
