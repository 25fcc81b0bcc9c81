"""Horn clauses for obligations, over the variables on which guards depend."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from abpress.analysis.registers import TID
from abpress.ir.expr import Expr, Reg
from abpress.logic.formula import Formula, conj, disj, substitute
from abpress.modular.templates.obligations import MARK, Applied, Obligation, Obligations
from abpress.modular.templates.paths import Key, ThreadStep
from abpress.smt.clauses import Clause, mentioned_in, variables_of


class ClausesOfObligations:
    """The clauses, and their relations: each is for one of the `keys`. Of what is never to be, that
    counts which is `asked` for; `facts` hold already."""

    def __init__(
        self,
        obligations: Obligations,
        listed: Sequence[Obligation],
        asked: Callable[[Obligation], bool],
        facts: Mapping[Key, Formula],
        also: frozenset[str] = frozenset(),
    ) -> None:
        self._listed = listed
        self._asked = asked
        self._facts = facts
        self.keys = obligations.keys
        self._numbers = {key: n for n, key in enumerate(self.keys)}
        self.relations = tuple(relevant(obligations, listed, also).values())
        self.clauses = tuple(self._merged())

    def _merged(self) -> Iterator[Clause]:
        """The clauses; those that differ in their guards only are one."""
        found: dict[object, list[Obligation]] = {}
        for o in self._listed:
            if o.goal is None and not self._asked(o):
                continue
            known = tuple((a.key, tuple(a.values.items())) for a in o.known)
            goal = None if o.goal is None else (o.goal.key, frozenset(self._values(o).items()))
            found.setdefault((known, goal), []).append(o)
        for its in found.values():
            yield self._clause(its)

    def _values(self, o: Obligation) -> dict[str, Expr]:
        assert o.goal is not None
        names = {v.name for v in self.relations[self._numbers[o.goal.key]]}
        return {name: e for name, e in o.goal.values.items() if name in names}

    def _clause(self, its: list[Obligation]) -> Clause:
        first = its[0]
        guard = first.assumed if len(its) == 1 else (disj(conj(o.assumed) for o in its),)
        guard += tuple(self._fact(a) for a in first.known)
        source, others = None, []
        if first.known:
            source = self._numbers[first.known[0].key]  # of who moves, with the names that it has
        for applied in first.known[1:]:
            n = self._numbers[applied.key]
            variables = (applied.values.get(v.name, v) for v in self.relations[n])
            others.append((n, tuple(v for v in variables if isinstance(v, Reg))))
        if first.goal is None:
            return Clause(source, None, guard, {}, tuple(others))
        target = self._numbers[first.goal.key]
        return Clause(source, target, guard, self._values(first), tuple(others))

    def _fact(self, applied: Applied) -> Formula:
        return substitute(self._facts[applied.key], applied.values)


def relevant(
    obligations: Obligations, listed: Sequence[Obligation], also: frozenset[str] = frozenset()
) -> Mapping[Key, tuple[Reg, ...]]:
    """The variables of each key on which guards may depend, ids, counters, and these."""
    steps = [step for its in obligations.steps.values() for step in its]
    races = (f for o in listed if o.race is not None for f in o.assumed)
    wanted = needed_variables(steps, races) | also | obligations.of_chosen_threads
    return {
        key: tuple(v for v in obligations.variables(key) if _counts(v, wanted))
        for key in obligations.keys
    }


def needed_variables(steps: Sequence[ThreadStep], more: Iterable[Formula] = ()) -> frozenset[str]:
    """The names of variables on which guards of steps, and these formulas, depend."""
    guards = (f for step in steps for f in (*step.guard, *(f for _, f in step.joined)))
    found = {v.name.rstrip(MARK) for f in (*guards, *more) for v in mentioned_in(f)}
    grown = True
    while grown:
        before = len(found)
        for step in steps:
            given = (item for its in step.spawned for item in its.values.items())
            for name, value in (*step.values.items(), *given):
                if name in found:
                    found.update(v.name for v in variables_of(value))
        grown = len(found) > before
    return frozenset(found)


def _counts(v: Reg, wanted: frozenset[str]) -> bool:
    name = v.name.rstrip(MARK)
    return name.startswith("#") or name in wanted or name.endswith(f":{TID}")
