"""Removal of what main writes before there are other threads, if nobody reads it.

A cell is *live* where a thread stands if that, or a thread that it creates from there on, may read
it with no write on that path in between. What main wrote when it was alone is read by main, or by
who was created, by way of others, behind that write: so the cell is live there.

NOTE(overwritten-writes).

Precondition: the program is well-formed. Preserves violations, deadlocks and faults; not data
races.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from abpress.ir.expr import Addr
from abpress.ir.passes.alone import locations_alone
from abpress.ir.passes.direct import indirect_objects
from abpress.ir.passes.rewrite import may_fault, with_effects
from abpress.ir.passes.unobserved import is_safe
from abpress.ir.program import (
    Edge,
    Effect,
    Load,
    Location,
    Program,
    Spawn,
    Store,
    Template,
    goes_on,
)
from abpress.ir.types import IntType

_Cell = tuple[str, int]

_NOTHING: frozenset[_Cell] = frozenset()


def drop_overwritten(program: Program) -> Program:
    """The program without these writes, of integers."""
    main = program.templates[program.main]
    alone = locations_alone(program, main)
    written = {
        cell
        for i in alone
        for edge in main.locations[i].edges
        for effect in edge.effects
        if (cell := _written(program, main, effect)) is not None
    }
    others = indirect_objects(program)
    cells = frozenset(cell for cell in written if cell[0] not in others)
    if not cells:
        return program
    live = _live(program, cells)

    def without(edge: Edge) -> Edge:
        left = live[program.main][edge.target] if goes_on(edge) else _NOTHING
        kept: list[Effect] = []
        for effect in reversed(edge.effects):
            cell = _written(program, main, effect)
            if cell is None or cell not in cells or cell in left:
                kept.append(effect)
            left = _before(program, main, effect, left, live)
        if len(kept) == len(edge.effects):
            return edge
        return with_effects(edge, tuple(reversed(kept)))

    locations = tuple(
        Location(tuple(map(without, location.edges)), location.atomic) if i in alone else location
        for i, location in enumerate(main.locations)
    )
    templates = {**program.templates, program.main: replace(main, locations=locations)}
    return replace(program, templates=templates)


def _written(program: Program, main: Template, effect: Effect) -> _Cell | None:
    """The cell that main writes by an effect that may go if the cell is not live behind it."""
    if (
        isinstance(effect, Store)
        and isinstance(effect.address, Addr)
        and isinstance(effect.value.type, IntType)
        and is_safe(program, main, effect.address, effect.value.type)
        and not program.objects[effect.address.object].readonly
        and not may_fault(effect.value, program.signed_overflow)
    ):
        return effect.address.object, effect.address.offset
    return None


def _live(program: Program, cells: frozenset[_Cell]) -> Mapping[str, list[frozenset[_Cell]]]:
    """Which of the cells are live at each location of each template."""
    live = {name: [_NOTHING] * len(t.locations) for name, t in program.templates.items()}
    changed = True
    while changed:
        changed = False
        for name, template in program.templates.items():
            its = live[name]
            for i in reversed(range(len(its))):
                found = its[i]
                for edge in template.locations[i].edges:
                    left = its[edge.target] if goes_on(edge) else _NOTHING
                    for effect in reversed(edge.effects):
                        left = _before(program, template, effect, left, live)
                    found |= left & cells
                if found != its[i]:
                    its[i], changed = found, True
    return live


def _before(
    program: Program,
    template: Template,
    effect: Effect,
    left: frozenset[_Cell],
    live: Mapping[str, list[frozenset[_Cell]]],
) -> frozenset[_Cell]:
    """What is live before an effect, of what is behind it."""
    match effect:
        case Load(_, Addr(name, offset)) if name not in template.locals:
            return left | {(name, offset)}
        case Store(Addr(name, offset)) if name not in template.locals:
            return left - {(name, offset)}
        case Spawn():
            created = effect.template
            return left | live[created][program.templates[created].entry]
        case _:
            return left
