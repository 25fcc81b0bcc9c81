"""Loops that count without end: states are not enumerated, however few values inputs have.

A round of such a loop adds a number to a variable, and its guards ask for nothing that it moves or
sets to what is no constant: they are about inputs, or what others set.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from abpress.analysis.flow import back_edges
from abpress.ir.expr import Expr, registers
from abpress.ir.program import Assign, Edge, Load, Program, Store, Template, effect_target
from abpress.ir.sums import register_and_number

_MOST_STEPS = 2_000
"""Of the search for ways around the loops of a template: what it has not found then counts not."""


def counts_without_end(program: Program) -> bool:
    """Whether a thread has such a loop."""
    return any(
        _is_endless(way) for template in program.templates.values() for way in _rounds(template)
    )


def _rounds(template: Template) -> Iterator[tuple[Edge, ...]]:
    """Ways from the heads of loops back to them that meet no location twice."""
    locations = template.locations
    backs = set(back_edges(template, (template.entry,)))
    steps = 0
    for head in sorted({locations[i].edges[k].target for i, k in backs}):
        todo: list[tuple[int, tuple[Edge, ...], frozenset[int]]] = [(head, (), frozenset({head}))]
        while todo and steps < _MOST_STEPS:
            at, way, met = todo.pop()
            steps += 1
            for k, edge in enumerate(locations[at].edges):
                if edge.target == head and (at, k) in backs:
                    yield (*way, edge)
                elif edge.target not in met:
                    todo.append((edge.target, (*way, edge), met | {edge.target}))


@dataclass(slots=True)
class _OneRound:
    """What a round does, so far. Mutable. Variables are registers, and the addresses of cells;
    `of` are those, as they are before it, on which the values of registers depend, `then` those on
    which variables depend that it sets."""

    of: dict[str, frozenset[str]] = field(default_factory=dict)
    moved: dict[str, int] = field(default_factory=dict)
    then: dict[str, frozenset[str]] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)

    def sources(self, e: Expr) -> frozenset[str]:
        """The variables on which a value depends."""
        its = (self.of.get(name, frozenset({name})) for name in registers(e))
        return frozenset().union(*its)

    def changes(self, variable: str, value: Expr) -> None:
        """A variable gets a value."""
        name, number = register_and_number(value)
        if name and self.of.get(name, frozenset({name})) == {variable}:
            self.moved[variable] = self.moved.get(variable, 0) + number
        else:
            self.then[variable] = self.sources(value)

    @property
    def counted(self) -> set[str]:
        """The variables that rounds move further and further."""
        return {variable for variable, number in self.moved.items() if number}

    def varying(self) -> set[str]:
        """The variables that differ from round to round by what the loop does itself."""
        found = self.counted
        while True:
            more = {v for v, its in self.then.items() if v in its or its & found} - found
            if not more:
                return found
            found |= more


def _is_endless(way: tuple[Edge, ...]) -> bool:
    """Whether a round of these edges can follow itself again and again, and counts."""
    its = _OneRound()
    for edge in way:
        its.asked |= its.sources(edge.guard)
        for effect in edge.effects:
            match effect:
                case Load(target, address):
                    its.then[target.name] = its.sources(address) | {str(address)}
                    its.of[target.name] = its.then[target.name] - {target.name}
                case Store(address, value):
                    its.changes(str(address), value)
                case Assign(target, value):
                    its.changes(target.name, value)
                    name, _ = register_and_number(value)
                    if name != target.name:
                        its.of[target.name] = its.sources(value)
                case _:
                    other = effect_target(effect)
                    if other is not None:
                        its.of[other.name] = its.then[other.name] = frozenset()
    return bool(its.counted) and its.asked.isdisjoint(its.varying())
