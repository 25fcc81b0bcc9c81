"""Cells as proofs of accesses name them; the analysis and the checker share the names.

A *cell* is one scalar of a static object that nobody accesses in other sizes, at a place that is
not known, or by copying. The number of elements of what one place allocates is a *count*, a cell
that only allocating writes. A cell is *held* where a thread stands if no other thread can write it
meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from abpress.analysis.facts import Facts
from abpress.analysis.points_to import AbstractObject, Heap, Local, Static, name_of
from abpress.ir.bounds import scalar_bounds
from abpress.ir.expr import Binary, Const, Expr, Reg
from abpress.ir.intervals import Interval, negative
from abpress.ir.program import (
    Assign,
    Copy,
    Effect,
    Initial,
    Load,
    Program,
    Store,
    edges,
)
from abpress.ir.types import IntType, PtrType, Scalar
from abpress.later import later
from abpress.modular.apart import At, PlacesApart
from abpress.modular.bounds.announced import Announcements
from abpress.modular.bounds.members import FRESH, Members, of_place
from abpress.modular.bounds.number_members import (
    NumberMembers,
    PointersGiven,
    WrittenAddresses,
)
from abpress.modular.bounds.objects import AccessObjects
from abpress.modular.bounds.places import (
    ANYWHERE,
    COUNT,
    INDEX_OF,
    NULL,
    Pointees,
    carried,
    count_of,
    index_of,
    minus,
)
from abpress.modular.handed import carriers, number_type
from abpress.modular.threads import SoleThreads

_INDEXED: Callable[[Program], Mapping[str, Mapping[str, int]]] = later(
    "abpress.modular.bounds.indexed", "indexed"
)


@dataclass(frozen=True, slots=True)
class CellOf:
    """A cell: what it holds at first (None for counts), and who may write it where."""

    type: Scalar
    initial: Initial
    writers: frozenset[tuple[str, int]]


class AccessMemory:
    """The `objects` and cells of a program. What is asked for often is remembered.

    `apart` are the places at which no two threads stand at once, as far as that is known.
    """

    def __init__(self, program: Program, facts: Facts, apart: PlacesApart | None = None) -> None:
        self._program = program
        self._together = apart
        self._points_to = facts.points_to
        self._undefined = facts.undefined
        self._live = facts.live
        self._threads = SoleThreads(program)
        self.objects = AccessObjects(program, facts.points_to, self._threads, apart)
        self._held: dict[tuple[str, int, str], bool] = {}
        self._reached: dict[tuple[str, Expr, int], tuple[tuple[str, ...], bool]] = {}
        self._private: frozenset[At] = frozenset()

    def _effects(self) -> Iterator[tuple[str, int, Effect]]:
        for name, template in self._program.templates.items():
            for i, edge in edges(template):
                for effect in edge.effects:
                    yield name, i, effect

    # -- threads --------------------------------------------------------------------------------

    @property
    def single(self) -> frozenset[str]:
        """The templates of which there is one thread at most."""
        return self._threads.single

    def taken(self, template: str, location: int, index: int) -> bool:
        """Whether a thread may take an edge, by what is known of single threads."""
        return self._together is None or self._together.taken(template, location, index)

    def undisturbed(self, template: str, location: int) -> bool:
        """Whether no other thread moves while one is there."""
        return self._threads.undisturbed(template, location)

    def is_alone(self, template: str, location: int) -> bool:
        """Whether no other thread has been created while one is there."""
        return self._threads.is_alone(template, location)

    def registers(self, template: str) -> Mapping[str, Scalar]:
        """The registers of a template, with their types."""
        return self._program.templates[template].registers

    # -- cells ----------------------------------------------------------------------------------

    @cached_property
    def cells(self) -> dict[str, CellOf]:
        """The cells by their names."""
        found = dict(self._static)
        for o in self.objects.named.values():
            if isinstance(o, Heap):
                its = frozenset({(o.template, o.location)})
                found[count_of(name_of(o))] = CellOf(COUNT, None, its)
        for member, where in self.members.filled.items():
            found[member.filled] = CellOf(COUNT, Const(0, COUNT), where)
        return found

    @cached_property
    def members(self) -> Members:
        """The pointers that have no cells."""
        return Members(self._program, self._points_to, self._plain, self.is_alone)

    @cached_property
    def numbers(self) -> NumberMembers:
        """The numbers that have no cells."""
        return NumberMembers(self._program, self._points_to, self._plain, self.is_alone)

    @cached_property
    def given(self) -> PointersGiven:
        """The same pointers, and those in local objects, by what was written."""
        return PointersGiven(self._program, self._points_to, self._plain, self.is_alone)

    @cached_property
    def addresses(self) -> WrittenAddresses:
        """At which addresses threads know that something was written."""
        kinds = self.numbers, self.given
        return WrittenAddresses(self._program, self._points_to, kinds, self.wild, self._threads)

    @cached_property
    def _plain(self) -> frozenset[str]:
        """The static objects that have cells."""
        return frozenset(name.rpartition("@")[0] for name in self._static)

    @cached_property
    def _static(self) -> dict[str, CellOf]:
        """The cells of static objects."""
        mangled = set(self._undefined)
        writers: dict[str, set[tuple[str, int]]] = {}
        for name, i, effect in self._effects():
            match effect:
                case Load(target, address):
                    self._used(name, address, target.type, mangled)
                case Store(address, value):
                    for cell in self._used(name, address, value.type, mangled):
                        writers.setdefault(cell, set()).add((name, i))
                case Copy(target_, source, _):
                    for e in (target_, source):
                        for o, _ in self._points_to.targets(name, e):
                            mangled.add(o)
                case _:
                    pass
        found: dict[str, CellOf] = {}
        for name, object in self._program.objects.items():
            if Static(name) in mangled:
                continue
            for scalar, initial in zip(object.layout.cells, object.initial, strict=True):
                of = f"{name}@{scalar.offset}"
                its = frozenset(writers.get(of, ()))
                found[of] = CellOf(scalar.type, initial, its)
        return found

    def _used(
        self, template: str, address: Expr, type: Scalar, mangled: set[AbstractObject]
    ) -> list[str]:
        """The cells that an access may go to; notes objects that cannot have cells."""
        found = []
        for o, offset in self._points_to.targets(template, address):
            if not isinstance(o, Static):
                continue
            layout = self._program.objects[o.name].layout
            index = None if offset is None else layout.index.get(offset)
            if index is None or not _alike(layout.cells[index].type, type):
                mangled.add(o)
            else:
                found.append(f"{o.name}@{offset}")
        return found

    def reached(self, template: str, address: Expr, size: int) -> tuple[tuple[str, ...], bool]:
        """The cells that an access may go to, and whether it goes to that one and nowhere else."""
        key = template, address, size
        found = self._reached.get(key)
        if found is None:
            targets = self._points_to.targets(template, address)
            names = [f"{o.name}@{k}" for o, k in targets if isinstance(o, Static)]
            its = tuple(dict.fromkeys(name for name in names if name in self.cells))
            found = self._reached[key] = its, len(its) == len(targets) == 1
        return found

    def holds(self, template: str, location: int, name: str) -> bool:
        """Whether the name is that of a cell that no other thread can write while one stands there.
        NOTE(held-cells)"""
        key = template, location, name
        found = self._held.get(key)
        if found is None:
            found = self._held[key] = self._holds((template, location), name)
        return found

    def _holds(self, at: At, name: str) -> bool:
        cell = self.cells.get(name)
        if cell is None or (name.endswith("@count") and not self.is_one(name)):
            return False
        return self.undisturbed(*at) or all(self._harmless(at, writer) for writer in cell.writers)

    def read(self, template: str, location: int, index: int, cell: str, of: Pointees) -> Pointees:
        """Where a pointer in a cell points that a thread reads where it takes an edge: not to null
        if it is known that it is set. Where that leaves nothing no thread is. NOTE(announced)"""
        if not any(o == NULL for o, *_ in of):
            return of
        if not self._announcements.is_set(template, location, index, cell):
            return of
        return frozenset(place for place in of if place[0] != NULL)

    @cached_property
    def _announcements(self) -> Announcements:
        zero = {
            name: cell.type
            for name, cell in self._static.items()
            if isinstance(cell.initial, Const) and cell.initial.value == 0
        }
        return Announcements(self._program, zero, self.reached, self._live)

    def keeps(self, template: str, location: int, name: str, pointer: Reg) -> bool:
        """Whether no other thread can write, while one stands there, what is at the address that
        is named so, behind where the register points."""
        its = self.members.behind(template, name, pointer.type.size, pointer)
        if its is None:
            return False
        at = template, location
        return self.undisturbed(*at) or all(
            self._harmless(at, writer)
            for member in its
            for writer in self.members.writers[member] - self._private
        )

    @property
    def private(self) -> frozenset[At]:
        """The places at which threads write no members but those of objects that only they know."""
        return self._private

    def set_private(self, places: frozenset[At]) -> None:
        """Says at which places threads write no members but those of objects that only they know;
        whoever says so has to show it."""
        self._private = places

    def settled(self, template: str) -> frozenset[str]:
        """The cells that nobody writes once the only thread of a template has ended, but for the
        first thread while it is alone."""
        return self._settled.get(template, frozenset())

    @cached_property
    def _settled(self) -> dict[str, frozenset[str]]:
        """`settled`, of the templates of which there is one thread at most."""
        found: dict[str, set[str]] = {template: set() for template in self.single}
        for name, cell in self.cells.items():
            writers = {writer[0] for writer in cell.writers if not self.is_alone(*writer)}
            if not name.endswith("@count") and len(writers) < 2:
                for template in (writers or self.single) & self.single:
                    found[template].add(name)
        return {template: frozenset(names) for template, names in found.items()}

    def ended(self, template: str, location: int) -> frozenset[str]:
        """The templates whose only thread has ended when a thread stands there. NOTE(ends)"""
        if self._together is None:
            return frozenset()
        return self._together.ended(template, location) & self.single

    def _harmless(self, at: At, writer: At) -> bool:
        """Whether a write does not come from another thread while one stands there."""
        if self.is_alone(*writer) or (writer[0] == at[0] and at[0] in self.single):
            return True
        return self._together is not None and self._together.apart(at, writer)

    def is_one(self, count: str) -> bool:
        """Whether what the place allocates is one object at most, whose number of elements the
        count is."""
        o = self.objects.named[count.removesuffix("@count")]
        assert isinstance(o, Heap)
        return o.template in self.single and not self._threads.again(o.template, o.location)

    def is_one_object(self, object: str) -> bool:
        """Whether all pointers of a thread to an object of the name are to the same one."""
        match self.objects.named.get(of_place(object)):
            case Heap():
                return object.endswith(FRESH) or self.is_one(count_of(object))
            case found:
                return isinstance(found, Static | Local)

    @cached_property
    def indexed(self) -> Mapping[str, Mapping[str, int]]:
        """Per template, the registers with pointers of which differences are known, and in steps of
        how many bytes. NOTE(indexed-pointers)"""
        return _INDEXED(self._program)

    @cached_property
    def types(self) -> dict[str, dict[str, Scalar]]:
        """Per template, the types of its variables: cells, registers, numbers of steps, and numbers
        in pointers."""
        cells = {name: cell.type for name, cell in self.cells.items()}
        return {
            name: {
                **cells,
                **t.registers,
                **{index_of(r): INDEX_OF for r in self.indexed[name]},
                **{minus(r): type for r, type in self._down(name)},
                **{carried(r): number_type(t.registers[r]) for r in self._carriers[name]},
            }
            for name, t in self._program.templates.items()
        }

    @cached_property
    def _carriers(self) -> Mapping[str, frozenset[str]]:
        return carriers(self._program)

    @cached_property
    def limits(self) -> Mapping[str, Mapping[str, Interval]]:
        """Per template, the least and the greatest number of steps."""
        low, high = ANYWHERE
        return {
            name: {
                **{index_of(r): (-(-low // size), high // size) for r, size in its.items()},
                **{minus(r): negative(scalar_bounds(its)) for r, its in self._down(name)},
            }
            for name, its in self.indexed.items()
        }

    def _down(self, template: str) -> Iterator[tuple[str, Scalar]]:
        """The registers that are counted down where loops move pointers, and those that get what
        such ones hold, with their types."""
        found: set[str] = set()
        copies: list[tuple[str, str]] = []
        for _, edge in edges(self._program.templates[template]) if self.indexed[template] else ():
            for effect in edge.effects:
                match effect:
                    case Assign(Reg(name, _), Binary("-" | "+" as op, Reg(its, _), Const(n, _))):
                        if name == its and (n if op == "-" else -n) > 0:
                            found.add(name)
                    case Assign(Reg(name, IntType()), Reg(its, _)):
                        copies.append((name, its))
                    case _:
                        pass
        found |= {name for name, its in copies if its in found}
        registers = self._program.templates[template].registers
        return ((name, registers[name]) for name in sorted(found))

    @cached_property
    def wild(self) -> dict[str, frozenset[str]]:
        """Per template, the registers that may hold an arbitrary value that is chosen when it is
        used: copies of it need not be equal. What reads a number has one, since reading memory
        without a value chooses it. NOTE(copies-of-nothing)"""
        return {name: self._wild(name) for name in self._program.templates}

    def _wild(self, name: str) -> frozenset[str]:
        template = self._program.templates[name]
        found = {r for r in self._live[name][template.entry] if not r.startswith("$")}
        copies: list[tuple[str, str]] = []
        for _, edge in edges(template):
            for effect in edge.effects:
                match effect:
                    case Load(Reg(target, PtrType() as type), address):
                        if not self.reached(name, address, type.size)[1]:
                            found.add(target)
                    case Assign(target, Reg(source, _)):
                        copies.append((target.name, source))
                    case _:
                        pass
        while grown := {target for target, source in copies if source in found} - found:
            found |= grown
        return frozenset(found)


def _alike(cell: Scalar, type: Scalar) -> bool:
    return cell.size == type.size and isinstance(cell, PtrType) == isinstance(type, PtrType)
