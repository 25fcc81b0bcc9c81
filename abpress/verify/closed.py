"""Programs that look finite: `auto` chooses its first engine by that guess, which is no proof."""

from __future__ import annotations

from collections.abc import Iterator

from abpress.ir.components import components
from abpress.ir.expr import TRUE, registers
from abpress.ir.program import Edge, Havoc, Program, Spawn, Template, edges
from abpress.ir.types import IntType


def looks_finite(program: Program, input_domain: int) -> bool:
    """Whether enumeration may get through: no wide input, no thread created again and again."""
    templates = program.templates.values()
    return not any(has_wide_input(t, input_domain) or _spawns_for_ever(t) for t in templates)


def has_wide_input(template: Template, input_domain: int) -> bool:
    """Whether an input of a template has more values than that."""
    return any(
        isinstance(effect, Havoc) and _width(effect) > input_domain
        for _, edge in edges(template)
        for effect in edge.effects
    )


def _width(havoc: Havoc) -> int:
    """The number of values; 0 for what is no integer."""
    type = havoc.target.type
    if not isinstance(type, IntType):
        return 0
    low = type.minimum if havoc.low is None else max(havoc.low, type.minimum)
    high = type.maximum if havoc.high is None else min(havoc.high, type.maximum)
    return high - low + 1


def _spawns_for_ever(template: Template) -> bool:
    """Whether a loop that creates threads ends nowhere, or where an input says so."""
    graph = {
        source: [edge.target for edge in location.edges]
        for source, location in enumerate(template.locations)
    }
    for loop in components(graph):
        inside = list(_inside(template, loop))
        if not any(isinstance(effect, Spawn) for edge in inside for effect in edge.effects):
            continue
        inputs = {e.target.name for edge in inside for e in edge.effects if isinstance(e, Havoc)}
        if not any(_counts(edge, inputs) for edge in _exits(template, loop)):
            return True
    return False


def _inside(template: Template, loop: frozenset[int]) -> Iterator[Edge]:
    """The edges of a loop; none if it is a single location without an edge to itself."""
    return (edge for source, edge in edges(template) if source in loop and edge.target in loop)


def _exits(template: Template, loop: frozenset[int]) -> Iterator[Edge]:
    return (edge for source, edge in edges(template) if source in loop and edge.target not in loop)


def _counts(edge: Edge, inputs: set[str]) -> bool:
    """Whether the guard of an exit is about something else than an input."""
    return edge.guard != TRUE and not registers(edge.guard) <= inputs
