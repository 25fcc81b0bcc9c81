"""Relations of Horn clauses are merged into those around them, until one is left on each cycle.

What happens from one of the relations that are kept to the next is then one clause, which decides
how far Spacer comes: it need not find formulas for states between two rounds of a loop. Which ones
are kept on the cycles counts, too: of two threads that take turns, that where both have had one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import z3

from abpress.ir.components import components, is_cycle

_MOST_MORE = 40
"""Clauses by which their number may grow where one relation is merged."""


_ERROR = -1
"""Stands for the head of what leads to an error."""


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
    `constants` are all in it, by their ids.
    """

    clauses: tuple[int, ...]
    constants: Mapping[int, Any]
    known: tuple[Atom, ...]
    guard: tuple[Any, ...]
    head: Atom | None

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """The relations that it is about, the head last."""
        return self.known if self.head is None else (*self.known, self.head)


def merged(
    rules: Sequence[Implication],
    heads: Collection[int],
    context: Any,
    kept: Collection[int] = (),
) -> list[Implication]:
    """Rules over fewer relations; of those on a cycle one of the `heads` is kept, if there is one.
    Those to be `kept` are, too.

    They have a solution if the rules have one, and its formulas are some of these relations.
    """
    return _Merging(rules, heads, context, kept).rules()


class _Merging:
    """The rules so far, by the relations that they are about, the head first (-1: an error).
    Mutable."""

    def __init__(
        self,
        rules: Sequence[Implication],
        heads: Collection[int],
        context: Any,
        kept: Collection[int],
    ) -> None:
        self._left: dict[tuple[int, ...], list[Implication]] = {}
        self._heads = heads
        self._context = context
        for rule in rules:
            self._left.setdefault(_about(rule), []).append(rule)
        self._kept = {n for _, *known in self._left if len(known) > 1 for n in known}
        self._kept.update(kept)

    def rules(self) -> list[Implication]:
        """The rules that are left."""
        self._keep_one_on_each_cycle()
        todo = {n for about in self._left for n in about} - self._kept - {_ERROR}
        while todo:
            growth = self._growth()
            best = min(todo, key=lambda n: (growth.get(n, 0), n))
            if growth.get(best, 0) > _MOST_MORE:
                break
            todo.remove(best)
            self._merge(best)
        return [rule for rules in self._left.values() for rule in rules]

    def _keep_one_on_each_cycle(self) -> None:
        while True:
            before: dict[int, set[int]] = {}
            for head, *known in self._left:
                if head not in self._kept:
                    before.setdefault(head, set()).update(n for n in known if n not in self._kept)
            cycles = [its for its in components(before) if is_cycle(its, before)]
            if not cycles:
                return
            self._kept |= {min(cycle, key=lambda n: (n not in self._heads, n)) for cycle in cycles}

    def _growth(self) -> Mapping[int, int]:
        """By how many rules there were more without each of the relations."""
        into: Counter[int] = Counter()
        out: Counter[int] = Counter()
        for (head, *known), rules in self._left.items():
            into[head] += len(rules)
            for n in known:
                out[n] += len(rules)
        return {n: into[n] * out[n] - into[n] - out[n] for n in into | out}

    def _merge(self, n: int) -> None:
        into = [about for about in self._left if about[0] == n]
        first = [rule for about in into for rule in self._left.pop(about)]
        out = [about for about in self._left if n in about[1:]]
        second = [rule for about in out for rule in self._left.pop(about)]
        touched: dict[tuple[int, ...], None] = {}
        for one in first:
            for other in second:
                rule = self._joined(one, other)
                touched[_about(rule)] = None
                self._left.setdefault(_about(rule), []).append(rule)
        for about in touched:
            rules = self._left[about]
            if len(rules) > 1 and len(about) <= 2:
                self._left[about] = [self._any_of(rules)]

    def _joined(self, first: Implication, second: Implication) -> Implication:
        """One rule after the other."""
        (atom,) = second.known
        assert first.head is not None
        named = {constant.get_id() for constant in atom.arguments}
        others = {k: constant for k, constant in second.constants.items() if k not in named}
        pairs = [*zip(atom.arguments, first.head.arguments, strict=True)]
        for k in sorted(first.constants.keys() & others.keys()):
            fresh = self._constant(others[k].sort())
            pairs.append((others.pop(k), fresh))
            others[fresh.get_id()] = fresh

        def moved(terms: Sequence[Any]) -> tuple[Any, ...]:
            return tuple(z3.substitute(term, *pairs) for term in terms) if pairs else (*terms,)

        return Implication(
            (*first.clauses, *second.clauses) if first.clauses and second.clauses else (),
            {**first.constants, **others},
            first.known,
            (*first.guard, *moved(second.guard)),
            second.head and replace(second.head, arguments=moved(second.head.arguments)),
        )

    def _any_of(self, rules: Sequence[Implication]) -> Implication:
        """A rule for several that are about the same relations."""
        constants = {k: constant for rule in rules for k, constant in rule.constants.items()}
        heads = [rule.head.arguments if rule.head is not None else () for rule in rules]
        arguments = []
        same: list[list[Any]] = [[] for _ in rules]
        for values in zip(*heads, strict=True):
            value = values[0]
            if len({other.get_id() for other in values}) > 1:
                value = self._constant(value.sort())
                constants[value.get_id()] = value
                for its, other in zip(same, values, strict=True):
                    its.append(value == other)
            arguments.append(value)
        true = z3.BoolVal(True, self._context)
        ways = [z3.And(true, *rule.guard, *its) for rule, its in zip(rules, same, strict=True)]
        head = rules[0].head and replace(rules[0].head, arguments=tuple(arguments))
        return Implication((), constants, rules[0].known, (z3.Or(*ways),), head)

    def _constant(self, sort: Any) -> Any:
        """A constant that no rule has, also none that was merged before."""
        return z3.FreshConst(sort, "merged")


def _about(rule: Implication) -> tuple[int, ...]:
    head = _ERROR if rule.head is None else rule.head.relation
    return (head, *(atom.relation for atom in rule.known))
