"""Step boundaries: the locations where a step of a thread ends."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from abpress.analysis.flow import loop_heads
from abpress.analysis.ranges import overflowing_edges
from abpress.ir.expr import TRUE
from abpress.ir.paths import reachable
from abpress.ir.program import (
    Copy,
    Cut,
    Edge,
    Enter,
    Fault,
    Free,
    GuardKind,
    Leave,
    Location,
    Overflow,
    Spawn,
    Store,
    Template,
    goes_on,
)

_WRITING = (Store, Copy, Enter, Leave, Free, Spawn)


def step_boundaries(
    template: Template,
    visible: AbstractSet[tuple[int, int]],
    overflow: Overflow = Overflow.END,
    noticed: AbstractSet[tuple[int, int]] = frozenset(),
) -> frozenset[int]:
    """The locations at which a step ends, given the (location, edge index) of the visible edges,
    and of invisible ones whose writes others notice later (NOTE(synchronised-accesses)).

    These are the entry; the non-atomic sources of visible edges; the locations at which a thread
    may wait (NOTE(lost-wait)), or a step that has written may be unable to go on
    (NOTE(lost-write)); and the targets of back edges of the cycles that avoid all these, so that
    every cycle of non-atomic locations has a boundary. A location inside an atomic block is none.

    NOTE(lost-write): a step that cannot be finished does not exist. Where `x := 1` and a false
    assumption (or a signed overflow) were one step, the write would not exist either, but the other
    threads may see it before the assumption is evaluated. Where the step has only read, nothing is
    lost: the same execution exists without the read.

    NOTE(lost-wait): a thread that has read or chosen something, and then waits for ever because of
    it, is deadlocked. Were it one step, the thread could read or choose again, so AWAIT guards
    begin a step of their own. At an assumption this does not matter: it is no deadlock.
    """
    locations = template.locations
    boundaries = {template.entry}
    boundaries.update(i for i, _ in visible if not locations[i].atomic)
    boundaries.update(i for i, at in enumerate(locations) if not at.atomic and _may_wait(at))
    stopping = {i for i, _ in overflowing_edges(template, overflow)}
    stopping.update(i for i, loc in enumerate(locations) if any(map(_may_stop, loc.edges)))
    boundaries.update(
        i
        for i in _after_write(template, visible | noticed, boundaries)
        if i in stopping and not locations[i].atomic
    )
    inside = [not loc.atomic and i not in boundaries for i, loc in enumerate(locations)]
    boundaries.update(loop_heads(template, inside))
    return frozenset(boundaries)


def _may_wait(location: Location) -> bool:
    return any(e.kind is GuardKind.AWAIT and e.guard != TRUE for e in location.edges)


def _may_stop(edge: Edge) -> bool:
    """Whether the thread may be unable to take the edge, or stops on it by a bound or a fault.

    Faults of other effects are left out: they withhold the verdict "true" anyway.
    """
    if edge.kind is not GuardKind.BRANCH and edge.guard != TRUE:
        return True
    return any(isinstance(effect, (Cut, Fault)) for effect in edge.effects)


def _after_write(
    template: Template, visible: AbstractSet[tuple[int, int]], boundaries: AbstractSet[int]
) -> frozenset[int]:
    """The locations that are reached within a step from a writing edge that others notice."""
    starts = [
        edge.target
        for i, k in sorted(visible)
        if goes_on(edge := template.locations[i].edges[k])
        and any(isinstance(effect, _WRITING) for effect in edge.effects)
    ]
    return reachable(template, starts, boundaries)
