"""Which static objects are used by accesses to one of their cells only."""

from __future__ import annotations

from abpress.ir.expr import Addr, named_objects
from abpress.ir.passes.unobserved import is_safe
from abpress.ir.program import Effect, Load, Program, Store, Template, edges, effect_operands


def accessed_cell(program: Program, template: Template, effect: Effect) -> Addr | None:
    """The cell of a static object that a load or store hits exactly, whatever is there."""
    match effect:
        case Load(target, Addr() as address) if is_safe(program, template, address, target.type):
            return address
        case Store(Addr() as address, value) if is_safe(program, template, address, value.type):
            return address
        case _:
            return None


def indirect_objects(program: Program) -> frozenset[str]:
    """The objects whose address is used for more than that: others may access them, too."""
    found: set[str] = set()
    objects = [*program.objects.values()]
    for template in program.templates.values():
        objects += template.locals.values()
        for _, edge in edges(template):
            found.update(named_objects(edge.guard))
            for effect in edge.effects:
                operands = effect_operands(effect)
                if accessed_cell(program, template, effect) is not None:
                    operands = operands[1:]
                for operand in operands:
                    found.update(named_objects(operand))
    for o in objects:
        found.update(value.object for value in o.initial if isinstance(value, Addr))
    return frozenset(found)
