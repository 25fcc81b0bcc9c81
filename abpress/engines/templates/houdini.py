"""Houdini: of guesses those are kept that all steps keep, together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import count

from abpress.errors import UnsupportedError
from abpress.ir.expr import Compare, Const, Expr, Reg, Term
from abpress.logic.formula import TRUE, Formula, Kind, conj, neg, substitute
from abpress.modular.templates.obligations import Applied, Key, Obligation
from abpress.smt.answer import NotExact
from abpress.smt.clauses import mentioned_in
from abpress.smt.prover import Prover, Undecided


def kept(
    obligations: Sequence[Obligation],
    guessed: Mapping[Key, Sequence[Formula]],
    expired: Callable[[], bool],
) -> Mapping[Key, tuple[Formula, ...]] | None:
    """Of the guesses those that all steps keep, together; None if there is no time."""
    return _Houdini(obligations, guessed).run(expired)


class _Houdini:
    """Drops guesses until the rest is inductive. Mutable."""

    def __init__(
        self, obligations: Sequence[Obligation], guessed: Mapping[Key, Sequence[Formula]]
    ) -> None:
        self._obligations = [o for o in obligations if o.goal is not None]
        self._left = {key: dict.fromkeys(its) for key, its in guessed.items()}
        self._users: dict[Key, list[int]] = {}
        for n, o in enumerate(self._obligations):
            for key in {a.key for a in o.known}:
                self._users.setdefault(key, []).append(n)
        self._prover = Prover("int")
        self._same: dict[frozenset[tuple[str, Expr]], int] = {}
        self._values: dict[int, int] = {}
        self._said: dict[tuple[Formula, int], Formula] = {}

    def run(self, expired: Callable[[], bool]) -> Mapping[Key, tuple[Formula, ...]] | None:
        """The guesses that are left."""
        todo: list[tuple[int, int, int]] = []
        waiting: set[int] = set()
        arrivals = count()

        def ask(n: int) -> None:
            """First what a thread's own steps keep, along its code; then what others do keep, all
            of it before any of it is asked again."""
            waiting.add(n)
            threads = len(self._obligations[n].known)
            heappush(todo, (threads, n if threads < 2 else next(arrivals), n))

        for n in range(len(self._obligations)):
            ask(n)
        while todo:
            if expired():
                return None
            *_, n = heappop(todo)
            waiting.discard(n)
            o = self._obligations[n]
            assert o.goal is not None
            if self._drop(o, o.goal):
                for user in self._users.get(o.goal.key, ()):
                    if user not in waiting:
                        ask(user)
        return {key: tuple(_needed(its)) for key, its in self._left.items()}

    def _drop(self, o: Obligation, goal: Applied) -> bool:
        """Drops the guesses of the goal that do not follow; whether there are any."""
        its = self._left[goal.key]
        known = [*o.assumed, *(f for a in o.known for f in self._all(a))]
        there = frozenset(known)
        wanted = {f: w for f in its if (w := self._applied(f, goal)) not in there}
        before = len(its)
        while wanted:
            try:
                model = self._prover.model((*known, neg(conj(wanted.values()))))
            except (Undecided, NotExact, UnsupportedError):
                model = {}
            if model is None:
                break
            broken = [f for f, w in wanted.items() if not _holds_in(w, model)]
            for f in broken or tuple(wanted):
                del wanted[f]
                del its[f]
        return len(its) < before

    def _all(self, applied: Applied) -> Iterator[Formula]:
        return (self._applied(f, applied) for f in self._left[applied.key])

    def _applied(self, f: Formula, applied: Applied) -> Formula:
        values = self._values.get(id(applied))
        if values is None:
            items = frozenset(applied.values.items())
            values = self._values[id(applied)] = self._same.setdefault(items, len(self._same))
        key = f, values
        found = self._said.get(key)
        if found is None:
            found = self._said[key] = substitute(f, applied.values)
        return found


def _holds_in(f: Formula, model: Mapping[str, int]) -> bool:
    """Whether a formula holds in a model that has values for its variables."""
    values: dict[str, Expr] = {}
    for v in mentioned_in(f):
        if isinstance(v, Reg) and v.name in model:
            values[v.name] = Const(model[v.name], v.type)
    return substitute(f, values) is TRUE


def _needed(its: Iterable[Formula]) -> Iterator[Formula]:
    """These formulas without alternatives of which one part is known, or another number."""
    known = set(its)
    settled = {
        v for f in known if f.expr is not None and _is_number(f.expr) for v in mentioned_in(f)
    }
    for f in its:
        if f.kind is Kind.ANY and not known.isdisjoint(f.parts):
            continue
        if f.expr is not None and not _is_number(f.expr) and mentioned_in(f) <= settled:
            continue
        yield f


def _is_number(e: Term) -> bool:
    """Whether it says that a variable is a number."""
    if not isinstance(e, Compare) or e.op != "==":
        return False
    return isinstance(e.left, Reg) and isinstance(e.right, Const)
