"""The analysis: what is known wherever threads of each class stand, as a fixpoint.

The classes are looked at in turn. Each turn computes the knowledge of a class anew, under what all
did in the turns before (`Globals`), which grows until no turn finds anything new. So what is known
where a thread stands between two of its atomic blocks is what its own steps give and no other
thread changes (NOTE(thread-modular)).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from abpress.ir.program import Program
from abpress.modular.classes import ThreadClasses
from abpress.modular.interference import Globals, Interference
from abpress.modular.memory import Noticed
from abpress.modular.spots import Spot, Spots, allocations, made, site_name, status
from abpress.modular.standing import Budget, ClassStates, Detail, Key, KnownOfClass, Subject
from abpress.modular.state import Known, joined
from abpress.modular.telling import Exclusion
from abpress.modular.transfer import ClassTransfer
from abpress.modular.valuation import Valuation, Variable
from abpress.modular.values import ONE, ZERO, Atom, Origin, Value, union

MOST_ROUNDS = 60
"""More turns of each class than programs need; then the analysis gives up."""

_CHEAPER = 8
"""To look at the changes that others make takes less than to look at states, by so much."""


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
    subject = Subject(program, detail or Detail(), expired)
    try:
        for _ in range(MOST_ROUNDS):
            turns = TurnsOfClasses(subject)
            if turns.settle():
                return turns.solution()
    except Budget:
        pass
    return None


class TurnsOfClasses:
    """The turns of the classes of one subject, as long as what is found has one meaning. Mutable.

    All that is said of classes and objects has another meaning when more of them are found; then
    the turns end.
    """

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._meaning = self._meaning_now()
        self._start = Noticed()
        self._start.globals.begin(0, initially(subject.spots, self._start.globals))
        self._given = Globals()
        self._found: dict[int, KnownOfClass] = {}
        self._entries = dict(self._start.globals.entries)
        self._version = 0
        """Of what is given; and which one each class has seen last, and what it is in changes that
        threads make."""
        self._seen: dict[int, int] = {}
        self._shown = 0
        self._interference = Interference(subject.classes, subject.spots, self._given)
        self._looked = 0
        self._last: dict[int, int] = {}
        self._count = 0

    def settle(self) -> bool:
        """Looks at classes until none finds anything new; returns whether what is found still has
        the same meaning. Raises Budget."""
        self._look_alone()
        self._given.include(-1, self._start.globals)
        self._version += 1
        for cls in self._found:
            self._include(cls)
        return self._take_turns()

    def _take_turns(self) -> bool:
        while self._meaning_now() == self._meaning:
            due = self._next()
            if due is None:
                return True
            self._look(due, self._given)
            self._include(due)
        return False

    def is_settled(self) -> bool:
        """Whether nothing is new when all classes are looked at once more; only such knowledge is a
        solution. Raises Budget."""
        before = {cls: its.known for cls, its in self._found.items()}
        self._version += 1
        version = self._version
        same = self._take_turns() and self._version == version
        return same and before == {cls: its.known for cls, its in self._found.items()}

    def solution(self) -> Solution:
        """What is known in the end."""
        subject = self._subject
        self._given.entries = dict(self._entries)
        doubts = dict.fromkeys(d for its in self._found.values() for d in its.noticed.doubts)
        return Solution(
            subject.program,
            subject.classes,
            subject.spots,
            {
                (cls, location): parts
                for cls, its in sorted(self._found.items())
                for location, parts in its.known.items()
            },
            self._given,
            tuple(doubts),
            subject.detail.occurrences,
        )

    def _meaning_now(self) -> tuple[int, ...]:
        classes = self._subject.classes
        return len(classes.many), len(self._subject.spots.repeated), len(classes.listed)

    def _look_alone(self) -> None:
        """Looks at all classes as if nobody else did anything: so most of them are found."""
        nobody = Globals()
        while todo := [cls for cls in self._entries if cls not in self._seen]:
            for cls in todo:
                self._look(cls, nobody)

    def _look(self, cls: int, given: Globals) -> None:
        """Computes what is known of a class now."""
        subject = self._subject
        self._count += 1
        if self._count > MOST_ROUNDS * len(subject.classes.listed):
            raise Budget
        before = self._found.get(cls)
        states = ClassStates(subject, cls, given, self._interference, before)
        self._seen[cls], self._last[cls] = self._shown, self._count
        self._found[cls] = found = states.run(self._entries[cls])
        self._looked += sum(map(len, found.known.values()))
        subject.spots.repeated |= found.noticed.repeated
        subject.classes.settle()
        begun = found.noticed.globals.entries
        old = () if before is None else before.noticed.globals.entries
        for child in (*begun, *(c for c in old if c not in begun)):
            self._enter(child)

    def _enter(self, cls: int) -> None:
        """Joins what all know who create threads of a class, that is to be looked at if it is
        something else than before."""
        entry: Known | None = None
        for noticed in (self._start, *(its.noticed for _, its in sorted(self._found.items()))):
            its = noticed.globals.entries.get(cls)
            if its is not None:
                entry = its if entry is None else joined(entry, its)
        if entry is not None and entry != self._entries.get(cls):
            self._entries[cls] = entry
            self._seen.pop(cls, None)

    def _include(self, cls: int) -> None:
        if self._given.include(cls, self._found[cls].noticed.globals):
            self._version += 1

    def _next(self) -> int | None:
        """The class that is looked at now: of those that have not seen all, one of those that are
        created last, in turn. What is given is shown to several, as to look at it takes time."""
        due = [cls for cls in self._entries if self._seen.get(cls, -1) < self._version]
        if not due:
            return None
        depth = max(map(self._depth, due))
        deepest = [cls for cls in due if self._depth(cls) == depth]
        ready = [cls for cls in deepest if self._seen.get(cls, -1) < self._shown]
        if not ready or self._looked * _CHEAPER >= len(self._given.changes):
            subject = self._subject
            self._interference = Interference(subject.classes, subject.spots, self._given)
            self._shown, self._looked = self._version, 0
            ready = deepest
        return min(ready, key=lambda cls: (self._last.get(cls, 0), cls))

    def _depth(self, cls: int) -> int:
        depth, listed = 0, self._subject.classes.listed
        parent = listed[cls].parent
        while parent is not None:
            depth, parent = depth + 1, listed[parent].parent
        return depth


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
