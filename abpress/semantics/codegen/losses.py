"""Which actions may lose the last pointer to an object, seen from their form."""

from __future__ import annotations

from abpress.analysis.registers import live_after
from abpress.ir.program import (
    Alloc,
    Copy,
    Edge,
    Enter,
    Exit,
    Free,
    Join,
    Leave,
    Spawn,
    Store,
    effect_target,
)
from abpress.ir.types import PtrType
from abpress.semantics.context import Code

_LOSING = (Alloc, Copy, Enter, Free, Join, Leave, Spawn, Store)
"""Effects that take a pointer away, or may leave one that nobody takes."""


def may_lose(code: Code, location: int, edge: Edge) -> bool:
    """False only if no pointer is gone after the edge from the location that was there before.

    An Exit takes nothing away: the frames of all threads stay as they are.
    """
    if any(isinstance(effect, _LOSING) for effect in edge.effects):
        return True
    if any(isinstance(effect, Exit) for effect in edge.effects):
        return False
    registers = code.template.registers
    before = {name for name in code.live[location] if isinstance(registers.get(name), PtrType)}
    written = {t.name for effect in edge.effects if (t := effect_target(effect)) is not None}
    lives = live_after(edge, code.live)
    after = lives[-1] if lives else code.live[edge.target]
    return not before <= after - written
