"""Invariants by guessing: many formulas of few forms, of which `houdini` keeps those that all steps
keep.

What is left is the greatest set of guesses that is inductive as a whole; it costs little where
nothing is. The forms are those of locks and of counters: a cell, a copy of it or a counter of
threads is, or is at most or at least, a number of the program; two of them differ by one; a lock is
this thread's, or is if a test says so; while a lock is this thread's, or is free, or a flag is some
number, a cell is some number; no two threads are at two places, or none that pass a test. That what
a thread accesses is the chosen element of an array, or was read last, is a test, too. No step ends
in an error; and what a thread has tested of a cell holds of its copy for as long as it has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, permutations, product

from abpress.analysis.registers import TID
from abpress.engines.templates.counters import MOST_COMPARED, given_at_first, is_flag
from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, Reg, walk
from abpress.ir.types import IntType
from abpress.logic.formula import (
    TRUE,
    Formula,
    conjuncts,
    disj,
    holds,
    neg,
    substitute,
    variables,
)
from abpress.modular.templates.obligations import (
    COUNT,
    MARK,
    At,
    Key,
    identity_cells,
)
from abpress.modular.templates.paths import ThreadStep
from abpress.modular.templates.steps import TemplateSteps
from abpress.modular.templates.variables import private_name
from abpress.smt.clauses import mentioned_in

_MOST_NUMBERS = 5
"""Numbers with which values are compared."""

_MOST_RELATED = 8
"""Of more variables no two are compared."""

_FEW = 6
"""Of more variables nothing is guessed that depends on tests."""

_MOST_TESTS = 3
"""That are looked at, of each place."""

_MOST_CHOICES = 6
"""Of tests for chosen elements, of each place."""

_MOST_CARRIED = 8
"""Of tests that go on to hold, of each template."""

_LARGEST = 1 << 30
"""Larger numbers are bounds of types, or mean nothing."""

_WIDE = IntType(64, True)


class Guesses:
    """What is guessed of the threads of a program, by what its steps test and compute."""

    def __init__(self, steps: TemplateSteps, taken: Mapping[At, Sequence[ThreadStep]]) -> None:
        self._steps = steps
        self._identities = identity_cells(steps)
        self._numbers = numbers_of(step for its in taken.values() for step in its)
        self._indices = frozenset(v.name for v in steps.elements.indices)
        self._shared = frozenset(v.name for v in steps.shared)
        self._given = given_at_first(steps, taken)
        self._counted = frozenset(_counted(step for its in taken.values() for step in its))
        self._flag_cells = frozenset(v.name for v in steps.shared if is_flag(v, taken))
        self._choices = {at: self._chosen(at, taken) for at in taken}
        self._tests = {at: self._tested(at, its) for at, its in taken.items()}
        self._safe = {at: tuple(map(_not_taken, filter(_fails, its))) for at, its in taken.items()}
        self._carried = {name: self._passed(name, taken) for name in steps.program.templates}

    def _chosen(self, at: At, taken: Mapping[At, Sequence[ThreadStep]]) -> tuple[Formula, ...]:
        """That what the thread accesses, anywhere in its template, is the chosen element of an
        array, as far as it knows that where it stands; and that it has read that one last."""
        own = {v.name for v in self._steps.private(*at)} | self._indices
        steps = (step for (name, _), its in taken.items() if name == at[0] for step in its)
        found: dict[Formula, None] = {}
        for f in (f for step in steps for part in step.guard for f in conjuncts(part)):
            is_equal = isinstance(f.expr, Compare) and f.expr.op in ("==", "!=")
            if is_equal and own >= variables(f) and not self._indices.isdisjoint(variables(f)):
                assert isinstance(f.expr, Compare)
                found[f if f.expr.op == "==" else neg(f)] = None
        last = (_is(v, Const(1, v.type)) for v in self._flags(at))
        return (*last, *tuple(found)[:_MOST_CHOICES])

    def _flags(self, at: At) -> tuple[Reg, ...]:
        """The variables that tell what was read last."""
        names = {private_name(at[0], r) for r in self._steps.elements.read_last(at[0])}
        return tuple(v for v in self._steps.private(*at) if v.name in names)

    def _values(self, at: At, its: Sequence[Reg]) -> list[Reg]:
        """The variables of a thread but for ids, and those that say which element is chosen."""
        others = {v.name for v in self._flags(at)} | self._indices | self._identities
        return [v for v in its if v.name not in others and v != self._steps.thread_id(at[0])]

    def _tested(self, at: At, its: Sequence[ThreadStep]) -> tuple[Formula, ...]:
        """What steps from a cut test that the thread knows by itself."""
        own = {v.name for v in self._steps.private(*at) if not v.name.endswith(f":{TID}")}
        atoms = (f for step in its for part in step.guard for f in conjuncts(part))
        tests = dict.fromkeys(f for f in atoms if f.expr is not None and own >= variables(f))
        return tuple(tests)[:_MOST_TESTS]

    def _passed(self, template: str, taken: Mapping[At, Sequence[ThreadStep]]) -> Sequence[Formula]:
        """What threads of a template have tested of cells that a register is a copy of since: it
        holds until that changes."""
        found: dict[Formula, None] = {}
        for step in chain.from_iterable(its for at, its in taken.items() if at[0] == template):
            copies: dict[str, Expr] = {}
            for name, value in step.values.items():
                if isinstance(value, Reg) and name not in self._shared:
                    copies.setdefault(value.name, Reg(name, value.type))
            for f in (f for part in step.guard for f in conjuncts(part)):
                said = substitute(f, copies)
                own = said != f and self._shared.isdisjoint(variables(said))
                if own and f.expr is not None:
                    found[said] = None
        return tuple(found)[:_MOST_CARRIED]

    def of(self, key: Key, its: Sequence[Reg], few: bool = False) -> tuple[Formula, ...]:
        """What is guessed of the threads of a key, over these of its variables; with `few`, what is
        most likely of one thread."""
        names = {v.name for v in its}
        if len(key) == 1:
            (at,) = key
            guessed = self._few_of_one(at, its) if few else self._of_one(at, its)
            found = dict.fromkeys((*self._safe[at], *self._carried[at[0]], *guessed))
        else:
            found = dict.fromkeys(self._of_two(key, its))
        return tuple(f for f in found if f is not TRUE and names >= variables(f))

    def _of_one(self, at: At, its: Sequence[Reg]) -> Iterator[Formula]:
        id = self._steps.thread_id(at[0])
        owners = [v for v in its if v.name in self._identities]
        values = self._values(at, its)
        shared = [v for v in values if v.name in self._steps.memory.types]
        mine = [_is(lock, id) for lock in owners if id is not None and id.type == lock.type]
        free = [_is(lock, Const(0, lock.type)) for lock in owners]
        for f in (*mine, *free):
            yield from (f, neg(f))
        single = {v: tuple(_compared(v, self._numbers)) for v in values}
        for atoms in single.values():
            yield from atoms
        related: list[Formula] = []
        if len(values) <= _MOST_RELATED:
            for a, b in combinations(values, 2):
                related += _related(a, b, self._numbers)
        yield from related
        for test in self._tests.get(at, ()):
            for f in (*mine, *(f for f in related if len(values) <= _FEW)):
                yield disj((neg(test), f))
        yield from self._of_chosen(at, values, mine, free)
        flags = [_is(v, Const(n, v.type)) for v in shared for n in (0, 1)]
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
        mine = [_is(lock, id) for lock in owners if id is not None and id.type == lock.type]
        free = [_is(lock, Const(0, lock.type)) for lock in owners]
        flags = [_is(v, Const(0, v.type)) for v in values if v.name in self._flag_cells]
        tests = self._tests.get(at, ())
        for f in (*mine, *free):
            yield from (f, neg(f), *(disj((neg(test), f)) for test in tests))
        for lock in owners:
            assert isinstance(lock.type, IntType)
            yield neg(_is(lock, Const(lock.type.maximum, lock.type)))
        for v in values:
            is_shared = v.name in self._steps.memory.types
            for f in _compared(v, (0, 1)):
                yield f
                if is_shared:
                    yield from (disj((neg(test), f)) for test in (*tests, *mine, *free))
            if is_shared:
                for other in values:
                    if other.type == COUNT:
                        yield _is(other, Convert(v, COUNT))
                    elif other != v and other.type == v.type:
                        yield _is(other, v)
                        yield from (disj((neg(f), _is(other, v))) for f in (*free, *flags))
                        if other.name in self._steps.memory.types:
                            yield from _related(other, v, ())
        yield from self._of_differences(values)
        yield from self._of_rests(values)
        yield from self._of_groups(values, free)
        if at[0] in self._steps.threads.single:
            yield from self._of_sums(values)
        yield from self._of_chosen(at, values, mine, free)

    def _of_sums(self, values: Sequence[Reg]) -> Iterator[Formula]:
        """That what a cell holds, and how far a thread has counted, say what a counter does."""
        cells = [v for v in values if v.name in self._counted and v.name in self._shared]
        own = [v for v in values if v.name in self._counted and v.name not in self._shared]
        others = [v for v in values if v.type != COUNT and v.name not in self._shared]
        counters = [v for v in values if v.type == COUNT]
        for i in own if counters and cells else ():
            yield from _compared(i, self._numbers)
            yield from (f for v in others if v != i for f in _related(i, v, ()))
        less = (Binary("-", _wide(v), Const(1, COUNT)) for v in others)
        ends = [*(Const(n, COUNT) for n in self._numbers), *map(_wide, others), *less]
        for counter in counters:
            for cell in map(_wide, cells):
                up = Binary("+", cell, counter)
                for end in ends:
                    yield holds(Compare("==", cell, Binary("+", counter, end)))
                    yield holds(Compare("==", up, end))
                for further in map(_wide, own):
                    for end in ends:
                        both = Binary("+", cell, further)
                        yield holds(Compare("==", both, Binary("+", counter, end)))
                    yield holds(Compare("==", up, Binary("+", further, Const(1, COUNT))))

    def _of_groups(self, values: Sequence[Reg], free: Sequence[Formula]) -> Iterator[Formula]:
        """That a flag is taken (a semaphore is at 0), and counted threads do not have it, while a
        cell counts more than a few, also if only while a lock is free; that who has it is counted;
        that a cell is 0 or 1 while none is."""
        counters = [v for v in values if v.type == COUNT]
        shared = [v for v in values if v.name in self._shared]
        flags = [v for v in shared if v.name in self._flag_cells]
        none = [_is(v, Const(0, COUNT)) for v in counters]
        for counter in counters:
            yield from (holds(Compare("<=", counter, _wide(v))) for v in flags)
            for v in shared:
                both = Binary("+", counter, _wide(v))
                yield from (
                    holds(Compare("<=", both, Const(n, COUNT))) for n in self._given[v.name]
                )
        for f, v in product(none, shared):
            yield from (disj((neg(f), _is(v, Const(n, v.type)))) for n in (0, 1))
        used = [v for v in shared if v in flags or self._given[v.name]]
        taken = [_is(v, Const(1, v.type)) for v in used]
        cells = [v for v in shared if v.name in self._counted and v not in used]
        for cell, n in product(cells if none else (), (0, 1)):
            few = holds(Compare("<=", cell, Const(n, cell.type)))
            for f in (*taken, *none):
                yield disj((few, f))
                yield from (disj((neg(lock), few, f)) for lock in (*free, *none) if lock != f)

    def _of_rests(self, values: Sequence[Reg]) -> Iterator[Formula]:
        """That a counter is what a cell holds more, or less, than a number, or a sum of two."""
        counters = [v for v in values if v.type == COUNT]
        cells = [v for v in values if v.name in self._counted and v.name in self._shared]
        for counter, cell in product(counters, cells):
            value = _wide(cell)
            for n in (Const(n, COUNT) for n in self._given[cell.name]):
                yield _equal(Binary("+", value, counter), n)
                yield _equal(value, Binary("+", counter, n))
        for whole, one in permutations(counters, 2):
            for other in counters[counters.index(one) + 1 :]:
                if other != whole:
                    yield _equal(whole, Binary("+", one, other))

    def _of_differences(self, values: Sequence[Reg]) -> Iterator[Formula]:
        """That a counter says how much more a cell holds than another one, and than at first."""
        initial = self._steps.initial()
        cells = [v for v in values if v.name in initial and v.name in self._steps.memory.types]
        if len(cells) <= MOST_COMPARED:
            for counter in (v for v in values if v.type == COUNT):
                for a, b in permutations(cells, 2):
                    first = Const(initial[a.name].value - initial[b.name].value, COUNT)
                    more = Binary("+", Binary("+", Convert(b, COUNT), counter), first)
                    yield holds(Compare("==", Convert(a, COUNT), more))

    def _of_chosen(
        self, at: At, values: Sequence[Reg], mine: Sequence[Formula], free: Sequence[Formula]
    ) -> Iterator[Formula]:
        """Where an element is chosen, or was read last: that locks are this thread's, or free; of
        values, that they are 0, 1, or equal. Else that locks are not this thread's. What an element
        holds may be its number, if it is not what it was at first."""
        initial = self._steps.initial()
        for v in values:
            index = self._steps.elements.index_of(v.name) if v.name in self._steps.elements else v
            if index != v and index.type == v.type:
                yield _is(v, index)
                if v.name in initial:
                    yield disj((_is(v, initial[v.name]), _is(v, index)))
        for test in self._choices.get(at, ()):
            yield from (disj((neg(test), f)) for f in (*mine, *free))
            yield from (disj((test, neg(f))) for f in mine)
            for v in values:
                if v.type != COUNT:
                    yield from (disj((neg(test), _is(v, Const(n, v.type)))) for n in (0, 1))
            for v, other in combinations(values, 2):
                known = {v.name, other.name} & self._steps.memory.types.keys()
                if v.type == other.type and known:
                    yield disj((neg(test), _is(v, other)))

    def _of_two(self, key: Key, its: Sequence[Reg]) -> Iterator[Formula]:
        """What is guessed of two threads, besides what is guessed of each: that there are no such
        ones, or not where they would pass a test; how what they know is related."""
        first, second = (
            [_marked(v, n) for v in self._steps.private(*at) if not v.name.endswith(f":{TID}")]
            for n, at in enumerate(key)
        )
        shared = [v for v in its if v.name in self._steps.memory.types]
        own = [(*self._tests.get(at, ()), *self._choices.get(at, ())) for at in key]
        tests = ((TRUE, *own[0]), (TRUE, *map(self._renamed, own[1])))
        unlike = [neg(_is(v, w)) for v in (*first, *second) for w in shared if v.type == w.type]
        for one, other in product(*tests):
            both = disj((neg(one), neg(other)))
            yield both
            yield from (disj((both, f)) for f in unlike)
        for a, b in product(first, second):
            yield from _related(a, b, ())

    def _renamed(self, f: Formula) -> Formula:
        """What the second thread tests."""
        its = (v for v in mentioned_in(f) if isinstance(v, Reg) and v.name not in self._shared)
        return substitute(f, {v.name: _marked(v, 1) for v in its})


def _counted(steps: Iterable[ThreadStep]) -> Iterator[str]:
    """The variables that a step makes a number more, or less, than one of them."""
    for step in steps:
        for name, value in step.values.items():
            inner = value.arg if isinstance(value, Convert) else value
            if isinstance(inner, Binary) and inner.op in "+-" and isinstance(inner.right, Const):
                yield name


def _wide(v: Reg) -> Expr:
    return v if v.type == COUNT else Convert(v, COUNT)


def _fails(step: ThreadStep) -> bool:
    return step.error is not None


def _not_taken(step: ThreadStep) -> Formula:
    return disj(map(neg, step.guard))


def _marked(v: Reg, n: int) -> Reg:
    return Reg(v.name + MARK * n, v.type)


def _equal(a: Expr, b: Expr) -> Formula:
    return holds(Compare("==", a, b))


def _is(v: Reg, value: Expr) -> Formula:
    return holds(Compare("==", v, value))


def _compared(v: Reg, numbers: Iterable[int]) -> Iterator[Formula]:
    assert isinstance(v.type, IntType)
    for n in numbers:
        if v.type.contains(n):
            for op in ("==", "!=", "<=", ">="):
                f = holds(Compare(op, v, Const(n, v.type)))
                if f is not TRUE:
                    yield f


def _related(a: Reg, b: Reg, numbers: Iterable[int]) -> Iterator[Formula]:
    """How two values may be related; a counter may be one ahead, or have a sum with the other."""
    wide = COUNT if COUNT in (a.type, b.type) else _WIDE
    x, y = (v if v.type == wide else Convert(v, wide) for v in (a, b))
    for n in (-1, 0, 1):
        yield holds(Compare("==", x, Binary("+", y, Const(n, wide))))
    for op in ("<=", ">=", "<", ">", "!="):
        yield holds(Compare(op, x, y))
    if wide == COUNT:
        ahead, other = (x, y) if a.type == COUNT else (y, x)
        yield holds(Compare("<=", ahead, Binary("+", other, Const(1, wide))))
        for n in numbers:
            yield holds(Compare("==", Binary("+", x, y), Const(n, wide)))


def numbers_of(steps: Iterable[ThreadStep]) -> tuple[int, ...]:
    """Numbers of a program that values may be compared with: the smallest ones."""
    found = {0, 1}
    for step in steps:
        for e in step.values.values():
            found.update(sub.value for sub in walk(e) if isinstance(sub, Const))
        for f in step.guard:
            found.update(_constants(f))
    small = (n for n in found if abs(n) <= _LARGEST)
    return tuple(sorted(sorted(small, key=abs)[:_MOST_NUMBERS]))


def _constants(f: Formula) -> Iterator[int]:
    if f.expr is not None:
        yield from (sub.value for sub in walk(f.expr) if isinstance(sub, Const))
    for part in f.parts:
        yield from _constants(part)
