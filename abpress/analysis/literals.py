"""Comparisons of pointers that may be into two string literals that share memory in reality.

NOTE(shared-literals): in the model they share none, and equal ones are one object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from abpress.analysis.points_to import PointsTo, Static, Target
from abpress.analysis.touching import told_apart
from abpress.errors import Position
from abpress.ir.expr import Const
from abpress.ir.literals import QUOTE, may_be_one_byte
from abpress.ir.program import MemoryObject, Program, edges


def compared_literals(program: Program) -> Iterator[Position]:
    """Where pointers are compared for equality that may be to one byte of two string literals."""
    if sum(name.startswith(QUOTE) for name in program.objects) < 2:
        return
    points_to: PointsTo | None = None
    for name, template in program.templates.items():
        for _, edge in edges(template):
            for sides in told_apart(edge):
                if not any(isinstance(side, Const) for side in sides):
                    points_to = points_to or PointsTo(program)
                    one, other = (points_to.targets(name, side) for side in sides)
                    if _may_meet(program, one, other):
                        yield edge.position


def _may_meet(program: Program, one: Iterable[Target], other: Iterable[Target]) -> bool:
    theirs = list(_static(program, other))
    return any(
        a is not b and may_be_one_byte(a, i, b, j)
        for a, i in _static(program, one)
        for b, j in theirs
    )


def _static(
    program: Program, targets: Iterable[Target]
) -> Iterator[tuple[MemoryObject, int | None]]:
    for target in targets:
        if isinstance(target.object, Static):
            yield program.objects[target.object.name], target.offset
