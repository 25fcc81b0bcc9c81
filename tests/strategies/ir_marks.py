"""Programs whose accesses count in all ways in which they can for races."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from abpress.ir.passes.rewrite import map_edges
from abpress.ir.program import AccessKind, Copy, Edge, Load, Program, Store

_KINDS = [AccessKind.ATOMIC, AccessKind.PLAIN, AccessKind.PLAIN, AccessKind.SECTION]


def of_all_kinds(program: Program, chance: Random) -> Program:
    """The program with accesses of all kinds."""

    def mark(edge: Edge) -> Edge:
        accesses = any(isinstance(effect, Load | Store | Copy) for effect in edge.effects)
        return replace(edge, access=chance.choice(_KINDS)) if accesses else edge

    templates = {name: map_edges(t, mark) for name, t in program.templates.items()}
    return replace(program, templates=templates)
