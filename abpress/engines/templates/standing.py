"""Where threads stand, and whether they pass a test there that they know the answer of by
themselves: then they may weigh otherwise than threads that do not. NOTE(weighed-threads)"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from abpress.analysis.registers import TID
from abpress.ir.expr import Binary, Compare, Expr, walk
from abpress.logic.formula import FALSE, TRUE, Formula, conjuncts, neg, substitute, variables
from abpress.modular.templates.paths import At, ThreadStep
from abpress.modular.templates.steps import TemplateSteps
from abpress.proof.templates.check import PARTIAL_OPERATORS

Tests = Mapping[At, Formula]
"""A test, as it is said at each cut where it can be said."""

Standing = tuple[At, bool | None]
"""Where a thread stands, and whether it passes the test there; None if there is no test."""

_MOST_TESTS = 6
"""That are looked at, of each template."""


def standing_at(at: At, passed: bool, tests: Tests) -> Standing:
    """Where a thread stands, with the answer if there is a test."""
    return at, passed if at in tests else None


def answer(test: Formula, known: Collection[Formula]) -> bool | None:
    """Whether a test is passed; None if that is not known."""
    if test is TRUE or test in known:
        return True
    return False if test is FALSE or neg(test) in known else None


def ways(
    step: ThreadStep, passed: bool | None, tests: Tests
) -> Iterator[tuple[ThreadStep, Standing | None]]:
    """A step of a thread that passes the test where it stands, or does not, and where it stands
    then; as two steps where both may be."""
    if passed is not None:
        said = _said(tests[step.template, step.source], passed)
        if neg(said) in step.guard:
            return
        step = _where(step, said)
    if step.target is None:
        yield step, None
        return
    to = step.template, step.target
    if to not in tests:
        yield step, (to, None)
        return
    test = substitute(tests[to], step.values)
    known = answer(test, step.guard)
    for value in (False, True):
        if known is None:
            yield _where(step, _said(test, value)), (to, value)
        elif known == value:
            yield step, (to, value)


def _said(test: Formula, passed: bool) -> Formula:
    return test if passed else neg(test)


def _where(step: ThreadStep, said: Formula) -> ThreadStep:
    return step if said in step.guard else replace(step, guard=(*step.guard, said))


# -- which tests -----------------------------------------------------------------------------------


def tests_of(
    steps: TemplateSteps, taken: Mapping[At, Sequence[ThreadStep]], template: str
) -> tuple[Tests, ...]:
    """The tests of the threads of a template, of what belongs to them and of which elements are
    chosen."""
    indices = frozenset(v.name for v in steps.elements.indices)
    own = {
        at: indices.union(v.name for v in steps.private(*at) if not v.name.endswith(f":{TID}"))
        for at in taken
        if at[0] == template
    }
    seeds: dict[Formula, None] = {}
    for at, its in own.items():
        for f in (f for step in taken[at] for part in step.guard for f in conjuncts(part)):
            if _is_test(f, its, indices) and neg(f) not in seeds:
                seeds[f] = None
    found: list[Tests] = []
    for seed in islice(seeds, _MOST_TESTS):
        said = {at: seed for at, its in own.items() if _is_test(seed, its, indices)}
        tests = _said_before(said, taken, own, indices)
        if not any(tests.items() <= other.items() for other in found):
            found = [other for other in found if not other.items() <= tests.items()]
            found.append(tests)
    return tuple(found)


def _said_before(
    said: Tests,
    taken: Mapping[At, Sequence[ThreadStep]],
    own: Mapping[At, frozenset[str]],
    indices: frozenset[str],
) -> Tests:
    """A test, also as it is said before what it is about is worked out."""
    found = dict(said)
    grown = True
    while grown:
        grown = False
        for at in own.keys() - found.keys():
            for step in taken[at]:
                behind = None if step.target is None else found.get((at[0], step.target))
                if behind is not None:
                    test = substitute(behind, step.values)
                    if _is_test(test, own[at], indices):
                        found[at] = test
                        grown = True
                        break
    return found


def _is_test(f: Formula, own: frozenset[str], indices: frozenset[str]) -> bool:
    """Whether it is one that a thread knows the answer of: what it weighs has a value always."""
    its = variables(f)
    if not isinstance(f.expr, Compare) or not own >= its or indices >= its:
        return False
    return not any(isinstance(e, Binary) and e.op in PARTIAL_OPERATORS for e in walk(f.expr))


def is_equation(test: Formula) -> bool:
    """Whether it is passed where two values are equal."""
    return isinstance(test.expr, Compare) and test.expr.op == "=="


def indicator(test: Formula, passed: bool) -> Expr:
    """1 where a thread passes the test, or does not; else 0."""
    e = _said(test, passed).expr
    assert isinstance(e, Compare)
    return e
