"""Where another thread could have gone first, although its step and one that was done conflict.

NOTE(commuting-steps): what a thread can do after a step commutes with that step in a state if it
can be done before the step, too, the step then after it, and both orders end in the same state.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from abpress.ir.expr import ArrayReg, Compare, Filled, Term, Update, Variable
from abpress.logic.formula import (
    TRUE,
    Formula,
    conj,
    disj,
    holds,
    neg,
    same_array,
    substitute,
    variables,
)
from abpress.logic.replace import replace as replace_in
from abpress.logic.replace import replace_in_array
from abpress.smt.clauses import variables_of
from abpress.symbolic.discrete import ARBITRARY, Discrete, SymbolicStep
from abpress.symbolic.system import SymbolicSystem

_MOST_WAYS = 16
"""More pairs of steps are not compared."""


@dataclass(frozen=True, slots=True)
class OtherOrder:
    """A thread's step and the step of another one after it: they can be done in this order where
    `before` holds, and end as in the other order where `same` holds."""

    before: tuple[Formula, ...]
    same: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Swap:
    """Where `after` holds a thread can do something after a step; it could do so before the step in
    these ways. All is said over the variables before both."""

    after: tuple[Formula, ...]
    ways: tuple[OtherOrder, ...]

    @property
    def goal(self) -> Formula:
        """The formula that what can be done after the step could be done before it."""
        return disj((neg(conj(self.after)), *(conj((*way.before, *way.same)) for way in self.ways)))


class Commuting:
    """What has to hold for steps to commute. Mutable: remembers the variables of states."""

    def __init__(self, system: SymbolicSystem) -> None:
        self._system = system
        self._permanent = {v.name: v for v in system.permanent()}
        self._temporary: dict[Discrete, Mapping[str, Variable]] = {}
        self._united: dict[tuple[Discrete, int], tuple[SymbolicStep, ...]] = {}

    def swaps(self, d: Discrete, step: SymbolicStep, p: int) -> Iterator[Swap]:
        """All that p can do after the step, which is one from `d`; p commutes with the step in the
        states in which all goals hold.

        What ends the program without an error is left out: nothing comes of it.
        """
        system = self._system
        then = step.successor
        for late in self._steps(then, p):
            error = late.violation is not None or late.fault is not None
            if error or late.successor.status is None:
                ways = self._failing(d, late, p) if error else self._ways(d, step, late)
                yield Swap(self._known_after(d, step, late.guard), tuple(islice(ways, _MOST_WAYS)))
        early = tuple(
            OtherOrder((self._settled(d, f),), ())
            for f in islice(system.overflows(d, p), _MOST_WAYS)
        )
        for f in system.overflows(then, p):
            yield Swap(self._known_after(d, step, (f,)), early)

    def _failing(self, d: Discrete, late: SymbolicStep, p: int) -> Iterator[OtherOrder]:
        """The ways in which the error of a step comes before another step."""
        for early in self._system.steps(d, p):
            if early.edges == late.edges and early.fault == late.fault and _chosen(early, late):
                mine, its = early.violation, late.violation
                if (mine and mine.property) == (its and its.property):
                    yield OtherOrder(self._guard(d, early), ())

    def _ways(self, d: Discrete, step: SymbolicStep, late: SymbolicStep) -> Iterator[OtherOrder]:
        """The ways in which steps of the same two threads in the other order end as `step`, then
        `late`."""
        for early in self._steps(d, late.thread):
            failed = early.violation is not None or early.fault is not None
            if failed or early.successor.status is not None or not _chosen(early, late):
                continue
            for again in self._steps(early.successor, step.thread):
                failed = again.violation is not None or again.fault is not None
                if failed or again.successor != late.successor or not _chosen(again, step):
                    continue
                same = self._same(d, (step, late), (early, again))
                after = self._guard_after(d, early, again.guard)
                if same is not None and None not in after:
                    then = tuple(f for f in after if f is not None)
                    yield OtherOrder((*self._guard(d, early), *then), same)

    def _same(
        self,
        d: Discrete,
        one: tuple[SymbolicStep, SymbolicStep],
        other: tuple[SymbolicStep, SymbolicStep],
    ) -> tuple[Formula, ...] | None:
        """That variables have the same values after both; None if a value is not known."""
        end = one[1].successor
        names: set[str] = set()
        for step in (*one, *other):
            names.update(step.updates, step.forgotten)
        for between in (d, one[0].successor, other[0].successor):
            names.update(between.values)
        found: dict[Formula, None] = {}
        for name in sorted(names):
            v = self._variables(end).get(name) or self._permanent.get(name)
            if v is None or name in end.values:
                continue
            ends = [self._value_after(d, *steps, v) for steps in (one, other)]
            if any(value is None for value in ends):
                return None
            left, right = ends
            if isinstance(left, ArrayReg | Filled | Update):
                assert isinstance(right, ArrayReg | Filled | Update)
                found[same_array(left, right)] = None
            else:
                assert left is not None
                assert right is not None
                assert not isinstance(right, ArrayReg | Filled | Update)
                found[holds(Compare("==", left, right))] = None
        found.pop(TRUE, None)
        return tuple(found)

    def _steps(self, d: Discrete, t: int) -> tuple[SymbolicStep, ...]:
        """The steps of a thread; of those that do the same, one that is taken where any of them
        is."""
        found = self._united.get((d, t))
        if found is None:
            alike: dict[tuple[object, ...], list[SymbolicStep]] = {}
            for k, step in enumerate(self._system.steps(d, t)):
                ends = step.violation is not None or step.fault is not None
                alike.setdefault((k,) if ends else _effect(step), []).append(step)
            found = self._united[d, t] = tuple(map(_any_of, alike.values()))
        return found

    # -- before a step, and after it ------------------------------------------------------------

    def _settled(self, d: Discrete, f: Formula) -> Formula:
        return substitute(f, self._system.numbers(d))

    def _guard(self, d: Discrete, step: SymbolicStep) -> tuple[Formula, ...]:
        return tuple(self._settled(d, f) for f in step.guard)

    def _known_after(
        self, d: Discrete, step: SymbolicStep, guard: tuple[Formula, ...]
    ) -> tuple[Formula, ...]:
        """What certainly holds before the step if the formulas hold after it."""
        return tuple(f for f in self._guard_after(d, step, guard) if f is not None)

    def _guard_after(
        self, d: Discrete, step: SymbolicStep, guard: tuple[Formula, ...]
    ) -> list[Formula | None]:
        """What has to hold before the step so that the formulas hold after it; None for those that
        depend on values of which nothing is known then."""
        return [
            None if values is None else self._settled(d, substitute(f, values))
            for f in guard
            for values in (self._values(d, step, variables(f)),)
        ]

    def _value_after(
        self, d: Discrete, first: SymbolicStep, second: SymbolicStep, v: Variable
    ) -> Term | None:
        """A variable after two steps, over those before them; None if nothing is known of it."""
        value = self._value(first.successor, second, v)
        if value is None:
            return None
        values = self._values(d, first, {one.name for one in variables_of(value)})
        if values is None:
            return None
        return _replaced(_replaced(value, values), self._system.numbers(d))

    def _values(
        self, d: Discrete, step: SymbolicStep, names: Collection[str]
    ) -> dict[str, Term] | None:
        """The variables with these names after a step from `d`, over those before it, inputs left
        out; None if nothing is known of one."""
        found: dict[str, Term] = {}
        mine = self._variables(step.successor)
        for name in names:
            v = mine.get(name) or self._permanent.get(name)
            value = None if v is None else self._value(d, step, v)
            if value is not None:
                found[name] = value
            elif ARBITRARY not in name:
                return None
        return found

    def _value(self, d: Discrete, step: SymbolicStep, v: Variable) -> Term | None:
        """A variable after a step from `d`, over those before it; None if nothing is known."""
        name, then = v.name, step.successor
        known = self._system.numbers(then).get(name)
        if known is not None:
            return known
        lost = name in step.forgotten or name in then.values
        if name in step.updates and not lost:
            return step.updates[name]
        existed = name in self._permanent or name in self._variables(d)
        if lost or name in d.values or not existed:
            return None
        return self._system.numbers(d).get(name, v)

    def _variables(self, d: Discrete) -> Mapping[str, Variable]:
        """The variables that only some states have, in those of `d`; known ones are among them."""
        found = self._temporary.get(d)
        if found is None:
            found = self._temporary[d] = {v.name: v for v in self._system.temporary(d)}
        return found


def _chosen(a: SymbolicStep, b: SymbolicStep) -> bool:
    """Whether two steps choose their inputs alike. What a load chooses for an element without a
    value is what the array has there from the begin on: no choice by what is said of steps."""
    return _choices(a) == _choices(b) and a.arrays == b.arrays


def _effect(step: SymbolicStep) -> tuple[object, ...]:
    """What is equal of steps that do the same."""
    updates = frozenset(step.updates.items())
    return step.successor, updates, step.forgotten, tuple(_choices(step)), step.arrays


def _any_of(steps: Sequence[SymbolicStep]) -> SymbolicStep:
    """A step that is taken where one of these is, which do the same."""
    if len(steps) == 1:
        return steps[0]
    return replace(steps[0], guard=(disj(conj(step.guard) for step in steps),))


def _choices(step: SymbolicStep) -> list[tuple[object, ...]]:
    return [(i.name, i.type, i.low, i.high) for i in step.inputs if i.value is None]


def _replaced(value: Term, values: Mapping[str, Term]) -> Term:
    if isinstance(value, ArrayReg | Filled | Update):
        return replace_in_array(value, values)
    return replace_in(value, values)
