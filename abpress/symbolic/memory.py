"""Effects on memory, on one path."""

from __future__ import annotations

from typing import NamedTuple

from abpress.analysis.points_to import Heap, overlapping
from abpress.ir.arrays import filled, selected, updated
from abpress.ir.expr import (
    Addr,
    ArrayReg,
    Binary,
    Compare,
    Const,
    Expr,
    Filled,
    FuncAddr,
    PtrAdd,
    Reg,
    Select,
    operands,
)
from abpress.ir.program import ENDS_IN_USE, NO_MISUSE, VALID_DEREF, VALID_FREE, Alloc, Copy
from abpress.ir.types import INDEX, Cell, IntType, PtrType, lock_of, unused
from abpress.logic.connectives import between
from abpress.logic.formula import disj, holds, neg
from abpress.semantics.memory import heap_layout
from abpress.semantics.outcome import FIRST_PAGE, ExecutionEnds, null_dereferenced
from abpress.symbolic.discrete import CellRef, ObjectRef, Value, object_of
from abpress.symbolic.elements import as_linear, element, element_of_many
from abpress.symbolic.evaluation import Evaluator
from abpress.symbolic.paths import Faulted, SymbolicPath

MOST_WRITES = 200
"""Writes to one array on one path that are not of numbers to numbered elements."""


class Element(NamedTuple):
    """A place in an object that is an array."""

    object: ObjectRef
    array: ArrayReg
    number: Expr


