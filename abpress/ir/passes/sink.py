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
from abpress.ir.passes.rewrite import map_templates, predecessors
from abpress.ir.program import (
    Edge,
    Effect,
    Havoc,
    Location,
    Program,
    Template,
    edges,
    effect_operands,
    effect_target,
    goes_on,
)


def sink(program: Program) -> Program:
    """The program with the choices of uninitialised values as late as possible."""
    return map_templates(program, sink_template)


def sink_template(template: Template) -> Template:
    """As `sink`, for one template."""
    if not any(is_uninitialised(effect) for _, edge in edges(template) for effect in edge.effects):
        return template
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
            if not goes_on(edge):
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


def drop_first_choices(program: Program) -> Program:
    """The program without choices of values for registers that hold an arbitrary value anyway.

    A register that was never written holds one; then the semantics chooses it at its first use.
    A choice with a range (`narrow_inputs`) stays.
    """
    return map_templates(program, _drop_first)


def _drop_first(template: Template) -> Template:
    sources: list[list[int]] = [[] for _ in template.locations]
    definitions: dict[str, list[Edge]] = {}
    for i, edge in edges(template):
        if goes_on(edge):
            sources[edge.target].append(i)
        for effect in edge.effects:
            target = effect_target(effect)
            if target is not None:
                definitions.setdefault(target.name, []).append(edge)

    def is_first(i: int, edge: Edge, k: int, name: str) -> bool:
        before = {i}
        pending = [i]
        while pending:
            for source in sources[pending.pop()]:
                if source not in before:
                    before.add(source)
                    pending.append(source)
        targets = (effect_target(effect) for effect in edge.effects[:k])
        earlier = any(target is not None and target.name == name for target in targets)
        return not earlier and not any(
            other.target in before and goes_on(other) for other in definitions[name]
        )

    def kept(i: int, edge: Edge) -> Edge:
        effects = tuple(
            effect
            for k, effect in enumerate(edge.effects)
            if not (
                isinstance(effect, Havoc)
                and is_uninitialised(effect)
                and is_first(i, edge, k, effect.target.name)
            )
        )
        return replace(edge, effects=effects)

    if not any(is_uninitialised(effect) for _, edge in edges(template) for effect in edge.effects):
        return template
    return replace(
        template,
        locations=tuple(
            Location(tuple(kept(i, edge) for edge in location.edges), location.atomic)
            for i, location in enumerate(template.locations)
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
    return (replace(edge, effects=tuple(reversed(kept))) if moved else edge), moved


def _push(havoc: Havoc, following: list[Edge], liveness: Liveness) -> None:
    """Puts the choice on each edge where the value may still be read."""
    for k, edge in enumerate(following):
        live = liveness.behind(edge)
        for effect in reversed(edge.effects):
            live = liveness.before(effect, live)
        if havoc.target.name in live:
            following[k] = replace(edge, effects=(havoc, *edge.effects))
