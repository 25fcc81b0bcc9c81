"""The fixed facts about a program that the code generator and the interpreter share.

A state is the tuple
    (static cells ..., dynamic memory, status, thread, thread, ...)
where a thread is (id, pc, live registers at pc ...), by ascending id. A pc numbers the locations
of all templates; a finished thread is (id, DONE, result). The locals of `main`, of which there is
one instance, are static cells, too. Status is 0, or how the program ended. A state of many
components only reads as such a tuple (`semantics.sharing`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from abpress.analysis.facts import Facts
from abpress.analysis.registers import (
    TID,
    counting,
    maybe_undefined,
    only_copied,
    spawned_templates,
)
from abpress.analysis.value_classes import Classes
from abpress.errors import NOWHERE, Position
from abpress.ir.expr import Addr, Compare, Const, FuncAddr, walk
from abpress.ir.program import (
    Alloc,
    Initial,
    MemoryObject,
    Spawn,
    Template,
    edges,
    effect_operands,
    keeps_sets,
    layouts,
)
from abpress.ir.types import OFFSET_BITS, SET_BITS, Layout
from abpress.result import Soundness
from abpress.semantics.memory import DEAD, Memory, heap_layout
from abpress.semantics.naming import (
    MAIN,
    NewName,
    ObjectInfo,
    Objects,
    OnNew,
    ScalarKinds,
    Threads,
)
from abpress.semantics.outcome import Options, State
from abpress.semantics.sharing import LargeState

DONE = -1
RUNNING = 0
SPAWNS = "$spawns"
ALLOCATIONS = "$allocations"


class Code:
    """A template with everything that its compilation needs."""

    def __init__(self, template: Template, first_pc: int, facts: Facts) -> None:
        self.template = template
        self.first_pc = first_pc
        self.visible = facts.visible[template.name]
        self.boundaries = facts.boundaries[template.name]
        self.live = facts.live[template.name]
        self.undefined = maybe_undefined(template, self.live)
        self.inert = only_copied(template)
        self.variables = {name: f"r{k}" for k, name in enumerate(template.registers)}
        self.variables.update(
            {TID: "t", SPAWNS: "spawns", ALLOCATIONS: "allocations", "$arg": "arg"}
        )
        spawning, allocating = counting(template, Spawn), counting(template, Alloc)
        order = {name: k for k, name in enumerate(template.registers)}
        self.frames = tuple(
            (
                *sorted(live - {TID}, key=lambda name: order.get(name, -1)),
                *([SPAWNS] if k in spawning else []),
                *([ALLOCATIONS] if k in allocating else []),
            )
            for k, live in enumerate(self.live)
        )
        self.samples = _constants(template)


def _constants(template: Template) -> tuple[int, ...]:
    """The numbers that the template compares with: good guesses for arbitrary values."""
    found: dict[int, None] = {}
    for _, edge in edges(template):
        for expr in (edge.guard, *(e for f in edge.effects for e in effect_operands(f))):
            for sub in walk(expr):
                if isinstance(sub, Compare):
                    for side in (sub.left, sub.right):
                        if isinstance(side, Const):
                            found.setdefault(side.value)
    return tuple(found)


class Context:
    """The facts about one program. Mutable: tables of names grow as executions are explored."""

    def __init__(
        self,
        facts: Facts,
        options: Options,
        soundness: Soundness,
    ) -> None:
        self.facts = facts
        self.program = program = facts.program
        self.options = options
        self.soundness = soundness
        self.kinds = ScalarKinds()
        self.objects = Objects(self.kinds)
        self.threads = Threads()
        self._names: dict[str, int] = {}
        self._functions: dict[str, int] = {}
        self._locals: dict[tuple[int, str, str], int] = {}
        self._owned: dict[int, list[int]] = {}
        self._heap: dict[tuple[int, int, int, int, bool, bool], ObjectInfo] = {}
        self._bases: dict[tuple[str, str], LocalBases] = {}
        self._elements: dict[Layout, Layout] = {}
        self.last_thread = SET_BITS - 1 if keeps_sets(program) else None
        """The greatest id that a thread may have: sets have a bit for each; None is any."""
        self.tells_users = any(layout.users for layout in layouts(program))
        self.single_main = all(
            name != program.main
            for template in program.templates.values()
            for name in spawned_templates(template)
        )
        self._static, cells = self._place_objects()
        self.dynamic = len(cells)
        self.status = self.dynamic + 1
        self.base = self.dynamic + 2
        self.first = self.base - MAIN
        pointer = self.kinds.of(program.pointer)
        self.memory = Memory(self.objects, self.dynamic, pointer, soundness)
        self.codes: dict[str, Code] = {}
        self._starts: list[int] = []
        self._by_start: list[Code] = []
        pc = 0
        for name, template in program.templates.items():
            code = Code(template, pc, facts)
            self.codes[name] = code
            self._starts.append(pc)
            self._by_start.append(code)
            pc += len(template.locations)
        self.pcs = pc
        main = self.codes[program.main]
        self.initial: tuple[Any, ...] = (*cells, (), RUNNING, self.new_thread(main, MAIN, None))

    # -- inputs ---------------------------------------------------------------------------------

    def classes(self, code: Code, register: str) -> Classes | None:
        """Which values of a register can be told apart; None if that is not known."""
        if self.options.every_value:
            return None
        return self.facts.distinctions.of(code.template.name, register)

    # -- threads --------------------------------------------------------------------------------

    def locate(self, pc: int) -> tuple[Code, int]:
        """The code and the location that a pc numbers."""
        code = self._by_start[bisect_right(self._starts, pc) - 1]
        return code, pc - code.first_pc

    def index(self, s: State, t: int) -> int:
        """The index in a state of thread t's component; raises ValueError if there is none."""
        i = self.first + t  # there it is if no thread with a lower id is missing
        if i < len(s) and s[i][0] == t:
            return i
        if isinstance(s, LargeState):
            place = s.place(t)
            if place is not None:
                return place
        else:
            for i in range(self.base, len(s)):
                if s[i][0] == t:
                    return i
        raise ValueError(f"no thread {t} in this state")

    def new_thread(self, code: Code, thread: int, argument: int | None) -> tuple[Any, ...]:
        """The component of a thread that has not moved yet."""
        first = {"$arg": argument, SPAWNS: 0, ALLOCATIONS: 0}
        entry = code.template.entry
        values = (first.get(name) for name in code.frames[entry])
        return (thread, code.first_pc + entry, *values)

    # -- objects --------------------------------------------------------------------------------

    def _place_objects(self) -> tuple[dict[str, ObjectInfo], tuple[Any, ...]]:
        """Numbers and places of all objects with a fixed place; their first content."""
        program = self.program
        main = program.templates[program.main] if self.single_main else None
        for name in program.objects:
            self._names[name] = self.objects.reserve()
        if main is not None:
            for name in main.locals:
                self._local_number(MAIN, main.name, name)
        for name in program.functions:
            self._functions[name] = self.objects.add_function(name)
        infos = {}
        cells: list[Any] = []
        for name, obj in program.objects.items():
            info = self._info(obj, self._names[name], name, None, len(cells), mortal=False)
            infos[name] = info
            cells.extend(info.initial)
        for name, obj in main.locals.items() if main is not None else ():
            number = self._locals[MAIN, main.name, name]  # type: ignore[union-attr]
            info = self._info(obj, number, f"main:{name}", main, len(cells), mortal=True)
            cells.extend([DEAD] * len(info.initial))
        return infos, tuple(cells)

    def _info(
        self,
        obj: MemoryObject,
        number: int,
        name: str,
        owner: Template | None,
        slot: int | None,
        mortal: bool,
        thread: int = MAIN,
    ) -> ObjectInfo:
        initial = tuple(
            self.content(value, cell.type, owner, thread)
            for value, cell in zip(obj.initial, obj.layout.cells, strict=True)
        )
        info = ObjectInfo(
            number,
            name,
            obj.layout,
            initial,
            self.kinds,
            ("" if owner is None else owner.name, obj.name),
            slot=slot,
            readonly=obj.readonly,
            mortal=mortal,
        )
        self.objects.add(info)
        return info

    def content(self, value: Initial, type: Any, owner: Template | None, thread: int) -> int | None:
        """What a cell of the type holds with this initial value, in a local object of the template
        `owner` that of a thread."""
        match value:
            case None:
                return None
            case Const(number, _):
                return self.kinds.of(type).wrap(number)
            case FuncAddr(name, _):
                return self.function(name)
            case Addr(name, offset, _):
                if owner is not None and name in owner.locals:
                    return (self._local_number(thread, owner.name, name) << OFFSET_BITS) + offset
                return (self._names[name] << OFFSET_BITS) + offset

    def static(self, code: Code, name: str) -> ObjectInfo | None:
        """The object with a fixed place that `name` means in a template; None if it has none."""
        if name in code.template.locals:
            if self.single_main and code.template.name == self.program.main:
                return self.local(MAIN, code.template.name, name)
            return None
        return self._static[name]

    def function(self, name: str) -> int:
        """The address of a function; also of one that the program only names."""
        if name not in self._functions:
            self._announce("function", name)
        if name not in self._functions:
            self._functions[name] = self.objects.add_function(name)
        return self._functions[name]

    def _local_number(self, thread: int, template: str, name: str) -> int:
        key = (thread, template, name)
        if key not in self._locals:
            number = self._locals[key] = self.objects.reserve()
            self._owned.setdefault(thread, []).append(number)
        return self._locals[key]

    def owned(self, thread: int) -> Sequence[int]:
        """The numbers of the local objects of a thread, as far as they were met."""
        return self._owned.get(thread, ())

    def local(self, thread: int, template: str, name: str) -> ObjectInfo:
        """The local object `name` of a thread."""
        info = self.objects.numbered(self._locals.get((thread, template, name), 0))
        if info is None:
            self._announce("local", thread, template, name)
            number = self._local_number(thread, template, name)
            info = self.objects.numbered(number)
        if info is None:
            owner = self.program.templates[template]
            label = f"{self.threads.name(thread)}:{name}"
            info = self._info(
                owner.locals[name], number, label, owner, None, mortal=True, thread=thread
            )
        return info

    def heap(
        self,
        thread: int,
        n: int,
        element: Layout,
        count: int,
        zeroed: bool,
        where: Position,
        automatic: bool = False,
    ) -> ObjectInfo:
        """The n-th (from 1) heap object of a thread."""
        key = (thread, n, id(element), count, zeroed, automatic)
        info = self._heap.get(key)
        if info is None:
            layout = heap_layout(element, count, where)
            self._announce("heap", thread, n, element, count, zeroed, automatic)
            info = self._heap.get(key)
        if info is None:
            info = self._heap[key] = ObjectInfo(
                self.objects.reserve(),
                f"heap {self.threads.name(thread)}#{n}",
                layout,
                (0 if zeroed else None,) * len(layout.cells),
                self.kinds,
                element,
                mortal=True,
                automatic=automatic,
                owner=thread,
                place=where,
            )
            self.objects.add(info)
        elif info.place != where:
            info.place = NOWHERE
        return info

    # -- names that several processes share -----------------------------------------------------

    def share(self, on_new: OnNew | None) -> None:
        """`on_new` is told names from now on, instead of numbering them here; see `meet`."""
        self.threads.on_new = on_new

    def meet(self, name: NewName) -> None:
        """Gives the name the next number. Two processes that are told the same names in the same
        order, and number no others, have the same numbers."""
        on_new, self.threads.on_new = self.threads.on_new, None
        match name:
            case ("thread", creator, n):
                self.threads.child(creator, n)
            case ("local", thread, template, local):
                self.local(thread, template, local)
            case ("heap", thread, n, element, count, zeroed, automatic):
                its = self.element(element)
                self.heap(thread, n, its, count, zeroed, NOWHERE, automatic)
            case ("function", function):
                self.function(function)
            case _:
                raise ValueError(f"no name: {name}")
        self.threads.on_new = on_new

    def _announce(self, *name: Any) -> None:
        if self.threads.on_new is not None:
            self.threads.on_new(name)

    def element(self, layout: Layout) -> Layout:
        """The one representative of equal layouts."""
        return self._elements.setdefault(layout, layout)

    def local_bases(self, template: str, name: str) -> LocalBases:
        """The addresses of a local object, by thread."""
        key = (template, name)
        if key not in self._bases:
            self._bases[key] = LocalBases(self, template, name)
        return self._bases[key]

    def position(self, pc: int) -> Position:
        """Where a thread at `pc` stands in the source."""
        code, location = self.locate(pc)
        for edge in code.template.locations[location].edges:
            if edge.position is not NOWHERE:
                return edge.position
        return NOWHERE


class LocalBases(dict[int, int]):
    """Thread -> address of its local object `name`, found when it is first asked for."""

    def __init__(self, context: Context, template: str, name: str) -> None:
        super().__init__()
        self._context = context
        self._key = template, name

    def info(self, thread: int) -> ObjectInfo:
        return self._context.local(thread, *self._key)

    def __missing__(self, thread: int) -> int:
        self[thread] = self.info(thread).base
        return self[thread]
