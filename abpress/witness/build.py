"""Builds traces from schedules: the execution is run once more, action by action."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from abpress.analysis.racing import counted
from abpress.ir.program import NO_MISUSE
from abpress.ir.types import owned
from abpress.properties.finding import Finding, Reached
from abpress.search.ledger import Schedule
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.tracing import TracedAction
from abpress.witness.blocked import blocked_threads, edge_of
from abpress.witness.diagnosis import diagnosis_of
from abpress.witness.diagnosis.scene import Scene
from abpress.witness.heap import HeapNames
from abpress.witness.library import LibraryWords
from abpress.witness.minimise import context_switches
from abpress.witness.replay import passed, replay
from abpress.witness.results import LibraryResults
from abpress.witness.trace import BlockedThread, LifeEvent, Trace, TraceStep, is_named
from abpress.witness.users import Users, misused

_ALLOCATED, _BEGUN = "allocated", "begun"
"""How what happens to an object is called that begins its life, in `TracedAction.lives`."""

_SIGNALLED = "signalled"
"""The same of a signal that comes when nobody waits."""

_CREATES = "creates "
"""How the note of a creation begins; the name of the thread follows."""


@dataclass(frozen=True, slots=True)
class ToldTrace:
    """A trace in the names of the execution, and what can say the same in words for people.
    `actions` are how many of its steps each step of the schedule has."""

    trace: Trace
    actions: tuple[int, ...]
    library: LibraryWords
    heap: HeapNames

    def in_words(self, trace: Trace) -> Trace:
        """The trace with names for people."""
        if not self.heap.any:
            return trace
        name = self.heap.in_text
        cause = trace.diagnosis
        return replace(
            trace,
            message=self.heap.in_message(trace.message),
            steps=tuple(_renamed(step, name) for step in trace.steps),
            blocked=tuple(
                replace(b, text=name(b.text), object=name(b.object)) for b in trace.blocked
            ),
            ready=tuple(replace(b, text=name(b.text)) for b in trace.ready),
            history=tuple(replace(e, object=name(e.object)) for e in trace.history),
            diagnosis=None if cause is None else replace(cause, text=name(cause.text)),
        )


def _renamed(step: TraceStep, name: Callable[[str], str]) -> TraceStep:
    return replace(
        step,
        reads=tuple((name(cell), name(value)) for cell, value in step.reads),
        writes=tuple((name(cell), name(value)) for cell, value in step.writes),
        locks=tuple(map(name, step.locks)),
        note=name(step.note),
        said=tuple(map(name, step.said)),
        locals=tuple((register, name(value)) for register, value in step.locals),
    )


def build_trace(
    interpreter: Interpreter,
    schedule: Schedule,
    property: str,
    finding: Finding,
    expired: Callable[[], bool] = lambda: False,
) -> Trace:
    """The trace of the execution that ends with the finding; its cause is looked for until
    `expired`.

    Raises AssertionError if the schedule does not lead there.
    """
    last = replay(interpreter, schedule, finding)
    told = _with_attempt(trace_along(interpreter, schedule), finding)
    trace, words = told.trace, told.library
    steps = trace.steps
    # Which threads show it may have changed since it was found: this execution is a shorter one.
    finding = finding.shown(interpreter, last) or finding
    message = finding.message
    if property == NO_MISUSE and (object := _misused(interpreter, schedule)):
        message = f"{message}: {object}"
    if finding.of_step:
        steps = (*steps[:-1], replace(steps[-1], note=f"violation: {message}"))
    blocked = blocked_threads(interpreter, last, finding.waits, words)
    whole = replace(
        trace,
        property=property,
        message=message,
        history=(*trace.history, *_lost_signals(words, finding.waits)),
        ready=tuple(BlockedThread(*ready) for ready in finding.ready),
        steps=steps,
        blocked=blocked,
        initial=tuple(_initial(interpreter, steps)),
    )
    scene = Scene(interpreter, schedule, finding, whole, told.actions, last)
    shown = (e for e in whole.history if e.what == _SIGNALLED or is_named(e, message))
    return told.in_words(
        replace(whole, history=tuple(shown), diagnosis=diagnosis_of(scene, expired))
    )


def _with_attempt(told: ToldTrace, finding: Finding) -> ToldTrace:
    """With a step for a violation by a condition, which is no action: nothing shows it else, or
    only an action before it does."""
    if not isinstance(finding, Reached) or not told.actions:
        return told
    steps, at = told.trace.steps, finding.violation.position
    if told.actions[-1] and steps[-1].position == at:
        return told
    thread = told.trace.schedule[-1][0]
    held = next((step.locks for step in reversed(steps) if step.thread == thread), ())
    trace = replace(told.trace, steps=(*steps, TraceStep(thread, at, locks=held)))
    return replace(told, trace=trace, actions=(*told.actions[:-1], told.actions[-1] + 1))


def _lost_signals(words: LibraryWords, waits: Sequence[int]) -> Iterator[LifeEvent]:
    """The signals that threads wait for and that came too early."""
    for cond, signal in dict.fromkeys(filter(None, map(words.lost_signal, waits))):
        yield LifeEvent(cond, _SIGNALLED, signal.thread, signal.position)


def trace_along(interpreter: Interpreter, schedule: Schedule) -> ToldTrace:
    """The trace of an execution, whatever it ends with."""
    name_of = interpreter.views.thread_name
    names = dict.fromkeys(map(name_of, interpreter.threads(interpreter.initial())))
    steps: list[TraceStep] = []
    actions: list[int] = []
    history: dict[str, dict[str, LifeEvent]] = {}
    held: dict[str, str] = {}  # mutex -> its holder's id, as text
    users, library, heap = Users(), LibraryWords(name_of), HeapNames()
    results = LibraryResults()
    for state, step in passed(interpreter, schedule):
        thread, before = step.thread, len(steps)
        me = str(thread)
        for event in interpreter.views.trace(state, thread, step.choices):
            edge = edge_of(interpreter.program, event)
            template = interpreter.program.templates[event.template]
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
                if what == _ALLOCATED:
                    heap.allocated(object, event.position, edge.effects)
                events[what] = LifeEvent(object, what, name_of(thread), event.position)
            locks = tuple(mutex for mutex, owner in held.items() if owner == me)
            steps.append(
                TraceStep(
                    name_of(thread),
                    event.position,
                    event.reads,
                    event.writes,
                    locks,
                    event.note,
                    event.choices,
                    said=library.told(thread, event),
                    locals=tuple(_locals(event)),
                    returns=results.before(thread, event),
                    access=counted(template, event.location, edge),
                )
            )
        actions.append(len(steps) - before)
    trace = Trace(
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
    return ToldTrace(trace, tuple(actions), library, heap)


def _initial(interpreter: Interpreter, steps: Sequence[TraceStep]) -> Iterator[tuple[str, str]]:
    """What the cells that these steps access hold at first, as far as they exist then."""
    memory = interpreter.views.describe(interpreter.initial())["memory"]
    first: dict[str, str | None] = {}  # what a cell holds, if it is read before it is written
    for step in steps:
        for cell, value in step.reads:
            first.setdefault(cell, value)
        for cell, _ in step.writes:
            first.setdefault(cell, None)
    for cell, read in first.items():
        if memory.get(cell) is not None:
            yield cell, str(memory[cell]) if read is None else read


def _locals(action: TracedAction) -> Iterator[tuple[str, str]]:
    """The variables that an action of the user's functions assigns, by the names that they have
    there, and the parameters of what it calls; no temporaries."""
    if not action.position.in_model:
        for register, value in action.registers:
            name = register.partition("#")[0]
            if name.isidentifier():
                yield name, value


def _misused(interpreter: Interpreter, schedule: Schedule) -> str:
    """What the last step of an execution misuses, if that is seen."""
    *_, (state, step) = passed(interpreter, schedule)
    return misused(interpreter.views.trace(state, step.thread, step.choices))
