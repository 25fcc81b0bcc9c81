"""Nodes of the abstract reachability tree, and what they share.

- A *place* is a discrete part of the state, with the moves of its threads.
- A *move* is a symbolic step from a place to a place.
- A *node* is a place with a label: what is known of the variables there. It stands for all states
  of the place that satisfy the label.
- A node is *covered* by another node of its place if its label implies the other's: whatever is
  reached from it is reached from the other one.
- A node is *live* if no node above it is covered, and all moves to it are possible. Only live nodes
  count; others stay where they are, and are live again when the node above is not covered any more.
- A node is *open* if it is live and not covered (McMillan: uncovered).
- A node is *expanded* in a thread if it has a child for every move of the thread that is possible
  under its label.
- A node is *closed* if it is covered, or expanded in threads that suffice.
- A tree is *complete* if all live nodes are closed, and no move that ends in an error is possible
  at one that is not covered.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from abpress.analysis.alike import TellsApart
from abpress.art.permutations import Permutations
from abpress.ir.expr import Compare, Const, Reg
from abpress.logic.formula import Formula, holds
from abpress.symbolic.discrete import Discrete, EndShown, SymbolicStep, variable_type
from abpress.symbolic.exchange import Moves, SymmetricSystem, composed, names_moved
from abpress.symbolic.system import SymbolicSystem

Label = int
"""A set of formulas, as the policy numbers them."""


@dataclass(eq=False, slots=True)
class Move:
    """A symbolic step from a place to a place. `number` is unique in a search."""

    number: int
    step: SymbolicStep
    source: Place
    successor: Place

    @property
    def fails(self) -> bool:
        """Whether it ends in a violation or a fault. (What states show is no move.)"""
        return self.step.violation is not None or self.step.fault is not None


@dataclass(eq=False, slots=True)
class Place:
    """A discrete part. Mutable: moves are computed when asked for; `open` changes with the tree.

    `peers` are the places that it becomes where threads that are alike become one another, itself
    among them, each with what the threads become (`Places.peers`).
    """

    discrete: Discrete
    threads: tuple[int, ...]
    moves: dict[int, tuple[Move, ...]] = field(default_factory=dict)
    shown: dict[EndShown, tuple[Move, ...]] = field(default_factory=dict)  # what was asked for
    open: list[Node] = field(default_factory=list)  # the open nodes, by number
    peers: list[tuple[Place, tuple[Moves, ...]]] = field(default_factory=list)
    peers_known: int = 0  # of the places with its key, those that were looked at

    @property
    def facts(self) -> tuple[Formula, ...]:
        """What the discrete part says of the integers that it knows."""
        found = []
        for name, known in self.discrete.known:
            if isinstance(known, Const):
                type = variable_type(known.type)
                found.append(holds(Compare("==", Reg(name, type), Const(known.value, type))))
        return tuple(found)


@dataclass(eq=False, slots=True)
class Node:
    """A node of the tree. Mutable: it is expanded, or covered, after it was made.

    What covers it, and what it covers, are live.
    """

    number: int
    place: Place
    label: Label
    parent: Node | None = None
    move: Move | None = None  # from the parent
    depth: int = 0
    live: bool = True
    coverer: Node | None = None
    moves: Moves = field(default_factory=dict)  # which thread is which one at the coverer
    covers: list[Node] = field(default_factory=list)
    expanded: dict[int, list[tuple[Move, Node | None]]] = field(default_factory=dict)

    @property
    def open(self) -> bool:
        """Whether it is live and not covered."""
        return self.live and self.coverer is None

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

    def through(self) -> Moves:
        """What its threads are at its representative, of those that are not the same."""
        found: Moves = {}
        node = self
        while node.coverer is not None:
            if node.moves:
                found = composed(found, node.moves)
            node = node.coverer
        return found

    def from_root(self) -> list[Node]:
        """The nodes from the root to this node."""
        found = [self]
        while found[-1].parent is not None:
            found.append(found[-1].parent)
        return found[::-1]

    def path(self) -> tuple[Move, ...]:
        """The moves from the root to this node."""
        return tuple(node.move for node in self.from_root() if node.move is not None)

    def descendants(self) -> list[Node]:
        """The live nodes below this node."""
        found: list[Node] = []
        todo = [self]
        while todo:
            for children in todo.pop().expanded.values():
                live = [child for _, child in children if child is not None and child.live]
                found += live
                todo += live
        return found


class Places:
    """The places of a program, interned. They outlive the trees that are built over them."""

    def __init__(self, system: SymbolicSystem) -> None:
        self._system = system
        self._places: dict[Hashable, Place] = {}
        self._moves = 0
        self._symmetric = system if isinstance(system, SymmetricSystem) else None
        self._permutations = None if self._symmetric is None else Permutations(self._symmetric)
        self._alike: dict[Hashable, list[Place]] = {}

    def __len__(self) -> int:
        return len(self._places)

    def at(self, discrete: Discrete) -> Place:
        """The place with this discrete part."""
        place = self._places.get(discrete)
        if place is None:
            threads = () if self._system.ended(discrete) else tuple(self._system.threads(discrete))
            place = self._places[discrete] = Place(discrete, threads)
            if self._permutations is not None and threads:
                key = self._permutations.key(discrete)
                if key is not None:
                    self._alike.setdefault(key, []).append(place)
        return place

    def peers(self, place: Place) -> list[tuple[Place, tuple[Moves, ...]]]:
        """The places that the place becomes where threads that are alike become one another."""
        permutations = self._permutations
        if permutations is None or not place.threads:
            return place.peers
        its = self._alike.get(permutations.key(place.discrete), [])
        for other in its[place.peers_known :]:
            known = permutations.between(place.discrete, other.discrete)
            if known:
                place.peers.append((other, known))
        place.peers_known = len(its)
        return place.peers

    def names_moved(self, moves: Moves) -> Mapping[str, str]:
        """The names of threads that change, with what they become."""
        return names_moved(self._system, moves)

    def moves(self, place: Place, thread: int) -> tuple[Move, ...]:
        """The moves of the thread at the place. Raises TellsApart where `main` may tell threads
        apart that are alike."""
        moves = place.moves.get(thread)
        if moves is None:
            steps = self._system.steps(place.discrete, thread)
            moves = place.moves[thread] = tuple(self._move(place, step) for step in steps)
        return moves

    def shown(self, place: Place, what: EndShown) -> tuple[Move, ...]:
        """The ends of executions in states of the place that show something, as moves."""
        moves = place.shown.get(what)
        if moves is None:
            ends = self._system.shown(place.discrete, what) if place.threads else ()
            moves = place.shown[what] = tuple(self._move(place, end) for end in ends)
        return moves

    def clear(self) -> None:
        """Forgets all nodes."""
        for place in self._places.values():
            place.open.clear()

    def _move(self, source: Place, step: SymbolicStep) -> Move:
        self._moves += 1
        system = self._symmetric
        if system is not None and step.shows is None:
            why = system.failure(source.discrete, step.successor)
            if why:
                raise TellsApart(why)
        return Move(self._moves - 1, step, source, self.at(step.successor))
