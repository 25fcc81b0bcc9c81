"""Barriers: of threads that wait for one another it is guessed in which phase they are.

A *meeting* is counted by a cell. Who arrives adds one to it; if there are to be rounds, the last
one gives it a number back. Arrivals cut a template into *phases*; who has arrived and may have to
wait yet stands *between* two of them. Counters say how many threads are where; what is guessed is
that nobody is in one of two phases, that the cell counts those who wait between, and that a thread
that may go on knows the phase. NOTE(phases-of-barriers)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain, combinations

from abpress.engines.templates.counters import given_at_first
from abpress.engines.templates.forms import equal, wide
from abpress.engines.templates.tested import Taken, counted, numbers_of, tested
from abpress.ir.expr import Binary, Compare, Const, Expr, Reg
from abpress.logic.formula import Formula, conjuncts, disj, holds, neg, variables
from abpress.modular.templates.counting import COUNT, ThreadCounter
from abpress.modular.templates.paths import At, ThreadStep
from abpress.modular.templates.steps import TemplateSteps

_MOST_PHASES = 8
"""Of a meeting; of one with more nothing is guessed."""

_MOST_TOTALS = 3
"""Numbers of threads that may meet."""

_MOST_CREATED = 6
"""Threads that are created one after the other, for which that is guessed."""

_MOST_TESTS = 2
"""Of those that leave a place to wait."""

_Cuts = AbstractSet[At]


@dataclass(frozen=True, slots=True)
class Meeting:
    """Where threads stand that meet, by a cell that counts arrivals: in a phase, or between two."""

    cell: Reg
    phases: tuple[_Cuts, ...]
    between: tuple[_Cuts, ...]
    rounds: tuple[Reg, ...]
    """Cells that only change where a round is over."""

    @property
    def counters(self) -> tuple[ThreadCounter, ...]:
        """How many threads are in each phase, and between two."""
        one = Const(1, COUNT)
        return tuple(ThreadCounter(dict.fromkeys(sorted(its), one)) for its in self.all)

    @property
    def all(self) -> tuple[_Cuts, ...]:
        """The phases, and what is between them."""
        return (*self.phases, *self.between)


def meetings(steps: TemplateSteps, taken: Taken) -> Iterator[Meeting]:
    """The meetings of the threads of a program."""
    for cell in steps.shared:
        if cell.name in steps.memory.types:
            found = _Arrivals(steps, taken, cell).meeting()
            if found is not None:
                yield found


class _Arrivals:
    """The steps that change a cell that may count arrivals, while there are several threads."""

    def __init__(self, steps: TemplateSteps, taken: Taken, cell: Reg) -> None:
        self._steps = steps
        self._cell = cell
        self._taken = taken
        self._entries = {name: (name, t.entry) for name, t in steps.program.templates.items()}
        self._writes = [
            step
            for at, its in taken.items()
            if not steps.threads.is_alone(*at)
            for step in its
            if cell.name in step.values
        ]

    def meeting(self) -> Meeting | None:
        """How threads meet; None if they do not."""
        if not any(map(self._adds_one, self._writes)) or not all(
            self._adds_one(step) or self._gives_back(step) for step in self._writes
        ):
            return None
        phases: list[set[At]] = []
        between: list[set[At]] = []
        for name in sorted({step.template for step in self._writes}):
            at = frozenset({self._entries[name]})
            for n in range(_MOST_PHASES):
                here = self._reached(at)
                if n == len(phases):
                    phases.append(set())
                    between.append(set())
                phases[n] |= here
                arrived = self._behind(here, self._adds_one)
                at = self._behind(here | arrived, self._gives_back)
                between[n] |= self._reached(arrived) - self._reached(at)
                if not at or any(not at.isdisjoint(its) for its in phases):
                    break
        return self._without_overlaps(_joined(phases), [its for its in between if its])

    def _without_overlaps(
        self, phases: Sequence[_Cuts], between: Sequence[_Cuts]
    ) -> Meeting | None:
        every = list(chain(phases, between))
        apart = all(a.isdisjoint(b) for a, b in combinations(every, 2))
        if not apart or not 1 < len(every) <= _MOST_PHASES:
            return None
        return Meeting(self._cell, tuple(phases), tuple(between), tuple(self._rounds()))

    def _rounds(self) -> Iterator[Reg]:
        """The cells that change where this one is given back, and nowhere else."""
        for cell in self._steps.shared:
            its = [
                step
                for at, steps in self._taken.items()
                if not self._steps.threads.is_alone(*at)
                for step in steps
                if cell.name in step.values
            ]
            if cell != self._cell and its and all(map(self._is_over, its)):
                yield cell

    def _is_over(self, step: ThreadStep) -> bool:
        return self._cell.name in step.values and self._gives_back(step)

    def _adds_one(self, step: ThreadStep) -> bool:
        match step.values[self._cell.name]:
            case Binary("+", old, Const(1, _)):
                return old == self._cell
            case _:
                return False

    def _gives_back(self, step: ThreadStep) -> bool:
        return isinstance(step.values[self._cell.name], Const)

    def _reached(self, cuts: _Cuts) -> frozenset[At]:
        """Where threads come to from these cuts before they change the cell."""
        found, todo = set(cuts), list(cuts)
        while todo:
            for step in self._taken.get(todo.pop(), ()):
                if step.target is not None and self._cell.name not in step.values:
                    to = step.template, step.target
                    if to not in found:
                        found.add(to)
                        todo.append(to)
        return frozenset(found)

    def _behind(self, cuts: _Cuts, writes: Callable[[ThreadStep], bool]) -> frozenset[At]:
        """Where threads come to from these cuts by such a step that changes the cell."""
        steps = (step for at in cuts for step in self._taken.get(at, ()))
        return frozenset(
            (step.template, step.target)
            for step in steps
            if step.target is not None and self._cell.name in step.values and writes(step)
        )


def _joined(phases: Iterable[_Cuts]) -> list[_Cuts]:
    """The phases; those that have a cut in common are one."""
    found: list[_Cuts] = []
    for its in phases:
        same = [other for other in found if not its.isdisjoint(other)]
        first = found.index(same[0]) if same else len(found)
        found = [other for other in found if other not in same]
        found.insert(first, frozenset(its).union(*same))
    return found


class GuessesOfPhases:
    """What is guessed of the phases of meetings, of which these counters count threads."""

    def __init__(
        self, steps: TemplateSteps, taken: Taken, counters: Sequence[ThreadCounter]
    ) -> None:
        self._steps = steps
        self._taken = taken
        self._shared = frozenset(v.name for v in steps.shared)
        self._given = given_at_first(steps, taken)
        self._counted = frozenset(counted(taken))
        given = {n for n in chain.from_iterable(self._given.values()) if n > 1}
        totals = given or {n for n in numbers_of(taken) if n > 1}
        self._totals = tuple(Const(n, COUNT) for n in sorted(totals)[:_MOST_TOTALS])
        self._meetings = [
            _Counted(its, tuple(Reg(f"#{counters.index(c)}", COUNT) for c in its.counters))
            for its in meetings(steps, taken)
            if all(counter in counters for counter in its.counters)
        ]

    def of(self, at: At, values: Sequence[Reg]) -> Iterator[Formula]:
        """What is guessed where a thread stands, that knows these values."""
        totals = self._totals_of_cells(values)
        for meeting in self._meetings:
            yield from totals
            for total in (*self._totals, *map(wide, self._cells(values))):
                yield from meeting.at_most(total)
            yield from meeting.phase
            tests = self._passed(at, meeting.its)
            if at[0] in self._steps.threads.single:
                yield from self._of_creator(at, meeting, values)
                tests += tested(self._steps, at, self._taken[at])
            yield from (disj((neg(test), f)) for test in tests for f in meeting.atoms)

    def _cells(self, values: Sequence[Reg]) -> tuple[Reg, ...]:
        """The cells that are given some number of threads before there are others."""
        return tuple(v for v in values if v.name in self._shared and self._given.get(v.name))

    def _totals_of_cells(self, values: Sequence[Reg]) -> tuple[Formula, ...]:
        """That cells hold what they were given, or nothing any more."""
        found: list[Formula] = []
        for v in self._cells(values):
            for n in self._given[v.name]:
                its = equal(v, Const(n, v.type))
                found += (its, disj((its, equal(v, Const(0, v.type)))))
        return tuple(found)

    def _of_creator(self, at: At, meeting: _Counted, values: Sequence[Reg]) -> Iterator[Formula]:
        """That there are not more threads than have been created."""
        own = (v for v in values if v.name in self._counted and v.name not in self._shared)
        for v in own:
            for n in (0, 1, 2):
                yield from meeting.at_most(Binary("+", wide(v), Const(n, COUNT)))
        least = min((total.value for total in self._totals), default=_MOST_CREATED)
        for n in range(min(_MOST_CREATED, least)):
            yield from meeting.at_most(Const(n, COUNT))

    def _passed(self, at: At, meeting: Meeting) -> tuple[Formula, ...]:
        """What those test that go on from where they wait, as far as the thread can say it."""
        if not any(at in its for its in meeting.between):
            return ()
        known = self._shared.union(v.name for v in self._steps.private(*at))
        steps = (step for cut in self._waiting(at, meeting) for step in self._taken[cut])
        left = (step for step in steps if not self._waits(step, meeting))
        atoms = (f for step in left for part in step.guard for f in conjuncts(part))
        return tuple(dict.fromkeys(f for f in atoms if known >= variables(f)))[:_MOST_TESTS]

    def _waiting(self, at: At, meeting: Meeting) -> Iterator[At]:
        return (cut for its in meeting.between if at in its for cut in its if cut[0] == at[0])

    def _waits(self, step: ThreadStep, meeting: Meeting) -> bool:
        return any((step.template, step.target) in its for its in meeting.between)


class _Counted:
    """A meeting, and the counters of threads of its phases and of what is between."""

    def __init__(self, its: Meeting, counters: tuple[Reg, ...]) -> None:
        self.its = its
        self._counters = counters
        phases = counters[: len(its.phases)]
        between = counters[len(its.phases) :]
        nobody = (equal(v, Const(0, COUNT)) for v in phases)
        count = [equal(wide(its.cell), v) for v in between]
        count.append(equal(wide(its.cell), Const(0, COUNT)))
        even = [equal(v, Const(0, v.type)) for v in its.rounds]
        self.atoms = (*nobody, *count, *even, *map(neg, even))
        """That nobody is in a phase; that those are counted that wait between two; that an even
        number of rounds is over, or an odd one."""
        self.phase = (*self.atoms, *map(disj, combinations(self.atoms, 2)))

    def at_most(self, total: Expr) -> Iterator[Formula]:
        """That there are not more threads; or not more that arrive, and have arrived."""
        to_come = Binary("+", self._counters[0], wide(self.its.cell))
        for e in (*self._counters, _sum(self._counters), to_come):
            yield holds(Compare("<=", e, total))


def _sum(counters: Sequence[Reg]) -> Expr:
    found: Expr = counters[0]
    for v in counters[1:]:
        found = Binary("+", found, v)
    return found
