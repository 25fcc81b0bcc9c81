"""Programs without allocation: what is asked of allocated memory holds in them."""

from __future__ import annotations

from dataclasses import dataclass

from abpress.ir.program import Alloc, Program, edges
from abpress.logic.formula import Formula
from abpress.proof.write import NodeView
from abpress.semantics.outcome import LEFTOVER, LOSS


def allocates(program: Program) -> bool:
    """Whether the program allocates memory of which somebody has to keep track."""
    return any(
        isinstance(effect, Alloc) and not effect.automatic
        for template in program.templates.values()
        for _, edge in edges(template)
        for effect in edge.effects
    )


def holds_trivially(program: Program, property: str) -> bool:
    """Whether the property holds because it is about allocated memory, and there is none."""
    return property in (LOSS, LEFTOVER) and not allocates(program)


@dataclass(frozen=True, slots=True)
class NoTree:
    """What a certificate is made from that needs no tree."""

    nodes: tuple[NodeView, ...] = ()
    reduction: str = "none"
    encoding: str = "int"
    threads: tuple[str, ...] = ("main",)
    tracked: tuple[str, ...] = ()
    vocabulary: tuple[Formula, ...] = ()
