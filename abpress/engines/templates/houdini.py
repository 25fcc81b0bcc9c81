"""Houdini: of guesses those are kept that all steps keep, together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import chain, count

from abpress.errors import UnsupportedError
from abpress.ir.expr import Compare, Const, Expr, Reg, Term
from abpress.ir.types import Scalar
from abpress.logic.formula import TRUE, Formula, Kind, conj, substitution, variables
from abpress.modular.templates.obligations import Applied, Obligation
from abpress.modular.templates.paths import Key
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
        self._provers = Prover("int"), Prover("bv")
        self._same: dict[frozenset[tuple[str, Expr]], int] = {}
        self._values: dict[int, int] = {}
        self._types: dict[str, Scalar] = {}
        self._said: dict[tuple[Key, int], dict[Formula, Formula]] = {}
        self._said_of: dict[Key, list[dict[Formula, Formula]]] = {key: [] for key in guessed}

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
        known = frozenset(chain(o.assumed, *(self._applied(a).values() for a in o.known)))
        wanted = {f: w for f, w in self._applied(goal).items() if w not in known}
        before = len(wanted)
        while wanted:
            model = self._counterexample(known, conj(wanted.values()))
            if model is None:
                break
            said_in = substitution(self._numbers(wanted.values(), model))
            broken = [f for f, w in wanted.items() if said_in(w) is not TRUE]
            for f in broken or tuple(wanted):
                del wanted[f]
                self._forget(goal.key, f)
        return len(wanted) < before

    def _counterexample(self, known: frozenset[Formula], goal: Formula) -> Mapping[str, int] | None:
        """Values for which what is known holds, and the goal does not; None if there are none."""
        for prover in self._provers:
            try:
                return prover.counterexample(known, goal)
            except NotExact:
                continue
            except (Undecided, UnsupportedError):
                break
        return {}

    def _numbers(self, its: Iterable[Formula], model: Mapping[str, int]) -> Mapping[str, Const]:
        """The values in a model of the variables of these formulas."""
        for f in its:
            if not self._types.keys() >= variables(f):
                self._types.update((v.name, v.type) for v in mentioned_in(f) if isinstance(v, Reg))
        return {
            name: Const(n, self._types[name]) for name, n in model.items() if name in self._types
        }

    def _forget(self, key: Key, f: Formula) -> None:
        del self._left[key][f]
        for its in self._said_of[key]:
            del its[f]

    def _applied(self, applied: Applied) -> Mapping[Formula, Formula]:
        """What the guesses that are left say of threads."""
        values = self._values.get(id(applied))
        if values is None:
            items = frozenset(applied.values.items())
            values = self._values[id(applied)] = self._same.setdefault(items, len(self._same))
        found = self._said.get((applied.key, values))
        if found is None:
            said = substitution(applied.values)
            found = {f: said(f) for f in self._left[applied.key]}
            self._said[applied.key, values] = found
            self._said_of[applied.key].append(found)
        return found


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
