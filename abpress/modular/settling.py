"""How what is known at the locations of a template is followed until nothing changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush

from abpress.analysis.flow import loop_heads, loops_first
from abpress.ir.program import Program, Template, edges


class TakesTooLong(Exception):
    """The analysis has given up, or its time is over."""


def steps_for(program: Program, least: int, of_edge: int) -> int:
    """How many edges an analysis may follow: so many for each edge of the program, and not less
    than `least`."""
    return max(least, of_edge * sum(1 for t in program.templates.values() for _ in edges(t)))


Visit = Callable[[int, Collection[int]], Iterator[int]]
"""Follows the edges of a location, given the heads of loops; tells the locations at which less is
known because of that."""


@dataclass(frozen=True, slots=True)
class LoopOrder:
    """The places of a template's locations in the order in which they are visited, loops first,
    inner ones before outer ones; and the heads of loops."""

    rank: Mapping[int, int]
    heads: frozenset[int]


class LoopOrders:
    """The orders of templates, by name; each is found once."""

    def __init__(self) -> None:
        self._found: dict[str, LoopOrder] = {}

    def of(self, template: Template) -> LoopOrder:
        """The order of a template."""
        found = self._found.get(template.name)
        if found is None:
            rank = {location: k for k, location in enumerate(loops_first(template))}
            heads = frozenset(loop_heads(template, [True] * len(template.locations)))
            found = self._found[template.name] = LoopOrder(rank, heads)
        return found


def settle(order: LoopOrder, is_known: Callable[[int], bool], visit: Visit) -> None:
    """Visits the locations of which something is known, and then those that visits tell, until none
    is left."""
    rank = order.rank
    todo = [(k, i) for i, k in rank.items() if is_known(i)]
    waiting = {i for _, i in todo}
    while todo:
        _, i = heappop(todo)
        waiting.discard(i)
        for target in visit(i, order.heads):
            if target not in waiting:
                waiting.add(target)
                heappush(todo, (rank[target], target))
