"""Nodes of the abstract reachability tree, and what they share.

- A *place* is a discrete part of the state, with the moves of its threads.
- A *move* is a symbolic step from a place to a place.
- A *node* is a place with a label: what is known of the variables there. It stands for all states
  of the place that satisfy the label.
- A node is *covered* by another node of its place if every formula of the other's label is in its
  own: whatever is reached from it is reached from the other one. It is not expanded.
- A node is *expanded* in a thread if it has a child for every move of the thread that is possible
  under its label.
- A node is *closed* if it is covered, or expanded in threads that suffice.
- A tree is *complete* if all its nodes are closed, and no move that ends in an error is possible.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from abpress.ir.formula import Formula
from abpress.semantics.discrete import Discrete, SymbolicStep
from abpress.semantics.symbolic import SymbolicSystem

Label = int
"""A set of formulas, as the policy numbers them."""


@dataclass(eq=False, slots=True)
class Move:
    """A symbolic step from a place to a place. `number` is unique in a search."""

    number: int
    step: SymbolicStep
    source: Place
    successor: Place


@dataclass(eq=False, slots=True)
class Place:
    """A discrete part. Mutable: moves are computed when asked for; `open` changes with the tree."""

    discrete: Discrete
    threads: tuple[int, ...]
    moves: dict[int, tuple[Move, ...]] = field(default_factory=dict)
    open: list[Node] = field(default_factory=list)  # the nodes that are not covered


@dataclass(eq=False, slots=True)
class Node:
    """A node of the tree. Mutable: it is expanded, or covered, after it was made."""

    number: int
    place: Place
    label: Label
    parent: Node | None = None
    move: Move | None = None  # from the parent
    depth: int = 0
    coverer: Node | None = None
    covers: list[Node] = field(default_factory=list)
    expanded: dict[int, list[tuple[Move, Node | None]]] = field(default_factory=dict)

    @property
    def full(self) -> bool:
        """Whether it is expanded in all threads."""
        return len(self.expanded) == len(self.place.threads)

    def representative(self) -> Node:
        """The node itself; if it is covered, the one that is explored in its place."""
        node = self
        while node.coverer is not None:
            node = node.coverer
        return node

    def path(self) -> tuple[Move, ...]:
        """The moves from the root to this node."""
        found = []
        node: Node | None = self
        while node is not None and node.move is not None:
            found.append(node.move)
            node = node.parent
        return tuple(reversed(found))


class Places:
    """The places of a program, interned. They outlive the trees that are built over them."""

    def __init__(self, system: SymbolicSystem) -> None:
        self._system = system
        self._places: dict[Hashable, Place] = {}
        self._moves = 0

    def __len__(self) -> int:
        return len(self._places)

    def at(self, discrete: Discrete) -> Place:
        """The place with this discrete part."""
        place = self._places.get(discrete)
        if place is None:
            threads = () if self._system.ended(discrete) else tuple(self._system.threads(discrete))
            place = self._places[discrete] = Place(discrete, threads)
        return place

    def moves(self, place: Place, thread: int) -> tuple[Move, ...]:
        """The moves of the thread at the place."""
        moves = place.moves.get(thread)
        if moves is None:
            steps = self._system.steps(place.discrete, thread)
            moves = place.moves[thread] = tuple(self._move(place, step) for step in steps)
        return moves

    def clear(self) -> None:
        """Forgets all nodes."""
        for place in self._places.values():
            place.open.clear()

    def _move(self, source: Place, step: SymbolicStep) -> Move:
        self._moves += 1
        return Move(self._moves - 1, step, source, self.at(step.successor))


@dataclass(frozen=True, slots=True)
class NodeView:
    """A node of a finished tree.

    `expansions`: per expanded thread, its steps with the number of the child; None says that the
    step is impossible under the label. A covered node has none.
    """

    number: int
    discrete: Discrete
    label: tuple[Formula, ...]
    covered_by: int | None
    expansions: tuple[tuple[int, tuple[tuple[SymbolicStep, int | None], ...]], ...]


@dataclass(frozen=True, slots=True)
class ArtView:
    """A complete tree, for certificates. The first node is the root; numbers are indices.

    `threads` are the names of threads in the order of their ids, from 1 on; `tracked` are the
    static objects whose values belong to the discrete part where they are known.
    """

    nodes: tuple[NodeView, ...]
    reduction: str
    encoding: str
    threads: tuple[str, ...]
    tracked: tuple[str, ...]
