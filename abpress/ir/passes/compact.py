"""Shorter control flow: empty edges skipped, atomic blocks of one action unwrapped, register-only
edges of one statement merged.

Precondition: the program is well-formed. Preserves visible steps: only invisible edges go, and no
cycle disappears (a thread that does nothing for ever is still one that can move). An atomic block
goes only if it is one action anyway; the places between blocks where threads switch stay.

NOTE(lost-write): what may end the execution is not merged behind an action that others can see, or
into an atomic block: it would take that action, or the block, back (see `analysis.boundaries`).
"""

from __future__ import annotations

from dataclasses import replace

from abpress.ir.check import ON_MEMORY
from abpress.ir.expr import TRUE
from abpress.ir.passes.prune import prune_locations
from abpress.ir.passes.rewrite import (
    REGISTER_ONLY,
    is_register_only,
    map_templates,
    may_fault,
    predecessors,
)
from abpress.ir.program import (
    AccessKind,
    Copy,
    Edge,
    GuardKind,
    Load,
    Location,
    Overflow,
    Program,
    Store,
    Template,
    effect_operands,
    goes_on,
)


def compact(program: Program) -> Program:
    """The program with shorter control-flow graphs, unreachable locations removed."""
    return map_templates(program, lambda t: compact_template(t, program.signed_overflow))


def compact_template(template: Template, overflow: Overflow) -> Template:
    """As `compact`, for one template."""
    return prune_locations(_merge(prune_locations(_unwrap(_skip(template))), overflow))


def _skip(template: Template) -> Template:
    """Edges lead to where the empty edges behind them end."""
    locations = template.locations

    def through(i: int) -> int | None:
        """The location that follows `i` by an empty edge alone."""
        if len(locations[i].edges) != 1:
            return None
        edge = locations[i].edges[0]
        empty = edge.guard == TRUE and edge.kind is GuardKind.BRANCH and not edge.effects
        same = locations[edge.target].atomic == locations[i].atomic
        return edge.target if empty and same else None

    final: dict[int, int] = {}
    for start in range(len(locations)):
        path: list[int] = []
        at: int | None = start
        while at is not None and at not in final and at not in path:
            path.append(at)
            at = through(at)
        # a cycle of empty edges shrinks to a loop at one of its locations
        end = path[-1] if at is None else final.get(at, at)
        for i in path:
            final[i] = end

    def redirected(edge: Edge) -> Edge:
        if not goes_on(edge) or final[edge.target] == edge.target:
            return edge
        return replace(edge, target=final[edge.target])

    return replace(
        template,
        entry=final[template.entry],
        locations=tuple(
            Location(tuple(map(redirected, location.edges)), location.atomic)
            for location in locations
        ),
    )


def _unwrap(template: Template) -> Template:
    """Atomic blocks of a single action become that action."""
    locations = template.locations
    arriving = predecessors(template)

    def unwrapped(source: Location, edge: Edge) -> Edge:
        if source.atomic or not goes_on(edge) or not locations[edge.target].atomic:
            return edge
        actions = [edge]
        while locations[actions[-1].target].atomic:
            i = actions[-1].target
            following = locations[i].edges[0]
            if arriving[i] != 1 or len(locations[i].edges) != 1 or not goes_on(following):
                return edge
            if following.guard != TRUE or following.kind is not GuardKind.BRANCH:
                return edge
            actions.append(following)
        touching = [a for a in actions if not is_register_only(a)]
        if (
            len(touching) > 1
            or sum(isinstance(e, ON_MEMORY) for a in touching for e in a.effects) > 1
        ):
            return edge
        return replace(
            edge,
            target=actions[-1].target,
            effects=tuple(effect for action in actions for effect in action.effects),
            position=(touching or actions)[0].position,
            access=_access_of_block(touching),
        )

    return replace(
        template,
        locations=tuple(
            Location(tuple(unwrapped(location, edge) for edge in location.edges), location.atomic)
            for location in locations
        ),
    )


def _access_of_block(touching: list[Edge]) -> AccessKind:
    """The kind of the access of an atomic block of one action, which is no block any longer."""
    for edge in touching:
        if any(isinstance(effect, Load | Store | Copy) for effect in edge.effects):
            return AccessKind.SECTION if edge.access is AccessKind.PLAIN else edge.access
    return AccessKind.PLAIN


def _merge(template: Template, overflow: Overflow) -> Template:
    """Appends register-only edges to the edge of the same statement that leads to them alone."""
    locations = template.locations
    arriving = predecessors(template)

    def grown(source: Location, edge: Edge) -> Edge:
        while goes_on(edge):
            i = edge.target
            following = locations[i].edges[0]
            if arriving[i] != 1 or len(locations[i].edges) != 1:
                break
            if locations[following.target].atomic != locations[i].atomic:
                break
            if not _is_continuation(edge, following):
                break
            leaves = source.atomic and not locations[i].atomic
            if (leaves or not _only_reads(edge)) and _may_end(following, overflow):
                break
            effects = edge.effects + following.effects
            edge = replace(edge, target=following.target, effects=effects)
        return edge

    result = [
        Location(tuple(grown(location, edge) for edge in location.edges), location.atomic)
        for location in locations
    ]
    return replace(template, locations=tuple(result))


def _is_continuation(edge: Edge, following: Edge) -> bool:
    return (
        following.guard == TRUE
        and following.kind is GuardKind.BRANCH
        and bool(following.effects)
        and all(isinstance(effect, REGISTER_ONLY) for effect in following.effects)
        and edge.position == following.position
        and edge.position.stack == following.position.stack
    )


def _only_reads(edge: Edge) -> bool:
    return all(isinstance(effect, (*REGISTER_ONLY, Load)) for effect in edge.effects)


def _may_end(edge: Edge, overflow: Overflow) -> bool:
    return any(may_fault(e, overflow) for f in edge.effects for e in effect_operands(f))
