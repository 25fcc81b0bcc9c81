"""Runs whole programs edge by edge: the oracle of the interpreter.

States are dictionaries; every edge is its own step outside atomic blocks: no visibility, no
liveness, no generated code. Arbitrary values are not supported but for `Havoc` with bounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from abpress.ir.expr import (
    Addr,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    PtrAdd,
    Reg,
    Unary,
)
from abpress.ir.program import (
    Alloc,
    Assign,
    Edge,
    Effect,
    Enter,
    Exit,
    Fail,
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
from abpress.ir.types import IntType, Layout, Scalar
from tests.semantics.oracle import (
    Evaluator,
    SignedOverflow,
    UndefinedBehaviour,
    Unspecified,
    Value,
    value_text,
)


class Blocked(Exception):
    """A guard fails."""


@dataclass
class Thread:
    """A thread by its name; `location` is None when it has finished."""

    template: str
    location: int | None
    registers: dict[str, Any]
    result: Any = None
    spawned: int = 0
    allocated: int = 0


@dataclass
class World:
    """A state. Threads are named as in traces: `main`, `main.1`."""

    memory: dict[str, dict[int, Any]] = field(default_factory=dict)
    heap: set[str] = field(default_factory=set)
    threads: dict[str, Thread] = field(default_factory=dict)
    status: str = "running"

    def key(self) -> str:
        """Equal for equal states."""
        return repr((sorted(self.memory.items()), sorted(self.threads.items()), self.status))


class Oracle:
    """All outcomes of a program, by enumeration of its states edge by edge.

    Faults and overflows end an execution and are noted in `lost`.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.layouts: dict[str, Layout] = {n: o.layout for n, o in program.objects.items()}
        self.readonly = {n for n, o in program.objects.items() if o.readonly}
        self.lost: set[str] = set()

    def initial(self) -> World:
        world = World()
        for name, obj in self.program.objects.items():
            world.memory[name] = self._content(obj, "")
        world.threads["main"] = self._thread(self.program.main, 0)
        return world

    def successors(self, world: World) -> Iterator[World]:
        """The states after one edge, or one whole atomic block, of one thread."""
        if world.status != "running":
            return
        for name, thread in world.threads.items():
            if thread.location is not None:
                yield from self._move(world, name)

    def _move(self, world: World, name: str) -> Iterator[World]:
        """One edge, then on to the end of the atomic block in which the thread then is."""
        thread = world.threads[name]
        template = self.program.templates[thread.template]
        assert thread.location is not None
        for edge in template.locations[thread.location].edges:
            for after in self._edge(world, name, edge):
                moved = after.threads.get(name)
                if moved is None or moved.location is None or after.status != "running":
                    yield after
                elif template.locations[moved.location].atomic:
                    yield from self._move(after, name)
                else:
                    yield after

    def _edge(self, world: World, name: str, edge: Edge) -> list[World]:
        worlds = [deepcopy(world)]
        try:
            if not self._eval(worlds[0], name, edge.guard):
                return []
            worlds[0].threads[name].location = edge.target
            for effect in edge.effects:
                worlds = [w for old in worlds for w in self._effect(old, name, effect)]
        except (UndefinedBehaviour, SignedOverflow) as end:
            self.lost.add(type(end).__name__)
            return []
        except Blocked:
            return []
        return worlds

    def _eval(self, world: World, name: str, e: Expr) -> Value:
        thread = world.threads[name]
        registers = dict(thread.registers)
        for sub in self.program.templates[thread.template].locals:
            registers[f"&{sub}"] = (f"{name}:{sub}", 0)
        evaluator = Evaluator(registers, self.program.signed_overflow, self.program.pointer_size)
        return evaluator(_with_locals(e, self.program.templates[thread.template].locals))

    def _effect(self, world: World, name: str, effect: Effect) -> list[World]:
        thread = world.threads[name]
        match effect:
            case Assign(target, value):
                thread.registers[target.name] = self._eval(world, name, value)
            case Havoc(target, _, low, high):
                assert low is not None and high is not None
                result = []
                for chosen in range(low, high + 1):
                    world.threads[name].registers[target.name] = chosen
                    result.append(deepcopy(world))
                return result
            case Load(target, address):
                content, offset = self._cell(world, name, address, target.type)
                if content[offset] is None:
                    raise Unspecified
                thread.registers[target.name] = content[offset]
            case Store(address, value):
                new = self._eval(world, name, value)
                content, offset = self._cell(world, name, address, value.type)
                content[offset] = new
            case Enter(obj):
                local = self.program.templates[thread.template].locals[obj]
                self.layouts[f"{name}:{obj}"] = local.layout
                world.memory[f"{name}:{obj}"] = self._content(local, name)
            case Leave(obj):
                world.memory.pop(f"{name}:{obj}", None)
            case Alloc(target, element, count, zeroed):
                thread.allocated += 1
                label = f"heap {name}#{thread.allocated}"
                number = self._eval(world, name, count)
                assert zeroed and number == 1
                self.layouts[label] = element
                world.memory[label] = {cell.offset: 0 for cell in element.cells}
                world.heap.add(label)
                thread.registers[target.name] = (label, 0)
            case Free(address):
                pointer = self._eval(world, name, address)
                if pointer == 0:
                    return [world]
                if isinstance(pointer, int) or pointer[1] or pointer[0] not in world.heap:
                    raise UndefinedBehaviour("free")
                world.heap.remove(pointer[0])
                del world.memory[pointer[0]]
            case Spawn(target, template, argument):
                thread.spawned += 1
                child = f"{name}.{thread.spawned}"
                world.threads[child] = self._thread(template, self._eval(world, name, argument))
                thread.registers[target.name] = child
            case Join(target, other):
                joined = world.threads.get(str(self._eval(world, name, other)))
                if joined is None:
                    raise UndefinedBehaviour("join")
                if joined.location is not None:
                    raise Blocked
                thread.registers[target.name] = joined.result
            case Finish(result):
                thread.result = self._eval(world, name, result)
                thread.location = None
                thread.registers = {}
                for obj in self.program.templates[thread.template].locals:
                    world.memory.pop(f"{name}:{obj}", None)
            case Exit(how):
                world.status = how
                world.threads = {}
            case Fail(prop, message):
                world.status = f"violates {prop}: {message}"
                world.threads = {}
            case _:
                raise NotImplementedError(type(effect).__name__)
        return [world]

    def _cell(
        self, world: World, name: str, address: Expr, type: Scalar
    ) -> tuple[dict[int, Any], int]:
        pointer = self._eval(world, name, address)
        if isinstance(pointer, int) or pointer[0] not in world.memory:
            raise UndefinedBehaviour("dereference")
        types = {cell.offset: cell.type for cell in self.layouts[pointer[0]].cells}
        if types.get(pointer[1]) != type:
            raise NotImplementedError("access to a part of a cell")
        return world.memory[pointer[0]], pointer[1]

    def _thread(self, template: str, argument: Any) -> Thread:
        registers = {"$arg": argument}
        return Thread(template, self.program.templates[template].entry, registers)

    def _content(self, obj: MemoryObject, thread: str) -> dict[int, Any]:
        content = {}
        for cell, value in zip(obj.layout.cells, obj.initial, strict=True):
            assert not isinstance(value, Addr) or not thread
            content[cell.offset] = None if value is None else Evaluator({})(value)
        return content


