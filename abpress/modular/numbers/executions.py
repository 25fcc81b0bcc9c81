"""How often an edge is taken in one execution, at most: by loops that count, and by creations.

A walk through a graph stays in a loop only as long as a register, or a cell that no other thread
writes, that every round changes in one direction stays between bounds that are known: at most as
many rounds as there are numbers between them. Without the edges that count the walk falls into
parts, of which each is a walk through what is left of the loop, and of which no two pass a location
with the same number. NOTE(growth)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from abpress.analysis.ranges import ranges
from abpress.ir.bounds import scalar_bounds
from abpress.ir.components import components, is_cycle
from abpress.ir.expr import Binary, Const, Expr, Reg
from abpress.ir.intervals import Interval, within
from abpress.ir.program import (
    Assign,
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

Steps = Mapping[tuple[str, int, int], Mapping[str, int | None]]
"""Per edge, by template, location and index, what it adds to cells that only its thread writes
there; None where that is not one number, or where the sum may wrap around."""

_Arc = tuple[int, int, int]
"""Source, index, target of an edge."""


@dataclass(frozen=True, slots=True)
class _Change:
    """A write of an edge to a register or a cell: what it adds, and what is there before."""

    arc: _Arc
    of_cell: bool
    name: str
    step: int | None
    before: Interval | None


def most_creations(program: Program) -> int | None:
    """How often an edge of the first thread creates another one, at most; None: any number of
    times, as far as registers tell."""
    main = program.templates[program.main]
    held = {(main.name, i): its for i, its in ranges(main).items()}
    executions = Executions(program, held, {}, {})
    creating = {i for i, e in edges(main) if any(isinstance(f, Spawn) for f in e.effects)}
    counts = [executions.of(main.name, i) for i in creating]
    return None if None in counts else max((n for n in counts if n is not None), default=0)


class Executions:
    """Bounds for a program in which registers and cells stay in these ranges."""

    def __init__(self, program: Program, ranges: Ranges, cells: Ranges, steps: Steps) -> None:
        self._program = program
        self._ranges = ranges
        self._cells = cells
        self._steps = steps
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
        leaving: dict[int, list[_Arc]] = {}
        for arc in arcs:
            graph[arc[0]].append(arc[2])
            leaving.setdefault(arc[0], []).append(arc)
        for component in components(graph):
            if not is_cycle(component, graph):
                found.update(dict.fromkeys(component, walks))
                continue
            inside = [a for n in component for a in leaving.get(n, ()) if a[2] in component]
            counting = self._counting(template, inside)
            if counting is None:
                found.update(dict.fromkeys(component, None))
                continue
            rounds, counters, (of_cell, name) = counting
            rest = [arc for arc in inside if arc not in counters]
            self._region(template, component, rest, walks * (rounds + 1), found)
            ranges = self._cells if of_cell else self._ranges
            for n in component:
                passes, at = found.get(n), ranges.get((template.name, n), {}).get(name)
                if passes is not None and at is not None:
                    # Parts of the walk that pass here do so with different numbers.
                    found[n] = passes // (rounds + 1) * min(rounds + 1, at[1] - at[0] + 1)

    def _counting(
        self, template: Template, inside: list[_Arc]
    ) -> tuple[int, frozenset[_Arc], tuple[bool, str]] | None:
        """Edges of a loop that count, how often they are taken before the loop is left, and what
        they change: a cell or not, and its name."""
        changes: dict[tuple[bool, str], list[_Change]] = {}
        for arc in inside:
            for change in self._changes(template, arc):
                changes.setdefault((change.of_cell, change.name), []).append(change)
        best: tuple[int, frozenset[_Arc], tuple[bool, str]] | None = None
        for what, its in sorted(changes.items()):
            up = all(c.step is not None and c.step > 0 for c in its)
            down = all(c.step is not None and c.step < 0 for c in its)
            known = [c.before for c in its if c.before is not None]
            if not (up or down) or len(known) < len(its):
                continue
            rounds = max(b[1] for b in known) - min(b[0] for b in known) + 1
            if best is None or rounds < best[0]:
                best = rounds, frozenset(c.arc for c in its), what
        return best

    def _changes(self, template: Template, arc: _Arc) -> Iterator[_Change]:
        """The writes of an edge to registers, and to cells that only its thread writes."""
        at = template.name, arc[0]
        for effect in template.locations[arc[0]].edges[arc[1]].effects:
            target = effect_target(effect)
            if target is not None:
                step = _step(target, effect.value if isinstance(effect, Assign) else None)
                if step is not None and self._wraps(template, arc[0], target, step):
                    step = None
                yield _Change(arc, False, target.name, step, self._ranges[at].get(target.name))
        for cell, step in self._steps.get((*at, arc[1]), {}).items():
            yield _Change(arc, True, cell, step, self._cells[at].get(cell))

    def _wraps(self, template: Template, location: int, register: Reg, step: int) -> bool:
        """Whether a step may wrap around; where signed arithmetic overflows, the thread ends."""
        type = register.type
        if not isinstance(type, IntType) or type.signed:
            return False
        low, high = self._ranges[template.name, location].get(register.name, scalar_bounds(type))
        return not within((low + step, high + step), scalar_bounds(type))


def _step(target: Reg, value: Expr | None) -> int | None:
    found = None if value is None else added(value)
    return found[1] if found is not None and found[0] == target.name else None


def added(e: Expr) -> tuple[str, int] | None:
    """The register to which an expression adds a number, and the number."""
    match e:
        case Binary("+" | "-" as op, Reg(name, _), Const(n, IntType() as type)):
            # A large unsigned number that is added counts back.
            by = n - (1 << type.bits) if not type.signed and n >> (type.bits - 1) else n
            return name, by if op == "+" else -by
        case _:
            return None
