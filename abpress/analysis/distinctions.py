"""The values of a register that the program can tell apart, wherever they are copied to.

A flow-insensitive backward analysis over registers and cells: what an expression tells apart of
the only register in it, and what is told apart of the place that it is assigned to, is told apart
of the register. Of a place whose values are used in any other way all are told apart.

Cells are followed in objects of which no address is taken: those that only Load and Store name,
with the types of their cells. Arrays are one place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from abpress.analysis.value_classes import (
    Classes,
    Pieces,
    Untold,
    analyse,
    told_apart,
    told_apart_before,
)
from abpress.ir.expr import (
    Addr,
    Binary,
    Compare,
    Const,
    Expr,
    PtrAdd,
    Reg,
    children,
    registers,
    walk,
)
from abpress.ir.program import (
    Assign,
    Edge,
    Effect,
    Load,
    MemoryObject,
    Program,
    Store,
    Template,
    edges,
    effect_operands,
)
from abpress.ir.types import IntType, Scalar


class Object(NamedTuple):
    """A static object (`template` is empty), or a local one of a template."""

    template: str
    name: str


class ObjectCell(NamedTuple):
    """A cell of an object; an object that is accessed by variable offsets is one, at offset 0."""

    object: Object
    offset: int


class Register(NamedTuple):
    """A register of a template."""

    template: str
    name: str


Place = Register | ObjectCell


class Distinctions:
    """The answers for one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._objects = _Objects(program)
        self._found: dict[Place, Classes | None] = {}
        self._copies: dict[Place, list[tuple[Place, Pieces]]] = {}
        for template in program.templates.values():
            for _, edge in edges(template):
                self._edge(template, edge)
        self._solve()

    def of(self, template: str, register: str) -> Classes | None:
        """What is told apart of the register's values; None if that is not known."""
        return self._found.get(Register(template, register), Classes())

    # -- uses -----------------------------------------------------------------------------------

    def _edge(self, template: Template, edge: Edge) -> None:
        guard = edge.guard
        if isinstance(guard.type, IntType):
            guard = Compare("!=", guard, Const(0, guard.type))
        self._use(template, guard)
        for effect in edge.effects:
            self._effect(template, effect)

    def _effect(self, template: Template, effect: Effect) -> None:
        match effect:
            case Assign(target, value):
                self._flow(template, value, Register(template.name, target.name))
            case Load(target, address):
                self._use(template, address)
                cell = self._objects.cell(template, address)
                if cell is not None and isinstance(target.type, IntType):
                    to = Register(template.name, target.name)
                    same = analyse(target, target, self._program.signed_overflow)
                    self._copies.setdefault(to, []).append((cell, same))
            case Store(address, value):
                self._use(template, address)
                cell = self._objects.cell(template, address)
                if cell is None:
                    self._use(template, value)
                else:
                    self._flow(template, value, cell)
            case _:
                for operand in effect_operands(effect):
                    self._use(template, operand)

    def _use(self, template: Template, e: Expr) -> None:
        """Notes that the value of `e` matters."""
        names = registers(e)
        if len(names) > 1:
            for child in children(e):
                self._use(template, child)
            return
        for name in names:
            pieces = self._pieces(template, e, name)
            try:
                if pieces is None:
                    raise Untold
                self._tell(Register(template.name, name), told_apart(pieces))
            except Untold:
                self._found[Register(template.name, name)] = None

    def _flow(self, template: Template, e: Expr, to: Place) -> None:
        """Notes that the value of `e` goes to a place."""
        names = registers(e)
        if len(names) != 1:
            self._use(template, e)
            return
        (name,) = names
        pieces = self._pieces(template, e, name)
        if pieces is None:
            self._found[Register(template.name, name)] = None
        else:
            self._copies.setdefault(to, []).append((Register(template.name, name), pieces))

    def _pieces(self, template: Template, e: Expr, name: str) -> Pieces | None:
        type = template.registers.get(name)
        if not isinstance(type, IntType):
            return None
        try:
            return analyse(e, Reg(name, type), self._program.signed_overflow)
        except Untold:
            return None

    def _tell(self, place: Place, classes: Classes) -> bool:
        """Whether that is news. Raises Untold."""
        old = self._found.get(place, Classes())
        if old is None:
            return False
        new = old.joined(classes)
        self._found[place] = new
        return new != old

    # -- copies ---------------------------------------------------------------------------------

    def _solve(self) -> None:
        pending = list(self._copies)
        while pending:
            to = pending.pop()
            after = self._found.get(to, Classes())
            for place, pieces in self._copies.get(to, ()):
                if place in self._found and self._found[place] is None:
                    continue
                try:
                    if after is None:
                        news = self._tell(place, told_apart(pieces))
                    else:
                        news = self._tell(place, told_apart_before(pieces, after))
                except Untold:
                    self._found[place] = None
                    news = True
                if news:
                    pending.append(place)


