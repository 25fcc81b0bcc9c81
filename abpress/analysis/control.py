"""Control variables: registers and cells that are in the discrete part where their value is known.

Pointers are control variables; of the integers, flow-insensitively,

- those from which an address, an allocation's size, or the thread to be joined is computed (the
  backward slice over assignments and memory), but for places in unbounded objects and the sizes of
  these (`analysis.array_objects`);
- those into which the id of a thread flows (owners of mutexes, sets of waiting threads), and what
  stands beside the owner of a mutex in its structure;
- cells to which only models of library functions write, and only numbers (the states of locks);
- cells that are never written, and registers that are loaded from such cells only;
- if asked for, the cells of given static objects, what is loaded from them, and what they get their
  values from. Any set is right; it decides what steps know and what formulas have to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from abpress.analysis.points_to import (
    AbstractObject,
    Function,
    Heap,
    Local,
    PointsTo,
    Static,
    leaves,
)
from abpress.analysis.registers import TID
from abpress.ir.expr import Const, Expr, Reg, registers
from abpress.ir.program import (
    Alloc,
    Assign,
    ChooseBit,
    Copy,
    Effect,
    Finish,
    Free,
    Havoc,
    Join,
    Load,
    Program,
    Spawn,
    Store,
    edges,
)
from abpress.ir.types import Layout, owned

Node = tuple[str, str] | tuple[AbstractObject, int | None]
"""A register (template, name), or a cell (object, offset; None for some cell of it)."""

_RESULTS: Node = ("", "results")
"""What threads finish with."""


class Control:
    """The control variables of a program."""

    def __init__(
        self,
        program: Program,
        points_to: PointsTo,
        tracked: frozenset[str] = frozenset(),
        unbounded: frozenset[AbstractObject] = frozenset(),
    ) -> None:
        self._points_to = points_to
        self._unbounded = unbounded
        self._sources: dict[Node, dict[Node, None]] = {}
        self._targets: dict[Node, dict[Node, None]] = {}
        self._written: set[Node] = set()
        self._data: set[Node] = set()  # written other than by library models with numbers
        self._offsets: dict[AbstractObject, set[int | None]] = {}
        self._inputs: set[Node] = set()
        seeds: dict[Node, None] = {}
        ids: dict[Node, None] = {}
        for name, template in program.templates.items():
            ids[name, TID] = None
            for _, edge in edges(template):
                for effect in edge.effects:
                    self._flows(name, effect)
                    self._note_data(name, effect, edge.position.in_model)
                    for e in () if self._may_vary(name, effect) else _deciding(effect):
                        seeds.update(((name, r), None) for r in registers(e))
                    if isinstance(effect, Spawn):
                        ids[name, effect.target.name] = None
                    if isinstance(effect, Havoc):
                        self._inputs.add((name, effect.target.name))
        for nodes in (self._sources, self._targets):
            self._connect_unknown(nodes)
        seeds.update(self._constants(program))
        seeds.update(self._tracked(program, tracked))
        with_ids = _closure(ids, self._targets)
        self._ids = with_ids
        self._control = _closure(seeds, self._sources) | with_ids | self._beside(program, with_ids)

    def register(self, template: str, name: str) -> bool:
        """Whether an integer register is a control variable."""
        return (template, name) in self._control

    def cell(self, o: AbstractObject, offset: int) -> bool:
        """Whether an integer cell is a control variable; offsets of heap objects count from the
        begin of the element."""
        if (o, offset) in self._control or (o, None) in self._control:
            return True
        return not {(o, offset), (o, None)} & self._data

    def gets_inputs(self, name: str) -> bool:
        """Whether an input may flow into a static object."""
        o = Static(name)
        cells: dict[Node, None] = {(o, offset): None for offset in self._offsets.get(o, ())}
        return not self._inputs.isdisjoint(_closure(cells, self._sources))

    def written(self, o: AbstractObject, offset: int) -> bool:
        """Whether a cell may be written after its lifetime has begun."""
        return (o, offset) in self._written or (o, None) in self._written

    def cells(self, o: AbstractObject) -> frozenset[Node]:
        """The cells of an object that are accessed, as far as they are told apart."""
        return frozenset((o, offset) for offset in self._offsets.get(o, ()))

    def holds_ids(self, o: AbstractObject) -> bool:
        """Whether the id of a thread may be in a cell of the object."""
        return not self._ids.isdisjoint(self.cells(o))

    @property
    def ids(self) -> frozenset[Node]:
        """The registers and cells into which the id of a thread may flow."""
        return self._ids

    def influenced(self, starts: Iterable[Node]) -> frozenset[Node]:
        """What may get a value that is computed from one of the starts."""
        targets: dict[Node, dict[Node, None]] = {}
        for to, sources in self._sources.items():
            for of in sources:
                targets.setdefault(of, {})[to] = None
        return _closure(dict.fromkeys(starts), targets)

    def reached(self, starts: Iterable[Node]) -> frozenset[Node]:
        """The starts, and the registers and cells into which their values may flow as they are, or
        moved."""
        return _closure(dict.fromkeys(starts), self._targets)

    def _constants(self, program: Program) -> dict[Node, None]:
        """The registers that are loaded, and from cells only that are never written."""
        loaded: dict[Node, bool] = {}
        for name, template in program.templates.items():
            for _, edge in edges(template):
                for effect in edge.effects:
                    if isinstance(effect, Load):
                        cells = list(self._cells(name, effect.address, effect.target.type.size))
                        node = (name, effect.target.name)
                        constant = bool(cells) and not any(self._may_be_written(c) for c in cells)
                        loaded[node] = loaded.get(node, True) and constant
        return {node: None for node, constant in loaded.items() if constant}

    def _tracked(self, program: Program, objects: frozenset[str]) -> dict[Node, None]:
        """The cells of static objects, and the registers that are loaded from them."""
        found: dict[Node, None] = {}
        for name in sorted(objects):
            found.update(
                {(Static(name), offset): None for offset in self._offsets.get(Static(name), ())}
            )
        for name, template in program.templates.items():
            for _, edge in edges(template):
                for effect in edge.effects:
                    if isinstance(effect, Load):
                        cells = list(self._cells(name, effect.address, effect.target.type.size))
                        if any(cell in found for cell in cells):
                            found[name, effect.target.name] = None
        return found

    def _may_be_written(self, cell: Node) -> bool:
        o, offset = cell
        if offset is None:
            return any(other == o for other, _ in self._written)
        return cell in self._written or (o, None) in self._written

    def _beside(self, program: Program, with_ids: frozenset[Node]) -> set[Node]:
        """The cells of the structures of which a cell holds the id of the thread that has it."""
        found: set[Node] = set()
        for o in {o for o, _ in with_ids if not isinstance(o, str)}:
            layout = _layout(program, o)
            inside = [
                structure + "."
                for cell in layout.cells
                if (structure := owned(cell.path)) is not None
                and {(o, cell.offset), (o, None)} & with_ids
            ]
            found.update(
                (o, cell.offset)
                for cell in layout.cells
                if any(cell.path.startswith(path) for path in inside)
            )
        return found

    def _may_vary(self, template: str, effect: Effect) -> bool:
        """Whether the effect accesses or allocates unbounded objects only."""
        match effect:
            case Load(_, e) | Store(e, _):
                targets = self._points_to.targets(template, e)
            case Alloc(e):
                targets = self._points_to.targets(template, e)
            case _:
                return False
        return bool(targets) and all(t.object in self._unbounded for t in targets)

    # -- flow -----------------------------------------------------------------------------------

    def _flow(self, of: Node, to: Node) -> None:
        self._targets.setdefault(of, {})[to] = None
        self._sources.setdefault(to, {})[of] = None

    def _flows(self, template: str, effect: Effect) -> None:
        match effect:
            case Assign(target, value) | ChooseBit(target, value):
                self._assign((template, target.name), template, value)
            case Load(target, address):
                for cell in self._cells(template, address, target.type.size):
                    self._flow(cell, (template, target.name))
            case Store(address, value):
                for cell in self._cells(template, address, value.type.size):
                    self._written.add(cell)
                    self._assign(cell, template, value)
            case Copy(to, of, size):
                for cell in self._cells(template, to, size):
                    self._written.add(cell)
                    for source in self._cells(template, of, size):
                        self._flow(source, cell)
            case Spawn(_, child, argument):
                self._assign((child, "$arg"), template, argument)
            case Finish(result):
                self._assign(_RESULTS, template, result)
            case Join(target, _):
                self._flow(_RESULTS, (template, target.name))
            case _:
                pass

    def _note_data(self, template: str, effect: Effect, library: bool) -> None:
        match effect:
            case Store(address, value) if not (library and isinstance(value, Const)):
                self._data.update(self._cells(template, address, value.type.size))
            case Copy(to, _, size):
                self._data.update(self._cells(template, to, size))
            case _:
                pass

    def _assign(self, to: Node, template: str, value: Expr) -> None:
        """Notes what `to` gets: thread ids flow where addresses do; a slice takes all registers."""
        self._sources.setdefault(to, {}).update(((template, r), None) for r in registers(value))
        for leaf, _ in leaves(value):
            if isinstance(leaf, Reg):
                self._targets.setdefault((template, leaf.name), {})[to] = None

    def _cells(self, template: str, address: Expr, size: int) -> Iterator[Node]:
        for target in self._points_to.targets(template, address):
            if isinstance(target.object, Function):
                continue
            offsets = self._points_to.cells(target, size)
            for offset in (None,) if offsets is None else offsets:
                self._offsets.setdefault(target.object, set()).add(offset)
                yield target.object, offset

    def _connect_unknown(self, nodes: dict[Node, dict[Node, None]]) -> None:
        """Relates an access to some cell of an object to all its cells."""
        for o, offsets in self._offsets.items():
            if None not in offsets:
                continue
            for offset in offsets - {None}:
                nodes.setdefault((o, None), {})[o, offset] = None
                nodes.setdefault((o, offset), {})[o, None] = None


def _layout(program: Program, o: AbstractObject) -> Layout:
    """The cells of an object, of a heap object of one element."""
    match o:
        case Static(name):
            return program.objects[name].layout
        case Local(template, name):
            return program.templates[template].locals[name].layout
        case Heap(template, location, edge, n):
            effect = program.templates[template].locations[location].edges[edge].effects[n]
            assert isinstance(effect, Alloc)
            return effect.element
        case Function():
            return Layout(0, ())


def _deciding(effect: Effect) -> Iterator[Expr]:
    """The expressions whose value has to be known to know what the effect accesses."""
    match effect:
        case Load(_, address) | Store(address, _) | Free(address):
            yield address
        case Copy(to, of, _):
            yield to
            yield of
        case Join(_, thread):
            yield thread
        case Alloc(count=count):
            yield count
        case _:
            pass


def _closure(starts: dict[Node, None], follow: dict[Node, dict[Node, None]]) -> frozenset[Node]:
    seen = set(starts)
    todo = list(starts)
    while todo:
        for node in follow.get(todo.pop(), ()):
            if node not in seen:
                seen.add(node)
                todo.append(node)
    return frozenset(seen)
