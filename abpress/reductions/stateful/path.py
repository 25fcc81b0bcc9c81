"""Happens-before on the path of a search that stores states.

(PH) A thread t at a state s races with a thread u if on a path of the graph, that begins with t's
step at s and ends with a step or attempt of u, those two are a race (`relations.happens_before`).

Theorem. In (P) of `stateful.algorithm`, of the threads that have something that is dependent on
the next step of a t in T that can move, in the future of that step, those are enough that race with
t. The proof is the same, for attempts instead of the last step a, with one addition. On the path
from t's step along w to u's attempt, nothing happens between the two: the steps of w are
independent of t's step; and what the walk inserts is a step of another set T', at a state that is
left before s, so the assumption says that it is independent of what is left of w, and of the
attempt.

Of the paths behind a visited state the search sees one beginning only. NOTE(unknown-paths): on
another one there may be races that there are none of on the path on which the state was explored,
where the steps happened one after the other. So where a visited state is met, what can happen
behind it has to be compared with the path once more; if it was not complete then, where the last
state is left that reaches it. What is known of these races is only what happens before them on the
path up to there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from abpress.reductions.stateful.algorithm import StateNode
from abpress.relations.footprint import Footprint
from abpress.relations.happens_before import Event, Execution


class TracedPath:
    """The path of the search: its nodes, and the steps that were taken there. Mutable."""

    def __init__(self, creator: Callable[[int], int]) -> None:
        self._creator = creator
        self._execution = Execution()
        self._nodes: list[StateNode] = []

    def step(self, node: StateNode, access: Footprint) -> list[StateNode]:
        """Goes on by the steps of `node.current`; returns the nodes where its races begin."""
        self.leave(node)
        past, races = self._execution.relate(node.current, access)
        self._execution.push(Event(node.current, (), access, past))
        self._nodes.append(node)
        return [self._nodes[e] for e in races]

    def leave(self, node: StateNode) -> None:
        """Takes the steps back that were taken at the node: they are explored."""
        if self._nodes and self._nodes[-1] is node:
            self._nodes.pop()
            self._execution.pop()

    @property
    def mover(self) -> int:
        """The thread of the last step; 0 at the beginning."""
        return self._nodes[-1].current if self._nodes else 0

    def races(self, thread: int, access: Footprint) -> list[StateNode]:
        """The nodes where the races of a thread begin that makes an attempt here."""
        return [self._nodes[e] for e in self._execution.relate(thread, access)[1]]

    def unordered(self, thread: int) -> Iterator[StateNode]:
        """The nodes on the path whose steps, by other threads, are not known to happen before all
        that the thread, which may be created later, will do."""
        if not self._nodes:
            return
        known = thread
        while known and known not in self._nodes[-1].threads:
            known = self._creator(known)
        past = self._execution.before(known)
        for e, node in enumerate(self._nodes):
            if not past >> e & 1 and node.current != thread:
                yield node
