"""Heap objects that no other thread can know yet, and where nobody reads what their cells hold.

An object is *fresh* from its allocation on as long as its thread has kept the address in registers:
it has stored the address nowhere, and given it to no thread. No other thread can come by it then,
neither by memory nor as an argument. What is known is about the latest object that an Alloc effect
has allocated; an older one of the same effect is not fresh any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import NamedTuple

from abpress.ir.expr import (
    Compare,
    Const,
    Convert,
    Expr,
    PtrAdd,
    Reg,
    named_objects,
    registers,
    rewrite,
)
from abpress.ir.passes.fold import Folder
from abpress.ir.program import (
    Alloc,
    Assign,
    ChooseBit,
    Copy,
    Edge,
    Effect,
    Finish,
    Free,
    Load,
    Overflow,
    Spawn,
    Store,
    Template,
    effect_operands,
    effect_target,
    goes_on,
)

Site = tuple[int, int, int]
"""An Alloc effect: the location, and the numbers of the edge there and of the effect."""


_FOLDER = Folder(Overflow.WRAP, {}, keeps_ends=True)


class FreshCell(NamedTuple):
    """Bytes of the fresh object of a site."""

    site: Site
    offset: int
    size: int

    def overlaps(self, other: FreshCell) -> bool:
        """Whether they have a byte in common."""
        return (
            self.site == other.site
            and self.offset < other.offset + other.size
            and other.offset < self.offset + self.size
        )


class _Holders(NamedTuple):
    """Registers that hold the address of a fresh object, and those that may carry it in any way."""

    pointers: frozenset[str]
    carriers: frozenset[str]


Constants = tuple[tuple[str, int], ...]
"""Registers, in the order of their names, with what they hold."""

MOST_CONSTANTS = 8
"""So many combinations of constants are told apart at a location."""

Fresh = Mapping[Site, _Holders]
"""The fresh objects, with who holds their addresses."""


class FreshObjects:
    """The fresh objects of the threads of a template; `live` are the registers that may still be
    read, per location."""

    def __init__(self, template: Template, live: Sequence[frozenset[str]]) -> None:
        self._template = template
        self._live = live
        self._at: list[Fresh | None] = [None] * len(template.locations)
        if any(
            isinstance(effect, Alloc)
            for location in template.locations
            for edge in location.edges
            for effect in edge.effects
        ):
            self._solve()
        self._dead: dict[FreshCell, frozenset[int]] = {}

    def at(self, location: int) -> Fresh:
        """What is fresh at a location."""
        return self._at[location] or {}

    def effects(self, location: int, edge: int) -> Iterator[tuple[Effect, Fresh]]:
        """The effects of an edge with what is fresh before each."""
        known = self.at(location)
        for k, effect in enumerate(self._template.locations[location].edges[edge].effects):
            yield effect, known
            known = _after(effect, (location, edge, k), known)

    def dead(self, cell: FreshCell) -> frozenset[int]:
        """The locations from which on nobody reads the cell before the thread has overwritten it.

        The object is fresh until then.
        """
        found = self._dead.get(cell)
        if found is None:
            found = self._dead[cell] = self._overwritten(cell)
        return found

    def _solve(self) -> None:
        """Finds what is fresh at each location, apart for what constants registers hold: whether an
        operation has made an address known is often told by a flag."""
        entry = self._template.entry
        at: list[dict[Constants, Fresh]] = [{} for _ in self._template.locations]
        at[entry][()] = {}
        todo: list[tuple[int, Constants]] = [(entry, ())]
        coarse: set[int] = set()
        while todo:
            i, key = todo.pop()
            if key not in at[i]:
                continue  # it is part of another one meanwhile
            for k, edge in enumerate(self._template.locations[i].edges):
                if not goes_on(edge) or _value(edge.guard, dict(key)) == 0:
                    continue
                j, known = edge.target, at[i][key]
                constants = dict(key)
                for n, effect in enumerate(edge.effects):
                    known = _after(effect, (i, k, n), known)
                    _evaluate(effect, constants)
                there: Constants = () if j in coarse else _kept(constants, self._live[j])
                if there not in at[j] and len(at[j]) == MOST_CONSTANTS:
                    coarse.add(j)
                    known, there = reduce(_joined, at[j].values(), known), ()
                    at[j].clear()
                joined = _joined(at[j][there], known) if there in at[j] else known
                if joined != at[j].get(there):
                    at[j][there] = joined
                    todo.append((j, there))
        self._at = [reduce(_joined, its.values()) if its else None for its in at]

    def _overwritten(self, cell: FreshCell) -> frozenset[int]:
        locations = self._template.locations
        sources: list[list[int]] = [[] for _ in locations]
        todo = []
        for i, location in enumerate(locations):
            for k, edge in enumerate(location.edges):
                fate = self._fate(cell, i, k, edge)
                if fate is None:
                    sources[edge.target].append(i)
                elif fate:
                    todo.append(i)
        read = set(todo)
        while todo:
            for source in sources[todo.pop()]:
                if source not in read:
                    read.add(source)
                    todo.append(source)
        return frozenset(range(len(locations))) - read

    def _fate(self, cell: FreshCell, i: int, k: int, edge: Edge) -> bool | None:
        """Whether the edge may read the cell (True), overwrites it (False), or neither."""
        for effect, known in self.effects(i, k):
            if cell.site not in known or isinstance(effect, Finish):
                return True
            touched = touched_cell(effect, known)
            if touched == cell and isinstance(effect, Store):
                return False
            if may_read(cell, effect, known):
                return True
        if not goes_on(edge):
            return False
        return None if cell.site in self.at(edge.target) else True


def touched_cell(effect: Effect, fresh: Fresh) -> FreshCell | None:
    """The cell of a fresh object that a Load reads or a Store writes; None: of none, or unknown."""
    match effect:
        case Load(target, address):
            size = target.type.size
        case Store(address, value):
            size = value.type.size
        case _:
            return None
    place = _place(address)
    if place is None:
        return None
    for site, holders in fresh.items():
        if place[0] in holders.pointers:
            return FreshCell(site, place[1], size)
    return None


def may_read(cell: FreshCell, effect: Effect, fresh: Fresh) -> bool:
    """Whether the effect reads the cell of a fresh object, or lets others read it."""
    carriers = fresh[cell.site].carriers
    match effect:
        case Load(_, address):
            touched = touched_cell(effect, fresh)
            if touched is not None:
                return touched.overlaps(cell)
            return not carriers.isdisjoint(registers(address))
        case Store(address, value):
            touched = touched_cell(effect, fresh)
            if touched is not None and touched != cell and touched.overlaps(cell):
                return True
            return not carriers.isdisjoint(registers(value))
        case _:
            return not carriers.isdisjoint(_given(effect))


def _place(address: Expr) -> tuple[str, int] | None:
    """A register and the distance from what it holds."""
    match address:
        case Reg(name):
            return name, 0
        case PtrAdd(pointer, Const(value)):
            place = _place(pointer)
            return None if place is None else (place[0], place[1] + value)
        case _:
            return None


def _given(effect: Effect) -> frozenset[str]:
    """The registers that the effect makes known beyond the thread's registers, or whose object it
    touches as a whole."""
    match effect:
        case Store(_, value):
            return registers(value)
        case Copy() | Free() | Spawn() | Finish():
            return frozenset[str]().union(*map(registers, effect_operands(effect)))
        case _:
            return frozenset()


def _after(effect: Effect, site: Site, known: Fresh) -> Fresh:
    """What is fresh after the effect."""
    target = effect_target(effect)
    given = _given(effect)
    if not known and not isinstance(effect, Alloc):
        return known
    found = {s: its for s, its in known.items() if given.isdisjoint(its.carriers)}
    if target is None:
        return found
    name = target.name
    for s, (pointers, carriers) in found.items():
        pointers, others = pointers - {name}, carriers - {name}
        match effect:
            case Assign(_, Reg(source)) if source in found[s].pointers:
                pointers |= {name}
                others |= {name}
            case Assign() | ChooseBit():
                used = frozenset[str]().union(*map(registers, effect_operands(effect)))
                if not used.isdisjoint(carriers):
                    others |= {name}
            case _:
                pass
        found[s] = _Holders(pointers, others)
    if isinstance(effect, Alloc):
        found[site] = _Holders(frozenset({name}), frozenset({name}))
    return {s: its for s, its in found.items() if its.carriers}


def _value(e: Expr, constants: Mapping[str, int]) -> int | None:
    """The value of a condition or a copy, where that is known."""
    match e:
        case Const(value):
            return value
        case Reg(name):
            return constants.get(name)
        case Convert() | Compare():
            if not registers(e) <= constants.keys() or any(named_objects(e)):
                return None
            folded = _FOLDER.fold(rewrite(e, lambda leaf: _constant(leaf, constants)))
            return folded.value if isinstance(folded, Const) else None
        case _:
            return None


def _constant(leaf: Expr, constants: Mapping[str, int]) -> Expr:
    return Const(constants[leaf.name], leaf.type) if isinstance(leaf, Reg) else leaf


def _evaluate(effect: Effect, constants: dict[str, int]) -> None:
    """Takes note of what the effect does to registers that hold constants."""
    target = effect_target(effect)
    if target is None:
        return
    value = _value(effect.value, constants) if isinstance(effect, Assign) else None
    if value is None:
        constants.pop(target.name, None)
    else:
        constants[target.name] = value


def _kept(constants: Mapping[str, int], live: frozenset[str]) -> Constants:
    """Those of the registers that may still be read."""
    return tuple(sorted((name, value) for name, value in constants.items() if name in live))


def _joined(one: Fresh, other: Fresh) -> Fresh:
    """What is fresh where paths meet: what is so on both."""
    return {
        s: _Holders(its.pointers & other[s].pointers, its.carriers | other[s].carriers)
        for s, its in one.items()
        if s in other
    }
