"""The end of the program as an assumption that does not hold, NOTE(exits-as-assumptions)."""

from __future__ import annotations

from dataclasses import replace

from abpress.ir.expr import FALSE
from abpress.ir.program import (
    RETURN_FROM_MAIN,
    Assign,
    Edge,
    Exit,
    GuardKind,
    Location,
    Program,
    Template,
)


def without_exits(program: Program) -> Program:
    """The program in which a thread goes no further where it would end all threads by `exit`,
    `abort` and the like. It has the same executions to errors. Executions that end otherwise may be
    longer: others go on."""
    templates = {name: _without_exits(t) for name, t in program.templates.items()}
    return replace(program, templates=templates)


def _without_exits(template: Template) -> Template:
    locations = list(template.locations)
    for i, location in enumerate(template.locations):
        edges = []
        for edge in location.edges:
            if edge.effects and _exits(edge) and (location.atomic or _is_private(edge)):
                stop = Edge(len(locations), FALSE, GuardKind.ASSUME, position=edge.position)
                edge = replace(edge, target=len(locations), effects=edge.effects[:-1])
                locations.append(Location((stop,), location.atomic))
            edges.append(edge)
        locations[i] = replace(location, edges=tuple(edges))
    return replace(template, locations=tuple(locations))


def _exits(edge: Edge) -> bool:
    last = edge.effects[-1]
    return isinstance(last, Exit) and last.how != RETURN_FROM_MAIN


def _is_private(edge: Edge) -> bool:
    """Whether nobody can notice what an edge does before the end, where others could go on."""
    return all(isinstance(effect, Assign) for effect in edge.effects[:-1])
