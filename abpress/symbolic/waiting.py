"""Deadlocks: the condition under which all threads of a discrete part wait for one another.

A thread waits if some path of its next step comes to where it waits for others, and no path to the
end of a step is possible; undefined behaviour is not the end of one. The first is said exactly, by
a guard over variables and fresh inputs. The second is a statement about all inputs: it is said of a
few of their values only, so that the condition may hold where the thread does have a step (see
`SymbolicSystem.shown`), NOTE(no-thread-goes-on).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from abpress.ir.expr import ArrayReg
from abpress.logic.formula import FALSE, Formula, conj, conjuncts, disj, neg
from abpress.symbolic.discrete import Discrete, EndShown, Input, SymbolicStep, instances
from abpress.symbolic.shapes import NextStep, Shapes


class Waiting(NamedTuple):
    """Where a thread waits: a formula over variables, inputs and fresh arrays of its next step."""

    condition: Formula
    inputs: tuple[Input, ...]
    arrays: tuple[ArrayReg, ...]


def waiting(next: NextStep) -> Waiting | None:
    """Where the thread waits that has this next step; None if it never does."""
    shapes = [numbered.shape for numbered in next.shapes if numbered.shape.fault is None]
    somewhere = disj(conj(wait.guard) for wait in next.waits)
    condition = conj(
        (somewhere, *(neg(f) for shape in shapes for f in instances(shape.guard, shape.inputs)))
    )
    if condition is FALSE:
        return None
    inputs = [i for wait in next.waits for i in wait.inputs]
    arrays = [a for wait in next.waits for a in wait.arrays]
    arrays += [a for shape in shapes for a in shape.arrays]
    return Waiting(condition, tuple(dict.fromkeys(inputs)), tuple(dict.fromkeys(arrays)))


def all_wait(waits: Sequence[Waiting], d: Discrete, shapes: Shapes) -> SymbolicStep | None:
    """The end of executions where all threads wait, of which each waits so; None if they cannot."""
    condition = conj(wait.condition for wait in waits)
    if condition is FALSE:
        return None
    return standstill(condition, waits, d, shapes, EndShown.DEADLOCK)


def standstill(
    condition: Formula, waits: Sequence[Waiting], d: Discrete, shapes: Shapes, what: EndShown
) -> SymbolicStep:
    """What stands for states in which threads wait for ever, of which some of these wait so."""
    inputs = tuple(i for wait in waits for i in wait.inputs)
    arrays = tuple(a for wait in waits for a in wait.arrays)
    return shapes.shown(what, d, conjuncts(condition), inputs, arrays)
