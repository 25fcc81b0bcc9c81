"""What one edge does to pointers in memory that have no cells: members, those in fresh objects, and
those behind where registers point. NOTE(members)"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from abpress.analysis.points_to import Heap, name_of
from abpress.ir.expr import Addr, Const, Expr, FuncAddr, Reg
from abpress.ir.program import Alloc, Initial, Load, Store
from abpress.ir.types import PtrType
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
from abpress.modular.bounds.places import NOWHERE, Pointees, all_places, routine
from abpress.modular.bounds.pointing import Content, Pointing
from abpress.modular.bounds.state import State
from abpress.modular.bounds.values import Sum, Values, number


def initial_content(initial: Initial) -> Pointees | None:
    """Where a pointer points that is not written yet; None if that is not known."""
    match initial:
        case Addr(object, offset, _):
            return frozenset({(object, offset, offset)})
        case FuncAddr():
            return frozenset({routine(initial)})
        case Const(0, PtrType()):
            return frozenset({NOWHERE})
        case _:
            return None


def told_of(places: Pointees, sites: Iterable[str]) -> Pointees:
    """The places, where objects of these are not fresh any more."""
    fresh = {f"{site}{FRESH}" for site in sites}
    return all_places((of_place(o) if o in fresh else o, k, m) for o, k, m in places)


def reached_from(pointers: Mapping[str, Pointees], sites: Iterable[str]) -> frozenset[str]:
    """These places, and those whose fresh objects can be found from theirs."""
    found = set(sites)
    while (
        more := {
            of_place(o)
            for name, places in pointers.items()
            if site_of(name) in found
            for o, *_ in places
            if o.endswith(FRESH)
        }
        - found
    ):
        found |= more
    return frozenset(found)


@dataclass
class PointerSteps:
    """One edge (mutable), of a thread of a template that stands at a location."""

    memory: AccessMemory
    template: str
    location: int
    state: State
    values: Values
    pointing: Pointing
    always: Mapping[str, Content | None]
    content: Callable[[str, Content | None], None]
    shared: Callable[[], None]

    # -- fresh objects --------------------------------------------------------------------------

    def publish(self, sites: Iterable[str]) -> None:
        """Others may know the objects from now on that are fresh of these places."""
        state, members = self.state, self.memory.members
        told = reached_from(state.pointers, state.fresh.intersection(sites))
        if not told:
            return
        if any(
            fresh_cell(site, offset) not in state.pointers
            for site in told
            for offset in members.of_site(site)
        ):
            told = frozenset(state.fresh)  # of which any may be there
        inside: dict[str, Pointees | None] = {}
        for site in sorted(told):
            for offset, m in members.of_site(site).items():
                inside[m.name] = self._either(
                    inside.get(m.name, frozenset()),
                    state.pointers.pop(fresh_cell(site, offset), None),
                )
        for name, places in inside.items():
            self._tell(name, None if places is None else told_of(places, told))
        state.fresh -= told
        for name, places in list(state.pointers.items()):
            state.pointers[name] = told_of(places, told)

    def publish_carried(self, e: Expr) -> None:
        """Others may know what the value of an expression leads to."""
        if self.state.fresh:
            self.publish(self._carried(e))

    def _carried(self, e: Expr) -> frozenset[str]:
        """The places whose fresh object an expression may have the address of."""
        places = self.pointing.address(e)[0] if isinstance(e.type, PtrType) else None
        if places is None:
            return self.memory.members.carried(self.template, e)
        return frozenset(of_place(o) for o, *_ in places if o.endswith(FRESH))

    def allocate(self, effect: Alloc, site: Heap) -> str:
        """The name of what is allocated."""
        name = name_of(site)
        its = self.memory.members.of_site(name)
        if not its:
            return name
        self.publish({name})
        begun = frozenset({NOWHERE}) if effect.zeroed else None
        if not isinstance(effect.count, Const) or effect.count.value != 1:
            for m in its.values():
                self._tell(m.name, begun)
            return name
        self.state.fresh.add(name)
        if begun is not None:
            self.state.pointers |= {fresh_cell(name, offset): begun for offset in its}
        return f"{name}{FRESH}"

    def _in_fresh(self, address: Expr) -> tuple[str, int] | None:
        """The place and the offset, if an address is in one fresh object."""
        places, moved = self.pointing.address(address)
        if places is None or len(places) != 1 or moved is None or not moved.is_exact:
            return None
        ((object, low, high),) = places
        if not object.endswith(FRESH) or low != high or moved.terms:
            return None
        return of_place(object), low + moved.low

    def may_be_in_cell(self, object: str) -> bool:
        """Whether a cell may point to an object: to a fresh one, while there is one thread."""
        if object.endswith(FRESH):
            return self.memory.is_alone(self.template, self.location)
        return self.memory.objects.may_be_told(object)

    # -- reads ----------------------------------------------------------------------------------

    def read(self, effect: Load) -> bool:
        """Reads what has no cell; returns whether there is something."""
        target = effect.target
        places, same = self._load(effect) if isinstance(target.type, PtrType) else (None, None)
        self.state.forget({target.name})
        if places is None:
            return True
        self.state.pointers[target.name] = places
        if same is not None and register_of(same) != target.name:
            self.state.pointers[same] = places
            self.state.same[target.name] = same
        return bool(places)

    def _load(self, effect: Load) -> tuple[Pointees | None, str | None]:
        """Where what is read points, and the name of what it is the same as; nowhere if there is
        nothing to be read."""
        own = self._in_fresh(effect.address)
        if own is not None:
            return self.state.pointers.get(fresh_cell(*own)), None
        places = self.pointing.address(effect.address)[0]
        if not places or any(o.endswith(FRESH) for o, *_ in places):
            return None, None
        its = self._touched(effect.address, effect.target.type.size)
        found: Pointees | None = frozenset()
        for m in its.members:
            found = self._either(found, self._held(m, effect.address))
        for cell in its.cells:
            found = self._either(found, self._in_cell(cell))
        if its.others or its.partly or not (its.members or its.cells):
            return None, None
        named = at_register(effect.address)
        if named is None or self._behind(*named) is None:
            return found, None
        known = self.state.pointers.get(named[0])
        return (found if known is None else known), named[0]

    def _behind(self, name: str, register: str) -> frozenset[str] | None:
        pointer = Reg(register, self.values.types[register])
        return self.memory.members.behind(self.template, name, pointer.type.size, pointer)

    def _held(self, m: Member, address: Expr) -> Pointees | None:
        name = m.name
        if m in self.memory.members.filled:
            index = self._index(m, address)
            if index is not None and self._least(m, index) > 0:
                name = m.written
        return _pointees(self.always.get(name))

    def _in_cell(self, cell: str) -> Pointees | None:
        if cell not in self.memory.cells:
            return None
        known = self.state.pointers.get(cell)
        if known is not None or self.memory.is_alone(self.template, self.location):
            return known
        return _pointees(self.always.get(cell, frozenset()))

    def _touched(self, address: Expr, size: int) -> MembersTouched:
        places, moved = self.pointing.address(address)
        spans: dict[str, tuple[int, int]] = {}
        if places and moved is not None:
            low, high = self.values.bounds(moved)
            spans = {o: (low + k, high + m) for o, k, m in places}

        def within(object: str, low: int, high: int) -> bool:
            span = spans.get(object)
            return span is not None and low <= span[0] and span[1] <= high

        fixed = isinstance(address, Addr) or at_register(address) is not None
        objects = None
        if places and moved is not None:
            objects = {
                of_place(o): low + moved.low if fixed and low == high else None
                for o, low, high in places
            }
        return self.memory.members.touched(self.template, address, size, objects, within)

    # -- arrays that are filled -----------------------------------------------------------------

    def _index(self, m: Member, address: Expr) -> Sum | None:
        """The index of an element, if the address is known to be of one of the array."""
        places, moved = self.pointing.address(address)
        if not places or moved is None or len(places) != 1:
            return None
        ((object, low, high),) = places
        offset = moved.plus(number(low - m.first))
        numbers = (*dict(offset.terms).values(), offset.low)
        if object != m.object or low != high or not moved.is_exact:
            return None
        if any(n % m.stride for n in numbers):
            return None
        terms = tuple((name, k // m.stride) for name, k in offset.terms)
        return Sum(terms, offset.low // m.stride, offset.low // m.stride)

    def _least(self, m: Member, index: Sum) -> int:
        """By how much the number of elements that have been written is greater at least."""
        return self.values.bounds(Sum(((m.filled, 1),), 0, 0).plus(index, -1))[0]

    def _fill(self, m: Member, address: Expr) -> None:
        """The next element may have been written."""
        index = self._index(m, address)
        if index is None or not self.memory.is_alone(self.template, self.location):
            return
        beside = Sum(((m.filled, 1),), 0, 0).plus(index, -1)
        if self.values.bounds(beside) == (0, 0):
            self.state.zone.shift(m.filled, 1)

    # -- writes ---------------------------------------------------------------------------------

    def store(self, effect: Store) -> bool:
        """Returns whether it was to a fresh object."""
        if not self._is_kept_fresh(effect):
            self.publish_carried(effect.value)
        own = self._in_fresh(effect.address)
        size = effect.value.type.size
        if own is not None:
            self._store_fresh(*own, size, self._value(effect.value))
            return True
        self.publish_carried(effect.address)
        its = self._touched(effect.address, size)
        if its.members or its.partly:
            self.shared()
        value = self._value(effect.value)
        for m in its.members:
            self._tell(m.name, value)
            if m in self.memory.members.filled:
                self._tell(m.written, value)
                if len(its.members) == 1 and not (its.partly or its.cells or its.others):
                    self._fill(m, effect.address)
        for m in its.partly:
            self._spoil(m)
        self._forget_behind((*its.members, *its.partly))
        return False

    def _is_kept_fresh(self, effect: Store) -> bool:
        """Whether a write leaves fresh what is written: to a fresh object, of which that is said,
        or to a cell, while there is one thread."""
        size = effect.value.type.size
        own = self._in_fresh(effect.address)
        if own is not None:
            site, at = own
            m = self.memory.members.of_site(site).get(at)
            return m is not None and m.size == size and self._value(effect.value) is not None
        in_cell = self.memory.reached(self.template, effect.address, size)[1]
        return in_cell and self.memory.is_alone(self.template, self.location)

    def copy(self, target: Expr, source: Expr) -> None:
        """Members may be written by copying."""
        self.publish_carried(source)
        self.publish_carried(target)
        its = self.memory.members.of_objects(self.template, target)
        for m in its:
            self._spoil(m)
        self._forget_behind(its)

    def _spoil(self, m: Member) -> None:
        self._tell(m.name, None)
        if m in self.memory.members.filled:
            self._tell(m.written, None)

    def _store_fresh(self, site: str, at: int, size: int, value: Pointees | None) -> None:
        for offset, m in self.memory.members.of_site(site).items():
            name = fresh_cell(site, offset)
            if offset == at and value is not None and size == m.size:
                self.state.pointers[name] = value
            elif at - m.size < offset < at + size:
                self.state.pointers.pop(name, None)

    def _value(self, value: Expr) -> Pointees | None:
        """Where what is written points."""
        if not isinstance(value.type, PtrType):
            return None
        places, moved = self.pointing.address(value)
        return self.pointing.moved(places, moved)

    def _forget_behind(self, members: Iterable[Member]) -> None:
        names = {m.name for m in members}
        if names:
            gone = set()
            for name in self.state.pointers:
                register = register_of(name)
                if register is not None:
                    its = self._behind(name, register)
                    if its is None or its & names:
                        gone.add(name)
            self.state.forget_behind(gone)

    def forget_unkept(self, location: int) -> None:
        """Forgets what others may write behind registers while the thread stands there."""
        gone = set()
        for name in self.state.pointers:
            register = register_of(name)
            if register is not None:
                pointer = Reg(register, self.values.types[register])
                if not self.memory.keeps(self.template, location, name, pointer):
                    gone.add(name)
        self.state.forget_behind(gone)

    # -- contents -------------------------------------------------------------------------------

    def _tell(self, name: str, places: Pointees | None) -> None:
        if places is not None and not all(self.memory.objects.may_be_told(o) for o, *_ in places):
            places = None
        self.content(name, places)

    def _either(self, a: Pointees | None, b: Pointees | None) -> Pointees | None:
        return None if a is None or b is None else all_places(a | b)


def _pointees(content: Content | None) -> Pointees | None:
    return content if isinstance(content, frozenset) else None
