"""Who holds locks and who waits, in an execution, and since when; what a misuse is of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from abpress.errors import Position
from abpress.ir.types import PARTS, lock_of
from abpress.semantics.thread_sets import members
from abpress.semantics.tracing import TracedAction
from abpress.witness.library import MOST_IDS, SPIN_LOCKS

_SETS = (".readers", ".waiting")


@dataclass(frozen=True, slots=True)
class Use:
    """A thread uses a lock or the like since it was at a place: it is `held` or `awaited`."""

    object: str
    what: str
    thread: int
    since: Position


@dataclass(slots=True)
class Users:
    """The uses at one point of an execution. Mutable: it is told what models write."""

    _uses: dict[str, dict[int, Use]] = field(default_factory=dict)  # by cell

    def written(self, cell: str, value: str, position: Position) -> None:
        """Takes note of what a cell holds now."""
        if not position.in_model or (lock_of(cell) == cell and position.file != SPIN_LOCKS):
            return
        before = self._uses.get(cell, {})
        what = "awaited" if cell.endswith(".waiting") else "held"
        self._uses[cell] = {
            thread: before.get(thread, Use(lock_of(cell), what, thread, position))
            for thread in _threads(cell, value)
        }

    def __iter__(self) -> Iterator[Use]:
        for uses in self._uses.values():
            yield from uses.values()


def _threads(cell: str, value: str) -> Sequence[int]:
    if not value.isdecimal():
        return ()
    number = int(value)
    if cell.endswith(_SETS):
        return tuple(members(number & ~1))
    return (number,) if 0 < number < MOST_IDS else ()


def misused(events: Sequence[TracedAction]) -> str:
    """The lock or the like that a model has read last in a step that is misuse of it; empty if
    that is not seen."""
    for event in reversed(events):
        if not event.position.in_model:
            return ""
        for cell, _ in reversed(event.reads):
            if not cell.startswith("__abp"):
                head, _, member = cell.rpartition(".")
                return head if member in PARTS else cell
    return ""
