"""How often edges are taken, and what cells can grow to, as the checker finds out: NOTE(growth)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from abpress.ir.components import components, is_cycle
from abpress.ir.expr import Binary, Const, Reg
from abpress.ir.program import Assign, Edge, Program, Spawn, Template, effect_target, goes_on
from abpress.ir.types import IntType
from abpress.proof.numbers.arithmetic import inside, joined, whole
from abpress.proof.numbers.certificate import Span, Stand, Sum

UNLIMITED = -1
MOST_WRITES = 1_000_000
"""Writes of cells that depend on one another, over which the checker goes."""

Arc = tuple[int, int]
"""Location and index of an edge."""


@dataclass(frozen=True, slots=True)
class WrittenCells:
    """A store to a cell: what it adds up (None: a number), its values, and where it is."""

    cell: str
    sum: Sum | None
    values: Span
    template: str
    location: int


class Counts:
    """Bounds for the executions of edges in a program in which threads are where stands are."""

    def __init__(self, program: Program, stands: Mapping[tuple[str, int], Sequence[Stand]]) -> None:
        self._program = program
        self._stands = stands
        self._visits: dict[str, dict[int, int]] = {}
        for name, template in program.templates.items():
            self._visits[name] = visits = dict.fromkeys(range(len(template.locations)), 0)
            arcs = [
                (i, k)
                for i in visits
                for k, edge in enumerate(template.locations[i].edges)
                if stands.get((name, i)) and goes_on(edge)
            ]
            self._walk(template, list(visits), arcs, 1, visits)
        self._threads: dict[str, int] = {}

    def of(self, template: str, location: int) -> int:
        """How often threads of a template are at a location; UNLIMITED if that is not known."""
        return _product(self._number(template, ()), self._visits[template][location])

    def _number(self, template: str, above: tuple[str, ...]) -> int:
        """How many threads of a template there are."""
        if template in above:
            return UNLIMITED
        if template in self._threads:
            return self._threads[template]
        total = int(template == self._program.main)
        for name, location in self._creations(template):
            visits = self._visits[name][location]
            made = _product(self._number(name, (*above, template)), visits) if visits else 0
            total = UNLIMITED if UNLIMITED in (total, made) else total + made
        if not above:
            self._threads[template] = total
        return total

    def _creations(self, template: str) -> Iterator[tuple[str, int]]:
        for name, its in self._program.templates.items():
            for i, location in enumerate(its.locations):
                if self._stands.get((name, i)):
                    for edge in location.edges:
                        for effect in edge.effects:
                            if isinstance(effect, Spawn) and effect.template == template:
                                yield name, i

    def _walk(
        self,
        template: Template,
        nodes: Sequence[int],
        arcs: Sequence[Arc],
        walks: int,
        visits: dict[int, int],
    ) -> None:
        """Sets how often so many walks along the arcs visit the nodes."""
        graph: dict[int, list[int]] = {n: [] for n in nodes}
        for i, k in arcs:
            target = template.locations[i].edges[k].target
            if target in graph:
                graph[i].append(target)
        for part in components(graph):
            if not is_cycle(part, graph):
                visits.update(dict.fromkeys(part, walks))
                continue
            inner = [
                (i, k)
                for i, k in arcs
                if i in part and template.locations[i].edges[k].target in part
            ]
            rounds, steps = self._rounds(template, inner)
            if rounds == UNLIMITED:
                visits.update(dict.fromkeys(part, UNLIMITED))
            else:
                left = [arc for arc in inner if arc not in steps]
                self._walk(template, sorted(part), left, walks * (rounds + 1), visits)

    def _rounds(self, template: Template, arcs: Sequence[Arc]) -> tuple[int, frozenset[Arc]]:
        """The arcs of a loop that change a register in one direction, and how often they may."""
        written: dict[str, set[Arc]] = {}
        for i, k in arcs:
            for name in _targets(template.locations[i].edges[k]):
                written.setdefault(name, set()).add((i, k))
        best = UNLIMITED, frozenset[Arc]()
        for name in sorted(written):
            its = written[name]
            steps = [self._added(template, arc, name) for arc in its]
            if not (all(s > 0 for s in steps) or all(s < 0 for s in steps)):
                continue
            values: Span | None = None
            for i, _ in its:
                for stand in self._stands[template.name, i]:
                    value = stand.regs.get(name)
                    if value is None:
                        break
                    values = value if values is None else joined(values, value)
                else:
                    continue
                break
            else:
                if values is not None:
                    rounds = values[1] - values[0] + 1
                    if best[0] == UNLIMITED or rounds < best[0]:
                        best = rounds, frozenset(its)
        return best

    def _added(self, template: Template, arc: Arc, name: str) -> int:
        """What an edge adds to a register that it writes; 0 where it is not one number, or where
        the sum may wrap around."""
        found = _sum_of(template.locations[arc[0]].edges[arc[1]], name)
        if found is None:
            return 0
        type, step = found
        values = [s.regs.get(name, whole(type)) for s in self._stands[template.name, arc[0]]]
        moved = ((low + step, high + step) for low, high in values)
        return step if type.signed or all(inside(m, whole(type)) for m in moved) else 0


def _product(a: int, b: int) -> int:
    if 0 in (a, b):
        return 0
    return UNLIMITED if UNLIMITED in (a, b) else a * b


def _targets(edge: Edge) -> list[str]:
    return [r.name for r in map(effect_target, edge.effects) if r is not None]


def _sum_of(edge: Edge, name: str) -> tuple[IntType, int] | None:
    """The type of a register that an edge writes, and what is added to it; None where that is not
    one number."""
    found = [e for e in edge.effects if (r := effect_target(e)) is not None and r.name == name]
    if len(found) != 1 or not isinstance(found[0], Assign):
        return None
    match found[0].value:
        case Binary("+" | "-" as op, Reg(source, IntType() as type), Const(n, _)) if source == name:
            if not type.signed and n > type.maximum // 2:
                n -= type.maximum + 1
            return type, n if op == "+" else -n
        case _:
            return None


def exceeded(
    first: Mapping[str, Span],
    writes: Sequence[WrittenCells],
    counts: Counts,
    shared: Mapping[str, Span],
) -> str | None:
    """A cell of `first` that may leave its bounds in `shared`; None if all stay.

    `first` is what the cells hold at first; `writes` are all stores to them.
    """
    first = dict(first)
    adding: list[tuple[WrittenCells, int]] = []
    for w in writes:
        times = counts.of(w.template, w.location)
        if w.sum is None or not w.sum[0] or times == UNLIMITED:
            first[w.cell] = joined(first[w.cell], w.values)
        elif times:
            adding.append((w, times))
    mixed = {w.cell for w, _ in adding if w.sum is not None and w.sum[0] != ((w.cell, 1),)}
    while True:
        more = {
            cell
            for w, _ in adding
            if w.cell in mixed and w.sum is not None
            for cell, _ in w.sum[0]
            if cell in first
        }
        if more <= mixed:
            break
        mixed |= more
    for cell in sorted(first.keys() - mixed):
        low, high = first[cell]
        for w, times in adding:
            if w.cell == cell and w.sum is not None:
                low, high = low + min(w.sum[1], 0) * times, high + max(w.sum[2], 0) * times
        if not inside((low, high), shared[cell]):
            return cell
    now = {cell: first[cell] for cell in mixed}
    total = sum(times for w, times in adding if w.cell in mixed)
    if total > MOST_WRITES:
        return min(mixed)
    for _ in range(total):
        after = dict(now)
        for w, _ in adding:
            if w.cell in mixed and w.sum is not None:
                value = _value(w.sum, {**shared, **now})
                low, high = max(value[0], w.values[0]), min(value[1], w.values[1])
                if low <= high:
                    after[w.cell] = joined(after[w.cell], (low, high))
        if after == now:
            break
        now = after
    return next((cell for cell in sorted(now) if not inside(now[cell], shared[cell])), None)


def _value(s: Sum, values: Mapping[str, Span]) -> Span:
    low, high = s[1], s[2]
    for cell, factor in s[0]:
        ends = [factor * end for end in values[cell]]
        low, high = low + min(ends), high + max(ends)
    return low, high
