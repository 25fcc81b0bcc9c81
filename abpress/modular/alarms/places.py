"""Where an alarm is, as people read it."""

from __future__ import annotations

from collections.abc import Sequence

from abpress.errors import Position
from abpress.result import AlarmedAccess


def alarmed(at: Position, does: str, thread: str, locks: Sequence[str] = ()) -> AlarmedAccess:
    """What a thread does at a position of the program."""
    origin = at.origin
    above = at.stack if origin is at else at.stack[: at.stack.index(origin)]
    calls = tuple(f"{place} (in {place.function})" for place in above if not place.in_model)
    return AlarmedAccess(
        origin.file, origin.line, origin.column, calls, _called(at, does), thread, tuple(locks)
    )


def _called(at: Position, does: str) -> str:
    """With the library function that does it."""
    _, _, function = at.described.partition(" (in ")
    return f"{does} in {function.rstrip(')')}" if function else does
