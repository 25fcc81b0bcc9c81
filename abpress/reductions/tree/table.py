"""Which threads a node is expanded in: the reductions of the symbolic engine.

- `none`: all.
- `peephole`: all but those with a smaller id than the thread that has moved last, if their steps
  were independent of its step ([Monotonic09], in a tree with covers [ThreadsImpact13]). Every
  execution has an equivalent one in which no two neighbours stand so; all of these are in the tree
  if a node is covered only by nodes that leave out no more than it does itself, NOTE(cover-sleep).
- `s-por`: a thread with an invisible step alone, else all.
- `source`, `source+summaries`: `tree.source_sets`; `source` follows the paths behind a node
  instead of keeping summaries.
- `source+abstraction`: as `source+summaries`, but cells of which no label can speak do not count.
  The labels prove the same of the program in which these cells get arbitrary values before every
  step, and accesses to them are independent there. When the pool grows, the tree is built anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from abpress.art.node import Label, Node, Places
from abpress.logic.formula import TRUE, Formula
from abpress.reductions.tree.alphabet import Alphabet
from abpress.reductions.tree.progress import can_go_on, unproductive
from abpress.reductions.tree.source_sets import PathRaces, SummaryRaces, missing_threads
from abpress.reductions.tree.summaries import Look
from abpress.symbolic.system import SymbolicSystem

Request = tuple[Node, tuple[int, ...]]
"""A node, and threads in which it has to be expanded, too."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What reductions of all trees of a search stand on.

    `implies` says whether a label was proved to imply a formula.
    """

    system: SymbolicSystem
    places: Places
    alphabet: Alphabet
    implies: Callable[[Label, Formula], bool]


class Reduction(Protocol):
    """Chooses threads for the nodes of one tree."""

    def first(self, node: Node) -> tuple[int, ...]:
        """The threads in which a node is expanded at first."""

    def may_cover(self, other: Node, node: Node) -> bool:
        """Whether the other node may cover the node, for all that labels do not say."""

    def touch(self, node: Node) -> None:
        """The node has been expanded in threads, or covered."""

    def restart(self) -> None:
        """Nodes are uncovered, or not live any more: what is known of the tree may be wrong."""

    def more(self, look: Look) -> list[Request]:
        """What is missing when there is nothing else to do. None: the tree is complete."""


class NoReduction:
    """All threads. Also what others inherit."""

    def __init__(self, ground: Ground, nodes: Sequence[Node]) -> None:
        self._ground = ground
        self._nodes = nodes

    def first(self, node: Node) -> tuple[int, ...]:
        return node.place.threads

    def may_cover(self, other: Node, node: Node) -> bool:
        return True

    def touch(self, node: Node) -> None:
        return None

    def restart(self) -> None:
        return None

    def more(self, look: Look) -> list[Request]:
        return []


class Peephole(NoReduction):
    """See the module's docstring."""

    def first(self, node: Node) -> tuple[int, ...]:
        left_out = self._left_out(node)
        return tuple(t for t in node.place.threads if t not in left_out)

    def may_cover(self, other: Node, node: Node) -> bool:
        return self._left_out(other) <= self._left_out(node)

    def _left_out(self, node: Node) -> frozenset[int]:
        if node.parent is None or node.move is None:
            return frozenset()
        step, before = node.move.step, node.parent.place
        system = self._ground.system
        return frozenset(
            t
            for t in before.threads
            if t < step.thread
            and not any(
                step.writes & (other.reads | other.writes) or step.reads & other.writes
                for other in system.accesses(before.discrete, t)
            )
        )


class _Partial(NoReduction):
    """Reductions that expand a node in one thread that goes on, if there is one that suits."""

    def __init__(self, ground: Ground, nodes: Sequence[Node]) -> None:
        super().__init__(ground, nodes)
        self._conditions: dict[int, Formula] = {}

    def first(self, node: Node) -> tuple[int, ...]:
        threads = node.place.threads
        if len(threads) > 1:
            for thread in self._candidates(node):
                if self._goes_on(node, thread):
                    return (thread,)
        return threads

    def _candidates(self, node: Node) -> Iterator[int]:
        """Threads that may be expanded alone, the best first."""
        system, d = self._ground.system, node.place.discrete
        return (t for t in node.place.threads if system.invisible(d, t))

    def _goes_on(self, node: Node, thread: int) -> bool:
        """Whether the thread can go on in all states of the node."""
        moves = self._ground.places.moves(node.place, thread)
        if not moves:
            return False
        formula = self._conditions.get(moves[0].number)
        if formula is None:
            formula = self._conditions[moves[0].number] = can_go_on(moves)
        return formula is TRUE or self._ground.implies(node.label, formula)


class SPor(_Partial):
    """See the module's docstring."""

    def more(self, look: Look) -> list[Request]:
        return [(node, _rest(node)) for node in unproductive(self._nodes)]


class SourceSets(_Partial):
    """See the module's docstring."""

    kind: type[SummaryRaces] | type[PathRaces] = SummaryRaces

    def __init__(self, ground: Ground, nodes: Sequence[Node]) -> None:
        super().__init__(ground, nodes)
        self._races = self.kind(ground.alphabet, nodes)

    def first(self, node: Node) -> tuple[int, ...]:
        self._ground.alphabet.meet(node.place)
        return super().first(node)

    def _candidates(self, node: Node) -> Iterator[int]:
        alphabet, place = self._ground.alphabet, node.place
        moved = None if node.move is None else node.move.step.thread

        def rank(thread: int) -> tuple[bool, bool, int]:
            shared = any(masks.own & (masks.own - 1) for masks in alphabet.next(place, thread))
            return shared, thread != moved, thread

        yield from sorted(place.threads, key=rank)

    def touch(self, node: Node) -> None:
        self._races.touch(node)

    def restart(self) -> None:
        self._races.restart()

    def more(self, look: Look) -> list[Request]:
        ground = self._ground
        found = []
        for node in self._races.update(look):
            look()
            if node.live and node.coverer is None and not node.full:
                threads = missing_threads(
                    ground.alphabet, node, self._races.races, ground.system.creator
                )
                if threads:
                    found.append((node, threads))
        return found or [(node, _rest(node)) for node in unproductive(self._nodes)]


class PathSourceSets(SourceSets):
    """Without summaries."""

    kind = PathRaces


def _rest(node: Node) -> tuple[int, ...]:
    return tuple(t for t in node.place.threads if t not in node.expanded)


@dataclass(frozen=True, slots=True)
class ReductionInfo:
    """A reduction. `abstract`: cells of which no label can speak do not count."""

    make: Callable[[Ground, Sequence[Node]], Reduction]
    abstract: bool = False


REDUCTIONS: Mapping[str, ReductionInfo] = {
    "none": ReductionInfo(NoReduction),
    "peephole": ReductionInfo(Peephole),
    "s-por": ReductionInfo(SPor),
    "source": ReductionInfo(PathSourceSets),
    "source+summaries": ReductionInfo(SourceSets),
    "source+abstraction": ReductionInfo(SourceSets, abstract=True),
}
"""Name (the value of `--por`) -> reduction."""
