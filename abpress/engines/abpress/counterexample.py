"""Concretisation: a feasible error path becomes an execution of the concrete interpreter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from abpress.art.tree import ErrorPath
from abpress.engines.abpress.attempt import Problem
from abpress.ir.expr import Compare, Const, Reg
from abpress.itp.path import Feasible, Infeasible, Path, feasibility
from abpress.logic.formula import holds
from abpress.properties import PROPERTIES, Property
from abpress.properties.ends import classify
from abpress.search.ledger import Found
from abpress.semantics.following import AtLoad
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import ConcreteStep, State
from abpress.symbolic.discrete import EndShown, Input, SymbolicStep


def execution(
    problem: Problem, names: Sequence[str], error: ErrorPath, path: Path, model: Feasible
) -> Found[State] | None:
    """The execution that the model of an error's path describes, with what it ends with: that
    violates one of these properties.

    None if it is not known to end so: in a state that shows something, where what threads can do
    depends on arbitrary values; or with a fault, which in the tree can stand for an access that is
    only unusual (of a part of a cell). Raises AssertionError if the interpreter finds something
    else: then one of the two semantics is wrong.
    """
    properties = [PROPERTIES[name] for name in names]
    if error.move.step.shows is not None:
        return _ended(problem, error, path, model, properties)
    steps = concretised(problem.interpreter, path.steps, model)
    violation = None if steps is None else steps[-1].violation
    if steps is not None and violation is not None:
        for property in properties:
            if (finding := property.of_violation(violation)) is not None:
                return Found(steps, finding, property.name)
    if error.move.step.fault is None:
        raise AssertionError("internal error: the interpreter does not reach the violation")
    return None


def _ended(
    problem: Problem,
    error: ErrorPath,
    path: Path,
    model: Feasible,
    properties: Sequence[Property],
) -> Found[State] | None:
    interpreter = problem.interpreter
    deadlock = error.move.step.shows is EndShown.DEADLOCK
    if deadlock and not _all_wait(problem, error, path, model):
        return None
    steps = _followed(interpreter, path.steps[:-1], model)
    if steps is None:
        raise AssertionError("internal error: the interpreter cannot follow the path")
    state = steps[-1].successor if steps else interpreter.initial()
    end = classify(interpreter, state)
    for property in properties:
        if deadlock:
            finding = property.of_end(interpreter, state, end)
        else:
            finding = property.of_state(interpreter, state)
        if finding is not None and finding.is_shown_by(interpreter, state):
            return Found(steps, finding, property.name)
    return None


def concretised(
    interpreter: Interpreter, steps: tuple[SymbolicStep, ...], model: Feasible
) -> tuple[ConcreteStep, ...] | None:
    """The steps of the execution that the model describes; None if the interpreter cannot follow,
    or to no violation."""
    followed = _followed(interpreter, steps, model)
    return followed if followed and followed[-1].violation is not None else None


def _followed(
    interpreter: Interpreter, steps: tuple[SymbolicStep, ...], model: Feasible
) -> tuple[ConcreteStep, ...] | None:
    """The steps of the execution that the model describes; None if it cannot be followed."""
    state = interpreter.initial()
    followed = []
    for symbolic, values in zip(steps, model.inputs, strict=False):
        inputs = tuple(_value(input, values) for input in symbolic.inputs)
        step = interpreter.follow(state, symbolic.thread, symbolic.edges, inputs)
        if step is None:
            return None
        followed.append(step)
        state = step.successor
    return tuple(followed)


def _value(input: Input, values: Mapping[str, int]) -> int:
    """The value of an input, for `Interpreter.follow`."""
    value = values.get(input.name, input.nearest)
    return value if input.value is None else AtLoad(value, input.load)


def _all_wait(problem: Problem, error: ErrorPath, path: Path, model: Feasible) -> bool:
    """Whether no value of an input lets a thread do a step at the end of the execution.

    (The interpreter tries a few values only.)
    """
    before = tuple(map(_pinned, path.steps[:-1], model.inputs))
    place = error.node.place
    return all(
        isinstance(feasibility(problem.prover, Path(path.facts, (*before, step))), Infeasible)
        for thread in place.threads
        for step in problem.system.steps(place.discrete, thread)
        if step.fault is None and (step.inputs or step.arrays)
    )


def _pinned(step: SymbolicStep, values: Mapping[str, int]) -> SymbolicStep:
    """The step with the values of the model for its inputs."""
    chosen = (Const(values.get(i.name, i.nearest), i.type) for i in step.inputs)
    named = (Reg(i.name, i.type) for i in step.inputs)
    pins = (holds(Compare("==", a, b)) for a, b in zip(named, chosen, strict=True))
    return replace(step, guard=(*step.guard, *pins))
