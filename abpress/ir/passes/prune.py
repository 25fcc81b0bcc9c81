"""Removal of what cannot be reached or is never named: locations, templates, objects, registers.

Precondition: the program is well-formed. Preserves all executions; the static objects that are
gone were neither read, written nor pointed to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from abpress.ir.expr import FALSE, Addr, Expr, Reg, walk
from abpress.ir.paths import closure
from abpress.ir.program import (
    Edge,
    Enter,
    Leave,
    Location,
    MemoryObject,
    Program,
    Spawn,
    Template,
    edges,
    effect_operands,
    effect_target,
    goes_on,
)


def prune(program: Program) -> Program:
    """The program without unreachable code and unused objects."""
    templates = {name: prune_template(t) for name, t in program.templates.items()}
    alive = closure(
        [program.main],
        lambda name: [
            effect.template
            for _, edge in edges(templates[name])
            for effect in edge.effects
            if isinstance(effect, Spawn)
        ],
    )
    templates = {name: t for name, t in templates.items() if name in alive}
    named = set[str]().union(*(_names(t)[1] for t in templates.values()))
    used = closure(
        (name for name in program.objects if name in named),
        lambda name: [
            value.object for value in program.objects[name].initial if isinstance(value, Addr)
        ],
    )
    objects = {name: o for name, o in program.objects.items() if name in used}
    return replace(program, templates=templates, objects=objects)


def prune_template(template: Template) -> Template:
    """The template without unreachable locations and unused registers and local objects."""
    template = prune_locations(template)
    used, named = _names(template)
    entered = {
        effect.object
        for _, edge in edges(template)
        for effect in edge.effects
        if isinstance(effect, Enter | Leave)
    }
    named |= entered
    used_locals = closure(
        (name for name in template.locals if name in named),
        lambda name: _locals_in(template, template.locals[name]),
    )
    return replace(
        template,
        registers={name: t for name, t in template.registers.items() if name in used},
        locals={name: o for name, o in template.locals.items() if name in used_locals},
    )


def prune_locations(template: Template) -> Template:
    """The template without unreachable locations; the others keep their order.

    An edge after which the thread does not go on, or that is never taken, leads back to its
    source.
    """

    def targets(i: int) -> list[int]:
        return [e.target for e in template.locations[i].edges if _goes_on(e)]

    kept = sorted(closure([template.entry], targets))
    number = {old: new for new, old in enumerate(kept)}

    def renumbered(i: int, edge: Edge) -> Edge:
        target = number[edge.target if _goes_on(edge) else i]
        return edge if target == edge.target else replace(edge, target=target)

    locations = tuple(
        Location(
            tuple(renumbered(i, edge) for edge in template.locations[i].edges),
            template.locations[i].atomic,
        )
        for i in kept
    )
    return replace(template, entry=number[template.entry], locations=locations)


def _goes_on(edge: Edge) -> bool:
    return goes_on(edge) and edge.guard != FALSE


def _expressions(template: Template) -> Iterator[Expr]:
    for _, edge in edges(template):
        yield from walk(edge.guard)
        for effect in edge.effects:
            for operand in effect_operands(effect):
                yield from walk(operand)


def _names(template: Template) -> tuple[set[str], set[str]]:
    """The registers that are used, and the objects whose address stands in the code or in the
    initial values of local objects."""
    registers: set[str] = set()
    objects: set[str] = set()
    for e in _expressions(template):
        if isinstance(e, Reg):
            registers.add(e.name)
        elif isinstance(e, Addr):
            objects.add(e.object)
    for _, edge in edges(template):
        for effect in edge.effects:
            target = effect_target(effect)
            if target is not None:
                registers.add(target.name)
    for o in template.locals.values():
        objects.update(value.object for value in o.initial if isinstance(value, Addr))
    return registers, objects


def _locals_in(template: Template, o: MemoryObject) -> list[str]:
    return [
        value.object
        for value in o.initial
        if isinstance(value, Addr) and value.object in template.locals
    ]
