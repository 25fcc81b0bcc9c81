"""Removal of memory accesses and results of threads that nothing observes.

- A load whose register is not read, from a static object that cannot be missed.
- A store to a static object of which nothing is ever read: only such stores name its address.
- The result of a thread, where no register that a Join defines is read: it becomes NULL.

Precondition: the program is well-formed. Preserves violations, deadlocks and faults, and the
contents of all objects that are read; not data races.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from abpress.ir.expr import Addr, Const, Expr, named_objects
from abpress.ir.passes.liveness import Liveness, defines_dead
from abpress.ir.passes.rewrite import map_edges, map_templates, may_fault, with_effects
from abpress.ir.program import (
    Edge,
    Effect,
    Finish,
    Join,
    Load,
    MemoryObject,
    Overflow,
    Program,
    Store,
    Template,
    edges,
    effect_operands,
)
from abpress.ir.types import IntType, PtrType, Scalar


def drop_unobserved(program: Program, keep_pointers: bool = False) -> Program:
    """The program without what nothing observes; what was only needed for that is dead then.

    With `keep_pointers`, stores and results that may be pointers stay.
    """
    program = map_templates(program, lambda t: _without_dead_loads(program, t))
    read = _read_objects(program)
    program = map_templates(program, lambda t: _without_stores(program, t, read, keep_pointers))
    if not keep_pointers and not _results_are_read(program):
        program = map_templates(program, lambda t: _without_results(program, t))
    return program


def _without_dead_loads(program: Program, template: Template) -> Template:
    if not any(_may_go(program, template, e) for e in _loads(template)):
        return template
    liveness = Liveness(template)

    def cleaned(edge: Edge) -> Edge:
        live = liveness.behind(edge)
        kept: list[Effect] = []
        for effect in reversed(edge.effects):
            dead = isinstance(effect, Load) and defines_dead(effect, live)
            if dead and isinstance(effect, Load) and _may_go(program, template, effect):
                continue
            live = liveness.before(effect, live)
            kept.append(effect)
        return _kept(edge, tuple(reversed(kept)))

    return map_edges(template, cleaned)


def _loads(template: Template) -> Iterator[Load]:
    for _, edge in edges(template):
        yield from (effect for effect in edge.effects if isinstance(effect, Load))


def _may_go(program: Program, template: Template, load: Load) -> bool:
    return is_safe(program, template, load.address, load.target.type)


def is_safe(program: Program, template: Template, address: Expr, type: Scalar) -> bool:
    """Whether an access hits one cell of a static object, whatever is there."""
    if not isinstance(address, Addr) or address.object in template.locals:
        return False
    layout = program.objects[address.object].layout
    k = layout.index.get(address.offset)
    if k is None:
        return False
    cell = layout.cells[k].type
    both_integers = isinstance(cell, IntType) and isinstance(type, IntType)
    return cell == type or (both_integers and cell.size == type.size)


def _read_objects(program: Program) -> frozenset[str]:
    """The static objects whose address is named by anything but a store to them."""
    found = {
        value.object
        for o in (*program.objects.values(), *_locals(program))
        for value in o.initial
        if isinstance(value, Addr)
    }
    for template in program.templates.values():
        for _, edge in edges(template):
            found.update(named_objects(edge.guard))
            for effect in edge.effects:
                operands = effect_operands(effect)
                if isinstance(effect, Store) and isinstance(effect.address, Addr):
                    operands = operands[1:]
                for operand in operands:
                    found.update(named_objects(operand))
    return frozenset(found)


def _locals(program: Program) -> Iterator[MemoryObject]:
    for template in program.templates.values():
        yield from template.locals.values()


def _without_stores(
    program: Program, template: Template, read: frozenset[str], keep_pointers: bool
) -> Template:
    def goes(effect: Effect) -> bool:
        return (
            isinstance(effect, Store)
            and isinstance(effect.address, Addr)
            and effect.address.object not in read
            and not (keep_pointers and isinstance(effect.value.type, PtrType))
            and is_safe(program, template, effect.address, effect.value.type)
            and not program.objects[effect.address.object].readonly
            and not may_fault(effect.value, program.signed_overflow)
        )

    return map_edges(template, lambda e: _kept(e, tuple(f for f in e.effects if not goes(f))))


def _kept(edge: Edge, effects: tuple[Effect, ...]) -> Edge:
    return edge if len(effects) == len(edge.effects) else with_effects(edge, effects)


def _results_are_read(program: Program) -> bool:
    for template in program.templates.values():
        joins = [edge for _, edge in edges(template) if _has_join(edge)]
        if not joins:
            continue
        liveness = Liveness(template)
        for edge in joins:
            live = liveness.behind(edge)
            for effect in reversed(edge.effects):
                if isinstance(effect, Join) and not defines_dead(effect, live):
                    return True
                live = liveness.before(effect, live)
    return False


def _has_join(edge: Edge) -> bool:
    return any(isinstance(effect, Join) for effect in edge.effects)


def _without_results(program: Program, template: Template) -> Template:
    nothing = Finish(Const(0, program.pointer))

    def cleaned(effect: Effect, overflow: Overflow) -> Effect:
        if isinstance(effect, Finish) and not may_fault(effect.result, overflow):
            return nothing
        return effect

    return map_edges(
        template,
        lambda e: replace(e, effects=tuple(cleaned(f, program.signed_overflow) for f in e.effects)),
    )
