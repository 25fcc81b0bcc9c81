"""Guesses of what counters of threads say of cells, and what a thread knows of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product

from abpress.engines.templates.counters import MOST_COMPARED, given_at_first, is_flag
from abpress.engines.templates.forms import compared, equal, related, wide
from abpress.engines.templates.tested import Taken, counted, numbers_of
from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, Reg
from abpress.ir.types import IntType
from abpress.logic.formula import Formula, disj, holds, neg
from abpress.modular.templates.counting import COUNT
from abpress.modular.templates.paths import At
from abpress.modular.templates.steps import TemplateSteps


class GuessesOfCounters:
    """What is guessed of counters, by what the steps of a program give cells."""

    def __init__(self, steps: TemplateSteps, taken: Taken) -> None:
        self._steps = steps
        self._numbers = numbers_of(taken)
        self._shared = frozenset(v.name for v in steps.shared)
        self._given = given_at_first(steps, taken)
        self._counted = frozenset(counted(taken))
        self._flag_cells = frozenset(v.name for v in steps.shared if is_flag(v, taken))

    def free(self, values: Sequence[Reg]) -> list[Formula]:
        """That flags are free."""
        return [equal(v, Const(0, v.type)) for v in values if v.name in self._flag_cells]

    def of(self, at: At, values: Sequence[Reg], free: Sequence[Formula]) -> Iterator[Formula]:
        """What is guessed where one thread stands, also if only while a lock is free."""
        yield from self._of_differences(values)
        yield from self._of_rests(values)
        yield from self._of_groups(values, free)
        if at[0] in self._steps.threads.single:
            yield from self._of_sums(values)
            yield from self._of_numbers(at[0], values)
            yield from self._of_handles(at[0], values)

    def _of_handles(self, template: str, values: Sequence[Reg]) -> Iterator[Formula]:
        """That what an element holds is not the thread's own id; that an element is some number
        when the chosen thread is there and not counted any more."""
        id = self._steps.thread_id(template)
        elements = [v for v in values if v.name in self._steps.elements and v.name in self._shared]
        some = [neg(equal(v, Const(0, COUNT))) for v in values if v.type == COUNT]
        for held, content in self._steps.chosen_threads.elements(template):
            if id is not None and id.type == content.type:
                yield disj((equal(held, Const(0, held.type)), neg(equal(content, id))))
            not_held = neg(equal(held, Const(1, held.type)))
            for v, f in product(elements, some):
                yield from (disj((not_held, f, equal(v, n))) for n in self._constants(v))

    def _constants(self, v: Reg) -> Iterator[Expr]:
        """What an element may be: numbers of the program, its own number, or beside that."""
        assert isinstance(v.type, IntType)
        yield from (Const(n, v.type) for n in self._numbers if v.type.contains(n))
        index = self._steps.elements.index_of(v.name)
        if v.type == index.type:
            yield index
            yield from (Binary("+", index, Const(n, v.type)) for n in (-1, 1))

    def _of_numbers(self, template: str, values: Sequence[Reg]) -> Iterator[Formula]:
        """That a counter counts nobody before, or behind, a number that says which element is
        chosen: then nobody has got it yet; and whether the element holds an id."""
        own = [v for v in values if v.name in self._counted and v.name not in self._shared]
        none = [equal(v, Const(0, COUNT)) for v in values if v.type == COUNT]
        for held, content in self._steps.chosen_threads.elements(template):
            none += [equal(held, Const(n, held.type)) for n in (0, 1)]
            others = {held, content, *own}
            own += [v for v in values if v not in others and v.name not in self._shared]
            own = [v for v in own if v.type != COUNT]
        for v, index in product(own if none else (), self._steps.elements.indices):
            for op in ("<", "<=", ">", ">="):
                beside = holds(Compare(op, wide(index), wide(v)))
                yield from (disj((beside, f)) for f in none)

    def _of_sums(self, values: Sequence[Reg]) -> Iterator[Formula]:
        """That what a cell holds, and how far a thread has counted, say what a counter does."""
        cells = [v for v in values if v.name in self._counted and v.name in self._shared]
        own = [v for v in values if v.name in self._counted and v.name not in self._shared]
        others = [v for v in values if v.type != COUNT and v.name not in self._shared]
        counters = [v for v in values if v.type == COUNT]
        for i in own if counters and cells else ():
            yield from compared(i, self._numbers)
            yield from (f for v in others if v != i for f in related(i, v, ()))
        less = (Binary("-", wide(v), Const(1, COUNT)) for v in others)
        ends = [*(Const(n, COUNT) for n in self._numbers), *map(wide, others), *less]
        for counter in counters:
            for cell in map(wide, cells):
                up = Binary("+", cell, counter)
                for end in ends:
                    yield holds(Compare("==", cell, Binary("+", counter, end)))
                    yield holds(Compare("==", up, end))
                for further in map(wide, own):
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
        none = [equal(v, Const(0, COUNT)) for v in counters]
        for counter in counters:
            yield from (holds(Compare("<=", counter, wide(v))) for v in flags)
            for v in shared:
                both = Binary("+", counter, wide(v))
                yield from (
                    holds(Compare("<=", both, Const(n, COUNT))) for n in self._given[v.name]
                )
        for f, v in product(none, shared):
            yield from (disj((neg(f), equal(v, Const(n, v.type)))) for n in (0, 1))
        used = [v for v in shared if v in flags or self._given[v.name]]
        taken = [equal(v, Const(1, v.type)) for v in used]
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
            value = wide(cell)
            for n in (Const(n, COUNT) for n in self._given[cell.name]):
                yield equal(Binary("+", value, counter), n)
                yield equal(value, Binary("+", counter, n))
        for whole, one in permutations(counters, 2):
            for other in counters[counters.index(one) + 1 :]:
                if other != whole:
                    yield equal(whole, Binary("+", one, other))

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
