"""Invariants by guessing: many formulas of few forms, of which `houdini` keeps those that all steps
keep.

What is left is the greatest set of guesses that is inductive as a whole; it costs little where
nothing is. The forms are those of locks and of counters: a cell, a copy of it or a counter of
threads is, or is at most or at least, a number of the program; two of them differ by one; a lock is
this thread's, or is if a test says so; while a lock is this thread's, or is free, or a flag is some
number, a cell is some number; no two threads are at two places, or none that pass a test. That what
a thread accesses is the chosen element of an array, or was read last, is a test, too. No step ends
in an error; and what a thread has tested of a cell holds of its copy for as long as it has it. What
has to hold before is guessed, too, so that its code leads to no error (`needed`), and linear
equations are (`equal_sums`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from abpress.analysis.registers import TID
from abpress.engines.templates.equal_sums import linear_equations
from abpress.engines.templates.forms import compared, equal, limited, not_behind, related
from abpress.engines.templates.guesses_of_counters import GuessesOfCounters
from abpress.engines.templates.needed import needed
from abpress.engines.templates.phases import GuessesOfPhases
from abpress.engines.templates.tested import (
    Taken,
    chosen,
    copied,
    counted,
    last_read,
    limits,
    numbers_of,
    passed,
    tested,
    to_nodes,
)
from abpress.ir.expr import Binary, Const, Convert, Reg
from abpress.ir.types import IntType
from abpress.logic.formula import TRUE, Formula, disj, neg, substitute, variables
from abpress.modular.templates.counting import COUNT, ThreadCounter
from abpress.modular.templates.obligations import MARK, identity_cells
from abpress.modular.templates.paths import At, Key
from abpress.modular.templates.steps import TemplateSteps
from abpress.smt.clauses import mentioned_in

_MOST_RELATED = 8
"""Of more variables no two are compared."""

_FEW = 6
"""Of more variables nothing is guessed that depends on tests."""


class Guesses:
    """What is guessed of the threads of a program, by what its steps test and compute."""

    def __init__(
        self, steps: TemplateSteps, taken: Taken, counters: Sequence[ThreadCounter] = ()
    ) -> None:
        self._steps = steps
        self._counters = GuessesOfCounters(steps, taken)
        self._phases = GuessesOfPhases(steps, taken, counters)
        self._identities = identity_cells(steps)
        self._numbers = numbers_of(taken)
        self._indices = frozenset(v.name for v in steps.elements.indices)
        self._shared = frozenset(v.name for v in steps.shared)
        self._choices = {at: chosen(steps, at, taken) for at in taken}
        self._tests = {at: tested(steps, at, its) for at, its in taken.items()}
        self._needed = needed(steps, taken)
        self._sums = linear_equations(steps, taken)
        of_counted = frozenset(counted(taken))
        self._copies = [(v, c) for v, c in copied(steps, taken) if c.name in of_counted]
        self._limits = limits(taken, self._copies)
        self._carried = {name: passed(steps, name, taken) for name in steps.program.templates}

    def _values(self, at: At, its: Sequence[Reg]) -> list[Reg]:
        """The variables of a thread but for ids, and those that say which element is chosen."""
        nodes = (*to_nodes(self._steps, at), *self._steps.nodes.pointers)
        others = {v.name for v in (*last_read(self._steps, at), *nodes)}
        others |= self._indices | self._identities
        return [v for v in its if v.name not in others and v != self._steps.thread_id(at[0])]

    def of(self, key: Key, its: Sequence[Reg], few: bool = False) -> tuple[Formula, ...]:
        """What is guessed of the threads of a key, over these of its variables; with `few`, what is
        most likely of one thread."""
        names = {v.name for v in its}
        if len(key) == 1:
            (at,) = key
            guessed = self._few_of_one(at, its) if few else self._of_one(at, its)
            by_code = *self._needed[at], *self._sums[at], *self._carried[at[0]]
            found = dict.fromkeys((*by_code, *self._of_counted(its), *guessed))
        else:
            of_two = self._few_of_two(key) if few else self._of_two(key, its)
            found = dict.fromkeys(of_two)
        return tuple(f for f in found if f is not TRUE and names >= variables(f))

    def _of_one(self, at: At, its: Sequence[Reg]) -> Iterator[Formula]:
        id = self._steps.thread_id(at[0])
        owners = [v for v in its if v.name in self._identities]
        values = self._values(at, its)
        shared = [v for v in values if v.name in self._steps.memory.types]
        mine = [equal(lock, id) for lock in owners if id is not None and id.type == lock.type]
        free = [equal(lock, Const(0, lock.type)) for lock in owners]
        for f in (*mine, *free):
            yield from (f, neg(f))
        single = {v: tuple(compared(v, self._numbers)) for v in values}
        for atoms in single.values():
            yield from atoms
        pairs: list[Formula] = []
        if len(values) <= _MOST_RELATED:
            for a, b in combinations(values, 2):
                pairs += related(a, b, self._numbers)
        yield from pairs
        for test in self._tests.get(at, ()):
            for f in (*mine, *(f for f in pairs if len(values) <= _FEW)):
                yield disj((neg(test), f))
        yield from self._of_chosen(at, values, mine, free)
        flags = [equal(v, Const(n, v.type)) for v in shared for n in (0, 1)]
        tests = self._tests.get(at, ()) if len(values) <= _FEW else ()
        for flag in (*mine, *free, *flags, *tests):
            for v in shared:
                if v.name not in variables(flag):
                    yield from (disj((neg(flag), atom)) for atom in single[v])

    def _few_of_one(self, at: At, its: Sequence[Reg]) -> Iterator[Formula]:
        """Of a lock, that it is this thread's or nobody's, and was not destroyed; of other values,
        what is told by 0 and 1 (of shared ones also where a test or a lock says so), and that two
        are equal, always or while a lock or a flag is free; how two shared ones are related."""
        id = self._steps.thread_id(at[0])
        owners = [v for v in its if v.name in self._identities]
        values = self._values(at, its)
        mine = [equal(lock, id) for lock in owners if id is not None and id.type == lock.type]
        free = [equal(lock, Const(0, lock.type)) for lock in owners]
        flags = self._counters.free(values)
        tests = self._tests.get(at, ())
        for f in (*mine, *free):
            yield from (f, neg(f), *(disj((neg(test), f)) for test in tests))
        for lock in owners:
            assert isinstance(lock.type, IntType)
            yield neg(equal(lock, Const(lock.type.maximum, lock.type)))
        for v in values:
            is_shared = v.name in self._steps.memory.types
            for f in compared(v, (0, 1)):
                yield f
                if is_shared:
                    yield from (disj((neg(test), f)) for test in (*tests, *mine, *free))
            if is_shared:
                for other in values:
                    if other.type == COUNT:
                        yield equal(other, Convert(v, COUNT))
                    elif other != v and other.type == v.type:
                        yield equal(other, v)
                        yield from (disj((neg(f), equal(other, v))) for f in (*free, *flags))
                        if other.name in self._steps.memory.types:
                            yield from related(other, v, ())
        yield from self._counters.of(at, values, free)
        yield from self._phases.of(at, values)
        if self._steps.chosen_threads.elements(at[0]):
            none = [equal(v, Const(0, COUNT)) for v in values if v.type == COUNT]
            yield from (disj((neg(a), f)) for a, f in product(none, free))
        yield from self._of_chosen(at, values, mine, free)

    def _of_chosen(
        self, at: At, values: Sequence[Reg], mine: Sequence[Formula], free: Sequence[Formula]
    ) -> Iterator[Formula]:
        """Where an element is chosen, or was read last, or a thread is a chosen one (that may only
        be so there): that locks are this thread's, or free; of values, that they are 0, 1, or
        equal. Else that locks are not this thread's. What an element holds may be its number, or
        beside it, if it is not what it was at first; what a pointer is to may be published."""
        initial = self._steps.initial()
        elements = self._steps.elements
        numbered = [(v, elements.index_of(v.name)) for v in values if v.name in elements]
        numbered = [(v, index) for v, index in numbered if v.type == index.type]
        for v, index in numbered:
            yield equal(v, index)
            if v.name in initial:
                yield disj((equal(v, initial[v.name]), equal(v, index)))
        if self._steps.nodes.held:
            public = self._steps.nodes.is_published()
            yield from self._of_published(at, public, (*mine, *free))
            mine = (*mine, public)
        marked = self._steps.chosen_threads.marked(at[0])
        for test in self._choices.get(at, ()):
            for f in (f for f in marked if f != test):
                yield from (disj((neg(f), test)), disj((neg(test), f)))
            yield from (disj((neg(test), f)) for f in (*mine, *free))
            yield from (disj((test, neg(f))) for f in mine)
            for v in values:
                if v.type != COUNT:
                    yield from (disj((neg(test), equal(v, Const(n, v.type)))) for n in (0, 1))
            for v, index in numbered:
                beside = (Binary("+", index, Const(n, index.type)) for n in (-1, 1))
                yield from (disj((neg(test), equal(v, number))) for number in beside)
            for v, other in combinations(values, 2):
                known = {v.name, other.name} & self._steps.memory.types.keys()
                if v.type == other.type and known:
                    yield disj((neg(test), equal(v, other)))

    def _of_published(self, at: At, public: Formula, locks: Sequence[Formula]) -> Iterator[Formula]:
        """What a node holds that is published: always, while a lock is this thread's, or free, or
        where a pointer of the thread is to another one."""
        others = [neg(test) for test in self._choices.get(at, ())]
        for v, n in product(self._steps.nodes.held, (0, 1)):
            its = disj((neg(public), equal(v, Const(n, v.type))))
            yield its
            yield from (disj((neg(f), its)) for f in (*locks, *others))

    def _of_counted(self, its: Sequence[Reg]) -> Iterator[Formula]:
        """Of cells that are counted, that they are no less than copies of them, and go no further
        than to a number that they are compared with."""
        yield from (f for v, c in self._copies for f in not_behind(c, v))
        for v in its:
            yield from limited(v, self._limits.get(v.name, ()))

    def _few_of_two(self, key: Key) -> Iterator[Formula]:
        """That there are no such two threads, or not where they would pass a test; that what they
        know differs."""
        for one, other in product(*self._tests_of_two(key)):
            yield disj((neg(one), neg(other)))
        first, second = self._known_by_two(key)
        yield from (neg(equal(v, w)) for v, w in product(first, second) if v.type == w.type)

    def _known_by_two(self, key: Key) -> tuple[list[Reg], list[Reg]]:
        """What each of two threads knows by itself, but for its id."""
        first, second = (
            [_marked(v, n) for v in self._steps.private(*at) if not v.name.endswith(f":{TID}")]
            for n, at in enumerate(key)
        )
        return first, second

    def _tests_of_two(self, key: Key) -> tuple[tuple[Formula, ...], tuple[Formula, ...]]:
        """What each of two threads may test, or nothing."""
        own = [(*self._tests.get(at, ()), *self._choices.get(at, ())) for at in key]
        return (TRUE, *own[0]), (TRUE, *map(self._renamed, own[1]))

    def _of_two(self, key: Key, its: Sequence[Reg]) -> Iterator[Formula]:
        """What is guessed of two threads, besides what is guessed of each: that there are no such
        ones, or not where they would pass a test; how what they know is related."""
        first, second = self._known_by_two(key)
        shared = [v for v in its if v.name in self._steps.memory.types]
        unlike = [neg(equal(v, w)) for v in (*first, *second) for w in shared if v.type == w.type]
        for one, other in product(*self._tests_of_two(key)):
            both = disj((neg(one), neg(other)))
            yield both
            yield from (disj((both, f)) for f in unlike)
        for a, b in product(first, second):
            yield from related(a, b, ())

    def _renamed(self, f: Formula) -> Formula:
        """What the second thread tests."""
        its = (v for v in mentioned_in(f) if isinstance(v, Reg) and v.name not in self._shared)
        return substitute(f, {v.name: _marked(v, 1) for v in its})


def _marked(v: Reg, n: int) -> Reg:
    return Reg(v.name + MARK * n, v.type)
