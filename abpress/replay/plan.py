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
from dataclasses import dataclass
from enum import Enum

from abpress.errors import Position
from abpress.witness.results import LibraryCall, library_call
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


SPURIOUS = "spurious failure"
"""How choices begin of whether what may fail for no reason does."""

COPIES = frozenset(
    (
        *("memcpy", "memmove", "memset", "memcmp", "memchr", "realloc"),
        *("strlen", "strnlen", "strcpy", "strncpy", "strcat", "strncat"),
        *("strcmp", "strncmp", "strchr", "strrchr"),
    )
)
"""Functions that do nothing but access memory, byte by byte: they are what they access."""

STORES = frozenset(
    ("clock_gettime", "clock_getres", "gettimeofday", "timespec_get", "timespec_getres")
)
"""Functions that store what they choose, and are therefore made."""

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
class GivenResult:
    """What a call of the library returns without being made, as in the trace: a failure, or a
    number that is chosen. None: it is made, as it does more than that."""

    result: int | None
    errno: int = 0


CallKey = tuple[str, str, int]
"""A thread, a function, and the line of its call."""


@dataclass(frozen=True, slots=True)
class TracePlan:
    """A trace as the compiled program will show it. `arguments` are those that the program has,
    without its name, if they are chosen."""

    trace: Trace
    segments: tuple[str, ...]  # the threads, in their order
    begins: tuple[int, ...]  # the number of each segment's first step in the trace
    items: Mapping[str, tuple[PlanItem, ...]]  # by thread
    inputs: Mapping[CallKey, tuple[int, ...]]
    results: Mapping[CallKey, tuple[GivenResult, ...]]
    ended: Set[str]  # the threads that end in it
    arguments: tuple[bytes, ...] | None
    unwritten: int = 0  # what memory of the heap holds that was never written, 4 bytes

    @property
    def given(self) -> frozenset[str]:
        """The functions of the library of which some call is not made."""
        return frozenset(
            function
            for (_, function, _), calls in self.results.items()
            if any(its.result is not None for its in calls)
        )


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
    parts = {name: tuple(_parts(its)) for name, its in steps.items()}
    results: dict[CallKey, list[GivenResult]] = {}
    for step in trace.steps:
        for name, value in step.choices:
            if name.startswith(_SUCCESS):
                key = (step.thread, name.removeprefix(_SUCCESS), step.position.origin.line)
                results.setdefault(key, []).append(GivenResult(None if value else -1))
    for name, its in parts.items():
        for part in its:
            if part.call is not None and (given := _given(part)) is not None:
                place, function = part.call
                results.setdefault((name, function, place.line), []).append(given)
    freed = {(e.thread, e.position) for e in trace.history if e.what == "freed"}
    stands = (*trace.blocked, *trace.ready)
    waits = {its.thread: library_call(its.position) for its in stands}
    items = {
        name: tuple(_items(its, {place for t, place in freed if t == name}, waits.get(name)))
        for name, its in parts.items()
    }
    return TracePlan(
        trace,
        tuple(segments),
        tuple(begins),
        items,
        {key: tuple(its) for key, its in inputs.items()},
        {key: tuple(its) for key, its in results.items()},
        frozenset(step.thread for step in trace.steps if step.note == "ends"),
        _arguments(trace),
        next((n for s in trace.steps for name, n in s.choices if _is_fill(name, n)), 0),
    )


def _is_fill(choice: str, value: int) -> bool:
    """Whether a choice is the value of memory that was never written, and one of 4 bytes."""
    return choice == "uninitialised memory" and value != 0 and -(2**31) <= value < 2**31


_COUNT = re.compile(r"parameter \w+ of main|number of arguments")
_ARGUMENT = re.compile(r"argument (\d+)\[(\d+)\]")

MOST_ARGUMENTS = 10_000
"""That a program is given whose trace has chosen their number."""


def _arguments(trace: Trace) -> tuple[bytes, ...] | None:
    """What the program is called with, if the trace has chosen it: the characters that are read,
    and any others before them."""
    counts = (n for step in trace.steps for name, n in step.choices if _COUNT.fullmatch(name))
    count = next(counts, None)
    if count is None:
        return None
    texts: dict[int, dict[int, int]] = {}
    for step in trace.steps:
        for cells, known in ((step.reads, True), (step.writes, False)):
            for cell, value in cells:
                if its := _ARGUMENT.fullmatch(cell):
                    byte = int(value) % 256 if known else _ANY
                    texts.setdefault(int(its[1]), {}).setdefault(int(its[2]), byte)
    return tuple(_text(texts.get(n, {})) for n in range(1, min(count, MOST_ARGUMENTS + 1)))


