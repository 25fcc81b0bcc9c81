"""Successors of finished paths: a change of the discrete part, updates, what is forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from typing import NamedTuple

from abpress.ir.expr import ArrayReg, Const, Convert, Expr, PtrAdd, Reg, Term
from abpress.ir.types import PtrType, Scalar
from abpress.semantics.context import ALLOCATIONS, DONE, SPAWNS
from abpress.symbolic.discrete import (
    PROGRAM_KEY,
    RESULT,
    Known,
    ThreadPart,
    Value,
    variable_type,
)
from abpress.symbolic.evaluation import Evaluator
from abpress.symbolic.paths import Faulted, SymbolicPath
from abpress.symbolic.shapes import DiscreteChange


class After(NamedTuple):
    """The end of a path, from which a `shapes.Shape` is made."""

    change: DiscreteChange | None
    updates: dict[str, Term]
    forgotten: frozenset[str]


def moved(path: SymbolicPath, evaluator: Evaluator, location: int, result: Value = None) -> After:
    """After a path whose thread now stands at a location, or is DONE with a result."""
    after = _Successor(path, evaluator)
    template = path.code.template
    if location == DONE:
        part = ThreadPart(path.thread, template.name, DONE)
        after.forget_registers()
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
        after.move_registers(part)
    for child, argument in path.spawned:
        after.set_registers(child, {"$arg": argument})
    return after.finish(part, None)


def ended(path: SymbolicPath, evaluator: Evaluator, status: str) -> After:
    """After a path that ends the program: only the memory is left."""
    path.writes.add(PROGRAM_KEY)
    after = _Successor(path, evaluator)
    after.forget_registers()
    return after.finish(None, status)


class _Successor:
    """Collects the contents that are not what they were before the path."""

    def __init__(self, path: SymbolicPath, evaluator: Evaluator) -> None:
        self._path = path
        self._evaluator = evaluator
        self._known: dict[str, Known] = {}
        self._lost: set[str] = set()  # not known any more
        self._updates: dict[str, Term] = {}
        self._forgotten: set[str] = set()

    def _forget(self, key: str) -> None:
        self._lost.add(key)
        self._forgotten.add(key)

    def forget_registers(self) -> None:
        """Forgets the registers of the thread."""
        for key, _, _ in self._path.objects.registers(self._path.part):
            self._forget(key)

    def move_registers(self, part: ThreadPart) -> None:
        """Keeps the registers that are live where the thread stands now."""
        path = self._path
        was = {key for key, _, _ in path.objects.registers(path.part)}
        now = path.objects.registers(part)
        for key in sorted(was.difference(key for key, _, _ in now)):
            self._forget(key)
        for key, register, type in now:
            if register in path.registers or key not in was:
                control = path.objects.control.register(part.template, register)
                self.set(key, path.registers.get(register), type, control)

    def set_registers(self, part: ThreadPart, values: Mapping[str, Value]) -> None:
        """Sets the registers of a new thread."""
        objects = self._path.objects
        for key, register, type in objects.registers(part):
            control = objects.control.register(part.template, register)
            self.set(key, values.get(register), type, control)

    def set(self, key: str, value: Value, type: Scalar, control: bool) -> None:
        """Sets the content of a cell or register that exists after the path."""
        path = self._path
        if isinstance(value, PtrAdd):
            value = self._split(value)
        number = _number(value)
        if number is not None and (control or isinstance(type, PtrType)):
            number = path.settled(number)
            if isinstance(number, Const):
                value = Const(number.value, type)
        if number is None or (isinstance(number, Const) and (control or isinstance(type, PtrType))):
            assert not isinstance(value, Convert)
            if key in path.contents and path.contents[key] == value:
                return
            self._known[key] = value  # type: ignore[assignment]
            if number is None:
                self._forgotten.add(key)
            else:
                self._updates[key] = number
        elif number != Reg(key, variable_type(type)):
            self._lost.add(key)
            self._updates[key] = number

    def _split(self, pointer: PtrAdd) -> Expr:
        """The pointer at a known place: at a cell of its object, or at its end."""
        path = self._path
        name = pointer.pointer.object  # type: ignore[union-attr]
        o = path.living(name)
        if o is None:
            path.undefined(f"the address of {name} used outside its lifetime")
        assert o is not None
        if o.count is not None:
            raise Faulted(f"pointer to an unknown place in {name} kept at {path.where}")
        places = sorted({*(cell.offset for cell in o.layout.cells), o.layout.size})
        return self._evaluator.split(pointer, o, places, f"pointer out of the bounds of {name}")

    def finish(self, part: ThreadPart | None, status: str | None) -> After:
        path = self._path
        over = [name for name, o in path.lives.items() if o is None]
        for name in over:
            for ref in path.ended[name].cells.values():
                self._forget(ref.name)
            array, count = path.ended[name].array, path.ended[name].count
            if array is not None:
                self._forget(array.name)
            if count is not None:
                self._forget(count.name)
        for name, content in path.arrays.items():
            if not isinstance(content, ArrayReg) or content.name != name:
                self._updates[name] = content
        for name, value in path.memory.items():
            ref = path.refs[name]
            self.set(name, value, ref.type, ref.control)
        pointer = path.objects.program.pointer
        for name in path.taken:
            self.set(f"{name}:{RESULT}", Const(0, pointer), pointer, True)
        change = DiscreteChange(
            part,
            tuple(child for child, _ in path.spawned),
            tuple(sorted(self._known.items(), key=itemgetter(0))),
            tuple(sorted(self._lost)),
            tuple(o for o in path.lives.values() if o is not None),
            frozenset(over),
            status,
        )
        return After(change, self._updates, frozenset(self._forgotten))


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
