"""Intervals that hold wherever a thread stands, whatever the others do, by rounds with widening.

Forward dataflow per template ([AbstractInterpretation77]); what a thread may write to a cell that
others see joins the values that all threads may read. States of one location are kept
apart by registers that only ever hold numbers of the text (conditions that were computed before).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from abpress.analysis.facts import Facts
from abpress.ir.bounds import scalar_bounds
from abpress.ir.expr import Compare, Const, Expr, Reg, walk
from abpress.ir.intervals import Interval, hull
from abpress.ir.program import (
    Assign,
    Havoc,
    Program,
    Template,
    edges,
    effect_operands,
    effect_target,
    goes_on,
)
from abpress.ir.types import IntType
from abpress.modular.apart import PlacesApart
from abpress.modular.numbers.box import Box, Form
from abpress.modular.numbers.effects import NumericSteps
from abpress.modular.numbers.holding import NumericHolding
from abpress.modular.numbers.memory import NumericMemory
from abpress.modular.settling import At, Heads, TakesTooLong, Visits, Watched

PATIENCE = 3
"""Times that an interval may grow before its bounds move to thresholds."""

_NEAR = 60
"""Times that bounds move to the next threshold; then they move past some."""

_DOUBLED = 4
"""Times after which they move past twice as many."""

_MOST_DOUBLED = 16

MOST_PARTS = 12
"""States of one location that are kept apart."""

Key = tuple[tuple[str, int], ...]
States = dict[tuple[str, int], list[Box]]


@dataclass(frozen=True, slots=True)
class Numbers:
    """A solution: what is known at each location, and of each cell that several threads see."""

    states: States
    shared: Mapping[str, Interval]
    bounded: frozenset[str]


@dataclass
class Analysis:
    """What is the same for all solutions of a program. `apart` are the places at which no two
    threads stand at once, as far as that is known."""

    program: Program
    facts: Facts
    apart: PlacesApart | None = None
    memory: NumericMemory = field(init=False)
    holding: NumericHolding = field(init=False)
    flags: Mapping[str, frozenset[str]] = field(init=False)
    thresholds: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.memory = NumericMemory(self.program, self.facts.points_to)
        self.holding = NumericHolding(self.program, self.memory, self.apart)
        self.flags = {n: flag_registers(t) for n, t in self.program.templates.items()}
        self.thresholds = sorted(thresholds(self.program))

    def solve(
        self, claims: Mapping[str, Interval], expired: Callable[[], bool] = lambda: False
    ) -> Numbers:
        """The solution where the cells of `claims` have these values at all times.

        Raises TakesTooLong.
        """
        return NumericRounds(self, claims, expired).run()

    def widened(self, old: Interval, new: Interval, times: int) -> Interval:
        """An interval around both, whose moving bounds are thresholds: the next ones at first, and
        ever farther ones as it has been widened more times."""
        low, high = old
        farther = (1 << min(_MOST_DOUBLED, max(0, times - _NEAR) // _DOUBLED)) - 1
        if new[0] < low:
            k = bisect_right(self.thresholds, new[0]) - 1
            low = self.thresholds[max(0, k - farther)] if k >= 0 else new[0]
        if new[1] > high:
            k, last = bisect_left(self.thresholds, new[1]), len(self.thresholds) - 1
            high = self.thresholds[min(last, k + farther)] if k <= last else new[1]
        return low, high


def flag_registers(template: Template) -> frozenset[str]:
    """The registers that only ever get numbers, or what other such registers hold."""
    values: dict[str, list[Expr | None]] = {}
    for _, edge in edges(template):
        for effect in edge.effects:
            target = effect_target(effect)
            if target is not None and isinstance(target.type, IntType):
                narrow = isinstance(effect, Havoc) and effect.low == 0 and effect.high == 1
                e = effect.value if isinstance(effect, Assign) else None
                values.setdefault(target.name, []).append(Const(0, target.type) if narrow else e)
    flags = set(values)
    while True:
        lost = {
            name
            for name in flags
            if not all(
                _is_number(e) or (isinstance(e, Reg) and e.name in flags) for e in values[name]
            )
        }
        if not lost:
            return frozenset(flags)
        flags -= lost


def _is_number(e: Expr | None) -> bool:
    return isinstance(e, Const | Compare)


def thresholds(program: Program) -> set[int]:
    """The numbers of a program's text, those beside them, and the bounds of types."""
    found = {0, 1, -1}
    for bits in (8, 16, 32, 64):
        for signed in (True, False):
            type = IntType(bits, signed)
            found |= {type.minimum, type.minimum + 1, type.maximum - 1, type.maximum}
    for template in program.templates.values():
        for _, edge in edges(template):
            for e in (edge.guard, *(e for x in edge.effects for e in effect_operands(x))):
                for sub in walk(e):
                    if isinstance(sub, Const) and isinstance(sub.type, IntType):
                        found |= {sub.value - 1, sub.value, sub.value + 1}
    return found


