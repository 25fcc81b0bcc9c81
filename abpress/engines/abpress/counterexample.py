"""Concretisation: a feasible error path becomes an execution of the concrete interpreter."""

from __future__ import annotations

from collections.abc import Mapping

from abpress.itp.path import Feasible
from abpress.semantics.following import AtLoad
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import ConcreteStep
from abpress.symbolic.discrete import Input, SymbolicStep


def concretise(
    interpreter: Interpreter,
    steps: tuple[SymbolicStep, ...],
    model: Feasible,
) -> tuple[ConcreteStep, ...]:
    """The steps of the execution that the model describes; the last one ends with a violation.

    Raises AssertionError if the interpreter cannot follow: then one of the two is wrong.
    """
    followed = concretised(interpreter, steps, model)
    if followed is None:
        raise AssertionError("internal error: the interpreter cannot follow to the violation")
    return followed


def concretised(
    interpreter: Interpreter,
    steps: tuple[SymbolicStep, ...],
    model: Feasible,
) -> tuple[ConcreteStep, ...] | None:
    """As `concretise`; None if the interpreter cannot follow, or to no violation."""
    state = interpreter.initial()
    followed = []
    for symbolic, values in zip(steps, model.inputs, strict=True):
        inputs = tuple(_value(input, values) for input in symbolic.inputs)
        step = interpreter.follow(state, symbolic.thread, symbolic.edges, inputs)
        if step is None:
            return None
        followed.append(step)
        state = step.successor
    return tuple(followed) if followed and followed[-1].violation is not None else None


def _value(input: Input, values: Mapping[str, int]) -> int:
    """The value of an input, for `Interpreter.follow`."""
    value = values.get(input.name, input.nearest)
    return value if input.value is None else AtLoad(value, input.load)
