"""Differences of variables that are bounded: `x - y <= c` ([Zones01]), where they have bounds.

The variable with the empty name is 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

ZERO = ""

Pair = tuple[str, str]

_THRESHOLDS = (-1, 0, 1)


@dataclass(slots=True)
class Zone:
    """Mutable. What is added to a zone without a widening keeps it closed: each bound that follows
    from two others is there. A pair that is left out has no bound; that `naturals` are not less
    than 0 need not be there."""

    most: dict[Pair, int] = field(default_factory=dict)
    naturals: frozenset[str] = frozenset()

    def copy(self) -> Zone:
        """Another one that says the same."""
        return Zone(dict(self.most), self.naturals)

    def bound(self, x: str, y: str) -> int | None:
        """What the difference of two variables is at most; None if it has no bound."""
        found = self.most.get((x, y))
        if y in self.naturals:
            high = 0 if x == ZERO else self.most.get((x, ZERO))
            if high is not None and (found is None or high < found):
                return high
        return found

    def high(self, x: str) -> int | None:
        """The greatest value of a variable; None if it has no bound."""
        return self.most.get((x, ZERO))

    def highest(self, x: str) -> int | None:
        """The same, where a widening may have forgotten what follows from others."""
        others = ((c, self.high(v)) for (u, v), c in self.most.items() if u == x and v != ZERO)
        return min((c + high for c, high in others if high is not None), default=None)

    def low(self, x: str) -> int | None:
        """The least value of a variable; None if it has no bound."""
        found = self.bound(ZERO, x)
        return None if found is None else -found

    def add(self, x: str, y: str, c: int) -> bool:
        """Notes that `x - y <= c`; returns whether that is possible."""
        if x == y:
            return c >= 0
        known = self.most.get((x, y))
        if known is not None and known <= c:
            return True
        back = self.most.get((y, x))
        if back is not None and back + c < 0:
            return False
        before = [(x, 0), *((u, d) for (u, v), d in self.most.items() if v == x and u != y)]
        behind = [(y, 0), *((v, d) for (u, v), d in self.most.items() if u == y and v != x)]
        for u, d in before:
            for v, e in behind:
                if u == v:
                    continue
                old = self.most.get((u, v))
                if old is None or d + c + e < old:
                    self.most[u, v] = d + c + e
        return True

    def forget(self, names: Iterable[str]) -> None:
        """Forgets all that is known of these variables."""
        gone = set(names)
        if gone:
            self.most = {p: c for p, c in self.most.items() if not gone.intersection(p)}

    def shift(self, x: str, c: int) -> None:
        """`x := x + c`."""
        moved = {}
        for (u, v), d in self.most.items():
            moved[u, v] = d + c if u == x else d - c if v == x else d
        self.most = moved

    def equate(self, x: str, y: str, c: int) -> None:
        """`x := y + c`, for a variable of which nothing is known."""
        if y == ZERO or y not in self.names():
            self.add(x, y, c)
            self.add(y, x, -c)
            return
        for (u, v), d in list(self.most.items()):
            if u == y:
                self.most[x, v] = d + c
            elif v == y:
                self.most[u, x] = d - c
        self.most[x, y], self.most[y, x] = c, -c

    def equals(self, x: str) -> list[str]:
        """The variables that are known to be equal to one."""
        its = (v for (u, v), c in self.most.items() if u == x and v != ZERO and not c)
        return sorted(v for v in its if self.most.get((v, x)) == 0)

    def names(self) -> set[str]:
        """The variables that have bounds."""
        return {name for pair in self.most for name in pair} - {ZERO}

    def only(self, names: set[str] | frozenset[str]) -> Zone:
        """What is known of some variables."""
        kept = {*names, ZERO}
        most = {p: c for p, c in self.most.items() if p[0] in kept and p[1] in kept}
        return Zone(most, self.naturals)

    def joined(self, other: Zone) -> Zone:
        """What holds in either."""
        found = Zone({}, self.naturals)
        for pair in self.most | other.most if self.naturals else self.most:
            c, d = self.bound(*pair), other.bound(*pair)
            if c is not None and d is not None:
                found.most[pair] = max(c, d)
        return found

    def widened(self, new: Zone, greatest: Iterable[int] = (), kept: Collection[str] = ()) -> Zone:
        """What holds in either, where bounds that grow move to thresholds or go; those of
        variables also to the `greatest` numbers, which are in order. Those of `kept` variables do
        not."""
        found = Zone({}, self.naturals)
        for pair, c in self.most.items():
            d = new.bound(*pair)
            if d is None:
                continue
            if d <= c or all(not name or name in kept for name in pair):
                found.most[pair] = max(c, d)
                continue
            thresholds = (*_THRESHOLDS, *greatest) if pair[1] == ZERO else _THRESHOLDS
            threshold = next((t for t in thresholds if t >= d), None)
            if threshold is not None:
                found.most[pair] = threshold
        return found

    def implies(self, other: Zone) -> bool:
        """Whether all that another zone says is said here."""
        for pair, c in other.most.items():
            mine = self.bound(*pair)
            if mine is None or mine > c:
                return False
        return True

    def reduced(self) -> Mapping[Pair, int]:
        """Bounds from which all others follow."""
        kept = dict(self.most)
        names = {ZERO, *self.names()}
        for (x, y), c in sorted(self.most.items()):
            for z in names - {x, y}:
                first, second = kept.get((x, z)), kept.get((z, y))
                if first is not None and second is not None and first + second <= c:
                    del kept[x, y]
                    break
        return kept

    def __iter__(self) -> Iterator[tuple[Pair, int]]:
        return iter(self.most.items())
