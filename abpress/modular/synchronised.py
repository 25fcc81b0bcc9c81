"""Accesses that need no interleaving: no other thread ever stands before one in conflict.

Here all conflicts count: of atomic operations, of the library, with the begin and the end of a
lifetime; and a load that may choose a value writes it. NOTE(synchronised-accesses)
"""

from __future__ import annotations

from dataclasses import replace

from abpress.analysis.facts import Facts
from abpress.config import Place
from abpress.ir.program import Assign, ChooseBit, Copy, Edge, Havoc, Load, Store, Template, goes_on
from abpress.modular.analysis import Solution
from abpress.modular.pairs import AccessPoint, AccessPoints, meeting, points


def synchronised(solution: Solution) -> frozenset[Place]:
    """The visible edges outside of atomic blocks of which every access is shown to meet no other
    one in conflict: template, location, and number there."""
    facts = Facts.of(solution.program)
    accesses = _accesses(solution, facts)
    left = {
        place
        for place in {_place(solution, point) for point in accesses}
        if _is_asked(facts, solution.program.templates[place[0]], place)
    }
    exclusion = solution.exclusion

    def matter(one: AccessPoint, other: AccessPoint) -> bool:
        asked = _place(solution, one) in left or _place(solution, other) in left
        return asked and (one.writes or other.writes)

    for first, second, met in meeting(solution, accesses, matter):
        if any(exclusion.reason(first.cls, m.first, second.cls, m.second) is None for m in met):
            left -= {_place(solution, first), _place(solution, second)}
    return frozenset(left)


def never_conflict(solution: Solution) -> bool:
    """Whether no two threads ever stand before any accesses in conflict."""
    accesses = _accesses(solution, Facts.of(solution.program))
    exclusion = solution.exclusion
    return not any(
        exclusion.reason(first.cls, one.first, second.cls, one.second) is None
        for first, second, met in meeting(
            solution, accesses, lambda one, other: one.writes or other.writes
        )
        for one in met
    )


def _accesses(solution: Solution, facts: Facts) -> AccessPoints:
    """All accesses, those that may choose a value as writing ones."""
    found = {}
    for point, states in points(solution, every=True).items():
        template = solution.classes.template(point.cls)
        effect = template.locations[point.location].edges[point.edge].effects[point.effect]
        chooses = isinstance(effect, Load) and facts.touching.chooses(template.name, effect)
        found[replace(point, writes=True) if chooses else point] = states
    return found


def _place(solution: Solution, point: AccessPoint) -> Place:
    return solution.classes.template(point.cls).name, point.location, point.edge


def _is_asked(facts: Facts, template: Template, place: Place) -> bool:
    """Whether an edge is visible by its accesses alone."""
    name, location, k = place
    edge = template.locations[location].edges[k]
    return (
        (location, k) in facts.visible[name]
        and not template.locations[location].atomic
        and goes_on(edge)
        and not template.locations[edge.target].atomic
        and _only_accesses(edge)
        and not any(True for _ in facts.touching.told_apart(name, edge))
    )


def _only_accesses(edge: Edge) -> bool:
    return all(
        isinstance(effect, Load | Store | Assign | Havoc | ChooseBit)
        or (isinstance(effect, Copy) and not effect.moves)
        for effect in edge.effects
    )
