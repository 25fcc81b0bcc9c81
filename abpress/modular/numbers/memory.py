"""Memory as numeric facts name it: cells that hold integers, by the objects that hold them.

A cell is named by a text. It stands for one scalar of one object, or is a *summary*: of one member
of all elements of an array whose index is not known, of all objects that one place allocates, or of
the local objects of all instances of a template. Objects that are accessed in other sizes than
those of their scalars have no cells: nothing is known of what they hold. Accesses stay in the
objects that their addresses are made for, as `abpress.analysis.points_to` says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import gcd

from abpress.analysis.congruence import Congruence, Congruences
from abpress.analysis.points_to import (
    AbstractObject,
    Function,
    Heap,
    Local,
    PointsTo,
    Static,
    name_of,
)
from abpress.ir.expr import Const, Expr
from abpress.ir.intervals import Interval, hull
from abpress.ir.program import (
    Alloc,
    Copy,
    Effect,
    Finish,
    Initial,
    Load,
    Program,
    Spawn,
    Store,
    edges,
    effect_operands,
)
from abpress.ir.types import IntType, Layout, Scalar
from abpress.modular.threads import SoleThreads

MOST_CELLS = 64
"""Objects with more scalars are summarised."""


@dataclass(frozen=True, slots=True)
class NumericAccess:
    """The cells that a load or a store may go to; `exact`: it is the only cell, of one object.

    `complete`: it goes to nothing that has no cell.
    """

    cells: tuple[str, ...]
    exact: bool
    complete: bool


@dataclass(frozen=True, slots=True)
class Repeated:
    """Of which cells of an array a summary is: those that are `offset` bytes behind the begin of
    elements of `stride` bytes."""

    object: AbstractObject
    offset: int
    stride: int


@dataclass(slots=True)
class _Use:
    """How an object is accessed. Mutable."""

    places: set[tuple[Congruence, int]] = field(default_factory=set)
    mangled: bool = False
    templates: set[str] = field(default_factory=set)


class NumericMemory:
    """The cells of a program."""

    def __init__(self, program: Program, points_to: PointsTo) -> None:
        self._program = program
        self._points_to = points_to
        self._threads = SoleThreads(program)
        self._accesses: dict[tuple[str, Expr, int], NumericAccess] = {}
        self._congruences = Congruences(program, points_to)
        self._uses: dict[AbstractObject, _Use] = {}
        self._escaped = set(self._escaping())
        self._note_uses()
        self.types: dict[str, IntType] = {}
        self.initial: dict[str, Interval] = {}
        self.own: dict[str, set[str]] = {name: set() for name in program.templates}
        self.exact: set[str] = set()
        self.repeated: dict[str, Repeated] = {}
        self.allocated_elements: dict[str, Repeated] = {}
        self._on_heap: set[str] = set()
        self._names: dict[AbstractObject, dict[int, str]] = {}
        self._strides: dict[AbstractObject, int] = {}
        for o in self._objects():
            self._name(o)

    @property
    def single_main(self) -> bool:
        """Whether the first thread is the only one with its template."""
        return self._program.main in self._threads.single

    def access(self, template: str, address: Expr, size: int) -> NumericAccess:
        """Where an access by a thread of the template may go."""
        key = template, address, size
        found = self._accesses.get(key)
        if found is None:
            found = self._accesses[key] = self._access(template, address)
        return found

    def static(self, name: str) -> tuple[str, ...]:
        """The cells of a static object."""
        return tuple(dict.fromkeys(self._names.get(Static(name), {}).values()))

    def begun(self, template: str, name: str) -> Mapping[str, Interval]:
        """The cells of a local object of the template, with what they hold when it begins."""
        cells = self._names.get(Local(template, name), {})
        return {cell: self.initial[cell] for cell in dict.fromkeys(cells.values())}

    def is_allocated(self, cell: str) -> bool:
        """Whether a cell is of what an effect allocates."""
        return cell in self._on_heap

    def allocated(self, site: Heap, zeroed: bool) -> Mapping[str, Interval]:
        """The cells of what an effect allocates, with what they hold then."""
        cells = dict.fromkeys(self._names.get(site, {}).values())
        return {
            c: (0, 0) if zeroed else (self.types[c].minimum, self.types[c].maximum) for c in cells
        }

    def allocation(self, site: Heap) -> Alloc:
        """The effect of a place of allocation."""
        location = self._program.templates[site.template].locations[site.location]
        alloc = location.edges[site.edge].effects[site.effect]
        assert isinstance(alloc, Alloc)
        return alloc

    # -- how objects are used -------------------------------------------------------------------

    def _effects(self) -> Iterator[tuple[str, Effect]]:
        for name, template in self._program.templates.items():
            for _, edge in edges(template):
                for effect in edge.effects:
                    yield name, effect

    def _escaping(self) -> Iterator[AbstractObject]:
        """The objects whose addresses are stored in memory, or given to another thread."""
        for o in self._points_to.objects:
            if not isinstance(o, Function):
                yield from self._points_to.content(o)
        for name, effect in self._effects():
            if isinstance(effect, Spawn | Finish):
                for e in effect_operands(effect):
                    yield from (t.object for t in self._points_to.targets(name, e))

    def _note_uses(self) -> None:
        for name, effect in self._effects():
            match effect:
                case Load(target, address):
                    self._note(name, address, target.type.size)
                case Store(address, value):
                    self._note(name, address, value.type.size)
                case Copy(target, source, _):
                    for e in (target, source):
                        for t in self._points_to.targets(name, e):
                            self._uses.setdefault(t.object, _Use()).mangled = True
                case _:
                    pass

    def _note(self, template: str, address: Expr, size: int) -> None:
        for o, its in self._congruences.targets(template, address).items():
            use = self._uses.setdefault(o, _Use())
            use.templates.add(template)
            use.places.add((its, size))

    def _stride(self, o: AbstractObject, layout: Layout, use: _Use) -> int:
        """Cells with distances of multiples of it have one name; 0: each has a name of its own."""
        stride = gcd(*(stride for (_, stride), _ in use.places))
        if len(layout.cells) > MOST_CELLS:
            second = (cell.offset for cell in layout.cells if cell.path.startswith("[1]"))
            stride = gcd(stride, next(second, layout.cells[0].type.size))
        return 0 if isinstance(o, Heap) and stride % layout.size == 0 else stride

    # -- cells ----------------------------------------------------------------------------------

    def _objects(self) -> Iterator[AbstractObject]:
        yield from (o for o in self._points_to.objects if not isinstance(o, Function))

    def _layout(self, o: AbstractObject) -> Layout | None:
        match o:
            case Static(name):
                return self._program.objects[name].layout
            case Local(template, name):
                return self._program.templates[template].locals[name].layout
            case Heap():
                return self.allocation(o).element
            case Function():
                return None

    def _name(self, o: AbstractObject) -> None:
        layout, use = self._layout(o), self._uses.get(o, _Use())
        if layout is None or use.mangled or not layout.cells:
            return
        stride = self._stride(o, layout, use)
        classes: dict[int, Scalar] = {}
        for cell in layout.cells:
            of = cell.offset % stride if stride else cell.offset
            if classes.setdefault(of, cell.type) != cell.type:
                return
        for (offset, its), size in use.places:
            of = self._class(o, layout, stride, offset)
            misplaced = not its and offset not in layout.index
            if misplaced or of not in classes or classes[of].size != size:
                return
        initial = self._initial(o, layout)
        names: dict[int, str] = {}
        for cell, value in zip(layout.cells, initial, strict=True):
            if not isinstance(cell.type, IntType):
                continue
            of = cell.offset % stride if stride else cell.offset
            name = f"{name_of(o)}+{of}"
            if stride:
                name = f"{name}%{stride}" if len(classes) > 1 else name_of(o)
            names[of] = name
            self.types[name] = cell.type
            begun = _begun(value, cell.type)
            known = self.initial.get(name)
            self.initial[name] = begun if known is None else hull((known, begun)) or begun
        self._names[o] = names
        self._strides[o] = stride
        if isinstance(o, Heap):
            self._on_heap.update(names.values())
            self._note_array(o, layout, names)
        if stride:
            self.repeated.update((name, Repeated(o, of, stride)) for of, name in names.items())
        else:
            self._classify(o, use, names)

    def _class(self, o: AbstractObject, layout: Layout, stride: int, offset: int) -> int:
        """What the cells have in common to which an access at an offset goes."""
        if stride:
            return offset % stride
        return offset % layout.size if isinstance(o, Heap) and layout.size else offset

    def _classify(self, o: AbstractObject, use: _Use, names: Mapping[int, str]) -> None:
        """Notes which cells stand for one scalar, and which only one thread ever accesses."""
        main = self._program.main
        match o:
            case Static():
                self.exact.update(names.values())
            case Local(template, _):
                single = template == main and self.single_main
                if o not in self._escaped or (single and use.templates <= {main}):
                    self.exact.update(names.values())
                    self.own[template].update(names.values())
                elif template in self._threads.single:
                    self.exact.update(names.values())
            case Heap():
                if self._is_one(o):
                    self.exact.update(names.values())
            case _:
                pass

    def _note_array(self, site: Heap, layout: Layout, names: Mapping[int, str]) -> None:
        """Notes of which cells of elements the names are."""
        if self._strides[site] in (0, layout.size):
            for of, name in names.items():
                self.allocated_elements[name] = Repeated(site, of, layout.size)

    def _is_one(self, site: Heap) -> bool:
        """Whether what a place allocates is one object at most, with one element."""
        again = self._threads.again(site.template, site.location)
        one = isinstance(count := self.allocation(site).count, Const) and count.value == 1
        return one and site.template in self._threads.single and not again

    def _initial(self, o: AbstractObject, layout: Layout) -> tuple[Initial, ...]:
        match o:
            case Static(name):
                return self._program.objects[name].initial
            case Local(template, name):
                return self._program.templates[template].locals[name].initial
            case _:
                return (None,) * len(layout.cells)

    def _access(self, template: str, address: Expr) -> NumericAccess:
        cells: dict[str, None] = {}
        targets = self._congruences.targets(template, address)
        complete = bool(targets)
        for o, (offset, _) in targets.items():
            if isinstance(o, Function):
                continue
            names, layout = self._names.get(o), self._layout(o)
            of = None if layout is None else self._class(o, layout, self._strides.get(o, 0), offset)
            if names is None or of not in names:
                complete = False
            else:
                cells[names[of]] = None
        found = tuple(cells)
        exact = complete and len(targets) == 1 and len(found) == 1 and found[0] in self.exact
        return NumericAccess(found, exact, complete)


def _begun(value: Initial, type: IntType) -> Interval:
    if isinstance(value, Const):
        n = type.wrap(value.value)
        return n, n
    return type.minimum, type.maximum
