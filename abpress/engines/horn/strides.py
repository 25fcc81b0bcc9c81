"""How far the counters of loops go in a round: one that is unrolled has fewer and longer ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import lcm

from abpress.analysis.flow import back_edges
from abpress.analysis.visibility import instances
from abpress.ir.expr import registers
from abpress.ir.program import Assign, Edge, Load, Program, Store, Template
from abpress.ir.sums import register_and_number

_LONGEST = 12
"""Turns are no longer than so many steps of a counter."""


def strides(program: Program) -> Mapping[str, Mapping[tuple[int, int], int]]:
    """Template -> back edge of a loop with a counter -> how far that goes in each round; none at
    all where it is the same in all threads, or turns in which all go equally far are long."""
    count = instances(program)
    found = {
        name: _strides(template)
        for name, template in program.templates.items()
        if count[name] and name != program.main
    }
    numbers = [frozenset(its.values()) for its in found.values() if its]
    every = frozenset().union(*numbers)
    return found if len(set(numbers)) > 1 and lcm(*every) <= _LONGEST else {}


def unrolled(program: Program) -> bool:
    """Whether loops differ in how far their counters go, and one of these moves its counter more
    than once in a round."""
    return any(
        len(moves) > 1
        for name in strides(program)
        for body in loop_bodies(program.templates[name]).values()
        for moves in _asked_moves(program.templates[name], body).values()
    )


def loop_bodies(template: Template) -> dict[int, set[int]]:
    """The head of each loop -> the locations of the loop."""
    locations = template.locations
    before: dict[int, set[int]] = {}
    for source, location in enumerate(locations):
        for edge in location.edges:
            before.setdefault(edge.target, set()).add(source)
    bodies: dict[int, set[int]] = {}
    for source, k in back_edges(template, (template.entry,)):
        body = bodies.setdefault(locations[source].edges[k].target, set())
        body.add(locations[source].edges[k].target)
        todo = [source]
        while todo:
            at = todo.pop()
            if at not in body:
                body.add(at)
                todo += before.get(at, ())
    return bodies


def _strides(template: Template) -> dict[tuple[int, int], int]:
    """Back edge -> how far the counter of its loop goes, if it has one."""
    bodies = loop_bodies(template)
    found = {}
    for i, k in back_edges(template, (template.entry,)):
        head = template.locations[i].edges[k].target
        inner = (body for other, body in bodies.items() if other != head and other in bodies[head])
        found[i, k] = _stride(template, bodies[head].difference(*inner))
    return {edge: stride for edge, stride in found.items() if stride}


def _stride(template: Template, body: set[int]) -> int:
    """How far a round of a loop moves a variable on that a guard there mentions, if it takes all
    edges; 0 if there is none."""
    return max((abs(sum(its)) for its in _asked_moves(template, body).values()), default=0)


def _asked_moves(template: Template, body: set[int]) -> Mapping[str, list[int]]:
    """The variables that guards of a loop mention -> the numbers that its edges add to them."""
    its = [edge for i in sorted(body) for edge in template.locations[i].edges]
    loaded = {
        effect.target.name: str(effect.address)
        for edge in its
        for effect in edge.effects
        if isinstance(effect, Load)
    }
    asked = {loaded.get(name, name) for edge in its for name in registers(edge.guard)}
    moves: dict[str, list[int]] = {}
    for edge in its:
        for variable, number in _moved(edge, loaded):
            if variable in asked:
                moves.setdefault(variable, []).append(number)
    return moves


def _moved(edge: Edge, loaded: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """The variables to which the edge adds numbers: registers, and the addresses of cells."""
    for effect in edge.effects:
        match effect:
            case Assign(target, value):
                variable = target.name
            case Store(address, value):
                variable = str(address)
            case _:
                continue
        name, number = register_and_number(value)
        if number and loaded.get(name, name) == variable:
            yield variable, number
