"""The nodes that a preference order leaves of all interleavings, NOTE(preference-order).

A *node* is a discrete part, the threads that sleep, and the state of the order. A thread *sleeps*
where what it could do next was done before a step that it commutes with: it is not tried again
until a step conflicts with it. There is one node for each such triple, so paths meet and loop.

A step may commute with what a thread could do in some states only, NOTE(commuting-steps): then it
leads to a node where that thread sleeps, and to one where it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from abpress.engines.horn.commuting import Conditions
from abpress.engines.horn.exchanged import Peers
from abpress.engines.horn.orders import AS_AT_FIRST, Arrangement, OrderState
from abpress.ir.components import components
from abpress.logic.formula import FALSE, TRUE, Formula, conj, neg
from abpress.symbolic.discrete import PROGRAM_KEY, Access, Discrete, SymbolicStep
from abpress.symbolic.exchange import Moves
from abpress.symbolic.system import SymbolicSystem

MOST_NODES = 30_000
"""Larger graphs are not built."""

_MOST_CASES = 4
"""Of a step: the nodes to which it may lead. Who would make more of them does not sleep."""


@dataclass(frozen=True, slots=True)
class GraphMove:
    """A step between nodes, taken where the formula `when` holds before it; `target` is None where
    it ends in an error: a violation that is looked for, or what no proof survives. `becomes`: which
    threads are others at the target, NOTE(symmetric-covers)."""

    source: int
    step: SymbolicStep
    target: int | None
    when: Formula = TRUE
    becomes: Moves = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A node. `expanded` are its threads that do not sleep, the most preferred one first."""

    discrete: Discrete
    asleep: frozenset[int]
    order: OrderState
    expanded: tuple[int, ...]


@dataclass(slots=True)
class Graph:
    """The nodes; the first one is where executions begin. Mutable while it is built."""

    nodes: list[GraphNode] = field(default_factory=list)
    moves: list[GraphMove] = field(default_factory=list)

    @property
    def signature(self) -> object:
        """Equal for graphs that differ in nothing but the state of the order, which clauses do not
        tell."""
        places = [(node.discrete, node.asleep) for node in self.nodes]
        moves = (
            (places[m.source], m.step.thread, m.step.edges, m.when)
            + ((None, m.step.fault) if m.target is None else places[m.target])
            for m in self.moves
        )
        return len(places), len(self.moves), frozenset(moves)

    @property
    def has_others(self) -> bool:
        """Whether threads are others behind some move."""
        return any(move.becomes for move in self.moves)

    def has_cycles(self) -> bool:
        """Whether paths come back to where they were."""
        targets: dict[int, list[int]] = {n: [] for n in range(len(self.nodes))}
        for move in self.moves:
            if move.target is not None:
                targets[move.source].append(move.target)
        return any(len(its) > 1 for its in components(targets)) or any(
            move.source == move.target for move in self.moves
        )

    def to_errors(self) -> list[GraphMove]:
        """The moves by which errors may be reached."""
        into: dict[int, list[int]] = {}
        todo = []
        for move in self.moves:
            if move.target is None:
                todo.append(move.source)
            else:
                into.setdefault(move.target, []).append(move.source)
        found = set(todo)
        while todo:
            for n in into.get(todo.pop(), ()):
                if n not in found:
                    found.add(n)
                    todo.append(n)
        return [
            m for m in self.moves if m.source in found and (m.target is None or m.target in found)
        ]


class TooLarge(Exception):
    """The graph is not complete."""


