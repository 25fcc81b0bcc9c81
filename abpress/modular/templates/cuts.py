"""Cuts of templates: where threads stand between steps. NOTE(template-invariants)"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from abpress.analysis.flow import loop_heads
from abpress.ir.expr import Compare, Const, Convert, Expr, Reg, walk
from abpress.ir.paths import reachable
from abpress.ir.program import Assign, Edge, Exit, Fail, Location, Template, goes_on
from abpress.logic.formula import TRUE, holds, neg


def leads_on(template: Template, location: int, noticed: Callable[[Edge], bool]) -> bool:
    """Whether a thread that stands there goes on for sure, and nobody notices it: then it stands
    elsewhere, not in an atomic block, and the program has not ended. NOTE(template-invariants)

    Before it may end the program it stops, so that there is one place for both branches.
    """
    at = template.locations[location]
    if at.atomic or not _covers(at.edges):
        return False
    if any(_ends_program(template.locations[edge.target]) for edge in at.edges):
        return False
    return all(
        goes_on(edge)
        and not template.locations[edge.target].atomic
        and not noticed(edge)
        and _never_ends(edge.guard)
        and all(isinstance(e, Assign) and _never_ends(e.value) for e in edge.effects)
        for edge in at.edges
    )


def _ends_program(location: Location) -> bool:
    return any(isinstance(e, Fail | Exit) for edge in location.edges for e in edge.effects) or (
        not any(map(_may_hold, location.edges))
    )


def _covers(edges: Sequence[Edge]) -> bool:
    """Whether one of the edges can be taken, whatever registers hold."""
    guards = [holds(edge.guard) for edge in edges]
    return TRUE in guards or any(neg(f) in guards for f in guards)


def _never_ends(e: Expr) -> bool:
    """Whether an expression has a value in any case: it does not overflow, nor divide."""
    return all(isinstance(sub, Reg | Const | Compare | Convert) for sub in walk(e))


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
            on = locations[to].atomic or leads_on(template, to, noticed)
            if told and not on:
                found.add(to)
            elif not told and locations[i].atomic and not locations[to].atomic:
                ends.add(to)
            following = to, told and on
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
