"""Preference orders: in which order the threads of a node are tried, NOTE(preference-order).

Of the executions that differ in the order of independent steps only, the search of an order keeps
one: the least. Which one that is decides how simple the invariants are ([Reductions20]): of two
threads that count, in lockstep they are `i == j`. The order may depend on a state that the steps
change; the places are multiplied by its values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from abpress.analysis.flow import back_edges
from abpress.ir.program import Program, Template
from abpress.symbolic.discrete import Discrete, SymbolicStep

LoopEdges = Mapping[str, frozenset[tuple[int, int]]]
"""Template -> (location, number) of edges at which a round of a loop ends."""


@dataclass(frozen=True, slots=True)
class PreferenceOrder:
    """An order of threads. Its state is the last thread that has had its turn; 0 at first.

    `turns`: whoever had the last turn comes last, and those behind it first; else threads come in
    the order of their numbers. `ends` says at which edges turns end (None: every step is one).
    `reverse` turns the numbers around.
    """

    name: str
    turns: bool = False
    ends: Callable[[Program], LoopEdges] | None = None
    reverse: bool = False


class Arrangement:
    """A preference order for one program."""

    def __init__(self, order: PreferenceOrder, program: Program) -> None:
        self._order = order
        self._ends = None if order.ends is None else order.ends(program)

    def arranged(self, threads: Sequence[int], last: int) -> list[int]:
        """The threads, the most preferred one first."""
        sign = -1 if self._order.reverse else 1
        if not self._order.turns or not last:
            return sorted(threads, key=lambda t: sign * t)
        return sorted(threads, key=lambda t: (sign * t <= sign * last, sign * t))

    def after(self, last: int, d: Discrete, step: SymbolicStep, invisible: bool) -> int:
        """The state of the order after a step from a state with the discrete part `d`."""
        if not self._order.turns:
            return 0
        if self._ends is None:
            return last if invisible else step.thread
        ends = self._ends[d.thread(step.thread).template]
        return step.thread if any(edge in ends for edge in step.edges) else last


def _back_edges(template: Template) -> frozenset[tuple[int, int]]:
    """The ends of rounds of the loops of a template."""
    return frozenset(back_edges(template, (template.entry,)))


def _outermost(template: Template) -> frozenset[tuple[int, int]]:
    """The back edges of loops that are inside of no other loop."""
    locations = template.locations
    before: dict[int, set[int]] = {}
    for source, location in enumerate(locations):
        for edge in location.edges:
            before.setdefault(edge.target, set()).add(source)
    backs = _back_edges(template)
    bodies: dict[int, set[int]] = {}
    for source, k in backs:
        body = bodies.setdefault(locations[source].edges[k].target, set())
        body.add(locations[source].edges[k].target)
        todo = [source]
        while todo:
            at = todo.pop()
            if at not in body:
                body.add(at)
                todo += before.get(at, ())
    heads = {
        head
        for head in bodies
        if not any(head in body for other, body in bodies.items() if other != head)
    }
    return frozenset((i, k) for i, k in backs if locations[i].edges[k].target in heads)


def all_loops(program: Program) -> LoopEdges:
    """The ends of rounds of all loops."""
    return {name: _back_edges(template) for name, template in program.templates.items()}


def outermost_loops(program: Program) -> LoopEdges:
    """The ends of rounds of loops that are inside of no other loop."""
    return {name: _outermost(template) for name, template in program.templates.items()}


ORDERS: Mapping[str, PreferenceOrder] = {
    order.name: order
    for order in (
        PreferenceOrder("rounds", turns=True, ends=all_loops),
        PreferenceOrder("sequential"),
        PreferenceOrder("outermost rounds", turns=True, ends=outermost_loops),
        PreferenceOrder("steps", turns=True),
        PreferenceOrder("reverse", reverse=True),
    )
}
"""The orders that are tried, one after the other."""