class SymbolicMemory:
    """Executes accesses of the running thread."""

    def __init__(self, path: SymbolicPath, evaluator: Evaluator) -> None:
        self._path = path
        self._evaluator = evaluator

    # -- accesses -------------------------------------------------------------------------------

    def load(self, target: Reg, address: Expr, inert: bool) -> None:
        """target := the scalar at `address`; an undefined cell gets a value if it is not inert."""
        path = self._path
        place = self._cell(address, target.type)
        self._touch(place, False)
        if isinstance(place, Element):
            path.registers[target.name] = self._load_element(target, place, inert)
        else:
            path.registers[target.name] = self._load_cell(target, place, inert)
        path.loads += 1

    def _load_cell(self, target: Reg, ref: CellRef, inert: bool) -> Value:
        path = self._path
        value = path.content(ref)
        path.reads.add(ref.name)
        if value is None and not inert:
            value = self._evaluator.choose(target.type, f"uninitialised {ref.name}")
            path.set(ref, self._converted(value, ref.type))
            path.writes.add(ref.name)
        elif ref.control:
            path.set(ref, value)
        return self._converted(value, target.type)

    def _load_element(self, target: Reg, place: Element, inert: bool) -> Value:
        path = self._path
        path.reads.add(place.array.name)
        content = selected(path.array(place.array), place.number)
        value = self._converted(path.settled(content), target.type)
        if path.objects.undefined(place.object) and not inert:
            assert isinstance(target.type, IntType) and value is not None
            path.late_input(target.type, f"uninitialised element of {place.object.name}", value)
        return value

    def store(self, address: Expr, value: Value, type: IntType | PtrType) -> None:
        """The scalar at `address` := value."""
        path = self._path
        place = self._cell(address, type, writes=True)
        self._touch(place, True)
        if isinstance(place, Element):
            self._store_element(place, value)
            return
        path.set(place, self._converted(value, place.type))
        path.writes.add(place.name)

    def _store_element(self, place: Element, value: Value) -> None:
        path = self._path
        path.writes.add(place.array.name)
        if value is None:
            value = Select(path.arbitrary(place.array.element), Const(0, INDEX))
        value = self._converted(value, place.array.element)
        assert value is not None
        after = updated(path.array(place.array), place.number, value)
        written = operands(after)
        if len(written) > 2 * MOST_WRITES and not all(isinstance(e, Const) for e in written):
            raise Faulted(f"more than {MOST_WRITES} writes to an array in one step at {path.where}")
        count = place.object.layout.size // place.array.element.size
        complete = place.object.count is None and len(written) == 2 * count
        path.arrays[place.array.name] = (filled(after, count) or after) if complete else after

    def copy(self, target: Expr, source: Expr, size: int) -> None:
        """Copies `size` bytes between places of equal shape."""
        path = self._path
        if size == 0:
            return
        to, t = self._place(target, size)
        of, f = self._place(source, size)
        if to.readonly:
            path.undefined(f"write to the read-only {to.name}")
        read, written = overlapping(of.layout, f, size), overlapping(to.layout, t, size)
        if _shape(read, f) != _shape(written, t) or not _whole(read, f, size):
            raise Faulted(f"bytes copied between unlike objects at {path.where}")
        path.touch(of.name, f, size, False)
        path.touch(to.name, t, size, True)
        values = [path.content(of.cells[cell.offset]) for cell in read]
        for cell, goal, value in zip(read, written, values, strict=True):
            ref = to.cells[goal.offset]
            path.set(ref, self._converted(value, ref.type))
            path.reads.add(of.cells[cell.offset].name)
            path.writes.add(ref.name)

    def _touch(self, place: CellRef | Element, writes: bool) -> None:
        if self._path.counts is None:
            return
        if isinstance(place, Element):
            size = place.array.element.size
            self._path.touch(place.object.name, place.number, size, writes)
        else:
            self._path.touch(object_of(place.name), place.offset, place.type.size, writes)

    def _converted(self, value: Value, type: IntType | PtrType) -> Value:
        """A value in a cell or register of another type of the same size."""
        if value is None or value.type == type:
            return value
        return self._evaluator.convert(value, type)

    # -- places ---------------------------------------------------------------------------------

    def _cell(
        self, address: Expr, type: IntType | PtrType, writes: bool = False
    ) -> CellRef | Element:
        """The cell or element at an address, for a scalar of its size."""
        pointer = self._evaluator.value(address)
        if isinstance(pointer, PtrAdd):
            o = self._object(pointer)
            if o.array is not None:
                return self._element(pointer, o, o.array, type, writes)
            same = [c.offset for c in o.layout.cells if c.type.bits == type.bits]
            pointer = self._evaluator.split(
                pointer, o, same, f"access out of the bounds of {o.name}"
            )
        else:
            o = self._object(pointer)
        assert isinstance(pointer, Addr)
        if o.array is not None:
            return self._element(pointer, o, o.array, type, writes)
        self._check_bounds(o, pointer.offset, type.size)
        if writes and o.readonly:
            self._path.undefined(f"write to the read-only {o.name}")
        ref = o.cells.get(pointer.offset)
        if ref is None or ref.type.bits != type.bits:
            raise Faulted(f"access to a part of a scalar at {self._path.where}")
        return ref

    def _element(
        self,
        pointer: Addr | PtrAdd,
        o: ObjectRef,
        array: ArrayReg,
        type: IntType | PtrType,
        writes: bool,
    ) -> Element:
        """The element at an address in an array."""
        if o.count is not None:
            return self._element_of_many(pointer, o, o.count, array, type)
        path = self._path
        size, count = array.element.size, o.layout.size // array.element.size
        if isinstance(pointer, PtrAdd):
            assert isinstance(pointer.pointer, Addr)
            index, inside = element(pointer.bytes, pointer.pointer.offset, size, count)
            if path.decide((inside, neg(inside))):
                path.undefined(f"access out of the bounds of {o.name}", VALID_DEREF)
            index = path.objects.folder.fold(index)
        else:
            self._check_bounds(o, pointer.offset, type.size)
            index = Const(pointer.offset // size, INDEX)
        if writes and o.readonly:
            path.undefined(f"write to the read-only {o.name}")
        misaligned = isinstance(pointer, Addr) and pointer.offset % size != 0
        if misaligned or type.size != size or not isinstance(type, IntType):
            raise Faulted(f"access to the array {o.name} as something else at {path.where}")
        return Element(o, array, index)

    def _element_of_many(
        self,
        pointer: Addr | PtrAdd,
        o: ObjectRef,
        number: CellRef,
        array: ArrayReg,
        type: IntType | PtrType,
    ) -> Element:
        """The element at an address in an array of so many elements as the variable says."""
        path = self._path
        path.reads.add(number.name)
        count = path.content(number)
        assert count is not None and isinstance(pointer, Addr | PtrAdd)
        if isinstance(pointer, PtrAdd):
            assert isinstance(pointer.pointer, Addr)
            distance, offset = pointer.bytes, pointer.pointer.offset
        else:
            distance, offset = Const(0, INDEX), pointer.offset
        place = element_of_many(
            distance, offset, type.size, array.element.size, count, pointer.type
        )
        if path.decide((place.inside, neg(place.inside))):
            path.preferred.append(place.near)
            path.undefined(f"access out of the bounds of {o.name}", VALID_DEREF)
        exact = type.size == array.element.size and isinstance(type, IntType)
        if not exact or path.decide((place.aligned, neg(place.aligned))):
            raise Faulted(f"access to the array {o.name} as something else at {path.where}")
        return Element(o, array, path.objects.folder.fold(place.number))

    def _place(self, address: Expr, size: int) -> tuple[ObjectRef, int]:
        """The object at an address and the offset into it, for a range of bytes."""
        pointer = self._evaluator.value(address)
        o = self._object(pointer)
        if o.array is not None:
            raise Faulted(f"bytes copied of the array {o.name} at {self._path.where}")
        if isinstance(pointer, PtrAdd):
            within = [c.offset for c in o.layout.cells if c.offset + size <= o.layout.size]
            pointer = self._evaluator.split(
                pointer, o, within, f"access out of the bounds of {o.name}"
            )
        assert isinstance(pointer, Addr)
        self._check_bounds(o, pointer.offset, size)
        return o, pointer.offset

    def _check_bounds(self, o: ObjectRef, offset: int, size: int) -> None:
        if offset < 0 or offset + size > o.layout.size:
            self._path.undefined(f"access out of the bounds of {o.name}", VALID_DEREF)

    def _object(self, pointer: Expr) -> ObjectRef:
        """The living object that a pointer points into."""
        path = self._path
        match pointer:
            case Addr(name) | PtrAdd(Addr(name), _):
                o = path.living(name)
                if o is None:
                    path.undefined(f"{name} accessed outside its lifetime", VALID_DEREF)
                assert o is not None
                return o
            case Const(int(value), _) if 0 <= value < FIRST_PAGE:
                path.undefined(null_dereferenced(value), VALID_DEREF)
            case FuncAddr():
                path.undefined("function accessed as data", VALID_DEREF)
            case _:
                path.undefined("integer dereferenced", VALID_DEREF)
        raise AssertionError("internal error: not reached")

    # -- lifetimes ------------------------------------------------------------------------------

    def enter(self, name: str) -> None:
        """Begins the lifetime of a local object."""
        path = self._path
        owner = path.thread, path.code.template.name
        o = path.objects.local(*owner, name)
        path.begin_life(o)
        local = path.code.template.locals[name]
        if o.array is not None:
            path.set_array(o.array, path.objects.filled(local))
            return
        for ref, value in path.objects.initial(o, local, owner):
            path.set(ref, value)

    def leave(self, name: str) -> None:
        """Ends the lifetime of a local object."""
        path = self._path
        o = path.objects.local(path.thread, path.code.template.name, name)
        if o.layout.users and path.living(o.name) is not None:
            self._require_unused(o)
        path.end_life(o)

    def _require_unused(self, o: ObjectRef) -> None:
        """Ends the path where threads use a part of the object, which ends now."""
        path = self._path
        for j in o.layout.users:
            cell = o.layout.cells[j]
            ref = o.cells.get(cell.offset)
            if ref is None or o.count is not None:
                raise Faulted(f"the end of locks in the array {o.name} at {path.where}")
            path.reads.add(ref.name)
            value = path.content(ref)
            if value is None:
                continue
            assert isinstance(ref.type, IntType)
            alone = [Compare("==", value, Const(n, ref.type)) for n in unused(ref.type)]
            free = disj(map(holds, alone))
            if path.decide((free, neg(free))):
                name = o.name + lock_of(cell.path)
                path.undefined(ENDS_IN_USE.format(name), NO_MISUSE)

    def allocate(self, effect: Alloc, origin: Heap) -> None:
        """register := the address of a fresh heap object."""
        path = self._path
        count = self._evaluator.checked(effect.count)
        element = path.objects.context.element(effect.element)
        if isinstance(count, Const):
            try:
                layout = heap_layout(element, count.value, path.position)
            except ExecutionEnds as end:
                raise Faulted(str(end.reason)) from end
            path.allocations += 1
            o = path.objects.heap(path.thread, path.allocations, layout, origin)
        else:
            if origin not in path.objects.unbounded:
                raise Faulted(f"allocation of a size that is not known at {path.where}")
            number = self._number_of_elements(count, len(element.cells))
            path.allocations += 1
            o = path.objects.heap(path.thread, path.allocations, element, origin, counted=False)
            assert o.count is not None
            path.writes.add(o.count.name)
            path.set(o.count, number)
        path.begin_life(o)
        if o.array is not None:
            path.set_array(o.array, Filled(0, (), o.array.element) if effect.zeroed else None)
        for ref in o.cells.values():
            path.set(ref, Const(0, ref.type) if effect.zeroed else None)
        assert isinstance(effect.target.type, PtrType)
        path.registers[effect.target.name] = Addr(o.name, 0, effect.target.type)

    def _number_of_elements(self, count: Expr, each: int) -> Expr:
        """The number of integers that an allocation is asked for, of the type INDEX, `each` times
        the count.

        Nothing lies further from the begin of an object than INDEX says, so more need not be told.
        """
        path, fold = self._path, self._path.objects.folder.fold
        linear = as_linear(count, each)
        if linear is not None:
            number, exact = linear
            if path.decide((exact, neg(exact))) == 0:
                return path.settled(fold(number))
        number = self._evaluator.convert(count, INDEX)
        fits = between(number, 0, INDEX.maximum // each)
        if path.decide((fits, neg(fits))):
            return Const(INDEX.maximum, INDEX)
        return path.settled(fold(Binary("*", number, Const(each, INDEX))))

    def free(self, address: Expr, automatic: bool) -> None:
        """Ends the lifetime of a heap object; nothing for NULL."""
        path = self._path
        pointer = self._evaluator.value(address)
        if isinstance(pointer, Const) and pointer.value == 0:
            return
        o = self._freed(pointer, automatic)
        self._require_unused(o)
        if not automatic:
            path.touch(o.name, 0, o.layout.size, True)
        path.end_life(o)

    def _freed(self, pointer: Expr, automatic: bool) -> ObjectRef:
        """The heap object that a pointer frees."""
        path = self._path
        match pointer:
            case Addr(name, 0) if name.startswith("heap "):
                o = path.living(name)
                if o is None:
                    path.undefined(f"double free of {name}", VALID_FREE)
                assert o is not None
                if path.objects.automatic(o) != automatic:
                    path.undefined("free of what is no heap object", VALID_FREE)
                return o
            case PtrAdd():
                raise Faulted(f"free of an unknown place in an object at {path.where}")
            case _:
                path.undefined("free of what is no heap object", VALID_FREE)
        raise AssertionError("internal error: not reached")

    def moved(self, effect: Copy) -> int:
        """How many bytes are copied where the source is a heap object that is to be freed."""
        of = self._freed(self._evaluator.value(effect.source), automatic=False)
        to = self._object(self._evaluator.value(effect.target))
        if of.count is not None or to.count is not None:
            raise Faulted(f"reallocation of a size that is not known at {self._path.where}")
        return min(effect.size, of.layout.size, to.layout.size)


def _shape(cells: list[Cell], start: int) -> list[tuple[int, int]]:
    return [(cell.offset - start, cell.type.size) for cell in cells]


def _whole(cells: list[Cell], start: int, size: int) -> bool:
    return all(
        cell.offset >= start and cell.offset + cell.type.size <= start + size for cell in cells
    )