_ANY = ord("a")


def _text(characters: Mapping[int, int]) -> bytes:
    return bytes(characters.get(i, _ANY) for i in range(max(characters, default=-1) + 1)).split(
        b"\0"
    )[0]


def _input_of(choice: str) -> str:
    """The function of the program that gets a value which the model has chosen."""
    if choice.startswith(SPURIOUS):
        return SPURIOUS
    return choice.removeprefix("failure of ").partition("(")[0].removeprefix("__builtin_")


@dataclass(frozen=True, slots=True)
class _PlanPart:
    """Steps of a thread: one of the user's text, or those of a call of the library, as far as no
    function of the user that it calls interrupts them; and what the call returns behind them."""

    call: LibraryCall | None
    steps: tuple[tuple[int, TraceStep], ...]  # with their segments
    returns: str = ""
    last: bool = False  # nothing follows


def _parts(steps: Sequence[tuple[int, TraceStep]]) -> Iterator[_PlanPart]:
    left = deque(steps)
    while left:
        taken = [left.popleft()]
        begin = taken[0][1].position
        call = library_call(begin)
        while left and call and library_call(left[0][1].position) == call:
            if left[0][1].position == begin and not _decides(taken[-1][1], left[0][1]):
                break
            taken.append(left.popleft())
        returns = dict(left[0][1].returns) if left and call else {}
        yield _PlanPart(call, tuple(taken), returns.get(call[1], "") if call else "", not left)


def _decides(before: TraceStep, step: TraceStep) -> bool:
    """Whether a step is the branch on what the one before it has chosen or read, and not that
    one's place once more, in another call."""
    shown = (*step.reads, *step.writes, *step.choices)
    return before.position == step.position and not shown and not step.note


_OWN = "__abp"
"""How the names of variables begin that models of the library have."""

_ERRNO = "__abp_errno"


def _is_left(step: TraceStep) -> bool:
    """Whether what a step writes is any value, so that what is there will do."""
    return any(name.startswith("uninitialised variable") for name, _ in step.choices)


def _given(part: _PlanPart) -> GivenResult | None:
    """How a call is made that chooses something; None if it does not. What does more than to return
    a number has to be made."""
    steps = [step for _, step in part.steps]
    if not any(step.choices for step in steps):
        return None
    writes = [pair for step in steps for pair in step.writes if not _is_left(step)]
    own = all(cell.startswith(_OWN) for cell, _ in writes)
    stores = part.call is not None and part.call[1] in STORES
    if not part.returns or stores or not own or any(step.note for step in steps):
        return GivenResult(None)
    errors = [value for cell, value in writes if cell.startswith(_ERRNO) and value.isdigit()]
    return GivenResult(int(part.returns), int(errors[-1]) if errors else 0)


def _items(
    parts: Sequence[_PlanPart], freed: Set[Position], waits: LibraryCall | None
) -> Iterator[PlanItem]:
    for part in parts:
        if part.call is not None and part.call[1] not in COPIES:
            yield from _of_call(part, waits)
            continue
        for segment, step in part.steps:
            if part.call is None and step.position.in_model:
                continue
            place = step.position.origin
            for cell, _ in step.reads:
                yield PlanItem(segment, place, Does.READS, cell)
            for cell, _ in step.writes:
                yield PlanItem(segment, place, Does.WRITES, cell)
            if step.position in freed and not step.reads and not step.writes:
                yield PlanItem(segment, step.position, Does.CALLS, FREE)


_SUCCESS = "success of "
"""How choices begin of whether a function that prints has done so."""

_JOINS = "joins "
_CREATES = "creates "


def _of_call(part: _PlanPart, waits: LibraryCall | None) -> Iterator[PlanItem]:
    assert part.call is not None
    place, function = part.call
    given = _given(part)
    if given is not None and given.result is not None:
        return
    steps = part.steps
    creation = next((n for n, s in steps if s.note.startswith(_CREATES)), None)
    if creation is not None:
        yield PlanItem(creation, place, Does.CALLS, function)
        for segment, step in steps:
            for cell, _ in step.writes:
                yield PlanItem(segment, place, Does.WRITES, cell)
        return
    effects = [segment for segment, step in steps if step.writes or step.note.startswith(_JOINS)]
    if not effects and part.last and waits == part.call:
        return  # it stands before it has any
    effects = effects or [segment for segment, step in steps if step.reads] or [steps[-1][0]]
    said = tuple(text for _, step in steps for text in step.said)
    if function in IN_TWO_PARTS and effects[0] != effects[-1]:
        yield PlanItem(effects[0], place, Does.CALLS, function, said)
    yield PlanItem(effects[-1], place, Does.CALLS, function, said)
