"""What a certificate of accesses may speak of: what is there, and what others cannot change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeGuard

from abpress.ir.intervals import within
from abpress.ir.program import Program
from abpress.ir.types import INDEX, IntType, PtrType, Scalar
from abpress.modular.bounds.memory import AccessMemory
from abpress.modular.bounds.places import ANYWHERE, carrier, indexed_by, plain
from abpress.proof.bounds.certificate import BoundsCertificate, BoundsStand, Places
from abpress.proof.bounds.pointers import PointerChecks
from abpress.proof.bounds.terms import leads_nowhere, wide_type
from abpress.proof.certificate import Rejected, require_location


@dataclass(frozen=True, slots=True)
class WellFormed:
    """The requirement on all that a certificate says. `types` are those of cells and registers, by
    templates."""

    program: Program
    certificate: BoundsCertificate
    memory: AccessMemory
    pointers: PointerChecks
    types: Mapping[str, Mapping[str, Scalar]]

    def require(self) -> None:
        """Raises Rejected."""
        for cell, content in self.certificate.always.items():
            its = self.memory.cells.get(cell) or self.memory.numbers.named.get(cell)
            is_member = cell in self.memory.members.contents or cell in self.memory.given.by_content
            if isinstance(content, frozenset):
                self._places_well_formed(cell, content)
            points = is_member or (its is not None and isinstance(its.type, PtrType))
            if (its is None and not is_member) or points is not isinstance(content, frozenset):
                raise Rejected(f"there is no such cell as {cell:.80}")
        self.pointers.require_well_formed(self.certificate.always)
        for cell, *number in self.certificate.rests:
            of = self.memory.cells.get(cell)
            if of is None or cell.endswith("@count") or not _may_have_rest(of.type, *number):
                raise Rejected(f"there is no such rest of {cell:.80}")
        for (template, location), its_stands in self.certificate.stands.items():
            require_location(self.program, template, location)
            for stand in its_stands:
                self._stand_well_formed(template, location, stand)
        for template, end in self.certificate.ends.items():
            self._end_well_formed(template, end)

    def _places_well_formed(self, name: str, places: Places) -> None:
        """Rejects places that are no offsets of pointers, and two in one object."""
        if len({object for object, *_ in places}) < len(places):
            raise Rejected(f"{name:.80} points to one object in several places")
        if not all(within((low, high), ANYWHERE) for _, low, high in places):
            raise Rejected(f"no pointer is where {name:.80} is said to point")

    def _stand_well_formed(self, template: str, location: int, stand: BoundsStand) -> None:
        """Rejects claims of cells that others may change, and of what is not there."""
        registers = self.program.templates[template].registers
        for name in stand.flags:
            if not isinstance(registers.get(name), IntType):
                raise Rejected(f"{template} has no register {name:.80}")
        numbers = self._registers_or_cells(template, location, stand)
        if not all(_may_have_rest(self.types[template].get(x), *its) for x, *its in stand.rests):
            raise Rejected(f"there is no such rest as {template} knows at {location}")
        for x, y, _ in stand.wrapped:
            type = registers.get(x)
            if not _is_number(type) or type.signed or registers.get(y) != type:
                raise Rejected(f"{x:.80} and {y:.80} do not wrap around alike at {location}")
        self.pointers.require_stand(template, location, stand)
        addresses = self.memory.addresses.named[template] if stand.written else {}
        if not all(name in addresses for name, _ in stand.written):
            raise Rejected(f"{template} computes no such address as is written at {location}")
        for name in (*numbers, *stand.pointers):
            if name in stand.pointers and self.pointers.is_kept(template, location, name):
                continue
            known = name in registers or carrier(name) in registers
            if not known and not self.memory.holds(template, location, name):
                raise Rejected(f"{template} knows nothing of {name:.80} at {location}")
            type = self.types[template].get(name)
            if isinstance(type, PtrType) is not (name in stand.pointers):
                raise Rejected(f"{name:.80} is of another type")
            if name in numbers and not _is_number(type):
                raise Rejected(f"{name:.80} is of another type")
        for x, y, c in stand.differences:
            type_of = wide_type(*(self.types[template][plain(name)] for name in (x, y) if name))
            if abs(c) >> (type_of.bits - 2):
                raise Rejected(f"no number that {template} knows at {location} is so great")
        for name, places in stand.pointers.items():
            self._places_well_formed(name, places)
            held = self.memory.holds(template, location, name)
            if held and not self.pointers.may_be_told(places):
                raise Rejected(f"{name:.80} points to the local object of one of several threads")

    def _registers_or_cells(self, template: str, location: int, stand: BoundsStand) -> set[str]:
        """The variables of whose numbers it speaks but for steps of pointers. Rejects those of
        pointers that may be null, or of which it does not say where they point."""
        found = set()
        for name in stand.numbers():
            register = indexed_by(name)
            if register is None:
                found.add(plain(name))
                continue
            nowhere = leads_nowhere(stand.pointers.get(register, frozenset()))
            if register not in self.memory.indexed[template] or nowhere:
                raise Rejected(f"{template} knows no steps of {register:.80} at {location}")
        return found

    def _end_well_formed(self, template: str, end: BoundsStand) -> None:
        """Rejects claims of an end that others may change."""
        if template not in self.program.templates:
            raise Rejected(f"there is no template {template:.80}")
        settled = self.memory.settled(template)
        names = end.numbers()
        if (
            end.flags
            or end.rests
            or end.fresh
            or end.same
            or end.wrapped
            or end.written
            or not names | end.pointers.keys() <= settled
        ):
            raise Rejected(f"the end of {template} tells of what others may change")
        self._stand_well_formed(template, self.program.templates[template].entry, end)


def _may_have_rest(type: Scalar | None, modulus: int, rest: int) -> bool:
    return _is_number(type) and 0 <= rest < modulus < 1 << 62


def _is_number(type: Scalar | None) -> TypeGuard[IntType]:
    return isinstance(type, IntType) and type.bits <= INDEX.bits
