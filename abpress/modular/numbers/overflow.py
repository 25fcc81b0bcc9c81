"""no-overflow by numeric facts: a reason for each check, or an alarm.

Facts are about executions up to the first signed overflow, which is where they end: so a number
that was computed without overflow is in its type, NOTE(first-overflow). No bound of a cell rests on
its own checks: bounds of growth count executions of edges.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from abpress.analysis.facts import Facts
from abpress.config import Place
from abpress.ir.bounds import scalar_bounds
from abpress.ir.intervals import Interval, hull, within
from abpress.ir.program import Program
from abpress.modular.apart import PlacesApart
from abpress.modular.numbers.effects import NumericSteps, stores
from abpress.modular.numbers.fixpoint import Analysis, Numbers
from abpress.modular.numbers.growth import grown

MOST_CLAIMS = 4
"""Rounds of claims of growth."""

LeftOpen = Callable[[Analysis, Numbers], tuple[Place, ...]]
"""The edges that a solution does not prove."""


@dataclass(frozen=True, slots=True)
class OverflowFacts:
    """A solution, what it rests on, and the edges that it does not prove.

    `cuts` are the bounds of the tool that executions may reach.
    """

    analysis: Analysis
    numbers: Numbers
    claims: Mapping[str, Interval]
    alarms: tuple[Place, ...]
    cuts: tuple[str, ...]


def find(
    program: Program,
    facts: Facts,
    expired: Callable[[], bool] = lambda: False,
    apart: PlacesApart | None = None,
    left_open: LeftOpen | None = None,
) -> OverflowFacts:
    """The best solution that is found, by what it leaves open: by default, checks of overflow.

    Raises TakesTooLong.
    """
    left_open = left_open or alarms_of
    analysis = Analysis(program, facts, apart)
    claims: dict[str, Interval] = {}
    numbers = analysis.solve(claims, expired)
    alarms = left_open(analysis, numbers)
    for _ in range(MOST_CLAIMS):
        if not alarms:
            break
        wanted = frozenset(claims) | {
            cell for cell, value in numbers.shared.items() if _is_wide(analysis, cell, value)
        }
        better = _settled(analysis, grown(analysis, numbers, wanted), expired)
        if better is None or better[0] == claims:
            break
        claims, numbers = better
        alarms = left_open(analysis, numbers)
    steps = NumericSteps(analysis.holding, numbers.shared, numbers.bounded)
    for _ in stores(steps, numbers.states):
        pass
    return OverflowFacts(analysis, numbers, claims, alarms, tuple(steps.cuts))


def _settled(
    analysis: Analysis, claims: dict[str, Interval], expired: Callable[[], bool]
) -> tuple[dict[str, Interval], Numbers] | None:
    """Claims that follow from the solution that rests on them, and that solution."""
    for _ in range(MOST_CLAIMS):
        if not claims:
            return None
        numbers = analysis.solve(claims, expired)
        found = grown(analysis, numbers, frozenset(claims))
        if all(cell in found and within(found[cell], claim) for cell, claim in claims.items()):
            return claims, numbers
        claims = {
            cell: hull((claim, found[cell])) or claim
            for cell, claim in claims.items()
            if cell in found
        }
    return None


def _is_wide(analysis: Analysis, cell: str, value: Interval) -> bool:
    full = scalar_bounds(analysis.memory.types[cell])
    return value[0] == full[0] or value[1] == full[1]


def alarms_of(analysis: Analysis, numbers: Numbers) -> tuple[Place, ...]:
    """The edges with an operation that may overflow as far as the solution tells."""
    steps = NumericSteps(analysis.holding, numbers.shared, numbers.bounded)
    found: dict[Place, None] = {}
    for (template, location), boxes in sorted(numbers.states.items(), key=lambda item: item[0]):
        for k in range(len(analysis.program.templates[template].locations[location].edges)):
            place = template, location, k
            for box in boxes:
                steps.behind(
                    *place,
                    box,
                    lambda *_: None,
                    lambda _, p=place: found.setdefault(p),  # type: ignore[misc]
                )
    return tuple(found)
