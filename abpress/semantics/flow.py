"""Control flow of a template: which locations an edge leads to."""

from __future__ import annotations

from collections.abc import Iterable

from abpress.ir.program import ENDING, Edge, Template


def goes_on(edge: Edge) -> bool:
    """Whether the thread is at `edge.target` after the edge: no effect of it ends the thread."""
    return not any(isinstance(effect, ENDING) for effect in edge.effects)


def reachable(template: Template, starts: Iterable[int]) -> frozenset[int]:
    """The locations that paths of any length, also none, lead to from `starts`."""
    seen = set(starts)
    todo = list(seen)
    while todo:
        for edge in template.locations[todo.pop()].edges:
            if goes_on(edge) and edge.target not in seen:
                seen.add(edge.target)
                todo.append(edge.target)
    return frozenset(seen)
