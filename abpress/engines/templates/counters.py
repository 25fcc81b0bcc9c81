"""Counters of threads that say what cells hold: those that each step changes by a known number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from abpress.ir.expr import Binary, Compare, Const, Reg
from abpress.ir.types import IntType
from abpress.logic.formula import holds, neg
from abpress.modular.templates.obligations import At, Obligations, ThreadCounter
from abpress.modular.templates.paths import ThreadStep
from abpress.modular.templates.steps import TemplateSteps


def counters_of(
    steps: TemplateSteps,
    obligations: Obligations,
    possible: Callable[[ThreadStep], bool] = lambda _: True,
) -> Iterator[ThreadCounter]:
    """Counters of threads of which what a cell holds is the sum, or the rest, with a number, by the
    steps that are possible."""
    seen = []
    for cell in steps.shared:
        weights = _weights(steps, obligations, cell, possible)
        if weights is None and is_flag(cell, obligations.steps):
            weights = _weights(steps, obligations, cell, possible, flag=True)
        if weights is not None and any(weights.values()):
            least = min(weights.values())
            if least < 0:
                weights = {at: -n for at, n in weights.items()}
            counter = ThreadCounter({at: n for at, n in weights.items() if n})
            if counter.positive and counter not in seen:
                seen.append(counter)
                yield counter


def _weights(
    steps: TemplateSteps,
    obligations: Obligations,
    cell: Reg,
    possible: Callable[[ThreadStep], bool],
    flag: bool = False,
) -> Mapping[At, int] | None:
    """What the threads add to a cell while they stand somewhere; None if that is not known. A
    `flag` is taken to be given back by who has taken it."""
    found: dict[At, int] = {}
    todo: list[At] = []
    for name in steps.program.templates:
        at = name, steps.program.templates[name].entry
        found[at] = 0
        todo.append(at)
    while todo:
        at = todo.pop()
        for step in obligations.steps.get(at, ()):
            if step.error is not None or not possible(step):
                continue
            by = _difference(step, cell)
            if by is None and flag:
                by = _given_back(step, cell, found[at])
            if by is None:
                return None
            if step.target is not None:
                target = step.template, step.target
                if target not in found:
                    found[target] = found[at] + by
                    todo.append(target)
                elif found[target] != found[at] + by:
                    return None
            elif found[at] + by:
                return None
    return found


def is_flag(cell: Reg, taken: Mapping[At, Sequence[ThreadStep]]) -> bool:
    """Whether some step takes a cell that is 0, and no step gives it a number but 0 and 1."""
    values = [
        step.values[cell.name] for its in taken.values() for step in its if cell.name in step.values
    ]
    free = holds(Compare("==", cell, Const(0, cell.type)))
    return all(isinstance(e, Const) and e.value in (0, 1) for e in values) and any(
        free in step.guard and isinstance(step.values.get(cell.name), Const)
        for its in taken.values()
        for step in its
    )


def _given_back(step: ThreadStep, cell: Reg, weight: int) -> int | None:
    """What a step adds to a flag, of a thread that adds a weight until then: what it writes is its
    own, unless it writes what is there."""
    value = step.values.get(cell.name)
    assert isinstance(value, Const)
    if value.value and neg(holds(Compare("==", cell, Const(0, cell.type)))) in step.guard:
        return 0
    return value.value - weight


def _difference(step: ThreadStep, cell: Reg) -> int | None:
    """What a step adds to a cell; None if it is not known."""
    assert isinstance(cell.type, IntType)
    match step.values.get(cell.name, cell):
        case Reg(name) if name == cell.name:
            return 0
        case Binary("+", Reg(name), Const(n)) if name == cell.name:
            return (
                n if n <= cell.type.maximum // 2 or cell.type.signed else n - (1 << cell.type.bits)
            )
        case Binary("-", Reg(name), Const(n)) if name == cell.name:
            return -n
        case Const(n):
            for before in (0, 1, n - 1, n + 1):
                if holds(Compare("==", cell, Const(before, cell.type))) in step.guard:
                    return n - before
            return None
        case _:
            return None
