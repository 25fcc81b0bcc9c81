"""What is known where one thread stands: values of its registers, and of cells right now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from abpress.modular.spots import Spot
from abpress.modular.values import Atom, Value, included, limited

Variable = str | Spot
"""A register of the thread, or a cell."""


@dataclass(frozen=True, slots=True)
class Known:
    """A set of states, as one thread sees them. Of a variable without a value nothing is known.

    `copies` are registers that hold what a cell holds now.
    """

    values: Mapping[Variable, frozenset[Atom]] = field(default_factory=dict)
    copies: Mapping[str, Spot] = field(default_factory=dict)

    def get(self, variable: Variable) -> Value:
        """The value of a variable."""
        return self.values.get(variable)

    def but(self, changes: Iterable[tuple[Variable, Value]]) -> Known:
        """With other values; copies of changed cells and registers end."""
        values = dict(self.values)
        changed = set()
        for variable, value in changes:
            changed.add(variable)
            if value is None:
                values.pop(variable, None)
            else:
                values[variable] = value
        if not self.copies:
            return Known(values, self.copies)
        copies = {r: s for r, s in self.copies.items() if r not in changed and s not in changed}
        return Known(values, copies)

    def refined(self, changes: Iterable[tuple[Variable, Value]]) -> Known:
        """With more known of some variables; nothing has changed."""
        values = dict(self.values)
        for variable, value in changes:
            if value is not None:
                values[variable] = value
        return Known(values, self.copies)

    def copying(self, register: str, spot: Spot) -> Known:
        """Where a register is known to hold what a cell holds."""
        return Known(self.values, {**self.copies, register: spot})

    def without(self, dead: Iterable[str]) -> Known:
        """Without what is known of some registers."""
        gone = set(dead)
        values = {v: a for v, a in self.values.items() if v not in gone}
        copies = {r: s for r, s in self.copies.items() if r not in gone}
        return Known(values, copies)


def joined(a: Known, b: Known) -> Known:
    """What is known in both."""
    if a.values is b.values and a.copies is b.copies:
        return a
    values = {}
    for variable, atoms in a.values.items():
        other = b.values.get(variable)
        if other is atoms:
            values[variable] = atoms
        elif other is not None:
            both = atoms if other <= atoms else limited(atoms | other)
            if both is not None:
                values[variable] = both
    copies = {r: s for r, s in a.copies.items() if b.copies.get(r) == s}
    return Known(values, copies)


def implies(a: Known, b: Known) -> bool:
    """Whether all states of `a` are states of `b`."""
    if a is b:
        return True
    for variable, atoms in b.values.items():
        mine = a.values.get(variable)
        if mine is not atoms and (mine is None or not included(mine, atoms)):
            return False
    return all(a.copies.get(r) == s for r, s in b.copies.items())
