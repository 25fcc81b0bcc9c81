"""Points-to analysis: inclusion-based, flow-insensitive, for the whole program.

[Andersen94], chapter 4, with constant offsets as in [FieldSensitive07]. Every register and cell may
carry addresses, integers too; a value that never holds one has the empty set. An address forged
from plain integers is no target of anything: the interpreter withholds the verdict "true" where one
is used.

A target is (object, offset), the offset None where it is not known. Offsets into heap objects are
taken modulo the size of an element. A pointer that is moved stays with its object: pointer values
carry the object's number, whatever the offset.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from abpress.analysis.inclusion import Pointer, Solver
from abpress.ir.expr import (
    Addr,
    Binary,
    Const,
    Convert,
    Expr,
    FuncAddr,
    PtrAdd,
    Reg,
    Unary,
)
from abpress.ir.program import (
    Alloc,
    Assign,
    ChooseBit,
    Copy,
    Effect,
    Finish,
    Initial,
    Join,
    Load,
    MemoryObject,
    Program,
    Spawn,
    Store,
)
from abpress.ir.types import Cell, Layout

_FAR = 1 << 31
"""Distances from here on may wrap around."""


@dataclass(frozen=True, slots=True)
class Static:
    """A static object of the program."""

    name: str


@dataclass(frozen=True, slots=True)
class Local:
    """A local object of a template: one per instance."""

    template: str
    name: str


@dataclass(frozen=True, slots=True)
class Heap:
    """The heap objects that one Alloc effect allocates, by all instances of the template."""

    template: str
    location: int
    edge: int
    effect: int


@dataclass(frozen=True, slots=True)
class Function:
    """A function; it has no cells."""

    name: str


AbstractObject = Static | Local | Heap | Function


def name_of(o: AbstractObject) -> str:
    """The name of an object."""
    match o:
        case Static(name):
            return name
        case Local(template, name):
            return f"{template}:{name}"
        case Heap(template, location, edge, effect):
            return f"{template}:{location}.{edge}.{effect}"
        case Function(name):
            return f"{name}()"


class Target(NamedTuple):
    """A place that a pointer may point to; `offset` is None where it can be any."""

    object: AbstractObject
    offset: int | None


def leaves(e: Expr, shift: int | None = 0) -> Iterator[tuple[Expr, int | None]]:
    """The registers and addresses that the value of `e` may carry on, moved by how much (or None).

    A comparison and a difference of pointers carry none.
    """
    match e:
        case Reg() | Addr() | FuncAddr():
            yield e, shift
        case Convert(a, _):
            yield from leaves(a, shift)
        case PtrAdd(p, Const(value)) if abs(value) < _FAR:
            yield from leaves(p, None if shift is None else shift + value)
        case PtrAdd(a, b) | Binary(_, a, b):
            yield from leaves(a, None)
            yield from leaves(b, None)
        case Unary(_, a):
            yield from leaves(a, None)
        case _:
            pass


def overlapping(layout: Layout, offset: int, size: int) -> list[Cell]:
    """The cells of the layout that share a byte with [offset, offset + size)."""
    cells = layout.cells
    k = max(bisect_right(cells, offset, key=lambda cell: cell.offset) - 1, 0)
    found = []
    while k < len(cells) and cells[k].offset < offset + size:
        if offset < cells[k].offset + cells[k].type.size:
            found.append(cells[k])
        k += 1
    return found


class PointsTo:
    """The least solution for a program, computed on construction."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.objects: list[AbstractObject] = []
        self._numbers: dict[AbstractObject, int] = {}
        self._layouts: list[Layout | None] = []
        self._left: set[int] = set()
        self._solver = Solver(self._moved_on, self._range)
        self._registers: dict[tuple[str, str], int] = {}
        self._results = self._solver.node()
        self._declare()
        for name, template in program.templates.items():
            for i, location in enumerate(template.locations):
                for k, edge in enumerate(location.edges):
                    for n, effect in enumerate(edge.effects):
                        self._constrain(name, effect, Heap(name, i, k, n))
        self._solver.solve()

    # -- the answers ----------------------------------------------------------------------------

    def targets(self, template: str, e: Expr) -> tuple[Target, ...]:
        """Where the value of `e`, evaluated by a thread of the template, may point."""
        found: dict[Target, None] = {}
        for leaf, shift in leaves(e):
            if isinstance(leaf, Reg):
                pointers = self._solver.pointers(self._register(template, leaf.name))
            else:
                pointers = (self._address(template, leaf),)
            for pointer in pointers:
                o, k = self._moved(pointer, shift)
                found[Target(self.objects[o], k)] = None
        return tuple(found)

    def content(self, o: AbstractObject) -> tuple[AbstractObject, ...]:
        """The objects that the cells of `o` may point to."""
        pointers = self._solver.pointers(self._solver.any_read(self._numbers[o]))
        return tuple(dict.fromkeys(self.objects[n] for n, _ in pointers))

    def cells(self, target: Target, size: int) -> tuple[int, ...] | None:
        """The offsets of the cells that an access at `target` may touch; None for any cell."""
        number = self._numbers[target.object]
        found = self._range((number, target.offset), size)
        return None if found is None else tuple(cell.offset for cell in found)

    def in_first_element(self, o: AbstractObject) -> bool:
        """Whether the offsets of pointers into `o` are exact where they are known: none is moved by
        a known distance from one element of a heap object into another one."""
        return self._numbers[o] not in self._left

    # -- objects --------------------------------------------------------------------------------

    def _number(self, o: AbstractObject, layout: Layout | None) -> int:
        number = self._numbers.get(o)
        if number is None:
            number = self._numbers[o] = len(self.objects)
            self.objects.append(o)
            self._layouts.append(layout)
        return number

    def _declare(self) -> None:
        program = self._program
        for function in program.functions:
            self._number(Function(function), None)
        declared: list[tuple[str, AbstractObject, MemoryObject]] = [
            ("", Static(name), o) for name, o in program.objects.items()
        ]
        for template in program.templates.values():
            declared += [
                (template.name, Local(template.name, name), o)
                for name, o in template.locals.items()
            ]
        for _, abstract, o in declared:
            self._number(abstract, o.layout)
        for scope, abstract, o in declared:
            for cell, initial in zip(o.layout.cells, o.initial, strict=True):
                if isinstance(initial, (Addr, FuncAddr)):
                    node = self._solver.cell(self._numbers[abstract], cell.offset)
                    self._solver.add(node, self._address(scope, initial))

    def _address(self, template: str, e: Initial | Expr) -> Pointer:
        if isinstance(e, FuncAddr):
            return self._numbers[Function(e.function)], None
        assert isinstance(e, Addr)
        number = self._numbers.get(Local(template, e.object))
        if number is None:
            number = self._numbers[Static(e.object)]
        return self._moved((number, 0), e.offset)

    def _moved(self, pointer: Pointer, shift: int | None) -> Pointer:
        """The pointer moved by so many bytes."""
        number, offset = pointer
        layout = self._layouts[number]
        if offset is None or shift is None or layout is None:
            return number, None
        offset += shift
        if isinstance(self.objects[number], Heap):
            return number, offset % layout.size if layout.size else None
        return number, offset if 0 <= offset <= layout.size else None

    def _moved_on(self, pointer: Pointer, shift: int | None) -> Pointer:
        """The pointer moved by so many bytes, for good."""
        number, offset = pointer
        moved = self._moved(pointer, shift)
        if offset is None or shift is None or not isinstance(self.objects[number], Heap):
            return moved
        if moved[1] != offset + shift:
            self._left.add(number)
        return moved

    def _range(self, pointer: Pointer, size: int) -> list[Cell] | None:
        """The cells that an access may touch; None for any cell."""
        number, offset = pointer
        layout = self._layouts[number]
        if layout is None:
            return []
        if offset is None:
            return None
        if isinstance(self.objects[number], Heap) and offset + size > layout.size:
            return None  # into the next element
        return overlapping(layout, offset, size)

    # -- constraints ----------------------------------------------------------------------------

    def _register(self, template: str, name: str) -> int:
        key = (template, name)
        node = self._registers.get(key)
        if node is None:
            node = self._registers[key] = self._solver.node()
        return node

    def _value(self, template: str, e: Expr) -> int:
        """A node that includes where the value of `e` may point."""
        if isinstance(e, Reg):
            return self._register(template, e.name)
        node = self._solver.node()
        self._flow(template, e, node)
        return node

    def _flow(self, template: str, e: Expr, node: int) -> None:
        for leaf, shift in leaves(e):
            if isinstance(leaf, Reg):
                self._solver.include(self._register(template, leaf.name), node, shift)
            else:
                self._solver.add(node, self._moved(self._address(template, leaf), shift))

    def _constrain(self, template: str, effect: Effect, site: Heap) -> None:
        solver = self._solver
        match effect:
            case Assign(target, value):
                self._flow(template, value, self._register(template, target.name))
            case ChooseBit(target, mask):
                node = self._register(template, target.name)
                solver.include(self._value(template, mask), node, None)
            case Load(target, address):
                node = self._register(template, target.name)
                solver.load(self._value(template, address), node, target.type.size)
            case Store(address, value):
                source = self._value(template, value)
                solver.store(self._value(template, address), source, value.type.size)
            case Copy(to, of, size):
                solver.copy(self._value(template, to), self._value(template, of), size)
            case Alloc(target, element):
                node = self._register(template, target.name)
                solver.add(node, (self._number(site, element), 0 if element.size else None))
            case Spawn(_, child, argument):
                self._flow(template, argument, self._register(child, "$arg"))
            case Join(target, _):
                solver.include(self._results, self._register(template, target.name), 0)
            case Finish(result):
                self._flow(template, result, self._results)
            case _:
                pass
