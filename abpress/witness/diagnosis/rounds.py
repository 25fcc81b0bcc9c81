"""Threads that have no end: what one is done with when it begins its loop anew.

An execution in another order cannot be followed to the end of a thread that serves its clients for
ever. What such a thread was about when the violation happened ends where it comes to the head of
its outermost loop.
"""

from __future__ import annotations

from abpress.ir.components import components, is_cycle
from abpress.ir.paths import reachable
from abpress.ir.program import RETURN_FROM_MAIN, Effect, Exit, Finish, Join, goes_on
from abpress.semantics.context import Code
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State


class Rounds:
    """Where the threads of a program begin another round."""

    def __init__(self, system: Interpreter) -> None:
        self._system = system
        codes = system.context.codes
        self._heads = {name: _heads(code) for name, code in codes.items()}

    def begins(self, state: State, thread: int) -> bool:
        """Whether the thread, which has not ended, is about to begin another round."""
        template, location = self._system.location(state, thread)
        return location in self._heads[template]

    @property
    def any(self) -> bool:
        """Whether there is code with a loop without end."""
        return any(self._heads.values())

    def joins(self, state: State, thread: int) -> bool:
        """Whether the thread is about to wait for the end of another one."""
        template, location = self._system.location(state, thread)
        edges = self._system.context.codes[template].template.locations[location].edges
        return any(isinstance(effect, Join) for edge in edges for effect in edge.effects)


def _heads(code: Code) -> frozenset[int]:
    """Where a thread stands when it comes to the heads of the outermost loops of its code that it
    cannot leave but by a failure: there, or behind what is done in one step with them."""
    template = code.template
    graph = {
        number: {edge.target for edge in location.edges if goes_on(edge)}
        for number, location in enumerate(template.locations)
    }
    ending = {
        number
        for number, location in enumerate(template.locations)
        if any(edge.effects and _ends(edge.effects[-1]) for edge in location.edges)
    }
    heads: set[int] = set()
    for loop in components(graph):
        if is_cycle(loop, graph) and reachable(template, loop).isdisjoint(ending):
            outside = {target for n, its in graph.items() if n not in loop for target in its}
            heads |= loop & (outside | {template.entry})
    return frozenset(_stops(code, heads))


def _ends(effect: Effect) -> bool:
    """Whether a thread, or the program, comes to its end."""
    return isinstance(effect, Finish) or (
        isinstance(effect, Exit) and effect.how in (RETURN_FROM_MAIN, "exit")
    )


def _stops(code: Code, heads: set[int]) -> set[int]:
    """The boundaries of steps that a step which comes to one of the locations may end at."""
    found: set[int] = set()
    todo, seen = list(heads), set(heads)
    while todo:
        at = todo.pop()
        if at in code.boundaries:
            found.add(at)
            continue
        for k, edge in enumerate(code.template.locations[at].edges):
            if goes_on(edge) and (at, k) not in code.visible and edge.target not in seen:
                seen.add(edge.target)
                todo.append(edge.target)
    return found
