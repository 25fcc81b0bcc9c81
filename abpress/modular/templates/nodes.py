"""One object of those that some places allocate: a node of a list, say. NOTE(chosen-nodes)

Which one that is is chosen once and for all, and nothing is known of the choice. What its integers
hold is followed as any cell is; what others hold is arbitrary. For registers and static cells with
pointers to such objects there are variables that are 1 where they point to the chosen one; others
point anywhere. Who *owns* it is a variable, too: nobody until it is allocated, then the thread that
has done that, until its address is stored: then it is *published*. What is loaded is a pointer to
the chosen one only if that is published.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from abpress.analysis.points_to import Heap, PointsTo, Static, name_of
from abpress.ir.expr import Compare, Const, Convert, Expr, PtrAdd, Reg
from abpress.ir.program import Alloc, Copy, Effect, Load, Program, Store
from abpress.ir.types import INT, IntType, PtrType
from abpress.logic.formula import FALSE, Formula, disj, holds, neg
from abpress.modular.numbers.memory import NumericAccess, NumericMemory
from abpress.modular.templates.paths import AccessAt, ThreadPath, fold

NODE = INT
"""The type of variables that tell whether a pointer is to the chosen node: then they are 1."""

_OWNER, _READ = "[node] owner", "[node]"


def nodes_of(memory: NumericMemory) -> Mapping[str, Heap]:
    """The places that allocate one object with integers each time, by the names that groups have
    for what they allocate."""
    found: dict[str, Heap] = {}
    for its in memory.allocated_elements.values():
        assert isinstance(its.object, Heap)
        alloc = memory.allocation(its.object)
        if isinstance(alloc.count, Const) and alloc.count.value == 1 and not alloc.automatic:
            found[f"*{name_of(its.object)}"] = its.object
    return found


class ChosenNodes:
    """The chosen one of the objects that these places allocate; none where there are no places.
    `content` is what a cell holds at the begin of a step; `types` are those of variables that are
    no cells of memory."""

    def __init__(
        self,
        program: Program,
        points_to: PointsTo,
        memory: NumericMemory,
        places: Collection[Heap],
        content: Callable[[str], Expr],
    ) -> None:
        self._points_to = points_to
        self._memory = memory
        self._content = content
        self._places = frozenset(places)
        self._size = program.pointer_size
        first: dict[tuple[int, IntType], str] = {}
        self._members = {
            cell: first.setdefault((its.offset, memory.types[cell]), cell)
            for cell, its in sorted(memory.allocated_elements.items())
            if its.object in self._places
        }
        self._pointers = {
            (o, cell.offset): f"{name_of(o)}+{cell.offset}[node]"
            for o in map(Static, program.objects if places else ())
            for cell in program.objects[o.name].layout.cells
            if isinstance(cell.type, PtrType) and not self._places.isdisjoint(points_to.content(o))
        }
        ids = {_OWNER: program.thread_id} if places else {}
        self.types: Mapping[str, IntType] = dict.fromkeys(self._pointers.values(), NODE) | ids
        self._everybody = Const(program.thread_id.maximum, program.thread_id)

    def __contains__(self, cell: str) -> bool:
        """Whether it is a cell of such objects."""
        return cell in self._members

    # -- variables ------------------------------------------------------------------------------

    @property
    def initial(self) -> Mapping[str, Const]:
        """What pointers and the owner are at first: there is no node yet."""
        return {name: Const(0, type) for name, type in self.types.items()}

    @property
    def held(self) -> tuple[Reg, ...]:
        """The variables for what the node holds."""
        names = dict.fromkeys(self._members.values())
        return tuple(Reg(name, self._memory.types[name]) for name in names)

    @property
    def pointers(self) -> tuple[Reg, ...]:
        """The variables that tell of static cells whether they point to it."""
        return tuple(Reg(name, NODE) for name in self._pointers.values())

    @property
    def read_last(self) -> tuple[str, ...]:
        """The registers of a thread, beside its own ones, that tell whether it has read the chosen
        node last, of all nodes: then they hold 1."""
        return (_READ,) if self._places else ()

    def was_read_last(self, path: ThreadPath) -> Iterator[Formula]:
        """That the chosen node was read last."""
        for register in self.read_last:
            value = path.registers[register]
            assert value is not None
            yield _is_node(value)

    def is_published(self, path: ThreadPath | None = None) -> Formula:
        """That the node is published, at the begin of a step or on a path."""
        owner = None if path is None else path.cells.get(_OWNER)
        return holds(Compare("==", owner or self._content(_OWNER), self._everybody))

    # -- which pointers are to the node ---------------------------------------------------------

    def follows(self, template: str, r: Reg) -> bool:
        """Whether it is a register of a pointer to nodes, and to nothing else."""
        if not self._places or not isinstance(r.type, PtrType):
            return False
        objects = {target.object for target in self._points_to.targets(template, r)}
        return bool(objects) and objects <= self._places

    def _may_point(self, template: str, e: Expr) -> bool:
        targets = self._points_to.targets(template, e) if self._places else ()
        return any(target.object in self._places for target in targets)

    def value(self, template: str, e: Expr, path: ThreadPath) -> Expr:
        """1 where a pointer is to the node, something else where it is not."""
        match e:
            case Reg(name) if self.follows(template, e):
                return path.registers[name] or path.arbitrary(NODE)
            case PtrAdd(pointer, distance) if not self._may_point(template, distance):
                return self.value(template, pointer, path)
            case _:
                may_be = self._may_point(template, e)
                return path.arbitrary(NODE) if may_be else Const(0, NODE)

    # -- steps ----------------------------------------------------------------------------------

    def is_noticed(self, template: str, effect: Effect) -> bool:
        """Whether others may notice an effect, or it may notice them, by what is said of nodes."""
        match effect:
            case Load(r, address):
                return self._is_of_any(template, address, r.type.size)
            case Store(address, value):
                of_any = self._is_of_any(template, address, value.type.size)
                return of_any or self._may_point(template, value)
            case Copy(address, _, size):
                return bool(self._pointers_at(template, address, size))
            case _:
                return False

    def ways(
        self, template: str, at: AccessAt, effect: Effect, id: Reg | None, path: ThreadPath
    ) -> Iterator[ThreadPath]:
        """A path, or several, where it matters to an effect of a thread with this id whether a
        pointer is to the node, or what is allocated is that. What is stored is published."""
        match effect:
            case Load(r, address):
                yield from self._of_access(template, address, r.type.size, path)
            case Store(address, value):
                for way in self._split(self.value(template, value, path), path):
                    if way.of_node:
                        way.cells[_OWNER] = self._everybody
                    yield from self._of_access(template, address, value.type.size, way)
            case Alloc() if Heap(*at) in self._places:
                yield from self._allocated(effect, id, path)
            case _:
                yield path

    def _of_access(
        self, template: str, address: Expr, size: int, path: ThreadPath
    ) -> Iterator[ThreadPath]:
        if self._members_at(self._memory.access(template, address, size)):
            yield from self._split(self.value(template, address, path), path)
        else:
            yield path

    def _split(self, value: Expr, path: ThreadPath) -> Iterator[ThreadPath]:
        is_node = _is_node(value)
        for which, f in ((True, is_node), (False, neg(is_node))):
            if f is not FALSE and neg(f) not in path.guard:
                way = path.copy()
                way.assume(f)
                way.of_node = which
                yield way

    def _allocated(self, effect: Alloc, id: Reg | None, path: ThreadPath) -> Iterator[ThreadPath]:
        """What is allocated is another node, or the chosen one, which there was not before."""
        other = path.copy()
        other.of_node = False
        yield other
        nobody = Const(0, self._everybody.type)
        path.assume(holds(Compare("==", path.cells.get(_OWNER) or self._content(_OWNER), nobody)))
        path.of_node = True
        path.cells[_OWNER] = self._everybody if id is None else id
        for v in self.held:
            assert isinstance(v.type, IntType)
            path.cells[v.name] = Const(0, v.type) if effect.zeroed else path.arbitrary(v.type)
        yield path

    # -- memory ---------------------------------------------------------------------------------

    def _is_of_any(self, template: str, address: Expr, size: int) -> bool:
        """Whether an access may be of what is followed."""
        access = self._memory.access(template, address, size)
        return bool(self._members_at(access) or self._pointers_at(template, address, size))

    def _members_at(self, access: NumericAccess) -> tuple[str, ...]:
        """The variables for what an access may be of, of the node."""
        return tuple(dict.fromkeys(self._members[c] for c in access.cells if c in self._members))

    def _pointers_at(self, template: str, address: Expr, size: int) -> tuple[str, ...]:
        """The variables for the static cells that may be accessed."""
        found: dict[str, None] = {}
        for target in self._points_to.targets(template, address) if self._pointers else ():
            touched = self._points_to.cells(target, size)
            for (o, offset), name in self._pointers.items():
                if o == target.object and (touched is None or offset in touched):
                    found[name] = None
        return tuple(found)

    def _pointer_at(self, template: str, address: Expr, size: int) -> str | None:
        """The variable for the static cell that is accessed, as a whole, and nothing else."""
        targets = self._points_to.targets(template, address)
        if size != self._size or len(targets) != 1:
            return None
        if self._points_to.cells(targets[0], size) != (targets[0].offset,):
            return None
        found = self._pointers_at(template, address, size)
        return found[0] if found else None

    def pointer_read(self, template: str, effect: Load, path: ThreadPath) -> Expr:
        """What tells of a pointer that is loaded."""
        cell = self._pointer_at(template, effect.address, effect.target.type.size)
        if cell is not None:
            return path.cells.get(cell) or self._content(cell)
        value = path.arbitrary(NODE)
        path.assume(disj((neg(_is_node(value)), self.is_published(path))))
        return value

    def read(self, access: NumericAccess, path: ThreadPath) -> Expr | None:
        """What is read of what may be nodes, if it is the chosen one, and that is followed; it is
        noted whether it was that, or another one."""
        if all(cell in self for cell in access.cells) and access.complete:
            path.registers[_READ] = Const(int(path.of_node), INT)
        its = self._members_at(access)
        if not path.of_node or len(its) != 1 or not access.complete:
            return None
        return path.cells.get(its[0]) or self._content(its[0])

    def written(self, template: str, effect: Effect, value: Expr | None, path: ThreadPath) -> None:
        """Notes what a store of a value (None: any one), or a copy, makes of all that is followed.
        No node is copied as a whole."""
        match effect:
            case Store(address, pointer):
                size = pointer.type.size
                self._write(self._memory.access(template, address, size), value, path)
                exact = self._pointer_at(template, address, size) is not None
                its = self.value(template, pointer, path) if exact else None
            case Copy(address, _, size):
                its = None
            case _:
                return
        for name in self._pointers_at(template, address, size):
            path.cells[name] = its or path.arbitrary(NODE)

    def _write(self, access: NumericAccess, value: Expr | None, path: ThreadPath) -> None:
        its = self._members_at(access)
        is_one = len(its) == 1 and access.complete
        for name in its if path.of_node else ():
            type = self._memory.types[name]
            if is_one and value is not None and isinstance(value.type, IntType):
                path.cells[name] = value if value.type == type else fold(Convert(value, type))
            else:
                path.cells[name] = path.arbitrary(type)


def _is_node(value: Expr) -> Formula:
    return holds(Compare("==", value, Const(1, NODE)))
