"""Builds traces from schedules: the execution is run once more, action by action."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from abpress.errors import NOWHERE
from abpress.ir.expr import registers
from abpress.ir.program import (
    NO_MISUSE,
    Edge,
    GuardKind,
    Load,
    Program,
    effect_operands,
    effect_target,
)
from abpress.ir.types import owned
from abpress.properties.finding import Finding
from abpress.search.ledger import Schedule
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from abpress.semantics.tracing import TracedAction
from abpress.witness.minimise import context_switches
from abpress.witness.replay import passed, replay
from abpress.witness.trace import BlockedThread, LifeEvent, Trace, TraceStep, Values
from abpress.witness.users import Users, misused

_ALLOCATED, _BEGUN = "allocated", "begun"
"""How what happens to an object is called that begins its life, in `TracedAction.lives`."""

_JOINS = "joins "
"""How the note of a join begins; the name of the other thread follows."""

_CREATES = "creates "
"""The same for the creation of a thread."""


def build_trace(
    interpreter: Interpreter, schedule: Schedule, property: str, finding: Finding
) -> Trace:
    """The trace of the execution that ends with the finding.

    Raises AssertionError if the schedule does not lead there.
    """
    last = replay(interpreter, schedule, finding)
    trace = trace_along(interpreter, schedule)
    steps = trace.steps
    # Which threads show it may have changed since it was found: this execution is a shorter one.
    finding = finding.shown(interpreter, last) or finding
    message = finding.message
    if property == NO_MISUSE and (object := _misused(interpreter, schedule)):
        message = f"{message}: {object}"
    if finding.of_step:
        steps = (*steps[:-1], replace(steps[-1], note=f"violation: {message}"))
    return replace(
        trace,
        property=property,
        message=message,
        history=tuple(event for event in trace.history if _is_named(event, message)),
        ready=tuple(BlockedThread(*ready) for ready in finding.ready),
        steps=steps,
        blocked=blocked_threads(interpreter, last, finding.waits),
    )


def trace_along(interpreter: Interpreter, schedule: Schedule) -> Trace:
    """The trace of an execution, whatever it ends with."""
    name_of = interpreter.views.thread_name
    names = dict.fromkeys(map(name_of, interpreter.threads(interpreter.initial())))
    steps: list[TraceStep] = []
    history: dict[str, dict[str, LifeEvent]] = {}
    held: dict[str, str] = {}  # mutex -> its holder's id, as text
    users = Users()
    for state, step in passed(interpreter, schedule):
        thread = step.thread
        for event in interpreter.views.trace(state, thread, step.choices):
            if event.note.startswith(_CREATES):
                names[event.note.removeprefix(_CREATES)] = None
            for cell, value in event.writes:
                if (mutex := owned(cell)) is not None:
                    held[mutex] = value
                users.written(cell, value, event.position)
            for object, what in event.lives:
                events = history.setdefault(object, {})
                if what in (_ALLOCATED, _BEGUN):
                    events.clear()
                events[what] = LifeEvent(object, what, name_of(thread), event.position)
            locks = tuple(mutex for mutex, owner in held.items() if owner == str(thread))
            steps.append(
                TraceStep(
                    name_of(thread),
                    event.position,
                    event.reads,
                    event.writes,
                    locks,
                    event.note,
                    event.choices,
                )
            )
    return Trace(
        property="",
        message="",
        steps=tuple(steps),
        threads=tuple(names),
        context_switches=context_switches(schedule),
        schedule=tuple((name_of(thread), choices) for thread, choices in schedule),
        history=(
            *(event for events in history.values() for event in events.values()),
            *(LifeEvent(use.object, use.what, name_of(use.thread), use.since) for use in users),
        ),
    )


def _misused(interpreter: Interpreter, schedule: Schedule) -> str:
    """What the last step of an execution misuses, if that is seen."""
    *_, (state, step) = passed(interpreter, schedule)
    return misused(interpreter.views.trace(state, step.thread, step.choices))


def _is_named(event: LifeEvent, message: str) -> bool:
    """Whether the message tells of the object."""
    return re.search(rf"(?<![\w.#]){re.escape(event.object)}(?![\w#])", message) is not None


def blocked_threads(
    interpreter: Interpreter, state: State, threads: Sequence[int]
) -> tuple[BlockedThread, ...]:
    """Where these threads of a state wait, and for what."""
    names = {t: interpreter.views.thread_name(t) for t in interpreter.threads(state)}
    blocked = []
    for thread in threads:
        events = interpreter.views.trace(state, thread)  # of the step that cannot be finished
        if events and events[-1].note.startswith(_JOINS):
            position = events[-1].position
            text = f"waits for the end of {events[-1].note.removeprefix(_JOINS)}"
        else:
            guard = _unmet(interpreter, state, thread, events)
            position = NOWHERE if guard is None else guard.position
            cells = () if guard is None else _cells(interpreter.program, guard, events)
            text = _waits_for(cells, names)
        blocked.append(BlockedThread(names[thread], position, text))
    return tuple(blocked)


def _unmet(
    interpreter: Interpreter, state: State, thread: int, events: tuple[TracedAction, ...]
) -> Edge | None:
    """The edge that the thread waits at, after what it could do of its step."""
    if events:
        name, location = events[-1].template, _edge(interpreter.program, events[-1]).target
    else:
        name, location = interpreter.location(state, thread)
    edges = interpreter.program.templates[name].locations[location].edges
    return next((edge for edge in edges if edge.kind is GuardKind.AWAIT), None)


def _cells(program: Program, guard: Edge, events: tuple[TracedAction, ...]) -> Values:
    """The cells that the guard's value was computed from within the step, and their values."""
    wanted = set(registers(guard.guard))
    cells: dict[str, str] = {}
    for event in reversed(events):
        for effect in reversed(_edge(program, event).effects):
            target = effect_target(effect)
            if target is None or target.name not in wanted:
                continue
            wanted.discard(target.name)
            if isinstance(effect, Load):
                cells.update(event.reads)
            else:
                wanted.update(r for e in effect_operands(effect) for r in registers(e))
    return tuple(cells.items())


_OWN = {"__abp_woken": "a signal"}
"""What it is that threads wait for where models keep it for themselves."""


def _waits_for(cells: Values, names: Mapping[int, str]) -> str:
    holders = {str(thread): name for thread, name in names.items()}
    parts = []
    for cell, value in cells:
        if (mutex := owned(cell)) is not None and value in holders:
            parts.append(f"{mutex}, held by {holders[value]}")
        else:
            parts.append(_OWN.get(cell, f"{cell}, which is {value}"))
    return f"waits for {' and '.join(parts)}" if parts else "waits"


def _edge(program: Program, event: TracedAction) -> Edge:
    return program.templates[event.template].locations[event.location].edges[event.edge]
