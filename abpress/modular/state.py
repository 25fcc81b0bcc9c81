"""What is known where one thread stands: values of its registers, and of cells right now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from abpress.modular.spots import Spot
from abpress.modular.valuation import JoinedParts, Valuation, Variable
from abpress.modular.values import Value


@dataclass(frozen=True, slots=True)
class Known:
    """A set of states, as one thread sees them. Of a variable without a value nothing is known.

    `copies` are registers that hold what a cell holds now.
    """

    values: Valuation = field(default_factory=Valuation)
    copies: Mapping[str, Spot] = field(default_factory=dict)

    def get(self, variable: Variable) -> Value:
        """The value of a variable."""
        return self.values.value(variable)

    def but(self, changes: Iterable[tuple[Variable, Value]]) -> Known:
        """With other values; copies of changed cells and registers end."""
        listed = list(changes)
        values = self.values.but(listed)
        if not self.copies:
            return Known(values, self.copies)
        changed = {variable for variable, _ in listed}
        copies = {r: s for r, s in self.copies.items() if r not in changed and s not in changed}
        return Known(values, copies)

    def refined(self, changes: Iterable[tuple[Variable, Value]]) -> Known:
        """With more known of some variables; nothing has changed."""
        more = (change for change in changes if change[1] is not None)
        return Known(self.values.but(more), self.copies)

    def copying(self, register: str, spot: Spot) -> Known:
        """Where a register is known to hold what a cell holds."""
        return Known(self.values, {**self.copies, register: spot})

    def without(self, dead: Iterable[str]) -> Known:
        """Without what is known of some registers."""
        gone = set(dead)
        copies = {r: s for r, s in self.copies.items() if r not in gone}
        return Known(self.values.but((r, None) for r in gone), copies)


def joined(a: Known, b: Known, joins: JoinedParts | None = None) -> Known:
    """What is known in both. `joins`: what was joined before, where the same are joined often."""
    if a.values is b.values and a.copies is b.copies:
        return a
    copies = {r: s for r, s in a.copies.items() if b.copies.get(r) == s}
    return Known(a.values.joined(b.values, joins), copies)


def implies(a: Known, b: Known) -> bool:
    """Whether all states of `a` are states of `b`."""
    if a is b:
        return True
    return a.values.implies(b.values) and all(a.copies.get(r) == s for r, s in b.copies.items())