class Building:
    """The graph of all nodes, so far. Mutable. With `conditions` threads sleep also where steps
    that conflict commute; with `peers` there is one node for all that are alike but for which
    threads that are alike are which."""

    def __init__(
        self,
        system: SymbolicSystem,
        arrangement: Arrangement,
        is_error: Callable[[SymbolicStep], bool],
        conditions: Conditions | None,
        peers: Peers | None = None,
    ) -> None:
        self._peers = peers
        self._conditions = conditions
        self._system = system
        self._arrangement = arrangement
        self._is_error = is_error
        self._graph = Graph()
        self._numbers: dict[tuple[Discrete, frozenset[int], OrderState], tuple[int, Moves]] = {}
        self._todo: list[int] = []

    @property
    def size(self) -> int:
        """The nodes so far."""
        return len(self._graph.nodes)

    @property
    def is_too_large(self) -> bool:
        """Whether it has so many nodes that it is not completed."""
        return self.size > MOST_NODES

    def complete(self, expired: Callable[[int], bool]) -> Graph:
        """The whole graph. Raises TooLarge, also where `expired`, told the number of nodes, says
        so: another call goes on then. Raises TellsApart where there are peers, and `main` may tell
        threads apart that are alike."""
        if not self._graph.nodes:
            discrete, _ = self._system.initial()
            if self._peers is not None:
                self._peers.require(None, discrete)
            self._node(discrete, frozenset(), AS_AT_FIRST)
        while self._todo:
            if self.is_too_large or expired(self.size):
                raise TooLarge
            self._expand(self._todo.pop())
        return self._graph

    def _node(self, d: Discrete, asleep: frozenset[int], order: OrderState) -> tuple[int, Moves]:
        """The number of the node, and which threads are others there."""
        key = d, asleep, order
        found = self._numbers.get(key)
        if found is None:
            number = len(self._graph.nodes)
            found = number, {}
            if self._peers is not None:
                found = self._peers.found(number, d, asleep, order)
            self._numbers[key] = found
            if found[0] == number:
                threads = () if self._system.ended(d) is not None else self._system.threads(d)
                arranged = self._arrangement.arranged(d, threads, order)
                awake = tuple(t for t in arranged if t not in asleep)
                self._graph.nodes.append(GraphNode(d, asleep, order, awake))
                self._todo.append(number)
        return found

    def _expand(self, n: int) -> None:
        node, system = self._graph.nodes[n], self._system
        done = set(node.asleep)
        for t in node.expanded:
            for step in system.steps(node.discrete, t):
                if step.fault is not None or step.violation is not None:
                    if self._is_error(step):
                        self._graph.moves.append(GraphMove(n, step, None))
                    continue
                if self._peers is not None:
                    self._peers.require(node.discrete, step.successor)
                over = system.ended(step.successor) is not None
                invisible = system.invisible(node.discrete, t)
                order = AS_AT_FIRST
                if not over:
                    order = self._arrangement.after(node.order, node.discrete, step, invisible)
                for asleep, when in self._cases(node.discrete, step, done if not over else set()):
                    target, becomes = self._node(step.successor, asleep, order)
                    self._graph.moves.append(GraphMove(n, step, target, when, becomes))
            done.add(t)

    def _cases(
        self, d: Discrete, step: SymbolicStep, done: set[int]
    ) -> Iterator[tuple[frozenset[int], Formula]]:
        """Who sleeps after a step, of those that were done before it, under which formula: one of
        these holds."""
        asleep: set[int] = set()
        cases: list[tuple[frozenset[int], tuple[Formula, ...]]] = [(frozenset(), ())]
        for u in sorted(done):
            if not any(_conflict(step, its) for its in self._system.accesses(d, u)):
                asleep.add(u)
            elif self._conditions is not None:
                where = self._conditions.of(d, step, u)
                if where is TRUE:
                    asleep.add(u)
                elif where is not FALSE and 2 * len(cases) <= _MOST_CASES:
                    cases = [
                        case
                        for some, when in cases
                        for case in ((some | {u}, (*when, where)), (some, (*when, neg(where))))
                    ]
        for some, when in cases:
            yield some | asleep, conj(when)


def _conflict(a: SymbolicStep, b: Access) -> bool:
    """Whether one writes what the other reads or writes."""
    both = (a.writes & b.writes) | (a.writes & b.reads) | (a.reads & b.writes)
    return not both <= {PROGRAM_KEY}
