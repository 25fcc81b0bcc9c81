"""Temporaries that only carry a value into a register: `%1 := *p; x := %1` becomes `x := *p`.

Precondition: the program is well-formed. Preserves all executions: the copy follows its
definition at once, so nothing can read the old value of the register in between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from abpress.ir.expr import TRUE, Expr, Reg, walk
from abpress.ir.passes.rewrite import map_templates, predecessors, retargeted
from abpress.ir.program import (
    Assign,
    Edge,
    Effect,
    GuardKind,
    Location,
    Program,
    Template,
    edges,
    effect_operands,
    effect_target,
    goes_on,
)


def coalesce(program: Program) -> Program:
    """The program without temporaries whose only use is the copy right after their definition."""
    return map_templates(program, coalesce_template)


def coalesce_template(template: Template) -> Template:
    """As `coalesce`, for one template."""
    uses = Counter(e.name for e in _operands(template) for e in walk(e) if isinstance(e, Reg))
    definitions = Counter(
        target.name
        for _, edge in edges(template)
        for effect in edge.effects
        if (target := effect_target(effect)) is not None
    )
    arriving = predecessors(template)
    locations = [list(location.edges) for location in template.locations]

    def carried(effect: Effect) -> Reg | None:
        """The register that the effect defines, if it is a temporary with one use."""
        target = effect_target(effect)
        if target is None or not target.name.startswith("%"):
            return None
        return target if uses[target.name] == definitions[target.name] == 1 else None

    def absorb(edge: Edge) -> Edge:
        effects: list[Effect] = []
        for effect in edge.effects:
            temporary = carried(effects[-1]) if effects else None
            if temporary is not None and isinstance(effect, Assign) and effect.value == temporary:
                effects[-1] = retargeted(effects[-1], effect.target)
            else:
                effects.append(effect)
        return edge if len(effects) == len(edge.effects) else replace(edge, effects=tuple(effects))

    for i in range(len(locations)):
        for k, edge in enumerate(locations[i]):
            edge = absorb(edge)
            following = locations[edge.target]
            temporary = carried(edge.effects[-1]) if edge.effects else None
            if (
                temporary is not None
                and goes_on(edge)
                and arriving[edge.target] == len(following) == 1
                and following[0].guard == TRUE
                and following[0].kind is GuardKind.BRANCH
                and following[0].effects
            ):
                first = following[0].effects[0]
                if isinstance(first, Assign) and first.value == temporary:
                    renamed = retargeted(edge.effects[-1], first.target)
                    edge = replace(edge, effects=(*edge.effects[:-1], renamed))
                    rest = following[0].effects[1:]
                    following[0] = replace(following[0], effects=rest)
            locations[i][k] = edge
    return replace(
        template,
        locations=tuple(
            Location(tuple(new), old.atomic)
            for new, old in zip(locations, template.locations, strict=True)
        ),
    )


def _operands(template: Template) -> Iterator[Expr]:
    for _, edge in edges(template):
        yield edge.guard
        for effect in edge.effects:
            yield from effect_operands(effect)
