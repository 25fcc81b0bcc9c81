"""Counters of threads that say what cells hold: those that each step changes by a known number.
NOTE(races-of-any)"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, permutations

from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, Reg, Variable, rewrite
from abpress.ir.types import IntType
from abpress.logic.formula import Formula, holds, neg
from abpress.modular.templates.obligations import At, Obligations, ThreadCounter
from abpress.modular.templates.paths import ThreadStep
from abpress.modular.templates.steps import TemplateSteps
from abpress.smt.clauses import mentioned_in, variables_of

Same = Callable[[At], Collection[tuple[str, str]]]
"""Registers that hold what a cell holds while a thread stands somewhere, with the cell."""


Known = Callable[[At], Collection[Formula]]
"""What is known while a thread stands somewhere."""


def _nothing(_: At) -> tuple[()]:
    return ()


def counters_of(
    steps: TemplateSteps,
    obligations: Obligations,
    possible: Callable[[ThreadStep], bool] = lambda _: True,
    same: Same = _nothing,
    known: Known = _nothing,
) -> Iterator[ThreadCounter]:
    """Counters of threads of which what a cell holds is the sum, or the rest, with a number, by the
    steps that are possible; or what one cell holds more than another one; or what all threads but
    the first one add to a cell; and how these differ."""
    seen: list[ThreadCounter] = []
    others: list[Reg] = []
    given = given_at_first(steps, obligations.steps)

    def counter_of(
        cells: Mapping[Reg, int], flag: bool = False, first: bool = True, least: bool = False
    ) -> ThreadCounter | None:
        its = _Weights(steps, obligations, cells, possible, same, known, flag, first)
        weights = its.least() if least else its.found()
        if weights is None or not any(weights.values()):
            return None
        if min(weights.values()) < 0:
            weights = {at: -n for at, n in weights.items()}
        found = ThreadCounter({at: n for at, n in weights.items() if n})
        return found if found.positive and found not in seen else None

    for cell in steps.shared:
        flags = (False, True) if is_flag(cell, obligations.steps, known) else (False,)
        counter = next(filter(None, (counter_of({cell: 1}, flag) for flag in flags)), None)
        if counter is None:
            others.append(cell)
            if len(flags) > 1:
                counter = counter_of({cell: 1}, flag=True, least=True)
            elif given[cell.name]:
                counter = counter_of({cell: -1}, least=True)
        if counter is not None:
            seen.append(counter)
            yield counter
    if len(others) <= MOST_COMPARED:
        for a, b in combinations(others, 2):
            counter = counter_of({a: 1, b: -1})
            if counter is not None:
                seen.append(counter)
                yield counter
    for cell in filter(_looked_at(steps, obligations).__contains__, others):
        counter = counter_of({cell: 1}, first=False)
        if counter is not None:
            seen.append(counter)
            yield counter
    yield from islice(_differences(seen), MOST_COMPARED)


def given_at_first(
    steps: TemplateSteps, taken: Mapping[At, Sequence[ThreadStep]]
) -> Mapping[str, Collection[int]]:
    """The numbers, but for 0, that shared cells are given before there are other threads."""
    initial, alone = steps.initial(), steps.threads.is_alone
    found = {v.name: {initial[v.name].value} if v.name in initial else set() for v in steps.shared}
    for step in (step for at, its in taken.items() if alone(*at) for step in its):
        for name, value in step.values.items():
            if name in found and isinstance(value, Const):
                found[name].add(value.value)
    return {name: sorted(its - {0}) for name, its in found.items()}


def _differences(counters: Sequence[ThreadCounter]) -> Iterator[ThreadCounter]:
    """What one counter counts more than another one, where no thread counts less in it."""
    seen = list(counters)
    for a, b in permutations(counters, 2):
        more = {at: a.of(at) - b.of(at) for at in (*a.weights, *b.weights)}
        counter = ThreadCounter({at: n for at, n in more.items() if n})
        if a != b and counter.positive and counter not in seen:
            seen.append(counter)
            yield counter


def _looked_at(steps: TemplateSteps, obligations: Obligations) -> frozenset[Variable]:
    """The cells that the first thread reads."""
    found: set[Variable] = set()
    for (name, _), its in obligations.steps.items():
        for step in its if name == steps.program.main else ():
            found.update(v for f in step.guard for v in mentioned_in(f))
            found.update(v for value in step.values.values() for v in variables_of(value))
    return frozenset(found)


MOST_COMPARED = 6
"""Of more cells no two are compared."""

_Sum = Mapping[str, int]
"""A sum of multiples of unknown numbers, by name; that of the empty name is 1."""


def _plus(a: _Sum, b: _Sum, times: int = 1) -> _Sum:
    found = {name: a.get(name, 0) + times * b.get(name, 0) for name in (*a, *b)}
    return {name: n for name, n in found.items() if n}


class _Weights:
    """What threads add to so many times the `cells` while they stand somewhere. What they add where
    they begin is unknown, but for the first one, and follows from what their creators do. Mutable.

    A `flag`, which is one cell, is taken to be given back by who has taken it. Without the `first`
    thread what that adds is said by its registers, as far as invariants are found."""

    def __init__(
        self,
        steps: TemplateSteps,
        obligations: Obligations,
        cells: Mapping[Reg, int],
        possible: Callable[[ThreadStep], bool],
        same: Same,
        known: Known,
        flag: bool,
        first: bool,
    ) -> None:
        self._program = steps.program
        self._threads = steps.threads
        self._taken = obligations.steps
        self._cells = cells
        self._possible = possible
        self._same = same
        self._known = known
        self._flag = flag
        self._left_out = frozenset[str]() if first else frozenset({self._program.main})
        self._zero: list[_Sum] = []

    def found(self) -> Mapping[At, int] | None:
        """The weights; None if they are not known."""
        found: dict[At, _Sum] = {}
        todo: list[At] = []
        for name in self._program.templates.keys() - self._left_out:
            at = name, self._program.templates[name].entry
            found[at] = {} if name == self._program.main else {name: 1}
            todo.append(at)
        while todo:
            at = todo.pop()
            for step in self._steps_from(at):
                after = self._behind(step, found[at])
                if after is None:
                    return None
                for its in step.spawned:
                    after = _plus(after, {its.template: 1}, -1)
                if step.target is None:
                    self._zero.append(after)
                elif (step.template, step.target) not in found:
                    found[step.template, step.target] = after
                    todo.append((step.template, step.target))
                else:
                    self._zero.append(_plus(after, found[step.template, step.target], -1))
        known = _solved(self._zero)
        if known is None:
            return None
        return {
            at: sum(n * known.get(name, not name) for name, n in its.items())
            for at, its in found.items()
        }

    def least(self) -> Mapping[At, int] | None:
        """What threads have taken for sure while they stand somewhere, and not given back; None if
        that is not known. Others may have it, too: the last one of a group, that gives it back."""
        entries = ((name, its.entry) for name, its in self._program.templates.items())
        found = dict.fromkeys(entries, 0)
        todo = list(found)
        while todo:
            at = todo.pop()
            for step in self._steps_from(at):
                behind = self._behind(step, {"": found[at]})
                if behind is None:
                    return None
                if step.target is not None:
                    to, its = (step.template, step.target), max(0, behind.get("", 0))
                    if its < found.get(to, its + 1):
                        found[to] = its
                        todo.append(to)
        return found

    def _steps_from(self, at: At) -> Iterator[ThreadStep]:
        for step in self._taken.get(at, ()):
            if step.error is None and self._possible(step):
                yield step

    def _behind(self, step: ThreadStep, before: _Sum) -> _Sum | None:
        if self._threads.is_alone(step.template, step.source):
            return before  # as if that had been there at first
        at = step.template, step.source
        same, known = self._same(at), self._known(at)
        by = 0
        for cell, times in self._cells.items():
            more = _difference(step, cell, same, known)
            if more is None:
                return self._flagged(step, cell, before) if self._flag else None
            by += times * more
        return _plus(before, {"": by})

    def _flagged(self, step: ThreadStep, cell: Reg, before: _Sum) -> _Sum:
        value = step.values[cell.name]
        assert isinstance(value, Const)
        if value.value and neg(_free(cell)) in step.guard:
            return before  # it writes what is there
        return {"": value.value} if value.value else {}


def _free(flag: Reg) -> Formula:
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


def is_flag(cell: Reg, taken: Mapping[At, Sequence[ThreadStep]], known: Known = _nothing) -> bool:
    """Whether some step takes a cell that is known to be 0, and none gives it but 0 and 1."""
    values = [
        step.values[cell.name] for its in taken.values() for step in its if cell.name in step.values
    ]
    free = _free(cell)
    return all(isinstance(e, Const) and e.value in (0, 1) for e in values) and any(
        isinstance(step.values.get(cell.name), Const) and (free in step.guard or free in known(at))
        for at, its in taken.items()
        for step in its
    )


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
