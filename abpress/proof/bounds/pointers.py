"""What certificates of accesses say of pointers in memory that have no cells. NOTE(members)

What any object of a place holds, or any element of an array, is in `always`, from when others may
know of it; every write shows that. Until then only one thread has the address, in registers, in
such objects of its own, or in cells while there is no other thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from abpress.analysis.points_to import Heap, name_of
from abpress.ir.expr import Addr, Binary, Compare, Const, Expr, Reg
from abpress.ir.program import Alloc, Load, Store
from abpress.ir.types import INDEX, PtrType
from abpress.logic.formula import Formula, conj, holds, no_overflow
from abpress.modular.apart import At
from abpress.modular.bounds.members import (
    FRESH,
    Member,
    MembersTouched,
    at_register,
    fresh_cell,
    of_place,
    register_of,
    site_of,
)
from abpress.modular.bounds.memory import AccessMemory
from abpress.modular.bounds.places import COUNT, NOWHERE, all_places
from abpress.proof.bounds.certificate import BoundsCertificate, BoundsStand, Places, Span
from abpress.proof.bounds.terms import NOT_MOVED, Pointed, converted, initially, sum_of
from abpress.proof.bounds.walk import EdgeWalk
from abpress.proof.certificate import Rejected


@dataclass(frozen=True, slots=True)
class PointerChecks:
    """Checks for one certificate. `follows` says whether a formula follows from what a walk knows;
    `told` requires that what a pointer is, is among what `always` says of a name."""

    memory: AccessMemory
    certificate: BoundsCertificate
    follows: Callable[[EdgeWalk, Formula], bool]
    told: Callable[[EdgeWalk, str, Pointed | None, str], None]

    # -- claims ---------------------------------------------------------------------------------

    def require_well_formed(self, always: Mapping[str, Span | Places]) -> None:
        """Rejects contents that are of nothing, or of objects that only one thread knows."""
        for name, content in always.items():
            if isinstance(content, frozenset) and any(o.endswith(FRESH) for o, *_ in content):
                raise Rejected(f"others do not know where {name:.80} points")

    def require_stand(self, template: str, location: int, stand: BoundsStand) -> None:
        """Rejects claims of what is not there, and of what others may change."""
        members = self.memory.members
        fresh = {f"{site}{FRESH}" for site in stand.fresh}
        alone = self.memory.is_alone(template, location)
        if not all(map(members.of_site, stand.fresh)):
            raise Rejected(f"{template} has no such objects at {location}")
        held = self.memory.cells
        for name, places in stand.pointers.items():
            own = {o for o, *_ in places if o.endswith(FRESH)}
            if not own <= fresh or (own and name in held and not alone):
                raise Rejected(f"{name:.80} cannot point to what only {template} knows")
        for register, name in stand.same.items():
            type = self.memory.registers(template).get(register)
            if not isinstance(type, PtrType) or not self.is_kept(template, location, name):
                raise Rejected(f"{register:.80} is not the same as {name:.80}")

    def is_kept(self, template: str, location: int, name: str) -> bool:
        """Whether a name is of a fresh object, or of what is behind where a register points and no
        other thread can write."""
        site = site_of(name)
        if site is not None:
            its = self.memory.members.of_site(site)
            return any(fresh_cell(site, offset) == name for offset in its)
        register = register_of(name)
        if register is None:
            return False
        type = self.memory.registers(template).get(register)
        by = name.rpartition("+")[2]
        if not isinstance(type, PtrType) or by != str(int(by)):
            return False
        return self.memory.keeps(template, location, name, Reg(register, type))

    # -- fresh objects --------------------------------------------------------------------------

    def publish(self, walk: EdgeWalk, sites: Iterable[str], what: str) -> None:
        """Requires that what others may know of from now on holds what it may."""
        members = self.memory.members
        told = walk.unshared.intersection(sites)
        while (
            more := {
                of_place(o)
                for name, pointed in walk.pointers.items()
                if site_of(name) in told
                for o, *_ in pointed[0]
                if o.endswith(FRESH)
            }
            - told
        ):
            told |= more
        if not told:
            return
        if any(
            fresh_cell(site, offset) not in walk.pointers
            for site in told
            for offset in members.of_site(site)
        ):
            told = set(walk.unshared)  # of which any may be there
        walk.unshared -= told
        fresh = {f"{site}{FRESH}" for site in told}
        inside = [
            (m.name, walk.pointers.pop(fresh_cell(site, offset), None))
            for site in sorted(told)
            for offset, m in members.of_site(site).items()
        ]
        for name, (places, moved) in list(walk.pointers.items()):
            walk.pointers[name] = _renamed(places, fresh), moved
        for name, pointed in inside:
            now = None if pointed is None else (_renamed(pointed[0], fresh), pointed[1])
            self.told(walk, name, now, f"{what}, others may know of {name}, which is not set")

    def publish_carried(self, walk: EdgeWalk, e: Expr, what: str) -> None:
        """The same for what the value of an expression leads to."""
        if not walk.unshared:
            return
        pointed = walk.address(e) if isinstance(e.type, PtrType) else None
        if pointed is None:
            sites = self.memory.members.carried(walk.template, e)
        else:
            sites = frozenset(of_place(o) for o, *_ in pointed[0] if o.endswith(FRESH))
        self.publish(walk, sites, what)

    def allocate(self, walk: EdgeWalk, effect: Alloc, site: Heap, what: str) -> str:
        """The name of what is allocated."""
        name = name_of(site)
        its = self.memory.members.of_site(name)
        if not its:
            return name
        self.publish(walk, {name}, what)
        begun = (frozenset({NOWHERE}), NOT_MOVED) if effect.zeroed else None
        if not isinstance(effect.count, Const) or effect.count.value != 1:
            for m in its.values():
                self.told(walk, m.name, begun, f"{what}, {m.name} is not set")
            return name
        walk.unshared.add(name)
        if begun is not None:
            walk.pointers |= {fresh_cell(name, offset): begun for offset in its}
        return f"{name}{FRESH}"

    def _in_fresh(self, walk: EdgeWalk, address: Expr) -> tuple[str, int] | None:
        pointed = walk.address(address)
        if pointed is None or len(pointed[0]) != 1 or not isinstance(pointed[1], Const):
            return None
        ((object, low, high),) = pointed[0]
        if not object.endswith(FRESH) or low != high:
            return None
        return of_place(object), low + pointed[1].value

    def may_be_told(self, places: Places) -> bool:
        """Whether places name one object each, or only one thread speaks of them."""
        return all(o.endswith(FRESH) or self.memory.objects.may_be_told(o) for o, *_ in places)

    def may_be_in_cell(self, walk: EdgeWalk, places: Places) -> bool:
        """Whether a cell may be said to point there: to fresh objects while there is one thread."""
        alone = self.memory.is_alone(walk.template, walk.location)
        fresh = any(o.endswith(FRESH) for o, *_ in places)
        return (alone or not fresh) and self.may_be_told(places)

    # -- accesses -------------------------------------------------------------------------------

    def read(self, walk: EdgeWalk, effect: Load) -> None:
        """Reads what has no cell."""
        target = effect.target
        is_pointer = isinstance(target.type, PtrType)
        pointed, same = self._load(walk, effect) if is_pointer else (None, None)
        walk.values[target.name] = walk.variable(target.type)
        walk.pointers.pop(target.name, None)
        walk.overwritten(target.name)
        if pointed is None:
            return
        walk.pointers[target.name] = pointed
        walk.impossible |= not pointed[0]
        if same is not None and register_of(same) != target.name:
            walk.pointers[same] = pointed
            walk.same[target.name] = same

    def _load(self, walk: EdgeWalk, effect: Load) -> tuple[Pointed | None, str | None]:
        """What is read, and the name of what it is the same as."""
        own = self._in_fresh(walk, effect.address)
        if own is not None:
            return walk.pointers.get(fresh_cell(*own)), None
        pointed = walk.address(effect.address)
        if not pointed or not pointed[0] or any(o.endswith(FRESH) for o, *_ in pointed[0]):
            return None, None
        its = self._touched(walk, effect.address, effect.target.type.size)
        if its.others or its.partly or not (its.members or its.cells):
            return None, None
        places: frozenset[tuple[str, int, int]] = frozenset()
        for name in (*(self._held(walk, m, effect.address) for m in its.members), *its.cells):
            known = self._content(walk, name)
            if known is None:
                return None, None
            places |= known
        found = all_places(places), NOT_MOVED
        named = at_register(effect.address)
        if named is None or self._behind(walk.template, *named) is None:
            return found, None
        return walk.pointers.get(named[0], found), named[0]

    def _held(self, walk: EdgeWalk, m: Member, address: Expr) -> str:
        if m in self.memory.members.filled and m.written in self.certificate.always:
            at = self._offset(walk, m, address)
            if at is not None:
                goal = conj((no_overflow(at), holds(Compare("<", at, self._next(walk, m)))))
                if self.follows(walk, goal):
                    return m.written
        return m.name

    def _content(self, walk: EdgeWalk, name: str) -> Places | None:
        if name in self.memory.cells:
            pointed = walk.pointers.get(name)
            if pointed is not None:
                return pointed[0] if pointed[1] == NOT_MOVED else None
            if self.memory.is_alone(walk.template, walk.location):
                return None
        elif name not in self.memory.members.contents:
            return None
        content = self.certificate.always.get(name)
        return content if isinstance(content, frozenset) else None

    def store(self, walk: EdgeWalk, effect: Store, at: At, what: str) -> bool:
        """Checks a write; returns whether it was to a fresh object."""
        size = effect.value.type.size
        if not self._is_kept_fresh(walk, effect):
            self.publish_carried(walk, effect.value, what)
        own = self._in_fresh(walk, effect.address)
        if own is not None:
            self._store_fresh(walk, *own, size, self._value(walk, effect.value))
            return True
        self.publish_carried(walk, effect.address, what)
        its = self._touched(walk, effect.address, size)
        if at in self.certificate.private and (its.members or its.partly):
            raise Rejected(f"{what}, others may know what is written")
        value = self._value(walk, effect.value)
        for m in its.members:
            self._require(walk, m, value, what)
            if its.members == (m,) and not (its.partly or its.cells or its.others):
                self._fill(walk, m, effect.address)
        for m in its.partly:
            self._require(walk, m, None, what)
        self._forget_behind(walk, (*its.members, *its.partly))
        return False

    def _is_kept_fresh(self, walk: EdgeWalk, effect: Store) -> bool:
        """Whether a write leaves fresh what is written: to a fresh object, of which that is said,
        or to a cell, while there is one thread."""
        size = effect.value.type.size
        own = self._in_fresh(walk, effect.address)
        if own is not None:
            site, at = own
            m = self.memory.members.of_site(site).get(at)
            return m is not None and m.size == size and self._value(walk, effect.value) is not None
        in_cell = self.memory.reached(walk.template, effect.address, size)[1]
        return in_cell and self.memory.is_alone(walk.template, walk.location)

    def copy(self, walk: EdgeWalk, target: Expr, source: Expr, at: At, what: str) -> None:
        """Members may be written by copying."""
        self.publish_carried(walk, source, what)
        self.publish_carried(walk, target, what)
        its = self.memory.members.of_objects(walk.template, target)
        if its and at in self.certificate.private:
            raise Rejected(f"{what}, others may know what is written")
        for m in its:
            self._require(walk, m, None, what)
        self._forget_behind(walk, its)

    def _require(self, walk: EdgeWalk, m: Member, value: Pointed | None, what: str) -> None:
        names = (m.name, m.written) if m in self.memory.members.filled else (m.name,)
        for name in names:
            self.told(walk, name, value, f"{what}, {name} may hold what it is not said to")

    def _store_fresh(
        self, walk: EdgeWalk, site: str, at: int, size: int, value: Pointed | None
    ) -> None:
        for offset, m in self.memory.members.of_site(site).items():
            name = fresh_cell(site, offset)
            if offset == at and value is not None and size == m.size:
                walk.pointers[name] = value
            elif at - m.size < offset < at + size:
                walk.pointers.pop(name, None)

    def _value(self, walk: EdgeWalk, value: Expr) -> Pointed | None:
        return walk.address(value) if isinstance(value.type, PtrType) else None

    def _touched(self, walk: EdgeWalk, address: Expr, size: int) -> MembersTouched:
        pointed = walk.address(address)
        objects: dict[str, int | None] | None = None
        if pointed and pointed[0]:
            places, moved = pointed
            fixed = isinstance(address, Addr) or at_register(address) is not None
            objects = {
                of_place(o): low + moved.value
                if fixed and low == high and isinstance(moved, Const)
                else None
                for o, low, high in places
            }

        def within(object: str, low: int, high: int) -> bool:
            for o, least, most in pointed[0] if pointed else ():
                if o == object and pointed is not None:
                    first = sum_of(pointed[1], Const(least, INDEX))
                    last = sum_of(pointed[1], Const(most, INDEX))
                    bounds = (
                        no_overflow(first),
                        no_overflow(last),
                        holds(Compare(">=", first, Const(low, INDEX))),
                        holds(Compare("<=", last, Const(high, INDEX))),
                    )
                    return self.follows(walk, conj(bounds))
            return False

        return self.memory.members.touched(walk.template, address, size, objects, within)

    # -- arrays that are filled -----------------------------------------------------------------

    def _offset(self, walk: EdgeWalk, m: Member, address: Expr) -> Expr | None:
        pointed = walk.address(address)
        if pointed is None or len(pointed[0]) != 1:
            return None
        ((object, low, high),) = pointed[0]
        if object != m.object or low != high:
            return None
        return sum_of(pointed[1], Const(low, INDEX))

    def _next(self, walk: EdgeWalk, m: Member) -> Expr:
        """The offset of the first element that may not have been written."""
        count = walk.values.get(m.filled, Reg(m.filled, COUNT))
        whole = Binary("*", converted(count, INDEX), Const(m.stride, INDEX))
        return Binary("+", whole, Const(m.first, INDEX))

    def _fill(self, walk: EdgeWalk, m: Member, address: Expr) -> None:
        if m not in self.memory.members.filled:
            return
        if not self.memory.is_alone(walk.template, walk.location):
            return
        at = self._offset(walk, m, address)
        if at is None:
            return
        goal = conj((no_overflow(at), holds(Compare("==", at, self._next(walk, m)))))
        if self.follows(walk, goal):
            count = walk.values.get(m.filled, Reg(m.filled, COUNT))
            walk.values[m.filled] = Binary("+", count, Const(1, COUNT))

    # -- behind registers -----------------------------------------------------------------------

    def _behind(self, template: str, name: str, register: str) -> frozenset[str] | None:
        pointer = Reg(register, self.memory.registers(template)[register])
        return self.memory.members.behind(template, name, pointer.type.size, pointer)

    def _forget_behind(self, walk: EdgeWalk, members: Iterable[Member]) -> None:
        names = {m.name for m in members}
        for name in list(walk.pointers):
            register = register_of(name)
            if names and register is not None:
                its = self._behind(walk.template, name, register)
                if its is None or its & names:
                    walk.forget_behind(name)

    def start(self, walk: EdgeWalk) -> None:
        """Requires that members hold at first what they may."""
        for name, initial in self.memory.members.initial():
            what = f"{name} may begin with what it is not said to hold"
            self.told(walk, name, initially(initial), what)


def _renamed(places: Places, fresh: set[str]) -> Places:
    return all_places((of_place(o) if o in fresh else o, k, m) for o, k, m in places)
