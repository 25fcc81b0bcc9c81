"""Reductions that expand a node in one thread at first, and in others when they are asked for.

Why that suffices, and when, is the theorem of `abpress.proof.source_sets`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable

from abpress.art.node import Node
from abpress.art.tree import Tree
from abpress.logic.formula import TRUE, Formula
from abpress.reductions.tree.footprints import Footprints
from abpress.reductions.tree.full import ExpandAll
from abpress.reductions.tree.progress import can_go_on, unproductive
from abpress.reductions.tree.protocol import Expired, Request, TreeContext
from abpress.reductions.tree.source_sets import PathRaces, RaceFinder, SummaryRaces, compute_bt


class ExpandOneFirst(ExpandAll):
    """The first candidate that goes on in all states of a node; all threads if there is none."""

    def __init__(self, context: TreeContext) -> None:
        super().__init__(context)
        self._conditions: dict[int, Formula] = {}

    @abstractmethod
    def candidates(self, node: Node) -> Iterable[int]:
        """Threads that may be expanded alone at first, the best one first."""

    def choose(self, node: Node) -> tuple[int, ...]:
        threads = node.place.threads
        if len(threads) > 1:
            for thread in self.candidates(node):
                if self._goes_on(node, thread):
                    return (thread,)
        return threads

    def backtrack(self, tree: Tree, expired: Expired) -> list[Request] | None:
        """The ignoring proviso: some node of every cycle is expanded in all threads."""
        return [
            (node, tuple(t for t in node.place.threads if t not in node.expanded))
            for node in unproductive(tree.nodes)
        ]

    def _goes_on(self, node: Node, thread: int) -> bool:
        """Whether the thread can go on in all states of the node."""
        moves = self._context.places.moves(node.place, thread)
        if not moves:
            return False
        formula = self._conditions.get(moves[0].number)
        if formula is None:
            formula = self._conditions[moves[0].number] = can_go_on(moves)
        return formula is TRUE or self._context.implies(node.label, formula)


class TreeSPor(ExpandOneFirst):
    """A thread with an invisible step, if there is one that goes on: no race asks for others."""

    def candidates(self, node: Node) -> Iterable[int]:
        system, d = self._context.system, node.place.discrete
        return (t for t in node.place.threads if system.invisible(d, t))


class TreeSourceSets(ExpandOneFirst):
    """Any thread that goes on, and the threads that races ask for."""

    finder: Callable[[Footprints], RaceFinder] = SummaryRaces

    def __init__(self, context: TreeContext) -> None:
        super().__init__(context)
        self._footprints = context.footprints
        self._footprints.begin_tree()
        self._races = self.finder(context.footprints)

    def choose(self, node: Node) -> tuple[int, ...]:
        self._footprints.add_place(node.place)
        return super().choose(node)

    def backtrack(self, tree: Tree, expired: Expired) -> list[Request] | None:
        """The threads of races; where no race asks for any, those of the ignoring proviso."""
        self._footprints.add_mentioned()
        changed = self._races.update(tree.nodes, tree.take_changes(), expired)
        if changed is None:
            return None
        creator = self._context.system.creator
        requests = []
        for node in changed:
            if expired():
                return None
            if node.open and not node.full:
                threads = compute_bt(node, self._races.races, creator)
                if threads:
                    requests.append((node, threads))
        return requests or super().backtrack(tree, expired)

    def candidates(self, node: Node) -> Iterable[int]:
        footprints, place = self._footprints, node.place
        moved = None if node.move is None else node.move.step.thread

        def rank(thread: int) -> tuple[bool, bool, int]:
            events = footprints.next_events(place, thread)
            shared = any(event.own & (event.own - 1) for event in events)
            return shared, thread != moved, thread

        return sorted(place.threads, key=rank)


class PathSourceSets(TreeSourceSets):
    """Source sets without summaries: the paths behind a node are followed."""

    finder = PathRaces
