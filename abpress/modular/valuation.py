"""What variables hold, as mappings that share what they have in common.

A valuation is cut into parts: one of registers, one of what tells which threads run, and others of
cells, all cells of an origin in one. Who changes a few variables makes a few parts anew; so two
valuations are compared and joined in the time that their difference takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import compress
from operator import is_not
from typing import cast
from zlib import crc32

from abpress.modular.addresses import AddressedCell
from abpress.modular.spots import Spot
from abpress.modular.values import Atom, Origin, Value, included, union

Variable = str | Spot | AddressedCell
"""A register of the thread, a cell, or one that is known by its address."""

Atoms = frozenset[Atom]
Part = dict[Variable, Atoms]
"""Never changed once it is in a valuation."""

_PARTS = 64
_NUMBERS = range(_PARTS)
_REGISTERS, _THREADS, _OTHERS, _ELEMENTS = 0, 1, 2, _PARTS - 1

JoinedParts = dict[tuple[int, int], tuple[Part, Part, Part]]
"""Pairs of parts, by what is the same only for the same parts, with what holds in either."""

ImpliedParts = dict[tuple[int, int], tuple[Part, Part, bool]]
"""The same, with whether all that the second one says follows from the first one."""


@lru_cache(maxsize=1 << 16)
def _part_of_origin(origin: Origin) -> int:
    if origin.kind == "thread":
        return _THREADS
    name = f"{origin.kind} {origin.owner} {origin.name}"
    return _OTHERS + crc32(name.encode()) % (_ELEMENTS - _OTHERS)


def part_of(variable: Variable) -> int:
    """The number of the part in which a variable is."""
    if isinstance(variable, str):
        return _REGISTERS
    return _ELEMENTS if isinstance(variable, AddressedCell) else _part_of_origin(variable.origin)


class Valuation(Mapping[Variable, Atoms]):
    """Immutable. A variable that is left out holds anything."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Part, ...] = ({},) * _PARTS) -> None:
        self.parts = parts

    @staticmethod
    def of(values: Mapping[Variable, Atoms]) -> Valuation:
        """One that says what a mapping says."""
        return values if isinstance(values, Valuation) else NOTHING.but(values.items())

    def __getitem__(self, variable: Variable) -> Atoms:
        return self.parts[part_of(variable)][variable]

    def value(self, variable: Variable) -> Value:
        """What a variable holds; None if it is left out."""
        return self.parts[part_of(variable)].get(variable)

    def __contains__(self, variable: object) -> bool:
        if not isinstance(variable, str | Spot | AddressedCell):
            return False
        return variable in self.parts[part_of(variable)]

    def __iter__(self) -> Iterator[Variable]:
        for part in self.parts:
            yield from part

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Valuation) and self.parts == other.parts

    @property
    def registers(self) -> Mapping[str, Atoms]:
        """What registers hold."""
        return cast("Mapping[str, Atoms]", self.parts[_REGISTERS])

    @property
    def threads(self) -> Part:
        """What tells which threads run."""
        return self.parts[_THREADS]

    @property
    def elements(self) -> Mapping[AddressedCell, Atoms]:
        """What cells hold that are known by their addresses."""
        return cast("Mapping[AddressedCell, Atoms]", self.parts[_ELEMENTS])

    @property
    def memory(self) -> tuple[Part, ...]:
        """All other cells, in parts."""
        return self.parts[_OTHERS:_ELEMENTS]

    @property
    def cells(self) -> tuple[Part, ...]:
        """What tells which threads run, and cells that have names, in parts."""
        return self.parts[_THREADS:_ELEMENTS]

    def but(self, changes: Iterable[tuple[Variable, Value]]) -> Valuation:
        """With other values; variables whose new value is None are left out."""
        made: dict[int, Part] = {}
        parts = self.parts
        for variable, value in changes:
            k = part_of(variable)
            part = made.get(k)
            if part is None:
                old = parts[k].get(variable)
                if old is value or old == value:
                    continue
                part = made[k] = dict(parts[k])
            if value is None:
                part.pop(variable, None)
            else:
                part[variable] = value
        return self._with(made)

    def sharing(
        self, base: Valuation, made: dict[frozenset[tuple[Variable, Atoms]], Part]
    ) -> Valuation:
        """The same, of parts that were made before, as far as the base does not have them."""
        parts = [
            mine if mine is its else made.setdefault(frozenset(mine.items()), mine)
            for mine, its in zip(self.parts, base.parts, strict=True)
        ]
        return Valuation(tuple(parts))

    def like(self, other: Valuation) -> Valuation:
        """The same, with the parts of another one where these say the same."""
        if self is other:
            return self
        parts, others = self.parts, other.parts
        differ = compress(_NUMBERS, map(is_not, parts, others))
        return self._with({k: others[k] for k in differ if parts[k] == others[k]})

    def differing(self, other: Valuation) -> Iterator[Variable]:
        """The variables that do not hold the same."""
        for mine, its in self._differing_parts(other):
            for variable, atoms in mine.items():
                also = its.get(variable)
                if also is not atoms and also != atoms:
                    yield variable
            for variable in its:
                if variable not in mine:
                    yield variable

    def _differing_parts(self, other: Valuation) -> Iterator[tuple[Part, Part]]:
        parts, others = self.parts, other.parts
        for k in compress(_NUMBERS, map(is_not, parts, others)):
            if parts[k] != others[k]:
                yield parts[k], others[k]

    def implies(self, other: Valuation, compared: ImpliedParts | None = None) -> bool:
        """Whether all that the other one says follows. `compared`: what was compared before, where
        the same are compared often."""
        parts, others = self.parts, other.parts
        if compared is None:
            return all(_implies(mine, its) for mine, its in self._differing_parts(other))
        for k in compress(_NUMBERS, map(is_not, parts, others)):
            mine, its = parts[k], others[k]
            key = id(mine), id(its)
            found = compared.get(key)
            if found is None:
                found = compared[key] = mine, its, _implies(mine, its)
            if not found[2]:
                return False
        return True

    def joined(self, other: Valuation, joins: JoinedParts | None = None) -> Valuation:
        """What holds in either. `joins`: what was joined before, where the same are joined often.
        It is the valuation itself if the other one says no less."""
        parts, others = self.parts, other.parts
        joins = {} if joins is None else joins
        made: dict[int, Part] = {}
        for k in compress(_NUMBERS, map(is_not, parts, others)):
            mine, its = parts[k], others[k]
            key = id(mine), id(its)
            found = joins.get(key)
            if found is None:
                both = mine if mine == its else _joined(mine, its)
                found = joins[key] = mine, its, both
            if found[2] is not mine:
                made[k] = found[2]
        return self._with(made)

    def _with(self, made: Mapping[int, Part]) -> Valuation:
        if not made:
            return self
        parts = list(self.parts)
        for k, part in made.items():
            parts[k] = part
        return Valuation(tuple(parts))


def _implies(a: Part, b: Part) -> bool:
    for variable, atoms in b.items():
        also = a.get(variable)
        if also is not atoms and (also is None or not included(also, atoms)):
            return False
    return True


def _joined(a: Part, b: Part) -> Part:
    found: Part = {}
    same = True
    for variable, atoms in a.items():
        other = b.get(variable)
        if other is atoms:
            found[variable] = atoms
        elif other is not None:
            both = union(atoms, other)
            same = same and both is atoms
            if both is not None:
                found[variable] = both
        else:
            same = False
    return a if same else found


NOTHING = Valuation()
"""All variables are left out."""
