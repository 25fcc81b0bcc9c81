"""What has to be shown of invariants of threads of templates, NOTE(template-invariants).

An invariant is said of one thread that stands at a cut of its template, or of two threads that do:
over their registers (those of the second one are marked) and over shared cells. The obligations say
that invariants hold when threads begin, and that the steps of each thread keep those of itself and
of others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations, product

from abpress.analysis.registers import TID
from abpress.ir.expr import Compare, Const, Expr, Reg
from abpress.ir.program import Store, edges
from abpress.ir.types import IntType
from abpress.logic.formula import Formula, disj, holds, neg, substitute
from abpress.logic.replace import replace
from abpress.modular.templates.counting import COUNT, ThreadCounter, added_up
from abpress.modular.templates.paths import (
    AccessAt,
    At,
    Begun,
    Key,
    StandsBefore,
    ThreadStep,
    fold,
    private_name,
)
from abpress.modular.templates.steps import TemplateSteps
from abpress.smt.clauses import mentioned_in

MARK = "'"
"""Behind the names of variables of a second thread, in invariants; of a third one twice."""


@dataclass(frozen=True, slots=True)
class Applied:
    """An invariant said of threads: its variables have these values; others are as they are."""

    key: Key
    values: Mapping[str, Expr]


@dataclass(frozen=True, slots=True)
class Obligation:
    """Where `known` and `assumed` hold, `goal` does; None: they never hold, as `step` ends in an
    error, or as two threads would stand before accesses that `race`. `step` is None there, and
    where the program begins."""

    known: tuple[Applied, ...]
    assumed: tuple[Formula, ...]
    goal: Applied | None
    step: ThreadStep | None
    race: tuple[AccessAt, AccessAt] | None = None


@dataclass(frozen=True, slots=True)
class _Thread:
    """The `number`-th of the threads that are looked at: where it stood (None: it was not there
    yet) and where it stands then (None: it has ended), with what the step changes of its own."""

    number: int
    before: At | None
    after: At | None
    changes: Mapping[str, Expr]


class Obligations:
    """The obligations for invariants of up to `width` threads at these cuts, and their variables.

    Raises NotFollowed.
    """

    def __init__(
        self,
        steps: TemplateSteps,
        cuts: Mapping[str, Sequence[int]],
        width: int,
        counters: Sequence[ThreadCounter] = (),
    ) -> None:
        self._texts = steps
        self._cuts = cuts
        self._program = steps.program
        self._width = width
        self._counters = {f"#{n}": counter for n, counter in enumerate(counters)}
        self._ats = tuple((name, i) for name, its in sorted(cuts.items()) for i in sorted(its))
        self._identities = identity_cells(steps)
        self._known_of: dict[tuple[tuple[int, At], ...], tuple[Applied, ...]] = {}
        self._chosen: dict[int, tuple[Formula, ...]] = {}
        self._of_ids: dict[tuple[Reg, ...], tuple[Formula, ...]] = {}
        self.steps: Mapping[At, tuple[ThreadStep, ...]] = {
            (name, i): steps.steps(name, i, cuts[name]) for name, i in self._ats
        }

    @property
    def keys(self) -> tuple[Key, ...]:
        """What there are invariants of."""
        found: list[Key] = [(at,) for at in self._ats]
        if self._width == 2:
            found += filter(self._may_meet, combinations_with_replacement(self._ats, 2))
        return tuple(found)

    def variables(self, key: Key) -> tuple[Reg, ...]:
        """The variables of an invariant."""
        own = (_marked(v, n) for n, at in enumerate(key) for v in self._texts.private(*at))
        return (*own, *self._texts.shared, *self._counts)

    @property
    def of_chosen_threads(self) -> frozenset[str]:
        """The variables that tell which threads are chosen, and what elements say of them."""
        registers = self._texts.chosen_threads.registers
        return frozenset(
            private_name(name, its) for name in self._program.templates for its in registers(name)
        )

    @property
    def _counts(self) -> tuple[Reg, ...]:
        return tuple(Reg(name, COUNT) for name in self._counters)

    # -- obligations ----------------------------------------------------------------------------

    def all(self) -> Iterator[Obligation]:
        """All obligations."""
        yield self._begin()
        for at, its in self.steps.items():
            for step in its:
                yield from self._of_step(at, step)

    def races(self, pairs: Iterable[tuple[AccessAt, AccessAt]]) -> Iterator[Obligation]:
        """That no two threads stand before a pair of accesses to a common cell. NOTE(races-of-any)
        Raises NotFollowed."""
        listed = list(dict.fromkeys(pairs))
        asked = frozenset(access for pair in listed for access in pair)
        stands: dict[AccessAt, list[StandsBefore]] = {}
        for name, i in self._ats:
            for its in self._texts.standing(name, i, self._cuts[name], asked):
                stands.setdefault(its.access, []).append(its)
        for pair in listed:
            for a, b in product(*(stands.get(access, ()) for access in pair)):
                if self._may_meet((a.at, b.at)):
                    first, second = _Thread(0, a.at, a.at, {}), _Thread(1, b.at, b.at, {})
                    guard = (*a.guard, *(self._of_second(f) for f in b.guard))
                    met = (*self._met(first, second), *self._met(second, first))
                    assumed = (*guard, *self._besides((first, second)), *met)
                    yield Obligation(self._known((first, second)), assumed, None, None, pair)

    def _met(self, owner: _Thread, other: _Thread) -> Iterator[Formula]:
        """What is known of two threads for the elements in which the id of the other one was
        stored. NOTE(races-behind-joins)"""
        assert owner.before is not None and other.before is not None
        chosen = self._texts.chosen_threads
        for mark, lost in chosen.met(owner.before[0], other.before[0], self.steps):
            its = _marked(mark, other.number)
            yield disj((chosen.says(its), self._of_second(lost) if owner.number else lost))

    def _of_second(self, f: Formula) -> Formula:
        """What is said of the second thread."""
        common = {v.name for v in self._texts.shared}
        own = (v for v in mentioned_in(f) if isinstance(v, Reg) and v.name not in common)
        return substitute(f, {v.name: _marked(v, 1) for v in own})

    def _begin(self) -> Obligation:
        name = self._program.main
        first = self._texts.chosen_threads.at_first(name)
        begun = {private_name(name, register): value for register, value in first.items()}
        main = _Thread(0, None, (name, self._program.templates[name].entry), begun)
        shared: dict[str, Expr] = dict(self._texts.initial())
        for count, counter in self._counters.items():
            shared[count] = self._weight_behind(counter, main)
        assumed = (*self._ids((main,)), *self._texts.always)
        return Obligation((), assumed, self._said((main,), shared), None)

    def _of_step(self, at: At, step: ThreadStep) -> Iterator[Obligation]:
        target = None if step.target is None else (step.template, step.target)
        mover = _Thread(0, at, target, step.values)
        if step.error is not None:
            yield Obligation(self._known((mover,)), self._assumed(step, (mover,), ()), None, step)
            return
        for n in range(self._width + 1):
            for others in combinations_with_replacement(self._ats, n):
                if all(map(self._may_meet, combinations((at, *others), 2))):
                    witnesses = tuple(_Thread(k, it, it, {}) for k, it in enumerate(others, 1))
                    yield from self._kept(step, mover, witnesses)

    def _kept(
        self, step: ThreadStep, mover: _Thread, others: tuple[_Thread, ...]
    ) -> Iterator[Obligation]:
        """That a step of one thread keeps what is said of some others, with and without those that
        move and begin, if that is said of so many threads."""
        spawned = enumerate(step.spawned, 1 + len(others))
        children = tuple(self._begun(k, its) for k, its in spawned)
        new = (*(() if mover.after is None else (mover,)), *children)
        shared = {v.name: step.values[v.name] for v in self._texts.shared if v.name in step.values}
        shared |= self._counted(mover, children)
        known = self._known((mover, *others))
        for n in range(self._width + 1 - len(others)):
            for more in combinations(new, n):
                goal = (*others, *more)
                if not goal or not (more or shared):
                    continue
                assumed = None
                for threads in self._orders(goal):
                    if assumed is None:
                        assumed = self._assumed(step, (mover, *others), more)
                    yield Obligation(known, assumed, self._said(threads, shared), step)

    def _begun(self, number: int, its: Begun) -> _Thread:
        """A thread that begins."""
        entry = its.template, self._program.templates[its.template].entry
        return _Thread(number, None, entry, its.values)

    def _counted(self, mover: _Thread, children: Sequence[_Thread]) -> dict[str, Expr]:
        """What a step makes of the counters."""
        found: dict[str, Expr] = {}
        for count, counter in self._counters.items():
            before = Reg(count, COUNT)
            there = [self._weight_behind(counter, t) for t in (mover, *children)]
            after = added_up(before, there, [self._weight_before(counter, mover)])
            if after != before:
                found[count] = after
        return found

    def _weight_before(self, counter: ThreadCounter, t: _Thread) -> Expr:
        """What a thread weighs before a step."""
        return self._weight(counter, t.before, t.number, {})

    def _weight_behind(self, counter: ThreadCounter, t: _Thread) -> Expr:
        """What a thread weighs behind a step, which is its own or that of its creator."""
        return self._weight(counter, t.after, t.number, t.changes)

    def _weight(
        self, counter: ThreadCounter, at: At | None, number: int, changes: Mapping[str, Expr]
    ) -> Expr:
        """What a thread weighs somewhere, where these of its variables have changed.
        NOTE(weighed-threads)"""
        weight = counter.of(at)
        if at is None or isinstance(weight, Const):
            return weight
        its = self._texts.private(*at)
        return fold(replace(weight, {v.name: changes.get(v.name, _marked(v, number)) for v in its}))

    def _orders(self, threads: tuple[_Thread, ...]) -> Iterator[tuple[_Thread, ...]]:
        """The orders in which something is said of the threads when the step has been taken."""
        ats = [t.after for t in threads if t.after is not None]
        if all(map(self._may_meet, combinations(ats, 2))):
            for order in permutations(threads):
                if [t.after for t in order] == sorted(ats):
                    yield order

    def _may_meet(self, pair: Sequence[At]) -> bool:
        """Whether two threads may stand there."""
        (first, i), (second, k) = pair
        single, alone = self._texts.threads.single, self._texts.threads.is_alone
        same = first == second and first in single
        return not (same or alone(first, i) or alone(second, k))

    # -- what is known --------------------------------------------------------------------------

    def _known(self, threads: tuple[_Thread, ...]) -> tuple[Applied, ...]:
        """What is known of threads before a step."""
        standing = tuple((t.number, t.before) for t in threads if t.before is not None)
        found = self._known_of.get(standing)
        if found is None:
            found = self._known_of[standing] = tuple(self._known_at(standing))
        return found

    def _known_at(self, threads: Sequence[tuple[int, At]]) -> Iterator[Applied]:
        for n in range(1, self._width + 1):
            for some in combinations(threads, n):
                key = tuple(sorted(at for _, at in some))
                for order in permutations(some):
                    if tuple(at for _, at in order) == key:
                        values: dict[str, Expr] = {}
                        for k, (number, at) in enumerate(order):
                            if number != k:
                                for v in self._texts.private(*at):
                                    values[_marked(v, k).name] = _marked(v, number)
                        yield Applied(key, values)

    def _said(self, threads: tuple[_Thread, ...], shared: Mapping[str, Expr]) -> Applied:
        """What is to be shown of threads behind a step."""
        key = tuple(t.after for t in threads if t.after is not None)
        values = dict(shared)
        for k, t in enumerate(threads):
            for v in self._texts.private(*key[k]):
                value = t.changes.get(v.name, _marked(v, t.number))
                if value != _marked(v, k):
                    values[_marked(v, k).name] = value
        return Applied(key, values)

    def _assumed(
        self, step: ThreadStep, threads: tuple[_Thread, ...], more: tuple[_Thread, ...]
    ) -> tuple[Formula, ...]:
        """What holds besides: the guard, and what is known of ids and counters."""
        children = tuple(t for t in more if t.before is None)
        found = [*step.guard, *self._besides(threads, children)]
        for child in children:
            id = self._id(child)
            if id is not None:
                cells = (v for v in self._texts.shared if v.name in self._identities)
                found += (holds(Compare("!=", id, v)) for v in cells)
        for array, where in step.joined:
            found += self._nobody_chosen(array, where, threads[1:])
        found += self._choices(step)
        return tuple(found)

    def _choices(self, step: ThreadStep) -> tuple[Formula, ...]:
        """What holds before a step for some choice of elements. NOTE(joined-threads)"""
        key = id(step)
        if key not in self._chosen:
            its = self._texts.chosen_threads.choices(step, self._counters, self.steps)
            self._chosen[key] = tuple(its)
        return self._chosen[key]

    def _nobody_chosen(
        self, array: str, where: Formula, others: Sequence[_Thread]
    ) -> Iterator[Formula]:
        """That the chosen thread of an array is none of the others, if that holds, and is not
        counted. NOTE(joined-threads)"""
        chosen = self._texts.chosen_threads
        for t in others:
            assert t.before is not None
            mark = chosen.mark(array, t.before[0])
            if mark is not None:
                yield disj((neg(where), neg(chosen.says(_marked(mark, t.number)))))
        yield from chosen.nobody_chosen(array, where, self._counters)

    def _besides(
        self, threads: tuple[_Thread, ...], children: tuple[_Thread, ...] = ()
    ) -> tuple[Formula, ...]:
        """What is known of ids, of chosen elements, and of counters while these threads are there
        (and children begin)."""
        found = [*self._ids((*threads, *children)), *self._texts.always]
        for count, counter in self._counters.items():
            if counter.positive:
                there = [self._weight_before(counter, t) for t in threads]
                at_least = added_up(Const(0, COUNT), there, ())
                found.append(holds(Compare(">=", Reg(count, COUNT), at_least)))
        return tuple(found)

    def _ids(self, threads: tuple[_Thread, ...]) -> tuple[Formula, ...]:
        """That ids differ, and are neither the first nor the last number."""
        ids = tuple(id for id in map(self._id, threads) if id is not None)
        found = self._of_ids.get(ids)
        if found is None:
            found = self._of_ids[ids] = tuple(_differ(ids))
        return found

    def _id(self, thread: _Thread) -> Reg | None:
        at = thread.before or thread.after
        assert at is not None
        id = self._texts.thread_id(at[0])
        return None if id is None else _marked(id, thread.number)


def _differ(ids: Sequence[Reg]) -> Iterator[Formula]:
    for id in ids:
        assert isinstance(id.type, IntType)
        for n in (id.type.minimum, id.type.maximum):
            yield holds(Compare("!=", id, Const(n, id.type)))
    for a, b in combinations(ids, 2):
        yield holds(Compare("!=", a, b))


def _marked(v: Reg, n: int) -> Reg:
    """The variable of the thread with a number, from 0 on."""
    return Reg(v.name + MARK * n, v.type)


def identity_cells(steps: TemplateSteps) -> frozenset[str]:
    """The cells that only ever hold the id of a thread, or a number that is none: a thread that
    begins does not find its own id there."""
    type, memory = steps.program.thread_id, steps.memory
    numbers = (type.minimum, type.maximum)
    found = {
        cell
        for cell, value in steps.initial().items()
        if value.type == type and value.value in numbers
    }
    for name, template in steps.program.templates.items():
        for _, edge in edges(template):
            for effect in edge.effects:
                match effect:
                    case Store(_, Reg(register)) if register == TID:
                        pass
                    case Store(_, Const(number)) if number in numbers:
                        pass
                    case Store(address, value):
                        found.difference_update(memory.access(name, address, value.type.size).cells)
                    case _:
                        pass
    return frozenset(found)
