"""How often edges are taken, and what cells can grow to, as the checker finds out: NOTE(growth)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from abpress.ir.components import components, is_cycle
from abpress.ir.expr import Binary, Const, Expr, Reg
from abpress.ir.program import Assign, Spawn, Store, Template, effect_target, goes_on
from abpress.ir.types import IntType, Scalar
from abpress.modular.numbers.holding import NumericHolding
from abpress.modular.numbers.memory import NumericAccess
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

    def __init__(
        self, holding: NumericHolding, stands: Mapping[tuple[str, int], Sequence[Stand]]
    ) -> None:
        self._holding = holding
        self._program = program = holding.program
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
            rounds, steps, counter = self._rounds(template, inner)
            if rounds == UNLIMITED:
                visits.update(dict.fromkeys(part, UNLIMITED))
            else:
                left = [arc for arc in inner if arc not in steps]
                self._walk(template, sorted(part), left, walks * (rounds + 1), visits)
                for n in part:
                    span = self._span(template.name, n, *counter)
                    if visits[n] != UNLIMITED and span is not None:
                        apart = min(rounds + 1, span[1] - span[0] + 1)
                        visits[n] = visits[n] // (rounds + 1) * apart

    def _span(self, template: str, location: int, kind: str, name: str) -> Span | None:
        """The values of a register or a cell at a location."""
        stands = self._stands.get((template, location), ())
        return _in_all([(s.cells if kind == "cell" else s.regs).get(name) for s in stands])

    def _rounds(
        self, template: Template, arcs: Sequence[Arc]
    ) -> tuple[int, frozenset[Arc], tuple[str, str]]:
        """The arcs of a loop that change a register, or a cell that no other thread writes, in one
        direction, how often they may, and what they change."""
        written: dict[tuple[str, str], list[tuple[Arc, int, Span | None]]] = {}
        for arc in arcs:
            for kind, name in self._targets(template, arc):
                step, before = (self._added, self._cell_added)[kind == "cell"](template, arc, name)
                written.setdefault((kind, name), []).append((arc, step, before))
        best = UNLIMITED, frozenset[Arc](), ("", "")
        for what, its in sorted(written.items()):
            steps = [step for _, step, _ in its]
            values = [before for *_, before in its if before is not None]
            if not (all(s > 0 for s in steps) or all(s < 0 for s in steps)):
                continue
            if len(values) == len(its):
                rounds = max(v[1] for v in values) - min(v[0] for v in values) + 1
                if best[0] == UNLIMITED or rounds < best[0]:
                    best = rounds, frozenset(arc for arc, *_ in its), what
        return best

    def _targets(self, template: Template, arc: Arc) -> set[tuple[str, str]]:
        """The registers that an edge writes, and the cells of its thread only."""
        found: set[tuple[str, str]] = set()
        for effect in template.locations[arc[0]].edges[arc[1]].effects:
            target = effect_target(effect)
            if target is not None:
                found.add(("register", target.name))
            if isinstance(effect, Store):
                access = self._access(template, effect)
                mine = self._holding.counters[template.name].intersection(access.cells)
                found.update(("cell", cell) for cell in mine)
        return found

    def _access(self, template: Template, store: Store) -> NumericAccess:
        size = store.value.type.size
        return self._holding.memory.access(template.name, store.address, size)

    def _added(self, template: Template, arc: Arc, name: str) -> tuple[int, Span | None]:
        """What an edge adds to a register that it writes, 0 where it is not one number or where
        the sum may wrap around; and what is there before."""
        stands = self._stands[template.name, arc[0]]
        effects = template.locations[arc[0]].edges[arc[1]].effects
        before = _in_all([s.regs.get(name) for s in stands])
        found = [e for e in effects if (r := effect_target(e)) is not None and r.name == name]
        if len(found) != 1 or not isinstance(found[0], Assign):
            return 0, before
        value = found[0].value
        source, step = _sum_of(value)
        return (step if source == name and _fits(step, value.type, before) else 0), before

    def _cell_added(self, template: Template, arc: Arc, cell: str) -> tuple[int, Span | None]:
        """The same for a cell; other effects before the store that may write it or the register
        that is stored count as anything."""
        stands = self._stands[template.name, arc[0]]
        effects = template.locations[arc[0]].edges[arc[1]].effects
        before = _in_all([s.cells.get(cell) for s in stands])
        copies = {s.same.get(cell) for s in stands}
        stored = [e for e in effects if isinstance(e, Store)]
        if len(stored) != 1 or len(copies) != 1 or effects[0] != stored[0]:
            return 0, before
        value = stored[0].value
        source, step = _sum_of(value)
        exact = self._access(template, stored[0]).exact
        typed = value.type == self._holding.memory.types[cell]
        fine = exact and typed and {source} == copies and _fits(step, value.type, before)
        return (step if fine else 0), before


def _in_all(spans: Sequence[Span | None]) -> Span | None:
    """What is between the bounds of all; None if one has none, or there is none."""
    known = [span for span in spans if span is not None]
    if not known or len(known) < len(spans):
        return None
    return min(s[0] for s in known), max(s[1] for s in known)


def _fits(step: int, type: Scalar, before: Span | None) -> bool:
    """Whether a sum does not wrap around: where a signed one overflows, the thread ends."""
    if not isinstance(type, IntType):
        return False
    low, high = whole(type) if before is None else before
    return type.signed or inside((low + step, high + step), whole(type))


def _product(a: int, b: int) -> int:
    if 0 in (a, b):
        return 0
    return UNLIMITED if UNLIMITED in (a, b) else a * b


def _sum_of(e: Expr) -> tuple[str, int]:
    """The register to which an expression adds a number, and the number; 0 if it is no such sum."""
    match e:
        case Binary("+" | "-" as op, Reg(source, IntType() as type), Const(n, _)):
            if not type.signed and n > type.maximum // 2:
                n -= type.maximum + 1
            return source, n if op == "+" else -n
        case _:
            return "", 0


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
    for group in _related(mixed, adding):
        its = [(w, times) for w, times in adding if w.cell in group]
        total = sum(times for _, times in its)
        if total > MOST_WRITES:
            return min(group)
        now = _after({cell: first[cell] for cell in group}, [w for w, _ in its], total, shared)
        for cell in sorted(group):
            if not inside(now[cell], shared[cell]):
                return cell
    return None


def _related(cells: set[str], adding: Sequence[tuple[WrittenCells, int]]) -> list[set[str]]:
    """The cells in groups that do not depend on one another."""
    groups = [{cell} for cell in sorted(cells)]
    for w, _ in adding:
        its = {w.cell, *(cell for cell, _ in w.sum[0])} if w.sum is not None else {w.cell}
        met = [group for group in groups if group & its]
        groups = [group for group in groups if not group & its]
        if met:
            groups.append(set().union(*met))
    return groups


def _after(
    now: dict[str, Span], writes: Sequence[WrittenCells], total: int, shared: Mapping[str, Span]
) -> dict[str, Span]:
    """What cells may hold after so many writes."""
    for _ in range(total):
        after = dict(now)
        for w in writes:
            if w.sum is not None:
                value = _value(w.sum, {**shared, **now})
                low, high = max(value[0], w.values[0]), min(value[1], w.values[1])
                if low <= high:
                    after[w.cell] = joined(after[w.cell], (low, high))
        if after == now:
            break
        now = after
    return now


def _value(s: Sum, values: Mapping[str, Span]) -> Span:
    low, high = s[1], s[2]
    for cell, factor in s[0]:
        ends = [factor * end for end in values[cell]]
        low, high = low + min(ends), high + max(ends)
    return low, high
