"""Loops that may only wait: a thread can go round in them without writing anything."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from abpress.ir.components import components, is_cycle
from abpress.ir.program import (
    Alloc,
    Copy,
    Edge,
    Enter,
    Free,
    Leave,
    Spawn,
    Store,
    Template,
    goes_on,
)

_WRITING = (Store, Copy, Enter, Leave, Alloc, Free, Spawn)


@dataclass(frozen=True, slots=True, eq=False)
class QuietCycles:
    """Cycles of edges that write nothing, with all that share a location with one of them.

    `long`: a round may take more than one step.
    """

    long: bool


def quiet_cycles(
    template: Template, boundaries: AbstractSet[int]
) -> tuple[QuietCycles | None, ...]:
    """Per location the cycles that it lies on, if it lies on some."""
    graph = {
        i: [edge.target for edge in location.edges if _is_quiet(edge)]
        for i, location in enumerate(template.locations)
    }
    found: list[QuietCycles | None] = [None] * len(template.locations)
    for component in components(graph):
        if is_cycle(component, graph):
            cycles = QuietCycles(long=len(component & boundaries) > 1)
            for i in component:
                found[i] = cycles
    return tuple(found)


def _is_quiet(edge: Edge) -> bool:
    return goes_on(edge) and not any(isinstance(effect, _WRITING) for effect in edge.effects)
