"""Which edges that the program marks, as errors or as undefined behaviour, facts do not show to be
impossible, and which joins may be of what is no thread."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from abpress.config import Place
from abpress.ir.program import Effect, Fail, Join, Program
from abpress.modular.analysis import Solution
from abpress.modular.numbers.box import assume
from abpress.modular.numbers.fixpoint import Analysis, Numbers
from abpress.modular.numbers.overflow import LeftOpen
from abpress.modular.state import Known
from abpress.modular.transfer import ClassTransfer
from abpress.modular.values import Self, Thread


def is_failure(property: str) -> Callable[[Effect], bool]:
    """What tells effects that violate a property by what the program says."""
    return lambda effect: isinstance(effect, Fail) and effect.property == property


def failures(program: Program, marks: Callable[[Effect], bool]) -> Iterator[Place]:
    """The edges with an effect that is marked."""
    for name, template in program.templates.items():
        for i, location in enumerate(template.locations):
            for k, edge in enumerate(location.edges):
                if any(map(marks, edge.effects)):
                    yield name, i, k


def failures_of_classes(solution: Solution, marks: Callable[[Effect], bool]) -> tuple[Place, ...]:
    """Those of them before which a thread of some class may stand, so that the guard holds."""
    found: set[Place] = set()
    marked = frozenset(failures(solution.program, marks))
    for (cls, location), parts in solution.known.items():
        template = solution.classes.template(cls)
        for k, edge in enumerate(template.locations[location].edges):
            place = template.name, location, k
            open_yet = place in marked and place not in found
            if open_yet and solution.transfer(cls).may_take(edge, parts.values()):
                found.add(place)
    return tuple(sorted(found))


def failures_in_numbers(marks: Callable[[Effect], bool]) -> LeftOpen:
    """What tells those of them before which a thread may stand with numbers for which the guard
    holds."""

    def left_open(analysis: Analysis, numbers: Numbers) -> tuple[Place, ...]:
        program, states = analysis.program, numbers.states
        return tuple(
            (name, i, k)
            for name, i, k in failures(program, marks)
            if any(
                assume(program.templates[name].locations[i].edges[k].guard, box) is not None
                for box in states.get((name, i), ())
            )
        )

    return left_open


def joins_in_doubt(
    program: Program, reached: Collection[tuple[str, int]], solution: Solution | None
) -> tuple[Place, ...]:
    """The edges of these locations that may join what is no thread, as far as is known of single
    threads. That a thread was joined or detached before is a fault that the program marks."""
    joins = {place for place in failures(program, _is_join) if place[:2] in reached}
    if solution is None:
        return tuple(sorted(joins))
    found: set[Place] = set()
    for (cls, location), parts in solution.known.items():
        template = solution.classes.template(cls)
        for k in range(len(template.locations[location].edges)):
            place = template.name, location, k
            if place in joins - found:
                transfer = solution.transfer(cls)
                if not all(_joins_threads(transfer, location, k, its) for its in parts.values()):
                    found.add(place)
    return tuple(sorted(found))


def _is_join(effect: Effect) -> bool:
    return isinstance(effect, Join)


def _joins_threads(transfer: ClassTransfer, location: int, k: int, known: Known) -> bool:
    """Whether what an edge joins are ids that creations have given to threads."""
    for effect, now in transfer.effects(location, k, known):
        if isinstance(effect, Join):
            joined = transfer.value(effect.thread, now)
            if joined is None or not all(isinstance(atom, Self | Thread) for atom in joined):
                return False
    return True
