"""How what is known at the locations of a template is followed until nothing changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush

from abpress.analysis.flow import loop_heads, loops_first
from abpress.ir.program import Template


class TakesTooLong(Exception):
    """The analysis has given up, or its time is over."""


Visit = Callable[[int, set[int]], Iterator[int]]
"""Follows the edges of a location, given the heads of loops; tells the locations at which less is
known because of that."""


def settle(template: Template, is_known: Callable[[int], bool], visit: Visit) -> None:
    """Visits the locations of which something is known, and then those that visits tell, until none
    is left: loops first, inner ones before outer ones."""
    order = loops_first(template)
    rank = {location: k for k, location in enumerate(order)}
    heads = set(loop_heads(template, [True] * len(template.locations)))
    todo = [(rank[i], i) for i in order if is_known(i)]
    waiting = {i for _, i in todo}
    while todo:
        _, i = heappop(todo)
        waiting.discard(i)
        for target in visit(i, heads):
            if target not in waiting:
                waiting.add(target)
                heappush(todo, (rank[target], target))
