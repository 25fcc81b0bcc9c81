"""What has to hold where threads stand so that they come to no error by code of their own: guesses.

Backwards from the steps that end in an error, along steps of the thread and of who creates it: what
has to hold before a step for something to hold behind it. Others may break that, so it is a guess
as any other one. What is said of shared cells alone, while nobody is on such a way, may hold
everywhere; and of a cell that is counted up, which must not be a number now, that it is beyond it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from itertools import permutations

from abpress.engines.templates.forms import wide
from abpress.engines.templates.tested import Taken, counted, is_compared, safe, ways
from abpress.ir.expr import Compare, Expr, Reg, walk
from abpress.logic.formula import (
    TRUE,
    Formula,
    Kind,
    atoms,
    conjuncts,
    disj,
    holds,
    neg,
    substitute,
    variables,
)
from abpress.modular.templates.paths import At, ThreadStep
from abpress.modular.templates.steps import TemplateSteps

_MOST, _LARGEST = 8, 6
"""Formulas of one place, and parts of one formula."""

_MOST_SHARED = 8
"""Formulas over shared cells alone."""


def needed(steps: TemplateSteps, taken: Taken) -> Mapping[At, tuple[Formula, ...]]:
    """What is guessed of one thread at each cut."""
    shared = frozenset(v.name for v in steps.shared)
    own = {at: shared.union(v.name for v in steps.private(*at)) for at in taken}
    into = _into(steps, taken)
    found: dict[At, dict[Formula, None]] = {at: dict.fromkeys(safe(taken[at])) for at in taken}
    todo = deque((at, f) for at, its in found.items() for f in its)
    while todo:
        at, f = todo.popleft()
        for source, step, values in into.get(at, ()):
            its = found[source]
            before = _before(f, step, values, own[source])
            if before is not None and len(its) < _MOST and not _follows(before, its):
                its[before] = None
                todo.append((source, before))
    everywhere = dict.fromkeys(f for its in found.values() for f in its if variables(f) <= shared)
    beyond = (g for f in everywhere for g in _beyond(f, frozenset(counted(taken))))
    more = tuple(dict.fromkeys((*everywhere, *beyond)))[:_MOST_SHARED]
    return {at: tuple(dict.fromkeys((*its, *more))) for at, its in found.items()}


_Way = tuple[At, ThreadStep, Mapping[str, Expr]]
"""A step from a cut that a thread comes from, or begins by, and the values that there are then."""


def _into(steps: TemplateSteps, taken: Taken) -> Mapping[At, list[_Way]]:
    """The steps that lead to each cut."""
    found: dict[At, list[_Way]] = {}
    for at, step, to, values in ways(steps, taken):
        found.setdefault(to, []).append((at, step, values))
    return found


def _before(
    f: Formula, step: ThreadStep, values: Mapping[str, Expr], own: frozenset[str]
) -> Formula | None:
    """What has to hold before a step for something to hold behind it, as far as that is said by
    what a thread knows there; None if nothing has to, or it is not, or is too large."""
    guard = (part for its in step.guard for part in conjuncts(its) if _is_test(part, own))
    found = disj((substitute(f, values), *map(neg, guard)))
    small = len(found.parts) <= _LARGEST
    return found if found is not TRUE and small and own >= variables(found) else None


def _is_test(f: Formula, own: frozenset[str]) -> bool:
    """Whether it is no matter of overflow, and of nothing arbitrary."""
    return own >= variables(f) and all(map(is_compared, atoms(f)))


def _follows(f: Formula, known: Mapping[Formula, None]) -> bool:
    """Whether it follows from something known, as there are more alternatives."""
    parts = {f, *f.parts}
    return any(parts.issuperset(its.parts or (its,)) for its in known)


def _mentioned(e: Expr) -> list[Reg]:
    """The registers in an expression, however they are converted and scaled."""
    return list(dict.fromkeys(sub for sub in walk(e) if isinstance(sub, Reg)))


def _beyond(f: Formula, counted: frozenset[str]) -> Iterator[Formula]:
    """It, with a cell that is counted beyond what it must not be."""
    parts = f.parts if f.kind is Kind.ANY else (f,)
    for k, part in enumerate(parts):
        match part.expr:
            case Compare("!=", a, b):
                for x, y in permutations((_mentioned(a), _mentioned(b))):
                    if len(x) == len(y) == 1 and x[0].name in counted:
                        above = holds(Compare(">", wide(x[0]), wide(y[0])))
                        yield disj((*parts[:k], above, *parts[k + 1 :]))
            case _:
                pass
