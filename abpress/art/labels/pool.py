"""The formulas that labels are made of: all interpolants of a search, numbered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from abpress.logic.formula import Formula, variables


def bits(mask: int) -> Iterator[int]:
    """The indices of the bits that are set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class Pool:
    """Numbered formulas. Mutable: it grows. Sets of formulas are bit masks."""

    def __init__(self) -> None:
        self.formulas: list[Formula] = []
        self.near: list[int] = []  # per formula: those that share a variable with it, and itself
        self._numbers: dict[Formula, int] = {}
        self._about: dict[str, int] = {}
        self._sets: dict[int, tuple[Formula, ...]] = {}

    def __len__(self) -> int:
        return len(self.formulas)

    def number(self, formula: Formula) -> int:
        """The number of a formula, which is added if it is new."""
        n = self._numbers.get(formula)
        if n is None:
            n = self._numbers[formula] = len(self.formulas)
            self.formulas.append(formula)
            near = 1 << n
            for name in sorted(variables(formula)):
                near |= self._about.get(name, 0)
                self._about[name] = self._about.get(name, 0) | 1 << n
            self.near.append(near)
            for i in bits(near):
                self.near[i] |= 1 << n
        return n

    def known(self, formula: Formula) -> int | None:
        """The number of a formula, if it has one."""
        return self._numbers.get(formula)

    def about(self, names: Iterable[str]) -> int:
        """The formulas that mention one of the variables."""
        found = 0
        for name in names:
            found |= self._about.get(name, 0)
        return found

    def mentions(self, name: str) -> bool:
        """Whether a formula mentions the variable."""
        return name in self._about

    def connected(self, mask: int, seed: int) -> int:
        """The formulas of `mask` that are linked to one of `seed` through shared variables."""
        found = todo = mask & seed
        while todo:
            low = todo & -todo
            new = self.near[low.bit_length() - 1] & mask & ~found
            found |= new
            todo = todo ^ low | new
        return found

    def neighbours(self, mask: int) -> int:
        """The formulas that share a variable with one of `mask`."""
        found = 0
        for i in bits(mask):
            found |= self.near[i]
        return found

    def set(self, mask: int) -> tuple[Formula, ...]:
        """The formulas of a set."""
        found = self._sets.get(mask)
        if found is None:
            found = self._sets[mask] = tuple(self.formulas[i] for i in bits(mask))
        return found


def linked(formulas: tuple[Formula, ...], names: frozenset[str]) -> tuple[Formula, ...]:
    """The formulas that are linked to the variables through shared ones."""
    reached = set(names)
    rest = list(formulas)
    found: list[Formula] = []
    while True:
        new = [f for f in rest if variables(f) & reached]
        if not new:
            return tuple(found)
        found += new
        reached.update(name for f in new for name in variables(f))
        rest = [f for f in rest if f not in set(new)]