class NumericRounds:
    """One computation (mutable)."""

    def __init__(
        self, analysis: Analysis, claims: Mapping[str, Interval], expired: Callable[[], bool]
    ) -> None:
        self._analysis = analysis
        self._program = analysis.program
        self._expired = expired
        self._shared: dict[str, Interval] = dict(claims)
        self._bounded = frozenset(claims)
        self._grown: dict[str, int] = {}
        self._visits = Visits(self._program)
        self._read = Watched(self._shared, self._visits)
        self._steps = NumericSteps(analysis.holding, self._read, self._bounded)
        self._parts: dict[tuple[str, int], dict[Key, Box]] = {}
        self._merged: set[tuple[str, int]] = set()
        self._arrivals: dict[tuple[str, int, Key], int] = {}
        self._count = 0
        self._owned = frozenset().union(*analysis.memory.own.values())
        self._before = {name: _before(t) for name, t in self._program.templates.items()}

    def run(self) -> Numbers:
        """The least solution that widening finds, made smaller where that is easy."""
        self.settle()
        for _ in range(2):
            if not self._descend():
                break
        states = {at: list(parts.values()) for at, parts in self._parts.items()}
        return Numbers(states, dict(self._shared), self._bounded)

    def settle(self) -> None:
        """Makes rounds until none changes anything."""
        self._begin(self._tell)
        due = True
        while due:
            handed = dict(self._steps.handed)
            for name in (self._program.main, *sorted(self._steps.handed)):
                self._template(name)
            due = self._visits.is_due() or self._steps.handed != handed

    def is_settled(self) -> bool:
        """Whether a round that visits everything changes nothing; only such a solution is one."""
        before = dict(self._shared), {at: dict(parts) for at, parts in self._parts.items()}
        self._visits.due(self._parts)
        self.settle()
        return before == (self._shared, self._parts)

    def _begin(self, told: Callable[[str, Interval], None]) -> None:
        """Tells what cells hold that are not part of what the first thread knows."""
        memory = self._analysis.memory
        known = self._steps.entry(self._program.main).cells
        for name in self._program.objects:
            for cell in memory.static(name):
                if cell not in known and cell not in self._bounded:
                    told(cell, memory.initial[cell])

    def _tell(self, cell: str, value: Interval) -> None:
        old = self._shared.get(cell)
        if old is None:
            self._shared[cell] = value
            self._read.changed(cell)
            return
        new = min(old[0], value[0]), max(old[1], value[1])
        if new == old:
            return
        self._grown[cell] = self._grown.get(cell, 0) + 1
        if self._grown[cell] > PATIENCE:
            new = self._analysis.widened(old, new, self._grown[cell] - PATIENCE)
            full = scalar_bounds(self._analysis.memory.types[cell])
            new = max(new[0], full[0]), min(new[1], full[1])
        self._shared[cell] = new
        self._read.changed(cell)

    # -- one template ---------------------------------------------------------------------------

    def _template(self, name: str) -> None:
        def visit(i: int, heads: Heads) -> Iterator[int]:
            self._count += 1
            if self._count % 64 == 0 and self._expired():
                raise TakesTooLong
            for box in list(self._parts.get((name, i), {}).values()):
                for k, edge in enumerate(template.locations[i].edges):
                    after = self._steps.behind(name, i, k, box, self._tell, _ignore)
                    if after is None:
                        continue
                    if self._arrive(name, edge.target, after, edge.target in heads):
                        yield edge.target

        template = self._program.templates[name]
        if self._arrive(name, template.entry, self._steps.entry(name), False):
            self._visits.due([(name, template.entry)])
        self._visits.run(name, visit)

    def _arrive(self, name: str, location: int, box: Box, is_head: bool) -> bool:
        """Adds what is known on arrival; returns whether less is known then."""
        at = name, location
        self._drop_dead(name, location, box)
        parts = self._parts.setdefault(at, {})
        key = self._key(at, box)
        if key not in parts and len(parts) >= MOST_PARTS:
            self._merged.add(at)
            all_parts: Box | None = None
            for one in (*parts.values(), box):
                all_parts = one.copy() if all_parts is None else self._joined(all_parts, one, 0, at)
            assert all_parts is not None
            parts.clear()
            parts[()] = all_parts
            return True
        old = parts.get(key)
        if old is None:
            parts[key] = box
            return True
        if _within(box, old):
            return False
        joined = self._joined(old, box, 0, at)
        if joined == old:
            return False  # what is known of a cell where it is not hidden is what others tell
        count = self._arrivals.get((name, location, key), 0) + 1
        self._arrivals[name, location, key] = count
        widen = (is_head and count > PATIENCE) or count > 40
        parts[key] = self._joined(old, box, count - PATIENCE, at) if widen else joined
        return True

    def _key(self, at: tuple[str, int], box: Box) -> Key:
        if at in self._merged:
            return ()
        flags = self._analysis.flags[at[0]]
        return tuple(
            sorted((r, low) for r, (low, high) in box.regs.items() if low == high and r in flags)
        )

    def _drop_dead(self, name: str, location: int, box: Box) -> None:
        live = self._analysis.facts.live[name][location]
        for register in [r for r in box.regs if r not in live]:
            del box.regs[register]
        for register in [r for r in box.forms if r not in live]:
            del box.forms[register]
        if any(r not in live for r in box.same.values()):
            box.same = {c: r for c, r in box.same.items() if r in live}

    def _joined(self, a: Box, b: Box, times: int, at: At) -> Box:
        """What both say, where one was widened so many times; 0: it is not to be."""

        def both(x: Interval, y: Interval) -> Interval:
            around = min(x[0], y[0]), max(x[1], y[1])
            return self._analysis.widened(x, around, times) if times and around != x else around

        found = Box()
        for name, x in a.regs.items():
            if name in b.regs:
                found.regs[name] = both(x, b.regs[name])
        found.cells = a.cells.copy()
        for cell, y, known in b.cells.differing(a.cells):
            if known is not None:
                found.cells[cell] = both(known, y)
        found.same = {c: r for c, r in a.same.items() if b.same.get(c) == r and c in found.cells}
        for name, form in a.forms.items():
            other = b.forms.get(name)
            if other is not None and other.terms == form.terms:
                low, high = both((form.low, form.high), (other.low, other.high))
                if not times or (low, high) == (form.low, form.high):
                    found.forms[name] = Form(form.terms, low, high)
        self._keep_stored(a, b, found, at)
        return found

    def _keep_stored(self, a: Box, b: Box, found: Box, at: At) -> None:
        """Cells that only one of both knows hold in the other what is shared: those who come from
        the locations before read that. NOTE(visits-again)"""
        for one, other in ((a, b), (b, a)):
            differing = one.cells.differing(other.cells)
            for cell, value in sorted((c, value) for c, value, its in differing if its is None):
                if cell in self._owned or cell in self._bounded:
                    shared = scalar_bounds(self._analysis.memory.types[cell])
                else:
                    shared = self._shared.get(cell, value)
                    self._read.note(cell, self._before[at[0]][at[1]])
                found.cells[cell] = min(value[0], shared[0]), max(value[1], shared[1])

    # -- smaller solutions ----------------------------------------------------------------------

    def _descend(self) -> bool:
        """Computes everything once more from the solution; returns whether it became smaller."""
        told: dict[str, Interval] = {}

        def tell(cell: str, value: Interval) -> None:
            told[cell] = hull((told.get(cell), value)) or value

        self._begin(tell)
        found: dict[tuple[str, int], dict[Key, Box]] = {}

        def arrive(at: tuple[str, int], box: Box) -> None:
            self._drop_dead(*at, box)
            parts = found.setdefault(at, {})
            key = self._key(at, box)
            old = parts.get(key)
            parts[key] = box if old is None else self._joined(old, box, 0, at)

        for name in (self._program.main, *sorted(self._steps.handed)):
            arrive((name, self._program.templates[name].entry), self._steps.entry(name))
        for (name, i), parts in self._parts.items():
            for box in parts.values():
                for k, edge in enumerate(self._program.templates[name].locations[i].edges):
                    after = self._steps.behind(name, i, k, box, tell, _ignore)
                    if after is not None:
                        arrive((name, edge.target), after)
        smaller = found != self._parts
        self._parts = found
        for cell in self._shared.keys() - self._bounded:
            new = told.get(cell)
            if new is None:
                continue
            old = self._shared[cell]
            new = max(new[0], old[0]), min(new[1], old[1])
            smaller |= new != old
            self._shared[cell] = new
        return smaller


def _before(template: Template) -> dict[int, list[At]]:
    """The places from which edges lead to each location."""
    found: dict[int, list[At]] = {i: [] for i in range(len(template.locations))}
    for i, edge in edges(template):
        if goes_on(edge):
            found[edge.target].append((template.name, i))
    return found


def _ignore(_: object) -> None:
    pass


def _within(a: Box, b: Box) -> bool:
    """Whether all that `b` says follows from `a`."""
    if any(theirs is None for _, _, theirs in a.cells.differing(b.cells)):
        return False
    regs = () if a.regs == b.regs else b.regs.items() - a.regs.items()
    for (low, high), known in (
        *((value, a.regs.get(name)) for name, value in regs),
        *((value, known) for _, value, known in b.cells.differing(a.cells)),
    ):
        if known is None or known[0] < low or high < known[1]:
            return False
    if any(a.same.get(cell) != register for cell, register in b.same.items()):
        return False
    for name, form in b.forms.items():
        other = a.forms.get(name)
        if other is None or other.terms != form.terms:
            return False
        if other.low < form.low or form.high < other.high:
            return False
    return True
