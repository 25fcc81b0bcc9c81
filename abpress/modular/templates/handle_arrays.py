"""Arrays of handles, of ids of threads: one thread fills and reads them. NOTE(handles-in-arrays)

They are objects of the program, or what is allocated once, or members of elements of these.
NOTE(joined-threads)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from abpress.analysis.facts import Facts
from abpress.analysis.points_to import AbstractObject, Heap, Local, Static, name_of
from abpress.ir.expr import Const, Expr, Reg
from abpress.ir.program import (
    Alloc,
    Copy,
    Effect,
    Join,
    Load,
    Program,
    Spawn,
    Store,
    edges,
    effect_target,
)
from abpress.ir.types import INT, IntType
from abpress.modular.numbers.memory import NumericMemory, Repeated
from abpress.modular.threads import SoleThreads


@dataclass(frozen=True, slots=True)
class HandleArray:
    """An array of ids of threads, which only threads of one template access: one thread. They are
    `offset` bytes behind the begin of elements of `stride` bytes, of which there are `count` at
    most."""

    object: AbstractObject
    template: str
    type: IntType
    count: int
    offset: int
    stride: int

    @property
    def name(self) -> str:
        """Its name, with that of the template if it is a local or an allocated one."""
        whole = self.stride == self.type.size
        return name_of(self.object) if whole else f"{name_of(self.object)}+{self.offset}"

    def has(self, place: Repeated) -> bool:
        """Whether its ids are what is in such a place."""
        its = self.object, self.offset, self.stride
        return its == (place.object, place.offset, place.stride)


def handle_arrays(
    program: Program, facts: Facts, threads: SoleThreads, memory: NumericMemory
) -> Mapping[str, HandleArray]:
    """The arrays of handles, by name, of the threads that join others."""
    found: dict[str, HandleArray] = {}
    for name, template in program.templates.items():
        if any(isinstance(effect, Join) for _, edge in edges(template) for effect in edge.effects):
            objects: list[AbstractObject] = [Static(its) for its in program.objects]
            objects += [Local(name, its) for its in template.locals]
            arrays = [handle_array(program, facts, threads.single, name, o) for o in objects]
            arrays += _in_elements(program, threads, memory, name)
            for array in arrays:
                if array is not None:
                    found.setdefault(array.name, array)
    return found


def _in_elements(
    program: Program, threads: SoleThreads, memory: NumericMemory, template: str
) -> Iterator[HandleArray]:
    """The arrays of handles of a template that are allocated, or members of elements."""
    type = program.thread_id
    for cell, place in {**memory.repeated, **memory.allocated_elements}.items():
        if memory.types[cell] != type or not _is_one(threads, template, place.object):
            continue
        if _has_handles(program, memory, template, cell):
            count = min(-(-_size(program, place.object) // place.stride), INT.maximum + 1)
            yield HandleArray(place.object, template, type, count, place.offset, place.stride)


def _is_one(threads: SoleThreads, template: str, object: AbstractObject) -> bool:
    """Whether an object that a template has is one only."""
    if template not in threads.single:
        return False
    match object:
        case Static():
            return True
        case Local(owner, _):
            return owner == template
        case Heap(owner, location):
            return owner == template and not threads.again(owner, location)
        case _:
            return False


def _size(program: Program, object: AbstractObject) -> int:
    """How many bytes an object has at most."""
    match object:
        case Static(name):
            return program.objects[name].layout.size
        case Local(owner, name):
            return program.templates[owner].locals[name].layout.size
        case Heap(owner, location, edge, n):
            alloc = program.templates[owner].locations[location].edges[edge].effects[n]
            assert isinstance(alloc, Alloc)
            most = alloc.count.value if isinstance(alloc.count, Const) else INT.maximum + 1
            return most * alloc.element.size
        case _:
            raise AssertionError(f"{object} has no size")


def _has_handles(program: Program, memory: NumericMemory, template: str, cell: str) -> bool:
    """Whether all accesses that may be of a cell are of ids that were created, by the template."""
    for name, its in program.templates.items():
        for _, edge in edges(its):
            for effect in edge.effects:
                for address, size in _accesses(effect):
                    if cell in memory.access(name, address, size).cells and (
                        name != template or not _is_access(program, template, effect)
                    ):
                        return False
    return True


def handle_array(
    program: Program,
    facts: Facts,
    single: Collection[str],
    template: str,
    object: AbstractObject,
) -> HandleArray | None:
    """The object as an array of handles of a template; None if it is none: all accesses are of the
    template, to elements, and only ids of threads that were created are written."""
    match object:
        case Static(name):
            layout = program.objects[name].layout
        case Local(owner, name) if owner == template:
            layout = program.templates[owner].locals[name].layout
        case _:
            return None
    types = {cell.type for cell in layout.cells}
    size = len(layout.cells) * program.thread_id.size
    if template not in single or types != {program.thread_id} or size != layout.size:
        return None
    for name, its in program.templates.items():
        for _, edge in edges(its):
            for effect in edge.effects:
                met = [t for a, _ in _accesses(effect) for t in facts.points_to.targets(name, a)]
                if any(t.object == object for t in met) and (
                    name != template or not _is_access(program, template, effect)
                ):
                    return None
    type = program.thread_id
    return HandleArray(object, template, type, len(layout.cells), 0, type.size)


def _accesses(effect: Effect) -> tuple[tuple[Expr, int], ...]:
    """The addresses and sizes of what an effect reads or writes."""
    match effect:
        case Load(target, address):
            return ((address, target.type.size),)
        case Store(address, value):
            return ((address, value.type.size),)
        case Copy(target, source, size):
            return (target, size), (source, size)
        case _:
            return ()


def _is_access(program: Program, template: str, effect: Effect) -> bool:
    """Whether an effect reads an id, or writes one that a creation has given."""
    match effect:
        case Load(target, _):
            return target.type == program.thread_id
        case Store(_, Reg(name)):
            its = tuple(definitions(program, template, name))
            return bool(its) and all(isinstance(e, Spawn) for e in its)
        case _:
            return False


def definitions(program: Program, template: str, register: str) -> Iterator[Effect]:
    """The effects that give a register a value."""
    for _, edge in edges(program.templates[template]):
        for effect in edge.effects:
            target = effect_target(effect)
            if target is not None and target.name == register:
                yield effect
