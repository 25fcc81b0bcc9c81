"""The choice of an uninitialised variable's value moves to where the value is first used.

Along each edge that does not mention the register, the `Havoc` moves on as long as the next
location has no other way in; where the register is dead or overwritten, it goes.

Precondition: the program is well-formed. Preserves all executions: an arbitrary value that
nothing has read yet cannot be told from one that is not chosen yet. Inputs stay where they are.
"""

from __future__ import annotations

from dataclasses import replace

from abpress.ir.expr import Reg, registers
from abpress.ir.passes.liveness import Liveness
from abpress.ir.passes.rewrite import ends, map_templates, predecessors
from abpress.ir.program import (
    Edge,
    Effect,
    Havoc,
    Location,
    Program,
    Template,
    effect_operands,
    effect_target,
)


def sink(program: Program) -> Program:
    """The program with the choices of uninitialised values as late as possible."""
    return map_templates(program, sink_template)


def sink_template(template: Template) -> Template:
    """As `sink`, for one template."""
    liveness = Liveness(template)
    arriving = predecessors(template)
    locations = [list(location.edges) for location in template.locations]
    # every edge is visited after the edge that leads to its location
    pending = [template.entry]
    seen = {template.entry}
    while pending:
        i = pending.pop()
        for k in range(len(locations[i])):
            edge = locations[i][k]
            if ends(edge):
                continue
            target = edge.target
            if arriving[target] == 1:
                edge, moved = _without_last_choices(edge, locations[target])
                locations[i][k] = edge
                for havoc in reversed(moved):
                    _push(havoc, locations[target], liveness)
            if target not in seen:
                seen.add(target)
                pending.append(target)
    return replace(
        template,
        locations=tuple(
            Location(tuple(new), old.atomic)
            for new, old in zip(locations, template.locations, strict=True)
        ),
    )


def is_uninitialised(effect: Effect) -> bool:
    """Whether the effect chooses the value of an uninitialised variable."""
    return (
        isinstance(effect, Havoc)
        and effect.what.startswith("uninitialised")
        and effect.low is None
        and effect.high is None
    )


def _mentions(effect: Effect, register: Reg) -> bool:
    return effect_target(effect) == register or any(
        register.name in registers(operand) for operand in effect_operands(effect)
    )


def _without_last_choices(edge: Edge, following: list[Edge]) -> tuple[Edge, list[Havoc]]:
    """Takes out the choices of `edge` that nothing on it reads, nor a guard of `following`."""
    kept: list[Effect] = []
    moved: list[Havoc] = []
    for effect in reversed(edge.effects):
        if (
            isinstance(effect, Havoc)
            and is_uninitialised(effect)
            and not any(_mentions(later, effect.target) for later in (*kept, *moved))
            and not any(effect.target.name in registers(e.guard) for e in following)
        ):
            moved.append(effect)
        else:
            kept.append(effect)
    return replace(edge, effects=tuple(reversed(kept))), moved


def _push(havoc: Havoc, following: list[Edge], liveness: Liveness) -> None:
    """Puts the choice on each edge where the value may still be read."""
    for k, edge in enumerate(following):
        live = liveness.behind(edge)
        for effect in reversed(edge.effects):
            live = liveness.before(effect, live)
        if liveness.is_live(havoc.target.name, live):
            following[k] = replace(edge, effects=(havoc, *edge.effects))
