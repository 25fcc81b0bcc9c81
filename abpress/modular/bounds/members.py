"""Members: pointers in what is allocated, and in arrays whose index is not known. NOTE(members)

A member is named for one scalar in all objects that a place allocates, or in all elements of an
array of a static object: what is known of it is what any of them may hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from abpress.analysis.congruence import Congruence, Congruences
from abpress.analysis.points_to import AbstractObject, Heap, PointsTo, Static, name_of
from abpress.ir.expr import Const, Expr, PtrAdd, Reg
from abpress.ir.program import Alloc, Copy, Initial, Program, Store, edges
from abpress.ir.types import INDEX, Cell, IntType, Layout, PtrType, Scalar
from abpress.modular.apart import At

FRESH = "!"
"""Behind the name of a place that allocates: the object that this thread has got there last, if
nobody else can have its address yet."""

Within = Callable[[str, int, int], bool]
"""Whether the offset of an address in an object is known to be between two numbers."""

_FARTHEST = 1 << 16
"""Bytes of objects whose members have names."""


def of_place(object: str) -> str:
    """The name of all objects that a place allocates, of the name of one that may be fresh."""
    return object.removesuffix(FRESH)


def fresh_cell(site: str, offset: int) -> str:
    """The name of a pointer in the fresh object of a place."""
    return f"{site}{FRESH}@{offset}"


def site_of(name: str) -> str | None:
    """The place that allocates, of the name of a pointer in its fresh object."""
    site, found, _ = name.partition(f"{FRESH}@")
    return site if found else None


def at_register(address: Expr) -> tuple[str, str] | None:
    """The name of what is so far behind where a register points, and the register."""
    match address:
        case Reg(name, _):
            return f"*{name}+0", name
        case PtrAdd(Reg(name, _), Const(by, _)):
            return f"*{name}+{by}", name
        case _:
            return None


def register_of(name: str) -> str | None:
    """The register, of the name of what is behind where it points."""
    return name[1:].rpartition("+")[0] if name.startswith("*") else None


@dataclass(frozen=True, slots=True)
class Member:
    """A scalar at an offset in an object, or in `count` elements that are so far apart; where
    `count` is 0, at several offsets between the first and the last."""

    name: str
    object: str
    first: int
    last: int
    stride: int
    count: int
    type: Scalar

    @property
    def size(self) -> int:
        """Its bytes."""
        return self.type.size

    @property
    def filled(self) -> str:
        """The name of the number of elements, from the first one, that have been written."""
        return f"{self.name}#"

    @property
    def written(self) -> str:
        """The name of what has been written to elements."""
        return f"{self.name}="

    @property
    def given(self) -> str:
        """The name of what was ever written, to any object. NOTE(written-numbers)"""
        return f"{self.name}:="


@dataclass(frozen=True, slots=True)
class MembersTouched:
    """What an access may go to: to `members` as a whole, to others in part, to cells, and whether
    to anything else."""

    members: tuple[Member, ...]
    partly: tuple[Member, ...]
    cells: tuple[str, ...]
    others: bool

    @property
    def is_whole(self) -> bool:
        """Whether it goes to one member as a whole, of whichever object, and to nothing else."""
        return bool(self.members) and not (self.partly or self.cells or self.others)


@dataclass(frozen=True, slots=True)
class _Hits:
    whole: tuple[Cell, ...]
    partly: tuple[Cell, ...]
    others: bool


class Members:
    """The members of a program. What is asked for often is remembered. `plain` are the
    static objects that have cells instead. They are scalars of one `kind`."""

    kind: ClassVar[type[PtrType | IntType]] = PtrType

    def __init__(
        self,
        program: Program,
        points_to: PointsTo,
        plain: frozenset[str],
        is_alone: Callable[[str, int], bool],
    ) -> None:
        self._program = program
        self._points_to = points_to
        self._plain = plain
        self._is_alone = is_alone
        self._congruences = Congruences(program, points_to)
        self._sizes: dict[AbstractObject, int] = {}
        self._hits: dict[tuple[AbstractObject, Congruence, int, Member | None], _Hits] = {}
        self._symbolic: dict[tuple[str, str], frozenset[str] | None] = {}

    # -- names ----------------------------------------------------------------------------------

    @cached_property
    def of(self) -> dict[AbstractObject, dict[int, Member]]:
        """Per object, its members by the offsets of the pointers."""
        found = {}
        for o in self._points_to.objects:
            layout = self._layout(o)
            if layout is None or layout.size > _FARTHEST or name_of(o) in self._plain:
                continue
            its = dict(_members(name_of(o), layout, self.kind))
            if its:
                found[o] = its
                self._sizes[o] = layout.size
        return found

    @cached_property
    def named(self) -> dict[str, Member]:
        """The members by their names."""
        return {m.name: m for its in self.of.values() for m in its.values()}

    @cached_property
    def contents(self) -> frozenset[str]:
        """The names of all that is known of members."""
        arrays = (m.written for m in self.filled)
        return frozenset((*self.named, *arrays))

    def of_site(self, site: str) -> dict[int, Member]:
        """The members of what a place allocates, by their offsets."""
        return self._of_site.get(site, {})

    @cached_property
    def _of_site(self) -> dict[str, dict[int, Member]]:
        return {name_of(o): its for o, its in self.of.items() if isinstance(o, Heap)}

    def initial(self) -> Iterator[tuple[str, Initial]]:
        """What members of static objects hold where the program begins."""
        for o, its in self.of.items():
            if isinstance(o, Static):
                object = self._program.objects[o.name]
                for cell, value in zip(object.layout.cells, object.initial, strict=True):
                    if cell.offset in its:
                        yield its[cell.offset].name, value

    def _layout(self, o: AbstractObject) -> Layout | None:
        match o:
            case Static(name):
                return self._program.objects[name].layout
            case Heap(name, i, k, n):
                alloc = self._program.templates[name].locations[i].edges[k].effects[n]
                assert isinstance(alloc, Alloc)
                return alloc.element
            case _:
                return None

    # -- accesses -------------------------------------------------------------------------------

    def touched(
        self,
        template: str,
        address: Expr,
        size: int,
        objects: Mapping[str, int | None] | None,
        within: Within,
    ) -> MembersTouched:
        """What an access may go to. `objects` are those in which the address is known to be, with
        the offset if it is known; of fresh ones nothing is told."""
        members: dict[str, Member] = {}
        partly: dict[str, Member] = {}
        cells: dict[str, None] = {}
        others = False
        for o, congruence in self._congruences.targets(template, address).items():
            name = name_of(o)
            if objects is not None:
                if name not in objects:
                    continue
                offset = objects[name]
                if offset is not None:
                    congruence = self._at(o, offset)
            its = self.of.get(o)
            if its is None:
                offset, stride = congruence
                if name in self._plain and not stride:
                    cells[f"{name}@{offset}"] = None
                else:
                    others = True
                continue
            hits = self._narrowed(o, its, congruence, size, within)
            members |= {(m := its[cell.offset]).name: m for cell in hits.whole}
            partly |= {(m := its[cell.offset]).name: m for cell in hits.partly}
            others |= hits.others
        return MembersTouched(tuple(members.values()), tuple(partly.values()), tuple(cells), others)

    def _at(self, o: AbstractObject, offset: int) -> Congruence:
        size = self._sizes.get(o, 0)
        return (offset % size, size) if isinstance(o, Heap) and size else (offset, 0)

    def _narrowed(
        self,
        o: AbstractObject,
        its: dict[int, Member],
        of: Congruence,
        size: int,
        within: Within,
    ) -> _Hits:
        hits = self._hit(o, its, of, size)
        if isinstance(o, Heap) or not (hits.others or hits.partly):
            return hits
        name, whole = name_of(o), {its[c.offset].name: its[c.offset] for c in hits.whole}
        for m in whole.values():
            near = self._hit(o, its, of, size, m)
            if not near.others and not near.partly and within(name, m.first, m.last):
                return near
        end = self._sizes[o]
        beside = {
            m.name
            for m in dict.fromkeys(its.values())
            if within(name, m.last + m.size, end) or within(name, -size, m.first - size)
        }
        return _Hits(
            tuple(c for c in hits.whole if its[c.offset].name not in beside),
            tuple(c for c in hits.partly if its[c.offset].name not in beside),
            hits.others,
        )

    def _hit(
        self,
        o: AbstractObject,
        its: dict[int, Member],
        of: Congruence,
        size: int,
        near: Member | None = None,
    ) -> _Hits:
        """The scalars that an access may go to at offsets like this one; `near`: at those from the
        first to the last of a member."""
        key = o, of, size, near
        found = self._hits.get(key)
        if found is None:
            layout = self._layout(o)
            assert layout is not None
            found = _hit(layout, its, of, size, near, isinstance(o, Heap))
            self._hits[key] = found
        return found

    # -- who writes -----------------------------------------------------------------------------

    @cached_property
    def writers(self) -> dict[str, frozenset[At]]:
        """Per member, the places at which a thread may write it."""
        found: dict[str, set[At]] = {name: set() for name in self.named}
        for name, template in self._program.templates.items():
            for i, edge in edges(template):
                for effect in edge.effects:
                    for member in self._written(name, effect):
                        found[member].add((name, i))
        return {name: frozenset(places) for name, places in found.items()}

    def _written(self, template: str, effect: object) -> Iterator[str]:
        match effect:
            case Store(address, value):
                its = self.touched(template, address, value.type.size, None, _nowhere)
                yield from (m.name for m in (*its.members, *its.partly))
            case Copy(target, _, _):
                yield from (m.name for m in self.of_objects(template, target))
            case _:
                pass

    def of_objects(self, template: str, address: Expr) -> tuple[Member, ...]:
        """All members of the objects into which an address may point."""
        found: dict[str, Member] = {}
        for target in self._points_to.targets(template, address):
            found |= {m.name: m for m in self.of.get(target.object, {}).values()}
        return tuple(found.values())

    @cached_property
    def private(self) -> frozenset[At]:
        """The places at which all that is written may be fresh objects."""
        found: set[At] = set()
        shared: set[At] = set()
        for name, template in self._program.templates.items():
            for i, edge in edges(template):
                for effect in edge.effects:
                    if not set(self._written(name, effect)):
                        continue
                    own = isinstance(effect, Store) and all(
                        isinstance(t.object, Heap) and t.object.template == name
                        for t in self._points_to.targets(name, effect.address)
                    )
                    (found if own else shared).add((name, i))
        return frozenset(found - shared)

    @cached_property
    def filled(self) -> dict[Member, frozenset[At]]:
        """The arrays to which the first thread writes while it is alone, with where it does."""
        found = {}
        for o, its in self.of.items():
            for m in dict.fromkeys(its.values()):
                alone = frozenset(at for at in self.writers[m.name] if self._is_alone(*at))
                if isinstance(o, Static) and m.count > 1 and alone:
                    found[m] = alone
        return found

    def behind(self, template: str, name: str, size: int, pointer: Reg) -> frozenset[str] | None:
        """The members of which one is at the address that is named so; None if it may be something
        else. The register is the one in the name."""
        key = template, name
        if key not in self._symbolic:
            by = int(name.rpartition("+")[2])
            address = PtrAdd(pointer, Const(by, INDEX)) if by else pointer
            its = self.touched(template, address, size, None, _nowhere)
            names = frozenset(m.name for m in its.members)
            self._symbolic[key] = names if its.is_whole else None
        return self._symbolic[key]

    def carried(self, template: str, e: Expr) -> frozenset[str]:
        """The places that allocate objects of which the value of an expression may have the
        address."""
        return frozenset(name_of(t.object) for t in self._points_to.targets(template, e))


def _nowhere(object: str, low: int, high: int) -> bool:
    return False


def _members(
    object: str, layout: Layout, kind: type[PtrType | IntType]
) -> Iterator[tuple[int, Member]]:
    """The members of an object of a kind, by their offsets: those with equal paths but for indices
    are one."""
    alike: dict[str, list[Cell]] = {}
    for cell in layout.cells:
        if isinstance(cell.type, kind):
            alike.setdefault(re.sub(r"\[\d+\]", "[]", cell.path), []).append(cell)
    for cells in alike.values():
        first, last, count = cells[0].offset, cells[-1].offset, len(cells)
        stride = cells[1].offset - first if count > 1 else 0
        type = cells[0].type
        regular = all(cell.offset == first + k * stride for k, cell in enumerate(cells))
        m = Member(f"{object}@{first}", object, first, last, stride, count if regular else 0, type)
        yield from ((cell.offset, m) for cell in cells)


def _hit(
    layout: Layout,
    its: dict[int, Member],
    of: Congruence,
    size: int,
    near: Member | None,
    repeated: bool,
) -> _Hits:
    """`repeated`: another one like the layout may stand behind it."""
    offset, stride = of

    def begins(low: int, high: int) -> list[int]:
        return [
            t for t in range(low, high) if t == offset or (stride and (t - offset) % stride == 0)
        ]

    low, high = (0, layout.size) if near is None else (near.first, near.last + size)
    beyond = repeated and bool(begins(max(0, layout.size - size + 1), layout.size))
    whole, partly, others = [], [], beyond
    for cell in layout.cells:
        behind = cell.offset + cell.type.size
        if behind <= low or high <= cell.offset:
            continue
        found = begins(max(low, cell.offset - size + 1), min(behind, high - size + 1))
        if not found and not beyond:
            continue
        if cell.offset not in its:
            others = True
        elif found == [cell.offset] and cell.type.size == size and not beyond:
            whole.append(cell)
        else:
            partly.append(cell)
    return _Hits(tuple(whole), tuple(partly), others)
