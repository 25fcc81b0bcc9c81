"""The checker of thread-modular proofs (NOTE(thread-modular)).

The claims are accepted if

- *initiation*: where the first thread begins, what holds is claimed of its class;
- *own steps*: each edge leads from each claimed set of states into one that is claimed, or the
  wider set does that is left when others may have moved, which names addresses otherwise; what a
  thread knows where it begins and ends, and what it leaves in memory, is claimed as well;
- *stability*: what is claimed between atomic blocks, and of threads that have ended, is not changed
  by the writes of other threads, but where what both know excludes it;
- *classes*: whoever creates a thread of a class that has one only knows that there is none yet;
- *safety*: for each pair of accesses in conflict, the claimed reasons exclude that two threads
  stand before them; no bound of the tool is reached.

What is claimed is not searched for here. What an edge does to a set of states is computed by the
analysis's own functions (`abpress.modular.transfer`), which random programs are compared with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from abpress.analysis.facts import Facts
from abpress.ir.program import Program, goes_on
from abpress.modular.analysis import Solution, initially
from abpress.modular.claims import Claims, place_of
from abpress.modular.classes import ThreadClasses
from abpress.modular.interference import Closed, Globals, Interference
from abpress.modular.memory import Noticed
from abpress.modular.pairs import conflicts, shown
from abpress.modular.spots import Spots
from abpress.modular.state import Known, implies
from abpress.modular.transfer import ClassTransfer
from abpress.modular.values import included
from abpress.proof.certificate import Rejected


def check_claims(program: Program, claims: Claims) -> Solution:
    """Checks that the claims hold in all executions, and that the accesses of no pair race but for
    those that are called alarms. Returns them as a solution. Raises Rejected."""
    solution = check_states(program, claims)
    _pairs(solution, claims)
    return solution


def check_states(program: Program, claims: Claims) -> Solution:
    """Checks that the claims hold in all executions, but for what they say of pairs of accesses.
    Returns them as a solution. Raises Rejected."""
    try:
        return _checked(program, claims)
    except (LookupError, TypeError, ValueError, AssertionError, RecursionError) as error:
        raise Rejected(f"the claims are malformed: {error}") from error


def _checked(program: Program, claims: Claims) -> Solution:
    classes = ThreadClasses(program)
    classes.adopt(claims.classes, claims.many)
    if classes.listed[0].template != program.main or 0 in classes.many:
        raise Rejected("the first class is not that of the first thread")
    spots = Spots(program, classes, Facts.of(program).points_to, set(claims.repeated))
    given = Globals(
        summaries=dict(claims.summaries), entries=dict(claims.entries), ends=dict(claims.ends)
    )
    noticed = Noticed()
    noticed.globals.begin(0, initially(spots, noticed.globals))
    left = _own_steps(claims, spots, given, noticed)
    given.changes = noticed.globals.changes
    _contained(noticed, claims, classes)
    known: Mapping[tuple[int, int], Mapping[tuple[object, ...], Known]] = {
        place: {(n,): one for n, one in enumerate(parts)} for place, parts in claims.known.items()
    }
    solution = Solution(program, classes, spots, known, given, (), claims.occurrences)
    for step in left:
        if not _leads(claims, step, solution.interference.closed(step.cls, step.after)):
            at, template = step.location, classes.template(step.cls).name
            raise Rejected(f"an edge of location {at} of {template} leads to what is not claimed")
    _stable(claims, solution)
    return solution


class _StepTaken(NamedTuple):
    """An edge from a location to another one, and what is known behind it."""

    cls: int
    location: int
    target: int
    after: Known


def _leads(claims: Claims, step: _StepTaken, known: Known) -> bool:
    """Whether what is known behind an edge is claimed there."""
    return any(implies(known, one) for one in claims.known.get((step.cls, step.target), ()))


def _own_steps(claims: Claims, spots: Spots, given: Globals, noticed: Noticed) -> list[_StepTaken]:
    """Makes all steps; returns those of which what is known behind them is not claimed as it is."""
    left: list[_StepTaken] = []
    nothing = Interference(spots.classes, spots, Globals())  # what has ended is claimed as it stays
    for (cls, location), parts in claims.known.items():
        if not 0 <= cls < len(claims.classes):
            raise Rejected(f"there is no class {cls}")
        template = spots.classes.template(cls)
        if not 0 <= location < len(template.locations):
            raise Rejected(f"there is no location {location} in {template.name}")
        live = spots.liveness(template.name)
        transfer = ClassTransfer(spots, cls, given, nothing, noticed, claims.occurrences)
        for n, known in enumerate(parts):
            for k, edge in enumerate(template.locations[location].edges):
                after = transfer.behind(location, k, known, (n,))
                if after is None or not goes_on(edge):
                    continue
                after = after.of_live(live.at(edge.target))
                step = _StepTaken(cls, location, edge.target, after)
                if not _leads(claims, step, after):
                    left.append(step)
    return left


def _contained(noticed: Noticed, claims: Claims, classes: ThreadClasses) -> None:
    if noticed.doubts:
        raise Rejected(next(iter(noticed.doubts)))
    if tuple(classes.listed) != claims.classes or classes.many != claims.many:
        raise Rejected("there are other classes of threads, or more threads of them")
    if not noticed.repeated <= claims.repeated:
        raise Rejected("there are more objects than claimed")
    for number in classes.many:
        children = {c.number for c in classes.listed if c.parent == number}
        if not children <= classes.many:
            raise Rejected("many threads create one")
    told = noticed.globals
    for spot, value in told.summaries.items():
        if spot not in claims.summaries or not included(value, claims.summaries[spot]):
            raise Rejected(f"more is written to {spot.origin.name} than claimed")
    for cls, entry in told.entries.items():
        begun = claims.known.get((cls, classes.template(cls).entry), ())
        if not any(implies(entry, one) for one in begun):
            raise Rejected(f"threads of {classes.listed[cls]} begin otherwise")
    for cls, (known, result) in told.ends.items():
        end = claims.ends.get(cls)
        if end is None or not implies(known, end[0]) or not included(result, end[1]):
            raise Rejected(f"threads of {classes.listed[cls]} end otherwise")


def _stable(claims: Claims, solution: Solution) -> None:
    classes, interference = solution.classes, solution.interference
    since: dict[int, Closed] = {}
    for (cls, location), parts in claims.known.items():
        if not classes.template(cls).locations[location].atomic:
            for known in parts:
                since[cls] = interference.closing(cls, known, since.get(cls))
                if not implies(since[cls].known, known):
                    raise Rejected(
                        f"what is claimed at location {location} of {classes.listed[cls]} does not"
                        " stay"
                    )
    for cls, (known, _) in claims.ends.items():
        if not implies(interference.closed(cls, known), known):
            raise Rejected(f"what is claimed of the end of {classes.listed[cls]} does not stay")


def _pairs(solution: Solution, claims: Claims) -> None:
    for first, second, meetings in conflicts(solution):
        places = place_of(first), place_of(second)
        if places in claims.alarms or (places[1], places[0]) in claims.alarms:
            continue
        reasons = claims.reasons.get(places) or claims.reasons.get((places[1], places[0]))
        if reasons is None:
            raise Rejected("no reason is given for a pair of accesses")
        for meeting in meetings:
            if not any(shown(solution, r, first.cls, second.cls, meeting) for r in reasons):
                raise Rejected("two threads may stand before a pair of accesses")
