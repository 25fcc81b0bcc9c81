"""What is known of differences and pointers wherever a thread stands, by rounds with widening.

Forward dataflow per template ([Zones01]); what cells hold that several threads see joins what all
threads write. States of one location are kept apart by flags.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from abpress.analysis.facts import Facts
from abpress.config import Place
from abpress.ir.bounds import scalar_bounds
from abpress.ir.expr import Addr, Binary, Compare, Const, PtrAdd, walk
from abpress.ir.intervals import hull
from abpress.ir.program import Program, edges, effect_operands
from abpress.ir.types import IntType, Scalar
from abpress.modular.apart import At, PlacesApart
from abpress.modular.bounds.effects import BoundsSteps, Reports
from abpress.modular.bounds.memory import AccessMemory
from abpress.modular.bounds.places import all_places, carrier
from abpress.modular.bounds.pointing import Content
from abpress.modular.bounds.state import MOST_POINTEES, Flags, State
from abpress.modular.bounds.tracked import tracked
from abpress.modular.bounds.values import Rest, either
from abpress.modular.handed import ARGUMENT
from abpress.modular.numbers.fixpoint import flag_registers, thresholds
from abpress.modular.settling import Heads, TakesTooLong, Visits, steps_for

PATIENCE = 3
"""Times that a state or a content may grow before it is widened."""

PATIENCE_WITH_MEMBERS = 8
"""The same of numbers that members hold: they grow with the counters of loops, until these are
widened."""

MOST_ARRIVALS = 40
"""Times that a state may grow before all of it is widened."""

MOST_ENDS = 12
"""Numbers that a variable may grow to before it has no bound."""

_GREATEST_RING = 1 << 31
"""Greater numbers that are compared with are marks, as of what is destroyed."""

MOST_PARTS = 12
"""States of one location that are kept apart."""

MOST_STEPS = 60_000
"""Edges that are followed before the analysis gives up."""

MOST_STEPS_OF_EDGE = 60
"""The same for each edge of a program, where that is more."""

States = dict[tuple[str, int], dict[Flags, State]]


@dataclass(frozen=True, slots=True)
class BoundsFacts:
    """A solution: what threads know where they stand, what cells hold while there are several
    threads (`always`, and `rests` of numbers), and when the only thread of a template has ended,
    and the edges with accesses that it does not prove, with frees, and with cuts. `doubts` are the
    facts that are missing for the first ones, in words. `strayed` are the edges that may make a
    pointer beside its object. At `private` places threads write no members but those of objects
    that only they know."""

    states: States
    types: Mapping[str, dict[str, Scalar]]
    always: Mapping[str, Content | None]
    ends: Mapping[str, State]
    alarms: tuple[Place, ...]
    frees: tuple[Place, ...]
    cuts: tuple[str, ...]
    doubts: Mapping[Place, tuple[str, ...]]
    strayed: tuple[Place, ...]
    rests: Mapping[str, Rest]
    private: frozenset[At]


def find(
    program: Program,
    facts: Facts,
    expired: Callable[[], bool] = lambda: False,
    apart: PlacesApart | None = None,
) -> BoundsFacts:
    """The solution. Raises TakesTooLong."""
    memory = AccessMemory(program, facts, apart)
    private = memory.members.private
    while True:
        memory.set_private(private)
        rounds = _BoundsRounds(program, facts, expired, memory)
        found = rounds.run()
        if not rounds.shared & private:
            return found
        private -= rounds.shared


@dataclass
class _BoundsRounds:
    """One computation (mutable)."""

    program: Program
    facts: Facts
    expired: Callable[[], bool]
    memory: AccessMemory
    always: dict[str, Content | None] = field(default_factory=dict)
    parts: States = field(default_factory=dict)
    ends: dict[str, State] = field(default_factory=dict)
    rests: dict[str, Rest] = field(default_factory=dict)
    started: dict[str, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        memory = self.memory
        self.always |= dict.fromkeys(memory.members.contents, frozenset())
        read = tracked(self.program, memory)
        flags = {name: flag_registers(t) for name, t in self.program.templates.items()}
        self._steps = BoundsSteps(
            self.program,
            memory,
            read.variables,
            flags,
            self.always,
            self.ends,
            self.rests,
            read.members,
        )
        self._thresholds = sorted(thresholds(self.program))
        self._ends = sorted({*_ends(self.program, memory)})[:MOST_ENDS]
        self._grown: dict[str, int] = {}
        self._arrivals: dict[tuple[str, int, Flags], int] = {}
        self._merged: set[tuple[str, int]] = set()
        self._changed = False
        self._count = 0
        self._visits = Visits(self.program)
        self._most_steps = steps_for(self.program, MOST_STEPS, MOST_STEPS_OF_EDGE)
        self._at = self.program.main, 0
        self.shared: set[At] = set()
        self._reports = Reports(
            self._tell,
            self._begin,
            _nothing,
            _nothing,
            _nothing,
            self._end,
            shared=lambda: self.shared.add(self._at),
        )

    def run(self) -> BoundsFacts:
        """The least solution that widening finds."""
        main = self.program.main
        self._begin(main, self._steps.start(self._reports))
        while True:
            self._changed = False
            for name in list(self.started):
                self._template(name)
            if not self._changed:
                return self._solution()

    def _solution(self) -> BoundsFacts:
        alarms: dict[Place, dict[str, None]] = {}
        frees: dict[Place, None] = {}
        cuts: dict[str, None] = {}
        strayed: dict[Place, None] = {}
        for (name, i), its in sorted(self.parts.items()):
            for k in range(len(self.program.templates[name].locations[i].edges)):
                reports = Reports(
                    _nothing,
                    _nothing,
                    lambda why, p=(name, i, k): alarms.setdefault(p, {}).setdefault(why),  # type: ignore[misc]
                    lambda p=(name, i, k): frees.setdefault(p),  # type: ignore[misc]
                    cuts.setdefault,
                    _nothing,
                    lambda p=(name, i, k): strayed.setdefault(p),  # type: ignore[misc]
                )
                for state in its.values():
                    self._steps.behind(name, i, k, state, reports)
        return BoundsFacts(
            self.parts,
            self._steps.types,
            dict(self.always),
            dict(self.ends),
            tuple(alarms),
            tuple(frees),
            tuple(cuts),
            {place: tuple(why) for place, why in alarms.items()},
            tuple(strayed),
            {cell: its for cell, its in self.rests.items() if its[0] > 1},
            self.memory.private,
        )

    def _tell(self, cell: str, content: Content | None, its: Rest) -> None:
        both = either(self.rests.get(cell, its), its)
        if self.rests.get(cell) != both:
            self.rests[cell] = both
            self._changed = True
        new = content
        if cell in self.always:
            old = self.always[cell]
            new = self._both(cell, old, content)
            if new == old:
                return
            self._grown[cell] = self._grown.get(cell, 0) + 1
            is_member = cell in self.memory.numbers.named
            if self._grown[cell] > (PATIENCE_WITH_MEMBERS if is_member else PATIENCE):
                new = self._widened(cell, old, new)
        self.always[cell] = new
        self._changed = True

    def _both(self, cell: str, a: Content | None, b: Content | None) -> Content | None:
        match a, b:
            case (frozenset(), frozenset()):
                both = all_places(a | b)
                return both if len(both) <= MOST_POINTEES else None
            case ((_, _), (_, _)):
                return hull((a, b))
            case _:
                return None

    def _widened(self, cell: str, old: Content | None, new: Content | None) -> Content | None:
        if isinstance(old, frozenset) and isinstance(new, frozenset):
            return new if len(new) > len(old) else None
        its = self._steps.memory.cells.get(cell) or self._steps.memory.numbers.named.get(cell)
        if its is None:
            return None
        type = its.type
        if not isinstance(type, IntType) or not isinstance(old, tuple):
            return new
        if not isinstance(new, tuple):
            return None
        low, high = scalar_bounds(type)
        least = old[0] if new[0] >= old[0] else 0 if new[0] >= 0 else low
        most = old[1] if new[1] <= old[1] else high
        if new[1] > old[1]:
            k = bisect_left(self._thresholds, new[1])
            most = min(high, self._thresholds[k]) if k < len(self._thresholds) else high
        return least, most

    def _end(self, name: str, state: State) -> None:
        old = self.ends.get(name)
        if old is None:
            self.ends[name] = state
        elif state.implies(old):
            return
        else:
            self._grown[f"end of {name}"] = self._grown.get(f"end of {name}", 0) + 1
            widen = self._grown[f"end of {name}"] > PATIENCE
            self.ends[name] = old.widened(state) if widen else old.joined(state)
        self._changed = True

    def _begin(self, name: str, state: State) -> None:
        self.started.setdefault(name)
        entry = self.program.templates[name].entry
        if self._arrive(name, entry, state, frozenset({ARGUMENT})):
            self._changed = True

    def _template(self, name: str) -> None:
        def visit(i: int, heads: Heads) -> Iterator[int]:
            self._at = name, i
            for state in list(self.parts[name, i].values()):
                for k, edge in enumerate(template.locations[i].edges):
                    self._count += 1
                    if self._count > self._most_steps or (self._count % 64 == 0 and self.expired()):
                        raise TakesTooLong
                    after = self._steps.behind(name, i, k, state, self._reports)
                    if after is None:
                        continue
                    if self._arrive(name, edge.target, after, heads.get(edge.target)):
                        yield edge.target

        template = self.program.templates[name]
        places = ((name, i) for i in range(len(template.locations)))
        self._visits.due(place for place in places if place in self.parts)
        self._visits.run(name, visit)

    def _arrive(self, name: str, location: int, state: State, kept: frozenset[str] | None) -> bool:
        """Adds what is known on arrival; returns whether less is known then. At the head of a loop
        some registers are `kept` in the loop: what grows of them does so elsewhere."""
        at = name, location
        live = self.facts.live[name][location]
        registers = self.program.templates[name].registers
        known = {n: carrier(n) or n for n in state.names()}
        state.forget({n for n, r in known.items() if r in registers and r not in live})
        if at in self._merged:
            state.flags.clear()
        parts = self.parts.setdefault(at, {})
        key = state.key()
        if key not in parts and len(parts) >= MOST_PARTS:
            self._merged.add(at)
            state.flags.clear()
            for other in parts.values():
                state = state.joined(other)
            parts.clear()
            parts[()] = state
            return True
        old = parts.get(key)
        if old is None:
            parts[key] = state
            return True
        if state.implies(old):
            return False
        count = self._arrivals.get((name, location, key), 0) + 1
        self._arrivals[name, location, key] = count
        if count > MOST_ARRIVALS:
            kept = frozenset()
        if kept is not None and count > PATIENCE:
            parts[key] = old.widened(state, self._ends, kept)
        else:
            parts[key] = old.joined(state)
        return True


def _ends(program: Program, memory: AccessMemory) -> Iterator[int]:
    """The numbers with which others are compared, and those before them and before divisors: at
    them something may end, or begin anew."""
    for name, template in program.templates.items():
        sizes = set(memory.indexed[name].values())
        for _, edge in edges(template):
            for e in (edge.guard, *(e for x in edge.effects for e in effect_operands(x))):
                for sub in walk(e):
                    match sub:
                        case Binary("%", _, Const(n, _)):
                            yield from _end(n - 1)
                        case Compare("==" | "!=", _, Const(n, _)):
                            yield from (*_end(n - 1), *_end(n))
                        case Compare("==" | "!=", _, Addr(_, offset, _)):
                            for size in sizes:
                                yield from _end(offset // size)
                        case PtrAdd(_, Const(offset, _)):
                            for size in sizes:
                                yield from _end(offset // size)
                        case _:
                            pass


def _end(n: int) -> Iterator[int]:
    if 0 < n <= _GREATEST_RING:
        yield n


def _nothing(*_: object) -> None:
    pass
