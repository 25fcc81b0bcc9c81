"""Arrays of handles, of ids of threads: one thread fills and reads them. NOTE(handles-in-arrays)"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from abpress.analysis.facts import Facts
from abpress.analysis.points_to import AbstractObject, Local, Static, name_of
from abpress.ir.expr import Expr, Reg
from abpress.ir.program import (
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
from abpress.ir.types import IntType


@dataclass(frozen=True, slots=True)
class HandleArray:
    """An array of ids of threads, which only threads of one template access: one thread."""

    object: AbstractObject
    template: str
    type: IntType
    count: int

    @property
    def name(self) -> str:
        """Its name, with that of the template if it is a local one."""
        return name_of(self.object)


def handle_arrays(
    program: Program, facts: Facts, single: Collection[str]
) -> Mapping[str, HandleArray]:
    """The arrays of handles, by name, of the threads that join others; `single` are the templates
    of which there is one thread at most."""
    found: dict[str, HandleArray] = {}
    for name, template in program.templates.items():
        if any(isinstance(effect, Join) for _, edge in edges(template) for effect in edge.effects):
            objects: list[AbstractObject] = [Static(its) for its in program.objects]
            objects += [Local(name, its) for its in template.locals]
            for object in objects:
                array = handle_array(program, facts, single, name, object)
                if array is not None:
                    found.setdefault(array.name, array)
    return found


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
                met = [t for a in _addresses(effect) for t in facts.points_to.targets(name, a)]
                if any(t.object == object for t in met) and (
                    name != template or not _is_access(program, template, effect)
                ):
                    return None
    return HandleArray(object, template, program.thread_id, len(layout.cells))


def _addresses(effect: Effect) -> tuple[Expr, ...]:
    match effect:
        case Load(_, address) | Store(address, _):
            return (address,)
        case Copy(target, source, _):
            return (target, source)
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
