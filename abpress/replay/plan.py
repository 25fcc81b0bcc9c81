"""What each thread does in a trace, in the words of the compiled program, segment by segment.

A segment is what a thread does without another one in between. Of its steps those count that the
compiled program shows: accesses of memory, and calls of the thread library. The steps that the
model of such a call takes are one item, in the segment where the call has its effect, or two, where
it lets others go on and comes back.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise

from abpress.errors import Position
from abpress.witness.trace import Trace, TraceStep

JOINS = frozenset({"pthread_join", "thrd_join"})
"""Functions that wait for the end of a thread."""

IN_TWO_PARTS = JOINS | frozenset(
    {
        "pthread_cond_wait",
        "pthread_cond_timedwait",
        "pthread_cond_clockwait",
        "pthread_barrier_wait",
        "pthread_once",
        "cnd_wait",
        "cnd_timedwait",
        "call_once",
    }
)
"""Functions that stop more than once."""


FREE = "free"
"""The function that ends the life of what is on the heap. Of its calls those are items that the
trace tells of; others stop nobody."""


class Does(Enum):
    """What an item is."""

    READS = "reads"
    WRITES = "writes"
    CALLS = "calls"


@dataclass(frozen=True, slots=True)
class PlanItem:
    """An access of a cell, or a call of a function, where it has an effect. `what` is the cell or
    the function; `said` what the model tells of the call."""

    segment: int
    position: Position
    does: Does
    what: str
    said: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TracePlan:
    """A trace as the compiled program will show it."""

    trace: Trace
    segments: tuple[str, ...]  # the threads, in their order
    begins: tuple[int, ...]  # the number of each segment's first step in the trace
    items: Mapping[str, tuple[PlanItem, ...]]  # by thread
    inputs: Mapping[tuple[str, str, int], tuple[int, ...]]  # by thread, function and line of call
    ended: Set[str]  # the threads that end in it


@dataclass(slots=True)
class _Call:
    """A call of the library so far. Mutable."""

    place: Position
    function: str
    begin: Position
    steps: list[tuple[int, TraceStep]] = field(default_factory=list)


def plan_of(trace: Trace) -> TracePlan:
    """The plan of a trace."""
    segments: list[str] = []
    begins: list[int] = []
    steps: dict[str, list[tuple[int, TraceStep]]] = {name: [] for name in trace.threads}
    inputs: dict[tuple[str, str, int], list[int]] = {}
    for number, step in enumerate(trace.steps):
        if not segments or segments[-1] != step.thread:
            segments.append(step.thread)
            begins.append(number)
        steps.setdefault(step.thread, []).append((len(segments) - 1, step))
        for name, value in step.choices:
            key = (step.thread, _input_of(name), step.position.origin.line)
            inputs.setdefault(key, []).append(value)
    freed = {(e.thread, e.position) for e in trace.history if e.what == "freed"}
    items = {
        name: tuple(_items(its, {place for thread, place in freed if thread == name}))
        for name, its in steps.items()
    }
    values = {key: tuple(its) for key, its in inputs.items()}
    ended = frozenset(step.thread for step in trace.steps if step.note == "ends")
    return TracePlan(trace, tuple(segments), tuple(begins), items, values, ended)


def _input_of(choice: str) -> str:
    """The function of the program that gets a value which the model has chosen."""
    return choice.removeprefix("failure of ").partition("(")[0].removeprefix("__builtin_")


def _items(steps: Sequence[tuple[int, TraceStep]], freed: Set[Position]) -> Iterator[PlanItem]:
    left = deque(steps)
    while left:
        call = _call_of(left[0][1].position)
        if call is None:
            segment, step = left.popleft()
            if not step.position.in_model:
                for cell, _ in step.reads:
                    yield PlanItem(segment, step.position, Does.READS, cell)
                for cell, _ in step.writes:
                    yield PlanItem(segment, step.position, Does.WRITES, cell)
                if step.position in freed and not step.reads and not step.writes:
                    yield PlanItem(segment, step.position, Does.CALLS, FREE)
            continue
        taken = [left.popleft()]
        begin = taken[0][1].position
        while left and _call_of(left[0][1].position) == call and left[0][1].position != begin:
            taken.append(left.popleft())
        yield from _of_call(*call, taken)


def _call_of(position: Position) -> tuple[Position, str] | None:
    """The call of the library that a step belongs to: its place in the user's text, and the
    function. None of the user's own steps, and of those of the library that nobody calls."""
    for outer, inner in pairwise((*position.stack, position)):
        if inner.in_model and not outer.in_model:
            return outer, inner.function
    return None


_ENDS = re.compile(r"(joins|creates) ")


def _of_call(
    place: Position, function: str, steps: Sequence[tuple[int, TraceStep]]
) -> Iterator[PlanItem]:
    effects = [segment for segment, step in steps if step.writes or _ENDS.match(step.note)]
    effects = effects or [segment for segment, step in steps if step.reads] or [steps[-1][0]]
    said = tuple(text for _, step in steps for text in step.said)
    if function in IN_TWO_PARTS and effects[0] != effects[-1]:
        yield PlanItem(effects[0], place, Does.CALLS, function, said)
    yield PlanItem(effects[-1], place, Does.CALLS, function, said)
