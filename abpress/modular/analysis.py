"""The analysis: what is known wherever threads of each class stand, as a fixpoint in rounds.

A round computes the knowledge of every class anew, under what all did in the rounds before
(`Globals`), which grows until a round finds nothing new. So what is known where a thread stands
between two of its atomic blocks is what its own steps give and no other thread changes
(NOTE(thread-modular)). States at a location are told apart by the cells that hold the thread's own
id, by which classes run, and by small values of live registers, as long as they are few.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush

from abpress.analysis.facts import Facts
from abpress.ir.program import Program
from abpress.modular.classes import ThreadClasses
from abpress.modular.interference import Closed, Globals, Interference
from abpress.modular.memory import Noticed
from abpress.modular.settling import LoopOrders, steps_for
from abpress.modular.spots import Spot, Spots, allocations, made, site_name, status
from abpress.modular.state import Known, implies, joined
from abpress.modular.telling import Exclusion
from abpress.modular.transfer import ClassTransfer
from abpress.modular.valuation import Atoms, Valuation, Variable
from abpress.modular.values import (
    ONE,
    SELF,
    ZERO,
    AddressOf,
    Atom,
    Holds,
    Number,
    Origin,
    Thread,
    Value,
    union,
)

MOST_ROUNDS = 60
"""More rounds than programs need; then the analysis gives up."""

MOST_STEPS = 300_000
"""Edges that one analysis looks at, at most; most programs need a hundredth."""

MOST_STEPS_OF_EDGE = 400
"""The same for each edge of a program, where that is more; most programs need a tenth."""

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Detail:
    """How precise the analysis is: the sets of states of one location that are kept apart, and how
    many creations by one edge are told apart."""

    parts: int = 24
    occurrences: int = 0


class Budget(Exception):
    """The analysis takes too long."""


@dataclass(frozen=True)
class Solution:
    """What is known at each location of each class: sets of states by their keys.

    `closed` under everything that threads do: `globals`. `doubts` are what withholds a proof.
    """

    program: Program
    classes: ThreadClasses
    spots: Spots
    known: Mapping[tuple[int, int], Mapping[Key, Known]]
    globals: Globals
    doubts: tuple[str, ...]
    occurrences: int

    @cached_property
    def interference(self) -> Interference:
        """What threads do to the knowledge of others."""
        return Interference(self.classes, self.spots, self.globals)

    @cached_property
    def exclusion(self) -> Exclusion:
        """What tells which threads exclude each other."""
        states = ((cls, known) for (cls, _), its in self.known.items() for known in its.values())
        return Exclusion(self.classes, self.spots, self.interference.contested, states)

    def transfer(self, cls: int) -> ClassTransfer:
        """The steps of a class."""
        return self._transfers[cls]

    @cached_property
    def _transfers(self) -> tuple[ClassTransfer, ...]:
        return tuple(
            ClassTransfer(
                self.spots, cls, self.globals, self.interference, Noticed(), self.occurrences
            )
            for cls in range(len(self.classes.listed))
        )


def analyse(
    program: Program,
    detail: Detail | None = None,
    expired: Callable[[], bool] = lambda: False,
) -> Solution | None:
    """The solution for a program; None if there is none within the limits."""
    try:
        return _RoundsOfClasses(program, detail or Detail(), expired).solution()
    except Budget:
        return None


@dataclass
class _RoundsOfClasses:
    """The rounds of one analysis. Mutable."""

    program: Program
    detail: Detail
    expired: Callable[[], bool]
    facts: Facts = field(init=False)
    classes: ThreadClasses = field(init=False)
    spots: Spots = field(init=False)
    most_steps: int = field(init=False)
    steps: int = 0
    orders: LoopOrders = field(default_factory=LoopOrders)
    before: dict[tuple[int, int, Key], Known] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.facts = Facts.of(self.program)
        self.classes = ThreadClasses(self.program)
        self.spots = Spots(self.program, self.classes, self.facts.points_to)
        self.most_steps = steps_for(self.program, MOST_STEPS, MOST_STEPS_OF_EDGE)

    def solution(self) -> Solution:
        given = Globals()
        for _ in range(MOST_ROUNDS):
            before = self._meaning()
            noticed, known = self._round(given)
            self.spots.repeated |= noticed.repeated
            self.classes.settle()
            if self._meaning() != before:
                given = Globals()  # what was found has another meaning now
                continue
            if not given.include(noticed.globals):
                return Solution(
                    self.program,
                    self.classes,
                    self.spots,
                    known,
                    given,
                    tuple(noticed.doubts),
                    self.detail.occurrences,
                )
        raise Budget

    def _meaning(self) -> tuple[int, ...]:
        return len(self.classes.many), len(self.spots.repeated), len(self.classes.listed)

    def _round(self, given: Globals) -> tuple[Noticed, dict[tuple[int, int], dict[Key, Known]]]:
        noticed = Noticed()
        found: dict[tuple[int, int], dict[Key, Known]] = {}
        interference = Interference(self.classes, self.spots, given)
        noticed.globals.begin(0, initially(self.spots, noticed.globals))
        done: dict[int, Known] = {}
        while True:
            entries = noticed.globals.entries
            todo = [k for k, entry in entries.items() if done.get(k) != entry]
            if not todo:
                return noticed, found
            for cls in todo:
                done[cls] = entry = entries[cls]
                states = _ClassStates(self, cls, given, noticed, interference)
                states.run(entry)
                for location, parts in states.known.items():
                    found[cls, location] = parts


def initially(spots: Spots, told: Globals) -> Known:
    """What is known where the first thread begins; `told` is what then is in summaries."""
    program, classes = spots.program, spots.classes
    assert ZERO is not None and ONE is not None
    values: dict[Variable, frozenset[Atom]] = {}
    for name, o in program.objects.items():
        origin = Origin("static", -1, name)
        followed = spots.followed(origin, False)
        period = spots.period(origin) or 1
        cells: dict[int, Value] = {}
        for cell, value in zip(o.layout.cells, spots.initial(o, -1), strict=True):
            if not followed:
                offset = cell.offset % period
                cells[offset] = union(cells.get(offset, frozenset()), value)
            elif value is not None:
                values[Spot(origin, cell.offset)] = value
        for offset, value in cells.items():
            told.summarise(Spot(origin, offset), value)
    for c in classes.listed[1:]:
        values[status(c.number)] = ZERO
    for c in classes.listed:
        for i, k, n, _ in allocations(program.templates[c.template]):
            values[made(Origin("heap", c.number, site_name(i, k, n)))] = ZERO
    values[status(0)] = ONE
    return Known(Valuation.of(values))


class _ClassStates:
    """The knowledge of one class in one round. Mutable."""

    def __init__(
        self,
        rounds: _RoundsOfClasses,
        cls: int,
        given: Globals,
        noticed: Noticed,
        interference: Interference,
    ) -> None:
        self._rounds = rounds
        self._cls = cls
        self._interference = interference
        self._template = rounds.classes.template(cls)
        self._live = rounds.facts.live[self._template.name]
        self._transfer = ClassTransfer(
            rounds.spots, cls, given, interference, noticed, rounds.detail.occurrences
        )
        self._level: dict[int, int] = {}
        self._todo: list[tuple[int, int, int, Key]] = []
        self._arrivals = 0
        self._order = rounds.orders.of(self._template).rank
        self._since: dict[tuple[int, Key], Closed] = {}
        self._held: dict[tuple[int, Key], Held] = {}
        self.known: dict[int, dict[Key, Known]] = {}

    def run(self, entry: Known) -> None:
        """Computes what is known everywhere from what is known where the threads begin."""
        self._arrive(self._template.entry, entry, None, None)
        count = 0
        while self._todo:
            count += 1
            if count % 64 == 0:
                self._rounds.steps += 64
                if self._rounds.steps > self._rounds.most_steps or self._rounds.expired():
                    raise Budget
            _, _, location, key = heappop(self._todo)
            known = self.known[location].get(key)
            if known is None:
                continue  # it has been merged with others
            for k, edge in enumerate(self._template.locations[location].edges):
                after = self._transfer.behind(location, k, known, key)
                if after is not None:
                    since = self._since.get((location, key))
                    came = known, self._held[location, key]
                    self._arrive(edge.target, after, since, came)

    def _arrive(
        self,
        location: int,
        known: Known,
        since: Closed | None,
        came: tuple[Known, Held] | None,
    ) -> None:
        """`since` is what was known on the way where others could move, `came` what was known where
        the thread was before, and the cells there that hold its own id or bit."""
        live = self._live[location]
        dead = {*known.values.registers, *known.copies} - live
        if dead:
            known = known.without(dead)
        if not self._template.locations[location].atomic:
            since = self._interference.closing(self._cls, known, since)
            known = since.known
        parts = self.known.setdefault(location, {})
        held = _held(known, came)
        key = self._key(location, known, held)
        while True:
            old = parts.get(key)
            if old is None:
                break
            if implies(known, old):
                return
            known = joined(old, known)
            # What is known less may be known of fewer things that tell the parts apart.
            held = _held(known, came)
            new = self._key(location, known, held)
            if new == key:
                break
            del parts[key]
            key = new
        known = self._as_before(location, key, known)
        parts[key] = known
        self._held[location, key] = held
        if since is not None:
            self._since[location, key] = since
        self._arrivals += 1
        heappush(self._todo, (self._order[location], self._arrivals, location, key))
        if len(parts) > self._rounds.detail.parts and self._level.get(location, 0) < 2:
            self._merge(location)

    def _as_before(self, location: int, key: Key, known: Known) -> Known:
        """What is known, of the parts of which it was made in the round before: what is made of the
        same parts is compared in no time."""
        at = self._cls, location, key
        old = self._rounds.before.get(at)
        if old is not None:
            known = Known(known.values.like(old.values), known.copies)
        self._rounds.before[at] = known
        return known

    def _merge(self, location: int) -> None:
        self._level[location] = self._level.get(location, 0) + 1
        parts = self.known[location]
        self.known[location] = {}
        since = {key: self._since.pop((location, key), None) for key in parts}
        for key, known in parts.items():
            self._arrive(location, known, since[key], (known, self._held[location, key]))

    def _key(self, location: int, known: Known, held: Held) -> Key:
        level = self._level.get(location, 0)
        if level == 2:
            return ()
        small = []
        for variable, atoms in known.values.registers.items() if level == 0 else ():
            if len(atoms) == 1:
                (atom,) = atoms
                if isinstance(atom, Number | Thread) or _is_exact(atom):
                    small.append((variable, atom))
        return (held, frozenset(known.values.threads.items()), frozenset(small))


def _is_exact(atom: Atom) -> bool:
    """Whether it is the address of one byte of an object."""
    return isinstance(atom, AddressOf) and not atom.stride


_HELD = (frozenset({SELF}), frozenset({Holds(True)}))

Held = frozenset[tuple[Variable, Atoms]]


def _held(known: Known, came: tuple[Known, Held] | None) -> Held:
    """The cells that hold the thread's own id or bit; those where it was before are known."""
    before, old = (Known(), Held()) if came is None else came
    changed = set(known.values.differing(before.values))
    found = {fact for fact in old if fact[0] not in changed}
    for variable in changed:
        atoms = known.get(variable)
        if atoms in _HELD and atoms is not None and _is_cell(variable):
            found.add((variable, atoms))
    return frozenset(found)


def _is_cell(variable: Variable) -> bool:
    return isinstance(variable, Spot) and variable.origin.kind != "thread"