def _with_locals(e: Expr, names: Any) -> Expr:
    """Addresses of local objects as registers that hold them."""
    match e:
        case Addr(name, offset, type) if name in names:
            return PtrAdd(Reg(f"&{name}", type), Const(offset, IntType(32, True)))
        case Unary(op, a):
            return Unary(op, _with_locals(a, names))
        case Convert(a, t):
            return Convert(_with_locals(a, names), t)
        case Binary(op, a, b):
            return Binary(op, _with_locals(a, names), _with_locals(b, names))
        case Compare(op, a, b):
            return Compare(op, _with_locals(a, names), _with_locals(b, names))
        case PtrAdd(a, b):
            return PtrAdd(_with_locals(a, names), _with_locals(b, names))
        case _:
            return e


@dataclass
class Outcomes:
    """What a program can reach, as text: violations, memories when all threads have finished, and
    memories when some have not but none can go on."""

    violations: set[str] = field(default_factory=set)
    finals: set[str] = field(default_factory=set)
    stuck: set[str] = field(default_factory=set)


def outcomes(oracle: Oracle, most: int) -> Outcomes | None:
    """What the program can reach; None if it has more than `most` states."""
    first = oracle.initial()
    seen = {first.key()}
    stack = [first]
    result = Outcomes()
    while stack:
        world = stack.pop()
        successors = list(oracle.successors(world))
        if world.status.startswith("violates"):
            result.violations.add(world.status)
        elif world.status == "running" and not successors:
            done = all(t.location is None for t in world.threads.values())
            (result.finals if done else result.stuck).add(final_text(oracle, world))
        for after in successors:
            if after.key() not in seen:
                seen.add(after.key())
                stack.append(after)
                if len(seen) > most:
                    return None
    return result


def final_text(oracle: Oracle, world: World) -> str:
    """The memory by the names of cells, as `Interpreter.describe` gives it."""
    memory = {}
    for name, content in world.memory.items():
        for cell in oracle.layouts[name].cells:
            memory[name + cell.path] = value_text(content[cell.offset])
    return repr(sorted(memory.items()))
