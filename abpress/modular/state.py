"""What is known where one thread stands: values of its registers, and of cells right now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from abpress.modular.addresses import AddressedCell, Base, NamedAddress, element_renamed, renamed
from abpress.modular.spots import Spot
from abpress.modular.valuation import ImpliedParts, JoinedParts, Valuation, Variable
from abpress.modular.values import Value, meet

Copied = Spot | AddressedCell
"""A cell whose content a register holds."""


@dataclass(frozen=True, slots=True)
class Known:
    """A set of states, as one thread sees them. Of a variable without a value nothing is known.

    `copies` are registers that hold what a cell holds now, `moved` ones that hold an address which
    is made of what others hold.
    """

    values: Valuation = field(default_factory=Valuation)
    copies: Mapping[str, Copied] = field(default_factory=dict)
    moved: Mapping[str, NamedAddress] = field(default_factory=dict)

    def get(self, variable: Variable) -> Value:
        """The value of a variable."""
        return self.values.value(variable)

    def but(self, changes: Iterable[tuple[Variable, Value]]) -> Known:
        """With other values; copies of changed cells and registers end. The addresses of elements
        are as they were."""
        if not self.copies and not self.moved and not self.values.elements:
            return Known(self.values.but(changes))
        listed = list(changes)
        variables = {variable for variable, _ in listed}
        if not self.bases:
            its = self._kept(variables)
            return Known(its.values.but(listed), its.copies)
        elements = [change for change in listed if isinstance(change[0], AddressedCell)]
        its = Known(self.values.but(elements), self.copies, self.moved).changed(variables)
        others = (change for change in listed if not isinstance(change[0], AddressedCell))
        return Known(its.values.but(others), its.copies, its.moved)

    def refined(self, changes: Iterable[tuple[Variable, Value]]) -> Known:
        """With more known of some variables; nothing has changed."""
        more = (change for change in changes if change[1] is not None)
        return Known(self.values.but(more), self.copies, self.moved)

    def copying(self, register: str, cell: Copied) -> Known:
        """Where a register is known to hold what a cell holds."""
        renames = register in self.bases
        its = self._renamed({register: NamedAddress(cell, 0)}) if renames else self
        return Known(its.values, {**its.copies, register: cell}, its.moved)

    def holding(self, register: str, address: NamedAddress) -> Known:
        """Where a register is known to hold an address, which is not made of what it holds."""
        return Known(self.values, self.copies, {**self.moved, register: address})

    def without(self, dead: Iterable[str]) -> Known:
        """Without what is known of some registers."""
        gone = set(dead)
        its = self.changed(gone)
        return Known(its.values.but((r, None) for r in gone), its.copies, its.moved)

    def of_live(self, live: Collection[str]) -> Known:
        """Without what is known of registers that are not read again."""
        named = (name for name in self.bases if isinstance(name, str))
        its = (*self.values.registers, *self.copies, *self.moved, *named)
        dead = {name for name in its if name not in live}
        return self.without(dead) if dead else self

    # -- addresses ------------------------------------------------------------------------------

    @property
    def bases(self) -> frozenset[Base]:
        """What the addresses are made of that something is known of."""
        copied = [cell for cell in self.copies.values() if isinstance(cell, AddressedCell)]
        if not copied and not self.moved and not self.values.elements:
            return frozenset()
        elements = (e.address for e in (*self.values.elements, *copied))
        return frozenset(name for a in (*self.moved.values(), *elements) for name in a.names)

    @property
    def elements(self) -> Iterator[AddressedCell]:
        """All cells that are known by their addresses."""
        bases = (base for base in self.bases if isinstance(base, AddressedCell))
        copied = (cell for cell in self.copies.values() if isinstance(cell, AddressedCell))
        return iter(dict.fromkeys((*self.values.elements, *copied, *bases)))

    def changed(self, variables: Collection[Variable]) -> Known:
        """Where these variables do not hold any more what they held: what was known by them is
        known by others that hold the same, or not any more. Values are left as they are, but for
        those of elements."""
        bases = self.bases
        if not bases:
            return self._kept(variables)
        to: dict[Base, NamedAddress | None] = {
            v: self._other_name(v, variables) for v in variables if v in bases
        }
        for base in bases:
            if isinstance(base, AddressedCell) and any(n in variables for n in base.address.names):
                found = self._other_name(base, variables)
                if found is not None:
                    to[base] = found
        kept = self._kept(variables)
        return kept._renamed(to) if to else kept

    def _kept(self, variables: Collection[Variable]) -> Known:
        """Without what these registers hold, and what is in these cells."""
        if not self.copies and not self.moved:
            return self
        return Known(
            self.values,
            {r: c for r, c in self.copies.items() if r not in variables and c not in variables},
            {r: a for r, a in self.moved.items() if r not in variables},
        )

    def _other_name(self, variable: Variable, gone: Collection[Variable]) -> NamedAddress | None:
        """The content of a variable by a register."""
        for register, address in sorted(self.moved.items()):
            if register not in gone and address.base == variable and not address.by:
                return NamedAddress(register, -address.offset)
        for register, cell in sorted(self.copies.items()):
            if register not in gone and cell == variable:
                return NamedAddress(register, 0)
        return None

    def _renamed(self, to: Mapping[Base, NamedAddress | None]) -> Known:
        gone: list[tuple[Variable, Value]] = []
        renamed_ones: dict[AddressedCell, Value] = {}
        for element, atoms in self.values.elements.items():
            new = element_renamed(element, to)
            if new != element:
                gone.append((element, None))
                if new is not None:
                    renamed_ones[new] = _both(atoms, renamed_ones.get(new))
        copies: dict[str, Copied] = {}
        for register, cell in self.copies.items():
            found = element_renamed(cell, to) if isinstance(cell, AddressedCell) else cell
            if found is not None:
                copies[register] = found
        moved: dict[str, NamedAddress] = {}
        for register, address in self.moved.items():
            its = renamed(address, to)
            if its is not None and register not in its.names:
                moved[register] = its
        left = self.values.but(gone)
        more = ((e, _both(atoms, left.value(e))) for e, atoms in renamed_ones.items())
        return Known(left.but(more), copies, moved)


def _both(a: Value, b: Value) -> Value:
    """What is in both; one of them if there is nothing, as no state is there then."""
    return meet(a, b) or a


def joined(a: Known, b: Known, joins: JoinedParts | None = None) -> Known:
    """What is known in both. `joins`: what was joined before, where the same are joined often."""
    if a.values is b.values and a.copies is b.copies and a.moved is b.moved:
        return a
    copies = {r: s for r, s in a.copies.items() if b.copies.get(r) == s}
    moved = {r: s for r, s in a.moved.items() if b.moved.get(r) == s}
    return Known(a.values.joined(b.values, joins), copies, moved)


def implies(a: Known, b: Known, compared: ImpliedParts | None = None) -> bool:
    """Whether all states of `a` are states of `b`. `compared`: what was compared before, where the
    same are compared often."""
    if a is b:
        return True
    return (
        a.values.implies(b.values, compared)
        and all(a.copies.get(r) == s for r, s in b.copies.items())
        and all(a.moved.get(r) == s for r, s in b.moved.items())
    )
