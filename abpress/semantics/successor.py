"""What is left of a finished path: the next discrete part, the updates, what is forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from abpress.ir.expr import Const, Convert, Expr, PtrAdd, Reg
from abpress.ir.types import PtrType, Scalar
from abpress.semantics.context import ALLOCATIONS, DONE, SPAWNS
from abpress.semantics.discrete import (
    PROGRAM_KEY,
    RESULT,
    Discrete,
    Known,
    ThreadPart,
    Value,
    variable_type,
)
from abpress.semantics.evaluation import Evaluator
from abpress.semantics.paths import Path


class After(NamedTuple):
    """See `discrete.SymbolicStep`."""

    discrete: Discrete
    updates: dict[str, Expr]
    forgotten: frozenset[str]


def moved(path: Path, evaluator: Evaluator, location: int, result: Value = None) -> After:
    """After a path whose thread now stands at a location, or is DONE with a result."""
    after = _Successor(path, evaluator)
    template = path.code.template
    if location == DONE:
        part = ThreadPart(path.thread, template.name, DONE)
        after.set(f"{path.name}:{RESULT}", result, path.objects.program.pointer, True)
    else:
        frame = path.code.frames[location]
        part = ThreadPart(
            path.thread,
            template.name,
            location,
            path.spawns if SPAWNS in frame else 0,
            path.allocations if ALLOCATIONS in frame else 0,
        )
        after.set_registers(part, path.registers)
    parts = {p.id: p for p in path.before.threads}
    parts[part.id] = part
    for child, argument in path.spawned:
        parts[child.id] = child
        after.set_registers(child, {"$arg": argument})
    return after.finish(tuple(parts[t] for t in sorted(parts)), None)


def ended(path: Path, evaluator: Evaluator, status: str) -> After:
    """After a path that ends the program: only the memory is left."""
    path.writes.add(PROGRAM_KEY)
    after = _Successor(path, evaluator)
    for part in path.before.threads:
        if part.id != path.thread:
            after.drop_registers(part)
    return after.finish((), status)


class _Successor:
    """Collects the contents after a path."""

    def __init__(self, path: Path, evaluator: Evaluator) -> None:
        self._path = path
        self._evaluator = evaluator
        self._known: dict[str, Known] = dict(path.known)
        self._updates: dict[str, Expr] = {}
        self._forgotten: set[str] = set()
        self.drop_registers(path.part)

    def drop_registers(self, part: ThreadPart) -> None:
        """What a thread has in registers is forgotten (until it is set again)."""
        objects = self._path.objects
        for key, _, _ in objects.registers(part):
            self._drop(key)

    def _drop(self, key: str) -> None:
        if key in self._known:
            del self._known[key]
        elif key not in self._path.objects.constants:
            self._forgotten.add(key)

    def set_registers(self, part: ThreadPart, values: Mapping[str, Value]) -> None:
        """The live registers of a thread."""
        objects = self._path.objects
        for key, register, type in objects.registers(part):
            control = objects.control.register(part.template, register)
            self.set(key, values.get(register), type, control)

    def set(self, key: str, value: Value, type: Scalar, control: bool) -> None:
        """The content of a cell or register that exists after the path."""
        if isinstance(value, PtrAdd):
            value = self._split(value)
        number = _number(value)
        if number is not None and (control or isinstance(type, PtrType)):
            number = self._path.settled(number)
            if isinstance(number, Const):
                value = Const(number.value, type)
        known = self._path.known
        if number is None or (isinstance(number, Const) and (control or isinstance(type, PtrType))):
            assert not isinstance(value, Convert)
            self._known[key] = value  # type: ignore[assignment]
            if number is None:
                if key not in known:
                    self._forgotten.add(key)
            else:
                self._forgotten.discard(key)
                if key not in known or known[key] != value:
                    self._updates[key] = number
            return
        self._known.pop(key, None)
        self._forgotten.discard(key)
        if number != Reg(key, variable_type(type)):
            self._updates[key] = number

    def _split(self, pointer: PtrAdd) -> Expr:
        """The pointer at a known place: at a cell of its object, or at its end."""
        path = self._path
        name = pointer.pointer.object  # type: ignore[union-attr]
        o = path.living(name)
        if o is None:
            path.undefined(f"the address of {name} used outside its lifetime")
        assert o is not None
        places = sorted({*(cell.offset for cell in o.layout.cells), o.layout.size})
        return self._evaluator.split(pointer, o, places, f"pointer out of the bounds of {name}")

    def finish(self, threads: tuple[ThreadPart, ...], status: str | None) -> After:
        path = self._path
        for name, o in path.lives.items():
            was = path.objects.living(path.before, name)
            if o is None and was is not None:
                for ref in was.cells.values():
                    self._drop(ref.name)
        for name, value in path.memory.items():
            ref = path.refs[name]
            self.set(name, value, ref.type, ref.control)
        objects = path.before.objects
        if path.lives:
            alive = {o.name: o for o in objects}
            for name, o in path.lives.items():
                if o is None:
                    alive.pop(name, None)
                else:
                    alive[name] = o
            objects = tuple(alive[name] for name in sorted(alive))
        known = tuple(sorted(self._known.items(), key=lambda item: item[0]))
        discrete = Discrete(threads, known, objects, status)
        return After(path.objects.interned(discrete), self._updates, frozenset(self._forgotten))


def _number(value: Value) -> Expr | None:
    """The integer in a content; None for undefined contents and addresses."""
    match value:
        case Const(number, PtrType() as type):
            return Const(number, variable_type(type))
        case Convert(number, PtrType()):
            return number
        case None:
            return None
        case _:
            return None if isinstance(value.type, PtrType) else value
