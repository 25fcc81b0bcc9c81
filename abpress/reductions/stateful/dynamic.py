"""A dynamic reduction in the search: at each state its algorithm is asked for more threads until
those that are explored suffice.

The proviso for cycles is kept here: the strongly connected components of the explored graph are
found on the way, and at the states on cycles all threads are explored.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from abpress.reductions.choice import Visited
from abpress.reductions.next_steps import Next
from abpress.reductions.stateful.algorithm import DynamicAlgorithm, StateNode
from abpress.reductions.stateful.components import Components
from abpress.reductions.static.s_por import safe_steps
from abpress.relations.footprint import InternedFootprints
from abpress.semantics.outcome import State
from abpress.semantics.protocols import Foreseeing, Step
from abpress.semantics.recording import Recorded


class RecordingSystem(Foreseeing[State], Protocol):
    """A system that tells what steps access."""

    def record(self, state: State, thread: int, /) -> Recorded:
        """The steps of a thread, and what its attempts access."""


class DynamicReduction:
    """The reduction that asks an algorithm for threads, and sees to cycles of the search."""

    def __init__(self, system: RecordingSystem, algorithm: DynamicAlgorithm) -> None:
        self.asks_again = True
        self.thread_choices = 0
        self._system = system
        self._algorithm = algorithm
        self._accesses = InternedFootprints()
        self._components = Components()
        self._nodes: list[StateNode] = []  # of the states on the stack
        self._discovered = 0

    def expand(self, state: State, visited: Visited[State]) -> Iterator[Step[State]]:
        """The steps of a thread that is explored alone, or of threads as the algorithm wants."""
        serial = self._discovered
        self._discovered += 1
        self._components.enter(serial)
        if self._nodes:
            self._nodes[-1].arrive(serial)

        def is_complete(state: State) -> bool:
            known = visited.serial(state)
            return known is not None and not self._components.is_open(known)

        threads = self._system.threads(state)
        safe = safe_steps(self._system, state, threads, visited.on_stack, self._algorithm.tests)
        node = StateNode(state, threads, self._look, serial, is_complete, safe is not None)
        self._nodes.append(node)
        if safe is None:
            self._algorithm.enter(node)
            return self._ask(node)
        node.begin(safe[0].thread)
        self._algorithm.step_alone(node)
        return iter(safe)

    def _look(self, state: State, thread: int) -> Next:
        """The next steps of a thread that change the state, and what all its attempts access."""
        steps, _, reads, writes, ends = self._system.record(state, thread)
        if any(step.successor == state and step.violation is None for step in steps):
            steps = tuple([s for s in steps if s.successor != state or s.violation is not None])
        return Next(steps, self._accesses.of(thread, reads, writes, ends))

    def _ask(self, node: StateNode) -> Iterator[Step[State]]:
        while (thread := self._choose(node)) is not None:
            node.begin(thread)
            self.thread_choices += len(node.explored) == 2
            self._algorithm.step(node)
            yield from node.next_of(thread).steps

    def _choose(self, node: StateNode) -> int | None:
        """The next thread to explore; None if those that are explored suffice."""
        wanted = node.remaining() if node.cyclic else self._algorithm.wanted(node)
        return wanted[0] if wanted else None

    def meet(self, serial: int, state: State) -> None:
        """Tells the algorithm of a state that is complete; another one is on a cycle."""
        node = self._nodes[-1]
        node.arrive(serial)
        if self._components.is_open(serial):
            node.cyclic = True
            self._components.meet(node.serial, serial)
        else:
            self._algorithm.meet(serial, state)

    def stays(self, state: State) -> bool:
        """Whether there are steps that were left out, as they do not change the state."""
        return any(self._system.steps(state, thread) for thread in self._nodes[-1].threads)

    def leave(self) -> None:
        """Tells the algorithm of the state, and of its component when that is complete."""
        node = self._nodes.pop()
        self._algorithm.leave(node)
        component = self._components.leave(node.serial)
        if component:
            self._algorithm.complete(node, component)
        else:
            below = self._nodes[-1]
            below.cyclic = True
            self._components.meet(below.serial, node.serial)

    def statistics(self) -> dict[str, int]:
        """The algorithm's numbers."""
        return self._algorithm.statistics()
