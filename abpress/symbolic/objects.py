"""The objects of the executions of a program, by name, as the symbolic semantics sees them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from abpress.analysis.array_objects import SMALL, arrays, element_type
from abpress.analysis.control import Control
from abpress.analysis.points_to import AbstractObject, Heap, Local, Static
from abpress.analysis.registers import TID
from abpress.ir.expr import Addr, ArrayReg, Const, Filled, Reg, Variable
from abpress.ir.passes.fold import Folder
from abpress.ir.program import Alloc, Initial, MemoryObject, Program
from abpress.ir.types import INDEX, Cell, IntType, Layout, Scalar
from abpress.semantics.context import DONE, Context
from abpress.symbolic.discrete import (
    RESULT,
    CellRef,
    Discrete,
    Known,
    ObjectRef,
    ThreadPart,
    array_name,
    count_name,
    variable_type,
)


class SymbolicObjects:
    """Static facts about a program's objects and their names; grows as executions are explored.

    `constants` are the cells of static objects that are never written, with their content; so are
    `constant_arrays`, by the name of the variable. `unbounded` are those that may have a variable
    for the number of their elements.
    """

    def __init__(
        self, program: Program, context: Context, tracked: frozenset[str] = frozenset()
    ) -> None:
        self.program = program
        self.context = context
        facts = context.facts
        self.points_to = facts.points_to
        self.control = Control(program, self.points_to, tracked)
        self._arrays, self.unbounded = arrays(program, self.points_to, self.control)
        if self.unbounded:
            self.control = Control(program, self.points_to, tracked, self.unbounded)
        self._undefined = facts.undefined if self._arrays else ()
        self.folder = Folder(program.signed_overflow, {})
        self._refs: dict[str, list[ObjectRef]] = {}
        self._statics: dict[str, ObjectRef] = {}
        self.constants: dict[str, Known] = {}
        self.first: list[tuple[CellRef, Known]] = []  # the other cells of static objects
        self.constant_arrays: dict[str, Filled] = {}
        self.first_arrays: list[tuple[ArrayReg, Filled]] = []  # the others
        self._interned: dict[Discrete, Discrete] = {}
        self._frames: dict[tuple[int, str, int], tuple[tuple[str, str, Scalar], ...]] = {}
        self._ambiguous = _Ambiguous(program)
        for name, o in program.objects.items():
            origin = Static(name)
            ref = self._object(name, o.layout, origin, mortal=False, readonly=o.readonly)
            self._statics[name] = ref
            if ref.array is not None:
                filled = self.filled(o)
                if filled is None:  # nothing is known of it
                    continue
                if any(self.control.written(origin, cell.offset) for cell in o.layout.cells):
                    self.first_arrays.append((ref.array, filled))
                else:
                    self.constant_arrays[ref.array.name] = filled
                continue
            for cell, initial in self.initial(ref, o, None):
                if initial is not None and not self.control.written(origin, cell.offset):
                    self.constants[cell.name] = initial
                else:
                    self.first.append((cell, initial))

    def interned(self, d: Discrete) -> Discrete:
        """The one representative of equal discrete parts."""
        return self._interned.setdefault(d, d)

    def registers(self, part: ThreadPart) -> tuple[tuple[str, str, Scalar], ...]:
        """The registers that a thread has: name in the execution, name in the template, type."""
        key = part[:3]
        found = self._frames.get(key)
        if found is None:
            thread = self.context.threads.name(part.id)
            if part.location == DONE:
                found = ((f"{thread}:{RESULT}", RESULT, self.program.pointer),)
            else:
                code = self.context.codes[part.template]
                types = code.template.registers
                found = tuple(
                    (f"{thread}:{self._ambiguous.register(name, types[name])}", name, types[name])
                    for name in sorted(code.live[part.location] - {TID})
                )
            self._frames[key] = found
        return found

    def static(self, name: str) -> ObjectRef | None:
        """The static object of this name: it is always alive."""
        return self._statics.get(name)

    def mortal(self, name: str) -> bool:
        """Whether the lifetime of the object of this name ends before the program does."""
        return name not in self._statics

    def local(self, thread: int, template: str, name: str) -> ObjectRef:
        """A local object of a thread."""
        o = self.program.templates[template].locals[name]
        return self._object(
            self.local_name(thread, name),
            o.layout,
            Local(template, name),
            mortal=True,
            readonly=o.readonly,
        )

    def local_name(self, thread: int, name: str) -> str:
        """The name in the execution of a local object."""
        return f"{self.context.threads.name(thread)}:{name}"

    def heap(
        self, thread: int, n: int, layout: Layout, origin: Heap, counted: bool = True
    ) -> ObjectRef:
        """The n-th (from 1) heap object of a thread; of elements of the layout, if not counted."""
        name = f"heap {self.context.threads.name(thread)}#{n}"
        return self._object(name, layout, origin, mortal=True, heap=True, counted=counted)

    def automatic(self, o: ObjectRef) -> bool:
        """Whether a heap object was allocated as a variable."""
        origin = o.origin
        assert isinstance(origin, Heap)
        template = self.program.templates[origin.template]
        effect = template.locations[origin.location].edges[origin.edge].effects[origin.effect]
        return isinstance(effect, Alloc) and effect.automatic

    def initial(
        self, ref: ObjectRef, o: MemoryObject, thread: tuple[int, str] | None
    ) -> list[tuple[CellRef, Known]]:
        """The cells of an object with their initial content; `thread` (id, template) owns it."""
        return [
            (ref.cells[cell.offset], self._initial(value, cell.type, thread))
            for cell, value in zip(o.layout.cells, o.initial, strict=True)
        ]

    def filled(self, o: MemoryObject) -> Filled | None:
        """The initial content of an object that is an array; None if it has none."""
        element = element_type(o.layout)
        assert element is not None
        numbers = [value.value for value in o.initial if isinstance(value, Const)]
        if len(numbers) < len(o.initial):
            return None
        default = element.wrap(Counter(numbers).most_common(1)[0][0])
        others = ((k, element.wrap(n)) for k, n in enumerate(numbers))
        return Filled(default, tuple((k, n) for k, n in others if n != default), element)

    def undefined(self, o: ObjectRef) -> bool:
        """Whether elements of an array may have no value yet."""
        return o.origin in self._undefined

    def variables(self, o: ObjectRef) -> Iterator[Variable]:
        """What stands for the content of an object where it is not known."""
        if o.array is not None:
            yield o.array
        if o.count is not None:
            yield Reg(o.count.name, INDEX)
        for ref in o.cells.values():
            yield Reg(ref.name, variable_type(ref.type))

    def permanent(self) -> Iterator[Variable]:
        """The variables of all static objects."""
        for o in self._statics.values():
            yield from self.variables(o)

    def _initial(self, value: Initial, type: Scalar, thread: tuple[int, str] | None) -> Known:
        match value:
            case Const(number, _):
                return Const(self.context.kinds.of(type).wrap(number), type)
            case Addr(name, offset, pointer):
                return Addr(self.named(name, thread), offset, pointer)
            case _:
                return value

    def named(self, name: str, thread: tuple[int, str] | None) -> str:
        """The name in the execution of an object that the code of a thread names."""
        if thread is not None and name in self.program.templates[thread[1]].locals:
            return self.local_name(thread[0], name)
        return name

    def _object(
        self,
        name: str,
        layout: Layout,
        origin: AbstractObject,
        *,
        mortal: bool,
        readonly: bool = False,
        heap: bool = False,
        counted: bool = True,
    ) -> ObjectRef:
        refs = [r for r in self._refs.setdefault(name, []) if (r.count is None) == counted]
        found = next((r for r in refs if r.layout is layout and r.origin == origin), None)
        if found is None:
            found = next((r for r in refs if (r.layout, r.origin) == (layout, origin)), None)
        if found is None:
            array = self._array(name, layout, origin, counted)
            count = None if counted else CellRef(count_name(name), 0, INDEX, False)
            size = self._element_size(origin) if isinstance(origin, Heap) else 0
            cells = {
                cell.offset: CellRef(
                    self._ambiguous.cell(name, origin, cell),
                    cell.offset,
                    cell.type,
                    self.control.cell(origin, cell.offset % size if size else cell.offset),
                )
                for cell in (layout.cells if array is None else ())
            }
            found = ObjectRef(name, layout, origin, mortal, readonly, heap, cells, array, count)
            self._refs[name].append(found)
        return found

    def _array(
        self, name: str, layout: Layout, origin: AbstractObject, counted: bool
    ) -> ArrayReg | None:
        if counted and (origin not in self._arrays or len(layout.cells) <= SMALL):
            return None
        element = element_type(layout)
        assert element is not None
        return ArrayReg(array_name(name, element), element)

    def _element_size(self, origin: Heap) -> int:
        edge = self.program.templates[origin.template].locations[origin.location].edges[origin.edge]
        size: int = edge.effects[origin.effect].element.size  # type: ignore[union-attr]
        return size


class _Ambiguous:
    """Which names have contents of several types: those of variables say the type, too.

    A thread may be of one template or another, and so may its registers and local objects; its n-th
    heap object may come from one allocation or another.
    """

    def __init__(self, program: Program) -> None:
        registers: dict[str, set[IntType]] = {}
        locals: dict[str, set[Layout]] = {}
        elements = set()
        for template in program.templates.values():
            for name, type in template.registers.items():
                registers.setdefault(name, set()).add(variable_type(type))
            for name, o in template.locals.items():
                locals.setdefault(name, set()).add(o.layout)
            for location in template.locations:
                effects = (effect for edge in location.edges for effect in edge.effects)
                elements |= {effect.element for effect in effects if isinstance(effect, Alloc)}
        self._registers = {name for name, types in registers.items() if len(types) > 1}
        self._locals = {name for name, layouts in locals.items() if len(layouts) > 1}
        self._heap = len(elements) > 1

    def register(self, name: str, type: Scalar) -> str:
        """What a register is called among those of its thread."""
        return f"{name} {variable_type(type)}" if name in self._registers else name

    def cell(self, name: str, origin: AbstractObject, cell: Cell) -> str:
        """The name of a cell of an object."""
        match origin:
            case Heap():
                ambiguous = self._heap
            case Local():
                ambiguous = origin.name in self._locals
            case _:
                ambiguous = False
        plain = f"{name}@{cell.offset}"
        return f"{plain} {variable_type(cell.type)}" if ambiguous else plain
