"""Circles: the condition under which some threads of a discrete part wait for one another.

Which threads one may wait for is said of more states than `abpress.semantics.circles` has circles:
for a lock, where a cell that names an owner, and that the next step of the thread reads, holds the
id of the other; for the end of the other, where the step joins it. So no circle
is missed, and one that is found is replayed before it is believed, NOTE(circles-last).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from abpress.ir.expr import Compare, Const, Expr, Reg
from abpress.ir.types import IntType
from abpress.logic.formula import FALSE, TRUE, Formula, conj, disj, holds
from abpress.symbolic.discrete import (
    Discrete,
    EndShown,
    SymbolicStep,
    is_array,
    object_of,
    variable_type,
)
from abpress.symbolic.objects import SymbolicObjects
from abpress.symbolic.shapes import NextStep, Shapes
from abpress.symbolic.waiting import Waiting, standstill

MOST_CIRCLES = 200
"""Circles that are told apart at one discrete part; of more it is said that some thread waits."""

_PARTS = (".kind", ".count", ".readers", ".again", ".waiting")
"""Members of locks that do not name their owner."""

Others = Sequence[tuple[int, Formula]]
"""Whom a thread may wait for, each with the condition for that, where it waits."""


def others(
    d: Discrete, threads: Sequence[int], next: NextStep, locks: bool, objects: SymbolicObjects
) -> Others:
    """Whom the thread may wait for that has this next step; `locks`: it may wait for the owner of a
    lock there."""
    touched = next.touched if locks else ()
    read = dict.fromkeys(key for access in touched for key in sorted(access.reads))
    joined = {wait.joins for wait in next.waits}
    found = []
    for other in threads:
        owns = disj(_owns(d, key, other, objects) for key in read)
        condition = TRUE if other in joined else owns
        if condition is not FALSE:
            found.append((other, condition))
    return tuple(found)


def _owns(d: Discrete, key: str, thread: int, objects: SymbolicObjects) -> Formula:
    """Where the cell of this key names the thread as the owner of a lock; FALSE if it does not."""
    if is_array(key):
        return TRUE  # of spin locks
    name = object_of(key)
    o = objects.static(name) or d.alive.get(name)
    if o is None or name == key:
        return FALSE
    paths = {cell.offset: cell.path for cell in o.layout.cells}
    for ref in o.cells.values():
        if ref.name == key and isinstance(ref.type, IntType):
            if paths.get(ref.offset, "").endswith(_PARTS):
                return FALSE
            value: object = objects.constants.get(key, d.values.get(key))
            if key not in objects.constants and key not in d.values:
                value = Reg(key, variable_type(ref.type))
            if not isinstance(value, Expr):
                return FALSE  # it has no value yet
            return holds(Compare("==", value, Const(thread, ref.type)))
    return FALSE


def some_wait(
    waits: Mapping[int, Waiting], others: Mapping[int, Others], d: Discrete, shapes: Shapes
) -> SymbolicStep | None:
    """The end of the threads of some circle, of which each waits so; None if there can be none."""
    circles: list[Formula] = []
    for circle in _circles(waits, others):
        if len(circles) == MOST_CIRCLES:
            circles.extend(its.condition for its in waits.values())
            break
        if circle is not FALSE:
            circles.append(circle)
    if not circles:
        return None
    return standstill(disj(circles), tuple(waits.values()), d, shapes, EndShown.CIRCLE)


def _circles(waits: Mapping[int, Waiting], others: Mapping[int, Others]) -> Iterator[Formula]:
    """The conditions for the circles, each found from its least thread on."""
    for first in sorted(waits):
        todo: list[tuple[tuple[int, ...], Formula]] = [((first,), waits[first].condition)]
        while todo:
            path, condition = todo.pop()
            for other, waited_for in others[path[-1]]:
                longer = conj((condition, waited_for))
                if other == first:
                    yield longer
                elif other > first and other in waits and other not in path:
                    longer = conj((longer, waits[other].condition))
                    if longer is not FALSE:
                        todo.append(((*path, other), longer))