class _Objects:
    """Which cells can be followed."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._lost: set[Object] = set()
        self._arrays: set[Object] = set()
        for o in program.objects.values():
            self._lose_initial("", o)
        for template in program.templates.values():
            for o in template.locals.values():
                self._lose_initial(template.name, o)
            for _, edge in edges(template):
                self._lose(template, edge.guard)
                for effect in edge.effects:
                    self._look(template, effect)

    def cell(self, template: Template, address: Expr) -> ObjectCell | None:
        """The cell that an access at `address` is to, if it can be followed."""
        base, _ = _split(address)
        if base is None:
            return None
        object = self._object(template, base)
        if object in self._lost:
            return None
        return ObjectCell(object, 0 if object in self._arrays else base.offset)

    def _object(self, template: Template, base: Addr) -> Object:
        return Object(template.name if base.object in template.locals else "", base.object)

    def _lose_initial(self, template: str, o: MemoryObject) -> None:
        for initial in o.initial:
            if isinstance(initial, Addr):
                locals = self._program.templates[template].locals if template else {}
                self._lost.add(Object(template if initial.object in locals else "", initial.object))

    def _lose(self, template: Template, e: Expr) -> None:
        """Gives up the objects whose addresses are in `e`: these get about."""
        for base in _addresses(e):
            self._lost.add(self._object(template, base))

    def _look(self, template: Template, effect: Effect) -> None:
        match effect:
            case Load(target, address):
                self._access(template, address, target.type)
            case Store(address, value):
                self._access(template, address, value.type)
                self._lose(template, value)
            case _:
                for operand in effect_operands(effect):
                    self._lose(template, operand)

    def _access(self, template: Template, address: Expr, type: Scalar) -> None:
        base, distance = _split(address)
        if base is None:
            self._lose(template, address)
            return
        object = self._object(template, base)
        o = template.locals.get(base.object) or self._program.objects[base.object]
        if distance is None:
            k = o.layout.index.get(base.offset)
            if k is None or o.layout.cells[k].type != type:
                self._lost.add(object)
            return
        self._lose(template, distance)
        self._arrays.add(object)
        regular = all(
            cell.type == type and cell.offset == k * type.size
            for k, cell in enumerate(o.layout.cells)
        )
        if not regular or base.offset % type.size or not _is_multiple(distance, type.size):
            self._lost.add(object)


def _split(address: Expr) -> tuple[Addr | None, Expr | None]:
    """The base and the variable distance of an address; no base where it is a pointer's value."""
    match address:
        case Addr():
            return address, None
        case PtrAdd(Addr() as base, distance):
            return base, distance
        case _:
            return None, None


def _is_multiple(distance: Expr, size: int) -> bool:
    match distance:
        case Const(value):
            return value % size == 0
        case Binary("*", _, Const(factor)) | Binary("*", Const(factor), _):
            return factor % size == 0
        case _:
            return size == 1


def _addresses(e: Expr) -> Iterator[Addr]:
    return (sub for sub in walk(e) if isinstance(sub, Addr))
