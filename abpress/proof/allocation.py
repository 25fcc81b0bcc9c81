"""What is asked of allocated memory, and holds by the text of the program: no tree is needed."""

from __future__ import annotations

from dataclasses import dataclass

from abpress.ir.program import Program, allocates
from abpress.logic.formula import Formula
from abpress.proof.certificate import FORMAT
from abpress.proof.kept import keeps_track
from abpress.proof.write import NodeView
from abpress.semantics.outcome import LEFTOVER, LOSS

NOTHING = "the program allocates no memory"

ABOUT_ALLOCATION = (LOSS, LEFTOVER)
"""The properties of allocated memory."""


def proved_by_text(program: Program, property: str) -> str | None:
    """Why the property holds, if that can be read off the program; the assumption under which it
    does is `assumptions.DEFINED`, where memory is allocated."""
    if property not in ABOUT_ALLOCATION:
        return None
    if not allocates(program):
        return NOTHING
    return (
        "every object is held all the time" if property == LOSS and keeps_track(program) else None
    )


@dataclass(frozen=True, slots=True)
class NoTree:
    """What a certificate is made from that needs no tree."""

    nodes: tuple[NodeView, ...] = ()
    reduction: str = "none"
    encoding: str = "int"
    threads: tuple[str, ...] = ("main",)
    tracked: tuple[str, ...] = ()
    vocabulary: tuple[Formula, ...] = ()
    format: str = FORMAT
