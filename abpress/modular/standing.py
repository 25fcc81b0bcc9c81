"""What is known wherever threads of one class stand, from what is known where they begin.

States at a location are told apart by the cells that hold the thread's own id, by which classes
run, and by small values of live registers, as long as they are few: those of pointers longer than
numbers, which a loop may count through.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush

from abpress.analysis.facts import Facts
from abpress.ir.program import Program
from abpress.ir.types import PtrType
from abpress.modular.classes import ThreadClasses
from abpress.modular.interference import Closed, Globals, Interference
from abpress.modular.memory import Noticed
from abpress.modular.settling import LoopOrders, steps_for
from abpress.modular.spots import Spot, Spots
from abpress.modular.state import Known, implies, joined
from abpress.modular.transfer import ClassTransfer
from abpress.modular.valuation import Atoms, Variable
from abpress.modular.values import AddressOf, Atom, Number, Thread, is_held

MOST_STEPS = 300_000
"""Edges that one analysis looks at, at most; most programs need a hundredth."""

MOST_STEPS_OF_EDGE = 400
"""The same for each edge of a program, where that is more; most programs need a tenth."""

Key = tuple[object, ...]

_NUMBERS, _REGISTERS, _ALL = 1, 2, 3
"""From which merge of a location on the numbers in registers, all registers, and all else tell
nothing apart."""

Parts = dict[Key, Known]
"""Sets of states of one location, by what tells them apart."""


@dataclass(frozen=True, slots=True)
class Detail:
    """How precise the analysis is: the sets of states of one location that are kept apart, and how
    many creations by one edge are told apart."""

    parts: int = 24
    occurrences: int = 0


class Budget(Exception):
    """The analysis takes too long."""


@dataclass
class Subject:
    """What is analysed, and what is the same for all classes of its threads. Mutable: classes and
    repeated objects are found, and `steps` are counted."""

    program: Program
    detail: Detail
    expired: Callable[[], bool]
    facts: Facts = field(init=False)
    classes: ThreadClasses = field(init=False)
    spots: Spots = field(init=False)
    orders: LoopOrders = field(default_factory=LoopOrders)
    steps: int = 0
    most_steps: int = field(init=False)

    def __post_init__(self) -> None:
        self.facts = Facts.of(self.program)
        self.classes = ThreadClasses(self.program)
        self.spots = Spots(self.program, self.classes, self.facts.points_to)
        self.most_steps = steps_for(self.program, MOST_STEPS, MOST_STEPS_OF_EDGE)

    def step(self, count: int) -> None:
        """Notes that so many steps were made. Raises Budget."""
        self.steps += count
        if self.steps > self.most_steps or self.expired():
            raise Budget


@dataclass(frozen=True, slots=True)
class KnownOfClass:
    """What is known at each location, and what others are told of that."""

    known: Mapping[int, Parts]
    noticed: Noticed


class ClassStates:
    """The knowledge of one class, under what others do: `given`, as `interference` says. Mutable.

    `before` is what was found the last time.
    """

    def __init__(
        self,
        subject: Subject,
        cls: int,
        given: Globals,
        interference: Interference,
        before: KnownOfClass | None = None,
    ) -> None:
        self._subject = subject
        self._cls = cls
        self._interference = interference
        self._template = subject.classes.template(cls)
        self._live = subject.facts.live[self._template.name]
        registers = self._template.registers.items()
        self._pointers = {name for name, type in registers if isinstance(type, PtrType)}
        self._noticed = Noticed()
        self._transfer = ClassTransfer(
            subject.spots, cls, given, interference, self._noticed, subject.detail.occurrences
        )
        self._level: dict[int, int] = {}
        self._todo: list[tuple[int, int, int, Key]] = []
        self._arrivals = 0
        self._order = subject.orders.of(self._template).rank
        self._before: Mapping[int, Parts] = {} if before is None else before.known
        self._since: dict[tuple[int, Key], Closed] = {}
        self._held: dict[tuple[int, Key], Held] = {}
        self._known: dict[int, Parts] = {}

    def run(self, entry: Known) -> KnownOfClass:
        """Computes what is known everywhere from what is known where the threads begin. Raises
        Budget."""
        self._arrive(self._template.entry, entry, None, None)
        count = 0
        while self._todo:
            count += 1
            if count % 64 == 0:
                self._subject.step(64)
            _, _, location, key = heappop(self._todo)
            known = self._known[location].get(key)
            if known is None:
                continue  # it has been merged with others
            for k, edge in enumerate(self._template.locations[location].edges):
                after = self._transfer.behind(location, k, known, key)
                if after is not None:
                    since = self._since.get((location, key))
                    came = known, self._held[location, key]
                    self._arrive(edge.target, after, since, came)
        return KnownOfClass(self._known, self._noticed)

    def _arrive(
        self,
        location: int,
        known: Known,
        since: Closed | None,
        came: tuple[Known, Held] | None,
    ) -> None:
        """`since` is what was known on the way where others could move, `came` what was known where
        the thread was before, and the cells there that hold its own id or bit."""
        known = known.of_live(self._live[location])
        if not self._template.locations[location].atomic:
            since = self._interference.closing(self._cls, known, since)
            known = since.known
        parts = self._known.setdefault(location, {})
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
        if len(parts) > self._subject.detail.parts and self._level.get(location, 0) < _ALL:
            self._merge(location)

    def _as_before(self, location: int, key: Key, known: Known) -> Known:
        """What is known, of the parts of which it was made before: what is made of the
        same parts is compared in no time."""
        old = self._before.get(location, {}).get(key)
        return (
            known
            if old is None
            else Known(known.values.like(old.values), known.copies, known.moved)
        )

    def _merge(self, location: int) -> None:
        self._level[location] = self._level.get(location, 0) + 1
        parts = self._known[location]
        self._known[location] = {}
        since = {key: self._since.pop((location, key), None) for key in parts}
        for key, known in parts.items():
            self._arrive(location, known, since[key], (known, self._held[location, key]))

    def _key(self, location: int, known: Known, held: Held) -> Key:
        level = self._level.get(location, 0)
        if level == _ALL:
            return ()
        small = []
        for variable, atoms in known.values.registers.items() if level < _REGISTERS else ():
            if len(atoms) == 1 and (level < _NUMBERS or variable in self._pointers):
                (atom,) = atoms
                if isinstance(atom, Number | Thread) or _is_exact(atom):
                    small.append((variable, atom))
        return (held, frozenset(known.values.threads.items()), frozenset(small))


def _is_exact(atom: Atom) -> bool:
    """Whether it is the address of one byte of an object."""
    return isinstance(atom, AddressOf) and not atom.stride


Held = frozenset[tuple[Variable, Atoms]]


def _held(known: Known, came: tuple[Known, Held] | None) -> Held:
    """The cells that hold the thread's own id or bit; those where it was before are known."""
    before, old = (Known(), Held()) if came is None else came
    changed = set(known.values.differing(before.values))
    found = {fact for fact in old if fact[0] not in changed}
    for variable in changed:
        atoms = known.get(variable)
        if atoms is not None and is_held(atoms) and _is_cell(variable):
            found.add((variable, atoms))
    return frozenset(found)


def _is_cell(variable: Variable) -> bool:
    return isinstance(variable, Spot) and variable.origin.kind != "thread"
