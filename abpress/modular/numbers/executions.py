"""How often an edge is taken in one execution, at most: by loops that count, and by creations.

A walk through a graph stays in a loop only as long as a register that every round changes in one
direction stays between bounds that are known: at most as many rounds as there are numbers between
them. Without the edges that count the walk falls into parts, of which each is a walk through what
is left of the loop. NOTE(growth)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from abpress.ir.bounds import scalar_bounds
from abpress.ir.components import components, is_cycle
from abpress.ir.expr import Binary, Const, Reg
from abpress.ir.intervals import Interval, within
from abpress.ir.program import (
    Assign,
    Edge,
    Program,
    Spawn,
    Template,
    edges,
    effect_target,
    goes_on,
)
from abpress.ir.types import IntType

Ranges = Mapping[tuple[str, int], Mapping[str, Interval]]
"""Per location that is reached, what registers hold; those that are left out hold anything."""

_Arc = tuple[int, int, int]
"""Source, index, target of an edge."""


class Executions:
    """Bounds for a program in which registers stay in these ranges."""

    def __init__(self, program: Program, ranges: Ranges) -> None:
        self._program = program
        self._ranges = ranges
        self._passes = {name: self._passed(t) for name, t in program.templates.items()}

    def of(self, template: str, location: int) -> int | None:
        """How often threads of a template are at a location, all together; None: any number."""
        if (template, location) not in self._ranges:
            return 0
        instances = self._instances.get(template)
        passes = self._passes[template].get(location, 0)
        if instances == 0 or passes == 0:
            return 0
        return None if instances is None or passes is None else instances * passes

    @cached_property
    def _instances(self) -> Mapping[str, int | None]:
        """How many threads of each template there are."""
        program = self._program
        found: dict[str, int | None] = dict.fromkeys(program.templates, 0)
        found[program.main] = 1
        creations = [
            (name, location, effect.template)
            for name, template in program.templates.items()
            for location, edge in edges(template)
            for effect in edge.effects
            if isinstance(effect, Spawn) and (name, location) in self._ranges
        ]
        for _ in range(len(found) + 1):  # a chain of creations without a cycle is no longer
            counts: dict[str, int | None] = dict.fromkeys(found, 0)
            counts[program.main] = 1
            for name, location, child in creations:
                made, passes = found[name], self._passes[name].get(location, 0)
                if made == 0 or passes == 0:
                    continue
                before = counts[child]
                if before is None or made is None or passes is None:
                    counts[child] = None
                else:
                    counts[child] = before + made * passes
            if counts == found:
                return found
            found = counts
        return {
            name: count if name == program.main and count == 1 else (None if count else count)
            for name, count in found.items()
        }

    # -- passes of one thread -------------------------------------------------------------------

    def _passed(self, template: Template) -> dict[int, int | None]:
        """How often one thread is at each location; those that are left out, never."""
        arcs = [
            (i, k, edge.target)
            for i, location in enumerate(template.locations)
            for k, edge in enumerate(location.edges)
            if (template.name, i) in self._ranges and goes_on(edge)
        ]
        nodes = {template.entry, *(n for i, _, j in arcs for n in (i, j))}
        found: dict[int, int | None] = {}
        self._region(template, nodes, arcs, 1, found)
        return found

    def _region(
        self,
        template: Template,
        nodes: Iterable[int],
        arcs: list[_Arc],
        walks: int,
        found: dict[int, int | None],
    ) -> None:
        """Bounds for so many walks through a part of the graph."""
        graph: dict[int, list[int]] = {n: [] for n in nodes}
        for i, _, j in arcs:
            graph[i].append(j)
        for component in components(graph):
            if not is_cycle(component, graph):
                found.update(dict.fromkeys(component, walks))
                continue
            inside = [arc for arc in arcs if arc[0] in component and arc[2] in component]
            counting = self._counting(template, inside)
            if counting is None:
                found.update(dict.fromkeys(component, None))
                continue
            rounds, counters = counting
            rest = [arc for arc in inside if arc not in counters]
            self._region(template, component, rest, walks * (rounds + 1), found)

    def _counting(
        self, template: Template, inside: list[_Arc]
    ) -> tuple[int, frozenset[_Arc]] | None:
        """Edges of a loop that count, and how often they are taken before the loop is left."""
        changes: dict[str, list[tuple[_Arc, int | None]]] = {}
        for arc in inside:
            for target, step in _changes(template.locations[arc[0]].edges[arc[1]]):
                if step is not None and self._wraps(template, arc[0], target, step):
                    step = None
                changes.setdefault(target.name, []).append((arc, step))
        best: tuple[int, frozenset[_Arc]] | None = None
        for name, its in sorted(changes.items()):
            steps = [step for _, step in its]
            up = all(step is not None and step > 0 for step in steps)
            down = all(step is not None and step < 0 for step in steps)
            if not (up or down):
                continue
            counters = frozenset(arc for arc, _ in its)
            bounds = [self._ranges[template.name, arc[0]].get(name) for arc in counters]
            known = [b for b in bounds if b is not None]
            if len(known) < len(bounds):
                continue
            rounds = max(b[1] for b in known) - min(b[0] for b in known) + 1
            if best is None or rounds < best[0]:
                best = rounds, counters
        return best

    def _wraps(self, template: Template, location: int, register: Reg, step: int) -> bool:
        """Whether a step may wrap around; where signed arithmetic overflows, the thread ends."""
        type = register.type
        if not isinstance(type, IntType) or type.signed:
            return False
        low, high = self._ranges[template.name, location].get(register.name, scalar_bounds(type))
        return not within((low + step, high + step), scalar_bounds(type))


def _changes(edge: Edge) -> list[tuple[Reg, int | None]]:
    """The registers that an edge writes, with the number that it adds; None for anything else."""
    found: list[tuple[Reg, int | None]] = []
    for effect in edge.effects:
        target = effect_target(effect)
        if target is not None:
            value = effect.value if isinstance(effect, Assign) else None
            found.append((target, _step(target, value)))
    return found


def _step(target: Reg, value: object) -> int | None:
    match value:
        case Binary("+" | "-" as op, Reg(name, _), Const(n, IntType() as type)) if (
            name == target.name
        ):
            # A large unsigned number that is added counts back.
            by = n - (1 << type.bits) if not type.signed and n >> (type.bits - 1) else n
            return by if op == "+" else -by
        case _:
            return None
