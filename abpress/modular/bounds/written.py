"""What one edge does to numbers in memory that has no cells, and to pointers that are known where
they were written. NOTE(written-numbers)"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from abpress.analysis.points_to import Heap, name_of
from abpress.ir.bounds import scalar_bounds
from abpress.ir.expr import Const, Convert, Expr
from abpress.ir.intervals import Interval, hull, within
from abpress.ir.program import Alloc, Initial, Load, Store
from abpress.ir.types import PtrType
from abpress.modular.bounds.members import Member
from abpress.modular.bounds.memory import AccessMemory
from abpress.modular.bounds.number_members import anchored
from abpress.modular.bounds.places import Pointees, all_places
from abpress.modular.bounds.pointing import Content, Pointing
from abpress.modular.bounds.state import State
from abpress.modular.bounds.values import Values


@dataclass
class NumberSteps:
    """One edge (mutable), of a thread of a template. Only of `wanted` members it is told what they
    hold."""

    memory: AccessMemory
    template: str
    state: State
    values: Values
    pointing: Pointing
    always: Mapping[str, Content | None]
    wanted: frozenset[str]
    tell: Callable[[str, Content | None], None]

    def read(self, effect: Load) -> Interval | None:
        """Bounds of the number that is read; None if nothing is known."""
        target, address = effect.target, effect.address
        its = self.memory.numbers.at(self.template, address, target.type.size)
        spans = [self.always.get(m.name) if self._is_set(m, address) else None for m in its.members]
        found = hull(span for span in spans if isinstance(span, tuple))
        if not its.is_whole or not all(isinstance(span, tuple) for span in spans):
            return None
        return found if found and within(found, scalar_bounds(target.type)) else None

    def _is_set(self, m: Member, address: Expr) -> bool:
        begins = self.memory.objects.begins_set(m.object)
        return begins or anchored(address) in self.state.written

    def pointer(self, effect: Load) -> Pointees | None:
        """Where a pointer points that is read where something was written; None if that is not
        known."""
        target, address = effect.target, effect.address
        its = self.memory.given.at(self.template, address, target.type.size)
        if not its.is_whole or anchored(address) not in self.state.written:
            return None
        found = [self.always.get(m.given) for m in its.members]
        places = [its for its in found if isinstance(its, frozenset)]
        return all_places(frozenset().union(*places)) if len(places) == len(found) else None

    def give(self, effect: Store) -> None:
        """Members get the pointer that is written, if it is known; others do not know it alone."""
        value = effect.value
        its = self.memory.given.at(self.template, effect.address, value.type.size)
        places = None
        if isinstance(value.type, PtrType) and its.members:
            places = self.pointing.moved(*self.pointing.address(value))
        if places and not all(self.memory.objects.may_be_told(o) for o, *_ in places):
            places = None
        for m in its.members:
            self.tell(m.given, places)
        for m in its.partly:
            self.tell(m.given, None)

    def store(self, address: Expr, value: Expr, known: bool) -> None:
        """Members get what is written, if that is a number that is known."""
        its = self.memory.numbers.at(self.template, address, value.type.size)
        for m in its.members:
            self._gets(m, value if known else None)
        for m in its.partly:
            self._gets(m, None)

    def copy(self, target: Expr) -> None:
        """Members may get anything by copying."""
        for m in self.memory.numbers.of_objects(self.template, target):
            self._gets(m, None)
        for m in self.memory.given.of_objects(self.template, target):
            self.tell(m.given, None)

    def allocate(self, effect: Alloc, site: Heap) -> None:
        """Members of what is zeroed begin with zero."""
        for m in self.memory.numbers.of_site(name_of(site)).values() if effect.zeroed else ():
            self._gets(m, Const(0, m.type))

    def start(self) -> None:
        """Members of static objects begin with what they hold at first."""
        for name, initial in self.memory.numbers.initial():
            self._gets(self.memory.numbers.named[name], _number(initial))

    def _gets(self, m: Member, value: Expr | None) -> None:
        if m.name in self.wanted:
            stored = value if value is None or value.type == m.type else Convert(value, m.type)
            self.tell(m.name, None if stored is None else self.values.interval(stored))


def _number(initial: Initial) -> Const | None:
    return initial if isinstance(initial, Const) else None
