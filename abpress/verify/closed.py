"""Programs that look finite: `auto` chooses its first engine by that guess, which is no proof."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, log2

from abpress.ir.components import components
from abpress.ir.expr import TRUE, registers
from abpress.ir.program import Edge, Havoc, Program, Spawn, Store, Template, edges
from abpress.ir.types import IntType

MOST_BITS = 20
"""Of the inputs of a template together, up to which all their values may be enumerated."""

FEW_VALUES = 16
"""Values of an input up to which it does not count there: these are flags, and steps that fail."""


def looks_finite(program: Program, input_domain: int) -> bool:
    """Whether enumeration may get through: no wide input, nor many that are wide together, no
    thread created again and again."""
    given = [type.bits for type in _given(program)]
    if any(1 << bits > input_domain for bits in given) or sum(given) > MOST_BITS:
        return False
    return not any(
        has_wide_input(t, input_domain) or _spawns_for_ever(t) or _bits(t) > MOST_BITS
        for t in program.templates.values()
    )


def _given(program: Program) -> Iterator[IntType]:
    """The integers that have any value when the program begins: those of `extern` objects and of
    the arguments of `main`."""
    for o in program.objects.values():
        for cell, value in zip(o.layout.cells, o.initial, strict=True):
            if value is None and isinstance(cell.type, IntType):
                yield cell.type


def has_wide_input(template: Template, input_domain: int) -> bool:
    """Whether an input of a template has more values than that."""
    return any(
        isinstance(effect, Havoc) and _width(effect) > input_domain
        for _, edge in edges(template)
        for effect in edge.effects
    )


def _bits(template: Template) -> float:
    """The bits of all inputs of a template that have more than a few values. One that is read, and
    stored, in a loop counts as if there was no end of it."""
    wide = [
        (source, edge.target, width)
        for source, edge in edges(template)
        for effect in edge.effects
        if isinstance(effect, Havoc) and (width := _width(effect)) > FEW_VALUES
    ]
    loops = components(_graph(template)) if wide else ()
    storing = [loop for loop in loops if any(map(_stores, _inside(template, loop)))]
    endless = any(loop.issuperset(its[:2]) for loop in storing for its in wide)
    return inf if endless else sum(log2(width) for *_, width in wide)


def _stores(edge: Edge) -> bool:
    return any(isinstance(effect, Store) for effect in edge.effects)


def _graph(template: Template) -> dict[int, list[int]]:
    return {
        source: [edge.target for edge in location.edges]
        for source, location in enumerate(template.locations)
    }


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
    for loop in components(_graph(template)):
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
