"""Which permutations of threads that are alike take a discrete part to another one.

They are found here for the engine; whether they are right `symbolic.exchange` says, by which proofs
are checked as well, NOTE(symmetric-covers).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from itertools import islice, permutations, product

from abpress.ir.expr import Const
from abpress.symbolic.discrete import Discrete, in_memory, owner_of
from abpress.symbolic.exchange import Moves, SymmetricSystem

MOST_WAYS = 24
"""So many permutations that may take a discrete part to another one are looked at."""


class Permutations:
    """Those of the threads of a system that are alike."""

    def __init__(self, system: SymmetricSystem) -> None:
        self._system = system

    def key(self, d: Discrete) -> Hashable:
        """Equal for discrete parts that moves may take to one another; None if they take it
        nowhere."""
        if d.status is not None:
            return None
        signatures = self.signatures(d)
        if signatures is None:
            return None
        rest, its = signatures
        return rest, frozenset(Counter(its.values()).items()), d.objects

    def between(self, d: Discrete, other: Discrete) -> tuple[Moves, ...]:
        """Moves that take the one to the other, of the same key; those first that move few. Not all
        where there are many."""
        ways = islice(self._ways(d, other), MOST_WAYS)
        return tuple(m for m in ways if m and not self._system.why_not(d, other, m))

    def _ways(self, d: Discrete, other: Discrete) -> Iterator[Moves]:
        mine, its = self.signatures(d), self.signatures(other)
        if mine is None or its is None:
            return
        groups: dict[Hashable, tuple[list[int], list[int]]] = {}
        for t, signature in mine[1].items():
            groups.setdefault(signature, ([], []))[0].append(t)
        for t, signature in its[1].items():
            groups.setdefault(signature, ([], []))[1].append(t)
        orders = []
        for ours, theirs in groups.values():
            if len(ours) != len(theirs):
                return
            same = [t for t in ours if t in theirs]
            rest = iter([t for t in theirs if t not in same])
            first = [t if t in same else next(rest) for t in ours]
            orders.append([list(zip(ours, way, strict=True)) for way in permutations(first)])
        for pairs in product(*orders):
            yield {t: u for group in pairs for t, u in group if t != u}

    def signatures(self, d: Discrete) -> tuple[Hashable, Mapping[int, Hashable]] | None:
        """All but the threads of classes, and what there is of each of these, equal where moves may
        take one discrete part to another; None where they take it nowhere."""
        system, values = self._system, d.values
        slots, classes = system.slots(d), system.classes(d)
        if system.joins_some(d):
            return None
        if len(classes) < 2 or any(name not in values for name in slots):
            return None
        of = {system.name(t): t for t in classes}
        rest: list[Hashable] = [part for part in d.threads if part.id not in classes]
        its: dict[int, list[Hashable]] = {t: [] for t in classes}
        for part in d.threads:
            if part.id in classes:
                its[part.id].append(part._replace(id=0))
        for name, value in d.known:
            owner = of.get(owner_of(name))
            whose = None
            if name in slots and isinstance(value, Const) and value.value in classes:
                whose = value.value
            if owner is not None and not in_memory(name):
                if whose not in (None, owner):
                    return None
                content = value if whose is None else "own"
                its[owner].append((name.removeprefix(owner_of(name)), content))
            elif whose is not None and slots[name]:
                rest.append((name, "handle", classes[whose]))
            elif whose is not None:
                rest.append((name, "name"))
                its[whose].append(("named", name))
            else:
                rest.append((name, value))
        return tuple(rest), {t: tuple(found) for t, found in its.items()}
