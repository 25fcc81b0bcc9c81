"""What a search has found, in names, and back in another process: NOTE(resumed-search)."""

from __future__ import annotations

from collections.abc import Iterator

from abpress.ir.program import UNDEFINED
from abpress.parallel.parts import KeptFinding
from abpress.properties import Property
from abpress.properties.finding import Finding, Reached
from abpress.search.handover import HandoverError
from abpress.search.ledger import Found
from abpress.search.named import NamedStep, step_hash
from abpress.search.stateless import ExploredExecutions
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.names import CanonicalNames
from abpress.semantics.outcome import ConcreteStep, State


def kept_findings(system: Interpreter, explored: ExploredExecutions) -> Iterator[KeptFinding]:
    """The executions that violate something, and the one that is undefined and violates nothing."""
    names = CanonicalNames(system.context)
    faults = () if explored.fault is None else (explored.fault,)
    for found in (*explored.found, *faults):
        state, steps = system.initial(), []
        for thread, choices in found.schedule:
            step = system.take(state, thread, choices)
            assert step is not None, "internal error: an execution cannot be run again"
            steps.append((names.thread(thread), NamedStep(choices, step_hash(names, step))))
            state = step.successor
        yield KeptFinding(found.violates, tuple(steps))


def found_again(system: Interpreter, property: Property, kept: KeptFinding) -> Found[State]:
    """What was found, after the execution has been run again. Raises HandoverError if it is none of
    this program."""
    names, state = CanonicalNames(system.context), system.initial()
    steps: list[ConcreteStep] = []
    for name, sent in kept.steps:
        steps.append(_step(system, names, state, names.thread_number(name), sent))
        state = steps[-1].successor
    asked = {part.name: part for part in property.parts}.get(kept.violates)
    violation = steps[-1].violation if steps else None
    finding: Finding | None
    if asked is None:
        finding = None if violation is None else Reached(violation)
    else:
        finding = asked.of_execution(system, state, violation)
    if finding is None:
        raise HandoverError(f"what is kept does not violate {kept.violates} here")
    return Found(tuple(steps), finding, UNDEFINED if asked is None else asked.name)


def _step(
    system: Interpreter, names: CanonicalNames, state: State, thread: int, sent: NamedStep
) -> ConcreteStep:
    step = system.take(state, thread, sent.choices)
    if step is not None and step_hash(names, step) == sent.leads_to:
        return step
    for step in system.steps(state, thread):
        if step_hash(names, step) == sent.leads_to:
            return step
    raise HandoverError("what is kept cannot be run again here")
