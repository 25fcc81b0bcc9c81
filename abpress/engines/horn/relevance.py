"""Of clauses, what seems to bear on errors; the rest is left out, NOTE(guessed-bounds).

What solves such clauses labels the relations of the whole ones, too: these have guards that say
more, and nothing is left out on which the values of what is left depend. That an error can be
derived means nothing. What bears on errors are the variables that are asked for last on the ways to
them, those from which they are computed, those that guards compare with these, and those by which
clauses are chosen that change these. *Limits* are
variables that clauses only ask whether they are greater than others, or only whether they are less,
and that are anything at first, as the size of an array may be: what is compared with them is left
out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from abpress.engines.horn.encoding import ClauseSystem
from abpress.ir.expr import Compare, Convert, Reg, Term
from abpress.logic.connectives import atoms
from abpress.logic.formula import TRUE, Formula, Kind, conj, conjuncts, disj
from abpress.smt.clauses import Clause, by_target, mentioned_in, variables_of
from abpress.symbolic.discrete import ARBITRARY


def bearing_on_errors(problem: ClauseSystem) -> ClauseSystem:
    """The clauses, in the same order, without what does not seem to bear on errors."""
    asked = _asked_last(problem.clauses)
    limits = _limits(problem.clauses) - asked
    while True:
        guards = [_without(limits, clause) for clause in problem.clauses]
        count = _counting(problem.clauses, guards, asked)
        if limits.isdisjoint(count):
            break
        limits -= count
    clauses = tuple(
        replace(
            clause,
            guard=tuple(f for f in guard if _names(f) <= count),
            values={name: value for name, value in clause.values.items() if name in count},
        )
        for clause, guard in zip(problem.clauses, guards, strict=True)
    )
    relations = tuple(tuple(v for v in its if v.name in count) for its in problem.relations)
    return replace(problem, relations=relations, clauses=clauses)


def _names(f: Formula) -> set[str]:
    """The variables of a formula, but for arbitrary values."""
    return {v.name for v in mentioned_in(f) if ARBITRARY not in v.name}


def _asked_last(clauses: Sequence[Clause]) -> set[str]:
    """The variables of the last guards on the ways to errors that have some."""
    into = by_target(clauses)
    found: set[str] = set()
    todo: list[int | None] = [None]
    seen = set(todo)
    while todo:
        for clause in into.get(todo.pop(), ()):
            names = {name for f in clause.guard for name in _names(f)}
            if names:
                found |= names
            elif clause.source is not None and clause.source not in seen:
                seen.add(clause.source)
                todo.append(clause.source)
    return found


def _counting(
    clauses: Sequence[Clause], guards: Sequence[Sequence[Formula]], asked: Iterable[str]
) -> set[str]:
    """The variables that bear on these. Those of its guard bear on what a clause changes. What has
    to fit asks for nothing by itself."""
    sources: dict[str, set[str]] = {}
    together: list[set[str]] = []
    for clause, guard in zip(clauses, guards, strict=True):
        compared = [_names(f) for f in guard if not any(map(_is_of_overflow, atoms(f)))]
        together += compared
        for name, value in clause.values.items():
            its = sources.setdefault(name, set())
            its |= {v.name for v in variables_of(value)}
            if clause.source is not None and not (isinstance(value, Reg) and value.name == name):
                its |= {one for names in compared for one in names}
    found: set[str] = set()
    todo = list(asked)
    while todo:
        name = todo.pop()
        if name not in found and ARBITRARY not in name:
            found.add(name)
            todo += sources.get(name, ())
            todo += (other for names in together if name in names for other in names)
    return found


def _limits(clauses: Sequence[Clause]) -> set[str]:
    """The variables that are limits."""
    changed: set[str] = set()
    signs: dict[str, set[int]] = {}
    for clause in clauses:
        if clause.source is None:
            continue
        for name, value in clause.values.items():
            if not (isinstance(value, Reg) and (value.name == name or ARBITRARY in value.name)):
                changed.add(name)
                if not isinstance(value, Reg):
                    for v in variables_of(value):
                        signs.setdefault(v.name, set()).add(0)
        for f in dict.fromkeys(a for whole in clause.guard for a in atoms(whole)):
            names = _names(f)
            for name in names if len(names) > 1 else ():
                signs.setdefault(name, set()).add(_sign(f, name))
    return {name for name, its in signs.items() if its in ({-1}, {1})} - changed


def _sign(f: Formula, name: str) -> int:
    """1 where a comparison holds of great values of a variable, -1 of small ones, 0 of others."""
    if f.kind is not Kind.HOLDS or not isinstance(f.expr, Compare):
        return 0
    sides = [
        isinstance(e, Reg) and e.name == name for e in (_plain(f.expr.left), _plain(f.expr.right))
    ]
    sign = {"<": 1, "<=": 1, ">": -1, ">=": -1}.get(f.expr.op, 0)
    return 0 if sides[0] == sides[1] else sign if sides[1] else -sign


def _without(limits: set[str], clause: Clause) -> tuple[Formula, ...]:
    """The guard of a clause without what is compared with limits."""
    if clause.source is None:
        return clause.guard

    def left(f: Formula) -> Formula:
        match f.kind:
            case Kind.ALL:
                return conj(map(left, f.parts))
            case Kind.ANY:
                return disj(map(left, f.parts))
            case _:
                names = _names(f)
                return TRUE if len(names) > 1 and names & limits else f

    parts: Iterator[Formula] = (part for f in clause.guard for part in conjuncts(left(f)))
    return tuple(f for f in parts if f is not TRUE)


def _is_of_overflow(f: Formula) -> bool:
    return f.kind is Kind.FITS or any(map(_is_of_overflow, f.parts))


def _plain(value: Term) -> Term:
    while isinstance(value, Convert):
        value = value.arg
    return value
