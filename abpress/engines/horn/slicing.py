"""Of a solution of clauses, the part on which the exclusion of errors rests."""

from __future__ import annotations

from collections.abc import Sequence

from abpress.logic.formula import Formula, conj, neg, substitute
from abpress.smt.answer import NotExact
from abpress.smt.clauses import Clause, by_target
from abpress.smt.prover import Prover, Undecided

_RLIMIT = 400_000
"""Steps of z3 that a question may take."""


def sliced(
    clauses: Sequence[Clause], labels: Sequence[tuple[Formula, ...]]
) -> list[tuple[Formula, ...]]:
    """Those of the formulas of each relation that are needed: none of them, but for what excludes
    errors, and for what by a clause leads to what is needed."""
    prover = Prover("int", rlimit=_RLIMIT)
    into = by_target(clauses)
    needed: list[set[Formula]] = [set() for _ in labels]
    todo: list[int | None] = [None]
    while todo:
        target = todo.pop()
        for clause in into.get(target, ()):
            if clause.source is None:
                continue
            goals: tuple[Formula, ...] = ()
            if target is not None:
                its = (f for f in labels[target] if f in needed[target])
                goals = (neg(conj(substitute(f, clause.values) for f in its)),)
            before = labels[clause.source]
            always = (*clause.guard, *goals, *needed[clause.source])
            left = [f for f in before if f not in needed[clause.source]]
            try:
                core = prover.core(left, always)
            except (Undecided, NotExact):
                core = None
            more = left if core is None else [left[k] for k in core]
            if more:
                needed[clause.source].update(more)
                if clause.source not in todo:
                    todo.append(clause.source)
    return [tuple(f for f in its if f in ours) for its, ours in zip(labels, needed, strict=True)]
