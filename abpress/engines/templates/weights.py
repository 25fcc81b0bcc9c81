"""What threads add to a cell while they stand somewhere, as a system of equations.
NOTE(weighed-threads)"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from abpress.engines.templates.standing import Standing, Tests, answer, ways
from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, Reg, rewrite
from abpress.ir.types import IntType
from abpress.logic.formula import Formula, holds, neg, substitute
from abpress.modular.templates.obligations import Obligations
from abpress.modular.templates.paths import At, Begun, ThreadStep
from abpress.modular.templates.steps import TemplateSteps

Same = Callable[[At], Collection[tuple[str, str]]]
"""Registers that hold what a cell holds while a thread stands somewhere, with the cell."""


Known = Callable[[At], Collection[Formula]]
"""What is known while a thread stands somewhere."""


_Sum = Mapping[str, int]
"""A sum of multiples of unknown numbers, by name; that of the empty name is 1."""


def _plus(a: _Sum, b: _Sum, times: int = 1) -> _Sum:
    found = {name: a.get(name, 0) + times * b.get(name, 0) for name in (*a, *b)}
    return {name: n for name, n in found.items() if n}


@dataclass(frozen=True, slots=True)
class Summed:
    """What is added up: so many times these `cells`. A `flag`, which is one cell, is taken to be
    given back by who has taken it. Threads that pass `tests` may weigh otherwise than those that do
    not. Without the `first` thread what that adds is said by its registers, as far as invariants
    are found."""

    cells: Mapping[Reg, int]
    flag: bool = False
    first: bool = True
    tests: Tests = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hints:
    """What is known of executions: which steps are possible, what is the same, and what holds."""

    possible: Callable[[ThreadStep], bool] = lambda _: True
    same: Same = lambda _: ()
    known: Known = lambda _: ()


class Weights:
    """What threads add to a sum while they stand somewhere. What they add where they begin is
    unknown, but for the first one, and follows from what their creators do. Mutable."""

    def __init__(
        self, steps: TemplateSteps, obligations: Obligations, hints: Hints, summed: Summed
    ) -> None:
        self._program = steps.program
        self._threads = steps.threads
        self._taken = obligations.steps
        self._hints = hints
        self._summed = summed
        self._tests = summed.tests
        self._left_out = frozenset[str]() if summed.first else frozenset({self._program.main})
        self._zero: list[_Sum] = []

    def found(self) -> Mapping[Standing, int] | None:
        """The weights; None if they are not known."""
        found: dict[Standing, _Sum] = {}
        for name in self._program.templates.keys() - self._left_out:
            for its in self._entries(name):
                found[its] = {} if name == self._program.main else {_unknown(its): 1}
        todo = list(found)
        while todo:
            standing = todo.pop()
            for step, to in self._steps_from(standing):
                after = self._behind(step, found[standing])
                if after is None:
                    return None
                for begun in step.spawned:
                    after = _plus(after, {_unknown(self._begun(begun, step)): 1}, -1)
                if to is None:
                    self._zero.append(after)
                elif to not in found:
                    found[to] = after
                    todo.append(to)
                else:
                    self._zero.append(_plus(after, found[to], -1))
        known = _solved(self._zero)
        if known is None:
            return None
        return {
            to: sum(n * known.get(name, not name) for name, n in its.items())
            for to, its in found.items()
        }

    def least(self) -> Mapping[Standing, int] | None:
        """What threads have taken for sure while they stand somewhere, and not given back; None if
        that is not known. Others may have it, too: the last one of a group, that gives it back."""
        entries = (its for name in self._program.templates for its in self._entries(name))
        found = dict.fromkeys(entries, 0)
        todo = list(found)
        while todo:
            standing = todo.pop()
            for step, to in self._steps_from(standing):
                behind = self._behind(step, {"": found[standing]})
                if behind is None:
                    return None
                if to is not None:
                    its = max(0, behind.get("", 0))
                    if its < found.get(to, its + 1):
                        found[to] = its
                        todo.append(to)
        return found

    def _entries(self, template: str) -> tuple[Standing, ...]:
        """Where threads of a template begin."""
        at = template, self._program.templates[template].entry
        return ((at, False), (at, True)) if at in self._tests else ((at, None),)

    def _begun(self, its: Begun, step: ThreadStep) -> Standing:
        """Where a thread begins that a step creates. What is not known does not matter, then."""
        at = its.template, self._program.templates[its.template].entry
        if at not in self._tests:
            return at, None
        passed = answer(substitute(self._tests[at], its.values), step.guard)
        if passed is None:
            self._zero.append({_unknown((at, True)): 1, _unknown((at, False)): -1})
        return at, bool(passed)

    def _steps_from(self, standing: Standing) -> Iterator[tuple[ThreadStep, Standing | None]]:
        at, passed = standing
        for step in self._taken.get(at, ()):
            if step.error is None:
                for way, to in ways(step, passed, self._tests):
                    if self._hints.possible(way):
                        yield way, to

    def _behind(self, step: ThreadStep, before: _Sum) -> _Sum | None:
        if self._threads.is_alone(step.template, step.source):
            return before  # as if that had been there at first
        at = step.template, step.source
        same, known = self._hints.same(at), self._hints.known(at)
        by = 0
        for cell, times in self._summed.cells.items():
            more = _difference(step, cell, same, known)
            if more is None:
                return self._flagged(step, cell, before) if self._summed.flag else None
            by += times * more
        return _plus(before, {"": by})

    def _flagged(self, step: ThreadStep, cell: Reg, before: _Sum) -> _Sum:
        value = step.values[cell.name]
        assert isinstance(value, Const)
        if value.value and neg(is_free(cell)) in step.guard:
            return before  # it writes what is there
        return {"": value.value} if value.value else {}


def _unknown(entry: Standing) -> str:
    """The name of what a thread weighs where it begins."""
    (template, _), passed = entry
    return f"{template} {passed}"


def is_free(flag: Reg) -> Formula:
    return holds(Compare("==", flag, _zero(flag)))


def _zero(cell: Reg) -> Const:
    return Const(0, cell.type)


def _solved(zero: Iterable[_Sum]) -> Mapping[str, int] | None:
    """Whole numbers for which all sums are 0; None if none are found."""
    known: dict[str, _Sum] = {}
    for its in zero:
        left: _Sum = {"": its.get("", 0)}
        for name, n in its.items():
            if name:
                left = _plus(left, known.get(name, {name: 1}), n)
        left = _plus({}, left)
        unit = next((name for name, n in left.items() if name and abs(n) == 1), None)
        if unit is not None:
            n = left[unit]
            value = {name: -n * k for name, k in left.items() if name != unit}
            known = {
                name: _plus({k: v for k, v in e.items() if k != unit}, value, e.get(unit, 0))
                for name, e in known.items()
            }
            known[unit] = value
        elif left:
            return None
    return {name: e.get("", 0) for name, e in known.items()}  # what is left unknown is 0


def _difference(
    step: ThreadStep,
    cell: Reg,
    same: Collection[tuple[str, str]],
    known: Collection[Formula],
) -> int | None:
    """What a step adds to a cell; None if it is not known."""
    assert isinstance(cell.type, IntType)

    def leaf(e: Expr) -> Expr:
        return cell if isinstance(e, Reg) and (e.name, cell.name) in same else e

    match rewrite(step.values.get(cell.name, cell), leaf):
        case Reg(name) if name == cell.name:
            return 0
        case Binary("+", Reg(name), Const(n)) if name == cell.name:
            return (
                n if n <= cell.type.maximum // 2 or cell.type.signed else n - (1 << cell.type.bits)
            )
        case Binary("-", Reg(name), Const(n)) if name == cell.name:
            return -n
        case Convert(Binary("+" | "-" as op, Convert(Reg(name), _), Const(n)), to):
            # As it wraps around: where it does, no counter will be found to be equal.
            return (n if op == "+" else -n) if name == cell.name and to == cell.type else None
        case Const(n):
            for before in (0, 1, n - 1, n + 1):
                said = holds(Compare("==", cell, Const(before, cell.type)))
                if said in step.guard or said in known:
                    return n - before
            return None
        case _:
            return None
