"""Why the compiled program does not show a violation: in what it is another program than the model.

C leaves open, and the model takes any of, what compilers and systems choose: the order in which
operands are evaluated, what memory holds that was never written, what a call of the system returns.
Where a trace rests on such a choice that the program did not make, that is told.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Set

from abpress.errors import Position
from abpress.ir.program import VALID_DEREF
from abpress.replay.accesses import DOES, cell_of, object_of
from abpress.replay.led import Led
from abpress.replay.machine import StopEvent
from abpress.replay.plan import COPIES, SPURIOUS, Does, PlanItem, TracePlan
from abpress.witness.results import library_call
from abpress.witness.trace import TraceStep

MOST_TOLD = 3

_Access = tuple[Does, str, int]
"""What is done, the variable, and the line where."""


def reasons(plan: TracePlan, led: Led, objects: Set[str]) -> tuple[str, ...]:
    """Those that there are for a run that has not shown the violation, a sentence each."""
    found = (
        *_orders(plan, led, objects),
        *_at_once(plan, led, objects),
        *_choices(plan, led),
        *_calls(plan, led),
        *_inside(plan, led, objects),
    )
    return tuple(dict.fromkeys(found))[:MOST_TOLD]


# -- the order of evaluation ------------------------------------------------------------------


def _orders(plan: TracePlan, led: Led, objects: Set[str]) -> Iterator[str]:
    """Of each thread the first two accesses of one expression that come in the other order."""
    for name, events in led.accesses.items():
        steps = [step for step in plan.trace.steps if step.thread == name]
        told = [(its, step.position) for step in steps for its in _told(step, objects)]
        seen = [its for event in events for its in _seen(event)]
        pairs = zip((its for its, _ in told), seen, strict=False)
        at = next((i for i, (one, other) in enumerate(pairs) if one != other), None)
        if at is None or told[at][0] not in seen[at:]:
            continue
        later = next((place for its, place in told[at:] if its == seen[at]), None)
        line = None if later is None else _expression(told[at][1], later)
        if line is not None:
            yield (
                f"line {line} is evaluated in another order than in the trace, as the compiler has"
                f" chosen: {_words(seen[at])} comes before {_words(told[at][0])}"
            )


def _told(step: TraceStep, objects: Set[str]) -> Iterator[_Access]:
    line = step.position.origin.line
    for does, cells in ((Does.READS, step.reads), (Does.WRITES, step.writes)):
        for cell, _ in cells:
            if object := object_of(cell, objects):
                yield does, object, line


def _seen(event: StopEvent) -> Iterator[_Access]:
    does = DOES[event.kind]
    for its in (Does.READS, Does.WRITES) if does is None else (does,):
        if event.object:
            yield its, event.object, event.site.line


def _words(access: _Access) -> str:
    does, object, line = access
    return f"what {does.value} {object} at line {line}"


def _expression(one: Position, other: Position) -> int | None:
    """The line of the expression in which two places are different operands; None if there is
    none."""
    for a, b in zip((*one.stack, one), (*other.stack, other), strict=False):
        if (a.function, a.line, a.column) != (b.function, b.line, b.column):
            return a.line if (a.function, a.line) == (b.function, b.line) else None
    return None


def _at_once(plan: TracePlan, led: Led, objects: Set[str]) -> Iterator[str]:
    """Structs that are accessed at once, with others between their members in the trace."""
    for name, items in plan.items.items():
        seen = Counter(its for event in led.accesses.get(name, ()) for its in _seen(event))
        told: dict[_Access, list[PlanItem]] = {}
        for item in items:
            if item.does is not Does.CALLS and (object := object_of(item.what, objects)):
                told.setdefault((item.does, object, item.position.line), []).append(item)
        for access, its in told.items():
            apart = len({item.what for item in its}) > 1 < len({item.segment for item in its})
            if apart and seen[access] < len(its):
                does, object, line = access
                yield f"line {line} {does.value} {object} at once, member by member in the trace"


# -- values -----------------------------------------------------------------------------------


_MAY_BE_CANCELLED = "__abp_possible_cancellation_point"
"""The model's function before calls that may be where a thread is cancelled, or not."""


def _choices(plan: TracePlan, led: Led) -> Iterator[str]:
    """What the trace chooses and the compiled program has of its own."""
    for step in plan.trace.steps:
        line = step.position.origin.line
        for name, value in step.choices:
            if name.startswith("uninitialised"):
                yield f"line {line} reads what was never written, which is {value} in the trace"
            elif name.startswith("missing result"):
                yield f"the {name}, which line {line} uses, is {value} in the trace"
            elif name.startswith("result of"):
                yield f"the {name} at line {line} is the compiler's, and {value} in the trace"
            elif value and step.position.function == _MAY_BE_CANCELLED:
                yield f"nobody is cancelled in the call at line {line}, which POSIX leaves open"
            elif value and name.startswith(SPURIOUS) and not led.asked[step.thread, SPURIOUS, line]:
                yield f"no exchange at line {line} can fail for no reason as it was compiled"


def _calls(plan: TracePlan, led: Led) -> Iterator[str]:
    """Calls of the library that are made, though the trace has chosen what they do."""
    for (_, function, line), results in plan.results.items():
        if any(its.result is None for its in results) and (function, line) not in led.stops:
            yield f"{function} at line {line} does what the machine does, not what the trace says"
    for its in plan.trace.blocked:
        call = library_call(its.position)
        if call is not None and (call[1], call[0].line) not in led.stops:
            yield f"whether {call[1]} at line {call[0].line} waits is the machine's choice"


_ANNOTATION = re.compile(r"/[/*]@")
_ASSEMBLER = re.compile(r"\s*(asm|__asm|__asm__)\b")


def _inside(plan: TracePlan, led: Led, objects: Set[str]) -> Iterator[str]:
    """Accesses in assembler and in functions of the library, of which the replay knows nothing."""
    told = [(its.source, its.position) for its in plan.trace.steps]
    told += [(its.source, its.position) for its in plan.trace.ready]
    for source, place in told:
        if _ASSEMBLER.match(source):
            yield f"the assembler at line {place.origin.line} is no stop of a replay"
    if told and _ANNOTATION.search(told[-1][0]):
        yield f"the annotation at line {told[-1][1].origin.line} is a comment for compilers"
    for its in plan.trace.ready:
        line, object = its.position.origin.line, object_of(cell_of(its), objects)
        events = led.accesses.get(its.thread, ())
        seen = any((event.site.line, event.object) == (line, object) for event in events)
        call = library_call(its.position)
        if object and not seen and (call is None or call[1] in COPIES):
            yield f"the access at line {line} is in a function of the C library, or compiled away"
    places = [its.position for its in plan.trace.ready]
    if plan.trace.property == VALID_DEREF and plan.trace.steps:
        places.append(plan.trace.steps[-1].position)
    for place in places:
        call = library_call(place)
        if call is not None and call[1] not in COPIES:
            yield f"what {call[1]} accesses at line {call[0].line} is not watched"
