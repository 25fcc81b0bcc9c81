"""Paths through a template, and through other graphs: where they lead."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from collections.abc import Set as AbstractSet
from typing import TypeVar

from abpress.ir.program import Template, goes_on

T = TypeVar("T", bound=Hashable)


def closure(start: Iterable[T], next_of: Callable[[T], Iterable[T]]) -> set[T]:
    """`start` and everything that follows; the order of the visit does not matter."""
    seen = set(start)
    pending = list(seen)
    while pending:
        for item in next_of(pending.pop()):
            if item not in seen:
                seen.add(item)
                pending.append(item)
    return seen


def reachable(
    template: Template, starts: Iterable[int], stop: AbstractSet[int] = frozenset()
) -> frozenset[int]:
    """The locations that paths of any length, also none, lead to from `starts`.

    At a location of `stop` a path ends.
    """

    def targets(i: int) -> list[int]:
        if i in stop:
            return []
        return [edge.target for edge in template.locations[i].edges if goes_on(edge)]

    return frozenset(closure(starts, targets))


def comes_again(template: Template, location: int) -> bool:
    """Whether a thread may come to a location that it has left."""
    behind = [edge.target for edge in template.locations[location].edges if goes_on(edge)]
    return location in reachable(template, behind)
