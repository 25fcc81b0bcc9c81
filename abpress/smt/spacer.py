"""Horn clauses are solved by z3's Spacer [Spacer16] with global guidance [Guidance20].

Relations that are on no cycle by themselves are first *merged* into those around them: Spacer then
sees what happens from one round of a loop to the next as a whole, which decides how far it comes.
It has no formulas without quantifiers for them. So the formulas of the other relations are taken as
given, and Spacer is asked again, for these only: there are no cycles any more. It is asked for a
few of them at a time, between those that have their formulas, while the rest are merged: where
there are no loops at all, the one question whether there is an error is easy, and that for
formulas of all places at once is not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from time import process_time
from typing import Any

import z3

from abpress.ir.expr import ArrayReg, Filled, Reg, Term, Update, Variable
from abpress.logic.formula import FALSE, TRUE, Formula
from abpress.smt.clauses import (
    Clause,
    Derivation,
    Invariants,
    Solved,
    Unsolved,
    mentioned_in,
    variables_of,
)
from abpress.smt.integers import IntegerEncoding
from abpress.smt.merging import Atom, Implication, merged
from abpress.smt.solutions import Reading, Unreadable

_REWRITING = ("xform.inline_eager", "xform.inline_linear", "xform.slice")

COMPLETING = 10.0
"""Of the time for a solution, how much more there is for the formulas of relations that were
merged, when the others have theirs: it is known then that there are some."""

_WAYS = True, False
"""Whether relations are merged; the next way is for what has no answer, or an incomplete one."""


def solve(
    relations: Sequence[tuple[Variable, ...]],
    clauses: Sequence[Clause],
    seconds: float,
    heads: Collection[int] = (),
    known: Sequence[tuple[Formula, ...]] = (),
    sure: Callable[[], None] = lambda: None,
    patience: float = 1.0,
) -> Solved:
    """Looks for a solution for so many seconds of processor time, and no more than `patience` times
    as long by the clock, which is what z3 looks at. (It may not keep to that.) When it is `sure`
    that there is one, it takes up to `COMPLETING` times as long for the rest of it. The `heads` are
    relations of which formulas are likely to be simple. What is `known` of each relation holds in a
    solution by itself: labels may rest on it; FALSE says that no state is there. (It is not used to
    derive errors, which z3 may do at once then, without telling the clauses.)

    Raises NotExact and UnsupportedError where integers cannot say what a clause does.
    """
    spacer = _Spacer(relations, seconds, sure, patience)
    rules = [spacer.rule(number, clause) for number, clause in enumerate(clauses)]
    strong = rules
    if any(known):
        strong = [
            spacer.rule(number, replace(its, guard=(*its.guard, *known[its.source])))
            if its.source is not None
            else rules[number]
            for number, its in enumerate(clauses)
            if its.source is None or FALSE not in known[its.source]
        ]
    end = process_time() + seconds
    found: Solved = Unsolved("Spacer was not asked")
    for merging in _WAYS:
        solved = spacer.solved(strong if merging else rules, end, heads if merging else None)
        if isinstance(found, Unsolved) or not isinstance(solved, Unsolved):
            found = solved
        if isinstance(found, Invariants) or _is_path(clauses, found):
            break
    return found


_PARTS = 12
"""In which relations that were merged get their labels, one after the other."""


@dataclass(frozen=True, slots=True)
class _Label:
    """The formula of a relation: as a term over these constants, and as ours."""

    constants: tuple[Any, ...]
    term: Any
    formula: Formula

    def of(self, arguments: tuple[Any, ...]) -> Any:
        """The term for these arguments."""
        return z3.substitute(self.term, *zip(self.constants, arguments, strict=True))


@dataclass(frozen=True, slots=True)
class _Labels:
    """Labels of relations, and the relations whose formula cannot be said."""

    said: Mapping[int, _Label]
    unsaid: Collection[int]


class _Spacer:
    """The relations in a context of their own. Mutable: remembers terms."""

    def __init__(
        self,
        relations: Sequence[tuple[Variable, ...]],
        seconds: float = 0.0,
        sure: Callable[[], None] = lambda: None,
        patience: float = 1.0,
    ) -> None:
        self._more, self._sure, self._patience = COMPLETING * seconds, sure, patience
        self._translation = IntegerEncoding()
        self._context = self._translation.terms.context
        self._relations = relations
        boolean = z3.BoolSort(self._context)
        self._symbols = [
            z3.Function(f"P{n}", *(self._value(v).sort() for v in its), boolean)
            for n, its in enumerate(relations)
        ]
        self._error = z3.Function("Error", boolean)

    # -- queries --------------------------------------------------------------------------------

    def solved(
        self, rules: Sequence[Implication], end: float, heads: Collection[int] | None
    ) -> Solved:
        """An answer to the query whether there is an error; relations are merged if there are
        `heads`, or none of them."""
        if heads is None:
            asked = self._asked(rules, {}, end)
        else:
            fewer = merged(rules, heads, self._context)
            asked = self._asked(fewer, {}, end)
            if isinstance(asked, _Labels) and not asked.unsaid:
                self._sure()
                end = max(end, process_time() + self._more)
                left = {atom.relation for rule in fewer for atom in rule.atoms}
                given = {n: label for n, label in asked.said.items() if n in left}
                asked = self._completed(rules, given, end)
        if not isinstance(asked, _Labels):
            return asked
        if asked.unsaid:
            return Unsolved("a formula of Spacer cannot be said")
        found = (asked.said.get(n) for n in range(len(self._symbols)))
        return Invariants(tuple(TRUE if label is None else label.formula for label in found))

    def _completed(
        self, rules: Sequence[Implication], given: Mapping[int, _Label], end: float
    ) -> _Labels | Unsolved:
        """Labels for all relations, where these were found while the others were merged.

        They are found in parts: first for relations of few variables, while others are merged. What
        is about relations that have labels only was kept when these were found.
        """
        found = dict(given)
        unsaid: Collection[int] = ()
        parts = self._parts({a.relation for r in rules for a in r.atoms} - found.keys())
        fewer = [rules]
        for part in reversed(parts):
            fewer.append(merged(fewer[-1], (), self._context, given.keys() | part))
        for part, its in zip(parts, reversed(fewer), strict=False):
            open = [r for r in its if any(a.relation not in found for a in r.atoms)]
            asked = self._asked(open, found, end)
            if isinstance(asked, Derivation):
                return Unsolved("formulas of Spacer do not fit")
            if isinstance(asked, Unsolved):
                return asked
            found.update((n, label) for n, label in asked.said.items() if n in part)
            unsaid = asked.unsaid
        return _Labels(found, unsaid)

    def _parts(self, left: Collection[int]) -> list[set[int]]:
        """Growing sets of these relations, the last one all of them."""
        ordered = sorted(left, key=lambda n: (len(self._relations[n]), n))
        bounds = sorted({len(ordered) * (k + 1) // _PARTS for k in range(_PARTS)} - {0})
        return [set(ordered[:bound]) for bound in bounds]

    def _asked(
        self, rules: Sequence[Implication], given: Mapping[int, _Label], end: float
    ) -> _Labels | Derivation | Unsolved:
        """Labels for relations that are not given, or that an error can be derived. Those on which
        no error depends have none. (Global guidance is of no use where there are no cycles.)"""
        left = end - process_time()
        if left <= 0:
            return Unsolved("Spacer's time is over")
        solver = z3.Fixedpoint(ctx=self._context)
        solver.set(engine="spacer", timeout=max(1, int(self._patience * left * 1000)))
        solver.set("spacer.global", not given)
        for option in _REWRITING:
            solver.set(option, False)
        for symbol in (*self._symbols, self._error):
            solver.register_relation(symbol)
        for number, rule in enumerate(rules):
            solver.rule(self._with(rule, given), name=f"c{number}")
        try:
            answer = solver.query(self._error())
            if answer == z3.sat:
                return _derivation(solver, rules)
            if answer == z3.unsat:
                return self._labels(solver)
            return Unsolved(f"Spacer gave up: {solver.reason_unknown()}")
        except z3.Z3Exception as error:
            return Unsolved(f"Spacer failed: {error}")

    def _with(self, rule: Implication, given: Mapping[int, _Label]) -> Any:
        """A rule as a term, where relations that have labels are these: it is an error if the rule
        does not lead into one."""
        body = [*map(self._atom, (a for a in rule.known if a.relation not in given))]
        body += (given[a.relation].of(a.arguments) for a in rule.known if a.relation in given)
        body += rule.guard
        head = rule.head
        if head is not None and head.relation in given:
            body.append(z3.Not(given[head.relation].of(head.arguments)))
            head = None
        conclusion = self._error() if head is None else self._atom(head)
        term = z3.Implies(z3.And(*body), conclusion) if body else conclusion
        return z3.ForAll([*rule.constants.values()], term) if rule.constants else term

    def _atom(self, atom: Atom) -> Any:
        return self._symbols[atom.relation](*atom.arguments)

    def _labels(self, solver: Any) -> _Labels:
        """What z3 says for the relations."""
        numbers = {symbol.name(): n for n, symbol in enumerate(self._symbols)}
        said: dict[int, _Label] = {}
        unsaid: set[int] = set()
        answer = solver.get_answer()
        for part in answer.children() if z3.is_and(answer) else [answer]:
            if z3.is_quantifier(part):
                bound = [z3.Const(f"bound!{k}", part.var_sort(k)) for k in range(part.num_vars())]
                part = z3.substitute_vars(part.body(), *reversed(bound))
            relation = part.arg(0) if z3.is_eq(part) else None
            if relation is None or relation.decl().name() not in numbers:
                continue
            n = numbers[relation.decl().name()]
            constants = tuple(relation.children())
            names = {
                str(given): variable
                for given, variable in zip(constants, self._relations[n], strict=True)
            }
            try:
                said[n] = _Label(constants, part.arg(1), Reading(names).formula(part.arg(1)))
            except Unreadable:
                unsaid.add(n)
        return _Labels(said, unsaid)

    # -- clauses --------------------------------------------------------------------------------

    def rule(self, number: int, clause: Clause) -> Implication:
        """The clause in terms."""
        mentioned: dict[str, Variable] = {}
        for f in clause.guard:
            mentioned.update((v.name, v) for v in mentioned_in(f))
        for name, value in clause.values.items():
            if not (isinstance(value, Reg) and value.name == name):
                mentioned.update((v.name, v) for v in variables_of(value))
        used = {name for name, v in mentioned.items() if isinstance(v, Reg)}
        known = []
        sources = (
            () if clause.source is None else ((clause.source, self._relations[clause.source]),)
        )
        for relation, its in (*sources, *clause.others):
            mentioned.update((v.name, v) for v in its)
            known.append(Atom(relation, tuple(map(self._value, its))))
        head = None
        if clause.target is not None:
            wanted = self._relations[clause.target]
            if clause.source is None:
                left = (v for v in wanted if v.name not in clause.values)
                used.update(v.name for v in left if isinstance(v, Reg))
            new = [clause.values.get(v.name, v) for v in wanted]
            for value in new:
                mentioned.update((v.name, v) for v in variables_of(value))
            head = Atom(clause.target, tuple(map(self._value, new)))
        guard = [*map(self._translation.formula, clause.guard)]
        constants = tuple(self._value(mentioned[name]) for name in sorted(mentioned))
        guard += self._translation.ranges(sorted(used))
        terms = tuple(z3.BoolRef(term, self._context) for term in guard)
        by_id = {constant.get_id(): constant for constant in constants}
        return Implication((number,), by_id, tuple(known), terms, head)

    def _value(self, e: Term) -> Any:
        """An integer or an array as a term of z3's own classes."""
        if isinstance(e, ArrayReg | Filled | Update):
            return z3.ArrayRef(self._translation.array(e), self._context)
        return z3.ArithRef(self._translation.value(e), self._context)


def _is_path(clauses: Sequence[Clause], solved: Solved) -> bool:
    """Whether a derivation says all clauses of a way from the begin to an error: where relations
    were merged, some may be missing."""
    if not isinstance(solved, Derivation) or not solved.clauses:
        return False
    at = None
    for clause in (clauses[k] for k in solved.clauses):
        if clause.source != at:
            return False
        at = clause.target
    return at is None


def _derivation(solver: Any, rules: Sequence[Implication]) -> Derivation:
    """The clauses by which an error is derived, in their order; none where they are not known."""
    names = [name for name in solver.get_rule_names_along_trace() if name.startswith("c")]
    used = [rules[int(name[1:])].clauses for name in reversed(names)]
    return Derivation(tuple(chain.from_iterable(used)) if all(used) else ())
