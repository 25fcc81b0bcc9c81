"""Where main is the only thread that there is, or ever was."""

from __future__ import annotations

from abpress.ir.program import Program, Spawn, Template, edges, goes_on


def locations_alone(program: Program, template: Template) -> frozenset[int]:
    """The locations of main that are reached before any thread is created; none of others."""
    spawned = {
        effect.template
        for t in program.templates.values()
        for _, edge in edges(t)
        for effect in edge.effects
        if isinstance(effect, Spawn)
    }
    if template.name != program.main or program.main in spawned:
        return frozenset()
    after: set[int] = set()
    pending = [
        edge.target
        for _, edge in edges(template)
        if any(isinstance(effect, Spawn) for effect in edge.effects)
    ]
    while pending:
        i = pending.pop()
        if i not in after:
            after.add(i)
            pending.extend(edge.target for edge in template.locations[i].edges if goes_on(edge))
    return frozenset(range(len(template.locations))) - after
