"""Horn clauses are solved by z3's Spacer [Spacer16] with global guidance [Guidance20].

Relations that are on no cycle by themselves are first *merged* into those around them: Spacer then
sees what happens from one round of a loop to the next as a whole, which decides how far it comes.
It has no formulas without quantifiers for them. So the formulas of the other relations are taken as
given, and Spacer is asked again, for these only: there are no cycles any more.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
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
from abpress.smt.solutions import Reading, Unreadable

_MERGING = "xform.inline_eager"
_REWRITING = (_MERGING, "xform.inline_linear", "xform.slice")

_WAYS = True, False
"""Whether relations are merged; the next way is for what has no answer, or an incomplete one."""

_MOST_TRIES = 6
"""To find labels for what was merged."""


def solve(
    relations: Sequence[tuple[Variable, ...]], clauses: Sequence[Clause], seconds: float
) -> Solved:
    """Looks for a solution for about so long. (z3 may not keep to that.)

    Raises NotExact and UnsupportedError where integers cannot say what a clause does.
    """
    spacer = _Spacer(relations)
    rules = [spacer.rule(clause) for clause in clauses]
    end = monotonic() + seconds
    found: Solved = Unsolved("Spacer was not asked")
    for merged in _WAYS:
        solved = spacer.solved(rules, end, merged)
        if isinstance(found, Unsolved) or not isinstance(solved, Unsolved):
            found = solved
        if isinstance(found, Invariants) or _is_path(clauses, found):
            break
    return found


@dataclass(frozen=True, slots=True)
class _Atom:
    """A relation of these terms."""

    relation: int
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Rule:
    """A clause in terms of z3: where all of these hold, the head does (None: an error)."""

    constants: tuple[Any, ...]
    known: tuple[_Atom, ...]
    guard: tuple[Any, ...]
    head: _Atom | None

    @property
    def relations(self) -> list[int]:
        """The relations that it is about."""
        atoms = self.known if self.head is None else (*self.known, self.head)
        return [atom.relation for atom in atoms]


@dataclass(frozen=True, slots=True)
class _Label:
    """The formula of a relation: as a term over these constants, and as ours."""

    constants: tuple[Any, ...]
    term: Any
    formula: Formula

    @property
    def says_something(self) -> bool:
        """Whether it is neither true nor false."""
        return self.formula is not TRUE and self.formula is not FALSE

    def of(self, arguments: tuple[Any, ...]) -> Any:
        """The term for these arguments."""
        return z3.substitute(self.term, *zip(self.constants, arguments, strict=True))


@dataclass(frozen=True, slots=True)
class _Labels:
    """Labels of relations, the relations whose formula cannot be said, and those with a label that
    were not merged everywhere."""

    said: Mapping[int, _Label]
    unsaid: Collection[int]
    kept: Collection[int]


class _Spacer:
    """The relations in a context of their own. Mutable: remembers terms."""

    def __init__(self, relations: Sequence[tuple[Variable, ...]]) -> None:
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

    def solved(self, rules: Sequence[_Rule], end: float, merged: bool) -> Solved:
        """An answer to the query whether there is an error."""
        asked = self._asked(rules, {}, end, merged)
        if merged and isinstance(asked, _Labels):
            asked = self._completed(rules, asked, end)
        if not isinstance(asked, _Labels):
            return asked
        if asked.unsaid:
            return Unsolved("a formula of Spacer cannot be said")
        found = (asked.said.get(n) for n in range(len(self._symbols)))
        return Invariants(tuple(TRUE if label is None else label.formula for label in found))

    def _completed(
        self, rules: Sequence[_Rule], first: _Labels, end: float
    ) -> _Labels | Derivation | Unsolved:
        """Labels for all relations, where these were found while some were merged.

        Of a relation that was merged Spacer may say what is not true of it: so all labels are
        tried, then those of others that say something, and then fewer and fewer of them.
        """
        given = dict(first.said)
        sound = {n: label for n, label in given.items() if n in first.kept and label.says_something}
        for _ in range(_MOST_TRIES):
            asked = self._asked(rules, given, end, merged=False)
            if isinstance(asked, _Labels):
                return _Labels({**asked.said, **given}, asked.unsaid, asked.kept)
            if isinstance(asked, Unsolved):
                return asked
            if len(given) > len(sound):
                given = sound
                continue
            for k in asked.clauses:
                for relation in rules[k].relations:
                    given.pop(relation, None)
        return Unsolved("formulas of Spacer do not fit")

    def _asked(
        self, rules: Sequence[_Rule], given: Mapping[int, _Label], end: float, merged: bool
    ) -> _Labels | Derivation | Unsolved:
        """Labels for relations that are not given, or that an error can be derived. Those on which
        no error depends have none. (Global guidance is of no use where there are no cycles.)"""
        left = end - monotonic()
        if left <= 0:
            return Unsolved("Spacer's time is over")
        solver = z3.Fixedpoint(ctx=self._context)
        solver.set(engine="spacer", timeout=max(1, int(left * 1000)))
        solver.set("spacer.global", not given)
        for option in _REWRITING:
            solver.set(option, merged and option == _MERGING)
        for symbol in (*self._symbols, self._error):
            solver.register_relation(symbol)
        for number, rule in enumerate(rules):
            solver.rule(self._with(rule, given), name=f"c{number}")
        try:
            answer = solver.query(self._error())
            if answer == z3.sat:
                return _derivation(solver)
            if answer == z3.unsat:
                return self._labels(solver)
            return Unsolved(f"Spacer gave up: {solver.reason_unknown()}")
        except z3.Z3Exception as error:
            return Unsolved(f"Spacer failed: {error}")

    def _with(self, rule: _Rule, given: Mapping[int, _Label]) -> Any:
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
        return z3.ForAll(list(rule.constants), term) if rule.constants else term

    def _atom(self, atom: _Atom) -> Any:
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
        kept = {n for n in said if solver.get_num_levels(self._symbols[n])}
        return _Labels(said, unsaid, kept)

    # -- clauses --------------------------------------------------------------------------------

    def rule(self, clause: Clause) -> _Rule:
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
            known.append(_Atom(relation, tuple(map(self._value, its))))
        head = None
        if clause.target is not None:
            wanted = self._relations[clause.target]
            if clause.source is None:
                left = (v for v in wanted if v.name not in clause.values)
                used.update(v.name for v in left if isinstance(v, Reg))
            new = [clause.values.get(v.name, v) for v in wanted]
            for value in new:
                mentioned.update((v.name, v) for v in variables_of(value))
            head = _Atom(clause.target, tuple(map(self._value, new)))
        guard = [*map(self._translation.formula, clause.guard)]
        constants = tuple(self._value(mentioned[name]) for name in sorted(mentioned))
        guard += self._translation.ranges(sorted(used))
        terms = tuple(z3.BoolRef(term, self._context) for term in guard)
        return _Rule(constants, tuple(known), terms, head)

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


def _derivation(solver: Any) -> Derivation:
    """The clauses by which an error is derived, in their order."""
    names = [name for name in solver.get_rule_names_along_trace() if name.startswith("c")]
    return Derivation(tuple(int(name[1:]) for name in reversed(names)))
