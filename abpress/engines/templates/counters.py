"""Counters of threads that say what cells hold: those that each step changes by a known number.
NOTE(races-of-any)"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, combinations, islice, permutations, product

from abpress.engines.templates.forms import equal
from abpress.engines.templates.standing import Standing, Tests, indicator, is_equation, tests_of
from abpress.engines.templates.weights import Hints, Known, Summed, Weights, is_free
from abpress.ir.expr import Binary, Const, Convert, Expr, Reg, Variable
from abpress.ir.paths import closure
from abpress.logic.formula import variables
from abpress.modular.templates.counting import COUNT, ThreadCounter
from abpress.modular.templates.obligations import Obligations, identity_cells
from abpress.modular.templates.paths import At, ThreadStep
from abpress.modular.templates.steps import TemplateSteps
from abpress.smt.clauses import mentioned_in, variables_of

MOST_COMPARED = 6
"""Of more cells no two are compared."""

_MOST_TESTED = 12
"""Of pairs of tests, one of each template that writes a cell."""


def counters_of(
    steps: TemplateSteps, obligations: Obligations, hints: Hints | None = None
) -> tuple[ThreadCounter, ...]:
    """Counters of threads of which what a cell holds is the sum, or the rest, with a number, by the
    steps that are possible; or what one cell holds more than another one; or what all threads but
    the first one add to a cell; and how these differ. Where threads do not agree upon what they
    weigh, it may depend on a test; and those are counted that have chosen elements."""
    return tuple(_Counters(steps, obligations, hints or Hints()).all())


class _Counters:
    """The counters of one program. Mutable: what was found is remembered."""

    def __init__(self, steps: TemplateSteps, obligations: Obligations, hints: Hints) -> None:
        self._steps = steps
        self._obligations = obligations
        self._hints = hints
        self._seen: list[ThreadCounter] = []
        self._others: list[Reg] = []
        self._tests = {
            name: tests_of(steps, obligations.steps, name) for name in steps.program.templates
        }

    def all(self) -> Iterator[ThreadCounter]:
        """The counters, each once."""
        ways = (self._of_chosen_threads(), self._of_cells(), self._of_others())
        for counter in chain.from_iterable(ways):
            if counter is not None:
                self._seen.append(counter)
                yield counter
        for counter in islice(_differences(self._seen), MOST_COMPARED):
            if counter not in self._seen:
                self._seen.append(counter)
                yield counter

    def _of_chosen_threads(self) -> Iterator[ThreadCounter | None]:
        """Of the chosen thread of each array of handles, everywhere and where it may still write a
        chosen element; and of who holds a lock."""
        taken = self._obligations.steps
        chosen = self._steps.chosen_threads
        everywhere = tuple(chosen.counters(tuple(taken)))
        yield from everywhere
        for cell in self._steps.elements.cells if everywhere else ():
            ahead = _before_writes(taken, cell)
            for counter in everywhere:
                its = {at: e for at, e in counter.weights.items() if at in ahead}
                yield self._new(ThreadCounter(its))
        for cell in identity_cells(self._steps) if everywhere else ():
            holders = {}
            for at in taken:
                id = self._steps.thread_id(at[0])
                if id is not None and equal(Reg(cell, id.type), id) in self._hints.known(at):
                    holders[at] = Const(1, COUNT)
            yield self._new(ThreadCounter(holders))

    def _new(self, counter: ThreadCounter) -> ThreadCounter | None:
        return None if not counter.weights or counter in self._seen else counter

    def _of_cells(self) -> Iterator[ThreadCounter | None]:
        """What is the sum of what threads add to a cell; notes for which cells there is none."""
        taken = self._obligations.steps
        given = given_at_first(self._steps, taken)
        for cell in self._steps.shared:
            flags = (False, True) if is_flag(cell, taken, self._hints.known) else (False,)
            sums = (Summed({cell: 1}, flag=flag) for flag in flags)
            tested = (Summed({cell: 1}, tests=tests) for tests in self._tests_of(cell))
            counter = next(filter(None, map(self._of, chain(sums, tested))), None)
            if counter is None:
                self._others.append(cell)
                if len(flags) > 1:
                    counter = self._of(Summed({cell: 1}, flag=True), least=True)
                elif given[cell.name]:
                    counter = self._of(Summed({cell: -1}), least=True)
            yield counter

    def _of_others(self) -> Iterator[ThreadCounter | None]:
        """What cells hold more than others, what all but the first one add to a cell, and who has
        to do with chosen elements."""
        if len(self._others) <= MOST_COMPARED:
            for a, b in combinations(self._others, 2):
                yield self._of(Summed({a: 1, b: -1}))
        for cell in filter(_looked_at(self._steps, self._obligations).__contains__, self._others):
            yield self._of(Summed({cell: 1}, first=False))
        indices = {v.name for v in self._steps.elements.indices}
        for tests in chain.from_iterable(self._tests.values()):
            if any(not indices.isdisjoint(variables(f)) for f in tests.values()):
                weights: dict[Standing, int] = {
                    (at, passed): int(passed == is_equation(f))
                    for at, f in tests.items()
                    for passed in (False, True)
                }
                yield self._positive(weights, tests)

    def _of(self, summed: Summed, least: bool = False) -> ThreadCounter | None:
        its = Weights(self._steps, self._obligations, self._hints, summed)
        weights = its.least() if least else its.found()
        return None if weights is None else self._positive(weights, summed.tests)

    def _positive(self, weights: Mapping[Standing, int], tests: Tests) -> ThreadCounter | None:
        """The counter, or its negation, if it is a new one without negative weights."""
        least = min(weights.values(), default=0)
        signed = {it: -n if least < 0 else n for it, n in weights.items()}
        if min(signed.values(), default=0) < 0 or not any(signed.values()):
            return None
        its = {at: _weight(at, signed, tests) for at in dict.fromkeys(at for at, _ in signed)}
        found = ThreadCounter({at: e for at, e in its.items() if e != Const(0, COUNT)})
        return None if found in self._seen else found

    def _tests_of(self, cell: Reg) -> Iterator[Tests]:
        """What may decide on what threads add to a cell: of each template one test, or none."""
        writers = {
            name
            for (name, _), its in self._obligations.steps.items()
            if any(cell.name in step.values for step in its)
        }
        each = (({}, *self._tests[name]) for name in sorted(writers))
        for some in islice(product(*each), 1, 1 + _MOST_TESTED):
            yield {at: f for its in some for at, f in its.items()}


def _weight(at: At, weights: Mapping[Standing, int], tests: Tests) -> Expr:
    """What a thread weighs at a cut."""
    if at not in tests:
        return Const(weights[at, None], COUNT)
    no, yes = weights.get((at, False)), weights.get((at, True))
    if no == yes or None in (no, yes):
        return Const(no or yes or 0, COUNT)
    parts = [
        _times(n, Convert(indicator(tests[at], passed), COUNT))
        for passed, n in ((False, no), (True, yes))
        if n
    ]
    return parts[0] if len(parts) == 1 else Binary("+", *parts)


def _times(n: int, e: Expr) -> Expr:
    return e if n == 1 else Binary("*", Const(n, COUNT), e)


def _before_writes(taken: Mapping[At, Sequence[ThreadStep]], cell: str) -> frozenset[At]:
    """Where threads stand that may still write a cell."""
    before: dict[At, list[At]] = {}
    writers: set[At] = set()
    for at, its in taken.items():
        for step in its:
            if step.target is not None:
                before.setdefault((step.template, step.target), []).append(at)
            if cell in step.values:
                writers.add(at)
    return frozenset(closure(writers, lambda at: before.get(at, ())))


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
    plain = [
        numbers
        for its in counters
        if (numbers := {at: e.value for at, e in its.weights.items() if isinstance(e, Const)})
        and len(numbers) == len(its.weights)
    ]
    for a, b in permutations(plain, 2):
        more = {at: n for at in (*a, *b) if (n := a.get(at, 0) - b.get(at, 0))}
        if all(n > 0 for n in more.values()):
            yield ThreadCounter({at: Const(n, COUNT) for at, n in more.items()})


def _looked_at(steps: TemplateSteps, obligations: Obligations) -> frozenset[Variable]:
    """The cells that the first thread reads."""
    found: set[Variable] = set()
    for (name, _), its in obligations.steps.items():
        for step in its if name == steps.program.main else ():
            found.update(v for f in step.guard for v in mentioned_in(f))
            found.update(v for value in step.values.values() for v in variables_of(value))
    return frozenset(found)


def is_flag(
    cell: Reg, taken: Mapping[At, Sequence[ThreadStep]], known: Known = lambda _: ()
) -> bool:
    """Whether some step takes a cell that is known to be 0, and none gives it but 0 and 1."""
    values = [
        step.values[cell.name] for its in taken.values() for step in its if cell.name in step.values
    ]
    free = is_free(cell)
    return all(isinstance(e, Const) and e.value in (0, 1) for e in values) and any(
        isinstance(step.values.get(cell.name), Const) and (free in step.guard or free in known(at))
        for at, its in taken.items()
        for step in its
    )
