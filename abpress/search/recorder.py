"""Recordings of searches without stored states: executions, and the tree, to be shown.

The search does not know of it: executions are told by `Hooks.on_end`, and the tree is drawn by a
choice of threads around the one that is asked.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum

from abpress.reductions.stateless.algorithm import (
    SearchPath,
    StatelessAlgorithm,
    ThreadChoice,
)
from abpress.reductions.stateless.node import ExecutionNode
from abpress.reductions.stateless.sequences import Items
from abpress.search.ledger import Schedule
from abpress.search.statistics import Outcome
from abpress.semantics.interpreter import Interpreter


class Pruned(Enum):
    """Why a thread was not explored at a node."""

    ASLEEP = "asleep: explored elsewhere"
    KNOWN = "known: everything was explored from this state"
    WAITS = "waits"
    NOT_ASKED = "no race asks for it"


@dataclass(frozen=True, slots=True)
class DrawnRace:
    """A race that was looked at: between the steps of two threads, each with the number of the
    node after which it stands. The later thread may wait there."""

    earlier: tuple[int, int]
    later: tuple[int, int]


@dataclass(slots=True)
class PrefixNode:
    """A prefix of executions. Mutable: the search fills it in.

    `parent` is the number of the node before it, `step` the thread and the choices that lead here.
    `outcome`: an execution ends here. `pruned` are the threads that were not explored, and why.
    `left`: nothing is left to explore here. `hidden`: so many nodes below are not in the tree.
    """

    parent: int | None = None
    step: tuple[int, tuple[int, ...]] = (0, ())
    outcome: Outcome | None = None
    pruned: dict[int, Pruned] = field(default_factory=dict)
    left: bool = False
    hidden: int = 0


class RecordedTree:
    """The prefixes that a search has met, in their order, at most `most`; those that follow are
    only counted, at the last node before them. Mutable."""

    def __init__(self, most: int) -> None:
        self.nodes: list[PrefixNode] = []
        self.races: dict[DrawnRace, None] = {}
        self._most = most
        self._path: list[tuple[ExecutionNode, int, bool]] = []
        """The current prefixes, each with its number, True; or that of the last one before it that
        is drawn, False."""

    def clear(self) -> None:
        """Forgets everything."""
        self.nodes.clear()
        self.races.clear()
        self._path.clear()

    @property
    def hidden(self) -> int:
        """How many nodes are not in the tree."""
        return sum(node.hidden for node in self.nodes)

    def enter(self, node: ExecutionNode, parent: ExecutionNode | None) -> None:
        """Draws a node that the search has come to."""
        while self._path and self._path[-1][0] is not parent:
            self._path.pop()
        drawn = PrefixNode()
        if parent is not None:
            thread = parent.current
            assert thread is not None
            steps = parent.next_of(thread).steps
            choices = next(step.choices for step in steps if step.successor is node.state)
            drawn = PrefixNode(self._path[-1][1], (thread, choices))
        self._path.append((node, *self._add(drawn)))

    def _add(self, drawn: PrefixNode) -> tuple[int, bool]:
        if len(self.nodes) < self._most or drawn.parent is None:
            self.nodes.append(drawn)
            return len(self.nodes) - 1, True
        self.nodes[drawn.parent].hidden += 1
        return drawn.parent, False

    def leave(self, node: ExecutionNode) -> None:
        """Marks a node of the path as left, and says why threads were not explored there."""
        while self._path[-1][0] is not node:
            self._path.pop()
        _, number, is_drawn = self._path[-1]
        if is_drawn:
            drawn = self.nodes[number]
            drawn.left = True
            drawn.pruned = {t: _why(node, t) for t in node.threads if t not in node.done}

    def race(self, node: ExecutionNode, v: Items) -> None:
        """Draws a race of the step after the node, as in `ThreadChoice.reverse`."""
        thread = v[-1].thread
        steps = sum(item.thread == thread for item in v[:-1])  # of the thread before the race
        path = iter(self._path)
        earlier = next(entry for entry in path if entry[0] is node)
        later = self._path[-1]
        for entry in path:
            if entry[0].current == thread:
                if steps == 0:
                    later = entry
                    break
                steps -= 1
        assert node.current is not None
        if earlier[2] and later[2]:
            race = DrawnRace((earlier[1], node.current), (later[1], thread))
            self.races.setdefault(race)

    def ended(self, outcome: Outcome, schedule: Schedule) -> None:
        """An execution has ended: at the last node, or by a step that violates a property."""
        _, number, is_drawn = self._path[-1]
        if outcome is Outcome.VIOLATING:
            self._add(PrefixNode(number, schedule[-1], outcome, left=True))
        elif is_drawn:
            self.nodes[number].outcome = outcome


def _why(node: ExecutionNode, thread: int) -> Pruned:
    known = node.known.get(thread)
    if known is not None and not known.steps:
        return Pruned.WAITS
    if node.met:
        return Pruned.KNOWN
    return Pruned.ASLEEP if thread in node.sleep else Pruned.NOT_ASKED


class _Drawing:
    """Chooses as another choice of threads, and draws the tree of the search."""

    def __init__(self, choice: ThreadChoice, tree: RecordedTree) -> None:
        self._choice = choice
        self._tree = tree
        self.choose = choice.choose
        self.planned = choice.planned
        self.statistics = choice.statistics

    def begin(self, path: SearchPath) -> None:
        self._choice.begin(path)

    def enter(self, node: ExecutionNode, parent: ExecutionNode | None) -> None:
        self._tree.enter(node, parent)
        self._choice.enter(node, parent)

    def leave(self, node: ExecutionNode) -> None:
        self._tree.leave(node)
        self._choice.leave(node)

    def reverse(self, node: ExecutionNode, v: Items) -> None:
        self._tree.race(node, v)
        self._choice.reverse(node, v)


@dataclass(slots=True)
class Recording:
    """What is to be kept of a search. Mutable: the search fills it in.

    `executions` are how the first ones end, in the order of the search, at most `most_executions`;
    `tree` is None if it is not wanted. `system` gives the names, once the search has begun.
    """

    most_executions: int = 0
    tree: RecordedTree | None = None
    executions: list[tuple[Outcome, Schedule]] = field(default_factory=list)
    system: Interpreter | None = None
    met: int = 0  # executions, kept or not

    def watching(self, algorithm: StatelessAlgorithm) -> StatelessAlgorithm:
        """The algorithm to search with."""
        if self.tree is None:
            return algorithm
        return replace(algorithm, choice=_Drawing(algorithm.choice, self.tree))

    def restart(self) -> None:
        """As `Hooks.on_restart`."""
        self.met = 0
        self.executions.clear()
        if self.tree is not None:
            self.tree.clear()

    def ended(self, outcome: Outcome, schedule: Schedule) -> None:
        """As `Hooks.on_end`."""
        self.met += 1
        if len(self.executions) < self.most_executions:
            self.executions.append((outcome, schedule))
        if self.tree is not None:
            self.tree.ended(outcome, schedule)
