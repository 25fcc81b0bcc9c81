"""Cuts of templates: where threads stand between steps."""

from __future__ import annotations

from collections.abc import Callable

from abpress.analysis.flow import loop_heads, reachable
from abpress.ir.expr import Const
from abpress.ir.program import Edge, Template, goes_on


def cuts_between(template: Template, noticed: Callable[[Edge], bool]) -> tuple[int, ...]:
    """Cuts between which there are steps: the entry, where a thread comes to after what others may
    notice, and one location of each loop."""
    locations = template.locations
    found, ends = {template.entry}, set[int]()
    seen = {(template.entry, False)}
    todo = list(seen)
    while todo:
        i, told_before = todo.pop()
        for edge in filter(goes_on, locations[i].edges):
            to = edge.target
            told = told_before or noticed(edge)
            if not locations[to].atomic:
                if told:
                    found.add(to)
                elif locations[i].atomic:
                    ends.add(to)
            following = to, told and locations[to].atomic
            if following not in seen:
                seen.add(following)
                todo.append(following)
    never = {i for i, at in enumerate(locations) if not any(map(_may_hold, at.edges))}

    def heads() -> set[int]:
        return set(loop_heads(template, [i not in found | never for i in range(len(locations))]))

    if any(locations[i].atomic for i in heads()):
        found |= ends
    reached = reachable(template, [template.entry])
    return tuple(sorted(i for i in found | heads() if i in reached))


def _may_hold(edge: Edge) -> bool:
    """Whether its guard is not the number 0: who goes no further stands before such edges."""
    return not (isinstance(edge.guard, Const) and edge.guard.value == 0)
