"""The reductions that certificates may use: what must hold of a node not expanded in all threads.

- `none`: that it does not exist.
- `s-por`: one of the threads that it is expanded in suffices (`reductions.static.s_por`): its next
  step is invisible, whatever is chosen; in every state of the node it can do a step after which the
  program goes on, so it neither waits nor hides what others do; and every cycle has a node that is
  expanded in all threads.
- `peephole` ([Monotonic09]): whenever a thread t leads to the node, directly or to a node that it
  covers, the missing thread p has a smaller id, and could have moved before t, independently. (Of
  the shortest executions to an error, the one that is lexicographically least has no step of a
  thread t before an independent one of a thread with a smaller id: else the two could be swapped.
  So none of its steps is missing. The same holds of the executions to one deadlocked state, or to
  one in which some threads wait in a circle, or in which two stand before accesses that race.)
- `preference-order` (NOTE(preference-order)): whenever a thread t leads to the node from a node m,
  directly or to a node that it covers, the missing thread p was there at m, and is missing there,
  too, or stands before t among the threads in which m is expanded; and whatever p could do next at
  m does not conflict with the step of t. Nothing is missing at the root. (The same argument as for
  `peephole`, with an order that each node says for itself.)
- `preference-order+commuting` (NOTE(commuting-steps)): the same, but where the step of t may
  conflict with what p could do next it is enough that they commute in the states that satisfy the
  label of m and the formula under which that step leads to the node, as the solver says.
- `source`, `source+summaries`: see `source_sets`.
- `source+abstraction`: the same, but cells that the certificate does not mention, and that are
  known at no place of it, conflict with nothing. (It proves the same of the program in which such
  cells get arbitrary values before every step; in that program accesses to them commute.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from abpress.logic.formula import TRUE, Formula
from abpress.proof.certificate import Rejected
from abpress.proof.commuting import Commuting
from abpress.proof.expansion import CheckedTree, require_progress_of
from abpress.proof.source_sets import require_source_sets
from abpress.smt.answer import Answer
from abpress.symbolic.discrete import PROGRAM_KEY, Access, SymbolicStep, life_key, thread_key
from abpress.symbolic.exchange import Moves, inverse

Condition = Callable[[CheckedTree], None]
"""Raises Rejected where a node is not expanded in threads in which it has to be, and Unchecked
where the solver does not say."""


def _none(tree: CheckedTree) -> None:
    for n in tree.missing:
        raise tree.reject(n, "there is no reduction")
    require_progress_of(tree)


def _s_por(tree: CheckedTree) -> None:
    system = tree.system
    for n in tree.missing:
        d = tree.discrete[n]
        answers = {tree.go_on(n, (t,)) for t in tree.expanded[n] if system.invisible(d, t)}
        best = next((a for a in (Answer.YES, Answer.UNKNOWN) if a in answers), Answer.NO)
        tree.require(best, n, "no other thread goes on invisibly")
    require_progress_of(tree)


Precedes = Callable[[CheckedTree, int, SymbolicStep, int], str]
"""(tree, m, step from m, p) -> why p need not come before the step; empty if it does."""

Commutes = Callable[[CheckedTree, int, SymbolicStep, Formula, int], Answer]
"""(tree, m, step from m, formula, p) -> whether p could have gone before the step, where that is
taken and the formula holds."""


def _peephole(tree: CheckedTree) -> None:
    _require_swaps(tree, _has_greater_id, _independent)


def _preference(tree: CheckedTree) -> None:
    _require_swaps(tree, _is_preferred, _independent)


def _preference_with_commuting(tree: CheckedTree) -> None:
    commuting = Commuting(tree.system)

    def commutes(tree: CheckedTree, m: int, step: SymbolicStep, when: Formula, p: int) -> Answer:
        answer = _independent(tree, m, step, when, p)
        if answer is Answer.YES:
            return answer
        swaps = commuting.swaps(tree.discrete[m], step, p)
        return tree.implied(m, step, when, (swap.goal for swap in swaps))

    _require_swaps(tree, _is_preferred, commutes)


def _has_greater_id(tree: CheckedTree, m: int, step: SymbolicStep, p: int) -> str:
    return "has no greater id" if p >= step.thread else ""


def _is_preferred(tree: CheckedTree, m: int, step: SymbolicStep, p: int) -> str:
    if p in tree.missing.get(m, ()):
        return ""
    order = tree.expanded[m]
    if p in order and order.index(p) < order.index(step.thread):
        return ""
    return "does not come after it there"


def _independent(tree: CheckedTree, m: int, step: SymbolicStep, when: Formula, p: int) -> Answer:
    conflicts = (_conflict(step, its) for its in tree.system.accesses(tree.discrete[m], p))
    return Answer.NO if any(conflicts) else Answer.YES


def _require_swaps(tree: CheckedTree, precedes: Precedes, commutes: Commutes) -> None:
    """Raises Rejected unless each missing thread could have moved, in the same way, before each
    step that leads to the node, and comes before it."""
    reached = tree.representatives
    into: dict[int, list[tuple[int, SymbolicStep, Formula, Moves]]] = {n: [] for n in tree.missing}
    for m, children in tree.children.items():
        for k, (step, child) in enumerate(children):
            if reached[child] in into:
                when = tree.when.get((m, k), TRUE)
                into[reached[child]].append((m, step, when, inverse(tree.through(child))))
    for n, steps in into.items():
        if n == reached[0]:
            raise tree.reject(n, "executions begin there")
        for missing in tree.missing[n]:
            for m, step, when, back in steps:
                p = back.get(missing, missing)
                name = tree.system.name
                late = f"{name(p)} does not come before the step of {name(step.thread)}"
                late += f" from node {m}, which"
                why = precedes(tree, m, step, p)
                if why or p not in tree.system.threads(tree.discrete[m]):
                    raise tree.reject(n, f"{late} {why or 'creates it'}")
                tree.require(commutes(tree, m, step, when, p), n, f"{late} may conflict")


def _conflict(a: SymbolicStep, b: Access) -> bool:
    """Whether one writes what the other reads or writes."""
    both = (a.writes & b.writes) | (a.writes & b.reads) | (a.reads & b.writes)
    return not both <= {PROGRAM_KEY}


def _by_paths(tree: CheckedTree) -> None:
    require_source_sets(tree, lambda _: True, paths=True)


def _by_summaries(tree: CheckedTree) -> None:
    require_source_sets(tree, lambda _: True)


def _abstract(tree: CheckedTree) -> None:
    mentioned = {*tree.mentioned, *(key for d in tree.discrete.values() for key in d.values)}

    def counts(key: str) -> bool:
        return key in mentioned or key.startswith((life_key(""), thread_key("")))

    try:
        require_source_sets(tree, counts)
    except Rejected:
        _by_summaries(tree)


CONDITIONS: Mapping[str, Condition] = {
    "none": _none,
    "peephole": _peephole,
    "preference-order": _preference,
    "preference-order+commuting": _preference_with_commuting,
    "s-por": _s_por,
    "source": _by_paths,
    "source+summaries": _by_summaries,
    "source+abstraction": _abstract,
}
"""Name of a reduction -> what has to hold."""

WITH_FORMULAS = frozenset({"preference-order+commuting"})
"""The reductions whose certificates may say under which formula a step leads to a child. They keep
errors, and not all that a state may show."""

SYMMETRIC = frozenset(
    {"none", "preference-order", "s-por", "source+abstraction", "source+summaries"}
)
"""The reductions in whose certificates threads that are alike may be one another where a node is
covered, NOTE(symmetric-covers)."""

WITHOUT_RACES = frozenset({"source+abstraction"})
"""The reductions that may leave out states in which two threads stand before accesses that race: of
cells that no label mentions."""
