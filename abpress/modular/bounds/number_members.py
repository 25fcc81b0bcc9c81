"""Numbers in memory that has no cells, by members, and the addresses at which a thread knows that
one was written; the same of pointers. NOTE(written-numbers)

What is known of such a member is what is written to it, in any object; an object that is not zeroed
when it begins may hold anything until then. That it was written stays true until the object begins
anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import ClassVar

from abpress.analysis.points_to import AbstractObject, Local, PointsTo
from abpress.ir.expr import Addr, Const, Expr, PtrAdd, Reg, registers
from abpress.ir.passes.rewrite import node_count
from abpress.ir.program import (
    Assign,
    Effect,
    Enter,
    Program,
    Spawn,
    Store,
    Template,
    edges,
    effect_target,
)
from abpress.ir.text import Writer
from abpress.ir.types import IntType, Layout, PtrType
from abpress.modular.bounds.members import Member, Members, MembersTouched
from abpress.modular.handed import ARGUMENT
from abpress.modular.threads import SoleThreads

WrittenAt = tuple[Expr, int]
"""An address: a pointer, as the registers are now, and by how many bytes it is moved."""

Written = frozenset[WrittenAt]

_MOST_NODES = 20
"""Operators of such a pointer."""


class NumberMembers(Members):
    """The members with numbers, also of local objects."""

    kind: ClassVar[type[PtrType | IntType]] = IntType

    def _layout(self, o: AbstractObject) -> Layout | None:
        if isinstance(o, Local):
            return self._program.templates[o.template].locals[o.name].layout
        return super()._layout(o)

    def at(self, template: str, address: Expr, size: int) -> MembersTouched:
        """What an access may go to, wherever the thread stands."""
        key = template, address, size
        found = self._at_addresses.get(key)
        if found is None:
            found = self.touched(template, address, size, None, lambda *_: False)
            self._at_addresses[key] = found
        return found

    @cached_property
    def _at_addresses(self) -> dict[tuple[str, Expr, int], MembersTouched]:
        return {}


class PointersGiven(NumberMembers):
    """The members with pointers, also of local objects, of which is told what was written."""

    kind = PtrType

    @cached_property
    def by_content(self) -> dict[str, Member]:
        """The members by the names of what was written to them."""
        return {m.given: m for m in self.named.values()}


def anchored(e: Expr) -> WrittenAt:
    """A pointer without the numbers by which it is moved, and their sum."""
    match e:
        case PtrAdd(pointer, Const(by, _)):
            base, moved = anchored(pointer)
            return base, moved + by
        case PtrAdd(pointer, by):
            base, moved = anchored(pointer)
            return PtrAdd(base, by), moved
        case Addr(name, offset, type):
            return Addr(name, 0, type), offset
        case _:
            return e, 0


class WrittenAddresses:
    """Which addresses are written, by the effects of threads. Members are of two `kinds`. `wild`
    are registers whose value may be chosen anew where it is used."""

    def __init__(
        self,
        program: Program,
        points_to: PointsTo,
        kinds: tuple[NumberMembers, NumberMembers],
        wild: Mapping[str, frozenset[str]],
        threads: SoleThreads,
    ) -> None:
        self._program = program
        self._points_to = points_to
        self._kinds = kinds
        self._wild = wild
        self._threads = threads

    def behind(self, template: str, written: Written, effect: Effect) -> Written:
        """What is known to be written behind an effect of a thread."""
        match effect:
            case Store(address, value):
                its = (kind.at(template, address, value.type.size) for kind in self._kinds)
                whole = any(touched.is_whole for touched in its)
                at = anchored(address)
                return written | {at} if whole and self._is_kept(template, at[0]) else written
            case Enter(name):
                own = Local(template, name)
                return frozenset(at for at in written if own not in self._objects(template, at[0]))
            case Assign(target, value):
                return _without(written, target.name) | _moved(written, value, target)
            case _:
                other = effect_target(effect)
                return written if other is None else _without(written, other.name)

    def handed(self, template: str, written: Written, spawn: Spawn) -> Written:
        """What a thread knows to be written that one of a template creates."""
        type = self._program.templates[spawn.template].registers.get(ARGUMENT)
        if type is None or not all(map(self._begins_once, self._objects(template, spawn.argument))):
            return frozenset()
        return _moved(written, spawn.argument, Reg(ARGUMENT, type))

    def _begins_once(self, o: AbstractObject) -> bool:
        """Whether an object never begins anew: a local one, of each thread that has one."""
        if not isinstance(o, Local):
            return True
        begun = self._begun.get(o, [])
        return len(begun) < 2 and not any(self._threads.again(o.template, i) for i in begun)

    def _is_kept(self, template: str, base: Expr) -> bool:
        """Whether a thread may say that something was written at an address: it is the same as long
        as the registers are, and nobody else begins anew what is there."""
        if node_count(base) > _MOST_NODES or not self._wild[template].isdisjoint(registers(base)):
            return False
        its = self._objects(template, base)
        return _is_of_object(base) or all(map(self._begins_once, its))

    def _objects(self, template: str, pointer: Expr) -> frozenset[AbstractObject]:
        return frozenset(t.object for t in self._points_to.targets(template, pointer))

    @cached_property
    def _begun(self) -> dict[Local, list[int]]:
        """The locations at which local objects begin."""
        found: dict[Local, list[int]] = {}
        for name, template in self._program.templates.items():
            for i, edge in edges(template):
                for effect in edge.effects:
                    if isinstance(effect, Enter):
                        found.setdefault(Local(name, effect.object), []).append(i)
        return found

    @cached_property
    def named(self) -> Mapping[str, Mapping[str, Expr]]:
        """Per template, the pointers by their names."""
        return {
            name: {address_name(self._program, base): base for base in _bases(template)}
            for name, template in self._program.templates.items()
        }


def address_name(program: Program, base: Expr) -> str:
    """How certificates name a pointer that a template computes."""
    return Writer(program.pointer_size).expr(base)


def _without(written: Written, register: str) -> Written:
    """The addresses that do not depend on a register."""
    return frozenset(at for at in written if register not in registers(at[0]))


def _moved(written: Written, value: Expr, target: Reg) -> Written:
    """The addresses by a register that gets the value of a pointer."""
    base, moved = anchored(value)
    return frozenset((target, by - moved) for its, by in written if its == base)


def _is_of_object(base: Expr) -> bool:
    """Whether a pointer is made of the address of an object; a local one is the thread's own."""
    while isinstance(base, PtrAdd):
        base = base.pointer
    return isinstance(base, Addr)


def _bases(template: Template) -> Iterator[Expr]:
    yield from (Reg(n, t) for n, t in template.registers.items() if isinstance(t, PtrType))
    for _, edge in edges(template):
        for effect in edge.effects:
            if isinstance(effect, Store):
                yield anchored(effect.address)[0]
