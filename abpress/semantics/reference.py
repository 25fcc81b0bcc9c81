"""The reference interpreter: the definition of what a step is and does.

It is slow, small and obvious, and nothing but tests runs it. The generated code of
`semantics.interpreter` is compared with it on random programs, and the symbolic steps of
`abpress.symbolic` with that code. Where they disagree, this file is right.

- A *configuration* is the content of memory, the threads, and whether the program goes on.
- A *step* of a thread is one edge: its guard holds, and its effects are performed in order. If the
  thread then stands at an atomic location it goes on, without a step of any other thread, until it
  stands at a location that is not, or ends; a run that cannot go on to there is no step. There is
  one step for each choice: of an edge whose guard holds, of a value between bounds, of a set bit.
- A step through which an execution leaves what C defines, or a bound of the tool, does not exist
  either; why, is noted in `ReferenceInterpreter.lost`.

`semantics.interpreter` joins to one step the edges that no other thread can tell apart
(`analysis.visibility`). It reaches fewer configurations; the violations and the configurations in
which all threads have finished are the same.

What is arbitrary here is an input with bounds. To read an undefined cell or register, or to use a
number as an address, is `Unspecified`; to access a part of a cell is not implemented. These are
told by `semantics.memory` and the code generator, and have tests of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from abpress.analysis.registers import TID
from abpress.ir.expr import Expr
from abpress.ir.program import (
    Alloc,
    Assign,
    ChooseBit,
    Copy,
    Cut,
    Edge,
    Effect,
    Enter,
    Exit,
    Fail,
    Fault,
    Finish,
    Free,
    Havoc,
    Join,
    Leave,
    Load,
    MemoryObject,
    Program,
    Spawn,
    Store,
)
from abpress.ir.types import Layout, Scalar, unused
from abpress.semantics.reference_expressions import (
    ReferenceEvaluator,
    SignedOverflow,
    UndefinedBehaviour,
    Unspecified,
    Value,
)

Content = dict[int, Value | None]
"""The cells of an object by their offsets; None is a cell without a value."""


class NotEnabled(Exception):
    """The thread cannot take the edge now: it waits."""


class BoundReached(Exception):
    """The exploration is cut off by a bound of the tool."""


ENDS = (UndefinedBehaviour, SignedOverflow, BoundReached)
"""What ends an execution without a step, and qualifies a verdict "true"."""


@dataclass
class ThreadState:
    """A thread: `location` is None when it has finished, and `result` what it has then returned.

    `spawned` threads and `allocated` objects count what it has created, to name the next.
    """

    template: str
    location: int | None
    registers: dict[str, Value]
    result: Value | None = None
    spawned: int = 0
    allocated: int = 0

    def copy(self) -> ThreadState:
        """Returns an equal one with registers of its own."""
        return replace(self, registers=self.registers.copy())


@dataclass
class Configuration:
    """A state of the program. All names are those of traces: `main.1`, `main:x`, `heap main#1`.

    `memory` has the objects that are alive; `heap` says which of them `free` may end. `status` is
    "running", or how the program ended; then there are no threads.
    """

    memory: dict[str, Content] = field(default_factory=dict)
    heap: set[str] = field(default_factory=set)
    threads: dict[str, ThreadState] = field(default_factory=dict)
    status: str = "running"

    def key(self) -> str:
        """Returns a text that is equal for equal configurations."""
        return repr((sorted(self.memory.items()), sorted(self.threads.items()), self.status))

    def copy(self) -> Configuration:
        """Returns an equal configuration that has nothing in common with this one that changes."""
        return Configuration(
            {name: content.copy() for name, content in self.memory.items()},
            self.heap.copy(),
            {name: thread.copy() for name, thread in self.threads.items()},
            self.status,
        )


class ReferenceInterpreter:
    """Executes a program. `lost` are the names of the `ENDS` that executions had so far."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.layouts: dict[str, Layout] = {n: o.layout for n, o in program.objects.items()}
        self.lost: set[str] = set()

    def initial(self) -> Configuration:
        """Returns the configuration in which `main` stands at its entry."""
        first = Configuration()
        for name, obj in self.program.objects.items():
            first.memory[name] = self._initial_content(obj, {})
        first.threads["main"] = self._new_thread("main", self.program.main, 0)
        return first

    def steps(self, before: Configuration) -> Iterator[tuple[str, Configuration]]:
        """Yields each step of each thread: who moves, and the configuration that follows."""
        if before.status != "running":
            return
        for name, thread in before.threads.items():
            if thread.location is not None:
                for after in self._steps_of(before, name):
                    yield name, after

    def _steps_of(self, before: Configuration, name: str) -> Iterator[Configuration]:
        """One edge, and on to the end of the atomic block in which the thread then is."""
        within = [self._edges_of(before, name)]  # not by recursion: blocks have loops
        while within:
            after = next(within[-1], None)
            if after is None:
                within.pop()
            elif self._is_within(after, name):
                within.append(self._edges_of(after, name))
            else:
                yield after

    def _edges_of(self, before: Configuration, name: str) -> Iterator[Configuration]:
        thread = before.threads[name]
        assert thread.location is not None
        for edge in self.program.templates[thread.template].locations[thread.location].edges:
            yield from self._edge(before, name, edge)

    def _is_within(self, now: Configuration, name: str) -> bool:
        """Whether a thread is inside of an atomic block."""
        thread = now.threads.get(name)  # none where the program has ended
        if thread is None or thread.location is None:
            return False
        return self.program.templates[thread.template].locations[thread.location].atomic

    def _edge(self, before: Configuration, name: str, edge: Edge) -> list[Configuration]:
        """The configurations after the guarded action of an edge, one for each choice."""
        states = [before.copy()]
        try:
            if not self._eval(states[0], name, edge.guard):
                return []
            states[0].threads[name].location = edge.target
            for effect in edge.effects:
                states = [new for old in states for new in self._effect(old, name, effect)]
        except ENDS as end:
            self.lost.add(type(end).__name__)
            return []
        except NotEnabled:
            return []
        return states

    def _effect(self, now: Configuration, name: str, effect: Effect) -> list[Configuration]:
        """Performs an effect of thread `name`, and returns the configurations that it leads to."""
        thread = now.threads[name]
        match effect:
            case Assign(target, value):
                thread.registers[target.name] = self._eval(now, name, value)
            case Havoc(target, _, low, high):
                if low is None or high is None:
                    raise NotImplementedError("an input without bounds")
                return [_with(now, name, target.name, n) for n in range(low, high + 1)]
            case ChooseBit(target, mask):
                number = self._integer(now, name, mask)
                bits = [1 << k for k in range(number.bit_length()) if number >> k & 1]
                return [_with(now, name, target.name, bit) for bit in bits or [0]]
            case Load(target, address):
                content, offset = self._cell(now, name, address, target.type)
                read = content[offset]
                if read is None:
                    raise Unspecified("an arbitrary value is chosen where it is first used")
                thread.registers[target.name] = read
            case Store(address, value):
                written = self._eval(now, name, value)
                content, offset = self._cell(now, name, address, value.type, writes=True)
                content[offset] = written
            case Copy(target, source, size, moves):
                if moves:
                    to, of = (self._eval(now, name, e) for e in (target, source))
                    size = min(size, self._movable(now, to), self._movable(now, of))
                self._copy(now, name, target, source, size)
            case Enter(obj):
                local = self.program.templates[thread.template].locals[obj]
                names = self._local_names(name, thread.template)
                self.layouts[names[obj]] = local.layout
                now.memory[names[obj]] = self._initial_content(local, names)
            case Leave(obj):
                self._end(now, f"{name}:{obj}")
            case Alloc(target, element, count, zeroed):
                thread.allocated += 1
                label = f"heap {name}#{thread.allocated}"
                number = self._integer(now, name, count)
                layout = element if number == 1 else element.repeat(number)
                self.layouts[label] = layout
                now.memory[label] = {cell.offset: 0 if zeroed else None for cell in layout.cells}
                now.heap.add(label)
                thread.registers[target.name] = (label, 0)
            case Free(address):
                self._free(now, self._eval(now, name, address))
            case Spawn(target, template, argument):
                thread.spawned += 1
                child = f"{name}.{thread.spawned}"
                started = self._new_thread(child, template, self._eval(now, name, argument))
                now.threads[child] = started
                thread.registers[target.name] = child
            case Join(target, other):
                joined = now.threads.get(str(self._eval(now, name, other)))
                if joined is None:
                    raise UndefinedBehaviour("join of no thread")
                if joined.location is not None:
                    raise NotEnabled
                assert joined.result is not None
                thread.registers[target.name] = joined.result
            case Finish(result):
                thread.result = self._eval(now, name, result)
                thread.location = None
                thread.registers = {}
                for obj in self.program.templates[thread.template].locals:
                    self._end(now, f"{name}:{obj}")
            case Exit(how):
                now.status = how
                now.threads = {}
            case Fail(prop, message):
                now.status = f"violates {prop}: {message}"
                now.threads = {}
            case Cut(reason):
                raise BoundReached(reason)
            case Fault(kind):
                raise UndefinedBehaviour(kind)
        return [now]

    # -- expressions and memory -------------------------------------------------------------------

    def _eval(self, now: Configuration, name: str, e: Expr) -> Value:
        thread = now.threads[name]
        names = self._local_names(name, thread.template)
        program = self.program
        return ReferenceEvaluator(
            thread.registers, program.signed_overflow, program.pointer_size, names=names
        )(e)

    def _integer(self, now: Configuration, name: str, e: Expr) -> int:
        value = self._eval(now, name, e)
        if not isinstance(value, int):
            raise Unspecified("an address or a thread where a number is needed")
        return value

    def _local_names(self, name: str, template: str) -> dict[str, str]:
        return {local: f"{name}:{local}" for local in self.program.templates[template].locals}

    def _pointed(self, now: Configuration, address: Value) -> tuple[str, int]:
        """The object that is alive at an address, and the offset in it."""
        if not isinstance(address, tuple) or address[0] not in now.memory:
            raise UndefinedBehaviour("dereference of what points to no object")
        return address

    def _check_writable(self, obj: str) -> None:
        static = self.program.objects.get(obj)
        if static is not None and static.readonly:
            raise UndefinedBehaviour("write to a read-only object")

    def _cell(
        self, now: Configuration, name: str, address: Expr, type: Scalar, writes: bool = False
    ) -> tuple[Content, int]:
        """The object at the address, and the offset of the cell that is accessed."""
        obj, offset = self._pointed(now, self._eval(now, name, address))
        if offset < 0 or offset + type.size > self.layouts[obj].size:
            raise UndefinedBehaviour("access beyond the object")
        if writes:
            self._check_writable(obj)
        if {cell.offset: cell.type for cell in self.layouts[obj].cells}.get(offset) != type:
            raise NotImplementedError("access to a part of a cell")
        return now.memory[obj], offset

    def _copy(self, now: Configuration, name: str, target: Expr, source: Expr, size: int) -> None:
        """Copies the cells of a range to a range of another object with the same cells."""
        if size == 0:
            return
        to = self._pointed(now, self._eval(now, name, target))
        of = self._pointed(now, self._eval(now, name, source))
        self._check_writable(to[0])
        if self._shape(to, size) != self._shape(of, size):
            raise NotImplementedError("copy between objects of different layout")
        content = now.memory[of[0]]
        copied = {at: content[of[1] + at] for at in self._shape(of, size)}
        now.memory[to[0]].update((to[1] + at, value) for at, value in copied.items())

    def _shape(self, place: tuple[str, int], size: int) -> dict[int, Scalar]:
        """The types of the cells in a range of bytes, by their offsets in the range."""
        obj, start = place
        layout = self.layouts[obj]
        shape = {}
        for cell in layout.cells:
            if start <= cell.offset and cell.offset + cell.type.size <= start + size:
                shape[cell.offset - start] = cell.type
            elif cell.offset < start + size and start < cell.offset + cell.type.size:
                raise NotImplementedError("copy of a part of a cell")
        if start < 0 or start + size > layout.size:
            raise UndefinedBehaviour("copy beyond the object")
        return shape

    def _free(self, now: Configuration, address: Value) -> None:
        if address == 0:
            return
        if not isinstance(address, tuple) or address[1] or address[0] not in now.heap:
            raise UndefinedBehaviour("free of what is no heap object")
        now.heap.remove(address[0])
        self._end(now, address[0])

    def _end(self, now: Configuration, obj: str) -> None:
        """Ends the lifetime of an object, if it has begun."""
        content = now.memory.pop(obj, {})
        for cell in self.layouts[obj].cells if content else ():
            value = content[cell.offset]
            if cell.users and value not in (None, *unused(cell.type)):
                raise UndefinedBehaviour("the end of an object in use")

    def _movable(self, now: Configuration, address: Value) -> int:
        """The size of the heap object that begins there."""
        if not isinstance(address, tuple) or address[1] or address[0] not in now.heap:
            raise UndefinedBehaviour("move of what is no heap object")
        return self.layouts[address[0]].size

    def _initial_content(self, obj: MemoryObject, names: dict[str, str]) -> Content:
        """The first content of an object; `names` are those of its thread's local objects."""
        evaluate = ReferenceEvaluator({}, pointer_size=self.program.pointer_size, names=names)
        return {
            cell.offset: None if value is None else evaluate(value)
            for cell, value in zip(obj.layout.cells, obj.initial, strict=True)
        }

    def _new_thread(self, name: str, template: str, argument: Value) -> ThreadState:
        registers = {TID: name, "$arg": argument}
        return ThreadState(template, self.program.templates[template].entry, registers)


def _with(now: Configuration, name: str, register: str, value: int) -> Configuration:
    """A copy of the configuration in which a register of thread `name` has another value."""
    new = now.copy()
    new.threads[name].registers[register] = value
    return new
