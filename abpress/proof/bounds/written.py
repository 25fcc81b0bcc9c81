"""What certificates of accesses say of numbers in memory that has no cells, and of pointers that
are read where they were written. NOTE(written-numbers)

What is written to a member of any object is in `always`, and what static and zeroed objects begin
with, if it is a number. So is what is read where the thread says that it was written.
"""

from __future__ import annotations

from dataclasses import dataclass

from abpress.analysis.points_to import Heap, name_of
from abpress.ir.bounds import scalar_bounds
from abpress.ir.expr import Const, Convert, Expr, Reg
from abpress.ir.intervals import hull, within
from abpress.ir.program import Alloc, Initial, Load, Store
from abpress.ir.types import IntType, PtrType
from abpress.modular.bounds.members import Member
from abpress.modular.bounds.memory import AccessMemory
from abpress.modular.bounds.number_members import Written, anchored
from abpress.modular.bounds.places import all_places
from abpress.proof.bounds.certificate import BoundsCertificate, BoundsStand, Places, Span
from abpress.proof.bounds.telling import TellingChecks
from abpress.proof.bounds.terms import between
from abpress.proof.bounds.walk import EdgeWalk


@dataclass(frozen=True, slots=True)
class NumberChecks:
    """Checks for one certificate."""

    memory: AccessMemory
    certificate: BoundsCertificate
    tells: TellingChecks

    # -- claims ---------------------------------------------------------------------------------

    def written(self, template: str, stand: BoundsStand) -> Written:
        """The addresses of which a stand of a template says so."""
        named = self.memory.addresses.named[template] if stand.written else {}
        return frozenset((named[name], by) for name, by in stand.written)

    # -- what members get -----------------------------------------------------------------------

    def start(self, walk: EdgeWalk) -> None:
        """Members of static objects begin with what they hold at first."""
        for name, initial in self.memory.numbers.initial():
            what = f"{name} may begin with what it is not said to hold"
            self._gets(walk, self.memory.numbers.named[name], _number(initial), what)

    def allocate(self, walk: EdgeWalk, effect: Alloc, site: Heap, what: str) -> None:
        """Members of what is zeroed begin with zero."""
        for m in self.memory.numbers.of_site(name_of(site)).values() if effect.zeroed else ():
            self._gets(walk, m, Const(0, m.type), f"{what}, {m.name} may not be zero")

    def store(self, walk: EdgeWalk, effect: Store, what: str) -> None:
        """Members get what is written."""
        value = effect.value
        its = self.memory.numbers.at(walk.template, effect.address, value.type.size)
        wild = isinstance(value, Reg) and value.name in self.memory.wild[walk.template]
        known = isinstance(value.type, IntType) and not wild
        for m in its.members:
            number = value if known else None
            self._gets(walk, m, number, f"{what}, {m.name} gets what it is not said to hold")
        for m in its.partly:
            self._gets(walk, m, None, f"{what}, {m.name} is written in part")

    def give(self, walk: EdgeWalk, effect: Store, what: str) -> None:
        """Members get the pointer that is written, once others may know what it leads to."""
        value = effect.value
        its = self.memory.given.at(walk.template, effect.address, value.type.size)
        pointed = walk.address(value) if isinstance(value.type, PtrType) else None
        for m in its.members:
            self.tells.in_bounds(walk, m.given, None, pointed, f"{what}, {m.given} gets another")
        for m in its.partly:
            self.tells.in_bounds(walk, m.given, None, None, f"{what}, {m.given} gets a part")

    def copy(self, walk: EdgeWalk, target: Expr, what: str) -> None:
        """Members may get anything by copying."""
        for m in self.memory.numbers.of_objects(walk.template, target):
            self._gets(walk, m, None, f"{what}, {m.name} may be copied to")
        for m in self.memory.given.of_objects(walk.template, target):
            self.tells.in_bounds(walk, m.given, None, None, f"{what}, {m.given} may be copied to")

    def _gets(self, walk: EdgeWalk, m: Member, value: Expr | None, what: str) -> None:
        """Requires that a member may hold a number; None is any one."""
        if m.name not in self.certificate.always:
            return
        number = walk.variable(m.type) if value is None else walk.evaluate(value)
        if number.type != m.type:
            number = Convert(number, m.type)
        self.tells.in_bounds(walk, m.name, number, None, what)

    # -- reads ----------------------------------------------------------------------------------

    def read(self, walk: EdgeWalk, effect: Load) -> None:
        """Notes what is known of a number that has been read."""
        target, address = effect.target, effect.address
        its = self.memory.numbers.at(walk.template, address, target.type.size)
        spans = [self._span(walk, m, address) for m in its.members]
        found = hull(spans) if its.is_whole and None not in spans else None
        is_number = isinstance(target.type, IntType)
        if found is not None and is_number and within(found, scalar_bounds(target.type)):
            walk.known.update(between(walk.values[target.name], found))

    def pointer(self, walk: EdgeWalk, effect: Load) -> Places | None:
        """Where a pointer points that is read where something was written; None if that is not
        known."""
        target, address = effect.target, effect.address
        its = self.memory.given.at(walk.template, address, target.type.size)
        if not its.is_whole or anchored(address) not in walk.written:
            return None
        places: Places = frozenset()
        for m in its.members:
            content = self.certificate.always.get(m.given)
            if not isinstance(content, frozenset):
                return None
            places |= content
        return all_places(places)

    def _span(self, walk: EdgeWalk, m: Member, address: Expr) -> Span | None:
        """Between which numbers a member is at an address; None if that is not known."""
        content = self.certificate.always.get(m.name)
        begins = self.memory.objects.begins_set(m.object)
        known = begins or anchored(address) in walk.written
        return content if known and isinstance(content, tuple) else None


def _number(initial: Initial) -> Expr | None:
    return initial if isinstance(initial, Const) else None
