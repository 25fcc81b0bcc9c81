"""Paths through a template: where they lead."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from abpress.ir.program import Template, goes_on


def reachable(
    template: Template, starts: Iterable[int], stop: AbstractSet[int] = frozenset()
) -> frozenset[int]:
    """The locations that paths of any length, also none, lead to from `starts`.

    At a location of `stop` a path ends.
    """
    seen = set(starts)
    todo = list(seen)
    while todo:
        i = todo.pop()
        if i in stop:
            continue
        for edge in template.locations[i].edges:
            if goes_on(edge) and edge.target not in seen:
                seen.add(edge.target)
                todo.append(edge.target)
    return frozenset(seen)


def comes_again(template: Template, location: int) -> bool:
    """Whether a thread may come to a location that it has left."""
    behind = [edge.target for edge in template.locations[location].edges if goes_on(edge)]
    return location in reachable(template, behind)
