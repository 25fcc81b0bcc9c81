"""Relations of Horn clauses are merged into those around them, until one is left on each cycle.

What happens from one of the relations that are kept to the next is then one clause, which decides
how far Spacer comes: it need not find formulas for states between two rounds of a loop. Which ones
are kept on the cycles counts, too: of two threads that take turns, that where both have had one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import z3

from abpress.ir.components import components, is_cycle

_MOST_MORE = 40
"""Clauses by which their number may grow where one relation is merged."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A relation of these terms."""

    relation: int
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Implication:
    """A clause in terms of z3: where all of these hold, the head does (None: an error).

    What is known are atoms of constants, the same ones for each relation. `clauses` are the numbers
    of those that it does the work of, one after the other; none if there are several ways.
    """

    clauses: tuple[int, ...]
    constants: tuple[Any, ...]
    known: tuple[Atom, ...]
    guard: tuple[Any, ...]
    head: Atom | None

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """The relations that it is about, the head last."""
        return self.known if self.head is None else (*self.known, self.head)


def merged(rules: Sequence[Implication], heads: Collection[int], context: Any) -> list[Implication]:
    """Rules over fewer relations; of those on a cycle one of the `heads` is kept, if there is one.

    They have a solution if the rules have one, and its formulas are some of these relations.
    """
    return _Merging(rules, heads, context).rules()


class _Merging:
    """The rules so far (mutable)."""

    def __init__(self, rules: Sequence[Implication], heads: Collection[int], context: Any) -> None:
        self._left = dict(enumerate(rules))
        self._next = len(rules)
        self._fresh = 0
        self._heads = heads
        self._context = context
        together = (rule.known for rule in rules if len(rule.known) > 1)
        self._kept = {atom.relation for known in together for atom in known}

    def rules(self) -> list[Implication]:
        """The rules that are left."""
        self._keep_one_on_each_cycle()
        todo = {atom.relation for rule in self._left.values() for atom in rule.atoms} - self._kept
        while todo:
            growth = self._growth()
            best = min(todo, key=lambda n: (growth.get(n, 0), n))
            if growth.get(best, 0) > _MOST_MORE:
                break
            todo.remove(best)
            self._merge(best)
        return list(self._left.values())

    def _keep_one_on_each_cycle(self) -> None:
        while True:
            before: dict[int, set[int]] = {}
            for rule in self._left.values():
                if rule.head is not None and rule.head.relation not in self._kept:
                    its = before.setdefault(rule.head.relation, set())
                    its.update(a.relation for a in rule.known if a.relation not in self._kept)
            cycles = [its for its in components(before) if is_cycle(its, before)]
            if not cycles:
                return
            self._kept |= {min(cycle, key=lambda n: (n not in self._heads, n)) for cycle in cycles}

    def _growth(self) -> Mapping[int, int]:
        """By how many rules there were more without each of the relations."""
        into = Counter(r.head.relation for r in self._left.values() if r.head is not None)
        out = Counter(atom.relation for r in self._left.values() for atom in r.known)
        return {n: into[n] * out[n] - into[n] - out[n] for n in into | out}

    def _taken(self, fits: Callable[[Implication], bool]) -> list[Implication]:
        """The rules that fit, which are taken out."""
        its = [k for k, rule in self._left.items() if fits(rule)]
        return [self._left.pop(k) for k in its]

    def _add(self, rule: Implication) -> None:
        self._left[self._next] = rule
        self._next += 1

    def _merge(self, n: int) -> None:
        into = self._taken(lambda rule: rule.head is not None and rule.head.relation == n)
        out = self._taken(lambda rule: any(atom.relation == n for atom in rule.known))
        for first in into:
            for second in out:
                self._add(self._joined(first, second))
        self._unite()

    def _joined(self, first: Implication, second: Implication) -> Implication:
        """One rule after the other."""
        (atom,) = second.known
        assert first.head is not None
        named = {str(constant) for constant in atom.arguments}
        others = [constant for constant in second.constants if str(constant) not in named]
        fresh = [self._constant(constant.sort()) for constant in others]
        pairs = [
            *zip(atom.arguments, first.head.arguments, strict=True),
            *zip(others, fresh, strict=True),
        ]

        def moved(terms: Sequence[Any]) -> tuple[Any, ...]:
            return tuple(z3.substitute(term, *pairs) for term in terms) if pairs else (*terms,)

        return Implication(
            (*first.clauses, *second.clauses) if first.clauses and second.clauses else (),
            (*first.constants, *fresh),
            first.known,
            (*first.guard, *moved(second.guard)),
            second.head and replace(second.head, arguments=moved(second.head.arguments)),
        )

    def _unite(self) -> None:
        """Makes one rule of those that are about the same relations."""
        alike: dict[tuple[int, ...], list[int]] = {}
        for k, rule in self._left.items():
            if len(rule.known) <= 1:
                about = tuple(atom.relation for atom in rule.known)
                end = -1 if rule.head is None else rule.head.relation
                alike.setdefault((end, *about), []).append(k)
        for its in alike.values():
            if len(its) > 1:
                self._add(self._any_of([self._left.pop(k) for k in its]))

    def _any_of(self, rules: Sequence[Implication]) -> Implication:
        """A rule for several that are about the same relations."""
        constants = {str(constant): constant for rule in rules for constant in rule.constants}
        heads = [rule.head.arguments if rule.head is not None else () for rule in rules]
        arguments = []
        same: list[list[Any]] = [[] for _ in rules]
        for values in zip(*heads, strict=True):
            value = values[0]
            if not all(z3.eq(value, other) for other in values):
                value = self._constant(value.sort())
                constants[str(value)] = value
                for its, other in zip(same, values, strict=True):
                    its.append(value == other)
            arguments.append(value)
        true = z3.BoolVal(True, self._context)
        ways = [z3.And(true, *rule.guard, *its) for rule, its in zip(rules, same, strict=True)]
        head = rules[0].head and replace(rules[0].head, arguments=tuple(arguments))
        return Implication((), tuple(constants.values()), rules[0].known, (z3.Or(*ways),), head)

    def _constant(self, sort: Any) -> Any:
        self._fresh += 1
        return z3.Const(f"merged!{self._fresh}", sort)
