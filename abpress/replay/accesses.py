"""What accesses of memory do, and which two of them race."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from abpress.replay.machine import ACCESSES, StopEvent, StopKind
from abpress.replay.plan import FREE, Does
from abpress.witness.trace import BlockedThread

DOES = {
    StopKind.READ: Does.READS,
    StopKind.ATOMIC_READ: Does.READS,
    StopKind.WRITE: Does.WRITES,
    StopKind.ATOMIC_WRITE: Does.WRITES,
    StopKind.UPDATE: None,
}
"""What an access is in a plan; None: both."""

_ATOMIC = frozenset({StopKind.UPDATE, StopKind.ATOMIC_READ, StopKind.ATOMIC_WRITE})
_READING = frozenset({StopKind.READ, StopKind.ATOMIC_READ})


def cell_of(its: BlockedThread) -> str:
    """The cell of an access that races: it `writes x, holding m`."""
    return its.text.partition(" ")[2].partition(",")[0]


def object_of(cell: str, objects: Set[str]) -> str:
    """The variable of the program that a cell of the model is in; empty if it is none."""
    head, dot, rest = cell.partition("[")[0].partition(".")
    if head in objects:
        return head
    local = rest.partition(".")[0] + "." if dot else ""
    return next((its for its in sorted(objects) if local and its.startswith(local)), "")


def as_access(event: StopEvent) -> StopEvent:
    """The event, of which `free` writes all that it frees."""
    if event.kind is StopKind.STEP and event.site.callee == FREE:
        return replace(event, kind=StopKind.WRITE)
    return event


def conflict(one: StopEvent, other: StopEvent) -> bool:
    """Whether two accesses, that are next, are a data race."""
    if one.kind not in ACCESSES or other.kind not in ACCESSES:
        return False
    if one.kind in _ATOMIC and other.kind in _ATOMIC:
        return False
    if one.kind in _READING and other.kind in _READING:
        return False
    return one.address < other.address + other.size and other.address < one.address + one.size
