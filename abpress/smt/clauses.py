"""Constrained Horn clauses, solved by z3's Spacer [Spacer16] with global guidance [Guidance20].

A relation stands for the states of a place; a clause says that states of one lead to states of
another, or to an error. A solution gives each relation a formula that all clauses keep and that
excludes errors. It is not to be trusted: nothing here shows that it is one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import z3

from abpress.ir.expr import (
    ArrayReg,
    Filled,
    Reg,
    Term,
    Update,
    Variable,
    array_variables,
    walk,
)
from abpress.logic.formula import TRUE, Formula
from abpress.smt.integers import IntegerEncoding
from abpress.smt.solutions import Reading, Unreadable


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """Where the guard holds, states of `source` (None: nothing, as executions begin) lead to states
    of `target` (None: an error), with these values of its variables.

    Guard and values are over the variables of the source, and names that mean arbitrary values.
    The relations in `others` hold, too, each of variables that are named there.
    """

    source: int | None
    target: int | None
    guard: tuple[Formula, ...]
    values: Mapping[str, Term]
    others: tuple[tuple[int, tuple[Variable, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Invariants:
    """The formulas of the relations, over their variables."""

    labels: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Derivation:
    """An error can be derived: by these clauses, one after the other."""

    clauses: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unsolved:
    """There is no answer, or none that can be used."""

    reason: str


Solved = Invariants | Derivation | Unsolved


def solve(
    relations: Sequence[tuple[Variable, ...]], clauses: Sequence[Clause], seconds: float
) -> Solved:
    """Looks for a solution for about so long. (z3 may not keep to that.)

    Raises NotExact and UnsupportedError where integers cannot say what a clause does.
    """
    return _Spacer(relations).solve(clauses, seconds)


class _Spacer:
    """The clauses in a context of their own. Mutable: remembers terms."""

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

    def solve(self, clauses: Sequence[Clause], seconds: float) -> Solved:
        solver = z3.Fixedpoint(ctx=self._context)
        solver.set(engine="spacer", timeout=max(1, int(seconds * 1000)))
        solver.set("spacer.global", True)
        for option in ("xform.inline_eager", "xform.inline_linear", "xform.slice"):
            solver.set(option, False)  # else the formulas of what is inlined have quantifiers
        for symbol in (*self._symbols, self._error):
            solver.register_relation(symbol)
        for number, clause in enumerate(clauses):
            solver.rule(self._rule(clause), name=f"c{number}")
        try:
            answer = solver.query(self._error())
            if answer == z3.sat:
                return _derivation(solver)
            if answer == z3.unsat:
                return self._solution(solver.get_answer())
            return Unsolved(f"Spacer gave up: {solver.reason_unknown()}")
        except z3.Z3Exception as error:
            return Unsolved(f"Spacer failed: {error}")

    def _rule(self, clause: Clause) -> Any:
        """The clause as a term."""
        mentioned: dict[str, Variable] = {}
        for f in clause.guard:
            mentioned.update((v.name, v) for v in mentioned_in(f))
        for name, value in clause.values.items():
            if not (isinstance(value, Reg) and value.name == name):
                mentioned.update((v.name, v) for v in variables_of(value))
        body = [z3.BoolRef(self._translation.formula(f), self._context) for f in clause.guard]
        used = {name for name, v in mentioned.items() if isinstance(v, Reg)}
        if clause.source is not None:
            its = self._relations[clause.source]
            mentioned.update((v.name, v) for v in its)
            body.insert(0, self._symbols[clause.source](*map(self._value, its)))
        for other, its in clause.others:
            mentioned.update((v.name, v) for v in its)
            body.insert(0, self._symbols[other](*map(self._value, its)))
        if clause.target is None:
            head = self._error()
        else:
            wanted = self._relations[clause.target]
            if clause.source is None:
                left = (v for v in wanted if v.name not in clause.values)
                used.update(v.name for v in left if isinstance(v, Reg))
            new = [clause.values.get(v.name, v) for v in wanted]
            for value in new:
                mentioned.update((v.name, v) for v in variables_of(value))
            head = self._symbols[clause.target](*map(self._value, new))
        constants = [self._value(v) for v in mentioned.values()]
        ranges = self._translation.ranges(sorted(used))
        body += [z3.BoolRef(term, self._context) for term in ranges]
        rule = z3.Implies(z3.And(*body), head) if body else head
        return z3.ForAll(constants, rule) if constants else rule

    def _value(self, e: Term) -> Any:
        """An integer or an array as a term of z3's own classes."""
        if isinstance(e, ArrayReg | Filled | Update):
            return z3.ArrayRef(self._translation.array(e), self._context)
        return z3.ArithRef(self._translation.value(e), self._context)

    def _solution(self, answer: Any) -> Solved:
        """The formulas that z3 says for the relations."""
        numbers = {symbol.name(): n for n, symbol in enumerate(self._symbols)}
        labels: dict[int, Formula] = {}
        for part in answer.children() if z3.is_and(answer) else [answer]:
            if z3.is_quantifier(part):
                bound = [z3.Const(f"bound!{k}", part.var_sort(k)) for k in range(part.num_vars())]
                part = z3.substitute_vars(part.body(), *reversed(bound))
            relation = part.arg(0) if z3.is_eq(part) else None
            if relation is None or relation.decl().name() not in numbers:
                continue
            n = numbers[relation.decl().name()]
            names = {
                str(given): variable
                for given, variable in zip(relation.children(), self._relations[n], strict=True)
            }
            try:
                labels[n] = Reading(names).formula(part.arg(1))
            except Unreadable as error:
                return Unsolved(f"a formula of Spacer cannot be said: {error}")
        return Invariants(tuple(labels.get(n, TRUE) for n in range(len(self._symbols))))


def _derivation(solver: Any) -> Solved:
    """The clauses by which an error is derived, in their order."""
    names = [name for name in solver.get_rule_names_along_trace() if name.startswith("c")]
    return Derivation(tuple(int(name[1:]) for name in reversed(names)))


def mentioned_in(f: Formula) -> frozenset[Variable]:
    """The variables of a formula."""
    if f.expr is None:
        return frozenset().union(*map(mentioned_in, f.parts))
    return variables_of(f.expr)


def variables_of(value: Term) -> frozenset[Variable]:
    """The variables of an expression or an array."""
    if isinstance(value, ArrayReg):
        return frozenset({value})
    if isinstance(value, Filled):
        return frozenset()
    if isinstance(value, Update):
        parts = map(variables_of, (value.array, value.index, value.value))
        return frozenset().union(*parts)
    integers = frozenset(e for e in walk(value) if isinstance(e, Reg))
    return integers.union(array_variables(value))
