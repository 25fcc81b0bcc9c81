"""Memory as the analysis names it: spots, which are cells of objects of one origin.

An origin is *singular* if it has one object at most in an execution (more than one only one after
the other, as a local variable that a loop enters again). Spots of singular origins are what facts
are about, and spots of the local variables of the thread that looks. Of all others there is a
summary: what was ever written to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from abpress.analysis.points_to import (
    AbstractObject,
    Function,
    Heap,
    Local,
    PointsTo,
    Static,
    Target,
)
from abpress.analysis.registers import TID, maybe_undefined
from abpress.ir.expr import Addr, Const, Expr, FuncAddr, registers
from abpress.ir.passes.liveness import Liveness
from abpress.ir.program import (
    Alloc,
    Initial,
    MemoryObject,
    Program,
    Store,
    Template,
    edges,
)
from abpress.ir.types import Cell, Layout, PtrType, Scalar
from abpress.modular.classes import ThreadClasses
from abpress.modular.values import (
    ZERO,
    AddressOf,
    Number,
    Origin,
    Routine,
    Value,
)

MOST_CELLS = 64
"""Objects with more cells are summarised."""


EACH = "each "
"""How the kinds of origins begin that stand for all objects of one, and all their elements."""


class Spot(NamedTuple):
    """A cell of the objects of an origin: its offset (in summaries: from its element's start)."""

    origin: Origin
    offset: int


def status(cls: int) -> Spot:
    """What tells if threads of a class run: 0 for not yet, 1 for running, 2 for finished.

    If the class is many: 0 for none yet, else 1.
    """
    return Spot(Origin("thread", cls, ""), 0)


def made(heap: Origin) -> Spot:
    """What tells if a place of allocation has been passed: 0 or 1."""
    return Spot(Origin("made", heap.owner, heap.name), 0)


def site_name(location: int, edge: int, effect: int) -> str:
    """The name of a place of allocation in a template."""
    return f"{location}.{edge}.{effect}"


def allocations(template: Template) -> Iterator[tuple[int, int, int, Alloc]]:
    """The allocations in a template: location, edge, number of the effect, and the effect."""
    for i, location in enumerate(template.locations):
        for k, edge in enumerate(location.edges):
            for n, effect in enumerate(edge.effects):
                if isinstance(effect, Alloc):
                    yield i, k, n, effect


@dataclass(slots=True)
class Aimed:
    """Where an access may go, in one origin: `offset`, plus multiples of `stride` if that is not 0.

    `own`: the object was made by the thread itself; `fresh`: nobody else can have its address.
    """

    origin: Origin
    offset: int
    stride: int
    own: bool
    fresh: bool = False


@dataclass
class Spots:
    """The objects of a program, by origin. Mutable: `repeated` are the heap origins that have had
    more than one object."""

    program: Program
    classes: ThreadClasses
    points_to: PointsTo
    repeated: set[Origin] = field(default_factory=set)
    _layouts: dict[Origin, Layout | None] = field(default_factory=dict)
    _periods: dict[Origin, int] = field(default_factory=dict)
    _liveness: dict[str, Liveness] = field(default_factory=dict)
    _unset: dict[str, frozenset[str]] = field(default_factory=dict)

    def layout(self, origin: Origin) -> Layout | None:
        """The cells of the origin's objects; of a heap object of unknown size, of one element."""
        if origin not in self._layouts:
            self._layouts[origin] = self._layout(origin)
        return self._layouts[origin]

    def _layout(self, origin: Origin) -> Layout | None:
        match origin:
            case Origin("static", _, name):
                return self.program.objects[name].layout
            case Origin("local", owner, name):
                return self.classes.template(owner).locals[name].layout
            case Origin("heap", owner, name):
                alloc = self.allocation(origin)
                if isinstance(alloc.count, Const):
                    count = alloc.count.value
                    if 0 < count * len(alloc.element.cells) <= MOST_CELLS:
                        return alloc.element.repeat(count)
                return alloc.element
            case _:
                return None

    def liveness(self, template: str) -> Liveness:
        """Which registers of a template are read again."""
        if template not in self._liveness:
            self._liveness[template] = Liveness(self.program.templates[template])
        return self._liveness[template]

    def unset(self, template: str) -> frozenset[str]:
        """The registers of a template that may hold no value somewhere."""
        if template not in self._unset:
            its = self.program.templates[template]
            live = [self.liveness(template).at(i) for i in range(len(its.locations))]
            self._unset[template] = frozenset().union(*maybe_undefined(its, live))
        return self._unset[template]

    def allocation(self, origin: Origin) -> Alloc:
        """The effect that makes the heap objects of an origin."""
        location, edge, effect = map(int, origin.name.split("."))
        found = self.classes.template(origin.owner).locations[location].edges[edge].effects[effect]
        assert isinstance(found, Alloc)
        return found

    def singular(self, origin: Origin) -> bool:
        """Whether there is at most one object of the origin at a time, whoever looks."""
        match origin.kind:
            case "static":
                return True
            case "local":
                return self.classes.unique(origin.owner)
            case "heap":
                return self.classes.unique(origin.owner) and origin not in self.repeated
            case _:
                return not origin.kind.startswith(EACH)

    def each(self, spot: Spot) -> Spot:
        """A cell of any object of the origin, and of any element, as one cell."""
        kind, owner, name = spot.origin
        period = self.period(spot.origin)
        offset = spot.offset % period if period else spot.offset
        return Spot(Origin(EACH + kind, owner, name), offset)

    def told_apart(self, origin: Origin, cell: Cell) -> bool:
        """Whether threads may know what such a cell holds by its address: ids, and pointers."""
        if not self.by_address:
            return False
        if isinstance(cell.type, PtrType):
            return True
        return (cell.type, self._object(origin)) in self._with_ids

    def _object(self, origin: Origin) -> AbstractObject | None:
        match origin:
            case Origin("static", _, name):
                return Static(name)
            case Origin("local", owner, name):
                return Local(self.classes.listed[owner].template, name)
            case Origin("heap", owner, name):
                location, edge, effect = map(int, name.split("."))
                return Heap(self.classes.listed[owner].template, location, edge, effect)
            case _:
                return None

    @cached_property
    def by_address(self) -> bool:
        """Whether anything is known of cells by their addresses: only if some thread writes its id
        to what may be one of several cells, or on the heap."""
        return any(
            len(targets) > 1 or isinstance(target.object, Heap) or target.offset is None
            for _, targets in self._ids
            for target in targets
        )

    @cached_property
    def _with_ids(self) -> frozenset[tuple[Scalar, AbstractObject]]:
        """The objects to which threads write what they make of their ids, with its type."""
        return frozenset((type, target.object) for type, its in self._ids for target in its)

    @cached_property
    def _ids(self) -> list[tuple[Scalar, tuple[Target, ...]]]:
        """Where threads write what they make of their ids, and of which type that is."""
        return [
            (effect.value.type, self.points_to.targets(name, effect.address))
            for name, template in self.program.templates.items()
            for _, edge in edges(template)
            for effect in edge.effects
            if isinstance(effect, Store) and TID in registers(effect.value)
        ]

    def followed(self, origin: Origin, own: bool) -> bool:
        """Whether there are facts about the origin's cells (of one's own object, if it is own)."""
        if not (self.singular(origin) or (own and origin.kind == "local")):
            return False
        layout = self.layout(origin)
        if layout is None or not 0 < len(layout.cells) <= MOST_CELLS:
            return False
        return origin.kind != "heap" or self._whole(origin)

    def _whole(self, origin: Origin) -> bool:
        """Whether the layout is that of the whole object."""
        alloc = self.allocation(origin)
        layout = self.layout(origin)
        assert layout is not None
        return (
            isinstance(alloc.count, Const) and layout.size == alloc.count.value * alloc.element.size
        )

    def period(self, origin: Origin) -> int:
        """The size of an element, if the object is an array; else of the object; 0 if unknown."""
        if origin not in self._periods:
            self._periods[origin] = self._period(origin)
        return self._periods[origin]

    def _period(self, origin: Origin) -> int:
        if origin.kind == "heap":
            return self.allocation(origin).element.size
        layout = self.layout(origin)
        if layout is None:
            return 0
        second = (cell.offset for cell in layout.cells if cell.path.startswith("[1]"))
        return next(second, layout.size)

    @cached_property
    def _summary_cells(self) -> dict[Origin, tuple[Cell, ...]]:
        return {}

    def summary_cells(self, origin: Origin) -> tuple[Cell, ...]:
        """The cells of one element."""
        found = self._summary_cells.get(origin)
        if found is None:
            layout, period = self.layout(origin), self.period(origin)
            cells = () if layout is None else layout.cells
            found = tuple(cell for cell in cells if cell.offset < period)
            self._summary_cells[origin] = found
        return found

    def touched(self, aim: Aimed, size: int, summary: bool) -> list[tuple[Spot, Cell, bool]]:
        """The spots that an access may touch, with their cells, and if it may cover them exactly.

        Of a summary, or of the object.
        """
        found: list[tuple[Spot, Cell, bool]] = []
        layout = self.layout(aim.origin)
        if layout is None:
            return found
        period = self.period(aim.origin) if summary else 0
        cells = self.summary_cells(aim.origin) if summary else layout.cells
        step = _gcd(aim.stride, period)
        for cell in cells:
            distance = aim.offset - cell.offset
            if step:
                distance %= step
                exact = distance == 0
                # The access begins within the cell, or before it and reaches into it.
                overlaps = distance < cell.type.size or distance + size > step
            else:
                exact = distance == 0
                overlaps = -size < distance < cell.type.size
            if overlaps:
                found.append((Spot(aim.origin, cell.offset), cell, exact))
        return found

    def covers(self, aim: Aimed, size: int) -> bool:
        """Whether two accesses of a size that go there share all of their bytes, or none."""
        step = _gcd(aim.stride, self.period(aim.origin)) if aim.stride else 0
        return not step or step >= size

    def anywhere(self, cls: int, address: Expr) -> list[Aimed]:
        """Where an address of which nothing else is known may point, by the points-to sets."""
        found = []
        for target in self.points_to.targets(self.classes.listed[cls].template, address):
            offset, stride = (0, 1) if target.offset is None else (target.offset, 0)
            match target.object:
                case Static(name):
                    found.append(Aimed(Origin("static", -1, name), offset, stride, False))
                case Local(template, name):
                    found += [
                        Aimed(Origin("local", k, name), offset, stride, False)
                        for k in self.classes.of_template(template)
                    ]
                case Heap(template, location, edge, effect):
                    name = site_name(location, edge, effect)
                    for k in self.classes.of_template(template):
                        origin = Origin("heap", k, name)
                        period = 1 if stride else self.period(origin) or 1
                        found.append(Aimed(origin, offset, period, False))
                case Function():
                    pass
        return found

    def initial(self, o: MemoryObject, cls: int) -> list[Value]:
        """The values of the cells of an object of the program, or of a class, when it begins."""
        return [self._initial(value, cls) for value in o.initial]

    def _initial(self, value: Initial, cls: int) -> Value:
        match value:
            case Const(n, _):
                return ZERO if n == 0 else frozenset({Number(n)})
            case Addr(name, offset, _):
                return frozenset({self.address(self.named(name, cls), offset)})
            case FuncAddr(name, _):
                return frozenset({Routine(name)})
            case None:
                return None

    def address(self, origin: Origin, offset: int = 0) -> AddressOf:
        """The address of a byte of an object that the thread that looks has made."""
        return AddressOf(origin, offset, 0, not self.singular(origin))

    def named(self, name: str, cls: int) -> Origin:
        """The origin that the code of a class means by the name of an object."""
        if cls >= 0 and name in self.classes.template(cls).locals:
            return Origin("local", cls, name)
        return Origin("static", -1, name)


def _gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a


def same_size(cell: Cell, type: Scalar) -> bool:
    """Whether a value of the type fills the cell."""
    return cell.type.size == type.size
